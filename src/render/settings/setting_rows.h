// How the table of settings is written: a row says what a setting is called and what its member holds, and from that
// come its texts, its values and its errors.
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/suggest.h"
#include "render/settings/setting_text.h"
#include "render/settings/settings.h"
#include "render/settings/value_text.h"

namespace sublet::render {

// A named value, and what it means in a sentence; empty where its name says it.
template <class T>
struct Choice {
    T value;
    std::string_view name;
    std::string_view sentence = {};
};
template <class T>
using Choices = std::vector<Choice<T>>;

inline constexpr std::string_view kAuto = "auto";  // nothing: resolve() decides

// The name of a value; "auto" for what is none of the choices.
template <class T>
[[nodiscard]] std::string choice_text(const Choices<T>& choices, const std::optional<T>& value) {
    for (const Choice<T>& choice : choices) {
        if (choice.value == value) return std::string(choice.name);
    }
    return std::string(kAuto);
}

// The value of that name. `known`: what an error lists.
template <class T>
[[nodiscard]] T parse_choice(std::string_view setting, const Choices<T>& choices,
                             std::span<const std::string_view> known, std::string_view value) {
    for (const Choice<T>& choice : choices) {
        if (choice.name == value) return choice.value;
    }
    std::string all;
    for (const std::string_view name : known) all += (all.empty() ? "" : ", ") + std::string(name);
    reject(setting, value, "one of " + all + did_you_mean(value, known));
}

class SettingRows {
  public:
    // How it is called: on the command line, in the window, in two short lines.
    struct Names {
        std::string_view name, label, help;
    };
    // Setting's fields of these names.
    struct Guide {
        std::string_view docs = {};
        std::string_view value = {};
        NoEffect no_effect = nullptr;
    };

    // Of the rows that follow.
    void group(SettingGroup group) { group_ = group; }

    // Any setting.
    Setting& add(const Names& names, const Guide& guide, SettingKind kind, SettingScope scope,
                 std::function<std::string(const Settings&)> get,
                 std::function<void(Settings&, std::string_view)> set) {
        Setting& out = rows_.emplace_back();
        out.name = names.name;
        out.label = names.label;
        out.help = names.help;
        out.kind = kind;
        out.scope = scope;
        out.group = group_;
        out.docs = guide.docs;
        out.value = guide.value;
        out.get = std::move(get);
        out.set = std::move(set);
        out.no_effect = guide.no_effect;
        return out;
    }

    // Those of one member.
    template <class Part>
    Setting& toggle(const Names& names, const Guide& guide, bool Part::*member) {
        return choice(names, guide, member, Choices<bool>{{true, "on"}, {false, "off"}}, SettingKind::kSwitch);
    }
    template <class Part, class T>
    Setting& choice(const Names& names, const Guide& guide, T Part::*member, Choices<T> choices,
                    SettingKind kind = SettingKind::kChoice) {
        return with_choices(names, guide, kind, member, std::move(choices), std::nullopt);
    }
    // Or "auto", whose sentence that is.
    template <class Part, class T>
    Setting& choice_or_auto(const Names& names, const Guide& guide, std::optional<T> Part::*member, Choices<T> choices,
                            std::string_view of_auto) {
        return with_choices(names, guide, SettingKind::kChoice, member, std::move(choices), of_auto);
    }
    template <class Part, std::floating_point T>
    Setting& number(const Names& names, const Guide& guide, T Part::*member, T low, T high) {
        return within(names, guide, SettingKind::kNumber, "a number", member, low, high);
    }
    template <class Part>
    Setting& whole(const Names& names, const Guide& guide, std::uint32_t Part::*member, std::uint32_t high) {
        return within(names, guide, SettingKind::kInteger, "a whole number", member, 0U, high);
    }
    template <class Part>
    Setting& mebibytes(const Names& names, const Guide& guide, std::uint64_t Part::*member) {
        return add(
            names, guide, SettingKind::kNumber, scope_of<Part>(),
            [member](const Settings& s) { return mebibytes_text(part<Part>(s).*member); },
            [member, name = names.name](Settings& s, std::string_view value) {
                part<Part>(s).*member = parse_mebibytes(name, value);
            });
    }
    template <class Part>
    Setting& text(const Names& names, const Guide& guide, std::string Part::*member) {
        return add(
            names, guide, SettingKind::kText, scope_of<Part>(),
            [member](const Settings& s) { return part<Part>(s).*member; },
            [member](Settings& s, std::string_view value) { part<Part>(s).*member = value; });
    }

    [[nodiscard]] std::vector<Setting> take() { return std::move(rows_); }

  private:
    template <class Part>
    [[nodiscard]] static constexpr SettingScope scope_of() {
        return std::same_as<Part, DeviceSettings>  ? SettingScope::kDevice
               : std::same_as<Part, SceneSettings> ? SettingScope::kScene
                                                   : SettingScope::kFrame;
    }
    template <class Part, class Of>
    [[nodiscard]] static auto& part(Of& settings) {
        if constexpr (std::same_as<Part, DeviceSettings>) {
            return settings.device;
        } else if constexpr (std::same_as<Part, SceneSettings>) {
            return settings.scene;
        } else {
            return settings.frame;
        }
    }

    // `Member`: T, or, with `of_auto`, an optional one.
    template <class Part, class Member, class T>
    Setting& with_choices(const Names& names, const Guide& guide, SettingKind kind, Member Part::*member,
                          Choices<T> choices, std::optional<std::string_view> of_auto) {
        std::vector<ChoiceGuide> values;
        if (of_auto) values.push_back({kAuto, *of_auto});
        for (const Choice<T>& choice : choices) values.push_back({choice.name, choice.sentence});
        std::vector<std::string_view> known;
        for (const ChoiceGuide& value : values) known.push_back(value.choice);
        const auto shared = std::make_shared<const Choices<T>>(std::move(choices));
        Setting& out = add(
            names, guide, kind, scope_of<Part>(),
            [=](const Settings& s) { return choice_text<T>(*shared, part<Part>(s).*member); },
            [=, name = names.name, is_auto = of_auto.has_value()](Settings& s, std::string_view value) {
                if (is_auto && value == kAuto) {
                    part<Part>(s).*member = Member{};
                } else {
                    part<Part>(s).*member = parse_choice(name, *shared, known, value);
                }
            });
        out.choices = known;
        out.values = std::move(values);
        return out;
    }

    template <class Part, class T>
    Setting& within(const Names& names, const Guide& guide, SettingKind kind, std::string_view what, T Part::*member,
                    T low, T high) {
        return add(
            names, guide, kind, scope_of<Part>(),
            [member](const Settings& s) { return number_text(part<Part>(s).*member); },
            [=, name = names.name](Settings& s, std::string_view value) {
                const auto number = parse_number<T>(value);
                if (!number || !(*number >= low && *number <= high)) {
                    reject(name, value, std::string(what) + " from " + number_text(low) + " to " + number_text(high));
                }
                part<Part>(s).*member = *number;
            });
    }

    SettingGroup group_ = SettingGroup::kEveryday;
    std::vector<Setting> rows_;
};

}  // namespace sublet::render
