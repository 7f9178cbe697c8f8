// Numbers and tables for people to read.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/count_text.h"

namespace sublet::app {

// With exactly `digits` decimals; "-" for NaN and infinity.
[[nodiscard]] std::string fixed(double number, int digits);
// With `digits` significant digits: "0.000123", "1.5e-07".
[[nodiscard]] std::string significant(double number, int digits);
// "512 B", "1.4 MiB".
[[nodiscard]] std::string byte_text(std::uint64_t bytes);
// A part and its whole in one unit, the whole's: "0.021 of 23.5 GiB".
[[nodiscard]] std::string byte_text_of(std::uint64_t part, std::uint64_t whole);

// A field of a CSV file, quoted where its text would be taken for more than one.
[[nodiscard]] std::string csv_field(const std::string& text);

// Rows under headings, each column as wide as its widest cell: the first to the left, the others to the right.
class Table {
  public:
    explicit Table(std::vector<std::string> headings) { rows_.push_back(std::move(headings)); }
    // Cells beyond the headings are kept, missing ones stay empty. Names in them are made printable().
    void add(std::vector<std::string> cells);
    // Each line starts with `indent` spaces.
    void print(std::ostream& out, std::size_t indent = 0) const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace sublet::app
