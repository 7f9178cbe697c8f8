#include "app/view/ui.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/text.h"
#include "base/error.h"

namespace sublet::app {

namespace {

// How long a figure takes to follow a change most of the way.
constexpr double kSmoothingSeconds = 0.3;

void smooth_towards(double& shown, double value) {
    const double share = 1.0 - std::exp(-static_cast<double>(ImGui::GetIO().DeltaTime) / kSmoothingSeconds);
    shown = shown == 0.0 ? value : shown + share * (value - shown);
}

void text(const std::string& line) {
    ImGui::TextUnformatted(line.data(), line.data() + line.size());
}

void row(const char* name, const std::string& value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name);
    ImGui::TableNextColumn();
    const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(value.c_str()).x;
    if (space > 0.0F) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space);
    text(value);
}

// Of the widget before: x, y, width, height.
std::array<float, 4> item_rectangle() {
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

void tooltip(std::string_view words) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_DelayShort)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24.0F);
    ImGui::TextUnformatted(words.data(), words.data() + words.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

const char* scope_title(render::SettingScope scope) {
    switch (scope) {
        case render::SettingScope::kDevice:
            return "Device settings";
        case render::SettingScope::kScene:
            return "Scene settings";
        case render::SettingScope::kFrame:
            return "Settings";
    }
    return "";
}

}  // namespace

UiEvents Ui::draw(const UiModel& model, render::Settings& settings) {
    UiEvents events;
    smooth(model);
    if (!hidden_) {
        draw_controls(model, settings, events);
        draw_measurements(model);
    }
    draw_loading(model);
    draw_error(events);
    return events;
}

// Along the left edge.
void Ui::draw_controls(const UiModel& model, render::Settings& settings, UiEvents& events) {
    const float unit = ImGui::GetFontSize();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({unit * 0.75F, unit * 0.75F}, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize({unit * 25.0F, std::max(unit * 10.0F, screen.y - unit * 1.5F)}, ImGuiCond_FirstUseEver);
    if (ImGui::Begin("Sublet")) {
        draw_header(model);
        draw_notes(model);
        draw_settings(model, settings, events);
        draw_camera(model, events);
    }
    ImGui::End();
}

// At the upper right corner; it follows the window's size.
void Ui::draw_measurements(const UiModel& model) {
    const float unit = ImGui::GetFontSize();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImGuiCond when = screen.x == placed_for_width_ ? ImGuiCond_FirstUseEver : ImGuiCond_Always;
    placed_for_width_ = screen.x;
    ImGui::SetNextWindowPos({screen.x - unit * 0.75F, unit * 0.75F}, when, {1.0F, 0.0F});
    ImGui::SetNextWindowSize({unit * 20.0F, 0.0F});  // as high as what it shows
    if (ImGui::Begin("Measurements", nullptr, ImGuiWindowFlags_NoResize)) {
        draw_times(model);
        draw_counters(model);
        draw_memory(model);
    }
    ImGui::End();
}

Json Ui::widgets_json() const {
    Json json = Json::object();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        json[std::string(render::settings_table()[i].name)] = fields_[i].rectangle;
    }
    json["offer"] = offer_rectangle_;
    json["notes"] = notes_rectangle_;
    return json;
}

void Ui::smooth(const UiModel& model) {
    smooth_towards(cpu_ms_, model.cpu_ms);
    smooth_towards(frame_ms_, model.frame_ms);
    if (model.times->passes.empty() || model.times->frame == smoothed_frame_) return;
    smoothed_frame_ = model.times->frame;
    smooth_towards(gpu_ms_, model.times->ms);
    const std::vector<gpu::PassTime>& passes = model.times->passes;
    const bool same = std::equal(passes.begin(), passes.end(), passes_.begin(), passes_.end(),
                                 [](const gpu::PassTime& a, const Smoothed& b) { return a.name == b.name; });
    if (!same) {
        passes_.clear();
        for (const gpu::PassTime& pass : passes) passes_.push_back({pass.name, pass.ms});
        return;
    }
    for (std::size_t i = 0; i < passes.size(); ++i) smooth_towards(passes_[i].ms, passes[i].ms);
}

void Ui::draw_header(const UiModel& model) {
    text(model.device->name);
    tooltip(model.device->driver);
    text(std::string(model.scene_name) + ", " + std::to_string(model.extent.width) + "x" +
         std::to_string(model.extent.height));
    text(grouped(model.triangles) + " triangles, " + grouped(model.meshlets) + " meshlets, " + grouped(model.meshes) +
         " meshes");
}

// What of the scene is not drawn as its file has it.
void Ui::draw_notes(const UiModel& model) {
    notes_rectangle_ = {};
    if (model.notes.empty()) return;
    const std::string title = "Notes (" + std::to_string(model.notes.size()) + ")###notes";
    const ImVec2 low = ImGui::GetCursorScreenPos();
    if (ImGui::CollapsingHeader(title.c_str(), ImGuiTreeNodeFlags_DefaultOpen)) {
        ImGui::PushTextWrapPos(0.0F);
        for (const std::string& note : model.notes) {
            ImGui::Bullet();
            text(note);
        }
        ImGui::PopTextWrapPos();
    }
    const ImVec2 high = ImGui::GetItemRectMax();
    notes_rectangle_ = {low.x, low.y, high.x - low.x, high.y - low.y};
}

void Ui::draw_settings(const UiModel& model, render::Settings& settings, UiEvents& events) {
    const auto table = render::settings_table();
    fields_.resize(table.size());
    for (const auto scope :
         {render::SettingScope::kFrame, render::SettingScope::kScene, render::SettingScope::kDevice}) {
        // What needs another device is shown, but set on the command line.
        const bool fixed_scope = scope == render::SettingScope::kDevice;
        if (!ImGui::CollapsingHeader(scope_title(scope), fixed_scope ? 0 : ImGuiTreeNodeFlags_DefaultOpen)) continue;
        ImGui::BeginDisabled(fixed_scope);
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (table[i].scope != scope) continue;
            if (draw_setting(table[i], model, settings, fields_[i])) events.changed = &table[i];
        }
        ImGui::EndDisabled();
    }
    events.vsync_changed = ImGui::Checkbox("Vertical synchronization", &vsync_);
}

bool Ui::draw_setting(const render::Setting& setting, const UiModel& model, render::Settings& settings, Field& field) {
    ImGui::PushID(setting.name.data());
    bool changed = false;
    switch (setting.kind) {
        case render::SettingKind::kSwitch: {
            bool on = setting.get(settings) == "on";
            changed = ImGui::Checkbox(setting.label.data(), &on);
            if (changed) setting.set(settings, on ? "on" : "off");
            break;
        }
        case render::SettingKind::kChoice:
            changed = draw_choice(setting, model, settings);
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
            changed = draw_text(setting, settings, field);
            break;
    }
    field.rectangle = item_rectangle();
    tooltip(setting.help);
    if (!field.error.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(255, 120, 110, 255));
        ImGui::TextWrapped("%s", field.error.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::PopID();
    return changed;
}

bool Ui::draw_choice(const render::Setting& setting, const UiModel& model, render::Settings& settings) {
    const std::string current = setting.get(settings);
    std::string shown = current;
    const std::string running = setting.get(model.running);
    if (current == "auto" && running != current) shown += " (" + running + ")";
    bool changed = false;
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 12.0F);
    if (!ImGui::BeginCombo(setting.label.data(), shown.c_str())) return false;
    for (const std::string_view choice : setting.choices) {
        std::optional<std::string> reason;
        if (setting.unavailable != nullptr) reason = setting.unavailable(choice, *model.device, model.scene_facts);
        ImGui::BeginDisabled(reason.has_value());
        if (ImGui::Selectable(choice.data(), choice == current)) {
            setting.set(settings, choice);
            changed = true;
        }
        ImGui::EndDisabled();
        if (reason) tooltip(*reason);
    }
    ImGui::EndCombo();
    return changed;
}

bool Ui::draw_text(const render::Setting& setting, render::Settings& settings, Field& field) {
    if (!field.editing) field.text = setting.get(settings);
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 12.0F);
    ImGui::InputTextWithHint(setting.label.data(), "default", &field.text);
    field.editing = ImGui::IsItemActive();
    if (field.editing || !ImGui::IsItemDeactivatedAfterEdit()) return false;
    try {
        setting.set(settings, field.text);
        field.error.clear();
        return true;
    } catch (const Error& error) {
        field.error = error.what();
        return false;
    }
}

void Ui::draw_times(const UiModel& model) {
    if (!ImGui::CollapsingHeader("Times", ImGuiTreeNodeFlags_DefaultOpen)) return;
    if (ImGui::BeginTable("frame", 2)) {
        row("Frame", fixed(frame_ms_, 2) + " ms (" + fixed(frame_ms_ > 0.0 ? 1000.0 / frame_ms_ : 0.0, 0) + "/s)");
        row("CPU, recording", fixed(cpu_ms_, 3) + " ms");
        row("GPU", model.device->timestamps ? fixed(gpu_ms_, 3) + " ms" : "not timed");
        ImGui::EndTable();
    }
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, IM_COL32(52, 92, 140, 255));
    for (const Smoothed& pass : passes_) {
        const double share = gpu_ms_ > 0.0 ? pass.ms / gpu_ms_ : 0.0;
        ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::ProgressBar(static_cast<float>(std::clamp(share, 0.0, 1.0)), {-1.0F, 0.0F}, "");
        at.x += ImGui::GetStyle().FramePadding.x;
        at.y += ImGui::GetStyle().FramePadding.y;
        const std::string label = pass.name + "  " + fixed(pass.ms, 3);
        ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), label.c_str());
    }
    ImGui::PopStyleColor();
}

void Ui::draw_counters(const UiModel& model) {
    if (!ImGui::CollapsingHeader("Counters", ImGuiTreeNodeFlags_DefaultOpen)) return;
    const render::Counters& c = *model.counters;
    if (!ImGui::BeginTable("counters", 2)) return;
    row("Instances visible", grouped(c.instances_visible) + " of " + grouped(c.instances));
    row("Meshlets tested", grouped(c.meshlets_tested));
    row("Meshlets drawn", grouped(c.meshlets_drawn_phase1 + c.meshlets_drawn_phase2));
    if (c.meshlets_drawn_phase2 > 0) row("  in the second phase", grouped(c.meshlets_drawn_phase2));
    row("Triangles drawn", grouped(c.primitives_drawn));
    if (c.rounds > 1) row("Rounds", grouped(c.rounds));
    if (c.overflow > 0) row("Overflow", grouped(c.overflow));
    if (model.ambiguous != nullptr) {
        row("Depth ties", grouped(model.ambiguous->depth_ties));
        row("Snapped faces", grouped(model.ambiguous->snapped_faces));
        if (const auto& raster = model.ambiguous->raster) {
            row("Raster: edge pixels", grouped(raster->edge_pixels));
            row("Raster: depth pixels", grouped(raster->depth_pixels));
            row("Raster: wrong pixels", grouped(raster->wrong_pixels));
        }
    }
    ImGui::EndTable();
}

void Ui::draw_memory(const UiModel& model) {
    if (!ImGui::CollapsingHeader("Memory")) return;
    if (!ImGui::BeginTable("memory", 2)) return;
    row("Geometry, encoded", byte_text(model.memory.geometry));
    row("Geometry, decoded", byte_text(model.memory.decoded));
    row("Scene", byte_text(model.memory.scene));
    row("Transient", byte_text(model.memory.transient));
    row("Targets", byte_text(model.memory.targets));
    row("Device", byte_text(model.device_memory.used) + " of " + byte_text(model.device_memory.budget));
    ImGui::EndTable();
}

void Ui::draw_camera(const UiModel& model, UiEvents& events) {
    if (!ImGui::CollapsingHeader("Camera", ImGuiTreeNodeFlags_DefaultOpen)) return;
    if (ImGui::RadioButton("Orbit", !model.flying) && model.flying) events.toggle_flying = true;
    ImGui::SameLine();
    if (ImGui::RadioButton("Fly", model.flying) && !model.flying) events.toggle_flying = true;
    ImGui::SameLine();
    if (ImGui::Button("Reset")) events.reset_camera = true;
    ImGui::SameLine();
    if (ImGui::Button("Copy")) events.copy_camera = true;
    if (model.flying) {
        text("WASD, Q and E move, right drag looks, Shift hurries;");
        text("the wheel sets the speed: " + significant(model.fly_speed, 3) + " a second");
    } else {
        text("Left drag turns, middle shifts, wheel zooms");
    }
    text("F fly, R reset, C copy, Tab hide, Ctrl+Q quit");
}

void Ui::draw_loading(const UiModel& model) {
    if (model.loading.empty()) return;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({size.x * 0.5F, size.y * 0.5F}, ImGuiCond_Always, {0.5F, 0.5F});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                        ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing;
    if (ImGui::Begin("Loading", nullptr, kFlags)) {
        const auto dots = static_cast<std::size_t>(ImGui::GetTime() * 3.0) % 4;
        text("loading " + std::string(model.loading) + std::string(dots, '.') + std::string(3 - dots, ' '));
    }
    ImGui::End();
}

void Ui::draw_error(UiEvents& events) {
    if (error_.empty()) return;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float width = std::min(size.x * 0.8F, ImGui::GetFontSize() * 46.0F);
    ImGui::SetNextWindowPos({size.x * 0.5F, size.y * 0.5F}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({width, 0.0F});
    ImGui::PushStyleColor(ImGuiCol_TitleBg, IM_COL32(150, 40, 30, 255));
    ImGui::PushStyleColor(ImGuiCol_TitleBgActive, IM_COL32(150, 40, 30, 255));
    bool open = true;
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize;
    if (ImGui::Begin("Error", &open, kFlags)) {
        ImGui::TextWrapped("%s", error_.c_str());
        if (ImGui::Button("Dismiss")) open = false;
        if (!offer_.empty()) {
            ImGui::SameLine();
            events.accepted_offer = ImGui::Button(offer_.c_str());
            if (events.accepted_offer) open = false;
            offer_rectangle_ = item_rectangle();
        }
    }
    ImGui::End();
    ImGui::PopStyleColor(2);
    if (!open) error_.clear();
}

}  // namespace sublet::app
