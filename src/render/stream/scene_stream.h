// Geometry that comes as it is seen: groups of levels of detail share a pool in VRAM (render/scene/residency.h).
//
// A pass of each view finds out which groups it wants (shaders/stream/wishes.comp). A thread beside the frames decides
// what comes and goes (StreamScheduler): what is wished for is read by others (GroupLoader), as far as what was not
// used for long makes room (Streamer). It comes into the pool at the beginning of a frame: a pass "stream" copies it
// there and decodes it. Within a frame nothing changes.
//
// Reads: blocks of what has arrived; what culling reads. Writes: payload, bounds of sublets, meshlet ranges, groups of
// levels of detail, all that the decode pass does; stamps.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/scene/residency.h"
#include "render/stream/stream_figures.h"
#include "render/stream/stream_scheduler.h"
#include "render/view/view_context.h"
#include "shaders/shared/passes.h"

namespace sublet::render {

struct GpuScene;

class SceneStream {
  public:
    // For a scene that is not whole, whose buffers are made; none of its groups is there. Both must live as long.
    // `waits`: frames do (SceneSettings::stream_wait).
    SceneStream(gpu::Device& device, const scene::EncodedScene& file, GpuScene& scene, bool waits);
    [[nodiscard]] bool waits() const { return waits_; }

    // The groups that are always there, and where frames don't wait the coarsest of the others. Waits for the GPU.
    // Throws Error where they can't be read.
    void load_roots(gpu::Pipelines& pipelines);

    // A frame: records what was decided since the one before, and hands on what frames before wished for. Returns
    // whether anything came or went.
    bool begin(const FrameContext& context);
    // A view of the frame, before it is drawn, and once its frame data are written. Pass "wishes"; or, where frames
    // wait (SceneSettings::stream_wait), all that the view wants comes now: then Error is thrown where the pool is too
    // small for it, with what it takes, unless its levels may be coarser (LevelSettings::lod_fits), or where it can't
    // be read. `frame`: where it is recorded, since views that are drawn side by side share the stamps.
    void want(const ViewContext& context, const FrameContext& frame);
    // Copies what the passes found out, to be read when the frame is over. What was recorded for a frame that does not
    // come to this comes with the next one.
    void end(const FrameContext& context);
    // The error in pixels that views are drawn by where this one is asked for: more, where the pool holds less than
    // what is seen.
    [[nodiscard]] float error_drawn(float asked) const { return asked > 0.0F ? asked * coarser_ : coarser_ - 1.0F; }
    [[nodiscard]] StreamFigures figures() const;
    // VRAM, without the pool, and without blocks.
    [[nodiscard]] std::uint64_t bytes() const;

    // For tests: GroupLoader::set_gate().
    void set_gate(std::function<void()> gate) { scheduler_.set_gate(std::move(gate)); }

    static void add_pipelines(gpu::PipelineList& out);

  private:
    struct Slot {
        gpu::Buffer patch;
        // By the frame that had the slot:
        std::optional<std::size_t> stamps;  // where it was read back to
        float drawn_error = 0.0F;           // its levels were chosen by this, in pixels: the least of its views'
        std::vector<LoadedBlock*> recorded;
    };
    struct Recording {
        gpu::Commands commands;
        gpu::DescriptorArena& descriptors;
        gpu::Pipelines& pipelines;
        Fault fault = Fault::kNone;
    };

    // Until all that a view wants is there. Returns the error in pixels that it is drawn by.
    float settle(const ViewContext& context);
    [[nodiscard]] StreamStamps stamps_in(const gpu::Buffer& buffer) const;
    // What a frame found out.
    StreamStamps look_at(const gpu::Buffer& stamps);
    void adapt_error();
    // What is wished for is decided on beside the frames, or at once.
    void decide(std::size_t stamps, const TestHooks& hooks);
    // What was decided, and what has been read, on the CPU: the GPU's is recorded by record_changes().
    void apply(const StreamScheduler::Step& step);
    void take_blocks(bool wait, std::size_t most);
    void come(LoadedBlock& block);
    [[nodiscard]] bool is_there(std::uint32_t group) const;
    void set_there(const GroupArrival& arrival);
    void set_absent(std::uint32_t group);
    void mark(std::uint32_t group, bool there);
    // What has arrived, and what has gone; `patch` is made for it.
    void record_changes(const Recording& into, gpu::Buffer& patch) const;
    // `count` of the blocks that lie in a buffer.
    void record_patch(const Recording& into, const gpu::Buffer& of, const shared::PatchConstants& blocks,
                      std::uint32_t count) const;
    // A block that writes what the CPU has of the groups and meshes that changed, so many copies from its beginning on;
    // behind it, from a word on, the numbers of the meshlets that have come.
    struct Patch {
        std::uint32_t copies = 0, first_meshlet = 0;
    };
    Patch make_patch(gpu::Buffer& patch) const;
    // A frame that will run has what changed.
    void forget_changes();
    void record_wishes(const Recording& into, const std::vector<gpu::Descriptor>& scene_set) const;
    void reset_stamps(gpu::Commands commands) const;
    // All that is to come of it, in submissions of its own. Returns whether anything is.
    bool load_now(gpu::Pipelines& pipelines, StreamScheduler::Task task);

    gpu::Device& device_;
    GpuScene& scene_;
    const bool waits_;
    const GroupTable& table_;
    gpu::Buffer stamps_;
    // What frames in flight read them back to, and what is being decided on; of settle() the first.
    std::array<gpu::Buffer, gpu::kFramesInFlight + 1> read_back_;
    std::optional<std::size_t> deciding_;  // among these
    StreamScheduler scheduler_;            // ends before what it reads
    std::array<Slot, gpu::kFramesInFlight> slots_;
    gpu::Buffer patch_;     // of load_now()
    bool settled_ = false;  // a view was: the first of read_back_ tells what it used
    std::uint32_t wish_room_ = 0;
    std::uint32_t stamp_ = 1;            // of the frame at hand
    std::uint32_t frame_stamp_ = 1;      // of its beginning
    std::vector<LoadedBlock*> arrived_;  // that no frame has recorded
    // Groups that are being read, as far as steps were given: what came may have been begun by one that was not.
    std::int64_t begun_ = 0;
    // Since the last frame that will run.
    std::vector<std::uint32_t> changed_groups_, changed_meshes_, arrived_meshlets_;
    std::vector<std::uint32_t> first_absent_;  // of each mesh: in GroupTable::groups_of_mesh()
    float frame_error_ = 0.0F;                 // of the frame at hand: Slot::drawn_error
    float coarser_ = 1.0F;                     // than what is asked for
    bool lacks_room_ = false;                  // what was chosen last
    StreamFigures figures_;
};

}  // namespace sublet::render
