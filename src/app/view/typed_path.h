// What a person types where a file is asked for: a path, or how a name begins.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sublet::app {

// The path that was typed or pasted. "~" at its start is `home`, a relative one goes on from `folder`; blanks around
// it and quotes, as shells and file managers put them, are none of it.
[[nodiscard]] std::filesystem::path typed_path(std::string_view text, const std::filesystem::path& folder,
                                               const std::filesystem::path& home);

// The first of `names` that begins with `text`, in small or capital letters. Nothing for an empty text.
[[nodiscard]] std::optional<std::size_t> first_beginning(std::string_view text, std::span<const std::string> names);

}  // namespace sublet::app
