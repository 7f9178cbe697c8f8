// What a person does with the viewer: keys, the pointer, and what the panels were told.
#include <imgui.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "app/view/viewer.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

// The next of a setting's choices, and round.
std::string_view next_choice(const render::Setting& setting, const render::Settings& settings) {
    const auto at = std::find(setting.choices.begin(), setting.choices.end(), setting.get(settings));
    return at == setting.choices.end() || at + 1 == setting.choices.end() ? setting.choices.front() : *(at + 1);
}

}  // namespace

void Viewer::take_pointer() {
    const UserInput::Pointer pointer = input_.pointer();
    if (pointer.pressed) ui_.hide_hint();
    if (pointer.click) questions_.ask_of(*pointer.click);
    if (const auto answer = questions_.take(gpu_->renderer->inspected())) take_click(*answer);
    CameraInput input = pointer.camera;
    questions_.tell(input, pointer.pixel);
    pointed_ = questions_.under(pointer.pixel);
    // However slow frames are, a path takes its time; what the viewer slept through does not count.
    const double passed = measurements_.slept() ? 0.0 : static_cast<double>(ImGui::GetIO().DeltaTime);
    animations_.advance(settings_.frame, passed);
    camera_.advance(input, passed, settings_.frame, animations_.times());
    const bool moving = animations_.playing() || !questions_.seen_from(camera_.pose());
    camera_.adapt_near_plane(settings_.frame, questions_.nearest(moving), input.seconds);
    const VkExtent2D extent = gpu_->swapchain.extent();
    questions_.ask(pointer.pixel.value_or(glm::uvec2(0)), {extent.width, extent.height});
    render::Inspection& inspection = questions_.inspection();
    inspection.selection = picked_.selection();
    if (!settings_.frame.frustum || settings_.frame.freeze_culling < 0) {
        inspection.frozen_bounds.reset();
    } else if (!inspection.frozen_bounds) {
        inspection.frozen_bounds = placed_bounds(now());
    }
}

void Viewer::take_click(const PictureQuestions::Answer& answer) {
    changed_ = true;
    if (!answer.probe.covered) return picked_.clear();
    if (answer.click.pivot && answer.point) {
        camera_.take_over().set_pivot(*answer.point);
        ui_.say("the camera turns around this point now");
    }
    select({settings_.frame.pick_level, answer.probe.instance, answer.probe.sublet, answer.probe.triangle},
           answer.times);
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

void Viewer::set_setting(const render::Setting& setting, std::string_view value) {
    const render::Settings before = settings_;
    setting.set(settings_, value);
    ui_.settings_panel().clear_error(setting.name);
    apply_change(setting, before);
}

void Viewer::apply_events(const UiEvents& events, const render::Settings& before) {
    for (const Command command : events.commands) apply_command(command);
    if (events.other_held) show_other(*events.other_held);
    if (!events.view.empty()) set_setting(*render::find_setting("view"), events.view);
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
    if (events.camera != CameraRequest{}) {
        ui_.say(camera_.apply(events.camera, now(), settings_.frame));
        changed_ = true;
    }
    apply_animation(events.animation, animations_.selected());
    show_docs(events.docs);
    if (events.selection) select(*events.selection, animations_.times());
    apply_outliner(events.outliner);
    if (events.changed != nullptr) apply_change(*events.changed, before);
    animations_.advance(settings_.frame, 0.0);  // settings or requests may have put them elsewhere
    camera_.follow_to(animations_.times());
    if (picked_.report() && animations_.any()) {
        const bool placed = picked_.place(now(), animations_.playing(), clock_.seconds());
        if (placed && !animations_.playing()) changed_ = true;  // no other frame would show it
    }
}

// Tells of what could not be opened before, too.
void Viewer::show_docs(std::string_view docs) {
    const auto copy = [this](const std::string& what) {
        window_.set_clipboard(what);
        ui_.say("nothing here opens it; copied: " + what);
    };
    if (const auto failed = opener_.take_failed()) copy(path_text(*failed));
    if (docs.empty()) return;
    const DocsPlace place = docs_place(docs);
    const std::optional<std::filesystem::path> file = find_docs(place.file);
    if (!file || !opener_.open(*file)) return copy(file ? path_text(*file) : std::string(docs));
    ui_.say("opened: " + place.file + (place.section.empty() ? "" : ", see \"" + place.section + "\""));
}

// While it is, frames are drawn by B; nothing else changes. Afterwards both are timed.
void Viewer::show_other(bool shown) {
    if (shown == (comparison_.shown() != nullptr) || (shown && comparison_.settings() == nullptr)) return;
    changed_ = true;
    const FrameSummary times = measurements_.history().summary();
    measurements_.forget_times();
    if (!shown) return comparison_.hide(times);
    ui_.toasts().show_any("B", comparison_.show(times, *gpu_, settings_.frame));
}

// Once the settings, B, the scene or the window have changed.
void Viewer::plan_split() {
    ui_.toasts().show_any("B", comparison_.plan_split(*gpu_, settings_.frame));
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

// Of what is picked, else of the scene.
void Viewer::frame_scene() {
    const std::array<float, 4> part = ui_.free_rectangle();
    camera_.take_over().frame(picked_.bounds(now(), nodes_.hidden()), gpu_->aspect(),
                              {part[0], part[1], part[2], part[3]});
}

void Viewer::select(const render::Selection& selection, const scene::AnimationTimes& times) {
    changed_ = true;
    picked_.select(selection, {*scene_, settings_.scene, times});
    if (picked_.report()) settings_.frame.pick_level = selection.level;
    if (picked_.node()) ui_.outliner().reveal(*picked_.node());
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
    const render::Setting& bounds = *render::find_setting("bounds");
    switch (command) {
        case Command::kResetCamera:
            return camera_.reset(now(), settings_.frame, gpu_->aspect());
        case Command::kCopyCamera: {
            const std::string arguments = camera_.arguments(now(), settings_.frame, gpu_->aspect());
            window_.set_clipboard(arguments);
            ui_.say("copied: " + arguments);
            std::cout << arguments << std::endl;
            break;
        }
        case Command::kPasteCamera:
            ui_.attempt("camera", [&] { camera_.paste(window_.clipboard(), settings_); });
            break;
        case Command::kFrame:
            return frame_scene();
        case Command::kHide:
            return hide_picked(false);
        case Command::kIsolate:
            return hide_picked(true);
        case Command::kShowAll:
            return apply_outliner({.show_all = true});
        case Command::kFront:
            return camera_.look_along(AxisView::kFront);
        case Command::kRight:
            return camera_.look_along(AxisView::kRight);
        case Command::kTop:
            return camera_.look_along(AxisView::kTop);
        case Command::kToggleProjection:
            settings_.frame.projection = camera_.projection(settings_.frame) == render::Projection::kOrthographic
                                             ? render::Projection::kPerspective
                                             : render::Projection::kOrthographic;
            break;
        case Command::kToggleFlying:
            return ui_.say(camera_.toggle_mode());
        case Command::kRecordPath:
            if (camera_.toggle_recording()) apply_command(Command::kSavePath);
            break;
        case Command::kPlayPath:
            return ui_.say(camera_.toggle_playing());
        case Command::kPlayAnimation:
            return apply_animation({.toggle = true}, std::nullopt);
        case Command::kWireframe:
            return toggle_setting("wireframe");
        case Command::kJoints:
            return toggle_setting("joints");
        case Command::kFloorGrid:
            return ui_.toggle_floor_grid();
        case Command::kFreezeCulling:
            return toggle_setting("freeze-culling");
        case Command::kNextBounds:
            if (picked_.report()) settings_.frame.bounds_of = render::BoundsOf::kPicked;
            set_setting(bounds, next_choice(bounds, settings_));
            break;
        case Command::kHelp:
            ui_.toggle_help();
            ui_.hide_hint();
            break;
        case Command::kEscape:
            if (!ui_.escape() && scene_) picked_.clear();
            break;
        case Command::kHidePanels:
            return ui_.toggle_hidden();
        case Command::kPathThroughBookmarks:
            return camera_.play_bookmarks();
        case Command::kSavePath:
            write_here("path", "camera-path", ".json",
                       [&](const std::filesystem::path& file) { write_camera_path(file, camera_.player().path()); });
            break;
        case Command::kResetSettings:
            return reset_settings();
        case Command::kKeepOther:
            comparison_.keep(settings_);
            plan_split();
            break;
        case Command::kSplit:
            comparison_.toggle_split(settings_);
            plan_split();
            if (comparison_.splits()) ui_.say("left: the settings; right: B. Drag the line between them.");
            break;
        case Command::kSwapOther:
            if (comparison_.settings() != nullptr) swap_other();
            break;
        case Command::kOpen:
            return dialog_.ask(FilePurpose::kOpenScene, request_.path.empty() ? "." : request_.path.parent_path());
        case Command::kOpenEnvironment: {
            const std::filesystem::path now = text_path(settings_.frame.environment.file);
            const std::filesystem::path beside = now.empty() ? request_.path : now;
            dialog_.ask(FilePurpose::kOpenEnvironment, beside.empty() ? "." : beside.parent_path());
            break;
        }
        case Command::kReload:
            return reload();
        case Command::kSavePicture:
            picture_asked_ = true;
            break;
        case Command::kCopyCommandLine:
            line_asked_ = true;
            break;
        case Command::kLoadPreset:
            return dialog_.ask(FilePurpose::kLoadPreset, ".");
        case Command::kSavePreset:
            return dialog_.ask(FilePurpose::kSavePreset, ".");
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
            return window_.close();
    }
}

// Makes a changed setting take effect; on an Error all stays as it was before, and the setting's field tells why.
void Viewer::apply_change(const render::Setting& setting, const render::Settings& before) {
    changed_ = true;
    if (setting.name == "environment" && environments_.read_new(settings_, before.frame.environment)) return;
    try {
        if (setting.scope == render::SettingScope::kDevice) {
            make_device();
        } else if (settings_.scene.seed != before.scene.seed && request_.path.empty()) {
            load({{}, settings_.scene.seed});
        } else if (setting.name == "hide" || setting.name == "isolate") {
            // The scene on the device stays.
            nodes_.find_hidden(scene_->scene, settings_.scene);
            gpu_->renderer->set_hidden(nodes_.hidden());
            gpu_->renderer->prepare(plan_, true, gpu_->preparing);
            refinement_.restart();
            measurements_.forget_times();
        } else if (setting.scope == render::SettingScope::kScene) {
            upload(*scene_);
            if (setting.name.starts_with("grid"))
                camera_.reset(now(), settings_.frame, gpu_->aspect());  // it is elsewhere now
            resolve_settings();
        } else {
            make_plan();
        }
        if (!unproven_ && setting.scope != render::SettingScope::kDevice) unproven_ = before;
        const render::FrameSettings& asked = settings_.frame;
        const render::FrameSettings& then = before.frame;
        if (asked.camera != then.camera) camera_.reset(now(), settings_.frame, gpu_->aspect());
        if (asked.count_ties != then.count_ties) measurements_.ambiguous.reset();
        if (asked.pick_level != then.pick_level && picked_.report()) {
            const render::Selection& at = picked_.selection();
            select({asked.pick_level, at.instance, at.sublet, at.triangle}, animations_.times());
        }
    } catch (const Error& error) {
        settings_ = before;
        ui_.settings_panel().show_error(setting.name, error.what());
        if (setting.scope == render::SettingScope::kDevice) make_device();
    }
}

}  // namespace sublet::app
