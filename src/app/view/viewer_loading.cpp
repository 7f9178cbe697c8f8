// What the viewer shows, and on what: the device, scenes as they are loaded, and plans.
#include <algorithm>
#include <utility>

#include "app/keep/kept_settings.h"
#include "app/keep/preset.h"
#include "app/session.h"
#include "app/setting_notes.h"
#include "app/view/viewer.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/path_text.h"
#include "scene/environment_map.h"

namespace sublet::app {

namespace {

gpu::DeviceOptions window_options(const render::Settings& settings, const WindowSystem& system) {
    gpu::DeviceOptions options = device_options(settings);
    options.surface_extensions = system.surface_extensions();
    return options;
}

void tell_of_dropped(Toasts& toasts, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        note(line);
        toasts.show(line, line);
    }
}

}  // namespace

Viewer::Viewer(const ViewerOptions& options)
    : options_(options),
      textures_(options.frames == 0 ? render::TextureLoading::kWithFrames : render::TextureLoading::kBeforeFrames),
      preparing_(options.frames == 0 ? render::Preparing::kPlainFirst : render::Preparing::kAll),
      settings_(options.settings),
      request_{options.scene, options.settings.scene.seed, options.import},
      state_(options.state),
      window_(options.size, "Sublet"),
      context_(window_.handle(), window_.scale(), window_.density()) {
    window_.place(state_.position, state_.maximized);
    window_.poll();  // it is there before the device is
    measurements_.start.window_ms = clock_.milliseconds();
    ui_.restore(state_.panels);
    recent_ = recent_scenes(state_);
    environments_.read_new(settings_, {});
    load(request_);  // files are read while the device is made
    make_device();
    update_title();
}

// Of what the settings name. What there was before is given back.
void Viewer::make_device() {
    remade_ = remade_ || instance_ != nullptr;
    end_device();
    const gpu::DeviceOptions options = window_options(settings_, system_);
    instance_ = std::make_unique<gpu::Instance>(options);
    window_.make_surface(instance_->handle());
    gpu_ = std::make_unique<WindowGpu>(*instance_, options, window_, !full_speed_, preparing_);
    loader_.lend_device(gpu_->device);
    if (!scene_) return;
    upload(*scene_);
    resolve_settings();
}

void Viewer::end_device() {
    loader_.take_device_back();
    if (gpu_) gpu_->renderer->finish();
    gpu_.reset();
    window_.destroy_surface();
    if (!instance_) return;
    messages_before_ += app::validation_messages(*instance_).value_or(0);
    if (first_message_.empty()) first_message_ = app::first_validation_message(*instance_);
    instance_.reset();
}

// How the scene there is now is drawn by the settings. Throws Error when the device can't.
void Viewer::make_plan() {
    const VkExtent2D window = gpu_->swapchain.extent();
    const bool resized = window.width != planned_for_.width || window.height != planned_for_.height;
    planned_for_ = window;
    const render::FramePlan plan = gpu_->plan(settings_.frame);
    // A picture that is there stays until the new one can take its place.
    std::optional<render::FramePlan> before;
    if (measurements_.scene_frames() > 0 && !plain_ && !resized && gpu_->renderer->plain(plan)) before = shown_plan();
    plan_before_ = std::move(before);
    plan_ = plan;
    measurements_.forget_times();
    comparison_.forget_times();
    plan_split();
}

// Resolves the settings for the scene and the window there are now. What was chosen for others and can't be done for
// these is dropped, with a message.
void Viewer::resolve_settings() {
    tell_of_dropped(ui_.toasts(),
                    drop_misfits(settings_, render::SettingScope::kFrame, typed_, [&](const render::Settings& tried) {
                        static_cast<void>(render::resolve(tried.frame, gpu_->device.capabilities(), gpu_->facts()));
                    }));
    make_plan();
}

void Viewer::upload(const scene::EncodedScene& scene) {
    gpu_->renderer->set_scene(scene, settings_.scene, textures_);
    forget_frames();
    notes_ = all_notes(scene, *gpu_->renderer, settings_.frame.environment);
    if (&scene != scene_.get()) return;
    nodes_.find_hidden(scene.scene, settings_.scene);
    animations_.take(scene_->scene, settings_.scene, camera_.cameras(), gpu_->renderer->animation());
    camera_.follow(camera_.followed_node(), now());  // by the animations that the settings name now
}

// What frames of another scene, or of this one as it was, have told.
void Viewer::forget_frames() {
    refinement_.restart();
    questions_.forget();
    picked_.clear();
    measurements_.forget_scene();
    comparison_.forget_plans();
    plan_before_.reset();
    blank_.reset();
    blank_seen_.clear();
    if (settings_.frame.freeze_culling >= 0) settings_.frame.freeze_culling = 0;  // frames are counted anew
}

// Those of now, as far as they are not of the scene that is shown.
render::Settings Viewer::settings_for(const SceneRequest& request) const {
    render::Settings settings = settings_;
    const bool same_file = scene_ && request.path == request_.path;
    if (same_file && request.import.scene == request_.import.scene) return settings;
    start_scene(settings, same_file ? SettingTexts{} : scene_left(state_, request.path).settings, typed_);
    return settings;
}

void Viewer::load(SceneRequest request) {
    if (request.import.scene.empty() && !request.reload) {
        request.import.scene = scene_left(state_, request.path).file_scene;
        request.scene_kept = true;
    }
    const VkExtent2D window = window_.extent();
    SceneUse use{settings_for(request), window.width, window.height, textures_, preparing_, typed_};
    loader_.request(std::move(request), std::move(use));
    changed_ = true;
}

// Makes a scene the one that is shown; on an Error the old one stays.
void Viewer::show_scene(LoadedScene loaded) {
    const auto key = [](const render::Settings& settings) { return scope_key(settings, render::SettingScope::kScene); };
    render::Settings settings = settings_for(loaded.request);
    if (loaded.renderer && key(loaded.asked) == key(settings)) {
        settings.scene = loaded.fitted.scene;
        gpu_->renderer = std::move(loaded.renderer);
    } else {
        loaded.renderer.reset();
        loaded.dropped = fit_scene(settings, loaded.scene->scene, typed_, [&](const render::Settings& tried) {
            gpu_->renderer->set_scene(*loaded.scene, tried.scene, textures_);
        });
    }
    settings_ = std::move(settings);
    forget_frames();
    notes_ = all_notes(*loaded.scene, *gpu_->renderer, settings_.frame.environment);
    settings_.frame.freeze_culling = options_.settings.frame.freeze_culling;
    tell_of_dropped(ui_.toasts(), loaded.dropped);
    resolve_settings();  // of the first scene's, what was typed may be the end
    const std::optional<std::size_t> followed = camera_.followed_node();
    camera_.follow_none();
    const bool same_file = scene_ && loaded.request.path == request_.path;
    const bool other_of_file = same_file && loaded.request.import.scene != request_.import.scene;
    scene_ = std::move(loaded.scene);
    file_scenes_ = std::move(loaded.scenes);
    request_ = std::move(loaded.request);
    nodes_ = SceneNodes(*scene_);
    nodes_.find_hidden(scene_->scene, settings_.scene);
    typed_.clear();
    values_ = scene_values(scene_->scene);
    if (!request_.reload) animations_ = {};
    animations_.advance(settings_.frame, 0.0);
    camera_.find_cameras({*scene_, settings_.scene, settings_.frame.time});
    animations_.take(scene_->scene, settings_.scene, camera_.cameras(), gpu_->renderer->animation());
    watch_.follow(std::move(loaded.files));
    if (!request_.reload) {
        camera_.reset(now(), settings_.frame, gpu_->aspect());
        if (!other_of_file) restore_scene();  // what is kept is of the one that was shown
    } else if (followed && *followed < scene_->scene.nodes.size() && scene_->scene.nodes[*followed].camera >= 0) {
        camera_.follow(followed, now());
    }
    request_.reload = false;
    changed_ = true;
}

// A scene, a picture of the light all around, a path of cameras, or a folder with scenes in it.
void Viewer::open_path_or_folder(const std::filesystem::path& path) {
    if (is_folder(path)) {
        const std::vector<std::filesystem::path> scenes = scenes_in(path);
        if (scenes.size() == 1) {
            load({scenes.front(), settings_.scene.seed, {}});
        } else if (scenes.empty()) {
            ui_.toasts().show("scene", path_text(path) + ": there is no .gltf, .glb or .sublet file in it");
        } else {
            dialog_.ask(FilePurpose::kOpenScene, path);
        }
    } else if (scene::named_as_environment(path)) {
        open_environment(path);
    } else if (path.extension() == ".json") {
        ui_.attempt("path", [&] { camera_.play(read_camera_path(path)); });
    } else {
        load({path, settings_.scene.seed, {}});
    }
}

void Viewer::open_environment(const std::filesystem::path& file) {
    try {
        set_setting(*render::find_setting("environment"), path_text(file));
    } catch (const Error& error) {
        ui_.toasts().show("environment", error.what());
    }
}

// What a file dialog came to.
void Viewer::take_chosen() {
    const std::optional<std::filesystem::path> file = dialog_.take();
    if (!file) return;
    changed_ = true;
    render::Settings preset = settings_;
    switch (dialog_.purpose()) {
        case FilePurpose::kOpenScene:
            open_path_or_folder(*file);
            break;
        case FilePurpose::kOpenEnvironment:
            open_environment(*file);
            break;
        case FilePurpose::kLoadPreset:
            if (ui_.attempt("preset", [&] { load_preset(*file, preset); }) && take_settings(preset, "preset")) {
                ui_.say("these are the settings of " + path_text(file->filename()));
            }
            break;
        case FilePurpose::kSavePreset:
            ui_.attempt("preset", [&] {
                save_preset(*file, settings_);
                ui_.say("written: " + path_text(*file));
            });
            break;
    }
}

void Viewer::reload() {
    SceneRequest request = request_;
    request.seed = settings_.scene.seed;
    request.reload = true;
    load(std::move(request));
}

// Of the command line's, as other commands do.
void Viewer::note_useless_settings() const {
    SettingNotes notes(options_.written);
    render::Situation situation;
    if (options_.frames != 0) situation.frames = options_.frames;
    situation.builtin_scene = request_.path.empty();
    situation.camera_path = options_.camera_path.has_value();
    situation.moves = !animations_.names().empty();
    situation.joints = gpu_->facts().joints;
    situation.levels = gpu_->facts().levels;
    situation.lights = gpu_->facts().lights;
    situation.blended = gpu_->facts().blended;
    situation.deforms = gpu_->renderer->animation().deforms;
    notes.add(settings_, plan_, situation);
    notes.write();
}

void Viewer::take_environment() {
    std::optional<LoadedEnvironment> loaded = environments_.take();
    if (!loaded) return;
    changed_ = true;
    if (!loaded->error.empty()) {
        // Nobody looks at a window that is to close by itself.
        if (!scene_ && options_.frames != 0) throw Error(loaded->error);
        ui_.toasts().show("environment", loaded->error);
        return;
    }
    ui_.toasts().clear("environment");
    const render::Settings before = settings_;
    settings_.frame.environment = std::move(loaded->source);
    if (scene_) apply_change(*render::find_setting("environment"), before);
}

bool Viewer::stop_reading_within(double seconds) {
    const bool scene = loader_.stop_within(seconds);
    return environments_.stop_within(seconds) && scene;
}

void Viewer::take_loaded() {
    if (!scene_ && environments_.busy()) return;  // the first frame has the light that was asked for
    std::optional<LoadedScene> loaded = loader_.take();
    if (!loaded) return;
    changed_ = true;
    if (!loaded->scene) {
        // Nobody looks at a window that is to close by itself.
        if (!scene_ && options_.frames != 0) throw Error(loaded->error);
        if (!scene_) first_error_ = loaded->error;
        ui_.toasts().show("scene", loaded->error, loaded->outside ? "Open it anyway" : "");
        if (loaded->outside) refused_ = loaded->request;
        return;
    }
    show_notes(loaded->scene->notes);
    try {
        remember_scene();
        // Another scene has its own cameras.
        if (scene_ &&
            (loaded->request.path != request_.path || loaded->request.import.scene != request_.import.scene)) {
            camera_.forget_kept();
        }
        const bool first = !scene_;
        const double read_ms = clock_.milliseconds() - loaded->since_read.milliseconds();
        show_scene(std::move(*loaded));
        ui_.toasts().clear("scene");
        save_state();
        if (first) {
            measurements_.start.read_ms = read_ms;
            measurements_.start.scene_ms = clock_.milliseconds();
            note_useless_settings();
        } else {
            ui_.hide_hint();
        }
        if (first && options_.camera_path) {
            camera_.play(*options_.camera_path);
            camera_.set_loop(true);
        }
        update_title();
    } catch (const Error& error) {
        if (!scene_) throw;
        ui_.toasts().show("scene", error.what());
    }
}

}  // namespace sublet::app
