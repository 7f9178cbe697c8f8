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
// Pressed once. Control makes another key of one: no row is for both.
constexpr std::array kBindings{
    KeyBinding{ImGuiKey_O, false, Command::kToggleFlying, KeyGroup::kCamera, "O", "orbit or first person"},
    KeyBinding{ImGuiKey_F, false, Command::kFrame, KeyGroup::kCamera, "F", "frame what is picked, else the scene"},
    KeyBinding{ImGuiKey_R, false, Command::kResetCamera, KeyGroup::kCamera, "R", "back to the start"},
    KeyBinding{ImGuiKey_C, false, Command::kCopyCamera, KeyGroup::kCamera, "C", "copy the camera"},
    KeyBinding{ImGuiKey_V, false, Command::kPasteCamera, KeyGroup::kCamera, "V", "go to the copied camera"},
    KeyBinding{ImGuiKey_Keypad1, false, Command::kFront, KeyGroup::kCamera, "numpad 1", "the front, along -z"},
    KeyBinding{ImGuiKey_Keypad3, false, Command::kRight, KeyGroup::kCamera, "numpad 3", "the right side"},
    KeyBinding{ImGuiKey_Keypad7, false, Command::kTop, KeyGroup::kCamera, "numpad 7", "the top"},
    KeyBinding{ImGuiKey_Keypad5, false, Command::kToggleProjection, KeyGroup::kCamera, "numpad 5",
               "perspective or orthographic"},
    KeyBinding{ImGuiKey_K, false, Command::kRecordPath, KeyGroup::kCamera, "K",
               "record a path of the camera; again: end it, and keep it in a file"},
    KeyBinding{ImGuiKey_Space, false, Command::kPlayPath, KeyGroup::kCamera, "Space",
               "play or pause the camera's path"},
    KeyBinding{ImGuiKey_T, false, Command::kPlayAnimation, KeyGroup::kLooking, "T", "play or pause the animations"},
    KeyBinding{ImGuiKey_G, false, Command::kWireframe, KeyGroup::kLooking, "G", "wireframe"},
    KeyBinding{ImGuiKey_B, false, Command::kNextBounds, KeyGroup::kLooking, "B",
               "bounds, of what is picked where something is: spheres, boxes, cones"},
    KeyBinding{ImGuiKey_J, false, Command::kJoints, KeyGroup::kLooking, "J", "joints of what deforms"},
    KeyBinding{ImGuiKey_L, false, Command::kFloorGrid, KeyGroup::kLooking, "L", "lines of a grid on the floor"},
    KeyBinding{ImGuiKey_Y, false, Command::kSplit, KeyGroup::kLooking, "Y",
               "split the window: the settings to the left, B to the right, the GPU's time for each"},
    KeyBinding{ImGuiKey_P, false, Command::kFreezeCulling, KeyGroup::kLooking, "P",
               "freeze culling, to look from elsewhere at what it left"},
    KeyBinding{ImGuiKey_Tab, false, Command::kHidePanels, KeyGroup::kProgram, "Tab", "hide or show the panels"},
    KeyBinding{ImGuiKey_F1, false, Command::kHelp, KeyGroup::kProgram, "F1", "this help, as ? does", true},
    KeyBinding{ImGuiKey_O, true, Command::kOpen, KeyGroup::kProgram, "Ctrl+O", "open a scene", true},
    KeyBinding{ImGuiKey_F5, false, Command::kReload, KeyGroup::kProgram, "F5", "load the scene again"},
    KeyBinding{ImGuiKey_F12, false, Command::kSavePicture, KeyGroup::kProgram, "F12",
               "save the picture, without the panels"},
    KeyBinding{ImGuiKey_C, true, Command::kCopyCommandLine, KeyGroup::kProgram, "Ctrl+C",
               "copy a command line that draws it"},
    KeyBinding{ImGuiKey_Q, true, Command::kQuit, KeyGroup::kProgram, "Ctrl+Q", "quit", true},
};

// Held, or one for each number.
constexpr std::array kMove{
    KeyHelp{"W A S D, arrows", "forwards, left, backwards, right"},
    KeyHelp{"Q E, Page Down, Page Up", "down, up"},
    KeyHelp{"Shift, Alt", "with those: faster, slower"},
    KeyHelp{"Ctrl+numpad 1, 3, 7", "the sides opposite to those of numpad 1, 3 and 7"},
    KeyHelp{"N, Shift+N", "front, right side and top in turn"},
    KeyHelp{"Ctrl+1 … 9", "keep the camera as a bookmark"},
    KeyHelp{"Alt+1 … 9", "go to a bookmark"},
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
    KeyHelp{"H, Shift+H", "hide what is picked, or all else"},
    KeyHelp{"Alt+H", "show all again"},
    KeyHelp{"hold X", "the other settings of A/B, which Tools keeps as B"},
};
constexpr std::array kOther{
    KeyHelp{"Escape", "close what lies over the picture, then drop what is picked"},
    KeyHelp{"Ctrl+Tab", "to another panel, held: arrows choose; then arrows and Space work its widgets"},
    KeyHelp{"Ctrl+click on a slider", "type a number"},
};

// The rows of a group: those of its bindings, and what else there is.
std::vector<KeyHelp> rows_of(KeyGroup group, std::span<const KeyHelp> more) {
    std::vector<KeyHelp> rows(more.begin(), more.end());
    for (const KeyBinding& binding : kBindings) {
        if (binding.group == group) rows.push_back({binding.name, binding.action});
    }
    return rows;
}

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

std::span<const KeyBinding> key_bindings() {
    return kBindings;
}

const char* key_of(Command command) {
    const auto* const found = std::find_if(kBindings.begin(), kBindings.end(),
                                           [&](const KeyBinding& binding) { return binding.command == command; });
    return found == kBindings.end() ? nullptr : found->name.data();
}

std::span<const KeyHelpGroup> key_help() {
    static const std::array names{view_names(0), view_names(kViewsOfARow)};
    static const auto see = [] {
        std::vector<KeyHelp> out{{"1 … 9, 0", names[0]}, {"Shift+1 … 9, 0", names[1]}};
        const std::vector<KeyHelp> rest = rows_of(KeyGroup::kLooking, kLook);
        out.insert(out.end(), rest.begin(), rest.end());
        return out;
    }();
    static const std::vector<KeyHelp> move = rows_of(KeyGroup::kCamera, kMove);
    static const std::vector<KeyHelp> other = rows_of(KeyGroup::kProgram, kOther);
    static const std::array<KeyHelpGroup, 4> groups{
        {{"Mouse", kMouse}, {"Camera", move}, {"Looking inside", see}, {"Program", other}}};
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
