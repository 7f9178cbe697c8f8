#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sublet {

/// The one error type: bad input, or a device that cannot do what was asked. Its message is one line that names where
/// (file, field), what (the value) and what to do; `main` prints it and exits with status 1.
class Error : public std::runtime_error {
  public:
    /// A message that says it all.
    explicit Error(const std::string& message) : std::runtime_error(message) {}

    /// "source: field: message". `source` is a file or a device, `field` the part of it that is wrong
    /// ("accessors[3].count"); an empty part is left out with its colon.
    Error(std::string_view source, std::string_view field, std::string_view message);

    /// The parts again; source and field are empty where the message says it all.
    [[nodiscard]] std::string_view source() const { return part(0, source_size_); }
    [[nodiscard]] std::string_view field() const { return part(after(source_size_), field_size_); }
    [[nodiscard]] std::string_view message() const {
        return part(after(source_size_) + after(field_size_), std::string_view::npos);
    }

  private:
    [[nodiscard]] std::string_view part(std::size_t begin, std::size_t size) const {
        return std::string_view(what()).substr(begin, size);
    }
    // Where what follows a part of that size begins: after a colon and a blank.
    [[nodiscard]] static std::size_t after(std::size_t size) { return size == 0 ? 0 : size + 2; }

    std::size_t source_size_ = 0, field_size_ = 0;
};

/// What an error of the system means: of an errno, on Windows of GetLastError().
[[nodiscard]] std::string system_message(int error);

/// Throws the Error of a failed call of the system: "path: what: No such file or directory".
[[noreturn]] void throw_system(const std::filesystem::path& path, const char* what, int error);

}  // namespace sublet
