#include "app/file_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/commands.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet::app {

namespace fs = std::filesystem;

CLI::Option* add_file_option(CLI::App& command, const std::string& name, fs::path& file, const std::string& help) {
    const auto named = [](const std::string& value) {
        return value.empty() ? std::string("an empty name is no file's") : std::string();
    };
    return command
        .add_option_function<std::string>(
            name, [&file](const std::string& value) { file = text_path(value); }, help)
        ->check(CLI::Validator(named, ""))
        ->type_name("FILE")
        ->group(kFilesGroup);
}

CLI::Option* add_json_option(CLI::App& command, fs::path& file, const std::string& what) {
    return add_file_option(command, "--json", file, "Write " + what + " as JSON to this file; - is standard output");
}

CLI::Option* add_scene_option(CLI::App& command, fs::path& scene) {
    return add_file_option(command, "SCENE", scene, "A .gltf, .glb or .sublet file; left out, the built-in scene")
        ->type_name("FILE.gltf|.glb|.sublet");
}

void check_written_name(std::string_view option, const fs::path& path,
                        std::initializer_list<std::string_view> extensions) {
    std::string wanted;
    for (const std::string_view extension : extensions) {
        wanted += (wanted.empty() ? "" : " or ") + std::string(extension);
    }
    const std::string what = std::string(option) + ": '" + path_text(path) + "' ";
    if (path == "-") {
        throw UsageError(what + "would be standard output, where only JSON goes: name a " +
                         (wanted.empty() ? "" : wanted + " ") + "file");
    }
    if (wanted.empty() || path_kind(path) == PathKind::kSpecial) return;
    if (std::ranges::find(extensions, lower_extension(path)) == extensions.end()) {
        throw UsageError(what + "does not end in " + wanted + ", which is what is written");
    }
}

void require_encoded(const fs::path& path) {
    if (scene::file_kind(path) == scene::FileKind::kSublet) return;
    fs::path encoded = path;
    encoded.replace_extension(".sublet");
    throw Error(path_text(path), "",
                "is not encoded yet; first: sublet encode " + path_text(path) + " -o " + path_text(encoded));
}

}  // namespace sublet::app
