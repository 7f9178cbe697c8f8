#include "scene/png.h"

#include <limits>
#include <string>

#include "base/error.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace sublet::scene {

std::vector<std::uint8_t> encode_png(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba) {
    constexpr std::uint32_t kMax = std::numeric_limits<int>::max() / 8;
    if (width == 0 || height == 0 || width > kMax || height > kMax ||
        std::uint64_t{width} * height > std::uint64_t{std::numeric_limits<int>::max()} / 8 ||
        rgba.size() != std::size_t{width} * height * 4) {
        throw Error("an image of " + std::to_string(width) + "x" + std::to_string(height) +
                    " pixels cannot be written as PNG");
    }
    std::vector<std::uint8_t> png;
    const auto append = [](void* context, void* data, int size) {
        const auto* const bytes = static_cast<const std::uint8_t*>(data);
        static_cast<std::vector<std::uint8_t>*>(context)->insert(
            static_cast<std::vector<std::uint8_t>*>(context)->end(), bytes, bytes + size);
    };
    if (stbi_write_png_to_func(append, &png, static_cast<int>(width), static_cast<int>(height), 4, rgba.data(),
                               static_cast<int>(width * 4)) == 0) {
        throw Error("out of memory writing a PNG");
    }
    return png;
}

}  // namespace sublet::scene
