// Radiance .hdr: RGBE, row by row, mostly run-length encoded.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "scene/decode_memory.h"
#include "scene/environment_formats.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_FAILURE_USERMSG
#define STBI_NO_STDIO
#define STBI_ONLY_HDR
#define STBI_MALLOC(size) sublet::scene::take_decode_memory(size)
#define STBI_REALLOC(block, size) sublet::scene::resize_decode_memory(block, size)
#define STBI_FREE(block) sublet::scene::give_back_decode_memory(block)
#include <stb_image.h>

namespace sublet::scene {
namespace {

constexpr std::uint64_t kFloatTexelBytes = 3 * sizeof(float);
// What the decoder takes beside texels: its state, and a row.
constexpr std::uint64_t kHdrDecoderBytes = 1U << 20U;
// Rows of other widths are not run-length encoded.
constexpr std::uint64_t kLeastRun = 8, kMostRun = 32767;

// The decoder takes what lies behind the end of its data for zeros; this tells when it has asked for that.
struct MemoryReader {
    std::span<const std::byte> bytes;
    std::size_t at = 0;
    bool beyond = false;

    static int read(void* user, char* to, int size) {
        auto& self = *static_cast<MemoryReader*>(user);
        const std::size_t count = std::min(static_cast<std::size_t>(size), self.bytes.size() - self.at);
        // Its buffer is filled with what there is; all else is wanted whole.
        const bool fills = size == static_cast<int>(sizeof(stbi__context::buffer_start));
        if (count == 0 || (!fills && count < static_cast<std::size_t>(size))) self.beyond = true;
        std::memcpy(to, self.bytes.data() + self.at, count);
        self.at += count;
        return static_cast<int>(count);
    }
    static void skip(void* user, int count) {
        auto& self = *static_cast<MemoryReader*>(user);
        self.at = std::min(self.at + static_cast<std::size_t>(std::max(count, 0)), self.bytes.size());
    }
    static int eof(void* user) {
        const auto& self = *static_cast<MemoryReader*>(user);
        return self.at == self.bytes.size() ? 1 : 0;
    }
};

constexpr stbi_io_callbacks kCallbacks{MemoryReader::read, MemoryReader::skip, MemoryReader::eof};

// The fewest bytes that rows of a size can have: a head, and for each channel runs of up to 127 in two bytes.
std::uint64_t least_bytes(std::uint64_t width, std::uint64_t height) {
    if (width < kLeastRun || width > kMostRun) return 4 * width * height;
    return height * (4 + 4 * 2 * ((width + 126) / 127));
}

// The nearest half float to a value that is finite and not negative; infinity where that is too large. glm's takes far
// longer.
std::uint16_t half_of(float value) {
    constexpr float kLeastNormal = 0x1p-14F;
    constexpr float kTooLarge = 65520.0F;
    if (value >= kTooLarge) return 0x7C00;
    if (value < kLeastNormal) return static_cast<std::uint16_t>(std::nearbyint(value * 0x1p24F));
    const auto bits = std::bit_cast<std::uint32_t>(value) - ((127U - 15U) << 23U);
    return static_cast<std::uint16_t>((bits + 0xFFFU + ((bits >> 13U) & 1U)) >> 13U);
}

}  // namespace

HalfTexels decode_hdr(std::span<const std::byte> bytes, std::uint64_t most_bytes) {
    int width = 0;
    int height = 0;
    int channels = 0;
    MemoryReader header{bytes};
    if (with_decode_memory(kHdrDecoderBytes, [&] {
            return stbi_info_from_callbacks(&kCallbacks, &header, &width, &height, &channels);
        }) == 0) {
        throw WrongPicture("header", stbi_failure_reason());
    }
    check_environment_size(width, height, kFloatTexelBytes + kHalfTexelBytes, most_bytes);
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (bytes.size() < least_bytes(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height))) {
        throw WrongPicture("size", std::to_string(bytes.size()) + " bytes are too few for its " +
                                       std::to_string(width) + "x" + std::to_string(height) + " texels");
    }
    MemoryReader reader{bytes};
    struct Free {
        void operator()(float* block) const { give_back_decode_memory(block); }
    };
    const std::unique_ptr<float[], Free> rgb(with_decode_memory(kFloatTexelBytes * count + kHdrDecoderBytes, [&] {
        return stbi_loadf_from_callbacks(&kCallbacks, &reader, &width, &height, &channels, 3);
    }));
    if (!rgb) throw WrongPicture("data", stbi_failure_reason());
    if (reader.beyond) throw WrongPicture("data", "ends before its last texel");
    HalfTexels out{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), nullptr};
    out.rgba = std::make_unique_for_overwrite<std::uint16_t[]>(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            out.rgba[4 * i + c] = half_of(rgb[3 * i + c]);
        }
    }
    return out;
}

}  // namespace sublet::scene
