#include "app/view/ui.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/text.h"
#include "app/view/help.h"
#include "app/view/selection_panel.h"
#include "render/settings/setting_guide.h"
#include "render/view/legend.h"

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

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

// Over the picture, for reading only.
constexpr ImGuiWindowFlags kLabel = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                    ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

// The side's inner edge, which can be dragged. `direction`: 1 where a drag to the right widens it. `width` in font
// sizes.
void splitter(const char* name, float x, float top, float height, float direction, float& width) {
    const float unit = ImGui::GetFontSize();
    const float grip = std::round(unit * 0.4F);
    ImGui::SetNextWindowPos({x - grip * 0.5F, top});
    ImGui::SetNextWindowSize({grip, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    if (ImGui::Begin(name, nullptr, kFixed | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav)) {
        ImGui::InvisibleButton("edge", {grip, height});
        if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        if (ImGui::IsItemActive()) width += direction * ImGui::GetIO().MouseDelta.x / unit;
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}

// ", slowest: shade 1.23"; nothing where no pass was timed.
std::string slowest_pass(const FrameHistory& history) {
    std::string name;
    double most = 0.0;
    for (std::size_t i = 0; i < history.passes().size(); ++i) {
        const double ms = history.median_of_pass(i).value_or(0.0);
        if (ms <= most) continue;
        most = ms;
        name = history.passes()[i];
    }
    return name.empty() ? name : ", slowest: " + name + " " + fixed(most, 2);
}

}  // namespace

UiEvents Ui::draw(const UiModel& model, render::Settings& settings) {
    UiEvents events;
    widgets_.clear();
    free_ = {0.0F, 0.0F, 1.0F, 1.0F};
    if (!hidden_) {
        draw_menus(model, settings, events);
        draw_status(model);
        draw_sides(model, settings, events);
    }
    draw_over_picture(model);
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
    said_ = std::move(line);
    said_until_ = ImGui::GetTime() + kSeconds;
}

void Ui::draw_menus(const UiModel& model, render::Settings& settings, UiEvents& events) {
    if (!ImGui::BeginMainMenuBar()) return;
    free_[1] = ImGui::GetWindowSize().y / ImGui::GetIO().DisplaySize.y;
    const auto item = [&](const char* label, const char* key, Command command, bool enabled = true) {
        if (ImGui::MenuItem(label, key, false, enabled)) events.commands.push_back(command);
        widgets_.note(label);
    };
    if (ImGui::BeginMenu("File")) {
        item("Export the last frames as CSV", nullptr, Command::kExportCsv);
        item("Export the last frames as JSON", nullptr, Command::kExportJson);
        ImGui::Separator();
        item("Quit", "Ctrl+Q", Command::kQuit);
        ImGui::EndMenu();
    }
    widgets_.note("menu File");
    if (ImGui::BeginMenu("View")) {
        draw_view_menu(model, settings, events);
        ImGui::EndMenu();
    }
    widgets_.note("menu View");
    if (ImGui::BeginMenu("Camera")) {
        if (ImGui::MenuItem("Orbit", "O", !model.camera.flying) && model.camera.flying) {
            events.commands.push_back(Command::kToggleFlying);
        }
        if (ImGui::MenuItem("First person", "O", model.camera.flying) && !model.camera.flying) {
            events.commands.push_back(Command::kToggleFlying);
        }
        ImGui::Separator();
        item("Back to the start", "R", Command::kResetCamera);
        item("Frame what is picked, or the scene", "F", Command::kFrame);
        item("Copy", "C", Command::kCopyCamera);
        item("Paste", "V", Command::kPasteCamera);
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Tools")) {
        item("Keep these settings as B", nullptr, Command::kKeepOther);
        item("Swap with B", nullptr, Command::kSwapOther, model.other != nullptr);
        ImGui::MenuItem("Full speed", nullptr, &full_speed_);
        tooltip("Draw frame after frame, without waiting for the screen or for something to change. For measuring.");
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Help")) {
        ImGui::MenuItem("Keys and mouse", "?", &help_);
        ImGui::MenuItem("Hide the panels", "Tab", &hidden_);
        ImGui::EndMenu();
    }
    dim_text(model.other_shown ? "B is shown" : "");
    ImGui::EndMainMenuBar();
}

void Ui::draw_view_menu(const UiModel& /*model*/, render::Settings& settings, UiEvents& events) {
    const render::Setting& view = *render::find_setting("view");
    const std::string current = view.get(settings);
    int number = 1;
    for (const std::string_view choice : view.choices) {
        const std::string key = number <= 10   ? std::to_string(number % 10)
                                : number <= 16 ? "Shift+" + std::to_string(number - 10)
                                               : "";
        ++number;
        if (ImGui::MenuItem(choice.data(), key.c_str(), choice == current)) {
            view.set(settings, choice);
            events.changed = &view;
        }
        tooltip(render::choice_sentence("view", choice));
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
            draw_settings(model, settings, events);
        } else if (ImGui::BeginTabBar("tabs")) {
            if (ImGui::BeginTabItem("Settings")) {
                draw_settings(model, settings, events);
                ImGui::EndTabItem();
            }
            const bool numbers = ImGui::BeginTabItem("Times and culling###numbers");
            widgets_.note("tab Numbers");
            if (numbers) {
                numbers_panel_.draw(model.numbers, widgets_);
                ImGui::EndTabItem();
            }
            ImGui::EndTabBar();
        }
    }
    ImGui::End();
    free_[0] = left / screen.x;
    splitter("left edge", left, top, height, 1.0F, left_width_);
    if (!two) return;
    ImGui::SetNextWindowPos({screen.x - right, top});
    ImGui::SetNextWindowSize({right, height});
    if (ImGui::Begin("Numbers", nullptr, kFixed)) numbers_panel_.draw(model.numbers, widgets_);
    ImGui::End();
    free_[2] = 1.0F - right / screen.x;
    splitter("right edge", screen.x - right, top, height, -1.0F, right_width_);
}

void Ui::draw_settings(const UiModel& model, render::Settings& settings, UiEvents& events) {
    const render::Setting* everyday = settings_panel_.draw_everyday(model.settings, settings, widgets_);
    draw_selection_section(model, events);
    const render::Setting* advanced = settings_panel_.draw_advanced(model.settings, settings, widgets_);
    if (everyday != nullptr || advanced != nullptr) events.changed = everyday != nullptr ? everyday : advanced;
    const bool camera = ImGui::CollapsingHeader("Moving the camera");
    widgets_.note("camera panel");
    if (camera) events.camera = draw_camera_panel(model.camera, widgets_);
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
    if (const auto stepped = draw_selection(*model.picked, widgets_)) events.selection = stepped;
}

// The other settings, and how they differ from those of now.
void Ui::draw_other(const UiModel& model, const render::Settings& settings, UiEvents& events) {
    if (!ImGui::CollapsingHeader("Compare")) {
        widgets_.note("compare");
        return;
    }
    widgets_.note("compare");
    if (ImGui::Button(model.other == nullptr ? "Keep as B" : "Keep as B anew")) {
        events.commands.push_back(Command::kKeepOther);
    }
    widgets_.note("keep B");
    tooltip("Keeps these settings, so that you can change some and look at both in turn.");
    if (model.other == nullptr) {
        wrapped_dim_text("Keep the settings as B, change some, then hold X to see B.");
        return;
    }
    ImGui::SameLine();
    if (ImGui::Button("Swap")) events.commands.push_back(Command::kSwapOther);
    widgets_.note("swap B");
    tooltip("Makes B the settings, and these B.");
    bool same = true;
    for (const render::Setting& setting : render::settings_table()) {
        const std::string now = setting.get(settings);
        const std::string then = setting.get(*model.other);
        if (setting.scope != render::SettingScope::kFrame || now == then) continue;
        same = false;
        wrapped_dim_text(std::string(setting.label) + ": " + now + ", in B " + then);
    }
    wrapped_dim_text(same ? "B is the same as now: change something." : "Hold X to see B.");
}

// What of the scene is not drawn as its file has it.
void Ui::draw_notes(const UiModel& model) {
    if (model.notes.empty()) return;
    const std::string title = "Notes (" + std::to_string(model.notes.size()) + ")###notes";
    const bool open = ImGui::CollapsingHeader(title.c_str(), ImGuiTreeNodeFlags_DefaultOpen);
    widgets_.note("notes");
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
        const FrameHistory& history = *model.numbers.history;
        std::string line(model.scene_name);
        line += "   " + std::to_string(model.extent.width) + "x" + std::to_string(model.extent.height);
        line += "   " + render::find_setting("backend")->get(model.settings.running);
        if (const auto gpu = history.median(FrameHistory::Time::kGpu)) {
            line += "   GPU " + fixed(*gpu, 2) + " ms" + slowest_pass(history);
        }
        line += model.camera.flying ? "   first person" : "   orbit";
        line += ", " + significant(model.camera.speed, 2) + " units a second";
        if (!model.notes.empty()) line += "   " + std::to_string(model.notes.size()) + " notes on the scene";
        if (model.settings.plan->freeze_culling >= 0) line += "   culling is frozen: P lets it go";
        if (model.other_shown) line += "   B is shown";
        text(line);
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    free_[3] = 1.0F - height / screen.y;
}

// What the colours of the view mean, in the lower left corner of the picture.
void Ui::draw_legend(const UiModel& model) {
    const render::Show show = model.settings.plan->show;
    if (show == render::Show::kShaded) return;
    const render::Legend legend = render::legend_of(show);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    ImGui::SetNextWindowPos({free_[0] * screen.x + unit * 0.5F, free_[3] * screen.y - unit * 0.5F}, ImGuiCond_Always,
                            {0.0F, 1.0F});
    ImGui::SetNextWindowBgAlpha(0.85F);
    if (ImGui::Begin("Legend", nullptr, kLabel)) {
        text(render::find_setting("view")->get(model.settings.running));
        ImGui::PushTextWrapPos(unit * 22.0F);
        dim_text(legend.text);
        ImGui::PopTextWrapPos();
        for (const render::LegendEntry& entry : legend.entries) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + unit * 0.15F},
                                                      {at.x + unit * 0.9F, at.y + unit * 1.05F},
                                                      IM_COL32(entry.color[0], entry.color[1], entry.color[2], 255));
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + unit * 1.3F);
            text(entry.name);
        }
    }
    ImGui::End();
}

void Ui::draw_over_picture(const UiModel& model) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 middle{(free_[0] + free_[2]) * 0.5F * screen.x, (free_[1] + free_[3]) * 0.5F * screen.y};
    const auto label = [&](const char* name, ImVec2 at, ImVec2 pivot, std::string_view words) {
        ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
        ImGui::SetNextWindowBgAlpha(0.8F);
        if (ImGui::Begin(name, nullptr, kLabel)) text(words);
        ImGui::End();
    };
    if (!model.loading.empty()) {
        const auto dots = static_cast<std::size_t>(ImGui::GetTime() * 3.0) % 4;
        label("Loading", middle, {0.5F, 0.5F},
              "loading " + std::string(model.loading) + std::string(dots, '.') + std::string(3 - dots, ' '));
    }
    draw_legend(model);
    if (!said_.empty()) {
        if (ImGui::GetTime() > said_until_) said_.clear();
        label("Said", {middle.x, free_[1] * screen.y + ImGui::GetFontSize()}, {0.5F, 0.0F}, said_);
    }
    if (hint_ && said_.empty() && model.loading.empty()) {
        label("Hint", {middle.x, free_[1] * screen.y + ImGui::GetFontSize()}, {0.5F, 0.0F},
              "Drop a .glb here. Press ? for keys.");
    }
}

}  // namespace sublet::app
