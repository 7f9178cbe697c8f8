// Text that others made, on its way to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sublet {

/// The text with each control character as an escape (\t, \n, \x1B): on one line, and without a sequence that a
/// terminal would obey. What is no UTF-8 stays as it is.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace sublet
