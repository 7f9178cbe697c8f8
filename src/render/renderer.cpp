#include "render/renderer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "gpu/barriers.h"
#include "gpu/pipelines.h"
#include "gpu/upload.h"
#include "render/ambiguous_pixels.h"
#include "render/backends/backends.h"
#include "render/backends/raster_wide_ids.h"
#include "render/derived_plans.h"
#include "render/difference.h"
#include "render/frame_results.h"
#include "render/inspect/floor_grid_pass.h"
#include "render/inspect/motion.h"
#include "render/inspect/overlay.h"
#include "render/inspect/rejects.h"
#include "render/phases.h"
#include "render/raster_difference.h"
#include "render/scene/animate.h"
#include "render/scene/decode.h"
#include "render/scene/deform.h"
#include "render/scene/gpu_scene.h"
#include "render/scene/hide.h"
#include "render/shade/average.h"
#include "render/shade/shade.h"
#include "render/view/read_seen.h"
#include "render/view/views.h"
#include "scene/hidden_nodes.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/exposure.h"
#include "shaders/shared/raster_difference.h"

namespace sublet::render {
namespace {

// `selection`, if there is such a thing in the scene; else nothing.
Selection in_scene(const Selection& selection, const GpuScene& scene) {
    const bool known = selection.instance < scene.instance_count &&
                       selection.sublet < scene.mesh_headers[scene.instance_data[selection.instance].mesh].sublet_count;
    return known ? selection : Selection{};
}

// Views that others are compared with, by the number of those.
constexpr std::uint32_t kReferenceView = 0x80000000U;

}  // namespace

struct Renderer::Impl {
    explicit Impl(gpu::Device& device)
        : device(device),
          profiler(device),
          decode(device),
          no_textures(device, 0),
          shade(device, no_textures.layout()) {}

    [[nodiscard]] shared::FrameData make_frame_data(const View& view, const View& cull_view, const FramePlan& plan,
                                                    const SurvivorPlan& survivors, VkExtent2D extent) const {
        return render::frame_data(view, cull_view, plan, *scene, survivors, extent, device.capabilities().limits);
    }

    FrameParts make_parts(gpu::Frame& of) { return {device, of, profiler, pipelines, decode, *scene, backends, hooks}; }

    void draw(const View& view, const FramePlan& plan, VkExtent2D extent, std::uint32_t view_id,
              const Inspection& inspection, bool plain);

    // What every frame of a plan takes: placing, culling, drawing.
    [[nodiscard]] gpu::PipelineList geometry_pipelines(const FramePlan& plan) {
        gpu::PipelineList list;
        add_phase_pipelines(backends, *scene, plan, list);
        add_raster_wide_ids_pipelines(*scene, plan, list);
        if (scene->hides) HidePass::add_pipelines(list);
        add_animate_pipelines(*scene, list);
        add_deform_pipelines(*scene, list);
        return list;
    }

    // And what a frame that is not plain takes besides: those that take longest come first.
    [[nodiscard]] gpu::PipelineList look_pipelines(const FramePlan& plan, bool inspected) const {
        gpu::PipelineList list;
        shade.add_pipelines(*scene, plan, inspected, list);
        Environment::add_pipelines(plan, list);
        add_rejects_pipelines(plan, list);
        add_motion_pipelines(*scene, plan, list);
        add_overlay_pipelines(*scene, plan, list);
        return list;
    }

    [[nodiscard]] FramePlan plain_plan(const FramePlan& plan) const {
        return render::plain_plan(plan, *scene, device.capabilities(), hooks);
    }

    [[nodiscard]] gpu::PipelineList all_pipelines(const FramePlan& plan, bool inspected) {
        gpu::PipelineList list = geometry_pipelines(plan);
        list.append(look_pipelines(plan, inspected));
        return list;
    }

    // Whether a frame of this plan lacks pipelines yet. They are then being compiled.
    [[nodiscard]] bool lacks_pipelines(const FramePlan& plan, bool inspected) {
        if (!plain_first || !scene || ready_plan == plan) return false;
        const gpu::PipelineList list = all_pipelines(plan, inspected);
        if (!pipelines.ready(list)) {
            pipelines.start(list);
            return true;
        }
        ready_plan = plan;
        if (std::exchange(drew_directly, false) && plan.backend != Backend::kDirect) {
            backends.get(Backend::kDirect).scene_changed();  // its indices take memory
        }
        return false;
    }

    // For the frame that begins.
    void take_textures(std::uint32_t slot) {
        NoteCollector collector;
        scene->textures->advance(slot);
        const std::vector<std::string> more = collector.take();
        notes.insert(notes.end(), more.begin(), more.end());
    }

    // Places what moves, for the frame that begins.
    void animate() {
        if (!scene->animation.places()) return;
        std::vector<float> times = animation_times(*scene, wanted_times);
        times_before = std::exchange(times_now, times);
        if (times_before.size() != times.size()) times_before = times;
        if (placed_at == times) return;
        placed_at.reset();
        record_animate(*frame, profiler, pipelines, *scene, times, hooks.fault);
        deform.poses_changed();
        placed_at = std::move(times);
    }

    // What deforms, as the view needs it. Where only what lies within its planes is looked at, no more is deformed.
    void deform_for(const FramePlan& plan, const shared::FrameData& data, const gpu::Buffer& frame_data) {
        const bool only_seen = plan.cull_instances && plan.cull_frustum && plan.backend != Backend::kDirect &&
                               plan.show != Show::kCulled && plan.bounds == Bounds::kOff;
        const bool late = hooks.fault == Fault::kBoundsOfLastPose;
        deform.record(*frame, profiler, pipelines, *scene,
                      {.data = data, .frame_data = frame_data, .all = !only_seen || late, .bounds_late = late});
    }

    // After a frame that could not be recorded to its end and will not run: what it was to fill is not filled. What
    // is made for a scene while recording is made anew.
    void forget_unfinished() {
        device.wait_idle();
        backends.scene_changed();
        views.forget_frame();
        environment.forget();
        placed_at.reset();
        deform.poses_changed();
        hide.record_again();
        times_now.clear();
        frame = nullptr;
    }

    void specialize() {
        pipelines.specialize(
            {{shared::kSpecDeforms, scene->deform.kinds}, {shared::kSpecHides, scene->hides ? 1U : 0U}});
    }

    gpu::Device& device;
    gpu::Profiler profiler;
    DecodePass decode;
    gpu::BindlessTextures no_textures;  // for its layout
    gpu::Pipelines pipelines{device};   // behind what those being compiled still use
    ShadePass shade;
    Environment environment{device};
    std::optional<AmbiguousPixelsPass> ambiguous;
    std::optional<RasterDifferencePass> raster_difference;
    std::optional<DifferencePass> difference;
    std::optional<AveragePass> average;
    DeformPass deform;
    MotionPass motion{device};
    HidePass hide{device};
    std::unique_ptr<GpuScene> scene;
    std::vector<std::string> notes;  // on its upload
    scene::AnimationTimes wanted_times;
    std::optional<std::vector<float>> placed_at;  // times of the animations that its instances are placed by
    std::vector<float> times_now, times_before;   // those of this frame and of the last
    Backends backends{device};
    TestHooks hooks;
    Views views{device};
    FrameResults results;
    bool plain_first = false;             // Preparing::kPlainFirst,
    bool inspects = false;                // and what goes with it: prepare()
    std::optional<FramePlan> ready_plan;  // one that lacks no pipelines, for this scene
    bool drew_directly = false;           // plain pictures, since then
    bool plain_frame = false;             // the frame that was begun has a plain picture
    gpu::Frame* frame = nullptr;          // between begin() and end()
    std::uint64_t fresh_pipelines = 0;    // before it
    std::uint64_t compact_budget = 0;     // that the last view was drawn with
    std::string pass_prefix;              // set_pass_prefix()
};

Renderer::Renderer(gpu::Device& device) : impl_(std::make_unique<Impl>(device)) {}

Renderer::~Renderer() {
    try {
        impl_->device.wait_idle();
    } catch (const Error&) {  // the device is lost: nothing is left to wait for
    }
}

void Renderer::set_scene(const scene::EncodedScene& scene, const SceneSettings& settings, TextureLoading textures) {
    NoteCollector collector;
    const std::vector<char> hidden = scene::hidden_nodes(scene.scene, settings.hide, settings.isolate);
    std::unique_ptr<GpuScene> made = upload_scene(impl_->device, scene, settings, impl_->hooks.wide_ids);
    gpu::submit_and_wait(impl_->device, "decoding the scene",
                         [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
                             impl_->decode.record_vertices(commands, arena, *made);
                         });
    if (textures == TextureLoading::kBeforeFrames) made->textures->finish();
    if (impl_->scene) impl_->device.wait_idle();
    impl_->backends.scene_changed();
    impl_->scene = std::move(made);
    impl_->hide.forget();
    set_hidden(hidden);
    impl_->ready_plan.reset();
    impl_->placed_at.reset();
    impl_->deform.poses_changed();
    impl_->times_now.clear();
    impl_->notes = collector.take();
    impl_->views.scene_changed();
}

void Renderer::set_hidden(const std::vector<char>& nodes) {
    Impl& d = *impl_;
    if (!d.scene) {
        throw Error("renderer", "scene", "none was set");
    }
    // Once something was hidden, pipelines keep looking: they are not made anew for what comes next.
    d.scene->hides = d.hide.set(*d.scene, nodes) || d.scene->hides;
    d.ready_plan.reset();
    d.specialize();
}

std::size_t Renderer::textures_left() const {
    return impl_->scene ? impl_->scene->textures->left() : 0;
}

void Renderer::prepare(const FramePlan& plan, bool inspected, Preparing preparing) {
    Impl& d = *impl_;
    if (!d.scene) {
        throw Error("renderer", "scene", "none was set");
    }
    d.plain_first = preparing == Preparing::kPlainFirst;
    d.inspects = inspected;
    gpu::PipelineList list = d.all_pipelines(plan, inspected);
    if (d.plain_first && !d.pipelines.ready(list)) {
        const FramePlan first = d.plain_plan(plan);
        list = d.geometry_pipelines(first);
        ShadePass::add_plain_pipelines(*d.scene, first, list);
    }
    d.pipelines.prepare(list);
    static_cast<void>(d.lacks_pipelines(plan, inspected));  // behind those, which the first picture waits for
    d.environment.prepare(plan);
    d.backends.get(plan.backend).prepare(*d.scene, plan, d.hooks);
    if (plan.difference) {
        prepare(reference_plan(plan), false, preparing);
        d.inspects = inspected;
    }
    if (plan.cull_occlusion) d.views.prepare(0, VisibilityOutput(*d.scene, plan).in_compute());
}

bool Renderer::plain(const FramePlan& plan) {
    Impl& d = *impl_;
    return d.lacks_pipelines(plan, d.inspects) || (plan.difference && d.lacks_pipelines(reference_plan(plan), false));
}

gpu::Compiling Renderer::compiling() const {
    return impl_->pipelines.compiling();
}

void Renderer::begin(gpu::Frame& frame) {
    Impl& d = *impl_;
    if (!d.scene) {
        throw Error("renderer", "scene", "none was set");
    }
    d.take_textures(frame.slot);
    d.frame = &frame;
    d.views.begin_frame(frame.slot);
    d.fresh_pipelines = d.device.fresh_pipelines();
    d.plain_frame = false;
    set_pass_prefix({});
    d.results.begin(frame, d.profiler.begin_frame(frame));
    if (d.difference) d.difference->begin(frame);
    for (const ViewCounters& of_view : d.results.newest().views) {
        d.views.note_rounds(of_view.view, of_view.recorded_rounds, static_cast<std::uint32_t>(of_view.counters.rounds));
    }
    try {
        d.hide.record(frame, d.profiler, d.pipelines, *d.scene);
        d.animate();
    } catch (...) {
        d.forget_unfinished();
        throw;
    }
}

AnimationState Renderer::animation() const {
    AnimationState out;
    if (!impl_->scene || !impl_->scene->animation.moves()) return out;
    const SceneAnimation& animation = impl_->scene->animation;
    out.playing = animation.names;
    out.deforms = animation.poses_move;
    out.instances = animation.moved_count + (animation.poses_move ? impl_->scene->deform.instance_count : 0);
    out.hiding = animation.shown_count;
    out.materials = animation.driver_count;
    for (const double length : animation.lengths) out.length = std::max(out.length, length);
    return out;
}

void Renderer::set_time(const scene::AnimationTimes& times) {
    impl_->wanted_times = times;
}

void Renderer::draw(const View& view, const FramePlan& plan, std::uint32_t width, std::uint32_t height,
                    std::uint32_t view_id, const Inspection& inspection) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    const VkExtent2D extent{width, height};
    const auto span = d.profiler.span(d.frame->commands, view_name(view_id).c_str());
    bool as_plain = false;
    try {
        as_plain = plain(plan);
    } catch (...) {
        d.forget_unfinished();
        throw;
    }
    d.plain_frame = d.plain_frame || as_plain;
    if (as_plain || !plan.difference) {
        const FramePlan drawn = as_plain ? d.plain_plan(plan) : plan;
        d.drew_directly = d.drew_directly || drawn.backend != plan.backend;
        d.draw(view, drawn, extent, view_id, inspection, as_plain);
        return;
    }
    d.profiler.set_prefix(d.pass_prefix + "reference: ");
    d.draw(view, reference_plan(plan), extent, view_id | kReferenceView, {}, false);
    d.profiler.set_prefix(d.pass_prefix);
    d.draw(view, plan, extent, view_id, inspection, false);
    if (!d.difference) d.difference.emplace(d.device);
    d.difference->record(*d.frame, d.profiler, d.pipelines, d.views.drawn(view_id).color,
                         d.views.drawn(view_id | kReferenceView).color);
}

void Renderer::set_pass_prefix(std::string prefix) {
    impl_->pass_prefix = std::move(prefix);
    impl_->profiler.set_prefix(impl_->pass_prefix);
}

void Renderer::Impl::draw(const View& view, const FramePlan& plan, VkExtent2D extent, std::uint32_t view_id,
                          const Inspection& inspection, bool plain) {
    gpu::Frame& recorded = *frame;
    try {
        ViewState& state = views.take(view_id);
        state.prepare(VisibilityOutput(*scene, plan), extent, plan, scene->drawable_sublets);
        state.freeze(view, plan);
        const bool frozen = state.was_frozen && state.frozen.has_value();
        const View& cull_view = state.frozen ? *state.frozen : view;
        const ViewState::Slot& slot = state.slots[recorded.slot];
        FrameLists lists{.survivors = backends.get(plan.backend).survivors(*scene, plan)};
        lists.rounds = state.rounds.next(plan, std::min(lists.survivors.rounds, hooks.most_rounds));
        const shared::FrameData data = make_frame_data(view, cull_view, plan, lists.survivors, extent);
        std::memcpy(slot.frame_data.mapped(), &data, sizeof(data));

        // Everything that drawing a view writes was read by the one before, in this frame or the last.
        gpu::memory_barrier(recorded.commands, gpu::kEverything, gpu::kEverything);
        deform_for(plan, data, slot.frame_data);
        const std::size_t phases = plan.cull_occlusion && !frozen ? 2 : 1;
        const bool by_bits = plan.cull_occlusion && frozen && state.frozen_visibility;
        VisibilityOutput::open(recorded.commands, state.targets);
        Inspection asked;
        if (!plain) asked = inspection;
        asked.selection = in_scene(asked.selection, *scene);
        state.inspector.begin(recorded, asked, view, extent);
        const FrameParts parts = make_parts(recorded);
        {
            const gpu::DebugLabel label = profiler.label(recorded.commands, "reset");
            begin_phases(parts, state, plan, lists, cull_view, phases);
        }
        const std::vector<gpu::Descriptor> scene_set = scene_descriptors(*scene, &slot.frame_data);
        const CpuCounters cpu = record_phases(parts, state, plan, lists, cull_view, scene_set, frozen);
        compact_budget = cpu.compact_budget;
        record_raster_wide_ids(recorded, profiler, pipelines, *scene, plan, scene_set, state.targets);
        const bool exposed = !plan.ev && !plain;
        const InspectContext inspect{recorded, profiler, pipelines, *scene, plan, scene_set, state};
        if (plain) {
            VisibilityOutput::close(recorded.commands, state.targets);
            shade.record_plain(recorded, profiler, pipelines, *scene, plan, scene_set, state);
        } else {
            if (plan.show == Show::kHiz && !state.has_pyramid(plan)) {
                state.visibility.build_final_pyramid(recorded, profiler, state.targets, plan.group_tiling);
            }
            record_verdicts(inspect);
            environment.record(recorded, profiler, pipelines, plan);
            VisibilityOutput::close(recorded.commands, state.targets);
            motion.record(inspect, view, times_before);
            shade.record(recorded, profiler, pipelines, *scene, plan, scene_set, state, environment, phases == 2, asked,
                         exposed && view.averaged == 0);
            record_culled(inspect);
            record_overlay(inspect, asked, state.frozen ? &*state.frozen : nullptr);
            if (view.averaged != 0) {
                if (!average) average.emplace(device);
                average->record(recorded, profiler, pipelines, state.color, view.averaged, view.repeated);
            }
        }
        gpu::memory_barrier(recorded.commands, gpu::kDraw | gpu::kCompute, gpu::kTransferRead);
        const gpu::DebugLabel label = profiler.label(recorded.commands, "read back");
        for (std::size_t phase = 0; phase < phases; ++phase) {
            const VkDeviceSize bytes = lists.rounds * sizeof(shared::CullState);
            const VkBufferCopy copy{0, phase * bytes, bytes};
            vkCmdCopyBuffer(recorded.commands, state.cull_states[phase].handle(), slot.counters.handle(), 1, &copy);
        }
        if (exposed) {
            const VkBufferCopy copy{offsetof(shared::ExposureState, exposure), ViewState::kExposureAt, sizeof(float)};
            vkCmdCopyBuffer(recorded.commands, state.exposure.handle(), slot.counters.handle(), 1, &copy);
        }
        state.inspector.end(recorded);
        results.add_view(recorded, {.view = view_id,
                                    .readback = &slot.counters,
                                    .rounds = lists.rounds,
                                    .counted = plan.collect_counters,
                                    .exposed = exposed,
                                    .frame = {.backend = plan.backend,
                                              .detail = kept_detail(plan),
                                              .phases = phases,
                                              .by_bits = by_bits,
                                              .instances = scene->instance_count,
                                              .pixels = std::uint64_t{extent.width} * extent.height,
                                              .cpu = cpu}});
        state.last = view;
        ++state.frames;
    } catch (...) {
        forget_unfinished();
        throw;
    }
}

gpu::Profiler::Pass Renderer::pass(const char* name) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    return d.profiler.pass(d.frame->commands, name);
}

void Renderer::draw_floor_grid(const FloorGrid& grid, const View& view, const FloorGridTarget& target,
                               std::uint32_t view_id) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    record_floor_grid(*d.frame, d.profiler, d.pipelines, *d.scene, d.views.drawn(view_id), view, grid, target);
}

void Renderer::end() {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    gpu::memory_barrier(d.frame->commands, gpu::kTransferWrite, gpu::kHostRead);
    d.profiler.end_frame(*d.frame);
    d.results.end(*d.frame, d.device.fresh_pipelines() != d.fresh_pipelines, d.plain_frame);
    d.frame = nullptr;
}

const Counters& Renderer::counters() const {
    return impl_->results.newest().counters;
}

const gpu::FrameTimes& Renderer::times() const {
    return impl_->results.newest().times;
}

std::vector<FrameResult> Renderer::take_results() {
    return impl_->results.take();
}

void Renderer::finish() {
    impl_->device.wait_idle();
    impl_->results.finish(impl_->profiler.collect());
    impl_->views.finish();
    if (impl_->difference) impl_->difference->finish();
}

std::optional<std::uint64_t> Renderer::differing_pixels() const {
    return impl_->difference ? impl_->difference->pixels() : std::nullopt;
}

std::optional<InspectionResult> Renderer::inspected(std::uint32_t view_id) const {
    return impl_->views.inspected(view_id);
}

const std::vector<std::string>& Renderer::notes() const {
    return impl_->notes;
}

void Renderer::set_test_hooks(const TestHooks& hooks) {
    impl_->hooks = hooks;
    impl_->pipelines.set_gate(hooks.before_compiling);
}

SceneFacts Renderer::facts() const {
    return impl_->scene ? impl_->scene->facts : SceneFacts{};
}

const gpu::Image& Renderer::color(std::optional<std::uint32_t> view) const {
    return impl_->views.drawn(view).color;
}

SceneTotals Renderer::totals() const {
    return impl_->scene ? impl_->scene->totals : SceneTotals{};
}

MemoryUse Renderer::memory() const {
    const Impl& d = *impl_;
    MemoryUse out;
    if (d.scene) {
        out.geometry = d.scene->geometry_bytes;
        out.decoded = d.scene->decoded_bytes;
        out.instances = d.scene->instance_bytes + d.hide.bytes();
        out.materials = d.scene->material_bytes + d.scene->textures->bytes();
        out.animation = d.scene->animation_bytes + d.motion.bytes();
        out.deformation = d.scene->deform.bytes;
    }
    const TransientBytes transient = d.backends.transient_bytes();
    out.decoded += d.backends.decoded_bytes();
    out.survivors = transient.survivors;
    out.triangles = transient.triangles;
    out.occlusion = d.views.visibility_bytes();
    out.targets = d.views.target_bytes() + (d.average ? d.average->bytes() : 0);
    out.environment = d.environment.bytes();
    out.scene = out.instances + out.materials;
    out.transient = out.survivors + out.triangles + out.occlusion;
    const std::uint64_t named = out.geometry + out.decoded + out.scene + out.transient + out.targets + out.animation +
                                out.deformation + out.environment;
    const std::uint64_t used = d.device.memory_usage().used;
    out.other = used > named ? used - named : 0;
    return out;
}

Budgets Renderer::budgets() const {
    return {impl_->scene ? impl_->scene->survivor_budget : 0, impl_->compact_budget};
}

Picture Renderer::read_picture(bool with_depth, bool with_ids, std::optional<std::uint32_t> view) {
    Impl& d = *impl_;
    d.device.wait_idle();
    const gpu::Image& image = color(view);
    const Targets& targets = d.views.drawn(view).targets;
    Picture out;
    out.width = image.extent().width;
    out.height = image.extent().height;
    const std::vector<std::byte> color = gpu::read_image(d.device, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    out.rgba.resize(color.size());
    std::memcpy(out.rgba.data(), color.data(), color.size());
    if (const gpu::Image& kept = d.views.drawn(view).light) {
        const std::vector<std::byte> light = gpu::read_image(d.device, kept, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        out.light.resize(color.size() / 4 * 3);
        for (std::size_t i = 0; i < color.size() / 4; ++i) {
            std::memcpy(&out.light[3 * i], &light[16 * i], 3 * sizeof(float));
        }
    }
    if (with_depth || with_ids) {
        SeenPixels seen = read_seen(d.device, targets, with_ids);
        out.depth = std::move(seen.depth);
        out.ids = std::move(seen.ids);
    }
    return out;
}

AmbiguousPixels Renderer::count_ambiguous_pixels(const View& view) {
    Impl& d = *impl_;
    d.device.wait_idle();
    if (!d.scene) {
        throw Error("renderer", "ambiguous pixels", "no scene was set");
    }
    const VkExtent2D extent = color().extent();
    if (!d.ambiguous) {
        d.ambiguous.emplace(d.device, d.pipelines);
    }
    FramePlan plan;
    plan.device = plan_device(d.device.capabilities());
    plan.backend = Backend::kDirect;
    plan.cull_instances = plan.cull_frustum = plan.cull_cone = false;
    const gpu::Buffer data = make_frame_data(d.device, "ambiguous pixels: frame data");
    const shared::FrameData contents = d.make_frame_data(view, view, plan, {}, extent);
    std::memcpy(data.mapped(), &contents, sizeof(contents));
    ViewState reference(d.device);
    reference.targets = VisibilityOutput(*d.scene, plan).make_targets(d.device, extent);
    const gpu::Buffer indices = make_index_buffer(d.device, *d.scene, 32);
    d.take_textures(0);  // masks read them
    gpu::submit_and_wait(d.device, "drawing the reference", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        d.decode.record_indices(commands, arena, *d.scene, indices, 32);
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        d.deform.record(frame, d.profiler, d.pipelines, *d.scene, {.data = contents, .frame_data = data, .all = true});
        VisibilityOutput::open(commands, reference.targets);
        record_phases(d.make_parts(frame), reference, plan, {}, view, scene_descriptors(*d.scene, &data), false);
    });
    AmbiguousPixels out = d.ambiguous->run(*d.scene, indices, data, reference.targets);
    const Targets& drawn = d.views.drawn(std::nullopt).targets;
    if (!drawn.in_compute) return out;
    if (!d.raster_difference) {
        d.raster_difference.emplace(d.device, d.pipelines);
    }
    // Vertices are snapped twice: by the device, and to the rasteriser's own grid.
    const float snap = contents.subpixel_margin / static_cast<float>(contents.subpixels) + 1.0F / 256.0F;
    const std::vector<std::uint32_t> verdicts =
        d.raster_difference->run(*d.scene, data, drawn, reference.targets, snap);
    out.raster.emplace();
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        out.mask[i] |= static_cast<std::uint8_t>(verdicts[i] == shared::kRasterSame ? 0U : 2U << verdicts[i]);
        out.raster->edge_pixels += verdicts[i] == shared::kRasterEdge ? 1 : 0;
        out.raster->depth_pixels += verdicts[i] == shared::kRasterDepth ? 1 : 0;
        out.raster->wrong_pixels += verdicts[i] == shared::kRasterWrong ? 1 : 0;
    }
    return out;
}

}  // namespace sublet::render
