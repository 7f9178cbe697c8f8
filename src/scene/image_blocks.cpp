// BC7 and the encoder of BC4 are Basis Universal's. The decoders of BC1 to BC5 follow the Khronos Data Format
// Specification 1.3, sections 18 (S3TC) and 19 (RGTC).
#include "scene/image_blocks.h"

#include <basisu_transcoder.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "base/thread_pool.h"

namespace sublet::scene {
namespace {

constexpr std::uint32_t kSide = 4;
using Block = std::array<basist::color_rgba, std::size_t{kSide} * kSide>;

constexpr std::uint32_t kFastFlags = basist::bc7f::cPackBC7FlagDefaultFast;
// But for what may turn an alpha of 255 into 254.
constexpr std::uint32_t kBestFlags =
    basist::bc7f::cPackBC7FlagDefaultPartiallyAnalytical & ~std::uint32_t{basist::bc7f::cPackBC7FlagPBitOptMode6};

std::uint64_t little_endian(const std::uint8_t* from, int bytes) {
    std::uint64_t value = 0;
    for (int i = bytes; i > 0; --i) value = value << 8U | from[i - 1];
    return value;
}

void unpack_bc1(const std::uint8_t* from, Block& to, bool four_colors_always) {
    const auto first = static_cast<unsigned>(little_endian(from, 2));
    const auto second = static_cast<unsigned>(little_endian(from + 2, 2));
    const bool four = four_colors_always || first > second;
    const auto color = [](unsigned c) {
        const unsigned r = c >> 11U;
        const unsigned g = c >> 5U & 63U;
        const unsigned b = c & 31U;
        return std::array<unsigned, 3>{r << 3U | r >> 2U, g << 2U | g >> 4U, b << 3U | b >> 2U};
    };
    const std::array<unsigned, 3> ends[2] = {color(first), color(second)};
    const auto indices = static_cast<std::uint32_t>(little_endian(from + 4, 4));
    for (std::size_t i = 0; i < to.size(); ++i) {
        const unsigned index = indices >> (2 * i) & 3U;
        const bool clear = !four && index == 3;
        std::uint8_t* const texel = &to[i].r;
        for (std::size_t c = 0; c < 3; ++c) {
            const unsigned a = ends[0][c];
            const unsigned b = ends[1][c];
            const unsigned mixed = !four ? (a + b + 1) / 2 : index == 2 ? (2 * a + b + 1) / 3 : (a + 2 * b + 1) / 3;
            texel[c] = static_cast<std::uint8_t>(clear ? 0 : index == 0 ? a : index == 1 ? b : mixed);
        }
        texel[3] = clear ? 0 : 255;
    }
}

// Into one channel of each texel.
void unpack_bc4(const std::uint8_t* from, Block& to, std::size_t channel) {
    std::array<unsigned, 8> values{from[0], from[1]};
    const unsigned steps = values[0] > values[1] ? 7 : 5;
    for (unsigned i = 1; i < steps; ++i) {
        values[i + 1] = ((steps - i) * values[0] + i * values[1] + steps / 2) / steps;
    }
    if (steps == 5) values[7] = 255;
    const std::uint64_t indices = little_endian(from + 2, 6);
    for (std::size_t i = 0; i < to.size(); ++i) {
        (&to[i].r)[channel] = static_cast<std::uint8_t>(values[indices >> (3 * i) & 7U]);
    }
}

void unpack_block(TexelFormat format, const std::uint8_t* from, Block& to) {
    to.fill(basist::color_rgba(0, 0, 0, 255));
    switch (format) {
        case TexelFormat::kBc1:
            return unpack_bc1(from, to, false);
        case TexelFormat::kBc3:
            unpack_bc1(from + 8, to, true);
            return unpack_bc4(from, to, 3);
        case TexelFormat::kBc4:
            return unpack_bc4(from, to, 0);
        case TexelFormat::kBc5:
            unpack_bc4(from, to, 0);
            return unpack_bc4(from + 8, to, 1);
        default:
            if (!basist::bc7u::unpack_bc7(from, to.data())) to.fill(basist::color_rgba(0, 0, 0, 0));
    }
}

void pack_block(TexelFormat format, PackEffort effort, const Block& from, std::uint8_t* to) {
    constexpr std::uint32_t kStride = sizeof(basist::color_rgba);
    if (format == TexelFormat::kBc7) {
        basist::bc7f::fast_pack_bc7_auto_rgba(to, from.data(), effort == PackEffort::kBest ? kBestFlags : kFastFlags);
        return;
    }
    basist::encode_bc4(to, &from[0].r, kStride);
    if (format == TexelFormat::kBc5) basist::encode_bc4(to + 8, &from[0].g, kStride);
}

// Calls fn(number of the block, x and y of its first texel) for a row of blocks.
template <class Fn>
void for_each_block(std::uint32_t width, std::uint32_t block_row, const Fn& fn) {
    const std::uint32_t across = (width + kSide - 1) / kSide;
    for (std::uint32_t x = 0; x < across; ++x) fn(std::size_t{block_row} * across + x, x * kSide, block_row * kSide);
}

}  // namespace

void prepare_basis_universal() {
    static const bool ready = (basist::basisu_transcoder_init(), true);
    (void)ready;
}

TexelLevel pack_blocks(const TexelLevel& rgba, TexelFormat format, PackEffort effort, ThreadPool* pool) {
    if (format != TexelFormat::kBc4 && format != TexelFormat::kBc5 && format != TexelFormat::kBc7) {
        throw Error(std::string("there is no encoder of ") + format_name(format));
    }
    prepare_basis_universal();
    TexelLevel packed = allocate_level(rgba.width, rgba.height, format);
    const auto pack_rows = [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            for_each_block(
                rgba.width, static_cast<std::uint32_t>(row), [&](std::size_t block, std::uint32_t x, std::uint32_t y) {
                    Block texels;
                    for (std::uint32_t i = 0; i < texels.size(); ++i) {
                        const std::uint32_t column = std::min(x + i % kSide, rgba.width - 1);
                        const std::uint32_t line = std::min(y + i / kSide, rgba.height - 1);
                        std::memcpy(&texels[i].r, &rgba.data[4 * (std::size_t{line} * rgba.width + column)], 4);
                    }
                    pack_block(format, effort, texels, &packed.data[block * block_bytes(format)]);
                });
        }
    };
    const std::size_t rows = (rgba.height + kSide - 1) / kSide;
    if (pool == nullptr) {
        pack_rows(0, rows);
    } else {
        pool->parallel_for(rows, 1, pack_rows);
    }
    return packed;
}

TexelLevel unpack_blocks(const TexelLevel& blocks) {
    prepare_basis_universal();
    TexelLevel rgba = allocate_level(blocks.width, blocks.height);
    for (std::uint32_t row = 0; row < (blocks.height + kSide - 1) / kSide; ++row) {
        for_each_block(blocks.width, row, [&](std::size_t block, std::uint32_t x, std::uint32_t y) {
            Block texels;
            unpack_block(blocks.format, &blocks.data[block * block_bytes(blocks.format)], texels);
            const std::uint32_t columns = std::min(kSide, blocks.width - x);
            for (std::uint32_t line = 0; line < std::min(kSide, blocks.height - y); ++line) {
                std::memcpy(&rgba.data[4 * (std::size_t{y + line} * blocks.width + x)],
                            &texels[std::size_t{line} * kSide].r, std::size_t{4} * columns);
            }
        });
    }
    return rgba;
}

}  // namespace sublet::scene
