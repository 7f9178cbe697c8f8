// The formats of the images that scenes hold, told apart by their bytes, and the decoders behind images.h of those that
// have a library of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "scene/images.h"
#include "scene/optional_libraries.h"

namespace sublet::scene {

struct ImageFormat {
    const char* mime_type;
    std::string_view magic;                    // what files begin with; a '?' stands for any byte
    const char* extension = nullptr;           // of glTF, by which textures name such images; null: none is needed
    const OptionalLibrary* library = nullptr;  // that decodes them; null: one that is always there
    // As read_image_header() and decode_image(), into 4 * width * height bytes. Null: images.cpp does it.
    ImageHeader (*read_header)(std::span<const std::uint8_t> bytes) = nullptr;
    void (*decode)(std::span<const std::uint8_t> bytes, const ImageHeader& header, std::uint8_t* rgba) = nullptr;

    [[nodiscard]] bool is_decoded() const { return library == nullptr || library->present; }
};

// Of images of one texture in formats that need an extension, the first of this list is to be taken.
[[nodiscard]] std::span<const ImageFormat> image_formats();
// Null where there is none.
[[nodiscard]] const ImageFormat* image_format_of(std::span<const std::uint8_t> bytes);
[[nodiscard]] const ImageFormat* find_image_format(std::string_view mime_type);

// WebP, still images. Both throw Error with the reason.
[[nodiscard]] ImageHeader read_webp_header(std::span<const std::uint8_t> bytes);
void decode_webp(std::span<const std::uint8_t> bytes, const ImageHeader& header, std::uint8_t* rgba);

// KTX2 with Basis Universal, ETC1S or UASTC: the largest of its mips. Both throw Error with the reason.
[[nodiscard]] ImageHeader read_ktx2_header(std::span<const std::uint8_t> bytes);
void decode_ktx2(std::span<const std::uint8_t> bytes, const ImageHeader& header, std::uint8_t* rgba);

}  // namespace sublet::scene
