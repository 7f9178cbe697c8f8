// Covering arrays of strength two: few rows in which every pair of values of every two axes occurs that may occur.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sublet::test {

// For each axis the number of the value that it has.
using Row = std::vector<std::size_t>;

// Null for a row that may occur; else why not.
using Constraint = std::function<std::optional<std::string>(const Row&)>;

// A pair of values that no allowed row has.
struct ImpossiblePair {
    std::size_t axis_a = 0, value_a = 0, axis_b = 0, value_b = 0;
    std::string reason;  // of the first row, in lexicographic order, that has the pair
};

struct PairwiseCover {
    std::vector<Row> rows;
    std::size_t pairs = 0;  // covered: every pair that some allowed row has
    std::vector<ImpossiblePair> impossible;
};

// At most so many rows in the product of all axes: each of them is looked at.
inline constexpr std::size_t kMostProductRows = 1U << 20U;

// Rows that together have every pair that any allowed row has, each row allowed. `sizes`: values of each axis, 1 or
// more. A row is chosen from all allowed ones for the most pairs that are still missing, the first of equals
// (the greedy choice of Cohen, Dalal, Fredman, Patton: "The AETG system", made exact): deterministic. A single axis has
// no pairs: its rows are then its allowed values. Throws Error when the product of all axes exceeds kMostProductRows.
[[nodiscard]] PairwiseCover cover_pairs(const std::vector<std::size_t>& sizes, const Constraint& forbidden);

}  // namespace sublet::test
