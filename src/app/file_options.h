// Options that name files, and what their names must be.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "scene/file_kind.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sublet::app {

// The title that files stand under in a command's help.
inline constexpr const char* kFilesGroup = "Input and output";

// Adds an option (or a positional argument) that names a file; an empty name is a wrong command line. type_name() says
// with which extensions, where it has to have one: "FILE.png" (command_model.h).
CLI::Option* add_file_option(CLI::App& command, const std::string& name, std::filesystem::path& file,
                             const std::string& help);
// --json of every command; `what` is written there.
CLI::Option* add_json_option(CLI::App& command, std::filesystem::path& file, const std::string& what);
// SCENE of view, render and bench.
CLI::Option* add_scene_option(CLI::App& command, std::filesystem::path& scene);

// Throws UsageError for '-', since only JSON goes to standard output, and, where `extensions` (".png") are given, for a
// name with another one, unless a device or a pipe has it.
void check_written_name(std::string_view option, const std::filesystem::path& path,
                        std::initializer_list<std::string_view> extensions = {});

// Throws Error that says how to encode `path`, where it is not encoded yet.
void require_encoded(const std::filesystem::path& path);

using scene::lower_extension;

}  // namespace sublet::app
