#include "floors.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string_view>

namespace sublet::test {
namespace {

namespace fs = std::filesystem;

// The libraries that some floors must know nothing of, each known by the first part of its headers' paths.
struct Library {
    std::string_view name;
    std::string_view prefix;
};
constexpr std::array kLibraries{
    Library{"Vulkan", "vulkan/"},   Library{"Vulkan", "volk"},    Library{"Vulkan", "vk_mem_alloc"},
    Library{"Vulkan", "vk_video/"}, Library{"glTF", "tiny_gltf"}, Library{"window", "GLFW/"},
    Library{"window", "imgui"},     Library{"window", "X11/"},
};

// "shared" stands for shaders/shared/, "shaders" for GLSL that C++ compiles too, "embedded" for the generated
// shaders/embedded.h. A floor may include itself.
struct Floor {
    std::string_view name;
    std::string_view folder;
    std::string_view uses;       // floors, in spaces
    std::string_view libraries;  // of kLibraries, in spaces
};
constexpr std::array kFloors{
    Floor{"base", "src/base", "", ""},
    Floor{"mesh", "src/mesh", " base shared ", ""},
    Floor{"scene", "src/scene", " base mesh shared ", " glTF "},
    Floor{"gpu", "src/gpu", " base ", " Vulkan "},
    Floor{"render", "src/render", " base mesh scene gpu shared shaders embedded ", " Vulkan "},
    Floor{"app", "src/app", " base mesh scene gpu render shared embedded ", " Vulkan glTF window "},
    Floor{"shared", "shaders/shared", "", ""},
    Floor{"shaders", "shaders", "", ""},
};

// The rooms of src/render, from the ground up: a file includes those of its own room and of rooms before it. What lies
// beside them in src/render is above them all.
constexpr std::string_view kRenderFolder = "src/render";
constexpr std::array<std::string_view, 11> kRenderRooms{
    "settings", "passes", "scene", "view", "stream", "expansion", "cull", "backends", "shade", "inspect", "measure"};
constexpr std::size_t kNoRoom = kRenderRooms.size() + 1;

bool lists(std::string_view words, std::string_view word) {
    return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

bool is_inside(const fs::path& path, const fs::path& folder) {
    const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
}

// The name of the floor that `path`, relative to the root, belongs to; empty when it is on none.
std::string_view floor_of(const fs::path& path) {
    if (path == "shaders/embedded.h") return "embedded";
    for (const Floor& floor : kFloors) {
        if (is_inside(path, floor.folder)) return floor.name;
    }
    return {};
}

// How high the room of `path` in src/render lies; kRenderRooms.size() for what lies beside the rooms, kNoRoom for a
// folder that is none of them.
std::size_t room_of(const fs::path& path) {
    const fs::path within = path.lexically_relative(kRenderFolder);
    if (!within.has_parent_path()) return kRenderRooms.size();
    const auto room = std::find(kRenderRooms.begin(), kRenderRooms.end(), within.begin()->string());
    return room == kRenderRooms.end() ? kNoRoom : static_cast<std::size_t>(room - kRenderRooms.begin());
}

// What an #include line names; nothing for any other line.
std::optional<std::string> included(std::string_view line) {
    const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    constexpr std::string_view kInclude = "include";
    skip_blanks();
    if (!line.starts_with('#')) return std::nullopt;
    line.remove_prefix(1);
    skip_blanks();
    if (!line.starts_with(kInclude)) return std::nullopt;
    line.remove_prefix(kInclude.size());
    skip_blanks();
    if (!line.starts_with('"') && !line.starts_with('<')) return std::nullopt;
    const std::size_t end = line.find_first_of("\">", 1);
    if (end == std::string_view::npos) return std::nullopt;
    return std::string(line.substr(1, end - 1));
}

// The file of the project that an include in `file` (relative to the root) means, relative to the root; empty when it
// is none of the project's. A folder of src/ that a name begins with counts even when the file is not there.
fs::path resolve(const fs::path& root, const fs::path& file, const fs::path& name) {
    for (const fs::path& base : {file.parent_path(), fs::path("src"), fs::path(), fs::path("shaders")}) {
        fs::path candidate = (base / name).lexically_normal();
        if (fs::exists(root / candidate) && !candidate.empty() && *candidate.begin() != "..") return candidate;
    }
    if (name == "shaders/embedded.h") return name;
    for (const fs::path& base : {fs::path("src"), fs::path()}) {
        fs::path candidate = (base / name).lexically_normal();
        if (!floor_of(candidate).empty()) return candidate;
    }
    return {};
}

void check_include(const fs::path& root, const Floor& floor, const fs::path& file, const std::string& name,
                   std::size_t line, std::vector<std::string>& violations) {
    const auto report = [&](const std::string& what) {
        violations.push_back(file.string() + ":" + std::to_string(line) + ": " + what);
    };
    if (const fs::path target = resolve(root, file, name); !target.empty()) {
        const std::string_view used = floor_of(target);
        if (used.empty()) {
            report("includes " + name + " (" + target.string() + "), which is on no floor");
        } else if (used != floor.name && !lists(floor.uses, used)) {
            report(std::string(floor.name) + " must not include " + name + " (" + std::string(used) + ")");
        } else if (used == "render" && floor.name == "render" && room_of(target) > room_of(file)) {
            report("its room in render must not include " + name + ", which lies above");
        }
        return;
    }
    for (const Library& library : kLibraries) {
        if (name.starts_with(library.prefix) && !lists(floor.libraries, library.name)) {
            report(std::string(floor.name) + " must not include " + name + " (" + std::string(library.name) + ")");
        }
    }
}

// What differs between systems belongs into these folders: there each source is of one system.
constexpr std::array kSystemFolders{"src/base/posix", "src/base/windows"};
// Headers of a system, questions for it, and what converts or opens paths in another way on each.
constexpr std::array kSystemWords{"def _WIN32",
                                  "(_WIN32",
                                  "__linux__",
                                  "__unix__",
                                  "<sys/",
                                  "<unistd.h>",
                                  "<fcntl.h>",
                                  "<dlfcn.h>",
                                  "<spawn.h>",
                                  "<windows.h>",
                                  "<io.h>",
                                  "<malloc.h>",
                                  ".string()",
                                  "u8string",
                                  "generic_string",
                                  "std::ifstream",
                                  "std::ofstream",
                                  "std::fstream",
                                  "fopen(",
                                  "getenv(",
                                  "directory_iterator",
                                  "fs::exists(",
                                  "fs::is_directory(",
                                  "fs::is_regular_",
                                  "fs::file_size(",
                                  "fs::rename(",
                                  "fs::remove(",
                                  "fs::absolute(",
                                  "fs::canonical(",
                                  "fs::equivalent(",
                                  "fs::create_directories(",
                                  "filesystem::exists(",
                                  "filesystem::absolute(",
                                  "filesystem::canonical("};

void check_system(const fs::path& file, const std::string& line, std::size_t number,
                  std::vector<std::string>& violations) {
    for (const char* const folder : kSystemFolders) {
        if (is_inside(file, folder)) return;
    }
    for (const std::string_view word : kSystemWords) {
        const std::size_t at = line.find(word);
        if (at == std::string::npos || line.rfind("//", at) != std::string::npos) continue;
        violations.push_back(file.string() + ":" + std::to_string(number) + ": " + std::string(word) +
                             " belongs into src/base/posix or src/base/windows");
    }
}

bool is_source(const fs::path& path) {
    constexpr std::array kExtensions{".h", ".hpp", ".inl", ".c", ".cpp", ".cc", ".glsl"};
    return std::find(kExtensions.begin(), kExtensions.end(), path.extension()) != kExtensions.end();
}

}  // namespace

FloorsReport check_floors(const fs::path& root) {
    FloorsReport report;
    for (const char* const top : {"src", "shaders/shared"}) {
        if (!fs::exists(root / top)) continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            if (!entry.is_regular_file() || !is_source(entry.path())) continue;
            ++report.file_count;
            const fs::path file = entry.path().lexically_relative(root);
            const std::string_view name = floor_of(file);
            const auto floor =
                std::find_if(kFloors.begin(), kFloors.end(), [&](const Floor& f) { return f.name == name; });
            if (floor == kFloors.end()) {
                report.violations.push_back(file.string() + ": is on no floor");
                continue;
            }
            if (name == "render" && room_of(file) == kNoRoom) {
                report.violations.push_back(file.string() + ": is in no room of render");
                continue;
            }
            std::ifstream stream(entry.path());
            std::string line;
            for (std::size_t number = 1; std::getline(stream, line); ++number) {
                if (const auto include = included(line)) {
                    check_include(root, *floor, file, *include, number, report.violations);
                }
                check_system(file, line, number, report.violations);
            }
        }
    }
    std::sort(report.violations.begin(), report.violations.end());
    return report;
}

}  // namespace sublet::test
