#include "app/view/camera_panel.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/text.h"

namespace sublet::app {

namespace {

// A button for a command.
struct CommandButtons {
    std::vector<Command>& commands;
    WidgetMap& widgets;

    void operator()(const char* label, std::string_view help, Command command) const {
        if (app::button(label, label, help, widgets)) commands.push_back(command);
    }
};

void draw_bookmarks(const ViewerCamera& camera, CameraRequest& request, WidgetMap& widgets) {
    text("Bookmarks");
    for (int slot = Bookmarks::kFirstSlot; slot <= Bookmarks::kLastSlot; ++slot) {
        const bool kept = camera.bookmarks().at(slot).has_value();
        ImGui::SameLine(0.0F, 3.0F);
        if (ImGui::GetContentRegionAvail().x < ImGui::GetFontSize()) ImGui::NewLine();
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(kept ? ImGuiCol_Text : ImGuiCol_TextDisabled));
        const std::string label = std::to_string(slot);
        if (ImGui::SmallButton(label.c_str())) (kept ? request.recall : request.keep) = slot;
        ImGui::PopStyleColor();
        widgets.note("bookmark " + label,
                     kept ? "Go there (Alt+" + label + "). Ctrl+" + label + " keeps this camera instead."
                          : "Keep this camera here (Ctrl+" + label + ").");
    }
}

void draw_path(const ViewerCamera& camera, CameraRequest& request, const CommandButtons& button, WidgetMap& widgets) {
    const PathPlayer& player = camera.player();
    if (camera.recorder().recording()) {
        button("Stop", "Ends the recording, and keeps it in a file (K).", Command::kRecordPath);
        ImGui::SameLine();
        text("recording, " + fixed(camera.recorder().seconds(), 1) + " s");
        return;
    }
    button("Record", "Records how the camera moves from now on (K).", Command::kRecordPath);
    ImGui::SameLine();
    ImGui::BeginDisabled(camera.bookmarks().poses().size() < 2);
    button("Of bookmarks", "A path through the bookmarks, in their order.", Command::kPathThroughBookmarks);
    ImGui::EndDisabled();
    if (!player.has_path()) {
        wrapped_dim_text("No path: record one, make one of bookmarks, or drop a path's .json here.");
        return;
    }
    button(player.playing() ? "Pause" : "Play", "Plays the path, or pauses it (Space).", Command::kPlayPath);
    ImGui::SameLine();
    bool loop = player.loop();
    if (ImGui::Checkbox("Loop", &loop)) request.loop = loop;
    widgets.note("Loop");
    ImGui::SameLine();
    button("Save", "Writes the path as JSON, for --camera-path.", Command::kSavePath);
    auto seconds = static_cast<float>(player.seconds());
    ImGui::SetNextItemWidth(-1.0F);
    if (ImGui::SliderFloat("##time", &seconds, 0.0F, static_cast<float>(player.length_seconds()), "%.2f s")) {
        request.scrub = static_cast<double>(seconds);
    }
    widgets.note("path time");
}

}  // namespace

void draw_camera_panel(const ViewerCamera& camera, CameraRequest& request, std::vector<Command>& commands,
                       WidgetMap& widgets) {
    const CommandButtons button{commands, widgets};
    const CameraControl& control = camera.control();
    const bool flying = control.mode() == CameraMode::kFirstPerson;
    const std::span<const render::SceneCamera> cameras = camera.cameras();
    const std::optional<std::size_t> shown_node = camera.followed_node();
    if (ImGui::RadioButton("Orbit", !flying) && flying) commands.push_back(Command::kToggleFlying);
    widgets.note("orbit", "A drag turns the camera around a point: for objects (O).");
    ImGui::SameLine();
    if (ImGui::RadioButton("First person", flying) && !flying) commands.push_back(Command::kToggleFlying);
    widgets.note("first person", "A drag looks around: for rooms and landscapes (O).");
    dim_text("keys move by " + significant(control.speed(), 2) + " a second" +
             (control.speed_factor() == 1.0F ? std::string() : ", x" + significant(control.speed_factor(), 2)));
    tooltip("The speed follows the distance to what is ahead. In first person the wheel changes it; Shift hurries.");
    button("Frame", "Shows all of what is picked, else of the scene (F).", Command::kFrame);
    ImGui::SameLine();
    button("Reset", "Back to the start (R).", Command::kResetCamera);
    ImGui::SameLine();
    button("Copy", "Copies the camera as an argument of the command line (C).", Command::kCopyCamera);
    ImGui::SameLine();
    button("Paste", "Goes where a copied camera is (V).", Command::kPasteCamera);
    draw_bookmarks(camera, request, widgets);
    if (!cameras.empty()) {
        ImGui::SetNextItemWidth(ImGui::GetFontSize() * 11.5F);
        const auto chosen = std::find_if(cameras.begin(), cameras.end(), [&](const render::SceneCamera& of_file) {
            return shown_node && of_file.view.node == shown_node;
        });
        const bool none = chosen == cameras.end();
        const std::string shown = none ? "choose" : (camera.follows() ? "follows " : "") + chosen->name;
        if (ImGui::BeginCombo("The file's", shown.c_str())) {
            for (std::size_t i = 0; i < cameras.size(); ++i) {
                ImGui::PushID(static_cast<int>(i));
                const bool is_chosen = !none && &cameras[i] == &*chosen;
                if (ImGui::Selectable(cameras[i].name.c_str(), is_chosen)) request.file_camera = i;
                ImGui::PopID();
            }
            ImGui::EndCombo();
        }
        widgets.note("file cameras",
                     "Cameras that the file has. One that moves is followed until you move the camera.");
    }
    draw_path(camera, request, button, widgets);
}

}  // namespace sublet::app
