#pragma once

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
};

}  // namespace sublet
