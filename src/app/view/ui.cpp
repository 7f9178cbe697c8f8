#include "app/view/ui.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/text.h"
#include "app/view/help.h"
#include "app/view/selection_panel.h"
#include "base/count_text.h"
#include "base/error.h"
#include "base/number_text.h"

namespace sublet::app {

namespace {

// In font sizes.
constexpr float kSideWidth = 22.0F;
constexpr float kLeastSideWidth = 14.0F;
// A narrower window has one side, with tabs.
constexpr float kTwoSides = 90.0F;
// Of the window's width, at most.
constexpr float kMostOfOneSide = 0.33F;
constexpr float kMostOfTwoSides = 0.30F;

// Beside each other: these settings, and B.
void draw_compared(std::span<const ComparedTime> times) {
    if (times.empty() || !ImGui::BeginTable("compared", 3, ImGuiTableFlags_SizingStretchProp)) return;
    const auto ms = [](const std::optional<double>& time) { return time ? fixed(*time, 3) : std::string("-"); };
    const auto line = [](std::string_view name, std::string_view a, std::string_view b) {
        ImGui::TableNextRow();
        for (const std::string_view cell : {name, a, b}) {
            ImGui::TableNextColumn();
            text(cell);
        }
    };
    line("GPU, ms", "now", "B");
    tooltip("Medians of the last second before X was held, and of the last second in which it was.");
    for (const ComparedTime& time : times) line(time.name, ms(time.a), ms(time.b));
    ImGui::EndTable();
}

}  // namespace

UiEvents Ui::draw(const UiModel& model, render::Settings& settings) {
    UiEvents events;
    widgets_.clear();
    free_ = {0.0F, 0.0F, 1.0F, 1.0F};
    if (!hidden_) {
        draw_menus(model, settings, events);
        if (model.has_scene) {
            draw_status(model);
            draw_sides(model, settings, events);
        }
    }
    draw_over_picture(model);
    if (model.loading != nullptr) draw_loading(*model.loading, events);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    const float room = (free_[2] - free_[0]) * screen.x - unit * 2.0F;
    events.accepted_offer = toasts_.draw({free_[2] * screen.x - unit, free_[3] * screen.y - unit},
                                         std::max(std::min(room, unit * 40.0F), unit * 12.0F), widgets_);
    if (help_) draw_help(help_);
    return events;
}

bool Ui::escape() {
    if (help_) {
        help_ = false;
        return true;
    }
    return settings_panel_.clear_errors() || toasts_.dismiss();
}

void Ui::say(std::string line) {
    constexpr double kSeconds = 4.0;
    if (line.empty()) return;
    said_ = std::move(line);
    said_until_ = ImGui::GetTime() + kSeconds;
}

bool Ui::attempt(const char* cause, const std::function<void()>& action) {
    try {
        action();
        toasts_.clear(cause);
        return true;
    } catch (const Error& error) {
        toasts_.show(cause, error.what());
        return false;
    }
}

void Ui::draw_sides(const UiModel& model, render::Settings& settings, UiEvents& events) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    const float top = free_[1] * screen.y;
    const float height = std::max(free_[3] * screen.y - top, 1.0F);
    const bool two = screen.x >= kTwoSides * unit;
    const float most = screen.x * (two ? kMostOfTwoSides : kMostOfOneSide) / unit;
    const auto fit = [&](float& width) {
        if (width == 0.0F) width = kSideWidth;
        width = std::max(width, kLeastSideWidth);
        return std::min(width, most) * unit;
    };
    const float left = fit(left_width_);
    const float right = two ? fit(right_width_) : 0.0F;
    ImGui::SetNextWindowPos({0.0F, top});
    ImGui::SetNextWindowSize({left, height});
    if (ImGui::Begin("Settings", nullptr, kFixed)) {
        if (two) {
            keep_sections();
            draw_settings(model, settings, events);
        } else {
            draw_tabs(std::array{Tab::kSettings, Tab::kNumbers, Tab::kOutliner}, model, settings, events);
        }
    }
    ImGui::End();
    free_[0] = left / screen.x;
    splitter("left edge", left, top, height, 1.0F, left_width_);
    sections_restored_ = sections_restored_ || !two;
    if (!two) return;
    ImGui::SetNextWindowPos({screen.x - right, top});
    ImGui::SetNextWindowSize({right, height});
    if (ImGui::Begin("Numbers", nullptr, kFixed)) {
        draw_tabs(std::array{Tab::kNumbers, Tab::kOutliner}, model, settings, events);
    }
    ImGui::End();
    sections_restored_ = true;
    free_[2] = 1.0F - right / screen.x;
    splitter("right edge", screen.x - right, top, height, -1.0F, right_width_);
}

// Tabs, and the contents of one, which scroll below them.
void Ui::draw_tabs(std::span<const Tab> tabs, const UiModel& model, render::Settings& settings, UiEvents& events) {
    static constexpr std::array<std::pair<const char*, const char*>, 3> kNames{
        {{"Settings", "tab Settings"}, {"Times and culling###numbers", "tab Numbers"}, {"Outliner", "tab Outliner"}}};
    std::optional<Tab> shown;
    if (ImGui::BeginTabBar("tabs")) {
        for (const Tab tab : tabs) {
            const auto& [label, widget] = kNames.at(static_cast<std::size_t>(tab));
            const bool open = ImGui::BeginTabItem(label);
            widgets_.note(widget);
            if (!open) continue;
            shown = tab;
            ImGui::EndTabItem();
        }
        ImGui::EndTabBar();
    }
    if (ImGui::BeginChild("contents", {0.0F, 0.0F}, ImGuiChildFlags_None, ImGuiWindowFlags_NavFlattened)) {
        keep_sections();
        if (shown == Tab::kSettings) draw_settings(model, settings, events);
        if (shown == Tab::kNumbers) numbers_panel_.draw(model.numbers, widgets_);
        if (shown == Tab::kOutliner) events.outliner = outliner_panel_.draw(model.outliner, widgets_);
    }
    ImGui::EndChild();
}

// Which scene of the file is shown, where it has several.
void Ui::draw_file_scenes(const UiModel& model, UiEvents& events) {
    if (model.file_scenes == nullptr) return;
    ImGui::SetNextItemWidth(field_width());
    const bool open = ImGui::BeginCombo("Scene of the file", model.file_scenes->shown_name(model.file_scene).c_str());
    widgets_.note("file scene");
    if (!open) return;
    for (std::size_t i = 0; i < model.file_scenes->names.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(model.file_scenes->shown_name(i).c_str(), i == model.file_scene)) events.file_scene = i;
        widgets_.note("file scene " + std::to_string(i));
        ImGui::PopID();
    }
    ImGui::EndCombo();
}

void Ui::draw_settings(const UiModel& model, render::Settings& settings, UiEvents& events) {
    draw_file_scenes(model, events);
    const render::Setting* everyday = settings_panel_.draw_everyday(model.settings, settings, widgets_);
    const render::Show show = model.settings.plan->show;
    if (show != render::Show::kShaded && legend_beside()) {
        const bool open = ImGui::CollapsingHeader("Colours of the view", ImGuiTreeNodeFlags_DefaultOpen);
        widgets_.note("legend");
        if (open) draw_legend_entries(show, 0.0F);
    }
    if (!model.animations->names().empty()) {
        const bool animation = ImGui::CollapsingHeader("Animation", ImGuiTreeNodeFlags_DefaultOpen);
        widgets_.note("animation panel");
        if (animation) events.animation = draw_animation_panel(*model.animations, widgets_);
    }
    draw_selection_section(model, events);
    const render::Setting* advanced = settings_panel_.draw_advanced(model.settings, settings, widgets_);
    if (everyday != nullptr || advanced != nullptr) events.changed = everyday != nullptr ? everyday : advanced;
    events.docs = settings_panel_.take_docs();
    if (settings_panel_.take_file_asked()) events.commands.push_back(Command::kOpenEnvironment);
    const bool camera = ImGui::CollapsingHeader("Moving the camera");
    widgets_.note("camera panel");
    if (camera) draw_camera_panel(*model.camera, events.camera, events.commands, widgets_);
    draw_other(model, settings, events);
    draw_notes(model);
}

// What was picked, above all else: a click asked for it.
void Ui::draw_selection_section(const UiModel& model, UiEvents& events) {
    if (model.picked == nullptr) return;
    bool open = true;
    const bool shown = ImGui::CollapsingHeader("Picked", &open, ImGuiTreeNodeFlags_DefaultOpen);
    widgets_.note("picked");
    if (!open) events.selection = render::Selection{};
    if (!shown) return;
    if (model.picked_late) wrapped_dim_text("Too large to follow while it plays: pause for its bounds of now.");
    if (const auto stepped = draw_selection(*model.picked, widgets_)) events.selection = stepped;
}

// The other settings, and how they differ from those of now.
void Ui::draw_other(const UiModel& model, const render::Settings& settings, UiEvents& events) {
    const bool open = ImGui::CollapsingHeader("Compare");
    widgets_.note("compare");
    if (!open) return;
    const auto ask = [&](const char* label, const char* name, const char* help, Command command) {
        if (button(label, name, help, widgets_)) events.commands.push_back(command);
    };
    ask(model.comparison->settings() == nullptr ? "Keep as B" : "Keep as B anew", "keep B",
        "Keeps these settings, so that you can change some and look at both in turn.", Command::kKeepOther);
    if (model.comparison->settings() == nullptr) {
        wrapped_dim_text("Keep the settings as B, change some, then hold X to see B.");
        return;
    }
    ImGui::SameLine();
    ask("Swap", "swap B", "Makes B the settings, and these B.", Command::kSwapOther);
    ImGui::SameLine();
    ask(model.comparison->right() != nullptr ? "Join" : "Split", "split B",
        "These settings to the left, B to the right; or the whole window again.", Command::kSplit);
    bool same = true;
    for (const render::Setting& setting : render::settings_table()) {
        const std::string now = setting.get(settings);
        const std::string then = setting.get(*model.comparison->settings());
        if (!is_compared(setting) || now == then) continue;
        same = false;
        wrapped_dim_text(std::string(setting.label) + ": " + now + ", in B " + then);
    }
    wrapped_dim_text(same ? "B is the same as now: change something." : "Hold X to see B, and to time it.");
    draw_compared(model.comparison->times());
}

// What of the scene is not drawn as its file has it.
void Ui::draw_notes(const UiModel& model) {
    if (!std::equal(model.notes.begin(), model.notes.end(), dismissed_.begin(), dismissed_.end())) dismissed_.clear();
    if (model.notes.empty() || !dismissed_.empty()) return;
    const std::string title = "Notes (" + std::to_string(model.notes.size()) + ")###notes";
    bool kept = true;
    const bool open = ImGui::CollapsingHeader(title.c_str(), &kept, ImGuiTreeNodeFlags_DefaultOpen);
    widgets_.note("notes");
    if (!kept) dismissed_.assign(model.notes.begin(), model.notes.end());
    if (!open) return;
    for (const std::string& note : model.notes) {
        ImGui::Bullet();
        wrapped_text(note);
    }
}

void Ui::draw_status(const UiModel& model) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float height = ImGui::GetFrameHeight();
    ImGui::SetNextWindowPos({0.0F, screen.y - height});
    ImGui::SetNextWindowSize({screen.x, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, 2.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    if (ImGui::Begin("Status", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav)) {
        const FrameSummary& times = model.numbers.measured->times();
        std::string line(model.scene_name);
        line += "   " + std::to_string(model.extent.width) + "x" + std::to_string(model.extent.height);
        line += "   " + render::find_setting("backend")->get(model.settings.running);
        if (model.stand_in != StandIn::kNone) line += "   " + compiling_text(model.stand_in, model.compiling);
        if (times.gpu_ms) line += "   GPU " + fixed(*times.gpu_ms, 2) + " ms";
        if (const std::string longest = longest_text(times); !longest.empty()) line += ", " + longest;
        line += model.camera->control().mode() == CameraMode::kFirstPerson ? "   first person" : "   orbit";
        line += ", " + significant(model.camera->control().speed(), 2) + " units a second";
        if (!model.notes.empty()) line += "   " + counted(model.notes.size(), "note") + " on the scene";
        if (model.settings.plan->freeze_culling >= 0) line += "   culling is frozen: P lets it go";
        if (model.outliner.any_hidden) line += "   some of the scene is hidden: Alt+H shows all";
        if (model.comparison->shown() != nullptr) line += "   B is shown";
        text(line);
        std::string notes;
        for (const std::string& note : model.notes) notes += (notes.empty() ? "" : "\n") + note;
        if (!notes.empty()) tooltip(notes);
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    free_[3] = 1.0F - height / screen.y;
}

// Which sections of the window that is drawn are unfolded: as they were left, in the first frame, and what they are
// from then on.
void Ui::keep_sections() {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    if (!sections_restored_) {
        for (const auto& [id, open] : sections_) storage.SetBool(id, open);
    }
    for (const auto& pair : storage.Data) sections_[pair.key] = pair.val_i != 0;
}

Json Ui::state() const {
    Json open = Json::object();
    for (const auto& [id, unfolded] : sections_) open[std::to_string(id)] = unfolded;
    return {{"sides", {left_width_, right_width_}},
            {"hidden", hidden_},
            {"hint", hint_},
            {"axes", axes_},
            {"grid", floor_grid_},
            {"split", split_at_},
            {"open", open}};
}

void Ui::restore(const Json& state) {
    constexpr float kWidest = 200.0F;  // font sizes
    if (!state.is_object()) return;
    const auto flag = [&](const char* name, bool& value) {
        if (const auto found = state.find(name); found != state.end() && found->is_boolean()) value = *found;
    };
    flag("hidden", hidden_);
    hidden_at_start_ = hidden_;
    flag("hint", hint_);
    flag("axes", axes_);
    flag("grid", floor_grid_);
    if (const auto split = state.find("split"); split != state.end() && split->is_number()) {
        split_at_ = std::clamp(split->get<float>(), 0.0F, 1.0F);
    }
    if (const auto sides = state.find("sides"); sides != state.end() && sides->is_array() && sides->size() == 2 &&
                                                (*sides)[0].is_number() && (*sides)[1].is_number()) {
        left_width_ = std::clamp((*sides)[0].get<float>(), 0.0F, kWidest);
        right_width_ = std::clamp((*sides)[1].get<float>(), 0.0F, kWidest);
    }
    const auto open = state.find("open");
    if (open == state.end() || !open->is_object()) return;
    for (const auto& [id, unfolded] : open->items()) {
        const std::optional<unsigned> number = parse_number<unsigned>(id);
        if (number && unfolded.is_boolean()) sections_[*number] = unfolded;
    }
}

}  // namespace sublet::app
