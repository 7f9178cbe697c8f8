// What a renderer has, for the files that make it: renderer.cpp, what callers ask; renderer_frame.cpp, a view's frame.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "gpu/barriers.h"
#include "gpu/commands.h"
#include "gpu/pipelines.h"
#include "render/frame_results.h"
#include "render/geometry.h"
#include "render/measure/ambiguous_pixels.h"
#include "render/measure/difference.h"
#include "render/measure/raster_difference.h"
#include "render/picture.h"
#include "render/plain_plan.h"
#include "render/renderer.h"
#include "render/scene/animate.h"
#include "render/scene/deform.h"
#include "render/scene/gpu_scene.h"
#include "render/scene/hide.h"
#include "render/stream/scene_stream.h"
#include "render/view/shadow_maps.h"
#include "render/views.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {

struct Renderer::Impl {
    explicit Impl(gpu::Device& device)
        : device(device), profiler(device), no_textures(device, 0), pictures(device, no_textures.layout()) {}

    FrameContext frame_context(gpu::Frame& of) { return {device, of, profiler, pipelines, hooks}; }

    // What makes a picture of a view whose geometry is drawn, and says whether what it measures is to be read back.
    // Empty: there is none.
    using MakePicture = std::function<bool(const ViewContext& context, PictureState& picture)>;
    // `into`: the frame, or a strand of it.
    void draw(gpu::Frame& into, const View& view, const FramePlan& plan, VkExtent2D extent, std::uint32_t view_id,
              const Output& output, const MakePicture& make_picture);
    void draw_picture(const View& view, const FramePlan& plan, VkExtent2D extent, std::uint32_t view_id,
                      const Inspection& inspection, bool plain);
    void draw_shadows(const ViewContext& context, ShadowMaps& shadows, std::uint32_t view_id);
    void read_back(const ViewContext& context, const PictureState* picture);

    // What every frame of a plan takes: placing, culling, drawing.
    [[nodiscard]] gpu::PipelineList geometry_pipelines(const FramePlan& plan) {
        gpu::PipelineList list;
        const BackendBase& backend = views.get(0).backends.get(plan.backend);
        add_geometry_pipelines(device.capabilities(), backend, *scene, plan, VisibilityOutput(*scene, plan), list);
        if (shown_shadows(*scene, plan) != 0) {
            const FramePlan shadows = shadow_plan(plan, plan.shadow_resolution);
            add_geometry_pipelines(device.capabilities(), backend, *scene, shadows, DepthOutput(*scene, shadows), list);
            ShadowMaps::add_pipelines(shadows, list);
        }
        if (scene->hides) HidePass::add_pipelines(list);
        if (stream) SceneStream::add_pipelines(list);
        add_animate_pipelines(*scene, list);
        add_deform_pipelines(*scene, list);
        return list;
    }

    // The plan by which a view is drawn: where the pool has no room for all that is seen, the error grows.
    [[nodiscard]] FramePlan with_room(const FramePlan& plan) const {
        FramePlan out = plan;
        if (stream) out.lod_error = stream->error_drawn(plan.lod_error);
        return out;
    }

    [[nodiscard]] FramePlan plain_plan(const FramePlan& plan) const {
        return render::plain_plan(plan, *scene, device.capabilities(), hooks);
    }

    [[nodiscard]] gpu::PipelineList all_pipelines(const FramePlan& plan, bool inspected) {
        gpu::PipelineList list = geometry_pipelines(plan);
        pictures.add_pipelines(*scene, plan, inspected, list);
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
            scene->indices->forget(device, 32);  // they take memory
            if (!reads_vertices(plan, *scene)) forget_vertices(device, *scene);
        }
        return false;
    }

    // For the frame that begins.
    void take_textures(std::uint32_t slot) {
        NoteCollector collector;
        // What masks cut out of shadows changes, in the tables of each slot in turn.
        if (scene->textures->left() != 0) frames_of_textures = gpu::kFramesInFlight;
        if (frames_of_textures != 0) {
            --frames_of_textures;
            ++changes;
        }
        scene->textures->advance(slot);
        add_notes(collector.take());
    }

    void add_notes(const std::vector<std::string>& more) { notes.insert(notes.end(), more.begin(), more.end()); }

    // Of the frame that begins, and of the one before it.
    void take_times() {
        if (!scene->animation.places()) return;
        times_before = std::exchange(times_now, animation_times(*scene, wanted_times));
        if (times_before.size() != times_now.size()) times_before = times_now;
    }

    // Hides and places what is to be, for the frame that begins.
    void place(gpu::Frame& into) {
        hide.record(frame_context(into), *scene);
        if (!scene->animation.places() || placed_at == times_now) return;
        placed_at.reset();
        record_animate(frame_context(into), *scene, times_now);
        ++moves;
        deform.poses_changed();
        placed_at = times_now;
    }

    // Before the frame, so that what it shows is found before it is recorded.
    void place_now() {
        gpu::submit_and_wait(device, "placing", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
            gpu::Frame now{.commands = commands, .descriptors = &arena, .slot = frame->slot};
            gpu::memory_barrier(commands, gpu::kEverything, gpu::kEverything);
            place(now);
        });
    }

    // After a frame that could not be recorded to its end and will not run: what it was to fill is not filled. What
    // is made for a scene while recording is made anew.
    void forget_unfinished() {
        device.wait_idle();
        if (scene) {
            scene->indices->forget(device);
            forget_vertices(device, *scene);
        }
        views.forget_frame();
        pictures.forget();
        placed_at.reset();
        deform.poses_changed();
        hide.record_again();
        times_now.clear();
        frame = nullptr;
    }

    gpu::Device& device;
    gpu::Profiler profiler;
    gpu::BindlessTextures no_textures;  // for its layout
    gpu::Pipelines pipelines{device};   // behind what those being compiled still use
    PicturePasses pictures;
    std::optional<AmbiguousPixelsPass> ambiguous;
    std::optional<RasterDifferencePass> raster_difference;
    std::optional<DifferencePass> difference;
    DeformPass deform;
    HidePass hide{device};
    std::unique_ptr<GpuScene> scene;
    std::unique_ptr<SceneStream> stream;  // of geometry that has no room at once; null: all is there
    std::vector<std::string> notes;       // on its upload
    scene::AnimationTimes wanted_times;
    std::optional<std::vector<float>> placed_at;  // times of the animations that its instances are placed by
    std::uint32_t frames_of_textures = 0;         // that still have other ones than the frame before
    std::uint64_t changes = 0, moves = 0;         // Placement
    std::vector<float> times_now, times_before;   // those of this frame and of the last
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

}  // namespace sublet::render
