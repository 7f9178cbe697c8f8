#include "scene/image_formats.h"

#include <algorithm>

namespace sublet::scene {
namespace {

constexpr ImageFormat kImageFormats[] = {
    {"image/png", "\x89PNG\r\n\x1A\n"},
    {"image/jpeg", "\xFF\xD8\xFF"},
    {kKtx2Type, "\xABKTX 20\xBB\r\n\x1A\n", "KHR_texture_basisu", &kBasisUniversal, read_ktx2_header, decode_ktx2},
    {"image/webp", "RIFF????WEBP", "EXT_texture_webp", &kLibWebp, read_webp_header, decode_webp},
};

bool begins_with(std::span<const std::uint8_t> bytes, std::string_view magic) {
    return bytes.size() >= magic.size() &&
           std::ranges::equal(magic, bytes.first(magic.size()), [](char wanted, std::uint8_t byte) {
               return wanted == '?' || static_cast<std::uint8_t>(wanted) == byte;
           });
}

template <typename Wanted>
const ImageFormat* find_format(const Wanted& wanted) {
    const ImageFormat* const found = std::ranges::find_if(kImageFormats, wanted);
    return found == std::end(kImageFormats) ? nullptr : found;
}

}  // namespace

std::span<const ImageFormat> image_formats() {
    return kImageFormats;
}

const ImageFormat* image_format_of(std::span<const std::uint8_t> bytes) {
    return find_format([&](const ImageFormat& format) { return begins_with(bytes, format.magic); });
}

const ImageFormat* find_image_format(std::string_view mime_type) {
    return find_format([&](const ImageFormat& format) { return format.mime_type == mime_type; });
}

}  // namespace sublet::scene
