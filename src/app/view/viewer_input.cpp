// What a person does with the viewer: keys, the pointer, and what the panels were told.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

#include "app/view/viewer.h"
#include "base/error.h"

namespace sublet::app {

void Viewer::take_pointer() {
    const ImGuiIO& io = ImGui::GetIO();
    CameraInput input;
    input.seconds = std::min(io.DeltaTime, 0.1F);
    input.view_height = std::max(io.DisplaySize.y, 1.0F);
    input.cursor = {io.MousePos.x - 0.5F * io.DisplaySize.x, io.MousePos.y - 0.5F * io.DisplaySize.y};
    if (!io.WantCaptureMouse) {
        const glm::vec2 drag{io.MouseDelta.x, io.MouseDelta.y};
        const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
        const bool other = ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDown(ImGuiMouseButton_Middle);
        input.panning = other || (left && io.KeyShift);
        if (input.panning) input.pan = drag;
        if (left && !input.panning) input.turn = drag;
        input.wheel = io.MouseWheel;
    }
    // A chord can be over within one slow frame: Control counts if it was down in the frame before.
    const bool control = io.KeyCtrl || control_was_down_;
    if (!io.WantTextInput && !control) {
        const auto down = [](ImGuiKey key, ImGuiKey other) {
            return ImGui::IsKeyDown(key) || ImGui::IsKeyDown(other) ? 1.0F : 0.0F;
        };
        input.move = {down(ImGuiKey_D, ImGuiKey_RightArrow) - down(ImGuiKey_A, ImGuiKey_LeftArrow),
                      down(ImGuiKey_E, ImGuiKey_PageUp) - down(ImGuiKey_Q, ImGuiKey_PageDown),
                      down(ImGuiKey_W, ImGuiKey_UpArrow) - down(ImGuiKey_S, ImGuiKey_DownArrow)};
        input.fast = io.KeyShift;
        input.slow = io.KeyAlt;
    }
    camera_.set_projection(projection());
    camera_.apply(input);
}

void Viewer::take_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    // A chord can be over within one slow frame: Control counts if it was down in the frame before.
    const bool control_before = std::exchange(control_was_down_, io.KeyCtrl);
    const bool control = io.KeyCtrl || control_before;
    if (io.WantTextInput) return;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
    if (control && pressed(ImGuiKey_Q)) window_.close();
    if (control) return;
    // Where the question mark lies depends on the keyboard.
    if (pressed(ImGuiKey_F1) || io.InputQueueCharacters.contains('?')) {
        ui_.toggle_help();
        ui_.hide_hint();
    }
    if (pressed(ImGuiKey_Tab)) ui_.toggle_hidden();
    if (pressed(ImGuiKey_Escape)) ui_.escape();
    if (pressed(ImGuiKey_O)) apply_command(Command::kToggleFlying);
    if (pressed(ImGuiKey_R)) apply_command(Command::kResetCamera);
    if (pressed(ImGuiKey_C)) apply_command(Command::kCopyCamera);
    if (pressed(ImGuiKey_P)) toggle_setting("freeze-culling");
    for (int digit = 0; digit < 10; ++digit) {
        const auto key = static_cast<ImGuiKey>(ImGuiKey_0 + digit);
        if (!pressed(key)) continue;
        const std::size_t number = digit == 0 ? 9 : static_cast<std::size_t>(digit - 1);
        choose_view(number + (io.KeyShift ? 10 : 0));
    }
}

// By its place in the setting's list.
void Viewer::choose_view(std::size_t number) {
    const render::Setting& view = *render::find_setting("view");
    if (number < view.choices.size()) set_setting(view, view.choices[number]);
}

void Viewer::toggle_setting(std::string_view name) {
    const render::Setting& setting = *render::find_setting(name);
    const std::string now = setting.get(settings_);
    if (setting.kind == render::SettingKind::kFrameNumber) {
        set_setting(setting, now.empty() ? std::to_string(scene_frame_) : "");
    } else {
        set_setting(setting, now == "on" ? "off" : "on");
    }
}

void Viewer::set_setting(const render::Setting& setting, std::string_view value) {
    const render::Settings before = settings_;
    setting.set(settings_, value);
    apply_change(setting, before);
}

void Viewer::apply_events(const UiEvents& events, const render::Settings& before) {
    for (const Command command : events.commands) apply_command(command);
    if (events.accepted_offer == "scene" && refused_) {
        refused_->import.allow_outside = true;
        loader_.request(*std::exchange(refused_, std::nullopt));
    }
    if (ui_.full_speed() != full_speed_) {
        full_speed_ = ui_.full_speed();
        gpu_->swapchain.set_vsync(!full_speed_);
    }
    if (events.changed != nullptr) apply_change(*events.changed, before);
}

void Viewer::apply_command(Command command) {
    switch (command) {
        case Command::kNone:
            break;
        case Command::kResetCamera:
            reset_camera();
            break;
        case Command::kCopyCamera:
            copy_camera();
            break;
        case Command::kToggleFlying:
            toggle_camera_mode();
            break;
        case Command::kKeepOther:
            other_ = settings_.frame;
            break;
        case Command::kQuit:
            window_.close();
            break;
    }
}

// Makes a changed setting take effect; on an Error all stays as it was before, and the setting's field tells why.
void Viewer::apply_change(const render::Setting& setting, const render::Settings& before) {
    changed_ = true;
    try {
        if (setting.scope == render::SettingScope::kDevice) {
            make_device();
        } else if (settings_.scene.seed != before.scene.seed) {
            if (request_.path.empty()) loader_.request({{}, settings_.scene.seed});
        } else if (setting.scope == render::SettingScope::kScene) {
            upload(*scene_);
            reset_camera();
            resolve_settings();
        } else {
            make_plan();
        }
        if (!unproven_ && setting.scope != render::SettingScope::kDevice) unproven_ = before;
        const render::FrameSettings& now = settings_.frame;
        const render::FrameSettings& then = before.frame;
        if (now.camera != then.camera || now.near_plane != then.near_plane) reset_camera();
        if (now.count_ties != then.count_ties) ambiguous_pixels_.reset();
        ui_.settings_panel().clear_error(setting.name);
    } catch (const Error& error) {
        settings_ = before;
        ui_.settings_panel().show_error(setting.name, error.what());
        if (setting.scope == render::SettingScope::kDevice) make_device();
    }
}

void Viewer::toggle_camera_mode() {
    camera_.set_mode(camera_.mode() == CameraMode::kOrbit ? CameraMode::kFirstPerson : CameraMode::kOrbit);
}

void Viewer::frame_scene() {
    camera_.frame(render::scene_bounds(*scene_, settings_.scene.grid), aspect(), {});
}

// What shows the same from the command line: a camera that is named has its own near plane and projection.
void Viewer::copy_camera() {
    render::Settings settings;
    settings.frame.camera = camera_.pose();
    const render::DefaultView named = render::default_view(*scene_, settings_.scene.grid, settings.frame, aspect());
    if (near_plane_ != named.near_plane) settings.frame.near_plane = near_plane_;
    if (projection() != named.projection) settings.frame.projection = projection();
    const std::string arguments = render::camera_arguments(settings);
    window_.set_clipboard(arguments);
    std::cout << arguments << std::endl;
}

// Goes where the clipboard's camera is. Nothing else changes but a near plane and a projection that it names.
void Viewer::paste_camera() {
    render::Settings pasted = settings_;
    pasted.frame.camera.reset();
    try {
        render::set_camera_text(pasted, window_.clipboard());
        if (!pasted.frame.camera) throw Error("the clipboard holds no camera: C copies one");
    } catch (const Error& error) {
        ui_.toasts().show("camera", error.what());
        return;
    }
    camera_.move_to(*pasted.frame.camera);
    settings_.frame.near_plane = pasted.frame.near_plane;
    settings_.frame.projection = pasted.frame.projection;
    near_plane_ = settings_.frame.near_plane.value_or(near_plane_);
    ui_.toasts().clear("camera");
}

}  // namespace sublet::app
