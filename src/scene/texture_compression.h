// Images of a scene as blocks that GPUs read (BC7, BC5, BC4), with their mips.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/texels.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::scene {

struct CompressedImage {
    std::size_t image = 0;  // of the scene
    TexelFormat format = TexelFormat::kBc7;
    std::uint32_t width = 0, height = 0;
    std::uint64_t source_bytes = 0;  // of the image as it came
    std::uint64_t bytes = 0;         // of the KTX2 file that it is now
    // Peak signal-to-noise ratio of the largest level, over the channels that materials read, in decibels; infinite
    // where nothing is lost.
    double psnr = 0.0;
};

struct TextureCompression {
    std::vector<CompressedImage> images;
    std::vector<std::string> notes;  // of images that stay as they came, and why
};

// Makes KTX2 files of all images that materials read: colours are BC7, normal maps BC5 (X and Y), data BC4 where one
// channel of them is read, else BC7. Channels that nothing reads are not kept. An image that is read in several ways
// becomes one for each: textures and materials are changed to match. Images stay as they came that hold blocks or Basis
// Universal's textures already, that can't be decoded, or whose decoding takes more than `most_bytes`.
//
// On all cores of `pool`; the same bytes however many there are. Throws Error in a program without Basis Universal.
[[nodiscard]] TextureCompression compress_textures(Scene& scene, ThreadPool& pool, std::uint64_t most_bytes);

// Throws that Error, for who has much to do before.
void require_texture_compression();

}  // namespace sublet::scene
