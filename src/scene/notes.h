// What an import ignored or mended, in sentences for people: clean text of bounded length, whatever file it came from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sublet::scene {

// Of all notes of a scene, each with its line end.
inline constexpr std::size_t kMostNoteBytes = std::size_t{1} << 16U;

// The notes as UTF-8 without control characters. Of more than a scene may have, the last one says how many are missing.
[[nodiscard]] std::vector<std::string> clean_notes(const std::vector<std::string>& notes);

// One text of them, clean, each ended by a line feed; and back. `split_notes` wants a text without note_fault().
[[nodiscard]] std::string join_notes(const std::vector<std::string>& notes);
[[nodiscard]] std::vector<std::string> split_notes(std::string_view text);

// What keeps a text from being one that join_notes() gives; null when nothing does.
[[nodiscard]] const char* note_fault(std::string_view text);

}  // namespace sublet::scene
