#include "app/view/settings_panel.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/view/setting_sliders.h"
#include "base/error.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

constexpr std::size_t kLongHelp = 300;

// Whether a choice that may be a file is one.
bool is_file(const render::Setting& setting, const std::string& value) {
    return !setting.extensions.empty() &&
           std::find(setting.choices.begin(), setting.choices.end(), value) == setting.choices.end();
}

// What a choice shows while it is closed: "auto → compact".
std::string choice_text(const render::Setting& setting, const SettingsModel& model, const render::Settings& settings) {
    const std::string chosen = setting.get(settings);
    const std::string running = setting.get(model.running);
    if (is_file(setting, chosen)) return path_text(text_path(chosen).filename());
    return chosen == "auto" && running != chosen ? chosen + " → " + running : chosen;
}

// `useless`: why it has no effect now.
void setting_tooltip(const render::Setting& setting, const std::optional<std::string>& useless) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    std::string words;
    if (useless) words = "No effect now. " + *useless + "\n\n";
    // The list of choices tells of each.
    const bool listed = setting.kind == render::SettingKind::kChoice && setting.help.size() > kLongHelp;
    words += listed ? setting.help.substr(0, setting.help.find('\n')) : setting.help;
    words += "\n\nOn the command line: --" + std::string(setting.name);
    if (!setting.docs.empty()) words += "\nMore in " + std::string(setting.docs) + ": right click";
    tooltip(words);
}

// False where it is the same, or `error` says why it can't be.
bool try_value(const render::Setting& setting, std::string_view value, render::Settings& settings, std::string& error) {
    try {
        render::Settings tried = settings;
        setting.set(tried, value);
        if (setting.get(tried) == setting.get(settings)) return false;
        settings = std::move(tried);
        return true;
    } catch (const Error& refused) {
        // The field says whose value it is.
        error = refused.what();
        const std::string blame = "--" + std::string(setting.name) + ": ";
        if (error.starts_with(blame)) error.erase(0, blame.size());
        return false;
    }
}

}  // namespace

std::optional<std::string> useless_now(const render::Setting& setting, const SettingsModel& model,
                                       const render::Settings& settings) {
    if (setting.name == "pick") return "In the window a click picks.";
    return render::no_effect(setting.name, settings, *model.plan,
                             {.builtin_scene = model.builtin_scene,
                              .moves = model.moves,
                              .deforms = model.deforms,
                              .joints = model.scene.joints,
                              .levels = model.scene.levels,
                              .lights = model.scene.lights,
                              .blended = model.scene.blended});
}

const render::Setting* SettingsPanel::draw_everyday(const SettingsModel& model, render::Settings& settings,
                                                    WidgetMap& widgets) {
    return draw_group(render::SettingGroup::kEveryday, model, settings, widgets);
}

const render::Setting* SettingsPanel::draw_advanced(const SettingsModel& model, render::Settings& settings,
                                                    WidgetMap& widgets) {
    ImGui::SeparatorText("Advanced");
    const render::Setting* changed = nullptr;
    for (const render::SettingGroup group : render::kSettingGroups) {
        if (group == render::SettingGroup::kEveryday) continue;
        const std::string title(render::group_title(group));
        const bool open = ImGui::CollapsingHeader(title.c_str());
        widgets.note("group " + title);
        if (!open) continue;
        if (const render::Setting* of_group = draw_group(group, model, settings, widgets)) changed = of_group;
    }
    return changed;
}

const render::Setting* SettingsPanel::draw_group(render::SettingGroup group, const SettingsModel& model,
                                                 render::Settings& settings, WidgetMap& widgets) {
    const render::Setting* changed = nullptr;
    for (const render::Setting& setting : render::settings_of(group)) {
        if (draw_setting(setting, model, settings, widgets)) changed = &setting;
    }
    return changed;
}

SettingsPanel::Field& SettingsPanel::field_of(std::string_view setting) {
    fields_.resize(render::settings_table().size());
    return fields_.at(static_cast<std::size_t>(render::find_setting(setting) - render::settings_table().data()));
}

bool SettingsPanel::clear_errors() {
    bool any = false;
    for (Field& field : fields_) {
        any = any || !field.error.empty();
        field.error.clear();
    }
    return any;
}

void SettingsPanel::show_error(std::string_view setting, std::string message) {
    field_of(setting).error = std::move(message);
}

void SettingsPanel::clear_error(std::string_view setting) {
    field_of(setting).error.clear();
}

bool SettingsPanel::draw_setting(const render::Setting& setting, const SettingsModel& model, render::Settings& settings,
                                 WidgetMap& widgets) {
    Field& field = field_of(setting.name);
    const std::optional<std::string> useless = useless_now(setting, model, settings);
    ImGui::PushID(setting.name.data());
    ImGui::BeginDisabled(useless.has_value());
    bool changed = false;
    std::string refused;  // why a number can't be had
    switch (setting.kind) {
        case render::SettingKind::kSwitch:
            changed = draw_switch(setting, model, useless.has_value(), settings);
            break;
        case render::SettingKind::kChoice:
            changed = draw_choice(setting, model, settings, widgets);
            break;
        case render::SettingKind::kFrameNumber: {
            // Here it means: from now on.
            bool on = setting.get(settings) != setting.get({});
            changed = ImGui::Checkbox(setting.label.data(), &on);
            if (changed) setting.set(settings, on ? std::to_string(model.frame) : "");
            break;
        }
        case render::SettingKind::kInteger:
        case render::SettingKind::kNumber:
        case render::SettingKind::kText:
            if (const SettingSliders* const sliders = sliders_of(setting.name)) {
                const std::string chosen = setting.get(settings);
                if (!ImGui::GetIO().WantTextInput) field.text = chosen;
                const std::string asked =
                    draw_sliders(*sliders, chosen, setting.get(model.running), field_width(), widgets);
                changed = asked != chosen && try_value(setting, asked, settings, refused);
                // Digit by digit a number was taken until it was too large: it leaves what was there before it.
                if (!refused.empty()) changed = try_value(setting, field.text, settings, field.error);
            } else if (setting.name == "variant" || setting.name == "animation") {
                changed = draw_named(setting, setting.name == "variant" ? model.variants : model.animations, settings,
                                     widgets);
            } else {
                changed = draw_text(setting, model, settings, field);
            }
            break;
    }
    widgets.note(setting.name);
    ImGui::EndDisabled();
    setting_tooltip(setting, useless);
    draw_docs_menu(setting.docs, widgets);
    if (changed || !refused.empty()) field.error = refused;
    if (!field.error.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(255, 130, 115, 255));
        wrapped_text(field.error);
        ImGui::PopStyleColor();
    }
    ImGui::PopID();
    return changed;
}

// Of the widget before, by a right click; also where it is disabled.
void SettingsPanel::draw_docs_menu(std::string_view docs, WidgetMap& widgets) {
    if (docs.empty()) return;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
        ImGui::OpenPopup("docs");
    }
    if (!ImGui::BeginPopup("docs")) return;
    if (ImGui::MenuItem(("Open " + std::string(docs)).c_str())) docs_ = docs;
    widgets.note("open docs");
    ImGui::EndPopup();
}

bool SettingsPanel::draw_switch(const render::Setting& setting, const SettingsModel& model, bool useless,
                                render::Settings& settings) {
    // One without effect shows what is, not what was wished for.
    bool on = setting.get(useless ? model.running : settings) == "on";
    if (!ImGui::Checkbox(setting.label.data(), &on)) return false;
    setting.set(settings, on ? "on" : "off");
    return true;
}

bool SettingsPanel::draw_choice(const render::Setting& setting, const SettingsModel& model, render::Settings& settings,
                                WidgetMap& widgets) {
    const std::string current = setting.get(settings);
    const std::string shown = choice_text(setting, model, settings);
    bool changed = false;
    ImGui::SetNextItemWidth(field_width());
    if (!ImGui::BeginCombo(setting.label.data(), shown.c_str(), ImGuiComboFlags_HeightLargest)) return false;
    for (const std::string_view choice : setting.choices) {
        std::optional<std::string> reason;
        if (setting.unavailable != nullptr) reason = setting.unavailable(choice, *model.device, model.scene);
        ImGui::BeginDisabled(reason.has_value());
        if (ImGui::Selectable(choice.data(), choice == current)) {
            setting.set(settings, choice);
            changed = true;
        }
        ImGui::EndDisabled();
        const std::string_view sentence = reason ? *reason : render::choice_sentence(setting.name, choice);
        if (!sentence.empty()) {
            ImGui::SameLine(ImGui::GetFontSize() * 9.0F);
            dim_text(sentence);
        }
    }
    if (is_file(setting, current)) {
        ImGui::Selectable(shown.c_str(), true);
        ImGui::SameLine(ImGui::GetFontSize() * 9.0F);
        dim_text(current);
    }
    if (!setting.extensions.empty()) {
        if (ImGui::Selectable("Open a file...")) file_asked_ = true;
        widgets.note("open " + std::string(setting.name));
    }
    ImGui::EndCombo();
    return changed;
}

bool SettingsPanel::draw_text(const render::Setting& setting, const SettingsModel& model, render::Settings& settings,
                              Field& field) {
    if (!field.editing && field.error.empty()) field.text = setting.get(settings);
    ImGui::SetNextItemWidth(field_width());
    // An empty field is the default: it shows what that is.
    const std::string running = setting.get(model.running);
    const std::string hint = running.empty() ? "default" : running;
    const bool edited = ImGui::InputTextWithHint(setting.label.data(), hint.c_str(), &field.text);
    field.editing = ImGui::IsItemActive();
    const bool entered = ImGui::IsItemDeactivatedAfterEdit();
    if (field.text == "auto" && running != field.text) {
        ImGui::SameLine();
        dim_text("→ " + running);
    }
    if (edited) field.error.clear();
    if (field.editing || !entered) return false;
    return try_value(setting, field.text, settings, field.error);
}

// One of the names that the scene has.
bool SettingsPanel::draw_named(const render::Setting& setting, std::span<const SceneValue> values,
                               render::Settings& settings, WidgetMap& widgets) {
    const std::string current = setting.get(settings);
    const auto named =
        std::find_if(values.begin(), values.end(), [&](const SceneValue& value) { return value.value == current; });
    ImGui::SetNextItemWidth(field_width());
    const std::string shown = values.empty() ? "none in this scene" : named == values.end() ? current : named->name;
    if (!ImGui::BeginCombo(setting.label.data(), shown.c_str())) return false;
    bool changed = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(values[i].name.c_str(), values[i].value == current)) {
            setting.set(settings, values[i].value);
            changed = values[i].value != current;
        }
        widgets.note(std::string(setting.name) + " " + values[i].name);
        ImGui::PopID();
    }
    ImGui::EndCombo();
    return changed;
}

}  // namespace sublet::app
