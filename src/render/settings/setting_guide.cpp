#include "render/settings/setting_guide.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "render/settings/backend_info.h"
#include "render/settings/shows.h"

namespace sublet::render {
namespace {

using Reason = std::optional<std::string>;

std::string by(const FramePlan& plan) {
    return "The backend " + std::string(backend_name(plan.backend));
}

constexpr std::array kExpansions{
    ChoiceGuide{"auto", "The fastest that was measured for such a device and scene."},
    ChoiceGuide{"max-n",
                "Every instance gets as many lanes as the largest one needs. Simple; wasteful if they differ."},
    ChoiceGuide{"per-item", "A list with an entry for each meshlet. Nothing to search, much to write."},
    ChoiceGuide{"linear", "An entry for each instance; each lane looks through the list for its own."},
    ChoiceGuide{"prefix-sum", "The same list with running sums, searched by halves."},
    ChoiceGuide{"scan", "As prefix-sum, but the sums are a pass of their own, so that the order is always the same."},
    ChoiceGuide{"buckets", "Counts are split into powers of two, so that a lane finds its meshlet without a search."},
    ChoiceGuide{"task-list", "Chunks of 32 meshlets, prepared with the scene. Best on a CPU with large meshes."},
};

constexpr std::array kPayloads{
    ChoiceGuide{"auto", "Decoded, which is the faster one where there is memory for it."},
    ChoiceGuide{"encoded", "Shaders unpack the file's streams wherever they need them."},
    ChoiceGuide{"decoded", "A pass unpacks the streams once, when the scene is loaded."},
};

constexpr std::array kOcclusionDetails{
    ChoiceGuide{"auto", "The finest that the backend has on a GPU; sublets on a CPU."},
    ChoiceGuide{"meshlets", "A bit for each meshlet: up to 256 triangles are drawn or not."},
    ChoiceGuide{"sublets", "A bit for each sublet: up to 32 triangles."},
    ChoiceGuide{"primitives", "A bit for each triangle. Draws the least, and remembers the most."},
};

constexpr std::array kSubgroups{
    ChoiceGuide{"auto", "Subgroups of 32, else of 64, else shared memory."},
    ChoiceGuide{"32", "A sublet is one subgroup of 32 lanes."},
    ChoiceGuide{"64", "Two sublets share a subgroup of 64 lanes."},
    ChoiceGuide{"general", "Through shared memory: right for subgroups of any size."},
};

Reason needs_gpu_culling(const Settings& /*chosen*/, const FramePlan& plan) {
    if (culls_on_gpu(backend_info(plan.backend))) return std::nullopt;
    return by(plan) + " leaves culling to the CPU, which tests whole instances against the frustum alone.";
}

Reason needs_sublets(const Settings& /*chosen*/, const FramePlan& plan) {
    const BackendInfo& info = backend_info(plan.backend);
    if (info.survivors == Survivors::kRuns || info.primitives != PrimitiveCulling::kNone) return std::nullopt;
    return by(plan) + " draws whole meshlets, and looks at no single sublet.";
}

Reason needs_primitive_culling(const Settings& /*chosen*/, const FramePlan& plan) {
    const PrimitiveCulling primitives = backend_info(plan.backend).primitives;
    if (primitives == PrimitiveCulling::kRaster) return by(plan) + " always drops triangles that cover no pixel.";
    if (primitives != PrimitiveCulling::kNone) return std::nullopt;
    return by(plan) + " leaves single triangles to the GPU's rasteriser.";
}

Reason needs_packed_work(const Settings& /*chosen*/, const FramePlan& plan) {
    if (backend_info(plan.backend).primitives != PrimitiveCulling::kNone) return std::nullopt;
    return by(plan) + " reads decoded index and vertex buffers through the GPU's fixed functions.";
}

Reason needs_occlusion_bits(const Settings& /*chosen*/, const FramePlan& plan) {
    if (!plan.cull_occlusion) return "Occlusion culling is off, so nothing is remembered.";
    if (backend_info(plan.backend).survivors == Survivors::kSublets) return std::nullopt;
    return by(plan) + " remembers meshlets alone.";
}

Reason needs_expansion(const Settings& /*chosen*/, const FramePlan& plan) {
    if (backend_info(plan.backend).survivors != Survivors::kNone) return std::nullopt;
    return by(plan) + " culls no meshlets in compute, so nothing is dealt out.";
}

Reason needs_mesh_shader(const Settings& /*chosen*/, const FramePlan& plan) {
    if (backend_info(plan.backend).mesh_shader) return std::nullopt;
    return by(plan) + " uses no mesh shader.";
}

Reason needs_triangle_lists(const Settings& /*chosen*/, const FramePlan& plan) {
    const PrimitiveCulling primitives = backend_info(plan.backend).primitives;
    if (primitives == PrimitiveCulling::kCompute || primitives == PrimitiveCulling::kRaster) return std::nullopt;
    return by(plan) + " keeps no list of triangles.";
}

Reason needs_raster(const Settings& /*chosen*/, const FramePlan& plan) {
    if (plan.backend == Backend::kRaster) return std::nullopt;
    return by(plan) + " leaves triangles to the GPU's rasteriser; the backend raster draws them itself.";
}

Reason needs_grid(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.scene.grid.count.x != 0) return std::nullopt;
    return "There is no grid: set one above.";
}

Reason needs_bounds(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.bounds == Bounds::kOff) return "No bounds are drawn: choose some above.";
    if (chosen.frame.bounds != Bounds::kBoxes || chosen.frame.bounds_of == BoundsOf::kPicked) return std::nullopt;
    return "Boxes are of instances alone: meshlets and sublets have spheres and cones.";
}

Reason needs_frozen_camera(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.freeze_culling >= 0) return std::nullopt;
    return "No camera is frozen: tick Freeze culling.";
}

Reason needs_pyramid_view(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.show == Show::kHiz) return std::nullopt;
    return "The view is not hiz.";
}

// In the order in which a window shows them.
const std::array kGuides{
    SettingGuide{"view", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"wireframe", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"bounds", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"bounds-of", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}, needs_bounds},
    SettingGuide{"backend", SettingGroup::kEveryday, "docs/DRAWING.md", {}},
    SettingGuide{"cull-frustum", SettingGroup::kEveryday, "docs/CULLING.md", {}},
    SettingGuide{"cull-cone", SettingGroup::kEveryday, "docs/CULLING.md", {}, needs_gpu_culling},
    SettingGuide{"cull-occlusion", SettingGroup::kEveryday, "docs/CULLING.md, \"Two phases\"", {}, needs_gpu_culling},
    SettingGuide{"freeze-culling", SettingGroup::kEveryday, "docs/CULLING.md", {}},
    SettingGuide{"frustum", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}, needs_frozen_camera},
    SettingGuide{"hiz-level", SettingGroup::kLooking, "docs/CULLING.md, \"The HiZ pyramid\"", {}, needs_pyramid_view},
    SettingGuide{"pick", SettingGroup::kLooking, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"pick-level", SettingGroup::kLooking, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"cull-instances", SettingGroup::kCulling, "docs/CULLING.md", {}},
    SettingGuide{
        "cull-sublets", SettingGroup::kCulling, "docs/CULLING.md, \"Sublets as the unit of work\"", {}, needs_sublets},
    SettingGuide{"cull-primitives",
                 SettingGroup::kCulling,
                 "docs/CULLING.md, \"Primitive culling\"",
                 {},
                 needs_primitive_culling},
    SettingGuide{"occlusion-detail", SettingGroup::kCulling, "docs/CULLING.md, \"Bits of sublets and of triangles\"",
                 kOcclusionDetails, needs_occlusion_bits},
    SettingGuide{"expansion", SettingGroup::kCulling, "docs/CULLING.md, \"Expansion\"", kExpansions, needs_expansion},
    SettingGuide{"payload", SettingGroup::kDrawing, "docs/CULLING.md, \"Where triangles are culled\"", kPayloads,
                 needs_packed_work},
    SettingGuide{"subgroup", SettingGroup::kDrawing, "docs/CULLING.md, \"Subgroups\"", kSubgroups, needs_packed_work},
    SettingGuide{"meshlet-workgroup", SettingGroup::kDrawing, "docs/DRAWING.md", {}, needs_mesh_shader},
    SettingGuide{"local-invocation-output",
                 SettingGroup::kDrawing,
                 "docs/DRAWING.md, \"Outputs by local invocation\"",
                 {},
                 needs_mesh_shader},
    SettingGuide{
        "raster-limit", SettingGroup::kDrawing, "docs/DRAWING.md, \"Rasterising in compute\"", {}, needs_raster},
    SettingGuide{"group-tiling", SettingGroup::kDrawing, "docs/CULLING.md, \"Thread-group tiling\"", {}},
    SettingGuide{"compact-budget", SettingGroup::kMemory, "docs/CULLING.md, \"Rounds\"", {}, needs_triangle_lists},
    SettingGuide{"survivor-budget", SettingGroup::kMemory, "docs/CULLING.md, \"Rounds\"", {}, needs_expansion},
    SettingGuide{"image-limit", SettingGroup::kMemory, "", {}},
    SettingGuide{"camera", SettingGroup::kCamera, "", {}},
    SettingGuide{"near", SettingGroup::kCamera, "", {}},
    SettingGuide{"projection", SettingGroup::kCamera, "", {}},
    SettingGuide{"difference", SettingGroup::kMeasuring, "docs/EXACTNESS.md", {}},
    SettingGuide{"count-ties", SettingGroup::kMeasuring, "docs/EXACTNESS.md", {}},
    SettingGuide{"grid", SettingGroup::kScene, "", {}},
    SettingGuide{"grid-spacing", SettingGroup::kScene, "", {}, needs_grid},
    SettingGuide{"seed", SettingGroup::kScene, "", {}},
    SettingGuide{"device", SettingGroup::kDevice, "", {}},
    SettingGuide{"validation", SettingGroup::kDevice, "", {}},
    SettingGuide{"shader-statistics", SettingGroup::kDevice, "", {}},
    SettingGuide{"without", SettingGroup::kDevice, "", {}},
};

}  // namespace

const SettingGuide& setting_guide(std::string_view setting) {
    const auto* const found = std::find_if(kGuides.begin(), kGuides.end(),
                                           [&](const SettingGuide& guide) { return guide.setting == setting; });
    if (found == kGuides.end()) throw Error("settings", std::string(setting), "no guide tells of it");
    return *found;
}

std::vector<const Setting*> settings_of(SettingGroup group) {
    std::vector<const Setting*> out;
    for (const SettingGuide& guide : kGuides) {
        if (guide.group == group) out.push_back(find_setting(guide.setting));
    }
    return out;
}

std::span<const SettingGroup> all_setting_groups() {
    static constexpr std::array kGroups{SettingGroup::kEveryday, SettingGroup::kCulling, SettingGroup::kDrawing,
                                        SettingGroup::kMemory,   SettingGroup::kCamera,  SettingGroup::kMeasuring,
                                        SettingGroup::kScene,    SettingGroup::kDevice};
    return kGroups;
}

std::string_view group_title(SettingGroup group) {
    switch (group) {
        case SettingGroup::kEveryday:
            return "Everyday";
        case SettingGroup::kLooking:
            return "Looking inside";
        case SettingGroup::kCulling:
            return "Culling";
        case SettingGroup::kDrawing:
            return "Drawing";
        case SettingGroup::kMemory:
            return "Budgets";
        case SettingGroup::kCamera:
            return "Camera in numbers";
        case SettingGroup::kMeasuring:
            return "Measuring";
        case SettingGroup::kScene:
            return "Scene settings";
        case SettingGroup::kDevice:
            return "Device settings";
    }
    return {};
}

std::string_view choice_sentence(std::string_view setting, std::string_view choice) {
    if (setting == "backend") {
        if (choice == "auto") return "The fastest that this device supports.";
        for (const BackendInfo& info : backend_table()) {
            if (info.name == choice) return info.help;
        }
    }
    if (setting == "view") {
        Settings chosen;
        find_setting("view")->set(chosen, choice);
        return view_help(chosen.frame.show);
    }
    for (const ChoiceGuide& guide : setting_guide(setting).choices) {
        if (guide.choice == choice) return guide.sentence;
    }
    return {};
}

std::optional<std::string> no_effect(std::string_view setting, const Settings& chosen, const FramePlan& plan) {
    const SettingGuide& guide = setting_guide(setting);
    return guide.no_effect == nullptr ? std::nullopt : guide.no_effect(chosen, plan);
}

}  // namespace sublet::render
