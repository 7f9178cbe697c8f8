#include "app/view/user_input.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/view/help.h"

namespace sublet::app {

namespace {

// A menu, a list of choices or a dialog.
bool list_is_open() {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

bool pressed(ImGuiKey key) {
    return ImGui::IsKeyPressed(key, false);
}

// The number block's keys, as modellers have them, with Control: the sides opposite to those that they are bound to. N
// goes through the front, the right side and the top where the keyboard has no number block.
void add_axis_keys(bool control, bool shift, CameraRequest& request) {
    constexpr std::array<ImGuiKey, 3> kKeys{ImGuiKey_Keypad1, ImGuiKey_Keypad3, ImGuiKey_Keypad7};
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        if (control && pressed(kKeys.at(i))) request.axis = static_cast<AxisView>(i + kKeys.size());
    }
    if (!control && pressed(ImGuiKey_N)) request.next_axis = shift ? -1 : 1;
}

}  // namespace

UserInput::Pointer UserInput::pointer() {
    const ImGuiIO& io = ImGui::GetIO();
    Pointer out;
    CameraInput& input = out.camera;
    input.seconds = std::min(io.DeltaTime, 0.1F);
    input.view_height = std::max(io.DisplaySize.y, 1.0F);
    input.cursor = {io.MousePos.x - 0.5F * io.DisplaySize.x, io.MousePos.y - 0.5F * io.DisplaySize.y};
    const bool inside = io.MousePos.x >= 0.0F && io.MousePos.y >= 0.0F && io.MousePos.x < io.DisplaySize.x &&
                        io.MousePos.y < io.DisplaySize.y;
    const ImVec2 scale = io.DisplayFramebufferScale;
    if (inside) out.pixel = glm::uvec2(io.MousePos.x * scale.x, io.MousePos.y * scale.y);
    const bool over_picture = inside && !io.WantCaptureMouse;
    out.pressed = over_picture && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) pressed_on_picture_ = over_picture;
    constexpr float kMostOfAClick = 4.0F;  // pixels
    const bool still = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kMostOfAClick * kMostOfAClick;
    if (over_picture && pressed_on_picture_ && !io.KeyShift && still) {
        const bool pivot = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
        if (pivot || ImGui::IsMouseReleased(ImGuiMouseButton_Left)) out.click = Click{*out.pixel, pivot};
    }
    if (!io.WantCaptureMouse) {
        // In a slow frame the pointer may have come here before the button went down: that is no drag.
        const bool begins = ImGui::IsMouseClicked(ImGuiMouseButton_Left) ||
                            ImGui::IsMouseClicked(ImGuiMouseButton_Right) ||
                            ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
        const glm::vec2 drag = begins ? glm::vec2(0.0F) : glm::vec2(io.MouseDelta.x, io.MouseDelta.y);
        const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
        const bool other = ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDown(ImGuiMouseButton_Middle);
        input.panning = other || (left && io.KeyShift);
        if (input.panning) input.pan = drag;
        if (left && !input.panning) input.turn = drag;
        input.wheel = io.MouseWheel;
    }
    // A chord can be over within one slow frame: Control counts if it was down in the frame before.
    const bool control = io.KeyCtrl || control_was_down_;
    if (io.WantTextInput || control || list_is_open()) return out;
    // Arrows walk through the panels once they have begun to.
    const auto down = [&io](ImGuiKey key, ImGuiKey other) {
        return ImGui::IsKeyDown(key) || (!io.NavVisible && ImGui::IsKeyDown(other)) ? 1.0F : 0.0F;
    };
    input.move = {down(ImGuiKey_D, ImGuiKey_RightArrow) - down(ImGuiKey_A, ImGuiKey_LeftArrow),
                  down(ImGuiKey_E, ImGuiKey_PageUp) - down(ImGuiKey_Q, ImGuiKey_PageDown),
                  down(ImGuiKey_W, ImGuiKey_UpArrow) - down(ImGuiKey_S, ImGuiKey_DownArrow)};
    input.fast = io.KeyShift;
    input.slow = io.KeyAlt;
    return out;
}

void UserInput::add_keys(bool has_scene, FileDialog& dialog, UiEvents& events) {
    const ImGuiIO& io = ImGui::GetIO();
    const auto ask = [&](Command command) { events.commands.push_back(command); };
    // Of chords Alt counts as Control does.
    const bool control = std::exchange(control_was_down_, io.KeyCtrl) || io.KeyCtrl;
    const bool alt = std::exchange(alt_was_down_, io.KeyAlt) || io.KeyAlt;
    // A field or an open list takes what is typed, but for chords that mean nothing in it. Space presses a widget that
    // the arrows have gone to.
    const bool list = list_is_open();
    for (const KeyBinding& binding : key_bindings()) {
        if (!pressed(binding.key) || binding.control != control || (alt && !control)) continue;
        if (!has_scene && !binding.always) continue;
        if ((io.WantTextInput || list) && !(binding.always && binding.control)) continue;
        if (binding.key != ImGuiKey_Space || !io.NavVisible) ask(binding.command);
    }
    if (io.WantTextInput) return;
    // Where the question mark lies depends on the keyboard.
    if (!control && !alt && io.InputQueueCharacters.contains('?')) ask(Command::kHelp);
    const bool escaped = pressed(ImGuiKey_Escape) && !dialog.dismiss();
    if (escaped && (!has_scene || (!list && !control && !alt))) ask(Command::kEscape);
    if (!has_scene || list) return;
    for (int slot = Bookmarks::kFirstSlot; slot <= Bookmarks::kLastSlot; ++slot) {
        if (!pressed(static_cast<ImGuiKey>(ImGuiKey_0 + slot))) continue;
        if (control) events.camera.keep = slot;
        if (!control && alt) events.camera.recall = slot;
    }
    events.other_held = !control && !alt && ImGui::IsKeyDown(ImGuiKey_X);
    if (!alt) add_axis_keys(control, io.KeyShift, events.camera);
    if (!control && pressed(ImGuiKey_H)) {
        ask(alt ? Command::kShowAll : io.KeyShift ? Command::kIsolate : Command::kHide);
    }
    if (control || alt) return;
    const std::span<const std::string_view> views = render::find_setting("view")->choices;
    for (std::size_t digit = 0; digit < 10; ++digit) {
        const std::size_t place = (digit + 9) % 10 + (io.KeyShift ? 10 : 0);
        if (pressed(static_cast<ImGuiKey>(ImGuiKey_0 + digit)) && place < views.size()) events.view = views[place];
    }
}

}  // namespace sublet::app
