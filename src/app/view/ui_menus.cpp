// The menus of the window.
#include <imgui.h>

#include "app/view/help.h"
#include "app/view/scene_menu.h"
#include "app/view/ui.h"

namespace sublet::app {

namespace {

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

}  // namespace

void Ui::draw_menus(const UiModel& model, render::Settings& settings, UiEvents& events) {
    if (!ImGui::BeginMainMenuBar()) return;
    free_[1] = ImGui::GetWindowSize().y / ImGui::GetIO().DisplaySize.y;
    const auto item = [&](const char* label, Command command, bool enabled = true) {
        if (ImGui::MenuItem(label, key_of(command), false, enabled)) events.commands.push_back(command);
        widgets_.note(label);
    };
    const ViewerCamera& camera = *model.camera;
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
        const char* const key = key_of(Command::kToggleFlying);
        const bool flying = camera.control().mode() == CameraMode::kFirstPerson;
        const bool orbit_asked = ImGui::MenuItem("Orbit", key, !flying) && flying;
        const bool flying_asked = ImGui::MenuItem("First person", key, flying) && !flying;
        if (orbit_asked || flying_asked) events.commands.push_back(Command::kToggleFlying);
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
        draw_bookmark_menus(camera.bookmarks(), events.camera);
        ImGui::Separator();
        item(camera.recorder().recording() ? "End the recording" : "Record a path", Command::kRecordPath);
        item(camera.player().playing() ? "Pause the path" : "Play the path", Command::kPlayPath,
             camera.player().has_path());
        item("Path through the bookmarks", Command::kPathThroughBookmarks, camera.bookmarks().poses().size() > 1);
        ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Tools", model.has_scene)) {
        item("Keep these settings as B", Command::kKeepOther);
        item("Swap with B", Command::kSwapOther, model.comparison->settings() != nullptr);
        if (ImGui::MenuItem("Split the window", key_of(Command::kSplit), model.comparison->right() != nullptr)) {
            events.commands.push_back(Command::kSplit);
        }
        widgets_.note(
            "Split the window",
            "These settings to the left, B to the right, and how long the GPU takes for each. Drag the line.");
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
    dim_text(model.comparison->shown() != nullptr ? "B is shown" : "");
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
    widgets_.note("Axis cross", "In the picture's upper right corner, which way the axes of the world point.");
    item("Floor grid", Command::kFloorGrid, floor_grid_);
    widgets_.note("Floor grid", "Lines along x and z at y = 0, a power of ten apart. A saved picture is without them.");
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

}  // namespace sublet::app
