#include "render/renderer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_access.hpp>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/backends/backend.h"
#include "render/cull/cull_state.h"
#include "render/cull/primitive_cull.h"
#include "render/decode.h"
#include "render/exceptions.h"
#include "render/gpu_scene.h"
#include "render/shade/shade_pass.h"
#include "render/visibility.h"

namespace sublet::render {
namespace {

constexpr std::size_t kResultsKept = 4096;

shared::vec4 to_shared(const glm::vec4& v) {
    return {v.x, v.y, v.z, v.w};
}

shared::ViewData view_data(const View& view) {
    shared::ViewData out{};
    for (int row = 0; row < 4; ++row) {
        out.clip[row] = to_shared(glm::row(view.view_projection, row));
    }
    for (std::size_t i = 0; i < view.planes.size(); ++i) {
        out.planes[i] = to_shared(view.planes[i]);
    }
    out.eye = to_shared(glm::vec4(view.eye, view.orthographic ? 1.0F : 0.0F));
    out.forward = to_shared(glm::vec4(view.forward, 0.0F));
    return out;
}

shared::FrameData frame_data(const View& view, const View& cull_view, const RenderSettings& settings,
                             const GpuScene& scene, VkExtent2D extent, const VkPhysicalDeviceLimits& limits) {
    shared::FrameData out{};
    out.view = view_data(view);
    out.cull = view_data(cull_view);
    out.sun_direction = to_shared(glm::vec4(glm::normalize(glm::vec3(0.45F, 0.8F, 0.4F)), 0.0F));
    out.sun_color = {0.85F, 0.80F, 0.70F, 0.0F};
    out.sky_color = {0.36F, 0.42F, 0.50F, 0.0F};
    out.ground_color = {0.16F, 0.14F, 0.12F, 0.0F};
    const SurvivorPlan& meshlets = draws_runs(settings) ? scene.runs : scene.meshlets;
    out.class_base = {meshlets.base[0], meshlets.base[1], meshlets.base[2], 0};
    out.sublet_class_base = {scene.sublets.base[0], scene.sublets.base[1], scene.sublets.base[2], 0};
    out.task_class_base = {scene.task_base[0], scene.task_base[1], scene.task_base[2], 0};
    const primitive_cull::CullViewport viewport =
        primitive_cull::make_cull_viewport(extent.width, extent.height, limits.subPixelPrecisionBits);
    out.viewport = {viewport.scale.x, viewport.scale.y, viewport.bias.x, viewport.bias.y};
    out.subpixels = viewport.subpixels;
    out.subpixel_margin = viewport.margin;
    out.task_count = scene.task_count;
    out.instance_count = scene.instance_count;
    out.cull_flags =
        (settings.cull_instances ? shared::kCullInstances : 0U) | (settings.cull_frustum ? shared::kCullFrustum : 0U) |
        (settings.cull_cone ? shared::kCullCone : 0U) | (settings.cull_sublets ? shared::kCullSublets : 0U) |
        (settings.cull_primitives ? shared::kCullPrimitives : 0U);
    return out;
}

gpu::Image make_ids(gpu::Device& device, VkExtent2D extent, VkFormat format, const char* name) {
    return {device,
            {.extent = extent,
             .format = format,
             .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                      VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .name = name}};
}

Targets make_targets(gpu::Device& device, VkExtent2D extent, VkFormat ids) {
    Targets out;
    out.ids = make_ids(device, extent, ids, "ids");
    out.depth = gpu::Image(device, {.extent = extent,
                                    .format = kDepthFormat,
                                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                    .name = "depth"});
    return out;
}

gpu::Image make_color(gpu::Device& device, VkExtent2D extent) {
    return {device,
            {.extent = extent,
             .format = kColorFormat,
             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .name = "color"}};
}

// To the layouts that rendering wants; what they held is lost.
void open_targets(VkCommandBuffer commands, const Targets& targets) {
    gpu::image_barrier(commands, targets.ids, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       gpu::kEverything, gpu::kColorAttachment);
    gpu::image_barrier(commands, targets.depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                       gpu::kEverything, gpu::kDepthAttachment);
}

// Copies ids between the phases of a frame; `to` is then ready to be read by shaders.
void copy_ids(VkCommandBuffer commands, const gpu::Image& from, const gpu::Image& to) {
    gpu::image_barrier(commands, from, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kColorAttachment, gpu::kTransferRead);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, gpu::kComputeRead,
                       gpu::kTransferWrite);
    VkImageCopy region{};
    region.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.dstSubresource = region.srcSubresource;
    region.extent = {from.extent().width, from.extent().height, 1};
    vkCmdCopyImage(commands, from.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.handle(),
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    gpu::image_barrier(commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       gpu::kTransferRead, gpu::kColorAttachment);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       gpu::kTransferWrite, gpu::kComputeRead);
}

}  // namespace

struct Renderer::Impl {
    // What a view keeps from frame to frame.
    struct ViewState {
        explicit ViewState(gpu::Device& device) : visibility(device) {}

        Targets targets;
        gpu::Image color;           // kColorFormat, sRGB-encoded values
        gpu::Image ids_of_phase_1;  // while Show::kPhase asks for them
        Visibility visibility;
        std::optional<View> frozen;      // the view that culls, once culling is frozen
        bool frozen_visibility = false;  // the bits are those of the frozen view
    };

    // Per frame in flight.
    struct Slot {
        gpu::Buffer frame_data;
        gpu::Buffer counters;  // read back: a CullState for each phase
        std::size_t phases = 0;
        std::uint64_t number = 0;  // gpu::Frame::number
        bool pending = false;
        CpuCounters cpu;
        Counters known;  // what needs no GPU
        bool fresh_pipelines = false;
        gpu::FrameTimes times;
    };

    explicit Impl(gpu::Device& device)
        : device(device),
          profiler(device),
          decode(device),
          no_textures(device, 0),
          shade(device, no_textures.layout()) {
        for (Slot& slot : slots) {
            slot.frame_data = make_frame_data("frame data");
            slot.counters = gpu::Buffer(
                device, {.size = 2 * sizeof(shared::CullState), .memory = gpu::Memory::kReadback, .name = "counters"});
        }
        for (gpu::Buffer& state : cull_states) {
            state =
                gpu::Buffer(device, {.size = sizeof(shared::CullState),
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                                     .name = "cull state"});
        }
    }

    ViewState& view_state(std::uint32_t view) { return views.try_emplace(view, device).first->second; }

    // The view's images, of this size and for the scene's ids.
    void prepare_targets(ViewState& state, VkExtent2D extent, const RenderSettings& settings) const {
        Targets& targets = state.targets;
        const VkFormat format = scene->id_format();
        if (!targets.ids || targets.ids.extent().width != extent.width ||
            targets.ids.extent().height != extent.height || targets.ids.format() != format) {
            Targets made = make_targets(device, extent, format);
            gpu::Image color = make_color(device, extent);
            device.retire(std::exchange(targets.ids, std::move(made.ids)));
            device.retire(std::exchange(targets.depth, std::move(made.depth)));
            device.retire(std::exchange(state.color, std::move(color)));
            device.retire(std::exchange(state.ids_of_phase_1, {}));
        }
        const bool wanted = settings.show == Show::kPhase && settings.cull_occlusion;
        if (wanted && !state.ids_of_phase_1) {
            state.ids_of_phase_1 = make_ids(device, extent, format, "ids of phase 1");
        } else if (!wanted && state.ids_of_phase_1) {
            device.retire(std::exchange(state.ids_of_phase_1, {}));
        }
    }

    gpu::Buffer make_frame_data(const char* name) const {
        return {device,
                {.size = sizeof(shared::FrameData),
                 .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                 .memory = gpu::Memory::kUpload,
                 .name = name}};
    }

    BackendBase& backend(Backend which) {
        std::unique_ptr<BackendBase>& made = backends[which];
        if (!made) {
            switch (which) {
                case Backend::kDirect:
                    made = make_direct(device);
                    break;
                case Backend::kMdi:
                    made = make_mdi(device);
                    break;
                case Backend::kCompact:
                    made = make_compact(device);
                    break;
                case Backend::kMeshIndirect:
                    made = make_mesh_indirect(device);
                    break;
                case Backend::kTaskMesh:
                    made = make_task_mesh(device);
                    break;
                case Backend::kAuto:
                    throw Error("settings", "backend", "auto must be resolved before a frame is recorded");
            }
        }
        return *made;
    }

    // The results of the frame that used this slot before, whose GPU work is over.
    void collect(Slot& slot) {
        if (!slot.pending) {
            return;
        }
        slot.pending = false;
        const auto* states = static_cast<const shared::CullState*>(slot.counters.mapped());
        const auto counter = [&](std::size_t phase, std::uint32_t which) {
            const shared::uint* words = states[phase].counters;
            return std::uint64_t{words[which * 2]} | std::uint64_t{words[which * 2 + 1]} << 32U;
        };
        const std::size_t last = slot.phases - 1;  // looks at everything
        Counters counters = slot.known;
        counters.rounds = slot.cpu.rounds;
        counters.instances_visible = slot.cpu.instances_visible + counter(last, shared::kCounterInstancesVisible);
        counters.meshlets_drawn_phase1 = counter(0, shared::kCounterMeshletsDrawn);
        counters.meshlets_drawn_phase2 = last == 0 ? 0 : counter(last, shared::kCounterMeshletsDrawn);
        counters.primitives_drawn = slot.cpu.primitives_drawn;
        for (std::size_t phase = 0; phase <= last; ++phase) {
            counters.primitives_drawn += counter(phase, shared::kCounterPrimitivesDrawn);
            counters.primitives_tested += counter(phase, shared::kCounterPrimitivesTested);
            counters.meshlets_tested += counter(phase, shared::kCounterMeshletsTested);
            counters.overflow += counter(phase, shared::kCounterOverflow);
        }
        if (counters.primitives_tested == 0) {  // no backend here tests single primitives
            counters.primitives_tested = counters.primitives_drawn;
        }
        newest.counters = counters;
        newest.times = std::move(slot.times);
        newest.fresh_pipelines = slot.fresh_pipelines;
        results.push_back(newest);
        if (results.size() > kResultsKept) {
            results.pop_front();
        }
    }

    // All that the phases of a frame find ready: what is reset, by transfers that one barrier orders before all passes.
    void begin_phases(gpu::Frame& frame, ViewState& state, const RenderSettings& settings, const View& cull_view,
                      std::size_t phases) {
        shared::CullState cull_state = initial_cull_state();
        backend(settings.backend).begin_frame({frame, *scene, settings}, cull_state);
        for (std::size_t phase = 0; phase < phases; ++phase) {
            vkCmdUpdateBuffer(frame.commands, cull_states[phase].handle(), 0, sizeof(cull_state), &cull_state);
        }
        if (phases == 2) {
            state.visibility.begin(
                frame, *scene, cull_view, state.targets.depth.extent(),
                culls_primitives_in_compute(settings) && settings.occlusion_detail == OcclusionDetail::kPrimitives,
                settings.fault);
        }
        gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kConsume | gpu::kTransferWrite);
    }

    // Records culling and drawing into the view's targets, which are open: all at once or in two phases.
    CpuCounters record(gpu::Frame& frame, ViewState& state, const RenderSettings& settings, const View& cull_view,
                       const gpu::Buffer& data, bool frozen) {
        const auto phase = [&](CullPhase which) {
            RecordContext context{device,        frame,
                                  profiler,      decode,
                                  *scene,        settings,
                                  state.targets, cull_view,
                                  data,          cull_states[which == CullPhase::kSecond ? 1 : 0],
                                  which,         state.visibility.buffers(frame)};
            return backend(settings.backend).record(context);
        };
        if (!settings.cull_occlusion) {
            state.frozen_visibility = false;
            return phase(CullPhase::kOnly);
        }
        if (frozen) {
            // What that view saw, and nothing else, is drawn again and again. Without a record of it: all in its
            // frustum.
            return phase(state.frozen_visibility ? CullPhase::kFirst : CullPhase::kOnly);
        }
        phase(CullPhase::kFirst);
        if (state.ids_of_phase_1) copy_ids(frame.commands, state.targets.ids, state.ids_of_phase_1);
        state.visibility.build_pyramid(frame, profiler, state.targets.depth, settings.group_tiling);
        const CpuCounters counters = phase(CullPhase::kSecond);
        state.visibility.end();
        state.frozen_visibility = true;
        return counters;
    }

    // After a frame that could not be recorded to its end and will not run: what it was to fill is not filled. All that
    // is made while recording is made anew.
    void forget_unfinished(ViewState& state) {
        device.wait_idle();
        for (auto& [which, backend] : backends) {
            backend->scene_changed();
        }
        shade.scene_changed();
        state.visibility.reset();
        state.frozen_visibility = false;
    }

    gpu::Device& device;
    gpu::Profiler profiler;
    DecodePass decode;
    gpu::BindlessTextures no_textures;  // for its layout
    ShadePass shade;
    std::optional<ExceptionsPass> exceptions;
    std::unique_ptr<GpuScene> scene;
    std::vector<std::string> notes;  // on its upload
    std::map<Backend, std::unique_ptr<BackendBase>> backends;
    std::map<std::uint32_t, ViewState> views;
    ViewState* shown = nullptr;  // of the last frame
    std::array<Slot, gpu::kFramesInFlight> slots;
    std::array<gpu::Buffer, 2> cull_states;  // by phase
    FrameResult newest;
    std::deque<FrameResult> results;
    std::uint64_t frames = 0;
    std::uint64_t compact_budget = 0;  // of the last frame
};

Renderer::Renderer(gpu::Device& device) : impl_(std::make_unique<Impl>(device)) {}

Renderer::~Renderer() {
    try {
        impl_->device.wait_idle();
    } catch (const Error&) {  // the device is lost: nothing is left to wait for
    }
}

void Renderer::set_scene(const scene::EncodedScene& scene, const RenderSettings& settings) {
    NoteCollector collector;
    std::unique_ptr<GpuScene> made = upload_scene(impl_->device, scene, settings);
    gpu::submit_and_wait(impl_->device, "decoding the scene",
                         [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
                             impl_->decode.record_vertices(commands, arena, *made);
                         });
    impl_->device.wait_idle();
    for (auto& [which, backend] : impl_->backends) {
        backend->scene_changed();
    }
    impl_->shade.scene_changed();
    impl_->scene = std::move(made);
    impl_->notes = collector.take();
    for (auto& [id, state] : impl_->views) {
        state.visibility.reset();
        state.frozen.reset();
        state.frozen_visibility = false;
    }
    impl_->frames = 0;
}

void Renderer::render(gpu::Frame& frame, const View& view, const RenderSettings& settings, std::uint32_t width,
                      std::uint32_t height, std::uint32_t view_id) {
    Impl& d = *impl_;
    if (!d.scene) {
        throw Error("renderer", "scene", "none was set");
    }
    Impl::Slot& slot = d.slots[frame.slot];
    if (std::optional<gpu::FrameTimes> times = d.profiler.begin_frame(frame)) {
        slot.times = std::move(*times);
    }
    d.collect(slot);

    const VkExtent2D extent{width, height};
    const std::uint64_t pipelines = d.device.fresh_pipelines();
    Impl::ViewState& state = d.view_state(view_id);
    d.prepare_targets(state, extent, settings);
    d.shown = &state;
    const bool was_frozen = state.frozen.has_value();
    if (settings.freeze_culling < 0) {
        state.frozen.reset();
    } else if (!state.frozen && d.frames >= static_cast<std::uint64_t>(settings.freeze_culling)) {
        state.frozen = view;
    }
    const bool frozen = was_frozen && state.frozen.has_value();
    const View& cull_view = state.frozen ? *state.frozen : view;
    const shared::FrameData data =
        frame_data(view, cull_view, settings, *d.scene, extent, d.device.capabilities().limits);
    std::memcpy(slot.frame_data.mapped(), &data, sizeof(data));

    // Everything a frame writes was read by the one before.
    gpu::memory_barrier(frame.commands, gpu::kEverything, gpu::kEverything);
    slot.phases = settings.cull_occlusion && !frozen ? 2 : 1;
    open_targets(frame.commands, state.targets);

    slot.known = {};
    slot.known.instances = d.scene->instance_count;
    try {
        d.begin_phases(frame, state, settings, cull_view, slot.phases);
        slot.cpu = d.record(frame, state, settings, cull_view, slot.frame_data, frozen);
        d.compact_budget = slot.cpu.compact_budget;
        const bool two_phases = slot.phases == 2 && state.ids_of_phase_1;
        d.shade.record(frame, d.profiler, *d.scene, settings, slot.frame_data, state.targets,
                       two_phases ? &state.ids_of_phase_1 : nullptr, state.color);
    } catch (...) {
        if (!was_frozen) state.frozen.reset();
        d.forget_unfinished(state);
        throw;
    }

    gpu::memory_barrier(frame.commands, gpu::kDraw | gpu::kCompute, gpu::kTransferRead);
    for (std::size_t phase = 0; phase < slot.phases; ++phase) {
        const VkBufferCopy copy{0, phase * sizeof(shared::CullState), sizeof(shared::CullState)};
        vkCmdCopyBuffer(frame.commands, d.cull_states[phase].handle(), slot.counters.handle(), 1, &copy);
    }
    gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kHostRead);
    d.profiler.end_frame(frame);
    slot.number = frame.number;
    slot.fresh_pipelines = d.device.fresh_pipelines() != pipelines;
    slot.pending = true;
    ++d.frames;
}

const Counters& Renderer::counters() const {
    return impl_->newest.counters;
}

const gpu::FrameTimes& Renderer::times() const {
    return impl_->newest.times;
}

std::vector<FrameResult> Renderer::take_results() {
    std::vector<FrameResult> out(std::make_move_iterator(impl_->results.begin()),
                                 std::make_move_iterator(impl_->results.end()));
    impl_->results.clear();
    return out;
}

void Renderer::finish() {
    Impl& d = *impl_;
    d.device.wait_idle();
    for (gpu::FrameTimes& times : d.profiler.collect()) {
        d.slots[times.frame % gpu::kFramesInFlight].times = std::move(times);
    }
    std::array<Impl::Slot*, gpu::kFramesInFlight> oldest_first{};
    std::transform(d.slots.begin(), d.slots.end(), oldest_first.begin(), [](Impl::Slot& slot) { return &slot; });
    std::sort(oldest_first.begin(), oldest_first.end(),
              [](const Impl::Slot* a, const Impl::Slot* b) { return a->number < b->number; });
    for (Impl::Slot* slot : oldest_first) {
        d.collect(*slot);
    }
}

const std::vector<std::string>& Renderer::notes() const {
    return impl_->notes;
}

ExpansionDemand Renderer::sources() const {
    return impl_->scene ? impl_->scene->expansion : ExpansionDemand{};
}

const gpu::Image& Renderer::color() const {
    if (impl_->shown == nullptr) {
        throw Error("renderer", "picture", "no frame was rendered");
    }
    return impl_->shown->color;
}

MemoryUse Renderer::memory() const {
    const Impl& d = *impl_;
    MemoryUse out;
    if (d.scene) {
        out.geometry = d.scene->geometry_bytes;
        out.decoded = d.scene->decoded_bytes;
        out.scene = d.scene->scene_bytes;
    }
    for (const auto& [which, backend] : d.backends) {
        out.decoded += backend->decoded_bytes();
        out.transient += backend->transient_bytes();
    }
    for (const auto& [id, state] : d.views) {
        const VkExtent2D extent = state.targets.depth.extent();
        out.targets += std::uint64_t{extent.width} * extent.height *
                       (gpu::texel_bytes(kColorFormat) + gpu::texel_bytes(kDepthFormat) +
                        gpu::texel_bytes(state.targets.ids.format()) * (state.ids_of_phase_1 ? 2 : 1));
        out.transient += state.visibility.bytes();
    }
    return out;
}

Budgets Renderer::budgets() const {
    return {impl_->scene ? impl_->scene->survivor_budget : 0, impl_->compact_budget};
}

Picture Renderer::read_picture(bool with_depth, bool with_ids) {
    Impl& d = *impl_;
    d.device.wait_idle();
    const gpu::Image& image = color();
    const Targets& targets = d.shown->targets;
    Picture out;
    out.width = image.extent().width;
    out.height = image.extent().height;
    const std::vector<std::byte> color = gpu::read_image(d.device, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    out.rgba.resize(color.size());
    std::memcpy(out.rgba.data(), color.data(), color.size());
    if (with_depth || with_ids) {
        const std::vector<std::byte> depth =
            gpu::read_image(d.device, targets.depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
        out.depth.resize(depth.size() / sizeof(float));
        std::memcpy(out.depth.data(), depth.data(), depth.size());
    }
    if (with_ids) {
        const std::vector<std::byte> ids =
            gpu::read_image(d.device, targets.ids, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        out.ids.resize(ids.size() / sizeof(std::uint32_t));
        std::memcpy(out.ids.data(), ids.data(), ids.size());
        const std::size_t words = out.ids.size() / out.depth.size();
        for (std::size_t i = 0; i < out.ids.size(); ++i) {
            if (out.depth[i / words] == 0.0F) out.ids[i] = 0;  // undefined
        }
    }
    return out;
}

Exceptions Renderer::count_exceptions(const View& view) {
    Impl& d = *impl_;
    d.device.wait_idle();
    if (!d.scene) {
        throw Error("renderer", "exceptions", "no scene was set");
    }
    const VkExtent2D extent = color().extent();
    if (!d.exceptions) {
        d.exceptions.emplace(d.device);
    }
    RenderSettings settings;
    settings.backend = Backend::kDirect;
    settings.cull_instances = settings.cull_frustum = settings.cull_cone = settings.cull_occlusion = false;
    const gpu::Buffer data = d.make_frame_data("exceptions frame data");
    const shared::FrameData contents =
        frame_data(view, view, settings, *d.scene, extent, d.device.capabilities().limits);
    std::memcpy(data.mapped(), &contents, sizeof(contents));
    Impl::ViewState reference(d.device);
    reference.targets = make_targets(d.device, extent, d.scene->id_format());
    const gpu::Buffer indices = make_index_buffer(d.device, *d.scene, 32);
    gpu::submit_and_wait(d.device, "drawing the reference", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        d.decode.record_indices(commands, arena, *d.scene, indices, 32);
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        open_targets(commands, reference.targets);
        d.record(frame, reference, settings, view, data, false);
    });
    return d.exceptions->run(*d.scene, indices, data, reference.targets.depth);
}

}  // namespace sublet::render
