// Shadow maps of a picture: what of them has changed and is to be drawn, their depths from frame to frame, and what
// shading reads of them.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec4.hpp>
#include <optional>
#include <span>
#include <vector>

#include "gpu/commands.h"
#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/settings/frame_plan.h"
#include "render/view/light_shadow.h"
#include "render/view/output.h"
#include "render/view/shadow_counters.h"
#include "render/view/shadow_map_view.h"
#include "shaders/shared/shadow.h"

namespace sublet::render {

// What casts shadows in pictures by this plan: shared::kSunShadows, kLightShadows; 0: nothing does.
[[nodiscard]] std::uint32_t shown_shadows(const GpuScene& scene, const FramePlan& plan);
// What maps of `size` texels along a side are drawn by, for pictures by this plan.
[[nodiscard]] FramePlan shadow_plan(const FramePlan& plan, std::uint32_t size);

// What casts shadows, and where.
struct Placement {
    std::uint64_t changes = 0;          // another number after each change but those that animations make
    std::uint64_t moves = 0;            // another number after each of those,
    std::span<const glm::vec4> movers;  // which are within these spheres: find_movers()
};

class ShadowMaps {
  public:
    // A frame by `plan` reads these maps. Returns those that have to be drawn, by shadow_plan(): into which something
    // of the placement has come, or whose view or plan is another.
    [[nodiscard]] std::vector<ShadowMapView> begin(gpu::Device& device, const gpu::Frame& frame,
                                                   const std::vector<ShadowMapView>& of_sun,
                                                   std::vector<LightShadow> of_lights, const FramePlan& plan,
                                                   const Placement& placement);
    // Around all calls of keep() in a frame: between the two nothing reads maps.
    void open(gpu::Commands commands);
    void close(gpu::Commands commands);
    // Pass "keep": takes over what was drawn of a map, whose targets are closed.
    void keep(const FrameContext& context, const ShadowMapView& map, const Targets& targets);
    static void add_pipelines(const FramePlan& plan, gpu::PipelineList& out);
    // What was recorded will not run, or what is kept is of another scene.
    void forget();

    // For shade/shadow.glsl, of this frame. Only after begin(). `none`: for kinds of light that cast none.
    void add_descriptors(const gpu::Frame& frame, const gpu::Image& none, std::vector<gpu::Descriptor>& out) const;
    // The lights that have maps in this frame, and PunctualLight::maps of each.
    struct Lit {
        std::uint32_t light = 0;
        std::uint32_t maps = 0;
    };
    [[nodiscard]] const std::vector<Lit>& lights() const { return lights_; }
    // Of the frame that was begun last.
    [[nodiscard]] ShadowCounters counters() const { return counters_; }
    explicit operator bool() const { return bool{texels_}; }
    // VRAM bytes.
    [[nodiscard]] std::uint64_t bytes() const {
        return gpu::image_bytes(of_sun_.depths) + gpu::image_bytes(of_lights_.depths);
    }

  private:
    struct Drawn {
        ShadowMapView map;
        FramePlan plan;
        std::uint64_t changes = 0, moves = 0;  // of the placement; moves where some mover may touch it

        friend bool operator==(const Drawn&, const Drawn&) = default;
    };

    // Maps of one kind, all of one size.
    struct Kept {
        gpu::Image depths;                        // 32-bit floats, a layer for each
        bool readable = false;                    // in SHADER_READ_ONLY_OPTIMAL
        std::vector<std::optional<Drawn>> drawn;  // by layer

        // For so many maps or more.
        void make_room(gpu::Device& device, std::uint32_t size, std::uint32_t layers, const char* name);
        // Whether a map is to be drawn; it then counts as drawn.
        [[nodiscard]] bool changes(Drawn wanted, bool cached);
    };

    [[nodiscard]] Kept& kept(const ShadowMapView& map) {
        return map.light == ShadowMapView::kOfSun ? of_sun_ : of_lights_;
    }
    // Layers for the maps of lights: those that they had, else any that are free.
    void choose_layers(std::vector<LightShadow>& of_lights) const;

    Kept of_sun_, of_lights_;
    gpu::Sampler texels_;
    ShadowCounters counters_;
    std::vector<Lit> lights_;
    std::array<gpu::Buffer, gpu::kFramesInFlight> maps_;  // shared::ShadowMaps
};

}  // namespace sublet::render
