#include "scene/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string>
#include <system_error>

#include "base/error.h"
#include "mesh/container_format.h"

namespace sublet::scene {
namespace {

constexpr std::array<char, 4> kGlbMagic{'g', 'l', 'T', 'F'};

bool has_extension(const std::filesystem::path& path, const char* wanted) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return extension == wanted;
}

}  // namespace

FileKind file_kind(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throw Error(path.string(), "", "is a folder; name a .gltf, .glb or .sublet file in it");
    }
    std::array<char, format::kMagic.size()> start{};
    // A pipe is left to its reader: what is read here would be lost to it.
    const bool readable = std::filesystem::is_regular_file(path, error);
    if (readable) std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    if (start == format::kMagic || has_extension(path, ".sublet")) return FileKind::kSublet;
    if (std::equal(kGlbMagic.begin(), kGlbMagic.end(), start.begin())) return FileKind::kGltf;
    const bool named = has_extension(path, ".gltf") || has_extension(path, ".glb");
    if (named || !readable || start.front() == '{') return FileKind::kGltf;
    throw Error(path.string(), "",
                "is no scene: .gltf, .glb and .sublet files are; convert other models to glTF first, as Blender does");
}

}  // namespace sublet::scene
