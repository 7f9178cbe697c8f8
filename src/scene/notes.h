// What an import ignored or mended, in sentences for people: clean text of bounded length, whatever file it came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sublet::scene {

// Of all notes of a scene, each with its line end.
inline constexpr std::size_t kMostNoteBytes = std::size_t{1} << 16U;

// Collects notes, each text once.
class Notes {
  public:
    void add(const std::string& text);

    // A note of a kind of which a file may have any number: the first few are kept, and the number of the others, with
    // `what` there are more of: "glTF primitives can't be read".
    void add_few(const std::string& what, const std::string& text);

    [[nodiscard]] std::vector<std::string> take();

  private:
    std::vector<std::string> texts_;
    std::set<std::string> known_;
    std::map<std::string, std::uint64_t> kinds_;
};

// Names for a note: the first few, and how many others there are.
class NameList {
  public:
    void add(const std::string& name);
    [[nodiscard]] bool empty() const { return count_ == 0; }
    // "mesh 0 (Wheel), mesh 3 and 4 more".
    [[nodiscard]] std::string text() const;

  private:
    std::string list_;
    std::uint64_t count_ = 0;
};

// "mesh 3 (Wheel)", "material 0".
[[nodiscard]] std::string numbered_name(std::string_view what, std::size_t index, std::string_view name);

// The notes as UTF-8 without control characters. Of more than a scene may have, the last one says how many are missing.
[[nodiscard]] std::vector<std::string> clean_notes(const std::vector<std::string>& notes);

// One text of them, clean, each ended by a line feed; and back. `split_notes` wants a text without note_fault().
[[nodiscard]] std::string join_notes(const std::vector<std::string>& notes);
[[nodiscard]] std::vector<std::string> split_notes(std::string_view text);

// What keeps a text from being one that join_notes() gives; null when nothing does.
[[nodiscard]] const char* note_fault(std::string_view text);

}  // namespace sublet::scene
