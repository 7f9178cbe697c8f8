#include "app/view/viewer.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/session.h"
#include "app/text.h"
#include "app/view/camera_rules.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "gpu/barriers.h"
#include "render/settings/backend_info.h"
#include "render/settings/camera_text.h"
#include "render/view/camera.h"

namespace sublet::app {

namespace {

// The only stage that touches a window's image before the panels are drawn over it.
constexpr gpu::Access kAcquired{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_NONE};
constexpr double kTitleEverySeconds = 0.5;
constexpr double kMemoryEverySeconds = 0.25;
constexpr std::size_t kResultsKept = 512;  // frames that close() tells of

std::unique_ptr<scene::EncodedScene> load_now(const SceneRequest& request) {
    ThreadPool pool;
    auto scene = std::make_unique<scene::EncodedScene>(load_scene(request.path, request.seed, pool, request.import));
    show_notes(scene->notes);
    return scene;
}

gpu::DeviceOptions window_options(const render::Settings& settings, const WindowSystem& system) {
    gpu::DeviceOptions options = device_options(settings);
    options.surface_extensions = system.surface_extensions();
    return options;
}

// The renderer's picture, over all of the window's image.
void blit(VkCommandBuffer commands, const gpu::Image& picture, VkImage target, VkExtent2D extent) {
    const VkExtent2D size = picture.extent();
    VkImageBlit2 region{};
    region.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2;
    region.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.srcOffsets[1] = {static_cast<std::int32_t>(size.width), static_cast<std::int32_t>(size.height), 1};
    region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.dstOffsets[1] = {static_cast<std::int32_t>(extent.width), static_cast<std::int32_t>(extent.height), 1};
    VkBlitImageInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2;
    info.srcImage = picture.handle();
    info.srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    info.dstImage = target;
    info.dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    info.regionCount = 1;
    info.pRegions = &region;
    info.filter = VK_FILTER_NEAREST;
    vkCmdBlitImage2(commands, &info);
}

}  // namespace

Viewer::Gpu::Gpu(gpu::Instance& instance, const gpu::DeviceOptions& options, const Window& window, bool vsync)
    : device(instance, options, window.surface()),
      renderer(device),
      ring(device),
      swapchain(device, window.surface(), window.extent(), vsync),
      imgui(device, swapchain.format(), swapchain.image_count()) {
    if (!swapchain.transfer_target()) {
        throw Error(device.capabilities().name, "view",
                    "pictures can't be copied to this window; 'sublet render' makes them without one");
    }
}

Viewer::Viewer(const ViewerOptions& options)
    : options_(options),
      settings_(options.settings),
      request_{options.scene, options.settings.scene.seed, options.import},
      scene_(load_now(request_)),
      instance_(std::make_unique<gpu::Instance>(window_options(settings_, system_))),
      window_(instance_->handle(), options.size, "Sublet"),
      context_(window_.handle(), window_.scale()),
      gpu_(std::make_unique<Gpu>(*instance_, window_options(settings_, system_), window_, true)) {
    show_scene(request_, std::move(scene_));
    if (options.camera_path) {
        player_.set_path(*options.camera_path);
        player_.set_loop(true);
        player_.play();
    }
    update_title();
}

Viewer::~Viewer() = default;

void Viewer::end_device() {
    if (gpu_) gpu_->renderer.finish();
    gpu_.reset();
    window_.destroy_surface();
    if (!instance_) return;
    messages_before_ += app::validation_messages(*instance_).value_or(0);
    if (first_message_.empty()) first_message_ = app::first_validation_message(*instance_);
    instance_.reset();
}

void Viewer::make_device() {
    end_device();
    const gpu::DeviceOptions options = window_options(settings_, system_);
    instance_ = std::make_unique<gpu::Instance>(options);
    window_.remake_surface(instance_->handle());
    gpu_ = std::make_unique<Gpu>(*instance_, options, window_, !full_speed_);
    upload(*scene_);
    resolve_settings();
    remade_ = true;
}

// How the scene there is now is drawn by the settings. Throws Error when the device can't.
void Viewer::make_plan() {
    planned_for_ = gpu_->swapchain.extent();
    plan_ = render::resolve(settings_.frame, gpu_->device.capabilities(), facts());
    history_.clear();  // times of another plan or window say nothing of this one
    gpu_->renderer.prepare(plan_, true);
}

// What a plan must know of the scene and the window.
render::SceneFacts Viewer::facts() const {
    render::SceneFacts out = gpu_->renderer.facts();
    out.width = gpu_->swapchain.extent().width;
    out.height = gpu_->swapchain.extent().height;
    return out;
}

// Resolves the settings for the scene and the window there are now. What was chosen for others and can't be done for
// these becomes automatic, with a message.
void Viewer::resolve_settings() {
    try {
        make_plan();
    } catch (const Error& error) {
        settings_.frame.expansion.reset();
        settings_.frame.occlusion_detail.reset();
        const std::optional<render::Backend> backend = settings_.frame.backend;
        if (backend && render::backend_unavailable(*backend, gpu_->device.capabilities(), facts()))
            settings_.frame.backend.reset();
        make_plan();
        ui_.toasts().show("plan", error.what());
    }
}

void Viewer::upload(const scene::EncodedScene& scene) {
    gpu_->renderer.set_scene(scene, settings_.scene);
    seen_.reset();
    click_.reset();
    selection_ = {};
    picked_.reset();
    memory_seen_at_ = -1.0;
    history_.clear();
    results_.clear();
    other_plan_.reset();
    scene_frame_ = 0;
    if (settings_.frame.freeze_culling >= 0) settings_.frame.freeze_culling = 0;  // frames are counted anew
    notes_ = all_notes(scene, gpu_->renderer);
}

// Uploads a scene and makes it the one that is shown; on an Error the old one stays.
void Viewer::show_scene(SceneRequest request, std::unique_ptr<scene::EncodedScene> scene) {
    const bool first = !scene_;
    upload(*scene);
    scene_ = std::move(scene);
    request_ = std::move(request);
    settings_.frame.freeze_culling = options_.settings.frame.freeze_culling;
    if (first) {  // the command line's: an Error is the end
        make_plan();
    } else {
        resolve_settings();
    }
    scene_cameras_ = render::scene_cameras(*scene_);
    reset_camera();
    changed_ = true;
}

void Viewer::take_loaded() {
    for (const std::filesystem::path& path : window_.take_dropped()) {
        if (path.extension() == ".json") {
            open_path(path);
        } else {
            loader_.request({path, settings_.scene.seed});
        }
    }
    const std::optional<SceneRequest> pending = loader_.pending();
    loading_ = pending ? scene_name(pending->path) : std::string();
    std::optional<LoadedScene> loaded = loader_.take();
    if (!loaded) return;
    changed_ = true;
    if (!loaded->scene) {
        ui_.toasts().show("scene", loaded->error, loaded->outside ? "Open it anyway" : "");
        if (loaded->outside) refused_ = loaded->request;
        return;
    }
    show_notes(loaded->scene->notes);
    try {
        // Another scene has its own cameras.
        if (loaded->request.path != request_.path) {
            settings_.frame.camera.reset();
            bookmarks_ = {};
            player_.set_path({});
        }
        show_scene(loaded->request, std::move(loaded->scene));
        ui_.toasts().clear("scene");
        ui_.toasts().clear("plan");
        ui_.hide_hint();
        update_title();
    } catch (const Error& error) {
        ui_.toasts().show("scene", error.what());
    }
}

float Viewer::aspect() const {
    const VkExtent2D extent = gpu_->swapchain.extent();
    return extent.height == 0 ? 1.0F : static_cast<float>(extent.width) / static_cast<float>(extent.height);
}

render::Projection Viewer::projection() const {
    return settings_.frame.projection.value_or(scene_projection_);
}

UiModel Viewer::model() const {
    UiModel model;
    SettingsModel& settings = model.settings;
    settings.device = &gpu_->device.capabilities();
    settings.scene = facts();
    settings.plan = &shown_plan();
    settings.running = settings_;
    settings.running.frame = render::as_planned(settings_.frame, plan_);
    settings.running.frame.projection = projection();
    settings.running.frame.camera = camera_.pose();
    settings.running.frame.near_plane = near_plane_;
    settings.builtin_scene = request_.path.empty();
    settings.frame = scene_frame_;
    NumbersModel& numbers = model.numbers;
    numbers.device = settings.device;
    numbers.history = &history_;
    numbers.counters = &gpu_->renderer.counters();
    numbers.totals = gpu_->renderer.totals();
    numbers.memory = memory_;
    numbers.device_memory = device_memory_;
    numbers.ui_ms = ui_ms();
    if (settings_.frame.difference) numbers.differing_pixels = gpu_->renderer.differing_pixels();
    numbers.ambiguous = ambiguous_pixels_ ? &*ambiguous_pixels_ : nullptr;
    CameraModel& camera = model.camera;
    camera.flying = camera_.mode() == CameraMode::kFirstPerson;
    camera.speed = camera_.speed();
    camera.speed_factor = camera_.speed_factor();
    camera.near_plane = near_plane_;
    camera.bookmarks = &bookmarks_;
    camera.cameras = scene_cameras_;
    camera.player = &player_;
    camera.recording = recorder_.recording();
    camera.recorded_seconds = recorder_.seconds();
    model.picked = picked_ ? &*picked_ : nullptr;
    model.other = other_ ? &*other_ : nullptr;
    model.other_shown = other_plan_.has_value();
    model.extent = gpu_->swapchain.extent();
    model.loading = loading_;
    model.notes = notes_;
    return model;
}

double Viewer::ui_ms() const {
    const std::size_t count = std::min<std::size_t>(shown_, ui_times_.size());
    if (count == 0) return 0.0;
    std::array<double, kUiTimes> sorted = ui_times_;
    auto* const middle = sorted.begin() + count / 2;
    std::nth_element(sorted.begin(), middle, sorted.begin() + count);
    return *middle;
}

// Now and then: some drivers take long to tell.
void Viewer::look_at_memory() {
    const double now = clock_.seconds();
    if (now < memory_seen_at_ + kMemoryEverySeconds) return;
    memory_seen_at_ = now;
    memory_ = gpu_->renderer.memory();
    device_memory_ = gpu_->device.memory_usage();
}

void Viewer::draw_ui() {
    look_at_memory();
    const Stopwatch watch;
    UiModel shown = model();
    const std::string name = scene_name(request_.path);
    shown.scene_name = name;
    if (context_.set_scale(window_.scale())) gpu_->imgui.upload_font();
    ImguiLayer::begin_frame();
    ImguiContext::begin_frame();
    const render::Settings before = settings_;
    // While the other settings are shown, the panels show them too, for reading.
    const bool other = other_plan_.has_value();
    if (other) settings_ = *other_;
    UiEvents events = ui_.draw(shown, settings_);
    if (other) {
        settings_ = before;
        events = {};
    }
    if (std::exchange(fit_to_panels_, false)) fit_start_to_panels();
    take_pointer();
    take_keys();
    ImguiContext::end_frame();
    ui_times_[shown_ % ui_times_.size()] = watch.milliseconds();
    apply_events(events, before);
}

void Viewer::draw_frame(VkExtent2D extent) {
    Gpu& g = *gpu_;
    const VkExtent2D now = g.swapchain.extent();
    if (now.width != planned_for_.width || now.height != planned_for_.height) resolve_settings();
    gpu::Frame& frame = g.ring.begin();
    const std::optional<gpu::SwapchainImage> image = g.swapchain.acquire(frame);
    if (!image) {
        g.ring.abandon();
        g.swapchain.resize(extent);
        return;
    }
    const VkExtent2D size = g.swapchain.extent();
    const render::View view = render::make_view(camera_.pose(), near_plane_, projection(), aspect());
    const Stopwatch watch;
    const std::uint64_t pipelines = g.device.fresh_pipelines();
    try {
        g.renderer.begin(frame);
        g.renderer.draw(view, shown_plan(), size.width, size.height, 0, inspection_);
        if (click_ && click_->frame == 0) click_->frame = frame.number;
        show_picture(frame.commands, *image);
        g.renderer.end();
    } catch (const Error& error) {
        // New settings that the device can't run after all (no memory, say) are taken back; anything else is the end.
        g.ring.abandon();
        if (!unproven_) throw;
        settings_ = *std::exchange(unproven_, std::nullopt);
        upload(*scene_);  // the settings of the scene's scope are among them
        make_plan();
        ui_.toasts().show("settings", error.what());
        g.swapchain.resize(extent);  // its image was acquired, and is not shown
        return;
    }
    unproven_.reset();
    g.ring.submit(image->sync(kAcquired.stages));
    const double cpu_ms = watch.milliseconds();
    const double ended = clock_.seconds();
    const bool timed = frame_ended_ >= 0 && cold_frames_ == 0;
    history_.submitted(frame.number, timed ? std::optional((ended - frame_ended_) * 1e3) : std::nullopt, cpu_ms);
    frame_ended_ = ended;
    cold_frames_ = g.device.fresh_pipelines() != pipelines ? gpu::kFramesInFlight : std::max(cold_frames_ - 1, 0);
    ++scene_frame_;
    ++shown_;
    const bool fits = g.swapchain.present(*image);
    if (settings_.frame.count_ties) count_ambiguous_pixels(view);
    if (!fits) g.swapchain.resize(extent);
}

// The picture in the window's image, and the panels over it.
void Viewer::show_picture(VkCommandBuffer commands, const gpu::SwapchainImage& image) {
    Gpu& g = *gpu_;
    gpu::image_barrier(commands, image.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                       kAcquired, gpu::kTransferWrite);
    blit(commands, g.renderer.color(), image.image, g.swapchain.extent());
    gpu::image_barrier(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                       VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, gpu::kTransferWrite, gpu::kColorAttachment);
    {
        const auto pass = g.renderer.pass("user interface");
        g.imgui.render(commands, image.view, g.swapchain.extent());
    }
    gpu::image_barrier(commands, image.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                       gpu::kColorAttachment, gpu::kNothing);
}

void Viewer::count_ambiguous_pixels(const render::View& view) {
    try {
        ambiguous_pixels_ = gpu_->renderer.count_ambiguous_pixels(view);
    } catch (const Error& error) {
        settings_.frame.count_ties = false;
        ui_.toasts().show("count-ties", error.what());
    }
}

void Viewer::update_title() {
    const std::optional<double> interval = history_.median(FrameHistory::Time::kInterval);
    window_.set_title("Sublet - " + scene_name(request_.path) + (interval ? " - " + fixed(*interval, 1) + " ms" : ""));
    titled_at_ = clock_.seconds();
}

void Viewer::take_results() {
    for (const render::FrameResult& result : gpu_->renderer.take_results()) {
        history_.add(result, gpu_->device.capabilities().timestamps);
        results_.push_back(result);
        if (results_.size() > kResultsKept) results_.pop_front();
    }
}

bool Viewer::wants_frame() {
    const bool moved = camera_.pose() != last_pose_;
    last_pose_ = camera_.pose();
    const FramePacing::Decision decision =
        pacing_.next({.now = clock_.seconds(),
                      .active = window_.take_activity() || std::exchange(changed_, false) || moved,
                      .animated = !loading_.empty() || camera_.animating() || player_.playing() ||
                                  recorder_.recording() || other_plan_,
                      .blinks = ImGui::GetIO().WantTextInput,
                      .focused = window_.focused(),
                      .full_speed = full_speed_ || options_.frames != 0});
    if (decision.draw) return true;
    frame_ended_ = -1;  // what passes until the next one is not its time
    window_.wait(decision.wait_seconds);
    return false;
}

void Viewer::run() {
    while (!window_.should_close() && (options_.frames == 0 || shown_ < options_.frames)) {
        window_.poll();
        take_loaded();
        const VkExtent2D extent = window_.extent();
        if (extent.width == 0 || extent.height == 0) {
            window_.wait(0.1);  // minimized: there is nothing to draw
            continue;
        }
        if (!wants_frame()) continue;
        const VkExtent2D shown = gpu_->swapchain.extent();
        if (shown.width != extent.width || shown.height != extent.height) gpu_->swapchain.resize(extent);
        draw_ui();
        if (std::exchange(remade_, false)) continue;  // what the panels drew belongs to the old device
        draw_frame(extent);
        take_results();
        if (clock_.seconds() - titled_at_ > kTitleEverySeconds) update_title();
    }
}

Json Viewer::close() {
    gpu_->renderer.finish();
    RunResult run;
    run.settings = settings_;
    run.settings.frame = render::as_planned(settings_.frame, plan_);
    run.settings.frame.camera = camera_.pose();
    run.settings.frame.near_plane = near_plane_;
    run.settings.frame.projection = projection();
    set_budgets(run.settings, gpu_->renderer.budgets());
    run.size = {gpu_->swapchain.extent().width, gpu_->swapchain.extent().height};
    run.frames = static_cast<std::uint32_t>(shown_);
    take_results();
    for (const render::FrameResult& frame : results_) {
        add_pass_times(frame, run.passes);
        if (frame.fresh_pipelines) continue;
        ++run.frames_timed;
        run.gpu_ms.push_back(frame.times.ms);
    }
    if (const auto cpu = history_.median(FrameHistory::Time::kCpu)) run.cpu_ms.push_back(*cpu);
    run.counters = gpu_->renderer.counters();
    run.totals = gpu_->renderer.totals();
    if (settings_.frame.difference) run.differing_pixels = gpu_->renderer.differing_pixels();
    run.memory = gpu_->renderer.memory();
    run.device_memory = gpu_->device.memory_usage();
    run.ambiguous = ambiguous_pixels_;
    run.notes = notes_;
    Json json{{"scene", scene_name(request_.path)}};
    json.update(run_json(run, gpu_->device.capabilities()));
    json["widgets"] = ui_.widgets_json();
    json["ui_cpu_ms"] = ui_ms();
    json["free_rectangle"] = ui_.free_rectangle();
    json["picked"] = picked_ ? pick_json(*picked_) : Json();
    json["camera_mode"] = camera_.mode() == CameraMode::kFirstPerson ? "first person" : "orbit";
    const bool validated = instance_->validation();
    end_device();
    if (validated || messages_before_ > 0) validation_messages_ = messages_before_;
    json["validation_messages"] = optional_json(validation_messages_);
    return json;
}

}  // namespace sublet::app
