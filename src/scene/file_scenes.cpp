#include "scene/file_scenes.h"

#include <algorithm>

#include "base/number_text.h"
#include "base/suggest.h"

namespace sublet::scene {

namespace {

constexpr std::size_t kMostScenesListed = 10;  // in an error

}  // namespace

std::optional<std::size_t> FileScenes::find(std::string_view choice) const {
    if (choice.empty()) return names.empty() ? std::nullopt : std::optional(usual);
    const auto named = std::ranges::find(names, choice);
    if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
    const auto number = parse_number<std::size_t>(choice);
    return number && *number < names.size() ? number : std::nullopt;
}

std::string FileScenes::choice(std::size_t scene) const {
    const std::string& name = names.at(scene);
    if (!name.empty() && find(name) == scene) return name;
    std::string number = std::to_string(scene);
    while (find(number) != scene) number.insert(0, "0");  // another scene has that name
    return number;
}

std::string FileScenes::shown_name(std::size_t scene) const {
    const std::string& name = names.at(scene);
    return name.empty() ? "scene " + std::to_string(scene) : name;
}

std::string FileScenes::refusal(std::string_view choice) const {
    const std::string start = "there is no scene '" + std::string(choice) + "'";
    if (names.empty()) return start + ": the file names none, and is read whole";
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMostScenesListed); ++i) {
        list += (i == 0 ? "" : ", ") + std::to_string(i) + (names[i].empty() ? "" : " " + names[i]);
    }
    if (names.size() > kMostScenesListed) list += " and " + std::to_string(names.size() - kMostScenesListed) + " more";
    const std::vector<std::string_view> known(names.begin(), names.end());
    return start + ", but these: " + list + did_you_mean(choice, known);
}

}  // namespace sublet::scene
