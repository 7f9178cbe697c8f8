#include "app/view/help.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "app/view/widgets.h"
#include "render/settings/settings.h"

namespace sublet::app {

namespace {

constexpr std::array kMouse{
    KeyHelp{"left drag", "turn around the object; in first person: look around"},
    KeyHelp{"right, middle or Shift drag", "move sideways: the surface follows the pointer"},
    KeyHelp{"wheel", "nearer or farther, towards the pointer; in first person: the speed"},
    KeyHelp{"click", "pick what is there; on the background: nothing"},
    KeyHelp{"double click", "turn around that point from now on"},
    KeyHelp{"right click on a setting", "what the documentation says of it"},
    KeyHelp{"drop a file", "open a .gltf, .glb or .sublet; a .hdr or .exr is the light all around"},
};
constexpr std::array kMove{
    KeyHelp{"W A S D, arrows", "forwards, left, backwards, right"},
    KeyHelp{"Q E", "down, up"},
    KeyHelp{"Shift", "faster"},
    KeyHelp{"O", "orbit or first person"},
    KeyHelp{"F", "frame what is picked, else the scene"},
    KeyHelp{"R", "back to the start"},
    KeyHelp{"numpad 1, 3, 7", "front, right side, top; with Ctrl the other side"},
    KeyHelp{"N, Shift+N", "front, right side and top in turn"},
    KeyHelp{"numpad 5", "perspective or orthographic"},
    KeyHelp{"C, V", "copy the camera, paste one"},
    KeyHelp{"Ctrl+1 … 9", "keep the camera as a bookmark"},
    KeyHelp{"Alt+1 … 9", "go to a bookmark"},
    KeyHelp{"Space", "play or pause the camera's path"},
    KeyHelp{"T", "play or pause the animations"},
};
constexpr std::size_t kViewsOfARow = 10;    // digits
constexpr std::size_t kViewsWithKeys = 20;  // without Shift, and with it

// The views of ten keys in a row, by name.
std::string view_names(std::size_t first) {
    const std::span<const std::string_view> views = render::find_setting("view")->choices;
    std::string out;
    for (std::size_t i = first; i < std::min(first + kViewsOfARow, views.size()); ++i) {
        out += (out.empty() ? "" : ", ") + std::string(views[i]);
    }
    return out;
}

constexpr std::array kLook{
    KeyHelp{"G", "wireframe"},
    KeyHelp{"B", "bounds of what is picked: spheres, boxes, cones"},
    KeyHelp{"J", "joints of what deforms"},
    KeyHelp{"P", "freeze culling, to look from elsewhere at what it left"},
    KeyHelp{"H, Shift+H", "hide what is picked, or all else"},
    KeyHelp{"Alt+H", "show all again"},
    KeyHelp{"hold X", "the other settings of A/B (Tools keeps them)"},
};
constexpr std::array kOther{
    KeyHelp{"Tab", "hide or show the panels"},
    KeyHelp{"?, F1", "this help"},
    KeyHelp{"Escape", "close what lies over the picture, then drop what is picked"},
    KeyHelp{"Ctrl+O", "open a scene"},
    KeyHelp{"F5", "load the scene again"},
    KeyHelp{"F12", "save the picture, without the panels"},
    KeyHelp{"Ctrl+C", "copy a command line that draws it"},
    KeyHelp{"Ctrl+Q", "quit"},
};

void draw_group(const KeyHelpGroup& group) {
    ImGui::SeparatorText(group.title.data());
    if (!ImGui::BeginTable(group.title.data(), 2)) return;
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 10.0F);
    ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
    for (const KeyHelp& key : group.keys) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        wrapped_text(key.keys);
        ImGui::TableNextColumn();
        wrapped_dim_text(key.action);
    }
    ImGui::EndTable();
}

}  // namespace

std::span<const KeyHelpGroup> key_help() {
    static const std::array names{view_names(0), view_names(kViewsOfARow)};
    static const auto see = [] {
        std::vector<KeyHelp> out{{"1 … 9, 0", names[0]}, {"Shift+1 … 9, 0", names[1]}};
        out.insert(out.end(), kLook.begin(), kLook.end());
        return out;
    }();
    static const std::array<KeyHelpGroup, 4> groups{
        {{"Mouse", kMouse}, {"Camera", kMove}, {"Looking inside", see}, {"Program", kOther}}};
    return groups;
}

std::string view_key(std::size_t place) {
    if (place >= kViewsWithKeys) return {};
    return (place < kViewsOfARow ? "" : "Shift+") + std::to_string((place + 1) % kViewsOfARow);
}

void draw_help(bool& open) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    // Two columns of groups where there is room for them: nothing is to be scrolled for.
    const float width = std::min(screen.x * 0.96F, unit * 64.0F);
    const bool two = width >= unit * 44.0F;
    ImGui::SetNextWindowPos({screen.x * 0.5F, screen.y * 0.5F}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({width, 0.0F});
    ImGui::SetNextWindowSizeConstraints({width, 0.0F}, {width, screen.y * 0.98F});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings;
    ImGui::SetNextWindowBgAlpha(1.0F);
    if (ImGui::Begin("Keys and mouse", &open, kFlags)) {
        if (ImGui::BeginTable("groups", two ? 2 : 1)) {
            constexpr std::size_t kLeft = 2;  // groups of the first column
            const std::span<const KeyHelpGroup> groups = key_help();
            for (std::size_t i = 0; i < groups.size(); ++i) {
                if (i == 0 || (two && i == kLeft)) ImGui::TableNextColumn();
                draw_group(groups[i]);
            }
            ImGui::EndTable();
        }
    }
    ImGui::End();
}

}  // namespace sublet::app
