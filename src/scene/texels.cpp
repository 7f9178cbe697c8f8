#include "scene/texels.h"

#include <algorithm>
#include <bit>
#include <new>

namespace sublet::scene {
namespace {

struct FormatFacts {
    const char* name;
    std::uint32_t side, bytes;
};

constexpr FormatFacts kFormats[] = {{"RGBA8", 1, 4}, {"BC1", 4, 8},  {"BC3", 4, 16},
                                    {"BC4", 4, 8},   {"BC5", 4, 16}, {"BC7", 4, 16}};

const FormatFacts& facts(TexelFormat format) {
    return kFormats[static_cast<std::size_t>(format)];
}

}  // namespace

const char* format_name(TexelFormat format) {
    return facts(format).name;
}

std::uint32_t block_side(TexelFormat format) {
    return facts(format).side;
}

std::uint32_t block_bytes(TexelFormat format) {
    return facts(format).bytes;
}

std::uint64_t level_bytes(TexelFormat format, std::uint32_t width, std::uint32_t height) {
    const auto blocks = [side = std::uint64_t{facts(format).side}](std::uint32_t texels) {
        return (texels + side - 1) / side;
    };
    return blocks(width) * blocks(height) * facts(format).bytes;
}

TexelLevel allocate_level(std::uint32_t width, std::uint32_t height, TexelFormat format) {
    TexelLevel level{width, height, nullptr, format};
    level.data.reset(
        static_cast<std::uint8_t*>(std::malloc(static_cast<std::size_t>(level_bytes(format, width, height)))));
    if (!level.data) throw std::bad_alloc();
    return level;
}

std::uint32_t halved(std::uint32_t side, unsigned halvings) {
    return std::max(side >> halvings, 1U);
}

unsigned level_count(std::uint32_t width, std::uint32_t height) {
    return static_cast<unsigned>(std::bit_width(std::max(width, height)));
}

std::uint64_t texture_bytes(std::uint32_t width, std::uint32_t height, TexelFormat format) {
    std::uint64_t bytes = 0;
    for (unsigned level = 0; level < level_count(width, height); ++level) {
        bytes += level_bytes(format, halved(width, level), halved(height, level));
    }
    return bytes;
}

}  // namespace sublet::scene
