// How a frame is drawn: what settings become for a device and a scene. Nothing in it is left open.
#pragma once

#include <cstdint>

#include "gpu/capabilities.h"
#include "render/settings/scene_facts.h"
#include "render/settings/settings.h"

namespace sublet::render {

// A member that the backend has no use for has its default.
struct FramePlan {
    Backend backend = Backend::kDirect;
    bool cull_instances = true;
    bool cull_frustum = true;
    bool cull_cone = true;
    bool cull_occlusion = false;
    bool cull_sublets = true;
    bool cull_primitives = true;
    OcclusionDetail occlusion_detail = OcclusionDetail::kMeshlets;
    Payload payload = Payload::kDecoded;
    ExpansionStrategy expansion = ExpansionStrategy::kTaskList;
    std::uint32_t meshlet_workgroup = 32;
    SubgroupPath subgroup = SubgroupPath::kGeneral;
    bool local_invocation_output = false;
    Show show = Show::kShaded;
    std::uint64_t compact_budget = 0;  // FrameSettings::compact_budget, group_tiling, freeze_culling, collect_counters
    std::uint32_t group_tiling = 0;
    std::int32_t freeze_culling = -1;
    bool collect_counters = true;
};

// `settings` with all decided that they leave open, for a device with these capabilities and for this scene; and
// without occlusion culling for `direct`, which takes no part in it. Throws Error with the reason for a value that was
// asked for and can't be had. `scene`: Renderer::facts(), which choices go by, and what was asked for is held to.
// Without them a backend or an expansion that can't draw the scene is found when a frame is recorded.
[[nodiscard]] FramePlan resolve(const FrameSettings& settings, const gpu::Capabilities& capabilities,
                                const SceneFacts& scene = {});

// `settings` as they run by `plan`: with what was decided, where the backend has a use for it.
[[nodiscard]] FrameSettings as_planned(const FrameSettings& settings, const FramePlan& plan);

// Whether a stage can run in subgroups of exactly `size` lanes, with what the sublet shaders need of them.
[[nodiscard]] bool subgroups_of(std::uint32_t size, VkShaderStageFlagBits stage, const gpu::Capabilities& capabilities);

}  // namespace sublet::render
