// The formats of the images that scenes hold, told apart by their bytes, and the decoders behind images.h of those that
// have a library of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scene/images.h"
#include "scene/optional_libraries.h"

namespace sublet::scene {

struct ImageFormat {
    const char* mime_type;
    std::string_view magic;                    // what files begin with; a '?' stands for any byte
    const char* extension = nullptr;           // of glTF, by which textures name such images; null: none is needed
    const OptionalLibrary* library = nullptr;  // that decodes them; null: one that is always there
    // As read_image_header(). Null: images.cpp does it.
    ImageHeader (*read_header)(std::span<const std::uint8_t> bytes, bool blocks) = nullptr;
    // The image itself as RGBA8; but where header.has_mips its levels from `halvings` on, as decode_image() has them.
    std::vector<TexelLevel> (*decode)(std::span<const std::uint8_t> bytes, const ImageHeader& header,
                                      unsigned halvings) = nullptr;

    [[nodiscard]] bool is_decoded() const { return library == nullptr || library->present; }
};

// Of images of one texture in formats that need an extension, the first of this list is to be taken.
[[nodiscard]] std::span<const ImageFormat> image_formats();
// Null where there is none.
[[nodiscard]] const ImageFormat* image_format_of(std::span<const std::uint8_t> bytes);
[[nodiscard]] const ImageFormat* find_image_format(std::string_view mime_type);

// WebP, still images. Both throw Error with the reason.
[[nodiscard]] ImageHeader read_webp_header(std::span<const std::uint8_t> bytes, bool blocks);
[[nodiscard]] std::vector<TexelLevel> decode_webp(std::span<const std::uint8_t> bytes, const ImageHeader& header,
                                                  unsigned halvings);

// KTX2 of the kinds that ktx2_file.h tells. Both throw Error with the reason.
[[nodiscard]] ImageHeader read_ktx2_header(std::span<const std::uint8_t> bytes, bool blocks);
[[nodiscard]] std::vector<TexelLevel> decode_ktx2(std::span<const std::uint8_t> bytes, const ImageHeader& header,
                                                  unsigned halvings);

}  // namespace sublet::scene
