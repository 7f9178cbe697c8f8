// In the place of image_webp.cpp where the program is built without libwebp.
#include "base/error.h"
#include "scene/image_formats.h"

namespace sublet::scene {

ImageHeader read_webp_header(std::span<const std::uint8_t> /*bytes*/, bool /*blocks*/) {
    throw Error(built_without(kLibWebp));
}

std::vector<TexelLevel> decode_webp(std::span<const std::uint8_t> /*bytes*/, const ImageHeader& /*header*/,
                                    unsigned /*halvings*/) {
    throw Error(built_without(kLibWebp));
}

}  // namespace sublet::scene
