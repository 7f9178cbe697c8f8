// WebP: still images, lossy or lossless, with alpha or without.
#include <webp/decode.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "scene/image_formats.h"

namespace sublet::scene {
namespace {

// Lossy data spend more than three bits on a macroblock of 16 x 16: how it is predicted is told at fixed odds. Lossless
// data spend nothing on a texel that is like all others.
constexpr std::uint64_t kMostLossyTexelsPerByte = 256 * 8 / 3;
// Beside texels: its state, and some rows.
constexpr std::uint64_t kStateBytes = 64U << 10U;
constexpr std::uint64_t kWebpRowBytes = 512;
// Lossless data may bring Huffman tables for each tile of 4 x 4 texels, at most 2^16. Those of the least size take 20
// bits of the data, and so much memory.
constexpr std::uint64_t kMostTableGroups = 1U << 16U;
constexpr std::uint64_t kTableGroupBytes = 6U << 10U;

[[noreturn]] void fail_webp(VP8StatusCode status) {
    switch (status) {
        case VP8_STATUS_OUT_OF_MEMORY:
            throw Error("there is not memory enough to decode it");
        case VP8_STATUS_NOT_ENOUGH_DATA:
        case VP8_STATUS_SUSPENDED:
            throw Error("the file is cut off");
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            throw Error("has features of WebP that are not read");
        default:
            throw Error("the data are corrupt");
    }
}

std::uint64_t lossless_bytes(std::uint64_t file_bytes, std::uint64_t width, std::uint64_t height) {
    const std::uint64_t groups =
        std::min({kMostTableGroups, (width + 3) / 4 * ((height + 3) / 4), file_bytes * 8 / 20 + 1});
    return 4 * width * height + groups * kTableGroupBytes;
}

}  // namespace

ImageHeader read_webp_header(std::span<const std::uint8_t> bytes, bool /*blocks*/) {
    WebPBitstreamFeatures features{};
    const VP8StatusCode status = WebPGetFeatures(bytes.data(), bytes.size(), &features);
    if (status != VP8_STATUS_OK) fail_webp(status);
    if (features.has_animation != 0) throw Error("is an animation; glTF's images are still");
    ImageHeader header{static_cast<std::uint32_t>(features.width), static_cast<std::uint32_t>(features.height), 0};
    const std::uint64_t texels = std::uint64_t{header.width} * header.height;
    constexpr int kLossless = 2;
    const bool lossless = features.format == kLossless;
    if (!lossless && texels / kMostLossyTexelsPerByte > bytes.size()) {
        throw Error(std::to_string(bytes.size()) + " bytes are too few for its " + std::to_string(header.width) + "x" +
                    std::to_string(header.height) + " texels");
    }
    header.decode_bytes = 4 * texels + kWebpRowBytes * header.width + kStateBytes;
    // The alpha of a lossy image is a plane, which is lossless data in turn.
    if (!lossless && features.has_alpha != 0) header.decode_bytes += texels;
    if (lossless || features.has_alpha != 0) {
        header.decode_bytes += lossless_bytes(bytes.size(), header.width, header.height);
    }
    return header;
}

std::vector<TexelLevel> decode_webp(std::span<const std::uint8_t> bytes, const ImageHeader& header,
                                    unsigned /*halvings*/) {
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0)
        throw Error("libwebp is of another version than this program was built with");
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    std::vector<TexelLevel> levels;
    levels.push_back(allocate_level(header.width, header.height));
    const std::span<std::uint8_t> rgba = levels[0].span();
    config.output.u.RGBA = {rgba.data(), static_cast<int>(4 * header.width), rgba.size()};
    const VP8StatusCode status = WebPDecode(bytes.data(), bytes.size(), &config);
    if (status != VP8_STATUS_OK) fail_webp(status);
    return levels;
}

}  // namespace sublet::scene
