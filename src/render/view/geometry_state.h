// What one view keeps for its geometry: the targets, what a camera becomes, and what is known of it from frame to
// frame.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/view/camera.h"
#include "render/view/round_count.h"
#include "render/view/view_plan.h"
#include "render/view/visibility.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// What shaders read of a frame of `view`, culled from `cull_view`. `extent` in pixels.
[[nodiscard]] shared::FrameData frame_data(const View& view, const View& cull_view, const ViewPlan& plan,
                                           VkExtent2D extent, const VkPhysicalDeviceLimits& limits);

// A uniform buffer for that.
[[nodiscard]] gpu::Buffer make_frame_data(gpu::Device& device, const std::string& name);

class GeometryState {
  public:
    explicit GeometryState(gpu::Device& device);

    // A frame: targets of this size in pixels, which camera culls, what shaders read of it, what it records. The scene
    // that the plan names has something to draw.
    void begin(const FrameContext& context, const ViewPlan& plan, const View& drawn, VkExtent2D extent);
    // Makes the error that levels of detail are chosen by so many times larger, for the frame that was begun.
    void coarsen(const FrameContext& context, float factor);
    // Whether the pyramid is that of the view that culls: always after two phases, and while culling is frozen.
    [[nodiscard]] bool has_pyramid(const FramePlan& plan) const { return plan.cull_occlusion && frozen_visibility; }
    // The view that culls: once culling is frozen, that of an earlier frame.
    [[nodiscard]] const View& cull_view() const { return frozen ? *frozen : view; }
    // Culling was frozen before the frame that was begun.
    [[nodiscard]] bool is_frozen() const { return was_frozen && frozen.has_value(); }
    // The buffer that shaders of this frame read.
    [[nodiscard]] const gpu::Buffer& frame_data(const gpu::Frame& frame) const { return slots[frame.slot].frame_data; }
    // Numbers of the states of all phases, in their order.
    [[nodiscard]] std::vector<std::size_t> states() const;
    // Of another scene, or after a frame that will not run: everything that is kept is forgotten.
    void forget();

    // Per frame in flight.
    struct Slot {
        gpu::Buffer frame_data;
        gpu::Buffer counters;  // read back: a CullState for each round of each of states()
    };

    Targets targets;
    bool layers_unknown = true;  // those of targets are new, or a frame that was to clear them did not run
    Visibility visibility;
    // By the number of a phase's states: a CullState for each round. One for each of the phases of occlusion culling,
    // and one for what blends.
    static constexpr std::size_t kBlendedState = 2;
    std::array<gpu::Buffer, 3> cull_states;
    RoundCount round_count;
    std::array<Slot, gpu::kFramesInFlight> slots;
    std::optional<View> frozen;      // the view that culls, once culling is frozen
    bool was_frozen = false;         // before this frame
    bool frozen_visibility = false;  // the bits are those of the frozen view
    std::uint64_t frames = 0;        // drawn

    // Of the frame that was begun last.
    View view;                               // that is drawn
    LevelSettings levels;                    // of the plan
    BitTables bit_tables;                    // of visibility, once there are two phases
    shared::FrameData data{};                // frame_data()
    std::vector<gpu::Descriptor> scene_set;  // scene_descriptors()
    std::uint32_t rounds = 1;                // of culling, to be recorded
    std::uint32_t phases = 1;                // of occlusion culling
    bool blends = false;                     // there is a phase for what blends

  private:
    // Decides what culls.
    void freeze(const FramePlan& plan);

    gpu::Device& device_;
};

}  // namespace sublet::render
