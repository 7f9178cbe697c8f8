// Shadow maps of a picture: what of them has changed and is to be drawn, their depths from frame to frame, and what
// shading reads of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/commands.h"
#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/settings/frame_plan.h"
#include "render/view/output.h"
#include "render/view/shadow_counters.h"
#include "render/view/sun_shadow.h"
#include "shaders/shared/shadow.h"

namespace sublet::render {

// Whether pictures by this plan have shadows in them.
[[nodiscard]] bool shows_shadows(const FramePlan& plan);
// What maps are drawn by, for pictures by this plan.
[[nodiscard]] FramePlan shadow_plan(const FramePlan& plan);

class ShadowMaps {
  public:
    // A frame by `plan` reads these maps. Returns those that have to be drawn: by shadow_plan(), over a scene whose
    // casters stand where `placement` says (another number after each change).
    [[nodiscard]] std::vector<ShadowMapView> begin(gpu::Device& device, const gpu::Frame& frame,
                                                   const std::vector<ShadowMapView>& maps, const FramePlan& plan,
                                                   std::uint64_t placement);
    // Around all calls of keep() in a frame: between the two nothing reads maps.
    void open(gpu::Commands commands);
    void close(gpu::Commands commands);
    // Pass "keep": takes over what was drawn of a map, whose targets are closed.
    void keep(const FrameContext& context, const ShadowMapView& map, const Targets& targets) const;
    static void add_pipelines(const FramePlan& plan, gpu::PipelineList& out);
    // What was recorded will not run, or what is kept is of another scene.
    void forget();

    // For shade/shadow.glsl, of this frame. Only after begin().
    void add_descriptors(const gpu::Frame& frame, std::vector<gpu::Descriptor>& out) const;
    // Of the frame that was begun last.
    [[nodiscard]] ShadowCounters counters() const { return counters_; }
    explicit operator bool() const { return bool{depths_}; }
    // VRAM bytes.
    [[nodiscard]] std::uint64_t bytes() const { return gpu::image_bytes(depths_); }

  private:
    struct Drawn {
        ShadowMapView map;
        FramePlan plan;
        std::uint64_t placement = 0;

        friend bool operator==(const Drawn&, const Drawn&) = default;
    };

    gpu::Image depths_;  // 32-bit floats, a layer for each
    gpu::Sampler texels_;
    bool readable_ = false;  // depths_ is in SHADER_READ_ONLY_OPTIMAL
    ShadowCounters counters_;
    std::array<std::optional<Drawn>, shared::kShadowMaps> drawn_;
    std::array<gpu::Buffer, gpu::kFramesInFlight> maps_;  // shared::ShadowMaps
};

}  // namespace sublet::render
