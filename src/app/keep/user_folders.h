// Where a user's programs keep things between runs (the XDG base directories).
#pragma once

#include <filesystem>

namespace sublet::app {

// $XDG_CACHE_HOME/sublet, or ~/.cache/sublet: what can be made again. Empty when there is neither.
[[nodiscard]] std::filesystem::path user_cache_folder();
// $XDG_STATE_HOME/sublet, or ~/.local/state/sublet: what a user would miss a little. Empty when there is neither.
[[nodiscard]] std::filesystem::path user_state_folder();

// What "~" stands for in a path. Empty when the user has none.
[[nodiscard]] std::filesystem::path home_folder();

}  // namespace sublet::app
