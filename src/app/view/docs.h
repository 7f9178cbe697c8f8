// The documentation, from the viewer: where its files are, and the desktop's program that shows them.
#pragma once

#include <sys/types.h>

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

// The file, in `built_from` (the folder that the build names), else where an installation has it beside the folder of
// the executable: ../share/doc/sublet. Nothing: it is in neither.
[[nodiscard]] std::optional<std::filesystem::path> find_docs(const std::string& file,
                                                             const std::filesystem::path& built_from,
                                                             const std::filesystem::path& executable);
// The same, for this program.
[[nodiscard]] std::optional<std::filesystem::path> find_docs(const std::string& file);

// Hands files to the desktop's opener, xdg-open, and never waits for it.
class FileOpener {
  public:
    // False: there is no opener.
    [[nodiscard]] bool open(const std::filesystem::path& file);
    // The file that the opener found no program for, once that is known.
    [[nodiscard]] std::optional<std::filesystem::path> take_failed();

  private:
    pid_t process_ = -1;  // the last; it may outlive the viewer
    std::filesystem::path file_;
};

}  // namespace sublet::app
