#include "app/view/viewer.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/session.h"
#include "app/text.h"
#include "app/view/pass_guide.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "render/settings/camera_text.h"
#include "render/view/camera.h"

namespace sublet::app {

namespace {

// Changes of what is there of geometry and of textures.
std::uint64_t streamed_changes(const render::Renderer& renderer) {
    return renderer.streaming().value_or(render::StreamFigures{}).changes() +
           renderer.texture_streaming().value_or(render::TextureFigures{}).changes();
}

constexpr double kTitleEverySeconds = 0.5;

}  // namespace

Viewer::~Viewer() = default;

UiModel Viewer::model() {
    UiModel model;
    model.has_scene = scene_ != nullptr;
    if (scene_ && file_scenes_.names.size() > 1) {
        model.file_scenes = &file_scenes_;
        model.file_scene = file_scenes_.find(request_.import.scene).value_or(file_scenes_.usual);
    }
    SettingsModel& settings = model.settings;
    settings.device = &gpu_->device.capabilities();
    settings.scene = gpu_->facts();
    settings.plan = &shown_plan();
    settings.running = settings_;
    settings.running.frame = render::as_planned(settings_.frame, plan_);
    camera_.name_in(settings.running.frame, settings_.frame);
    if (const std::optional<float> ev = gpu_->renderer->counters().ev; !plan_.ev && ev) {
        settings.running.frame.ev = std::round(*ev * 100.0F) / 100.0F;
    }
    settings.builtin_scene = request_.path.empty();
    settings.moves = !animations_.names().empty();
    settings.deforms = gpu_->renderer->animation().deforms;
    settings.variants = values_.variants;
    settings.animations = values_.animations;
    settings.frame = measurements_.scene_frames();
    NumbersModel& numbers = model.numbers;
    numbers.measured = &measurements_;
    numbers.device = settings.device;
    numbers.counters = &gpu_->renderer->counters();
    numbers.totals = gpu_->renderer->totals();
    numbers.pointed = pointed_;
    numbers.lod_error = plan_.lod_error;
    numbers.streaming = gpu_->renderer->streaming();
    numbers.texture_streaming = gpu_->renderer->texture_streaming();
    if (settings_.frame.difference) numbers.differing_pixels = gpu_->renderer->differing_pixels();
    model.camera = &camera_;
    model.animations = &animations_;
    if (scene_) model.outliner = nodes_.model(settings_.scene, picked_.item());
    model.picked = picked_.report() ? &*picked_.report() : nullptr;
    model.picked_late = animations_.playing() && picked_.slow();
    model.comparison = &comparison_;
    model.extent = gpu_->swapchain.extent();
    model.loading = loading_ ? &*loading_ : nullptr;
    model.stand_in = plain_ ? StandIn::kPlainPicture : plan_before_ ? StandIn::kSettingsBefore : StandIn::kNone;
    model.compiling = gpu_->renderer->compiling();
    model.textures_left = gpu_->renderer->textures_left();
    model.notes = notes_;
    model.blank = blank_ ? blank_ : why_black(shown_plan());
    model.recent = recent_;
    return model;
}

void Viewer::draw_ui(VkExtent2D extent) {
    measurements_.look_at_memory(*gpu_, clock_.seconds());
    const ThreadStopwatch watch;
    measurements_.look_at_times(clock_.seconds());
    UiModel shown = model();
    const std::string name = scene_name(request_.path);
    shown.scene_name = name;
    if (context_.set_scale(window_.scale(), window_.density())) gpu_->imgui.upload_font();
    ImguiLayer::begin_frame();
    context_.begin_frame(extent);
    const render::Settings before = settings_;
    // While the other settings are shown, the panels show them too, for reading.
    const bool other = comparison_.shown() != nullptr;
    if (other) settings_ = *comparison_.settings();
    UiEvents events = ui_.draw(shown, settings_);
    dialog_.draw(ui_.widgets());
    if (other) {
        settings_ = before;
        events = {};
    }
    if (camera_.take_fit_to_panels()) {
        frame_scene();
        camera_.jump();
    }
    if (scene_) take_pointer();
    input_.add_keys(scene_ != nullptr, dialog_, events);
    ImguiContext::end_frame();
    measurements_.add_panels(watch.milliseconds());
    apply_events(events, before);
}

// New settings that the device can't run after all (no memory, say) are taken back; anything else is the end.
void Viewer::take_settings_back(const Error& error) {
    refinement_.restart();
    if (!unproven_) throw;
    settings_ = *std::exchange(unproven_, std::nullopt);
    upload(*scene_);  // the settings of the scene's scope are among them
    make_plan();
    ui_.toasts().show("settings", error.what());
}

// Whether the next frame can be drawn: with which plan, and whether plainly. False: a pipeline failed, and the settings
// that wanted it are taken back.
bool Viewer::look_at_pipelines() {
    try {
        if (plan_before_ && !gpu_->renderer->plain(plan_)) {
            plan_before_.reset();
            measurements_.forget_times();
            comparison_.forget_times();
        }
        plain_ = gpu_->renderer->plain(shown_plan()) ||
                 (comparison_.right() != nullptr && gpu_->renderer->plain(*comparison_.right()));
        return true;
    } catch (const Error& error) {
        take_settings_back(error);
        return false;
    }
}

void Viewer::draw_frame(VkExtent2D extent) {
    WindowGpu& g = *gpu_;
    const VkExtent2D now = g.swapchain.extent();
    if (now.width != planned_for_.width || now.height != planned_for_.height) resolve_settings();
    if (!look_at_pipelines()) return;
    const std::optional<WindowGpu::WindowFrame> frame = g.begin(extent);
    if (!frame) return;
    const VkExtent2D size = g.swapchain.extent();
    const Refinement::Frame refined = next_refinement(size);
    std::string camera_fault;
    render::View view = camera_.next_view(settings_.frame, g.aspect(), refined.shift, camera_fault);
    ui_.toasts().show_any("camera", camera_fault);
    view.averaged = refined.averaged;
    view.repeated = refined.repeated;
    const Stopwatch watch;
    const std::uint64_t pipelines = g.device.fresh_pipelines();
    try {
        const std::size_t textures_left = g.renderer->textures_left();
        const std::uint64_t streamed = streamed_changes(*g.renderer);
        if (frames_to_know_ > 0) --frames_to_know_;
        g.renderer->set_time(animations_.times());
        g.renderer->begin(frame->frame);
        if (g.renderer->textures_left() != textures_left) {
            refinement_.restart();
            notes_ = all_notes(*scene_, *g.renderer, settings_.frame.environment);
            changed_ = true;
        }
        if (streamed_changes(*g.renderer) != streamed) refinement_.restart();
        if (const render::FramePlan* right = comparison_.right()) {
            g.renderer->set_pass_prefix(std::string(kOtherPasses));
            g.renderer->draw(view, *right, size.width, size.height, kSplitView);
            g.renderer->set_pass_prefix({});
        }
        // The last one: what is saved, counted and copied is of these settings.
        g.renderer->draw(view, shown_plan(), size.width, size.height, 0, questions_.inspection());
        if (!plain_) questions_.asked(frame->frame.number, animations_.times());
        g.record(*frame, [&](const render::WindowTarget& target) {
            g.draw_views(target, comparison_.right() != nullptr ? std::optional(ui_.split_at()) : std::nullopt);
            if (!ui_.floor_grid()) return;
            // Without the shift of a frame that refines the picture: lines stay where they are.
            g.renderer->draw_floor_grid(camera_.floor_grid(), camera_.view(settings_.frame, g.aspect()), target);
        });
        g.renderer->end();
    } catch (const Error& error) {
        g.ring.abandon();
        take_settings_back(error);
        g.swapchain.resize(extent);  // its image was acquired, and is not shown
        return;
    }
    if (!plain_ && !plan_before_) unproven_.reset();
    g.submit(*frame);
    measurements_.submitted(frame->frame.number, clock_.seconds(), watch.milliseconds(),
                            g.device.fresh_pipelines() != pipelines);
    const bool fits = g.swapchain.present(frame->image);
    // Drivers that compile shaders as they first run take long over the next frame: its result would be late.
    if (plain_ && !measurements_.start.picture_ms) g.renderer->finish();
    const auto count = [&] { measurements_.ambiguous = g.renderer->count_ambiguous_pixels(view); };
    if (settings_.frame.count_ties && !ui_.attempt("count-ties", count)) settings_.frame.count_ties = false;
    keep_picture();
    if (!fits) g.swapchain.resize(extent);
}

Refinement::Frame Viewer::next_refinement(VkExtent2D size) {
    const render::FramePlan& plan = shown_plan();
    refinement_.set_samples(ui_.refine() ? std::max(options_.samples, 1U) : 1);
    // What is measured is of one frame, and so is what a frozen camera saw. A picture that is saved can be drawn again.
    const bool wanted = !plain_ && !full_speed_ && options_.frames == 0 && !plan.difference &&
                        comparison_.right() == nullptr && !settings_.frame.count_ties && plan.freeze_culling < 0;
    // A click is on what lies in the middle of a pixel.
    const bool kept = picture_asked_ || line_asked_;
    const bool alone = questions_.click_waits() || (kept && !refinement_.complete());
    // An average of one frame: nothing is blended.
    const Refinement::Frame plain{.averaged = plan.taa && (alone || kept) ? 1U : 0U};
    if (!wanted || alone) refinement_.restart();
    if (!wanted) return plain;
    const Refinement::Frame next =
        refinement_.next({camera_.pose(),
                          camera_.near_plane(),
                          camera_.projection(settings_.frame),
                          {size.width, size.height},
                          plan,
                          questions_.inspection().selection,
                          animations_.any() ? animations_.times() : scene::AnimationTimes{}});
    return next.averaged == 0 ? plain : next;
}

// Of the newest frame that counted. The reason is looked for once where the camera rests, and stays until something of
// the scene is seen.
void Viewer::look_at_blank_picture() {
    const std::optional<render::Funnel>& funnel = gpu_->renderer->counters().funnel;
    const bool counted = measurements_.newest() != nullptr && !measurements_.newest()->plain && funnel && !plain_;
    if (!counted) return;
    if (funnel->pixels.covered != 0 || settings_.frame.freeze_culling >= 0) {
        changed_ = changed_ || blank_.has_value();
        blank_.reset();
        blank_seen_.clear();
        return;
    }
    if (!camera_.resting()) return;
    const VkExtent2D extent = gpu_->swapchain.extent();
    std::string from =
        render::camera_text(camera_.pose()) + " " + std::to_string(camera_.near_plane()) + " " +
        std::to_string(extent.width) + "x" + std::to_string(extent.height) +
        (camera_.projection(settings_.frame) == render::Projection::kOrthographic ? " orthographic " : " ") +
        scope_key(settings_, render::SettingScope::kScene);
    if (!animations_.playing()) from += std::to_string(settings_.frame.time);
    if (from == blank_seen_) return;
    blank_seen_ = std::move(from);
    const render::View view = camera_.view(settings_.frame, gpu_->aspect());
    blank_ = why_blank(*scene_, settings_.scene, animations_.times(), view, {extent.width, extent.height});
    changed_ = true;
}

void Viewer::update_title() {
    const std::optional<double> interval = measurements_.history().median(FrameHistory::Time::kInterval);
    window_.set_title("Sublet - " + scene_name(request_.path) + (interval ? " - " + fixed(*interval, 1) + " ms" : ""));
    titled_at_ = clock_.seconds();
}

// Whether geometry or textures may still come for what is shown: what a frame wants is known once it is over.
bool Viewer::streams_on(bool active) {
    const auto geometry = gpu_->renderer->streaming();
    const auto textures = gpu_->renderer->texture_streaming();
    if (!geometry && !textures) return false;
    // Of textures: until what was seen before is forgotten, too.
    const std::uint32_t frames = textures ? 2 * render::TextureFigures::kFramesToKnow + 1 : 1;
    if (active) frames_to_know_ = gpu::kFramesInFlight + frames;
    return (geometry && geometry->goes_on()) || (textures && textures->goes_on()) || frames_to_know_ > 0;
}

bool Viewer::wants_frame() {
    const bool moved = camera_.moved();
    const bool active = window_.take_activity() || std::exchange(changed_, false) || moved;
    const bool streams = gpu_ && scene_ && streams_on(active);
    const FramePacing::Decision decision = pacing_.next(
        {.now = clock_.seconds(),
         .active = active,
         .animated = !camera_.resting() || animations_.playing() || camera_.recorder().recording() ||
                     comparison_.shown() != nullptr || (scene_ && refinement_.underway()) || streams,
         .ticks = loading_.has_value() || plain_ || plan_before_ || environments_.busy() ||
                  comparison_.times_due(gpu_->device.capabilities().timestamps) || gpu_->renderer->textures_left() > 0,
         .blinks = ImGui::GetIO().WantTextInput || dialog_.open(),
         .focused = window_.focused(),
         .full_speed = scene_ && (full_speed_ || options_.frames != 0)});
    if (decision.draw) return true;
    measurements_.sleep();
    window_.wait(decision.wait_seconds);
    return false;
}

void Viewer::run() {
    while (!window_.should_close() && (options_.frames == 0 || measurements_.shown() < options_.frames)) {
        window_.poll();
        for (const std::filesystem::path& path : window_.take_dropped()) open_path_or_folder(path);
        take_chosen();
        if (scene_ && !loading_ && watch_.changed(clock_.seconds())) reload();
        take_environment();
        take_loaded();
        loading_ = loader_.status();
        const VkExtent2D extent = window_.extent();
        if (extent.width == 0 || extent.height == 0) {
            window_.wait(0.1);  // minimized: there is nothing to draw
            continue;
        }
        if (!wants_frame()) continue;
        const VkExtent2D shown = gpu_->swapchain.extent();
        if (shown.width != extent.width || shown.height != extent.height) gpu_->swapchain.resize(extent);
        if (scene_ && !look_at_pipelines()) continue;  // the status line tells of this very frame
        // However long the picture takes: all that was typed and clicked meanwhile comes before the next one.
        do {
            draw_ui(extent);
        } while (!remade_ && ImguiContext::input_waits());
        if (std::exchange(remade_, false)) continue;  // what the panels drew belongs to the old device
        if (scene_) {
            capture_.around(*instance_, measurements_.shown(), [&] { draw_frame(extent); });
        } else {
            gpu_->draw_panels(extent);
        }
        measurements_.take_results(*gpu_, comparison_.split_times(), clock_.seconds());
        if (scene_) look_at_blank_picture();
        if (clock_.seconds() - titled_at_ > kTitleEverySeconds) update_title();
    }
    if (!scene_ && !first_error_.empty()) throw Error(first_error_);
}

Json Viewer::close() {
    remember_scene();
    save_state();
    gpu_->renderer->finish();
    RunResult run;
    run.settings = settings_;
    run.settings.frame = render::as_planned(settings_.frame, plan_);
    camera_.name_in(run.settings.frame, settings_.frame);
    set_budgets(run.settings, gpu_->renderer->budgets());
    run.size = {gpu_->swapchain.extent().width, gpu_->swapchain.extent().height};
    measurements_.take_results(*gpu_, comparison_.split_times(), clock_.seconds());
    measurements_.add_to(run);
    run.counters = gpu_->renderer->counters();
    run.totals = gpu_->renderer->totals();
    run.animation = gpu_->renderer->animation();
    run.time = settings_.frame.time;
    if (settings_.frame.difference) run.differing_pixels = gpu_->renderer->differing_pixels();
    run.memory = gpu_->renderer->memory();
    run.device_memory = gpu_->device.memory_usage();
    if (const auto streaming = gpu_->renderer->streaming())
        run.streaming = StreamingRun{.last = *streaming, .errors = {}};
    run.texture_streaming = gpu_->renderer->texture_streaming();
    run.notes = notes_;
    Json json{{"scene", scene_name(request_.path)}};
    json["file_scene"] = scene_ ? Json(scene_->scene.name) : Json();
    json.update(run_json(run, gpu_->device.capabilities()));
    json["window_system"] = system_.name();
    json["start_ms"] = measurements_.start.json();
    json["widgets"] = ui_.widgets_json();
    json["ui_cpu_ms"] = measurements_.panels_ms();
    json["floor_grid"] = Json();
    if (ui_.floor_grid()) {
        const render::FloorGrid& grid = camera_.floor_grid();
        json["floor_grid"] = {{"height", grid.height}, {"spacing", grid.spacing}};
    }
    json["compared"] = compared_json(comparison_.times());
    json["split"] = Json();
    if (comparison_.right() != nullptr) {
        json["split"] = {{"divider", ui_.split_at()},
                         {"a_ms", optional_json(comparison_.split_times().a_ms())},
                         {"b_ms", optional_json(comparison_.split_times().b_ms())}};
    }
    json["free_rectangle"] = ui_.free_rectangle();
    const std::optional<BlankReason> blank = blank_ ? blank_ : why_black(plan_);
    json["blank"] = blank ? Json(blank_text(*blank)) : Json();
    json["picked"] = picked_.report() ? pick_json(*picked_.report()) : Json();
    json["pointed"] = Json();
    if (pointed_) {
        json["pointed"] = {{"lod_level", pointed_->level}, {"lod_pixels", pointed_->level_error * plan_.lod_error}};
    }
    json["camera_mode"] = camera_.control().mode() == CameraMode::kFirstPerson ? "first person" : "orbit";
    json["animations"] = animations_.json();
    json["follows_camera"] = camera_.follows();
    json["samples"] = refinement_.reached();
    json["camera_speed_factor"] = camera_.control().speed_factor();
    const bool validated = instance_->validation();
    end_device();
    if (validated || messages_before_ > 0) validation_messages_ = messages_before_;
    json["validation_messages"] = optional_json(validation_messages_);
    return json;
}

}  // namespace sublet::app
