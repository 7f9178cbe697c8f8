#include "scene/images.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.h"
#include "scene/decode_memory.h"
#include "scene/image_blocks.h"
#include "scene/image_formats.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_FAILURE_USERMSG
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_MALLOC(size) sublet::scene::take_decode_memory(size)
#define STBI_REALLOC(block, size) sublet::scene::resize_decode_memory(block, size)
#define STBI_FREE(block) sublet::scene::give_back_decode_memory(block)
#include <stb_image.h>

namespace sublet::scene {
namespace {

// What a decoder takes beside texels: its state, and a row or two.
constexpr std::uint64_t kDecoderBytes = 64U << 10U;

// deflate encodes at most 258 bytes in two bits.
constexpr std::uint64_t kMostDeflateRatio = 1032;
// JPEG spends at least a bit on a block of 8 x 8.
constexpr std::uint64_t kMostJpegPixelsPerByte = 512;
// A scan of a JPEG goes over the whole image, however few bytes it has. So many texels go by in seconds: sixteen scans
// of the largest images, 4,096 of a megapixel.
constexpr std::uint64_t kMostScannedTexels = std::uint64_t{1} << 32U;

using Bytes = std::span<const std::uint8_t>;

std::uint32_t big_endian(Bytes bytes, std::size_t at) {
    return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U | std::uint32_t{bytes[at + 2]} << 8U |
           bytes[at + 3];
}

struct PngFormat {
    std::uint64_t channels = 4, depth = 16;  // of the file, palettes not looked up
    bool interlaced = true;
};

// The most that there can be where the header is not found.
PngFormat png_format(Bytes bytes) {
    constexpr std::size_t kSignature = 8;
    constexpr std::size_t kChunkFrame = 12;                                 // length, type, checksum
    constexpr std::array<std::uint64_t, 7> kChannels{1, 4, 3, 1, 2, 4, 4};  // by colour type
    for (std::size_t at = kSignature; at + kChunkFrame + 13 <= bytes.size();) {
        const std::string_view type(reinterpret_cast<const char*>(&bytes[at + 4]), 4);
        if (type == "IHDR") {
            return {kChannels[std::min<std::size_t>(bytes[at + 17], 6)], bytes[at + 16], bytes[at + 20] != 0};
        }
        const std::size_t length = big_endian(bytes, at);
        if (length > bytes.size()) break;
        at += kChunkFrame + length;
    }
    return {};
}

// Bytes of a PNG's rows as they are deflated: a byte for the filter before each.
std::uint64_t png_raw_bytes(const PngFormat& format, std::uint64_t width, std::uint64_t height) {
    const std::uint64_t bits = format.channels * format.depth;
    const auto rows = [&](std::uint64_t columns, std::uint64_t count) {
        return columns == 0 ? 0 : count * (1 + (columns * bits + 7) / 8);
    };
    if (!format.interlaced) return rows(width, height);
    struct Pass {
        std::uint64_t x, y, step_x, step_y;
    };
    constexpr std::array kPasses{Pass{0, 0, 8, 8}, Pass{4, 0, 8, 8}, Pass{0, 4, 4, 8}, Pass{2, 0, 4, 4},
                                 Pass{0, 2, 2, 4}, Pass{1, 0, 2, 2}, Pass{0, 1, 1, 2}};
    std::uint64_t sum = 0;
    for (const Pass& pass : kPasses) {
        sum +=
            rows((width + pass.step_x - 1 - pass.x) / pass.step_x, (height + pass.step_y - 1 - pass.y) / pass.step_y);
    }
    return sum;
}

std::uint64_t png_decode_bytes(Bytes bytes, std::uint64_t width, std::uint64_t height) {
    const PngFormat format = png_format(bytes);
    const std::uint64_t raw = png_raw_bytes(format, width, height);
    if (raw / kMostDeflateRatio > bytes.size()) {
        throw Error(std::to_string(bytes.size()) + " bytes are too few for its " + std::to_string(width) + "x" +
                    std::to_string(height) + " texels");
    }
    // The decoder inflates into a buffer that it doubles where its own guess falls short, as it may with interlacing.
    // It collects the deflated bytes in a buffer of at most twice their size.
    const std::uint64_t guess = (width * format.depth + 7) / 8 * format.channels * height + height;
    const std::uint64_t inflated = format.interlaced ? std::max(guess, 2 * raw) : guess;
    // Beside them lie rows as filtered, or as interlaced, or of fewer channels, or of twice the bits; never more than
    // half as much again.
    const std::uint64_t texel_bytes = format.depth == 16 ? 8 : 4;
    return 2 * bytes.size() + inflated + texel_bytes * 3 / 2 * width * (height + 2) + kDecoderBytes;
}

// Start-of-scan markers; entropy-coded data hold none.
std::uint64_t jpeg_scans(Bytes bytes) {
    std::uint64_t count = 0;
    for (std::size_t at = 0; at + 1 < bytes.size(); ++at) count += bytes[at] == 0xFF && bytes[at + 1] == 0xDA ? 1U : 0U;
    return count;
}

struct JpegFormat {
    std::uint64_t components = 4;
    bool progressive = true;
};

// The most that there can be where the frame's header is not found.
JpegFormat jpeg_format(Bytes bytes) {
    for (std::size_t at = 2; at + 10 <= bytes.size();) {
        if (bytes[at] != 0xFF || bytes[at + 1] == 0xFF) {
            ++at;
            continue;
        }
        const std::uint8_t marker = bytes[at + 1];
        if (marker >= 0xC0 && marker <= 0xC2) return {bytes[at + 9], marker == 0xC2};
        at += 2 + (std::size_t{bytes[at + 2]} << 8U | bytes[at + 3]);
    }
    return {};
}

std::uint64_t jpeg_decode_bytes(Bytes bytes, std::uint64_t width, std::uint64_t height) {
    if (width * height / kMostJpegPixelsPerByte > bytes.size()) {
        throw Error(std::to_string(bytes.size()) + " bytes are too few for its " + std::to_string(width) + "x" +
                    std::to_string(height) + " texels");
    }
    const std::uint64_t scans = jpeg_scans(bytes);
    if (scans * width * height > kMostScannedTexels) {
        throw Error(std::to_string(scans) + " scans of " + std::to_string(width) + "x" + std::to_string(height) +
                    " texels are no honest JPEG");
    }
    // A plane for each component, rounded up to blocks of up to 32 texels, and for a progressive one its coefficients
    // of 16 bits too.
    const JpegFormat format = jpeg_format(bytes);
    const std::uint64_t planes = format.components * (format.progressive ? 3 : 1);
    return planes * (width + 32) * (height + 32) + 4 * width * height + kDecoderBytes;
}

bool is_png(Bytes bytes) {
    return !bytes.empty() && bytes[0] == 0x89;  // JPEG begins with 0xFF
}

ImageHeader read_stb_header(Bytes bytes) {
    int width = 0;
    int height = 0;
    int channels = 0;
    const int known = with_decode_memory(kDecoderBytes, [&] {
        return stbi_info_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels);
    });
    if (known == 0) throw Error(stbi_failure_reason());
    ImageHeader header{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 0};
    header.decode_bytes = is_png(bytes) ? png_decode_bytes(bytes, header.width, header.height)
                                        : jpeg_decode_bytes(bytes, header.width, header.height);
    return header;
}

TexelLevel decode_by_stb(Bytes bytes, const ImageHeader& header) {
    int width = 0;
    int height = 0;
    int channels = 0;
    TexelLevel level;
    level.data.reset(with_decode_memory(header.decode_bytes, [&] {
        return stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 4);
    }));
    if (!level.data)
        throw Error(decode_memory_refused() ? "its data are more than its header says" : stbi_failure_reason());
    level.width = static_cast<std::uint32_t>(width);
    level.height = static_cast<std::uint32_t>(height);
    return level;
}

bool is_raw(const Image& image) {
    return image.mime_type == kRawImageType;
}

}  // namespace

ImageHeader read_image_header(const Image& image, bool blocks) {
    const Bytes bytes = image.bytes;
    if (is_raw(image)) {
        const std::uint64_t size = std::uint64_t{4} * image.width * image.height;
        if (size == 0 || size != bytes.size()) throw Error("its bytes are not width * height * 4");
        return {image.width, image.height, texture_bytes(image.width, image.height)};
    }
    if (bytes.empty() || bytes.size() > std::numeric_limits<int>::max()) throw Error("empty, or larger than 2 GiB");
    const ImageFormat* const format = image_format_of(bytes);
    ImageHeader header = format != nullptr && format->read_header != nullptr ? format->read_header(bytes, blocks)
                                                                             : read_stb_header(bytes);
    header.decode_bytes = std::max(header.decode_bytes, texture_bytes(header.width, header.height, header.format));
    return header;
}

std::vector<TexelLevel> decode_image(const Image& image, const ImageHeader& header, const MipFilter& filter,
                                     unsigned halvings) {
    const ImageFormat* const format = is_raw(image) ? nullptr : image_format_of(image.bytes);
    std::vector<TexelLevel> levels;
    if (format != nullptr && format->decode != nullptr) {
        levels = format->decode(image.bytes, header, halvings);
        if (header.has_mips) return levels;
    } else if (is_raw(image)) {
        levels.push_back(allocate_level(image.width, image.height));
        std::memcpy(levels[0].data.get(), image.bytes.data(), image.bytes.size());
    } else {
        levels.push_back(decode_by_stb(image.bytes, header));
    }
    const TexelLevel& whole = levels[0];
    halvings = std::min(halvings, level_count(whole.width, whole.height) - 1);
    std::vector<TexelLevel> mips = make_mips(whole.span(), whole.width, whole.height, filter, std::max(halvings, 1U));
    if (halvings > 0) levels.clear();
    std::move(mips.begin(), mips.end(), std::back_inserter(levels));
    if (header.format != TexelFormat::kRgba8) {
        for (TexelLevel& level : levels) level = pack_blocks(level, header.format, PackEffort::kFast);
    }
    return levels;
}

}  // namespace sublet::scene
