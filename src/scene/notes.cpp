#include "scene/notes.h"

#include "base/count_text.h"

namespace sublet::scene {
namespace {

constexpr std::size_t kMostBytesOfOne = 1000;
constexpr std::uint64_t kMostOfAKind = 8;     // notes
constexpr std::uint64_t kMostNamesNoted = 6;  // in a note
constexpr std::size_t kRoomForTheRest = 64;   // "and N more notes"

// The character at the start of `text`, which is not empty, and its length in bytes; a length of 0 when it is no UTF-8.
struct Character {
    std::uint32_t code = 0;
    std::size_t length = 0;
};

Character first_character(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC0 || first >= 0xF8 || text.size() < length) return {};
    std::uint32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return {};
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    return code < kLeast[length - 2] || surrogate || code > 0x10FFFF ? Character{} : Character{code, length};
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

std::string clean(std::string_view note) {
    std::string out;
    while (!note.empty()) {
        const Character character = first_character(note);
        if (out.size() + character.length > kMostBytesOfOne) return out + "...";
        if (character.length == 0) {
            out += '?';
        } else if (is_control(character.code)) {
            out += ' ';
        } else {
            out += note.substr(0, character.length);
        }
        note.remove_prefix(character.length == 0 ? 1 : character.length);
    }
    return out;
}

}  // namespace

void Notes::add(const std::string& text) {
    if (known_.insert(text).second) texts_.push_back(text);
}

void Notes::add_few(const std::string& what, const std::string& text) {
    if (++kinds_[what] <= kMostOfAKind) add(text);
}

std::vector<std::string> Notes::take() {
    for (const auto& [what, count] : kinds_) {
        if (count > kMostOfAKind) texts_.push_back(grouped(count - kMostOfAKind) + " more " + what);
    }
    return std::move(texts_);
}

void NameList::add(const std::string& name) {
    if (++count_ <= kMostNamesNoted) list_ += (list_.empty() ? "" : ", ") + name;
}

std::string NameList::text() const {
    return count_ <= kMostNamesNoted ? list_ : list_ + " and " + grouped(count_ - kMostNamesNoted) + " more";
}

std::string numbered_name(std::string_view what, std::size_t index, std::string_view name) {
    constexpr std::size_t kLongest = 60;
    std::string text = std::string(what) + ' ' + std::to_string(index);
    if (!name.empty()) text += " (" + std::string(name.substr(0, kLongest)) + ')';
    return text;
}

std::vector<std::string> clean_notes(const std::vector<std::string>& notes) {
    std::vector<std::string> out;
    std::size_t bytes = 0;
    for (const std::string& note : notes) bytes += out.emplace_back(clean(note)).size() + 1;
    if (bytes <= kMostNoteBytes) return out;
    while (bytes > kMostNoteBytes - kRoomForTheRest) {
        bytes -= out.back().size() + 1;
        out.pop_back();
    }
    out.push_back("and " + counted(notes.size() - out.size(), "more note"));
    return out;
}

std::string join_notes(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : clean_notes(notes)) text += note + '\n';
    return text;
}

std::vector<std::string> split_notes(std::string_view text) {
    std::vector<std::string> notes;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        notes.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return notes;
}

const char* note_fault(std::string_view text) {
    if (text.size() > kMostNoteBytes) return "are longer than 65536 bytes";
    if (!text.empty() && text.back() != '\n') return "do not end with a line feed";
    while (!text.empty()) {
        const Character character = first_character(text);
        if (character.length == 0) return "are not UTF-8";
        if (is_control(character.code) && character.code != '\n') return "have a control character in them";
        text.remove_prefix(character.length);
    }
    return nullptr;
}

}  // namespace sublet::scene
