// The extensions of glTF that the import knows, and what becomes of each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "scene/optional_libraries.h"

namespace sublet::scene::gltf {

enum class ExtensionSupport : std::uint8_t {
    kRead,
    kIgnored,  // noted; a file that requires it can be drawn without it, approximately
    kImages,   // holds a texture's image in a further format, which is not read: noted
    kLibrary,  // read where the program was built with `library`; elsewhere noted
};

struct Extension {
    const char* name;
    ExtensionSupport support;
    const OptionalLibrary* library = nullptr;
    const char* without = "";  // what becomes of its files without that library
};

// By name. A file that requires any other can't be read; one that only uses it is read without it.
[[nodiscard]] std::span<const Extension> known_extensions();

// Null when there is none of that name.
[[nodiscard]] const Extension* find_extension(std::string_view name);

// Whether the import looks at what the extension says.
[[nodiscard]] bool is_read(std::string_view name);

// What is noted of an extension that a file uses, known or not, and does not require; empty when there is nothing.
[[nodiscard]] std::string extension_note(std::string_view name);

}  // namespace sublet::scene::gltf
