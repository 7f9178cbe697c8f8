// What a person does with the viewer: keys, the pointer, and what the panels were told.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <iostream>
#include <utility>

#include "app/placed_scene.h"
#include "app/view/help.h"
#include "app/view/viewer.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "base/stopwatch.h"

namespace sublet::app {

namespace {

// Under the pointer, and in the middle; a click's comes after them.
constexpr std::size_t kOwnProbes = 2;

// A menu, a list of choices or a dialog.
bool list_is_open() {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

}  // namespace

void Viewer::take_pointer() {
    const ImGuiIO& io = ImGui::GetIO();
    CameraInput input;
    input.seconds = std::min(io.DeltaTime, 0.1F);
    input.view_height = std::max(io.DisplaySize.y, 1.0F);
    const bool inside = io.MousePos.x >= 0.0F && io.MousePos.y >= 0.0F && io.MousePos.x < io.DisplaySize.x &&
                        io.MousePos.y < io.DisplaySize.y;
    const ImVec2 scale = io.DisplayFramebufferScale;
    const glm::uvec2 pixel = inside ? glm::uvec2(io.MousePos.x * scale.x, io.MousePos.y * scale.y) : glm::uvec2(0);
    take_clicks(pixel, inside && !io.WantCaptureMouse);
    take_seen();
    input.cursor = {io.MousePos.x - 0.5F * io.DisplaySize.x, io.MousePos.y - 0.5F * io.DisplaySize.y};
    if (!io.WantCaptureMouse) {
        // In a slow frame the pointer may have come here before the button went down: that is no drag.
        const bool pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left) ||
                             ImGui::IsMouseClicked(ImGuiMouseButton_Right) ||
                             ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
        const glm::vec2 drag = pressed ? glm::vec2(0.0F) : glm::vec2(io.MouseDelta.x, io.MouseDelta.y);
        const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
        const bool other = ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDown(ImGuiMouseButton_Middle);
        input.panning = other || (left && io.KeyShift);
        if (input.panning) input.pan = drag;
        if (left && !input.panning) input.turn = drag;
        input.wheel = io.MouseWheel;
    }
    // A chord can be over within one slow frame: Control counts if it was down in the frame before.
    const bool control = io.KeyCtrl || control_was_down_;
    if (!io.WantTextInput && !control && !list_is_open()) {
        // Arrows walk through the panels once they have begun to.
        const auto down = [&io](ImGuiKey key, ImGuiKey other) {
            return ImGui::IsKeyDown(key) || (!io.NavVisible && ImGui::IsKeyDown(other)) ? 1.0F : 0.0F;
        };
        input.move = {down(ImGuiKey_D, ImGuiKey_RightArrow) - down(ImGuiKey_A, ImGuiKey_LeftArrow),
                      down(ImGuiKey_E, ImGuiKey_PageUp) - down(ImGuiKey_Q, ImGuiKey_PageDown),
                      down(ImGuiKey_W, ImGuiKey_UpArrow) - down(ImGuiKey_S, ImGuiKey_DownArrow)};
        input.fast = io.KeyShift;
        input.slow = io.KeyAlt;
    }
    // What lies under the pointer is known where the picture that was asked about it had the pointer there too.
    constexpr float kSamePlace = 12.0F;
    if (seen_ && seen_->probes.size() >= kOwnProbes) {
        const render::Probe& under = seen_->probes[0];
        const glm::vec2 at = (glm::vec2(under.pixel) + 0.5F) / glm::vec2(seen_->size);
        if (inside && glm::distance(glm::vec2(under.pixel), glm::vec2(pixel)) < kSamePlace) {
            input.surface = render::surface_point(seen_->view, at, under.depth);
        }
        input.ahead = render::surface_distance(seen_->view, seen_->probes[1].depth);
    }
    // However slow frames are, a path takes its time; what the viewer slept through does not count.
    const double passed = measurements_.slept() ? 0.0 : static_cast<double>(io.DeltaTime);
    animations_.advance(settings_.frame, passed);
    camera_.advance(input, passed, settings_.frame, animations_.times());
    std::optional<float> nearest;
    // Frames that refine a picture look a little aside: what they see is not to change it.
    if (seen_ && seen_->nearest_depth && seen_->view.shift == glm::vec2(0.0F)) {
        nearest = render::surface_distance(seen_->view, *seen_->nearest_depth);
    }
    camera_.adapt_near_plane(settings_.frame, nearest, input.seconds);
    const VkExtent2D extent = gpu_->swapchain.extent();
    inspection_.probes = {pixel, {extent.width / 2, extent.height / 2}};
    if (click_) inspection_.probes.push_back(click_->pixel);
    inspection_.nearest_depth = true;
    inspection_.selection = picked_.selection();
    if (!settings_.frame.frustum || settings_.frame.freeze_culling < 0) {
        inspection_.frozen_bounds.reset();
    } else if (!inspection_.frozen_bounds) {
        inspection_.frozen_bounds = placed_bounds(now());
    }
}

// A press and a release without a drag between them.
void Viewer::take_clicks(glm::uvec2 pixel, bool over_picture) {
    const ImGuiIO& io = ImGui::GetIO();
    constexpr float kMostOfAClick = 4.0F;  // pixels
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) pressed_on_picture_ = over_picture;
    if (over_picture && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ui_.hide_hint();
    const bool still = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kMostOfAClick * kMostOfAClick;
    if (!over_picture || !pressed_on_picture_ || io.KeyShift || !still) return;
    const bool pivot = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) || pivot) {
        if (!click_ || !click_->pivot) click_ = Click{.pixel = pixel, .pivot = pivot};
    }
}

// What a picture answers that was asked some frames ago.
void Viewer::take_seen() {
    seen_ = gpu_->renderer->inspected();
    if (!click_ || !seen_ || click_->frame == 0 || seen_->frame < click_->frame) return;
    if (seen_->probes.size() <= kOwnProbes) return;
    const render::Probe& probe = seen_->probes[kOwnProbes];
    if (click_->pivot) {
        const glm::vec2 at = (glm::vec2(probe.pixel) + 0.5F) / glm::vec2(seen_->size);
        const std::optional<glm::vec3> point = render::surface_point(seen_->view, at, probe.depth);
        if (probe.covered && point) {
            camera_.set_pivot(*point);
            ui_.say("the camera turns around this point now");
        }
    }
    const scene::AnimationTimes times = std::exchange(click_, std::nullopt)->times;
    if (probe.covered) {
        select({settings_.frame.pick_level, probe.instance, probe.sublet, probe.triangle}, times);
    } else {
        clear_picked();
    }
}

void Viewer::take_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    // A chord can be over within one slow frame: Control counts if it was down in the frame before.
    const bool control_before = std::exchange(control_was_down_, io.KeyCtrl);
    const bool alt_before = std::exchange(alt_was_down_, io.KeyAlt);
    const bool control = io.KeyCtrl || control_before;
    const bool alt = io.KeyAlt || alt_before;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
    // A field or an open list takes what is typed, but for chords that mean nothing in it. Space presses a widget that
    // the arrows have gone to.
    const bool list = list_is_open();
    const auto wanted = [&](const KeyBinding& binding) {
        return pressed(binding.key) && binding.control == control && !(alt && !control) && (scene_ || binding.always) &&
               (!(io.WantTextInput || list) || (binding.always && binding.control)) &&
               !(binding.key == ImGuiKey_Space && io.NavVisible);
    };
    for (const KeyBinding& binding : key_bindings()) {
        if (wanted(binding)) apply_command(binding.command);
    }
    if (io.WantTextInput) return;
    // Where the question mark lies depends on the keyboard.
    if (!control && !alt && io.InputQueueCharacters.contains('?')) apply_command(Command::kHelp);
    const bool escaped = pressed(ImGuiKey_Escape) && !dialog_.dismiss();
    if (!scene_) {
        if (escaped) ui_.escape();
        return;
    }
    if (list) return;
    for (int slot = Bookmarks::kFirstSlot; slot <= Bookmarks::kLastSlot; ++slot) {
        if (!pressed(static_cast<ImGuiKey>(ImGuiKey_0 + slot))) continue;
        if (control) apply_camera({.keep = slot});
        if (!control && alt) apply_camera({.recall = slot});
    }
    show_other(!control && !alt && ImGui::IsKeyDown(ImGuiKey_X));
    if (!alt) take_axis_keys(control, io.KeyShift);
    if (!control && alt && pressed(ImGuiKey_H)) apply_command(Command::kShowAll);
    if (control || alt) return;
    if (pressed(ImGuiKey_H)) apply_command(io.KeyShift ? Command::kIsolate : Command::kHide);
    if (escaped && !ui_.escape()) clear_picked();
    for (int digit = 0; digit < 10; ++digit) {
        const auto key = static_cast<ImGuiKey>(ImGuiKey_0 + digit);
        if (!pressed(key)) continue;
        const std::size_t number = digit == 0 ? 9 : static_cast<std::size_t>(digit - 1);
        choose_view(number + (io.KeyShift ? 10 : 0));
    }
}

// The number block's keys, as modellers have them, with Control: the sides opposite to those that they are bound to. N
// goes through the front, the right side and the top where the keyboard has no number block.
void Viewer::take_axis_keys(bool opposite, bool back) {
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
    constexpr std::array<ImGuiKey, 3> kKeys{ImGuiKey_Keypad1, ImGuiKey_Keypad3, ImGuiKey_Keypad7};
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        if (opposite && pressed(kKeys.at(i))) camera_.look_along(static_cast<AxisView>(i + kKeys.size()));
    }
    if (!opposite && pressed(ImGuiKey_N)) camera_.look_along_next(back);
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
        set_setting(setting, now.empty() ? std::to_string(measurements_.scene_frames()) : "");
    } else {
        set_setting(setting, now == "on" ? "off" : "on");
    }
}

// To the next of its choices, and round.
void Viewer::step_setting(std::string_view name) {
    if (name == "bounds" && picked_.report()) settings_.frame.bounds_of = render::BoundsOf::kPicked;
    const render::Setting& setting = *render::find_setting(name);
    const auto at = std::find(setting.choices.begin(), setting.choices.end(), setting.get(settings_));
    const auto next = at == setting.choices.end() || at + 1 == setting.choices.end() ? setting.choices.begin() : at + 1;
    set_setting(setting, *next);
}

void Viewer::set_setting(const render::Setting& setting, std::string_view value) {
    const render::Settings before = settings_;
    setting.set(settings_, value);
    ui_.settings_panel().clear_error(setting.name);
    apply_change(setting, before);
}

void Viewer::apply_events(const UiEvents& events, const render::Settings& before) {
    for (const Command command : events.commands) apply_command(command);
    if (events.cancel_loading) loader_.cancel();
    if (!events.opened.empty()) open_path_or_folder(text_path(events.opened));
    if (events.file_scene) {
        SceneRequest request = request_;
        request.import.scene = file_scenes_.choice(*events.file_scene);
        request.scene_kept = false;
        load(std::move(request));
    }
    if (events.accepted_offer == "scene" && refused_) {
        refused_->import.allow_outside = true;
        load(*std::exchange(refused_, std::nullopt));
    }
    if (events.accepted_offer == "reset" && before_reset_) {
        if (take_settings(*std::exchange(before_reset_, std::nullopt), "reset"))
            ui_.say("all settings are as they were");
    }
    if (ui_.full_speed() != full_speed_) {
        full_speed_ = ui_.full_speed();
        gpu_->swapchain.set_vsync(!full_speed_);
    }
    if (events.camera != CameraRequest{}) apply_camera(events.camera);
    apply_animation(events.animation, animations_.selected());
    if (!events.docs.empty()) show_docs(events.docs);
    if (const auto failed = opener_.take_failed()) docs_not_shown(path_text(*failed));
    if (events.selection) {
        select(*events.selection, animations_.times());
    }
    apply_outliner(events.outliner);
    if (events.changed != nullptr) apply_change(*events.changed, before);
    animations_.advance(settings_.frame, 0.0);  // settings or requests may have put them elsewhere
    camera_.follow_to(animations_.times());
    if (picked_.report() && animations_.any()) {
        const bool placed = picked_.place(now(), animations_.playing(), clock_.seconds());
        if (placed && !animations_.playing()) changed_ = true;  // no other frame would show it
    }
}

void Viewer::show_docs(std::string_view docs) {
    const DocsPlace place = docs_place(docs);
    const std::optional<std::filesystem::path> file = find_docs(place.file);
    if (!file || !opener_.open(*file)) {
        docs_not_shown(file ? path_text(*file) : std::string(docs));
        return;
    }
    ui_.say("opened: " + place.file + (place.section.empty() ? "" : ", see \"" + place.section + "\""));
}

void Viewer::docs_not_shown(const std::string& what) {
    window_.set_clipboard(what);
    ui_.say("nothing here opens it; copied: " + what);
}

// While it is, frames are drawn by B; nothing else changes. Afterwards both are timed.
void Viewer::show_other(bool shown) {
    if (shown == (comparison_.shown() != nullptr) || (shown && comparison_.settings() == nullptr)) return;
    changed_ = true;
    const FrameSummary times = measurements_.history().summary();
    measurements_.forget_times();
    if (!shown) {
        comparison_.hide(times);
        return;
    }
    try {
        comparison_.show(times, plan_maker());
    } catch (const Error& error) {
        drop_other(error);
    }
}

// How B draws what is shown now.
Comparison::MakePlan Viewer::plan_maker() {
    return [this](render::FrameSettings other) {
        other.freeze_culling = settings_.frame.freeze_culling;  // both look at the same
        render::FramePlan plan = render::resolve(other, gpu_->device.capabilities(), facts());
        gpu_->renderer->prepare(plan, true, preparing());
        return plan;
    };
}

void Viewer::drop_other(const Error& error) {
    ui_.toasts().show("B", std::string("B can't be shown: ") + error.what());
    comparison_.drop();
}

// Where no settings were kept, those of now are B: both sides are the same until some are changed.
void Viewer::toggle_split() {
    comparison_.set_split(!comparison_.splits());
    changed_ = true;
    if (comparison_.splits() && comparison_.settings() == nullptr) comparison_.keep(settings_);
    plan_split();
    if (comparison_.splits()) ui_.say("left: the settings; right: B. Drag the line between them.");
}

// Once the settings, B, the scene or the window have changed.
void Viewer::plan_split() {
    try {
        comparison_.plan_split(plan_maker());
    } catch (const Error& error) {
        drop_other(error);
    }
}

// Settings of the scene and the device stay: only those of frames change at once.
void Viewer::swap_other() {
    render::FrameSettings before =
        std::exchange(settings_.frame, at_time_of(comparison_.settings()->frame, settings_.frame));
    try {
        settings_.frame.freeze_culling = before.freeze_culling;
        make_plan();
        comparison_.exchange(before);
        plan_split();
        changed_ = true;
    } catch (const Error& error) {
        settings_.frame = before;
        ui_.toasts().show("B", std::string("B can't be shown: ") + error.what());
    }
}

void Viewer::apply_camera(const CameraRequest& request) {
    ui_.say(camera_.apply(request, now(), settings_.frame));
    changed_ = true;
}

void Viewer::reset_camera() {
    camera_.reset(now(), settings_.frame, aspect());
}

// Of what is picked, else of the scene.
void Viewer::frame_scene() {
    const std::array<float, 4> part = ui_.free_rectangle();
    camera_.frame(picked_.bounds(now(), nodes_.hidden()), aspect(), {part[0], part[1], part[2], part[3]});
}

void Viewer::select(const render::Selection& selection, const scene::AnimationTimes& times) {
    changed_ = true;
    picked_.select(selection, {*scene_, settings_.scene, times});
    if (picked_.report()) settings_.frame.pick_level = selection.level;
    if (picked_.node()) ui_.outliner().reveal(*picked_.node());
}

void Viewer::clear_picked() {
    changed_ = true;
    picked_.clear();
}

void Viewer::apply_outliner(const OutlinerRequest& request) {
    const std::optional<OutlineItem> item =
        request.frame ? std::optional(OutlineItem{OutlineKind::kNode, *request.frame}) : request.pick;
    if (item && nodes_.outline().has(*item)) {
        picked_.pick(*item, nodes_.outline(), now());
        if (picked_.report()) settings_.frame.pick_level = render::SelectionLevel::kInstance;
        changed_ = true;
    }
    if (request.hides()) {
        const render::Settings before = settings_;
        nodes_.hide(request, scene_->scene, settings_.scene);
        ui_.settings_panel().clear_error("hide");
        apply_change(*render::find_setting("hide"), before);
    }
    if (request.frame) frame_scene();
}

// What a key does to the node that is picked.
void Viewer::hide_picked(bool alone) {
    const std::optional<std::uint32_t> node = picked_.node();
    if (!node || !settings_.scene.grid.empty()) {
        ui_.say("nothing is picked: click on something first");
        return;
    }
    apply_outliner(alone ? OutlinerRequest{.isolate = *node} : OutlinerRequest{.hide = *node});
    ui_.say(alone ? "the others are hidden: Alt+H shows all" : "hidden: Alt+H shows all");
}

// The settings `hide` and `isolate` have changed: the scene on the device stays. Throws what find_hidden() does.
void Viewer::hide_again() {
    nodes_.find_hidden(scene_->scene, settings_.scene);
    gpu_->renderer->set_hidden(nodes_.hidden());
    gpu_->renderer->prepare(plan_, true, preparing());
    refinement_.restart();
    measurements_.forget_times();
}

// `of`: what the controls are of; nothing: all that play.
void Viewer::apply_animation(const AnimationRequest& request, std::optional<std::size_t> of) {
    if (request.choose) {
        set_setting(*render::find_setting("animation"), animations_.choice(*request.choose, scene_->scene));
    }
    if (request.toggle && animations_.players().of(of) == nullptr) ui_.say("nothing in the scene moves");
    if (animations_.apply(request, of)) changed_ = true;
}

void Viewer::apply_command(Command command) {
    changed_ = true;
    switch (command) {
        case Command::kResetCamera:
            reset_camera();
            break;
        case Command::kCopyCamera: {
            const std::string arguments = camera_.arguments(now(), settings_.frame, aspect());
            window_.set_clipboard(arguments);
            ui_.say("copied: " + arguments);
            std::cout << arguments << std::endl;
            break;
        }
        case Command::kPasteCamera:
            ui_.attempt("camera", [&] {
                camera_.paste(window_.clipboard(), settings_);
                return std::string();
            });
            break;
        case Command::kFrame:
            frame_scene();
            break;
        case Command::kHide:
            hide_picked(false);
            break;
        case Command::kIsolate:
            hide_picked(true);
            break;
        case Command::kShowAll:
            apply_outliner({.show_all = true});
            break;
        case Command::kFront:
            camera_.look_along(AxisView::kFront);
            break;
        case Command::kRight:
            camera_.look_along(AxisView::kRight);
            break;
        case Command::kTop:
            camera_.look_along(AxisView::kTop);
            break;
        case Command::kToggleProjection:
            camera_.toggle_projection(settings_.frame);
            break;
        case Command::kToggleFlying:
            ui_.say(camera_.toggle_mode());
            break;
        case Command::kRecordPath:
            if (camera_.toggle_recording()) apply_command(Command::kSavePath);
            break;
        case Command::kPlayPath:
            ui_.say(camera_.toggle_playing());
            break;
        case Command::kPlayAnimation:
            apply_animation({.toggle = true}, std::nullopt);
            break;
        case Command::kWireframe:
            toggle_setting("wireframe");
            break;
        case Command::kJoints:
            toggle_setting("joints");
            break;
        case Command::kFloorGrid:
            ui_.toggle_floor_grid();
            break;
        case Command::kFreezeCulling:
            toggle_setting("freeze-culling");
            break;
        case Command::kNextBounds:
            step_setting("bounds");
            break;
        case Command::kHelp:
            ui_.toggle_help();
            ui_.hide_hint();
            break;
        case Command::kHidePanels:
            ui_.toggle_hidden();
            break;
        case Command::kPathThroughBookmarks:
            camera_.play_bookmarks();
            break;
        case Command::kSavePath:
            write_here("path", "camera-path", ".json",
                       [&](const std::filesystem::path& file) { write_camera_path(file, camera_.path()); });
            break;
        case Command::kResetSettings:
            reset_settings();
            break;
        case Command::kKeepOther:
            comparison_.keep(settings_);
            plan_split();
            break;
        case Command::kSplit:
            toggle_split();
            break;
        case Command::kSwapOther:
            if (comparison_.settings() != nullptr) swap_other();
            break;
        case Command::kOpen:
            dialog_.ask(FilePurpose::kOpenScene, request_.path.empty() ? "." : request_.path.parent_path());
            break;
        case Command::kOpenEnvironment: {
            const std::filesystem::path now = text_path(settings_.frame.environment.file);
            const std::filesystem::path beside = now.empty() ? request_.path : now;
            dialog_.ask(FilePurpose::kOpenEnvironment, beside.empty() ? "." : beside.parent_path());
            break;
        }
        case Command::kReload:
            reload();
            break;
        case Command::kSavePicture:
            picture_asked_ = true;
            break;
        case Command::kCopyCommandLine:
            line_asked_ = true;
            break;
        case Command::kLoadPreset:
            dialog_.ask(FilePurpose::kLoadPreset, ".");
            break;
        case Command::kSavePreset:
            dialog_.ask(FilePurpose::kSavePreset, ".");
            break;
        case Command::kExportCsv:
            write_here("export", "frames", ".csv",
                       [&](const std::filesystem::path& file) { write_file(file, measurements_.history().csv()); });
            break;
        case Command::kExportJson:
            write_here("export", "frames", ".json", [&](const std::filesystem::path& file) {
                write_file(file, measurements_.history().json().dump(2) + "\n");
            });
            break;
        case Command::kQuit:
            window_.close();
            break;
    }
}

// Makes a changed setting take effect; on an Error all stays as it was before, and the setting's field tells why.
void Viewer::apply_change(const render::Setting& setting, const render::Settings& before) {
    changed_ = true;
    if (setting.name == "environment" && read_new_environment(before.frame.environment)) return;
    try {
        if (setting.scope == render::SettingScope::kDevice) {
            make_device();
        } else if (settings_.scene.seed != before.scene.seed) {
            if (request_.path.empty()) load({{}, settings_.scene.seed});
        } else if (setting.name == "hide" || setting.name == "isolate") {
            hide_again();
        } else if (setting.scope == render::SettingScope::kScene) {
            upload(*scene_);
            if (setting.name.starts_with("grid")) reset_camera();  // it is elsewhere now
            resolve_settings();
        } else {
            make_plan();
        }
        if (!unproven_ && setting.scope != render::SettingScope::kDevice) unproven_ = before;
        const render::FrameSettings& now = settings_.frame;
        const render::FrameSettings& then = before.frame;
        if (now.camera != then.camera) reset_camera();
        if (now.count_ties != then.count_ties) measurements_.ambiguous.reset();
        if (now.pick_level != then.pick_level && picked_.report()) {
            const render::Selection& at = picked_.selection();
            select({now.pick_level, at.instance, at.sublet, at.triangle}, animations_.times());
        }
    } catch (const Error& error) {
        settings_ = before;
        ui_.settings_panel().show_error(setting.name, error.what());
        if (setting.scope == render::SettingScope::kDevice) make_device();
    }
}

}  // namespace sublet::app
