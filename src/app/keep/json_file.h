// JSON that is kept in files between runs, and that people edit.
#pragma once

#include <filesystem>
#include <string>

#include "app/output.h"
#include "base/error.h"

namespace sublet::app {

// The file is whole, but of a newer program.
class NewerVersion : public Error {
  public:
    using Error::Error;
};

// The JSON object in `text`, nested a few levels deep at most. Throws Error naming `name`, the file to blame.
[[nodiscard]] Json parse_json_object(const std::string& text, const std::string& name);
// The text of a file. Throws Error when it can't be read, or is too large for a kept file.
[[nodiscard]] std::string read_kept_file(const std::filesystem::path& path);

// A value as an error repeats it: in ASCII, cut short where it is long.
[[nodiscard]] std::string shown_value(const Json& value);

// The version of a kept file: the number under `key`, which must be `known`. Throws NewerVersion where it is a greater
// whole number, else Error.
void check_version(const Json& object, const char* key, int known, const std::string& name);

}  // namespace sublet::app
