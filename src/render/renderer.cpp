#include "render/renderer.h"

#include <array>
#include <cstring>
#include <deque>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_access.hpp>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/backends/backend.h"
#include "render/cull/primitive_cull.h"
#include "render/decode.h"
#include "render/exceptions.h"
#include "render/gpu_scene.h"

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
    out.class_base = {scene.class_base[0], scene.class_base[1], scene.class_base[2], 0};
    out.sublet_class_base = {scene.sublet_base[0], scene.sublet_base[1], scene.sublet_base[2], 0};
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

shared::CullState initial_cull_state() {
    shared::CullState out{};
    out.dispatch[1] = 1;
    out.dispatch[2] = 1;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        out.draws[c * 4] = shared::kMeshletSize * 3;
        for (std::uint32_t draw = 0; draw < shared::kMeshDraws; ++draw) {
            out.mesh_draws[(c * shared::kMeshDraws + draw) * 3 + 2] = 1;
        }
    }
    return out;
}

Targets make_targets(gpu::Device& device, VkExtent2D extent) {
    Targets out;
    out.color = gpu::Image(device, {.extent = extent,
                                    .format = kColorFormat,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_SAMPLED_BIT,
                                    .name = "color"});
    out.depth = gpu::Image(device, {.extent = extent,
                                    .format = kDepthFormat,
                                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                    .name = "depth"});
    return out;
}

// To the layouts that rendering wants; what they held is lost.
void open_targets(VkCommandBuffer commands, const Targets& targets) {
    gpu::image_barrier(commands, targets.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       gpu::kEverything, gpu::kColorAttachment);
    gpu::image_barrier(commands, targets.depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                       gpu::kEverything, gpu::kDepthAttachment);
}

}  // namespace

struct Renderer::Impl {
    // Per frame in flight.
    struct Slot {
        gpu::Buffer frame_data;
        gpu::Buffer counters;  // read back
        bool pending = false;
        CpuCounters cpu;
        Counters known;  // what needs no GPU
        gpu::FrameTimes times;
    };

    explicit Impl(gpu::Device& device) : device(device), profiler(device), decode(device), no_textures(device, 0) {
        for (Slot& slot : slots) {
            slot.frame_data = make_frame_data("frame data");
            slot.counters = gpu::Buffer(
                device, {.size = sizeof(shared::CullState), .memory = gpu::Memory::kReadback, .name = "counters"});
        }
        cull_state =
            gpu::Buffer(device, {.size = sizeof(shared::CullState),
                                 .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                                 .name = "cull state"});
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
                    made = make_direct(device, no_textures.layout());
                    break;
                case Backend::kMdi:
                    made = make_mdi(device, no_textures.layout());
                    break;
                case Backend::kCompact:
                    made = make_compact(device, no_textures.layout());
                    break;
                case Backend::kMeshIndirect:
                    made = make_mesh_indirect(device, no_textures.layout());
                    break;
                case Backend::kTaskMesh:
                    made = make_task_mesh(device, no_textures.layout());
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
        const auto* state = static_cast<const shared::CullState*>(slot.counters.mapped());
        const auto counter = [&](std::uint32_t which) {
            return std::uint64_t{state->counters[which * 2]} | std::uint64_t{state->counters[which * 2 + 1]} << 32U;
        };
        Counters counters = slot.known;
        counters.instances_visible = slot.cpu.instances_visible + counter(shared::kCounterInstancesVisible);
        counters.meshlets_tested = counter(shared::kCounterMeshletsTested);
        counters.meshlets_drawn_phase1 = counter(shared::kCounterMeshletsDrawn);
        counters.primitives_drawn = slot.cpu.primitives_drawn + counter(shared::kCounterPrimitivesDrawn);
        counters.primitives_tested = counter(shared::kCounterPrimitivesTested);
        if (counters.primitives_tested == 0) {  // no backend here tests single primitives
            counters.primitives_tested = counters.primitives_drawn;
        }
        newest.counters = counters;
        newest.times = std::move(slot.times);
        results.push_back(newest);
        if (results.size() > kResultsKept) {
            results.pop_front();
        }
    }

    // Records culling and drawing into `targets`, which are open.
    CpuCounters record(gpu::Frame& frame, const RenderSettings& settings, const Targets& into, const View& cull_view,
                       const gpu::Buffer& data) {
        RecordContext context{device, frame, profiler, decode, *scene, settings, into, cull_view, data, cull_state};
        return backend(settings.backend).record(context);
    }

    gpu::Device& device;
    gpu::Profiler profiler;
    DecodePass decode;
    gpu::BindlessTextures no_textures;  // for its layout
    std::optional<ExceptionsPass> exceptions;
    std::unique_ptr<GpuScene> scene;
    std::map<Backend, std::unique_ptr<BackendBase>> backends;
    Targets targets;
    std::array<Slot, gpu::kFramesInFlight> slots;
    gpu::Buffer cull_state;
    FrameResult newest;
    std::deque<FrameResult> results;
    std::uint64_t frames = 0;
    std::optional<View> frozen_view;
};

Renderer::Renderer(gpu::Device& device) : impl_(std::make_unique<Impl>(device)) {}

Renderer::~Renderer() {
    try {
        impl_->device.wait_idle();
    } catch (const Error&) {  // the device is lost: nothing is left to wait for
    }
}

void Renderer::set_scene(const scene::EncodedScene& scene, const RenderSettings& settings) {
    std::unique_ptr<GpuScene> made = upload_scene(impl_->device, scene, settings);
    gpu::submit_and_wait(impl_->device, "decoding the scene",
                         [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
                             impl_->decode.record_vertices(commands, arena, *made);
                         });
    impl_->device.wait_idle();
    for (auto& [which, backend] : impl_->backends) {
        backend->scene_changed();
    }
    impl_->scene = std::move(made);
    impl_->frozen_view.reset();
    impl_->frames = 0;
}

void Renderer::render(gpu::Frame& frame, const View& view, const RenderSettings& settings, std::uint32_t width,
                      std::uint32_t height) {
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
    if (!d.targets.color || d.targets.color.extent().width != width || d.targets.color.extent().height != height) {
        Targets made = make_targets(d.device, extent);
        d.device.retire(std::exchange(d.targets.color, std::move(made.color)));
        d.device.retire(std::exchange(d.targets.depth, std::move(made.depth)));
    }
    if (settings.freeze_culling < 0) {
        d.frozen_view.reset();
    } else if (!d.frozen_view && d.frames >= static_cast<std::uint64_t>(settings.freeze_culling)) {
        d.frozen_view = view;
    }
    const View& cull_view = d.frozen_view ? *d.frozen_view : view;
    const shared::FrameData data =
        frame_data(view, cull_view, settings, *d.scene, extent, d.device.capabilities().limits);
    std::memcpy(slot.frame_data.mapped(), &data, sizeof(data));

    // Everything a frame writes was read by the one before.
    gpu::memory_barrier(frame.commands, gpu::kEverything, gpu::kEverything);
    const shared::CullState state = initial_cull_state();
    vkCmdUpdateBuffer(frame.commands, d.cull_state.handle(), 0, sizeof(state), &state);
    gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kCompute);
    open_targets(frame.commands, d.targets);

    slot.known = {};
    slot.known.instances = d.scene->instance_count;
    slot.cpu = d.record(frame, settings, d.targets, cull_view, slot.frame_data);

    gpu::image_barrier(frame.commands, d.targets.color, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, gpu::kColorAttachment, gpu::kTransferRead);
    gpu::memory_barrier(frame.commands, gpu::kCompute, gpu::kTransferRead);
    const VkBufferCopy copy{0, 0, sizeof(shared::CullState)};
    vkCmdCopyBuffer(frame.commands, d.cull_state.handle(), slot.counters.handle(), 1, &copy);
    gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kHostRead);
    d.profiler.end_frame(frame);
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
    // The slot of the next frame is the older one.
    for (std::uint64_t i = 0; i < gpu::kFramesInFlight; ++i) {
        d.collect(d.slots[(d.frames + i) % gpu::kFramesInFlight]);
    }
}

const gpu::Image& Renderer::color() const {
    return impl_->targets.color;
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
    if (d.targets.color) {
        const VkExtent2D extent = d.targets.color.extent();
        out.targets = std::uint64_t{extent.width} * extent.height *
                      (gpu::texel_bytes(kColorFormat) + gpu::texel_bytes(kDepthFormat));
    }
    return out;
}

Picture Renderer::read_picture(bool with_depth) {
    Impl& d = *impl_;
    d.device.wait_idle();
    if (!d.targets.color) {
        throw Error("renderer", "picture", "no frame was rendered");
    }
    Picture out;
    out.width = d.targets.color.extent().width;
    out.height = d.targets.color.extent().height;
    const std::vector<std::byte> color =
        gpu::read_image(d.device, d.targets.color, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    out.rgba.resize(color.size());
    std::memcpy(out.rgba.data(), color.data(), color.size());
    if (with_depth) {
        const std::vector<std::byte> depth =
            gpu::read_image(d.device, d.targets.depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
        out.depth.resize(depth.size() / sizeof(float));
        std::memcpy(out.depth.data(), depth.data(), depth.size());
    }
    return out;
}

Exceptions Renderer::count_exceptions(const View& view) {
    Impl& d = *impl_;
    d.device.wait_idle();
    if (!d.scene || !d.targets.color) {
        throw Error("renderer", "exceptions", "no frame was rendered");
    }
    if (!d.exceptions) {
        d.exceptions.emplace(d.device);
    }
    RenderSettings settings;
    settings.backend = Backend::kDirect;
    settings.cull_instances = settings.cull_frustum = settings.cull_cone = false;
    const gpu::Buffer data = d.make_frame_data("exceptions frame data");
    const shared::FrameData contents =
        frame_data(view, view, settings, *d.scene, d.targets.color.extent(), d.device.capabilities().limits);
    std::memcpy(data.mapped(), &contents, sizeof(contents));
    const Targets reference = make_targets(d.device, d.targets.color.extent());
    const gpu::Buffer indices = make_index_buffer(d.device, *d.scene, 32);
    gpu::submit_and_wait(d.device, "drawing the reference", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        d.decode.record_indices(commands, arena, *d.scene, indices, 32);
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        open_targets(commands, reference);
        d.record(frame, settings, reference, view, data);
    });
    return d.exceptions->run(*d.scene, indices, data, reference.depth);
}

}  // namespace sublet::render
