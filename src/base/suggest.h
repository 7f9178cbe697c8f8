// "Did you mean ...?" for a mistyped name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sublet {

// How many letters to change, add, leave out or swap with their neighbour to come from one word to the other. Capital
// letters count as small ones.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The one or two of `known` that come nearest to `word`, as the end of an error: "; did you mean 'mdi' or 'direct'?".
// Empty when none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace sublet
