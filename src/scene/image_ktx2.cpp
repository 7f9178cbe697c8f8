// KTX2: Basis Universal's ETC1S and UASTC transcoded to BC7 or RGBA8, Vulkan's formats as blocks or RGBA8. The
// transcoder reads where the file's header points to without a look, and allocates by it: read_ktx2() has checked that.
#include <basisu_transcoder.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "scene/image_blocks.h"
#include "scene/image_formats.h"
#include "scene/ktx2_file.h"

namespace sublet::scene {
namespace {

// What an entry of ETC1S's codebooks takes when it is decoded.
constexpr std::uint64_t kEtc1sEntryBytes = 64;
// What the transcoder takes beside texels and codebooks: tables of codes, and rows of blocks.
constexpr std::uint64_t kTranscoderBytes = 1U << 20U;
constexpr std::uint64_t kKtx2RowBytes = 64;

std::uint8_t swizzled(const std::array<std::uint8_t, 4>& texel, char component) {
    const std::size_t channel = std::string_view("rgba").find(component);
    return channel < texel.size() ? texel[channel] : component == '1' ? 255 : 0;
}

void swizzle_texels(std::span<std::uint8_t> rgba, const Swizzle& swizzle) {
    if (swizzle == kNoSwizzle) return;
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const std::array<std::uint8_t, 4> texel{rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]};
        for (std::size_t c = 0; c < 4; ++c) rgba[i + c] = swizzled(texel, swizzle[c]);
    }
}

// In the place of `channels` bytes each, from the end on: what is not there is 0, alpha 255.
void widen_texels(std::span<std::uint8_t> rgba, std::uint32_t channels) {
    for (std::size_t i = rgba.size() / 4; i-- > 0;) {
        std::array<std::uint8_t, 4> texel{0, 0, 0, 255};
        std::copy_n(&rgba[i * channels], channels, texel.begin());
        std::ranges::copy(texel, &rgba[4 * i]);
    }
}

TexelLevel vulkan_level(const Ktx2File& file, unsigned number, TexelFormat wanted) {
    const std::uint32_t width = halved(file.width, number);
    const std::uint32_t height = halved(file.height, number);
    const Ktx2Level& level = file.levels[number];
    TexelLevel rgba;
    if (file.channels > 0) {
        rgba = allocate_level(width, height);
        decompress_level(file, level, rgba.span().first(static_cast<std::size_t>(level.size)));
        if (file.channels < 4) widen_texels(rgba.span(), file.channels);
    } else {
        TexelLevel blocks = allocate_level(width, height, file.format);
        decompress_level(file, level, blocks.span());
        if (wanted == file.format) return blocks;
        rgba = unpack_blocks(blocks);
    }
    swizzle_texels(rgba.span(), file.swizzle);
    return rgba;
}

class Transcoder {
  public:
    Transcoder(std::span<const std::uint8_t> bytes, const ImageHeader& header) {
        prepare_basis_universal();
        const auto size = static_cast<std::uint32_t>(bytes.size());
        check(transcoder_.init(bytes.data(), size) && transcoder_.start_transcoding() &&
              transcoder_.get_width() == header.width && transcoder_.get_height() == header.height);
    }

    TexelLevel level(unsigned number, TexelFormat format) {
        TexelLevel level =
            allocate_level(halved(transcoder_.get_width(), number), halved(transcoder_.get_height(), number), format);
        using Target = basist::transcoder_texture_format;
        const Target target = format == TexelFormat::kBc7 ? Target::cTFBC7_RGBA : Target::cTFRGBA32;
        check(transcoder_.transcode_image_level(number, 0, 0, level.data.get(),
                                                static_cast<std::uint32_t>(level.span().size() / block_bytes(format)),
                                                target));
        return level;
    }

  private:
    static void check(bool well) {
        if (!well) throw Error("the data are corrupt, or of a kind that Basis Universal does not transcode");
    }

    basist::ktx2_transcoder transcoder_;
};

}  // namespace

ImageHeader read_ktx2_header(std::span<const std::uint8_t> bytes, bool blocks) {
    const Ktx2File file = read_ktx2(bytes);
    ImageHeader header{file.width, file.height};
    header.has_mips = file.levels.size() == level_count(file.width, file.height);
    const bool basis = file.kind != Ktx2Kind::kVulkan;
    if (blocks && basis) header.format = TexelFormat::kBc7;
    if (blocks && header.has_mips && file.channels == 0 && !basis) header.format = file.format;
    if (header.format != TexelFormat::kRgba8) header.swizzle = file.swizzle;
    // Texels as RGBA8 and as blocks, both with mips; the largest level beside them as it was compressed.
    header.decode_bytes = texture_bytes(file.width, file.height) + file.levels[0].size +
                          texture_bytes(file.width, file.height, TexelFormat::kBc7) + kTranscoderBytes +
                          kKtx2RowBytes * file.width + file.codebook_entries * kEtc1sEntryBytes;
    return header;
}

std::vector<TexelLevel> decode_ktx2(std::span<const std::uint8_t> bytes, const ImageHeader& header, unsigned halvings) {
    const Ktx2File file = read_ktx2(bytes);
    const auto count = static_cast<unsigned>(header.has_mips ? file.levels.size() : 1);
    const TexelFormat format = header.has_mips ? header.format : TexelFormat::kRgba8;
    std::vector<TexelLevel> levels;
    if (file.kind == Ktx2Kind::kVulkan) {
        for (unsigned i = header.has_mips ? std::min(halvings, count - 1) : 0; i < count; ++i) {
            levels.push_back(vulkan_level(file, i, format));
        }
        return levels;
    }
    Transcoder transcoder(bytes, header);
    for (unsigned i = header.has_mips ? std::min(halvings, count - 1) : 0; i < count; ++i) {
        levels.push_back(transcoder.level(i, format));
    }
    return levels;
}

}  // namespace sublet::scene
