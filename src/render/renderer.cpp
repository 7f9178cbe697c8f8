#include "render/renderer.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/backends/backend.h"
#include "render/cull/cull_state.h"
#include "render/exceptions.h"
#include "render/frame_results.h"
#include "render/scene/decode.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/backend_info.h"
#include "render/shade/shade.h"
#include "render/view/view_state.h"

namespace sublet::render {

struct Renderer::Impl {
    explicit Impl(gpu::Device& device)
        : device(device),
          profiler(device),
          decode(device),
          no_textures(device, 0),
          shade(device, no_textures.layout()) {}

    BackendBase& backend(Backend which) {
        std::unique_ptr<BackendBase>& made = backends[which];
        if (!made) made = make_backend(which, device);
        return *made;
    }

    [[nodiscard]] shared::FrameData frame_data(const View& view, const View& cull_view, const RenderSettings& settings,
                                               VkExtent2D extent) const {
        const bool runs = backend_info(settings.backend).survivors == Survivors::kRuns;
        return render::frame_data(view, cull_view, settings, *scene, runs ? scene->runs : scene->meshlets, extent,
                                  device.capabilities().limits);
    }

    // All that the phases of a frame find ready: what is reset, by transfers that one barrier orders before all passes.
    void begin_phases(gpu::Frame& frame, ViewState& state, const RenderSettings& settings, const View& cull_view,
                      std::size_t phases) {
        if (const auto reason = backend_unavailable(settings.backend, device.capabilities(), scene->facts)) {
            throw Error(device.capabilities().name, "backend " + std::string(backend_name(settings.backend)), *reason);
        }
        shared::CullState cull_state = initial_cull_state();
        backend(settings.backend).begin_frame({frame, *scene, settings}, cull_state);
        for (std::size_t phase = 0; phase < phases; ++phase) {
            vkCmdUpdateBuffer(frame.commands, state.cull_states[phase].handle(), 0, sizeof(cull_state), &cull_state);
        }
        if (phases == 2) {
            state.visibility.begin(frame, *scene, cull_view, state.targets.depth.extent(),
                                   backend_info(settings.backend).primitives == PrimitiveCulling::kCompute &&
                                       settings.occlusion_detail == OcclusionDetail::kPrimitives,
                                   settings.fault);
        }
        gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kConsume | gpu::kTransferWrite);
    }

    // Records culling and drawing into the view's targets, which are open: all at once or in two phases.
    CpuCounters record(gpu::Frame& frame, ViewState& state, const RenderSettings& settings, const View& cull_view,
                       const gpu::Buffer& data, bool frozen) {
        const VisibilityOutput output(*scene);
        const auto phase = [&](CullPhase which) {
            RecordContext context{device,
                                  frame,
                                  profiler,
                                  decode,
                                  *scene,
                                  settings,
                                  output,
                                  state.targets,
                                  cull_view,
                                  data,
                                  state.cull_states[which == CullPhase::kSecond ? 1 : 0],
                                  which,
                                  state.visibility.buffers(frame)};
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
        state.keep_ids(frame.commands);
        state.visibility.build_pyramid(frame, profiler, state.targets.depth, settings.group_tiling);
        const CpuCounters counters = phase(CullPhase::kSecond);
        state.visibility.end();
        state.frozen_visibility = true;
        return counters;
    }

    // The last view that was drawn, or one by its number. Throws Error where there is none.
    [[nodiscard]] const ViewState& drawn_view(std::optional<std::uint32_t> view) const {
        const auto known = view ? views.find(*view) : views.end();
        const ViewState* state = known != views.end() ? &known->second : view ? nullptr : shown;
        if (state == nullptr || !state->color) throw Error("renderer", "picture", "no frame was rendered");
        return *state;
    }

    // After a frame that could not be recorded to its end and will not run: what it was to fill is not filled. All that
    // is made while recording is made anew.
    void forget_unfinished() {
        device.wait_idle();
        for (auto& [which, backend] : backends) {
            backend->scene_changed();
        }
        shade.scene_changed();
        for (ViewState* state : drawn) {
            if (!state->was_frozen) state->frozen.reset();
            state->forget();
        }
        drawn.clear();
        frame = nullptr;
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
    FrameResults results;
    gpu::Frame* frame = nullptr;       // between begin() and end()
    std::vector<ViewState*> drawn;     // in it
    std::uint64_t pipelines = 0;       // fresh ones before it
    ViewState* shown = nullptr;        // the last view that was drawn
    std::uint64_t compact_budget = 0;  // that it was drawn with
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
        state.forget();
        state.frozen.reset();
        state.frames = 0;
    }
}

void Renderer::begin(gpu::Frame& frame) {
    Impl& d = *impl_;
    if (!d.scene) {
        throw Error("renderer", "scene", "none was set");
    }
    d.frame = &frame;
    d.drawn.clear();
    d.pipelines = d.device.fresh_pipelines();
    d.results.begin(frame, d.profiler.begin_frame(frame));
}

void Renderer::draw(const View& view, const RenderSettings& settings, std::uint32_t width, std::uint32_t height,
                    std::uint32_t view_id) {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    gpu::Frame& frame = *d.frame;
    const VkExtent2D extent{width, height};
    ViewState& state = d.views.try_emplace(view_id, d.device).first->second;
    d.shown = &state;
    try {
        if (std::find(d.drawn.begin(), d.drawn.end(), &state) != d.drawn.end()) {
            throw Error("renderer", "view " + std::to_string(view_id), "was drawn in this frame before");
        }
        d.drawn.push_back(&state);
        state.prepare(VisibilityOutput(*d.scene), extent, settings);
        state.freeze(view, settings);
        const bool frozen = state.was_frozen && state.frozen.has_value();
        const View& cull_view = state.frozen ? *state.frozen : view;
        const ViewState::Slot& slot = state.slots[frame.slot];
        const shared::FrameData data = d.frame_data(view, cull_view, settings, extent);
        std::memcpy(slot.frame_data.mapped(), &data, sizeof(data));

        // Everything that drawing a view writes was read by the one before, in this frame or the last.
        gpu::memory_barrier(frame.commands, gpu::kEverything, gpu::kEverything);
        const std::size_t phases = settings.cull_occlusion && !frozen ? 2 : 1;
        VisibilityOutput::open(frame.commands, state.targets);
        d.begin_phases(frame, state, settings, cull_view, phases);
        const CpuCounters cpu = d.record(frame, state, settings, cull_view, slot.frame_data, frozen);
        d.compact_budget = cpu.compact_budget;
        const gpu::Image* ids_of_phase_1 = phases == 2 && state.ids_of_phase_1 ? &state.ids_of_phase_1 : nullptr;
        d.shade.record(frame, d.profiler, *d.scene, settings, slot.frame_data, state.targets, ids_of_phase_1,
                       state.color);
        gpu::memory_barrier(frame.commands, gpu::kDraw | gpu::kCompute, gpu::kTransferRead);
        for (std::size_t phase = 0; phase < phases; ++phase) {
            const VkBufferCopy copy{0, phase * sizeof(shared::CullState), sizeof(shared::CullState)};
            vkCmdCopyBuffer(frame.commands, state.cull_states[phase].handle(), slot.counters.handle(), 1, &copy);
        }
        d.results.add_view(frame, view_id, slot.counters, phases, d.scene->instance_count, cpu);
        ++state.frames;
    } catch (...) {
        d.forget_unfinished();
        throw;
    }
}

void Renderer::end() {
    Impl& d = *impl_;
    if (d.frame == nullptr) {
        throw Error("renderer", "frame", "none was begun");
    }
    gpu::memory_barrier(d.frame->commands, gpu::kTransferWrite, gpu::kHostRead);
    d.profiler.end_frame(*d.frame);
    d.results.end(*d.frame, d.device.fresh_pipelines() != d.pipelines);
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
}

const std::vector<std::string>& Renderer::notes() const {
    return impl_->notes;
}

SceneFacts Renderer::facts() const {
    return impl_->scene ? impl_->scene->facts : SceneFacts{};
}

const gpu::Image& Renderer::color(std::optional<std::uint32_t> view) const {
    return impl_->drawn_view(view).color;
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
        out.targets += state.target_bytes();
        out.transient += state.visibility.bytes();
    }
    return out;
}

Budgets Renderer::budgets() const {
    return {impl_->scene ? impl_->scene->survivor_budget : 0, impl_->compact_budget};
}

Picture Renderer::read_picture(bool with_depth, bool with_ids, std::optional<std::uint32_t> view) {
    Impl& d = *impl_;
    d.device.wait_idle();
    const gpu::Image& image = color(view);
    const Targets& targets = d.drawn_view(view).targets;
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
    const gpu::Buffer data = make_frame_data(d.device, "exceptions frame data");
    const shared::FrameData contents = d.frame_data(view, view, settings, extent);
    std::memcpy(data.mapped(), &contents, sizeof(contents));
    ViewState reference(d.device);
    reference.targets = VisibilityOutput(*d.scene).make_targets(d.device, extent);
    const gpu::Buffer indices = make_index_buffer(d.device, *d.scene, 32);
    gpu::submit_and_wait(d.device, "drawing the reference", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        d.decode.record_indices(commands, arena, *d.scene, indices, 32);
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        VisibilityOutput::open(commands, reference.targets);
        d.record(frame, reference, settings, view, data, false);
    });
    return d.exceptions->run(*d.scene, indices, data, reference.targets.depth);
}

}  // namespace sublet::render
