#include "scene/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/open_file.h"
#include "base/path_text.h"
#include "mesh/container_format.h"

namespace sublet::scene {
namespace {

constexpr std::array<char, 4> kGlbStart{'g', 'l', 'T', 'F'};

// What can't be read leaves zeros: whoever reads the file next says why.
void read_start(const std::filesystem::path& path, std::span<char> out) {
    try {
        const OpenFile file(path);
        if (file.size() >= out.size()) file.read(std::as_writable_bytes(out), 0);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
    }
}

}  // namespace

FileKind file_kind(const std::filesystem::path& path) {
    const PathKind kind = path_kind(path);
    if (kind == PathKind::kFolder) {
        throw Error(path_text(path), "", "this is a folder; name a .gltf, .glb or .sublet file in it");
    }
    std::array<char, format::kMagic.size()> start{};
    // A pipe is left to its reader: what is read here would be lost to it.
    const bool readable = kind == PathKind::kFile;
    if (readable) read_start(path, start);
    const std::string extension = lower_extension(path);
    if (start == format::kMagic || extension == ".sublet") return FileKind::kSublet;
    if (std::equal(kGlbStart.begin(), kGlbStart.end(), start.begin())) return FileKind::kGltf;
    const bool named = extension == ".gltf" || extension == ".glb";
    if (named || !readable || start.front() == '{') return FileKind::kGltf;
    throw Error(
        path_text(path), "",
        "this is no scene: .gltf, .glb and .sublet files are; convert other models to glTF first, as Blender does");
}

std::string lower_extension(const std::filesystem::path& path) {
    std::string text = path_text(path.extension());
    std::ranges::transform(text, text.begin(),
                           [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}

}  // namespace sublet::scene
