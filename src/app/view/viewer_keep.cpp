// What the viewer keeps: how a scene was left, the window and the panels; presets, pictures and their command lines.
#include <algorithm>
#include <utility>

#include "app/image_io.h"
#include "app/keep/picture_command.h"
#include "app/session.h"
#include "app/view/viewer.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "render/settings/camera_text.h"

namespace sublet::app {

namespace fs = std::filesystem;

// As this scene was left, the camera included where the command line has none.
void Viewer::restore_scene() {
    if (request_.path.empty()) return;
    const SceneState left = scene_left(state_, request_.path);
    camera_.set_bookmarks(left.bookmarks);
    if (!std::exchange(options_.restore_camera, true) || !left.camera) return;
    if (const auto fault = render::pose_fault(*left.camera)) {
        ui_.toasts().show("kept", "The camera that was kept is dropped: " + *fault);
        return;
    }
    camera_.restore(*left.camera, left, settings_.frame);
}

void Viewer::remember_scene() {
    state_.panels = ui_.state();
    state_.maximized = window_.maximized();
    if (!state_.maximized) {
        state_.window = window_.size();
        state_.position = window_.position();
    }
    state_.settings = settings_;
    forget_scene(state_.settings);
    // These are of this run alone.
    render::FrameSettings& frame = state_.settings.frame;
    frame.pick.reset();
    frame.freeze_culling = -1;
    frame.difference = false;
    frame.count_ties = false;
    state_.settings.device = {};
    if (!scene_ || request_.path.empty()) return;
    SceneState& scene = use_scene(state_, request_.path);
    camera_.leave(scene, settings_.frame);
    scene.file_scene = request_.import.scene;
    scene.settings = scene_texts(settings_);
}

void Viewer::save_state() {
    if (scene_ && !request_.path.empty()) use_scene(state_, request_.path);
    recent_ = recent_scenes(state_);
    if (options_.state_file.empty()) return;
    ui_.toasts().show_any("state", app::save_state(options_.state_file, state_));
}

// Writes a file "STEM.EXTENSION", or, where there is such a file, "STEM-2.EXTENSION" and so on, and tells of it.
void Viewer::write_here(const char* cause, const std::string& stem, const std::string& extension,
                        const std::function<void(const fs::path&)>& write) {
    fs::path file = text_path(stem + extension);
    for (int i = 2; path_exists(file); ++i) file = text_path(stem + "-" + std::to_string(i) + extension);
    ui_.attempt(cause, [&] {
        write(file);
        ui_.say("written: " + path_text(absolute_path(file)));
    });
    changed_ = true;
}

// What was asked for of the picture that was just drawn: a file without the panels, with the command line that draws
// it; that line. Nothing has moved since.
void Viewer::keep_picture() {
    const bool wanted = !plain_ && !plan_before_ && std::exchange(picture_asked_, false);
    const bool line_wanted = std::exchange(line_asked_, false);
    if (!wanted && !line_wanted) return;
    PictureSource source;
    source.scene = request_.path;
    source.size = {gpu_->swapchain.extent().width, gpu_->swapchain.extent().height};
    source.frames = static_cast<std::uint32_t>(std::min<std::uint64_t>(measurements_.scene_frames(), kSettledFrames));
    source.samples = refinement_.complete() ? refinement_.samples() : 1;
    source.file_scene = request_.import.scene;
    source.allow_outside = request_.import.allow_outside;
    source.settings = settings_;
    if (comparison_.shown() != nullptr) {
        source.settings.frame = at_time_of(comparison_.settings()->frame, settings_.frame);
        source.settings.frame.freeze_culling = settings_.frame.freeze_culling;
    }
    camera_.name_in(source.settings.frame, settings_.frame);
    source.frozen_elsewhere = settings_.frame.freeze_culling >= 0;
    source.clicked = picked_.report().has_value();
    source.times_apart = !animations_.players().together();
    const std::string line = picture_command(source);
    changed_ = true;
    if (wanted) {
        write_here("picture", "picture", ".png", [&](const fs::path& file) {
            const render::Picture picture = gpu_->renderer->read_picture(false);
            write_png(file, picture.width, picture.height, picture.rgba, line);
        });
    }
    if (!line_wanted) return;
    window_.set_clipboard(line);
    ui_.say(source.times_apart ? "copied: a command line, which has one time for all animations"
                               : "copied: a command line that draws this picture");
}

// All at once. Where they can't be had, those of before stay, and a message under `cause` says why.
bool Viewer::take_settings(const render::Settings& settings, const char* cause) {
    const render::Settings before = std::exchange(settings_, settings);
    changed_ = true;
    const auto key = [](const render::Settings& of) { return scope_key(of, render::SettingScope::kScene); };
    const bool other_scene = key(settings) != key(before);
    try {
        settings_.device = before.device;
        environments_.read_new(settings_, before.frame.environment);
        if (settings_.scene.seed != before.scene.seed && request_.path.empty()) {
            load(request_);
        } else if (other_scene) {
            upload(*scene_);
        }
        make_plan();
        unproven_ = before;
        if (settings_.frame.camera != before.frame.camera) camera_.reset(now(), settings_.frame, gpu_->aspect());
        ui_.toasts().clear(cause);
        return true;
    } catch (const Error& error) {
        settings_ = before;
        if (other_scene) upload(*scene_);
        make_plan();
        ui_.toasts().show(cause, error.what());
        return false;
    }
}

// As in a first run; a message offers the way back.
void Viewer::reset_settings() {
    const render::Settings before = settings_;
    const render::Settings first = first_settings(before, scene_->scene);
    const auto same = [&](const render::Setting& setting) { return setting.get(before) == setting.get(first); };
    const std::span<const render::Setting> all = render::settings_table();
    if (std::all_of(all.begin(), all.end(), same)) return ui_.say("all settings are as in a first run already");
    if (!take_settings(first, "reset")) return;
    before_reset_ = before;
    ui_.toasts().show("reset", "All settings are as in a first run. The camera and the device stayed.", "Undo",
                      ToastKind::kDone);
}

}  // namespace sublet::app
