// In the place of image_ktx2.cpp where the program is built without Basis Universal.
#include "base/error.h"
#include "scene/image_formats.h"

namespace sublet::scene {

ImageHeader read_ktx2_header(std::span<const std::uint8_t> /*bytes*/) {
    throw Error(built_without(kBasisUniversal));
}

void decode_ktx2(std::span<const std::uint8_t> /*bytes*/, const ImageHeader& /*header*/, std::uint8_t* /*rgba*/) {
    throw Error(built_without(kBasisUniversal));
}

}  // namespace sublet::scene
