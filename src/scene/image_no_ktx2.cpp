// In the place of image_ktx2.cpp, image_blocks.cpp and ktx2_file.cpp where the program is built without Basis
// Universal.
#include "base/error.h"
#include "scene/image_blocks.h"
#include "scene/image_formats.h"
#include "scene/ktx2_file.h"

namespace sublet::scene {

ImageHeader read_ktx2_header(std::span<const std::uint8_t> /*bytes*/, bool /*blocks*/) {
    throw Error(built_without(kBasisUniversal));
}

std::vector<TexelLevel> decode_ktx2(std::span<const std::uint8_t> /*bytes*/, const ImageHeader& /*header*/,
                                    unsigned /*halvings*/) {
    throw Error(built_without(kBasisUniversal));
}

TexelLevel pack_blocks(const TexelLevel& /*rgba*/, TexelFormat /*format*/, PackEffort /*effort*/,
                       ThreadPool* /*pool*/) {
    throw Error(built_without(kBasisUniversal));
}

TexelLevel unpack_blocks(const TexelLevel& /*blocks*/) {
    throw Error(built_without(kBasisUniversal));
}

std::vector<std::uint8_t> write_ktx2(std::span<const TexelLevel> /*levels*/, bool /*srgb*/,
                                     const Swizzle& /*swizzle*/) {
    throw Error(built_without(kBasisUniversal));
}

}  // namespace sublet::scene
