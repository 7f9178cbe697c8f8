// What a subcommand prints: a text for people, and a JSON document for scripts.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace sublet::app {

inline constexpr const char* kProgram = "sublet";
inline constexpr const char* kVersion = SUBLET_VERSION;

// Keys stay in the order in which they are set.
using Json = nlohmann::ordered_json;

// The value, or null.
template <class T>
[[nodiscard]] Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// A file that a command line names, and the option or argument that does.
struct NamedFile {
    std::string_view option;
    const std::filesystem::path& path;
};

// Throws Error when `output` can't be written: its folder does not exist, or it is a folder, or another of the
// command's files lies in that place, or will; writing would lose it. Empty ones of `others` are left out. Called
// before the work whose result goes there.
void check_output(const NamedFile& output, std::initializer_list<NamedFile> others = {});

class Output {
  public:
    // `json_path` as --json has it: empty for none, "-" for stdout. Throws Error as check_output does.
    explicit Output(std::filesystem::path json_path, std::initializer_list<NamedFile> others = {});

    // Where text for people goes: stdout, or stderr when stdout carries JSON.
    [[nodiscard]] std::ostream& human() const;
    [[nodiscard]] bool wants_json() const { return !json_path_.empty(); }
    // Writes `result`, with "program" and "version" before its keys, where --json said; whole or not at all.
    void write_json(const Json& result) const;

  private:
    std::filesystem::path json_path_;
};

}  // namespace sublet::app
