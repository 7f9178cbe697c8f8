#include "scene/optional_libraries.h"

namespace sublet::scene {
namespace {

#ifdef SUBLET_DRACO
constexpr bool kHasDraco = true;
#else
constexpr bool kHasDraco = false;
#endif

#ifdef SUBLET_WEBP
constexpr bool kHasWebp = true;
#else
constexpr bool kHasWebp = false;
#endif

}  // namespace

const OptionalLibrary kDraco{kHasDraco, "Draco", "libdraco-dev"};
const OptionalLibrary kLibWebp{kHasWebp, "libwebp", "libwebp-dev"};

std::string built_without(const OptionalLibrary& library) {
    return std::string("this program was built without ") + library.name +
           ": build it with that library (Debian: " + library.package + ")";
}

}  // namespace sublet::scene
