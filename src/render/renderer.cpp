#include "render/renderer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/backends/backends.h"
#include "render/inspect/floor_grid_pass.h"
#include "render/inspect/window_part.h"
#include "render/measure/reference_plan.h"
#include "render/renderer_impl.h"
#include "render/scene/decode.h"
#include "render/view/read_seen.h"
#include "scene/hidden_nodes.h"
#include "shaders/shared/raster_difference.h"

namespace sublet::render {

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
    const bool waits = settings.stream_wait.value_or(textures != TextureLoading::kWithFrames);
    SceneSettings decided = settings;  // of textures: geometry's waiting is up to its stream
    decided.stream_wait = waits && textures == TextureLoading::kBeforeEachFrame;
    std::unique_ptr<GpuScene> made = upload_scene(impl_->device, scene, decided, impl_->hooks);
    // Poses and their bounds are made from bind vertices before a frame draws.
    std::uint32_t parts = shared::kDecodeRecords;
    if (made->deform.any()) {
        make_vertices(impl_->device, *made);
        parts |= shared::kDecodeVertices;
    }
    gpu::submit_and_wait(impl_->device, "decoding the scene",
                         [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
                             record_decode(commands, arena, impl_->pipelines, *made, parts);
                         });
    std::unique_ptr<SceneStream> stream;
    if (!made->residency.whole()) {
        stream = std::make_unique<SceneStream>(impl_->device, scene, *made, waits);
        stream->load_roots(impl_->pipelines);
    }
    if (textures != TextureLoading::kWithFrames) made->textures->finish();
    if (made->facts.blended) {
        const auto note = blending_note(impl_->device.capabilities(), made->facts);
        if (note) note_once(*note);
    }
    if (impl_->scene) impl_->device.wait_idle();
    impl_->stream.reset();
    impl_->scene = std::move(made);
    impl_->stream = std::move(stream);
    impl_->pipelines.specialize({{shared::kSpecDeforms, impl_->scene->deform.kinds},
                                 {shared::kSpecLevels, impl_->scene->levels.any() ? 1U : 0U},
                                 {shared::kSpecWidePositions, impl_->scene->wide_positions ? 1U : 0U}});
    impl_->hide.forget();
    set_hidden(hidden);
    impl_->ready_plan.reset();
    impl_->placed_at.reset();
    impl_->deform.poses_changed();
    impl_->times_now.clear();
    impl_->notes = collector.take();
    impl_->views.scene_changed();
    ++impl_->changes;
}

bool Renderer::textures_wait() const {
    return impl_->scene && impl_->scene->textures->waits();
}

void Renderer::settle_textures(const FramePlan& plan) {
    if (!textures_wait()) return;
    finish();
    impl_->times_now = impl_->times_before;  // nobody has seen the frame
    NoteCollector collector;
    impl_->scene->textures->settle(plan.lod_fits);
    impl_->add_notes(collector.take());
}

void Renderer::set_hidden(const std::vector<char>& nodes) {
    Impl& d = *impl_;
    if (!d.scene) {
        throw Error("renderer", "scene", "none was set");
    }
    ++d.changes;
    d.scene->hides = d.hide.set(*d.scene, nodes) || d.scene->hides;
    d.scene->lights.set_hidden(nodes);
    d.ready_plan.reset();
}

std::size_t Renderer::textures_left() const {
    return impl_->scene ? impl_->scene->textures->left() : 0;
}

void Renderer::prepare(const FramePlan& plan, bool inspected, Preparing preparing) {
    prepare(std::span(&plan, 1), inspected, preparing);
}

void Renderer::prepare(std::span<const FramePlan> plans, bool inspected, Preparing preparing) {
    Impl& d = *impl_;
    if (!d.scene) {
        throw Error("renderer", "scene", "none was set");
    }
    d.plain_first = preparing == Preparing::kPlainFirst;
    d.inspects = inspected;
    gpu::PipelineList list;
    for (const FramePlan& plan : plans) {
        gpu::PipelineList wanted = d.all_pipelines(plan, inspected);
        if (d.plain_first && !d.pipelines.ready(wanted)) {
            const FramePlan first = d.plain_plan(plan);
            wanted = d.geometry_pipelines(first);
            ShadePass::add_plain_pipelines(*d.scene, wanted);
        }
        list.append(wanted);
    }
    d.pipelines.prepare(list);
    for (const FramePlan& plan : plans) {
        d.pictures.prepare(plan);
        static_cast<void>(d.lacks_pipelines(plan, inspected));  // behind those, which the first picture waits for
        if (plan.difference) {
            prepare(reference_plan(plan), false, preparing);
            d.inspects = inspected;
        }
    }
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
    d.take_times();
    if (d.stream && d.stream->waits()) d.place_now();
    d.views.begin_frame(frame.slot);
    d.fresh_pipelines = d.device.fresh_pipelines();
    d.plain_frame = false;
    set_pass_prefix({});
    d.results.begin(frame, d.profiler.begin_frame(frame));
    if (d.difference) d.difference->begin(frame);
    for (const ViewCounters& of_view : d.results.newest().views) {
        d.views.note_rounds(of_view.view, of_view.recorded_rounds, of_view.rounds_taken);
    }
    try {
        // Everything that a frame writes was read by the one before.
        gpu::memory_barrier(frame.commands, gpu::kEverything, gpu::kEverything);
        d.place(frame);
        d.scene->textures->begin(frame);
        if (d.stream && d.stream->begin(d.frame_context(frame))) ++d.changes;
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
        FramePlan drawn = as_plain ? d.plain_plan(plan) : plan;
        drawn.taa = drawn.taa && !as_plain;
        d.drew_directly = d.drew_directly || drawn.backend != plan.backend;
        d.draw_picture(view, drawn, extent, view_id, inspection, as_plain);
        return;
    }
    d.profiler.set_prefix(d.pass_prefix + "reference: ");
    d.draw_picture(view, reference_plan(plan), extent, view_id | kReferenceView, {}, false);
    d.profiler.set_prefix(d.pass_prefix);
    d.draw_picture(view, plan, extent, view_id, inspection, false);
    if (!d.difference) d.difference.emplace(d.device);
    d.difference->record(d.frame_context(*d.frame), color(view_id), color(view_id | kReferenceView));
}

void Renderer::set_pass_prefix(std::string prefix) {
    impl_->pass_prefix = std::move(prefix);
    impl_->profiler.set_prefix(impl_->pass_prefix);
}

void Renderer::draw_depth(const View& view, const FramePlan& plan, std::uint32_t width, std::uint32_t height,
                          std::uint32_t view_id) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    const auto span = d.profiler.span(d.frame->commands, view_name(view_id).c_str());
    const FramePlan drawn = d.with_room(plan);
    d.draw(*d.frame, view, drawn, {width, height}, view_id, DepthOutput(*d.scene, drawn), {});
}

std::vector<float> Renderer::read_depth(std::uint32_t view_id) {
    impl_->device.wait_idle();
    return read_seen(impl_->device, impl_->views.geometry(view_id).targets, false).depth;
}

gpu::Profiler::Pass Renderer::pass(const char* name) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    return d.profiler.pass(d.frame->commands, name);
}

void Renderer::draw_floor_grid(const FloorGrid& grid, const View& view, const WindowTarget& target,
                               std::uint32_t view_id) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    record_floor_grid(d.frame_context(*d.frame), *d.scene, d.views.drawn(view_id), view, grid, target);
}

void Renderer::draw_window_part(const WindowTarget& target, const Columns& columns, std::uint32_t view_id) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    const PictureState& picture = d.views.drawn(view_id).picture;
    record_window_part(d.frame_context(*d.frame), picture.color, picture.texel_sampler, target, columns);
}

void Renderer::end() {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    if (d.stream) d.stream->end(d.frame_context(*d.frame));
    d.scene->textures->end(*d.frame);
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
    if (impl_->stream) impl_->stream->set_gate(hooks.before_reading);
    if (impl_->scene) impl_->scene->textures->set_gate(hooks.before_reading);
}

SceneFacts Renderer::facts() const {
    return impl_->scene ? impl_->scene->facts : SceneFacts{};
}

const gpu::Image& Renderer::color(std::optional<std::uint32_t> view) const {
    return impl_->views.drawn(view).picture.color;
}

SceneTotals Renderer::totals() const {
    return impl_->scene ? impl_->scene->totals : SceneTotals{};
}

MemoryUse Renderer::memory() const {
    const Impl& d = *impl_;
    MemoryUse out;
    if (d.scene) {
        out.geometry = d.scene->geometry_bytes + (d.stream ? d.stream->bytes() : 0);
        out.decoded = d.scene->decoded_bytes + d.scene->vertices->bytes();
        out.instances = d.scene->instance_bytes + d.hide.bytes();
        out.materials = d.scene->material_bytes + d.scene->textures->bytes();
        out.animation = d.scene->animation_bytes + d.pictures.motion_bytes();
        out.deformation = d.scene->deform.bytes;
        out.lights = d.scene->lights.bytes;
    }
    const TransientBytes transient = d.views.transient_bytes();
    if (d.scene) out.decoded += d.scene->indices->bytes();
    out.survivors = transient.survivors;
    out.triangles = transient.triangles;
    out.occlusion = d.views.visibility_bytes();
    out.targets = d.views.target_bytes() + d.pictures.average_bytes();
    out.environment = d.pictures.environment_bytes();
    out.shadows = d.views.shadow_bytes();
    out.layers = d.views.layer_bytes();
    out.lights += d.views.light_bytes();
    out.scene = out.instances + out.materials;
    out.transient = out.survivors + out.triangles + out.occlusion;
    const std::uint64_t named = out.geometry + out.decoded + out.scene + out.transient + out.targets + out.animation +
                                out.deformation + out.environment + out.shadows + out.layers + out.lights;
    const std::uint64_t used = d.device.memory_usage().used;
    out.other = used > named ? used - named : 0;
    return out;
}

Budgets Renderer::budgets() const {
    const LevelSettings& chosen = impl_->views.drawn(std::nullopt).geometry.levels;
    return {impl_->scene ? impl_->scene->list_bytes(chosen) : 0, impl_->compact_budget};
}

std::optional<StreamFigures> Renderer::streaming() const {
    if (!impl_->stream) return std::nullopt;
    return impl_->stream->figures();
}

std::optional<TextureFigures> Renderer::texture_streaming() const {
    if (!impl_->scene) return std::nullopt;
    return impl_->scene->textures->figures();
}

Picture Renderer::read_picture(bool with_depth, bool with_ids, std::optional<std::uint32_t> view) {
    Impl& d = *impl_;
    d.device.wait_idle();
    const gpu::Image& image = color(view);
    const Targets& targets = d.views.drawn(view).geometry.targets;
    Picture out;
    out.width = image.extent().width;
    out.height = image.extent().height;
    const std::vector<std::byte> color = gpu::read_image(d.device, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    out.rgba.resize(color.size());
    std::memcpy(out.rgba.data(), color.data(), color.size());
    if (const gpu::Image& kept = d.views.drawn(view).picture.light) {
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
        out.layers = std::move(seen.layers);
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
    static_cast<LevelSettings&>(plan) = d.views.drawn(std::nullopt).geometry.levels;
    GeometryState reference(d.device);
    Backends backends(d.device);
    const gpu::Buffer* indices = nullptr;
    d.take_textures(0);  // masks read them
    const VisibilityOutput output(*d.scene, plan);
    gpu::submit_and_wait(d.device, "drawing the reference", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        const ViewContext context{
            d.frame_context(frame), {.scene = *d.scene, .plan = plan, .output = output}, reference};
        reference.begin(context, context, view, extent);
        draw_geometry(context, backends.get(Backend::kDirect), d.deform);
        indices = &d.scene->indices->get(context, *d.scene, 32);
    });
    const gpu::Buffer& data = reference.slots[0].frame_data;
    AmbiguousPixels out = d.ambiguous->run(*d.scene, *indices, data, reference.targets);
    const Targets& drawn = d.views.drawn(std::nullopt).geometry.targets;
    if (!drawn.in_compute) return out;
    if (!d.raster_difference) {
        d.raster_difference.emplace(d.device, d.pipelines);
    }
    // Vertices are snapped twice: by the device, and to the rasteriser's own grid.
    const float snap = reference.data.subpixel_margin / static_cast<float>(reference.data.subpixels) + 1.0F / 256.0F;
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
