#include "scene/optional_libraries.h"

namespace sublet::scene {
namespace {

#ifdef SUBLET_BASISU
constexpr bool kHasBasisUniversal = true;
#else
constexpr bool kHasBasisUniversal = false;
#endif

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

const OptionalLibrary kBasisUniversal{kHasBasisUniversal, "Basis Universal", "-DSUBLET_BASISU=ON"};
const OptionalLibrary kDraco{kHasDraco, "Draco", "Debian: libdraco-dev"};
const OptionalLibrary kLibWebp{kHasWebp, "libwebp", "Debian: libwebp-dev"};

std::string built_without(const OptionalLibrary& library) {
    return std::string("this program was built without ") + library.name + ": build it with that library (" +
           library.from + ")";
}

}  // namespace sublet::scene
