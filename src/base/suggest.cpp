#include "base/suggest.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace sublet {

namespace {

constexpr std::size_t kShortestStart = 3;   // letters of a name's start that tell it from others
constexpr std::size_t kLongestWord = 64;    // a longer one is no slip of the hand
constexpr std::size_t kLettersOfASlip = 3;  // one wrong letter is forgiven for each so many
constexpr std::size_t kMostSuggestions = 2;

int lower(char c) {
    return std::tolower(static_cast<unsigned char>(c));
}

bool starts(std::string_view name, std::string_view word) {
    return word.size() <= name.size() && edit_distance(name.substr(0, word.size()), word) == 0;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Rows of the usual table: those of the letter before last, the last and this one.
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
    if (word.empty() || word.size() > kLongestWord) return {};
    struct Near {
        std::size_t distance;
        std::string_view name;
    };
    std::vector<Near> near;
    for (const std::string_view name : known) {
        std::size_t distance = edit_distance(word, name);
        const std::size_t most = std::max<std::size_t>(word.size() / kLettersOfASlip, 1);
        const bool short_form = word.size() >= kShortestStart && starts(name, word);
        if (short_form) distance = std::min<std::size_t>(distance, 1);
        // All letters of a short word changed make another word.
        if (distance > most || distance >= word.size()) continue;
        near.push_back({distance, name});
    }
    std::ranges::stable_sort(near, {}, &Near::distance);
    std::string text;
    for (std::size_t i = 0; i < near.size() && i < kMostSuggestions; ++i) {
        if (near[i].distance > near[0].distance) break;
        text += (i == 0 ? "; did you mean '" : " or '") + std::string(near[i].name) + "'";
    }
    return text.empty() ? text : text + "?";
}

}  // namespace sublet
