#include "app/view/ui.h"

#include <imgui.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/session.h"
#include "app/text.h"
#include "app/view/axis_cross.h"
#include "app/view/help.h"
#include "app/view/scene_menu.h"
#include "app/view/selection_panel.h"
#include "base/count_text.h"
#include "render/settings/setting_guide.h"
#include "render/view/legend.h"

namespace sublet::app {

namespace {

// In font sizes.
constexpr float kSideWidth = 22.0F;
constexpr float kLeastSideWidth = 14.0F;
// A narrower window has one side, with tabs.
constexpr float kTwoSides = 90.0F;
// To each side: over a smaller picture stands no legend.
constexpr float kLegendPicture = 45.0F;
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

// `wrap`: where lines end, from the window's left edge; 0: at its right edge.
void draw_legend_entries(render::Show show, float wrap) {
    const float unit = ImGui::GetFontSize();
    const render::Legend legend = render::legend_of(show);
    ImGui::PushTextWrapPos(wrap);
    dim_text(legend.text);
    for (const render::LegendEntry& entry : legend.entries) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + unit * 0.15F},
                                                  {at.x + unit * 0.9F, at.y + unit * 1.05F},
                                                  IM_COL32(entry.color[0], entry.color[1], entry.color[2], 255));
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + unit * 1.3F);
        text(entry.name);
    }
    ImGui::PopTextWrapPos();
}

// "encode: 4,542,112 triangles".
std::string progress_text(const ProgressState& state) {
    if (state.stage.empty()) return "waiting";
    if (state.total == 0 || state.unit.empty()) return state.stage;
    return state.stage + ": " +
           (state.unit == "bytes" ? byte_text(state.total) : grouped(state.total) + " " + state.unit);
}

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

// Those that are kept can be gone to; each can be kept anew.
void draw_bookmark_menus(const Bookmarks& bookmarks, CameraRequest& request) {
    const auto slots = [&](const char* title, const char* key, bool only_kept, int& slot_asked) {
        if (!ImGui::BeginMenu(title)) return;
        for (int slot = Bookmarks::kFirstSlot; slot <= Bookmarks::kLastSlot; ++slot) {
            const std::string name = std::to_string(slot);
            const bool kept = bookmarks.at(slot).has_value();
            if (ImGui::MenuItem(name.c_str(), (key + name).c_str(), kept, kept || !only_kept)) slot_asked = slot;
        }
        ImGui::EndMenu();
    };
    slots("Keep a bookmark", "Ctrl+", false, request.keep);
    slots("Go to a bookmark", "Alt+", true, request.recall);
}

// What a person can do about it.
std::string_view blank_help(BlankReason reason) {
    switch (reason) {
        case BlankReason::kHidden:
            return "Alt+H shows all.";
        case BlankReason::kOutside:
        case BlankReason::kSmall:
            return "F frames it.";
        case BlankReason::kAway:
        case BlankReason::kAwayOrSmall:
            return "F frames it, R goes back to the start. Inside of a closed thing, go out.";
        case BlankReason::kNothing:
        case BlankReason::kInvisible:
            break;
    }
    return {};
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
    said_ = std::move(line);
    said_until_ = ImGui::GetTime() + kSeconds;
}

void Ui::draw_menus(const UiModel& model, render::Settings& settings, UiEvents& events) {
    if (!ImGui::BeginMainMenuBar()) return;
    free_[1] = ImGui::GetWindowSize().y / ImGui::GetIO().DisplaySize.y;
    const auto item = [&](const char* label, Command command, bool enabled = true) {
        if (ImGui::MenuItem(label, key_of(command), false, enabled)) events.commands.push_back(command);
        widgets_.note(label);
    };
    if (ImGui::BeginMenu("File")) {
        item("Open...", Command::kOpen);
        if (ImGui::BeginMenu("Open recent", !model.recent.empty())) {
            for (const std::string& file : model.recent) {
                if (ImGui::MenuItem(file.c_str())) events.opened = file;
                widgets_.note("recent " + file);
            }
            ImGui::EndMenu();
        }
        widgets_.note("Open recent");
        item("Load again", Command::kReload, model.has_scene);
        ImGui::Separator();
        item("Save the picture", Command::kSavePicture, model.has_scene);
        item("Copy the command line", Command::kCopyCommandLine, model.has_scene);
        tooltip("A 'sublet render' that draws the picture on screen, to the bit.");
        item("Load a preset...", Command::kLoadPreset, model.has_scene);
        item("Save a preset...", Command::kSavePreset, model.has_scene);
        item("Reset all settings", Command::kResetSettings, model.has_scene);
        tooltip("Makes them what they are in a first run. The camera and the device stay; it can be undone.");
        ImGui::Separator();
        item("Export the last frames as CSV", Command::kExportCsv, model.has_scene);
        item("Export the last frames as JSON", Command::kExportJson, model.has_scene);
        ImGui::Separator();
        item("Quit", Command::kQuit);
        ImGui::EndMenu();
    }
    widgets_.note("menu File");
    if (ImGui::BeginMenu("View", model.has_scene)) {
        draw_view_menu(model, settings, events);
        ImGui::EndMenu();
    }
    widgets_.note("menu View");
    draw_scene_menu(model, settings, events, widgets_);
    if (ImGui::BeginMenu("Camera", model.has_scene)) {
        const char* const flying = key_of(Command::kToggleFlying);
        if (ImGui::MenuItem("Orbit", flying, !model.camera.flying) && model.camera.flying) {
            events.commands.push_back(Command::kToggleFlying);
        }
        if (ImGui::MenuItem("First person", flying, model.camera.flying) && !model.camera.flying) {
            events.commands.push_back(Command::kToggleFlying);
        }
        ImGui::Separator();
        item("Back to the start", Command::kResetCamera);
        item("Frame what is picked, or the scene", Command::kFrame);
        ImGui::Separator();
        item("Front", Command::kFront);
        tooltip("Looks along -z. N goes on through front, right side and top; Ctrl with these keys is the other side.");
        item("Right side", Command::kRight);
        item("Top", Command::kTop);
        item("Perspective or orthographic", Command::kToggleProjection);
        ImGui::Separator();
        item("Copy", Command::kCopyCamera);
        item("Paste", Command::kPasteCamera);
        ImGui::Separator();
        draw_bookmark_menus(*model.camera.bookmarks, events.camera);
        ImGui::Separator();
        item(model.camera.recording ? "End the recording" : "Record a path", Command::kRecordPath);
        item(model.camera.player->playing() ? "Pause the path" : "Play the path", Command::kPlayPath,
             model.camera.player->has_path());
        item("Path through the bookmarks", Command::kPathThroughBookmarks, model.camera.bookmarks->poses().size() > 1);
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Tools", model.has_scene)) {
        item("Keep these settings as B", Command::kKeepOther);
        item("Swap with B", Command::kSwapOther, model.other != nullptr);
        if (ImGui::MenuItem("Split the window", key_of(Command::kSplit), model.split)) {
            events.commands.push_back(Command::kSplit);
        }
        widgets_.note("Split the window");
        tooltip("These settings to the left, B to the right, and how long the GPU takes for each. Drag the line.");
        ImGui::Separator();
        ImGui::MenuItem("Smooth while nothing moves", nullptr, &refine_);
        tooltip("Average frames that look through other parts of the pixels, as --samples does.");
        ImGui::MenuItem("Full speed", nullptr, &full_speed_);
        tooltip("Draw frame after frame, without waiting for the screen or for something to change. For measuring.");
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Help")) {
        ImGui::MenuItem("Keys and mouse", key_of(Command::kHelp), &help_);
        ImGui::MenuItem("Hide the panels", key_of(Command::kHidePanels), &hidden_);
        ImGui::EndMenu();
    }
    dim_text(model.other_shown ? "B is shown" : "");
    ImGui::EndMainMenuBar();
}

void Ui::draw_view_menu(const UiModel& model, render::Settings& settings, UiEvents& events) {
    const render::Setting& view = *render::find_setting("view");
    const std::string current = view.get(settings);
    std::size_t place = 0;
    for (const std::string_view choice : view.choices) {
        if (ImGui::MenuItem(choice.data(), view_key(place++).c_str(), choice == current)) {
            view.set(settings, choice);
            events.changed = &view;
        }
        tooltip(render::choice_sentence("view", choice));
    }
    ImGui::Separator();
    const auto item = [&](const char* label, Command command, bool on) {
        if (ImGui::MenuItem(label, key_of(command), on)) events.commands.push_back(command);
    };
    item("Wireframe", Command::kWireframe, settings.frame.wireframe);
    item("Next kind of bounds", Command::kNextBounds, settings.frame.bounds != render::Bounds::kOff);
    item("Joints", Command::kJoints, settings.frame.joints);
    item("Freeze culling", Command::kFreezeCulling, settings.frame.freeze_culling >= 0);
    ImGui::Separator();
    ImGui::MenuItem("Axis cross", nullptr, &axes_);
    widgets_.note("Axis cross");
    tooltip("In the picture's upper right corner, which way the axes of the world point.");
    item("Floor grid", Command::kFloorGrid, floor_grid_);
    widgets_.note("Floor grid");
    tooltip("Lines along x and z at y = 0, a power of ten apart. A saved picture is without them.");
    ImGui::Separator();
    const bool hidden = model.outliner.any_hidden;
    if (ImGui::MenuItem("Hide what is picked", "H", false, model.picked != nullptr)) {
        events.commands.push_back(Command::kHide);
    }
    if (ImGui::MenuItem("Isolate what is picked", "Shift+H", false, model.picked != nullptr)) {
        events.commands.push_back(Command::kIsolate);
    }
    if (ImGui::MenuItem("Show all", "Alt+H", false, hidden)) events.commands.push_back(Command::kShowAll);
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
        keep_sections();
        if (two) {
            draw_settings(model, settings, events);
        } else if (ImGui::BeginTabBar("tabs")) {
            if (ImGui::BeginTabItem("Settings")) {
                draw_settings(model, settings, events);
                ImGui::EndTabItem();
            }
            draw_number_tabs(model, events);
            ImGui::EndTabBar();
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
        keep_sections();
        if (ImGui::BeginTabBar("tabs")) {
            draw_number_tabs(model, events);
            ImGui::EndTabBar();
        }
    }
    ImGui::End();
    sections_restored_ = true;
    free_[2] = 1.0F - right / screen.x;
    splitter("right edge", screen.x - right, top, height, -1.0F, right_width_);
}

// What stands to the right, or behind the settings where there is one side.
void Ui::draw_number_tabs(const UiModel& model, UiEvents& events) {
    const bool numbers = ImGui::BeginTabItem("Times and culling###numbers");
    widgets_.note("tab Numbers");
    if (numbers) {
        numbers_panel_.draw(model.numbers, widgets_);
        ImGui::EndTabItem();
    }
    const bool outliner = ImGui::BeginTabItem("Outliner");
    widgets_.note("tab Outliner");
    if (outliner) {
        events.outliner = outliner_panel_.draw(model.outliner, widgets_);
        ImGui::EndTabItem();
    }
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
    if (!model.animation.names.empty()) {
        const bool animation = ImGui::CollapsingHeader("Animation", ImGuiTreeNodeFlags_DefaultOpen);
        widgets_.note("animation panel");
        if (animation) events.animation = draw_animation_panel(model.animation, widgets_);
    }
    draw_selection_section(model, events);
    const render::Setting* advanced = settings_panel_.draw_advanced(model.settings, settings, widgets_);
    if (everyday != nullptr || advanced != nullptr) events.changed = everyday != nullptr ? everyday : advanced;
    events.docs = settings_panel_.take_docs();
    if (settings_panel_.take_file_asked()) events.commands.push_back(Command::kOpenEnvironment);
    const bool camera = ImGui::CollapsingHeader("Moving the camera");
    widgets_.note("camera panel");
    if (camera) {
        const CameraRequest by_menu = events.camera;
        events.camera = draw_camera_panel(model.camera, widgets_);
        if (by_menu != CameraRequest{}) events.camera = by_menu;
    }
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
    ImGui::SameLine();
    if (ImGui::Button(model.split ? "Join" : "Split")) events.commands.push_back(Command::kSplit);
    widgets_.note("split B");
    tooltip("These settings to the left, B to the right; or the whole window again.");
    bool same = true;
    for (const render::Setting& setting : render::settings_table()) {
        const std::string now = setting.get(settings);
        const std::string then = setting.get(*model.other);
        if (!is_compared(setting) || now == then) continue;
        same = false;
        wrapped_dim_text(std::string(setting.label) + ": " + now + ", in B " + then);
    }
    wrapped_dim_text(same ? "B is the same as now: change something." : "Hold X to see B, and to time it.");
    draw_compared(model.compared);
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
        const FrameSummary& times = *model.numbers.times;
        std::string line(model.scene_name);
        line += "   " + std::to_string(model.extent.width) + "x" + std::to_string(model.extent.height);
        line += "   " + render::find_setting("backend")->get(model.settings.running);
        if (model.stand_in != StandIn::kNone) line += "   " + compiling_text(model.stand_in, model.compiling);
        if (times.gpu_ms) line += "   GPU " + fixed(*times.gpu_ms, 2) + " ms";
        if (const std::string longest = longest_text(times); !longest.empty()) line += ", " + longest;
        line += model.camera.flying ? "   first person" : "   orbit";
        line += ", " + significant(model.camera.speed, 2) + " units a second";
        if (!model.notes.empty()) line += "   " + counted(model.notes.size(), "note") + " on the scene";
        if (model.settings.plan->freeze_culling >= 0) line += "   culling is frozen: P lets it go";
        if (model.outliner.any_hidden) line += "   some of the scene is hidden: Alt+H shows all";
        if (model.other_shown) line += "   B is shown";
        text(line);
        std::string notes;
        for (const std::string& note : model.notes) notes += (notes.empty() ? "" : "\n") + note;
        if (!notes.empty()) tooltip(notes);
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    free_[3] = 1.0F - height / screen.y;
}

// Over a small picture a legend would hide most of it: it stands in the panel then, where there is one.
bool Ui::legend_beside() const {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    const bool small = (free_[2] - free_[0]) * screen.x < kLegendPicture * unit ||
                       (free_[3] - free_[1]) * screen.y < kLegendPicture * unit;
    return small && !hidden_;
}

// What the colours of the view mean, in the lower left corner of the picture.
void Ui::draw_legend(const UiModel& model) {
    const render::Show show = model.settings.plan->show;
    if (show == render::Show::kShaded || legend_beside()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    ImGui::SetNextWindowPos({free_[0] * screen.x + unit * 0.5F, free_[3] * screen.y - unit * 0.5F}, ImGuiCond_Always,
                            {0.0F, 1.0F});
    ImGui::SetNextWindowBgAlpha(0.85F);
    if (ImGui::Begin("Legend", nullptr, kLabel)) {
        text(render::find_setting("view")->get(model.settings.running));
        draw_legend_entries(show, unit * 22.0F);
    }
    widgets_.note("legend");
    ImGui::End();
}

void Ui::draw_over_picture(const UiModel& model) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 middle{(free_[0] + free_[2]) * 0.5F * screen.x, (free_[1] + free_[3]) * 0.5F * screen.y};
    const auto label = [&](const char* name, ImVec2 at, ImVec2 pivot, std::string_view words) {
        ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
        ImGui::SetNextWindowBgAlpha(0.8F);
        if (ImGui::Begin(name, nullptr, kLabel)) text(words);
        widgets_.note(name);
        ImGui::End();
    };
    if (model.has_scene) draw_legend(model);
    if (model.split) draw_split(*model.split_times);
    if (model.has_scene && axes_) {
        const float unit = ImGui::GetFontSize();
        const float radius = 2.0F * unit;
        const float aside = radius + unit;  // from the picture's corner
        draw_axis_cross(*model.settings.running.frame.camera, free_[2] * screen.x - aside, free_[1] * screen.y + aside,
                        radius);
    }
    if (model.has_scene && model.blank) {
        ImGui::SetNextWindowPos(middle, ImGuiCond_Always, {0.5F, 0.5F});
        ImGui::SetNextWindowBgAlpha(0.8F);
        if (ImGui::Begin("Blank", nullptr, kLabel)) {
            const float room = (free_[2] - free_[0]) * screen.x - ImGui::GetFontSize() * 4.0F;
            ImGui::PushTextWrapPos(std::min(ImGui::GetFontSize() * 26.0F, std::max(room, ImGui::GetFontSize() * 8.0F)));
            text("Nothing to see: " + std::string(blank_text(*model.blank)) + ".");
            dim_text(blank_help(*model.blank));
            ImGui::PopTextWrapPos();
        }
        widgets_.note("Blank");
        ImGui::End();
    }
    if (!said_.empty()) {
        if (ImGui::GetTime() > said_until_) said_.clear();
        label("Said", {middle.x, free_[1] * screen.y + ImGui::GetFontSize()}, {0.5F, 0.0F}, said_);
    }
    if (!said_.empty() || model.loading != nullptr) return;
    const ImVec2 above{middle.x, free_[1] * screen.y + ImGui::GetFontSize()};
    if (model.textures_left > 0) {
        label("Textures", above, {0.5F, 0.0F}, counted(model.textures_left, "texture") + " to come");
    } else if (hint_ || !model.has_scene) {
        label("Hint", above, {0.5F, 0.0F}, "Drop a .glb here. Press ? for keys.");
    } else if (hidden_at_start_) {
        label("Hint", above, {0.5F, 0.0F}, "Tab shows the panels.");
    }
}

// The line between both sides, which can be dragged, and what the GPU takes for each, beside it.
void Ui::draw_split(const SplitTimes& times) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    const float top = free_[1] * screen.y;
    const float bottom = free_[3] * screen.y;
    float place = split_at_ * screen.x / unit;
    splitter("split", split_at_ * screen.x, top, std::max(bottom - top, 1.0F), 1.0F, place);
    split_at_ = std::clamp(place * unit / screen.x, std::min(free_[0] + 0.02F, 1.0F), std::max(free_[2] - 0.02F, 0.0F));
    const float x = std::round(split_at_ * screen.x);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddLine({x, top}, {x, bottom}, IM_COL32(0, 0, 0, 160), 3.0F);
    list.AddLine({x, top}, {x, bottom}, IM_COL32_WHITE, 1.0F);
    const auto label = [&](const char* name, float side, const std::optional<double>& ms) {
        ImGui::SetNextWindowPos({x + side * unit * 0.5F, bottom - unit * 0.5F}, ImGuiCond_Always,
                                {side < 0.0F ? 1.0F : 0.0F, 1.0F});
        ImGui::SetNextWindowBgAlpha(0.8F);
        if (ImGui::Begin(name, nullptr, kLabel)) {
            text(std::string(name) + (ms ? "   GPU " + fixed(*ms, 2) + " ms" : ""));
        }
        widgets_.note(std::string("side ") + name);
        ImGui::End();
    };
    label("A", -1.0F, times.a_ms());
    label("B", 1.0F, times.b_ms());
}

// What is being loaded and how far it is: in the middle of an empty window, else above the scene that is still shown.
void Ui::draw_loading(const LoadStatus& loading, UiEvents& events) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    ImGui::SetNextWindowPos({(free_[0] + free_[2]) * 0.5F * screen.x, free_[1] * screen.y + unit}, ImGuiCond_Always,
                            {0.5F, 0.0F});
    ImGui::SetNextWindowSize({std::min(unit * 30.0F, screen.x - unit * 2.0F), 0.0F});
    ImGui::SetNextWindowBgAlpha(0.92F);
    if (ImGui::Begin("Loading", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing)) {
        text("Loading " + scene_name(loading.path));
        const ProgressState& state = loading.progress;
        ImGui::ProgressBar(static_cast<float>(state.fraction), {-1.0F, 0.0F});
        dim_text(progress_text(state));
        ImGui::SameLine();
        const float width = ImGui::CalcTextSize("Cancel").x + ImGui::GetStyle().FramePadding.x * 2.0F;
        ImGui::SetCursorPosX(ImGui::GetWindowSize().x - width - ImGui::GetStyle().WindowPadding.x);
        if (ImGui::Button("Cancel")) events.cancel_loading = true;
        widgets_.note("cancel loading");
    }
    ImGui::End();
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
        unsigned number = 0;
        const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
        if (error == std::errc() && end == id.data() + id.size() && unfolded.is_boolean()) sections_[number] = unfolded;
    }
}

}  // namespace sublet::app
