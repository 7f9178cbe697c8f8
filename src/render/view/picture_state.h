// What one view keeps for its picture: images that shading fills, and what is asked of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/resources.h"
#include "render/settings/frame_plan.h"
#include "render/view/camera.h"
#include "render/view/inspector.h"
#include "render/view/shadow_maps.h"
#include "shaders/shared/shade.h"

namespace sublet::render {

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;  // of the picture, sRGB-encoded values

// Triangles of a pixel: exact up to 2,048. Every device blends it.
inline constexpr VkFormat kOverdrawFormat = VK_FORMAT_R16_SFLOAT;

// Of light that is stored to be read again.
inline constexpr VkFormat kLightFormat = VK_FORMAT_R16G16B16A16_SFLOAT;

// Of light that leaves the program.
inline constexpr VkFormat kKeptLightFormat = VK_FORMAT_R32G32B32A32_SFLOAT;

// Whether it is found how far pixels have moved since the last frame.
[[nodiscard]] inline bool wants_motion(const FramePlan& plan) {
    return plan.show == Show::kMotion || plan.taa;
}

// Tiles of the shading pass along so many pixels.
[[nodiscard]] constexpr std::uint32_t shade_tiles(std::uint32_t pixels) {
    return (pixels + shared::kShadeTile - 1) / shared::kShadeTile;
}

// Which lights reach which cluster of a view, while some shine (shade/light_clusters.h).
struct LightClusters {
    gpu::Buffer clusters;   // shared::ClusterState, and words
    gpu::Buffer order;      // a word for each light with a range
    gpu::Buffer in_view;    // shared::ClusterLight
    gpu::Buffer blocks;     // words for each block of clusters
    gpu::Buffer workspace;  // of prefix sums

    [[nodiscard]] std::array<gpu::Buffer*, 5> all() { return {&clusters, &order, &in_view, &blocks, &workspace}; }

    [[nodiscard]] std::uint64_t bytes() const;
};

class PictureState {
  public:
    explicit PictureState(gpu::Device& device);

    // Images of this size for a frame by `plan`. `transmissive`: the scene has surfaces of that kind. `sublets`: of the
    // scene, over all instances.
    void prepare(VkExtent2D extent, const FramePlan& plan, bool transmissive, std::uint64_t sublets);
    // Of another scene, or after a frame that will not run: everything that is kept is forgotten.
    void forget();
    // VRAM bytes of the images, not of `lights`.
    [[nodiscard]] std::uint64_t bytes() const;

    gpu::Image color;                // kColorFormat, sRGB-encoded values
    gpu::Image light;                // exposed, linear, while FramePlan::keep_light asks for it; kKeptLightFormat
    gpu::Buffer exposure;            // shared::ExposureState, while FramePlan::ev asks for it
    LightClusters lights;            // while lights shine
    gpu::Image behind;               // light of what is not transmissive, while it shines through what is; kLightFormat
    gpu::Buffer transmissive_tiles;  // shared::TransmissiveTiles and words; beside `behind`
    gpu::Buffer rejected;  // while Show::kOverdraw or kCulled ask for them: a byte for each sublet, kVerdict...
    gpu::Image overdraw;   // kOverdrawFormat
    gpu::Image motion;     // while wants_motion(), kLightFormat: pixels since the last frame, y down; distances
    // While FramePlan::ambient_occlusion asks for it (shade/ambient.h): kLightFormat, a texel for
    // shared::kAmbientPixels pixels each way.
    gpu::Image ambient;
    gpu::Image culled_depth;  // kDepthFormat, of what is rejected
    // While FramePlan::taa asks for them (shade/temporal.h):
    gpu::Image resolved;                // as `color`, which takes its place
    std::array<gpu::Image, 2> history;  // kLightFormat; the last frame wrote the first
    bool has_history = false;           // a frame is in it
    std::uint32_t jittered_frames = 0;  // so far
    gpu::Sampler texel_sampler;         // for images that are read texel by texel
    ShadowMaps shadows;
    Inspector inspector;
    std::array<gpu::Buffer, gpu::kFramesInFlight> exposures;     // read back, by slot: a float,
    std::array<gpu::Buffer, gpu::kFramesInFlight> light_counts;  // shared::ClusterState
    std::optional<View> last;                                    // of the frame before

  private:
    // What some views alone take; given back when they are no longer shown.
    void prepare_shown(VkExtent2D extent, const FramePlan& plan, std::uint64_t sublets);

    gpu::Device& device_;
};

}  // namespace sublet::render
