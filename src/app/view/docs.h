// The documentation, from the viewer: where its files are.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sublet::app {

// A place in the documentation, as settings name it: docs/CULLING.md, "Two phases".
struct DocsPlace {
    std::string file;     // "CULLING.md"
    std::string section;  // empty: all of the file
};
[[nodiscard]] DocsPlace docs_place(std::string_view text);

// The file, in `built_from` (the folder that the build names; empty: it names none), else where an installation has it,
// from the folder of the executable on: ../share/doc/sublet/docs, or, as on Windows, docs. Nothing: it is in none.
[[nodiscard]] std::optional<std::filesystem::path> find_docs(const std::string& file,
                                                             const std::filesystem::path& built_from,
                                                             const std::filesystem::path& executable);
// The same, for this program.
[[nodiscard]] std::optional<std::filesystem::path> find_docs(const std::string& file);

}  // namespace sublet::app
