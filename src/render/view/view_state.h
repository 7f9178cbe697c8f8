// All that one view of a scene owns: what a camera becomes, and what is kept of it from frame to frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/resources.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/view/camera.h"
#include "render/view/inspector.h"
#include "render/view/record_context.h"
#include "render/view/round_count.h"
#include "render/view/visibility.h"
#include "shaders/shared/scene.h"
#include "shaders/shared/shade.h"

namespace sublet::render {

// What shaders read of a frame of `view`, culled from `cull_view`. `survivors`: BackendBase::survivors(). `extent` in
// pixels.
[[nodiscard]] shared::FrameData frame_data(const View& view, const View& cull_view, const FramePlan& plan,
                                           const GpuScene& scene, const SurvivorPlan& survivors, VkExtent2D extent,
                                           const VkPhysicalDeviceLimits& limits);

// A uniform buffer for that.
[[nodiscard]] gpu::Buffer make_frame_data(gpu::Device& device, const std::string& name);

// Triangles of a pixel: exact up to 2,048. Every device blends it.
inline constexpr VkFormat kOverdrawFormat = VK_FORMAT_R16_SFLOAT;

// Of light that is stored to be read again.
inline constexpr VkFormat kLightFormat = VK_FORMAT_R16G16B16A16_SFLOAT;

// Of light that leaves the program.
inline constexpr VkFormat kKeptLightFormat = VK_FORMAT_R32G32B32A32_SFLOAT;

// Tiles of the shading pass along so many pixels.
[[nodiscard]] constexpr std::uint32_t shade_tiles(std::uint32_t pixels) {
    return (pixels + shared::kShadeTile - 1) / shared::kShadeTile;
}

class ViewState {
  public:
    explicit ViewState(gpu::Device& device);

    // Images of this size for what geometry writes, and for what the settings show. `sublets`: of the scene, over all
    // instances.
    void prepare(const VisibilityOutput& output, VkExtent2D extent, const FramePlan& plan, std::uint64_t sublets);
    // Whether the pyramid is that of the view that culls: always after two phases, and while culling is frozen.
    [[nodiscard]] bool has_pyramid(const FramePlan& plan) const { return plan.cull_occlusion && frozen_visibility; }
    // Decides what culls: `view`, or, once culling is frozen, the view of that frame.
    void freeze(const View& view, const FramePlan& plan);
    // Between the phases of a frame, while Show::kPhase asks for it: keeps the ids that the first left.
    void keep_ids(VkCommandBuffer commands) const;
    // Of another scene, or after a frame that will not run: everything that is kept is forgotten.
    void forget();
    // VRAM bytes of the images.
    [[nodiscard]] std::uint64_t target_bytes() const;

    static constexpr VkDeviceSize kExposureAt = 2 * VkDeviceSize{shared::kMostRounds} * sizeof(shared::CullState);

    // Per frame in flight.
    struct Slot {
        gpu::Buffer frame_data;
        gpu::Buffer counters;  // read back: a CullState for each round of each phase; the exposure at kExposureAt
    };

    Targets targets;
    gpu::Image color;                // kColorFormat, sRGB-encoded values
    gpu::Image light;                // exposed, linear, while FramePlan::keep_light asks for it; kKeptLightFormat
    gpu::Buffer exposure;            // shared::ExposureState, while FramePlan::ev asks for it
    gpu::Image behind;               // light of what is not transmissive, while it shines through what is; kLightFormat
    gpu::Buffer transmissive_tiles;  // shared::TransmissiveTiles and words; beside `behind`
    gpu::Image ids_of_phase_1;       // while Show::kPhase asks for them
    gpu::Image transmissive_ids_of_phase_1;
    gpu::Buffer pixels_of_phase_1;
    gpu::Buffer rejected;        // while Show::kOverdraw or kCulled ask for them: a byte for each sublet, kVerdict...
    gpu::Image overdraw;         // kOverdrawFormat
    gpu::Image motion;           // while Show::kMotion asks for it, kLightFormat: pixels since the last frame, y down
    gpu::Image culled_depth;     // kDepthFormat, of what is rejected
    gpu::Sampler texel_sampler;  // for images that are read texel by texel
    Inspector inspector;
    Visibility visibility;
    std::array<gpu::Buffer, 2> cull_states;  // by phase: a CullState for each round
    RoundCount rounds;
    std::array<Slot, gpu::kFramesInFlight> slots;
    std::optional<View> frozen;      // the view that culls, once culling is frozen
    bool was_frozen = false;         // before this frame
    bool frozen_visibility = false;  // the bits are those of the frozen view
    std::optional<View> last;        // of the frame before
    std::uint64_t frames = 0;        // drawn

  private:
    // What `wanted` views alone take; given back when they are no longer shown.
    void prepare_phase(const VisibilityOutput& output, VkExtent2D extent, bool wanted);
    void prepare_shown(VkExtent2D extent, Show show, std::uint64_t sublets);

    gpu::Device& device_;
};

}  // namespace sublet::render
