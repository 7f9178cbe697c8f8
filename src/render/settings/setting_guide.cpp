#include "render/settings/setting_guide.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/error.h"
#include "render/settings/backend_info.h"
#include "render/settings/shows.h"
#include "scene/animation.h"

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

constexpr std::array kGuideToPayloads{
    ChoiceGuide{"auto", "Decoded, which is the faster one where there is memory for it."},
    ChoiceGuide{"encoded", "Shaders unpack the file's streams wherever they need them."},
    ChoiceGuide{"decoded", "A pass unpacks the streams once, when the scene is loaded."},
};

constexpr std::array kGuideToOcclusionDetails{
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

constexpr std::array kGuideToBounds{
    ChoiceGuide{"off", "None."},
    ChoiceGuide{"spheres", "The bounding spheres that the frustum and the pyramid are tested with."},
    ChoiceGuide{"boxes", "The bounding boxes of instances."},
    ChoiceGuide{"cones", "The normal cones, which tell what faces away."},
};

constexpr std::array kGuideToBoundsOf{
    ChoiceGuide{"instances", "Of every instance."},
    ChoiceGuide{"meshlets", "Of every meshlet."},
    ChoiceGuide{"sublets", "Of every sublet."},
    ChoiceGuide{"picked", "Of what is picked, and of what it is part of."},
};

constexpr std::array kGuideToPickLevels{
    ChoiceGuide{"instance", "The whole instance."},
    ChoiceGuide{"meshlet", "Up to 256 triangles around it."},
    ChoiceGuide{"sublet", "Up to 32 triangles around it."},
    ChoiceGuide{"triangle", "The triangle alone."},
};

constexpr std::array kGuideToWorkgroups{
    ChoiceGuide{"auto", "What the device prefers."},
    ChoiceGuide{"32", "A lane for each triangle of a sublet."},
    ChoiceGuide{"64", "64 lanes."},
    ChoiceGuide{"128", "128 lanes."},
    ChoiceGuide{"256", "256 lanes; not every device has so many."},
};

constexpr std::array kLocalOutputs{
    ChoiceGuide{"auto", "On where the device prefers it."},
    ChoiceGuide{"on", "Lane i writes vertex i and triangle i."},
    ChoiceGuide{"off", "The lane that made a vertex or a triangle writes it."},
};

constexpr std::array kGuideToEnvironments{
    ChoiceGuide{"sky", "A clear sky over grey ground, by the sun's place."},
    ChoiceGuide{"none", "Nothing but the sun, before a plain background."},
    ChoiceGuide{"FILE", "The picture in it; the sun shines too where --sun is given."},
};

constexpr std::array kGuideToTones{
    ChoiceGuide{"neutral", "Khronos PBR Neutral: colours of materials stay, highlights go to white."},
    ChoiceGuide{"aces", "A fit of ACES: more contrast, and brighter colours pale."},
    ChoiceGuide{"none", "What is brighter than white is white."},
};

constexpr std::array kGuideToProjections{
    ChoiceGuide{"auto", "That of the scene's camera where it is used, else perspective."},
    ChoiceGuide{"perspective", "What is farther is smaller."},
    ChoiceGuide{"orthographic", "Sizes don't shrink with distance."},
};

// Those that a device may be treated as lacking.
std::span<const ChoiceGuide> features() {
    static const std::vector<ChoiceGuide> guides = [] {
        std::vector<ChoiceGuide> out;
        for (const gpu::Feature& feature : gpu::features()) out.push_back({feature.name, feature.help});
        return out;
    }();
    return guides;
}

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
    return "There is no grid (--grid).";
}

Reason needs_nodes(const Settings& chosen, const FramePlan& /*plan*/) {
    if (!chosen.scene.grid.empty()) return "A grid has no nodes (--grid).";
    return std::nullopt;
}

Reason needs_animation(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.scene.animation == scene::kNoAnimation) return "No animation plays (--animation).";
    return std::nullopt;
}

Reason needs_bounds(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.bounds == Bounds::kOff) return "No bounds are drawn (--bounds).";
    if (chosen.frame.bounds != Bounds::kBoxes || chosen.frame.bounds_of == BoundsOf::kPicked) return std::nullopt;
    return "Boxes are of instances alone: meshlets and sublets have spheres and cones.";
}

Reason needs_frozen_camera(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.freeze_culling >= 0) return std::nullopt;
    return "No camera is frozen (--freeze-culling).";
}

Reason needs_light(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.show == Show::kShaded || chosen.frame.show == Show::kCulled) return std::nullopt;
    return "The picture shows no light (--view shaded does).";
}

Reason needs_environment(const Settings& chosen, const FramePlan& plan) {
    if (plan.environment.kind == EnvironmentKind::kNone) return "There is no light from all around (--environment).";
    return needs_light(chosen, plan);
}

Reason needs_picture_of_light(const Settings& chosen, const FramePlan& plan) {
    if (plan.environment.kind == EnvironmentKind::kSky) return "The sky turns with its sun (--sun).";
    return needs_environment(chosen, plan);
}

Reason needs_sun(const Settings& chosen, const FramePlan& plan) {
    if (!plan.sun.on) return "The sun is off (--sun).";
    return needs_light(chosen, plan);
}

Reason needs_pyramid_view(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.show == Show::kHiz) return std::nullopt;
    return "The picture does not show the pyramid (--view hiz).";
}

// In the order in which a window shows them.
const std::array kGuides{
    SettingGuide{"view", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"wireframe", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"bounds", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", kGuideToBounds},
    SettingGuide{"bounds-of", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", kGuideToBoundsOf,
                 needs_bounds},
    SettingGuide{"joints", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}},
    SettingGuide{"backend", SettingGroup::kEveryday, "docs/DRAWING.md", {}},
    SettingGuide{"cull-frustum", SettingGroup::kEveryday, "docs/CULLING.md", {}},
    SettingGuide{"cull-cone", SettingGroup::kEveryday, "docs/CULLING.md", {}, needs_gpu_culling},
    SettingGuide{"cull-occlusion", SettingGroup::kEveryday, "docs/CULLING.md, \"Two phases\"", {}, needs_gpu_culling},
    SettingGuide{"freeze-culling", SettingGroup::kEveryday, "docs/CULLING.md", {}, nullptr, "FRAME"},
    SettingGuide{"frustum", SettingGroup::kEveryday, "docs/DRAWING.md, \"Looking inside\"", {}, needs_frozen_camera},
    SettingGuide{"environment", SettingGroup::kLight, "docs/DRAWING.md, \"Light\"", kGuideToEnvironments, needs_light},
    SettingGuide{
        "environment-turn", SettingGroup::kLight, "docs/DRAWING.md, \"Light\"", {}, needs_picture_of_light, "DEGREES"},
    SettingGuide{"environment-blur", SettingGroup::kLight, "docs/DRAWING.md, \"Light\"", {}, needs_environment},
    SettingGuide{"sun", SettingGroup::kLight, "docs/DRAWING.md, \"Light\"", {}, needs_light, "ELEVATION,AZIMUTH"},
    SettingGuide{"sun-strength", SettingGroup::kLight, "docs/DRAWING.md, \"Light\"", {}, needs_sun, "FACTOR"},
    SettingGuide{"ev", SettingGroup::kLight, "docs/DRAWING.md, \"Light\"", {}, needs_light, "STOPS|auto"},
    SettingGuide{"tone", SettingGroup::kLight, "docs/DRAWING.md, \"Light\"", kGuideToTones, needs_light},
    SettingGuide{"hiz-level", SettingGroup::kLooking, "docs/CULLING.md, \"The HiZ pyramid\"", {}, needs_pyramid_view},
    SettingGuide{"pick", SettingGroup::kLooking, "docs/DRAWING.md, \"Looking inside\"", {}, nullptr, "X,Y"},
    SettingGuide{"pick-level", SettingGroup::kLooking, "docs/DRAWING.md, \"Looking inside\"", kGuideToPickLevels},
    SettingGuide{"cull-instances", SettingGroup::kCulling, "docs/CULLING.md", {}},
    SettingGuide{
        "cull-sublets", SettingGroup::kCulling, "docs/CULLING.md, \"Sublets as the unit of work\"", {}, needs_sublets},
    SettingGuide{"cull-primitives",
                 SettingGroup::kCulling,
                 "docs/CULLING.md, \"Primitive culling\"",
                 {},
                 needs_primitive_culling},
    SettingGuide{"occlusion-detail", SettingGroup::kCulling, "docs/CULLING.md, \"Bits of sublets and of triangles\"",
                 kGuideToOcclusionDetails, needs_occlusion_bits},
    SettingGuide{"expansion", SettingGroup::kCulling, "docs/CULLING.md, \"Expansion\"", kExpansions, needs_expansion},
    SettingGuide{"payload", SettingGroup::kDrawing, "docs/CULLING.md, \"Where triangles are culled\"", kGuideToPayloads,
                 needs_packed_work},
    SettingGuide{"subgroup", SettingGroup::kDrawing, "docs/CULLING.md, \"Subgroups\"", kSubgroups, needs_packed_work},
    SettingGuide{"meshlet-workgroup", SettingGroup::kDrawing, "docs/DRAWING.md", kGuideToWorkgroups, needs_mesh_shader},
    SettingGuide{"local-invocation-output", SettingGroup::kDrawing, "docs/DRAWING.md, \"Outputs by local invocation\"",
                 kLocalOutputs, needs_mesh_shader},
    SettingGuide{"raster-limit",
                 SettingGroup::kDrawing,
                 "docs/DRAWING.md, \"Rasterising in compute\"",
                 {},
                 needs_raster,
                 "PIXELS"},
    SettingGuide{"group-tiling", SettingGroup::kDrawing, "docs/CULLING.md, \"Thread-group tiling\"", {}},
    SettingGuide{
        "compact-budget", SettingGroup::kMemory, "docs/CULLING.md, \"Rounds\"", {}, needs_triangle_lists, "MiB"},
    SettingGuide{"survivor-budget", SettingGroup::kMemory, "docs/CULLING.md, \"Rounds\"", {}, needs_expansion, "MiB"},
    SettingGuide{"deform-budget", SettingGroup::kMemory, "docs/DRAWING.md, \"Deformation\"", {}, nullptr, "MiB"},
    SettingGuide{"texture-budget", SettingGroup::kMemory, "docs/DRAWING.md, \"Textures\"", {}, nullptr, "MiB"},
    SettingGuide{"image-limit", SettingGroup::kMemory, "docs/DRAWING.md, \"Textures\"", {}, nullptr, "MiB"},
    SettingGuide{"camera", SettingGroup::kCamera, "", {}, nullptr, "EX,EY,EZ,TX,TY,TZ[,FOV[,ROLL]]"},
    SettingGuide{"near", SettingGroup::kCamera, "", {}, nullptr, "DISTANCE"},
    SettingGuide{"projection", SettingGroup::kCamera, "", kGuideToProjections},
    SettingGuide{"difference", SettingGroup::kMeasuring, "docs/EXACTNESS.md", {}},
    SettingGuide{"count-ties", SettingGroup::kMeasuring, "docs/EXACTNESS.md", {}},
    SettingGuide{"grid", SettingGroup::kScene, "", {}, nullptr, "XxYxZ"},
    SettingGuide{"grid-spacing", SettingGroup::kScene, "", {}, needs_grid, "DISTANCE[x]"},
    SettingGuide{"variant", SettingGroup::kScene, "", {}, nullptr, "NAME"},
    SettingGuide{"hide", SettingGroup::kScene, "", {}, needs_nodes, "NAME|INDEX,..|FIRST-LAST,.."},
    SettingGuide{"isolate", SettingGroup::kScene, "", {}, needs_nodes, "NAME|INDEX,..|FIRST-LAST,.."},
    SettingGuide{
        "animation", SettingGroup::kScene, "docs/DRAWING.md, \"Animation\"", {}, nullptr, "NAME|INDEX,..|all|none"},
    SettingGuide{"time", SettingGroup::kScene, "docs/DRAWING.md, \"Animation\"", {}, needs_animation, "SECONDS"},
    SettingGuide{"speed", SettingGroup::kScene, "docs/DRAWING.md, \"Animation\"", {}, needs_animation, "FACTOR"},
    SettingGuide{"stagger", SettingGroup::kScene, "docs/DRAWING.md, \"Deformation\"", {}, needs_grid, "SECONDS"},
    SettingGuide{"seed", SettingGroup::kScene, "", {}},
    SettingGuide{"device", SettingGroup::kDevice, "", {}, nullptr, "DEVICE"},
    SettingGuide{"validation", SettingGroup::kDevice, "", {}},
    SettingGuide{"shader-statistics", SettingGroup::kDevice, "", {}},
    SettingGuide{"without", SettingGroup::kDevice, "", features()},
};

}  // namespace

const SettingGuide& setting_guide(std::string_view setting) {
    // A window asks for each in every frame.
    static const auto by_setting = [] {
        std::unordered_map<std::string_view, const SettingGuide*> by_name;
        for (const SettingGuide& guide : kGuides) by_name.emplace(guide.setting, &guide);
        return by_name;
    }();
    const auto found = by_setting.find(setting);
    if (found == by_setting.end()) throw Error("settings", std::string(setting), "no guide tells of it");
    return *found->second;
}

std::span<const Setting* const> settings_of(SettingGroup group) {
    static const auto by_its_group = [] {
        std::array<std::vector<const Setting*>, kSettingGroups> by_group;
        for (const SettingGuide& guide : kGuides) {
            by_group.at(static_cast<std::size_t>(guide.group)).push_back(find_setting(guide.setting));
        }
        return by_group;
    }();
    return by_its_group.at(static_cast<std::size_t>(group));
}

std::vector<const Setting*> settings_by_group() {
    std::vector<const Setting*> out;
    for (const SettingGuide& guide : kGuides) out.push_back(find_setting(guide.setting));
    std::stable_sort(out.begin(), out.end(), [](const Setting* a, const Setting* b) {
        return setting_guide(a->name).group < setting_guide(b->name).group;
    });
    return out;
}

std::span<const SettingGroup> all_setting_groups() {
    static constexpr std::array<SettingGroup, kSettingGroups> kGroups{
        SettingGroup::kEveryday, SettingGroup::kLight,  SettingGroup::kLooking, SettingGroup::kCulling,
        SettingGroup::kDrawing,  SettingGroup::kMemory, SettingGroup::kCamera,  SettingGroup::kMeasuring,
        SettingGroup::kScene,    SettingGroup::kDevice};
    return kGroups;
}

std::string_view group_title(SettingGroup group) {
    switch (group) {
        case SettingGroup::kEveryday:
            return "Everyday";
        case SettingGroup::kLight:
            return "Light";
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

namespace {

// Of those that more than settings and plan decide.
Reason no_effect_there(std::string_view setting, const Settings& chosen, const Situation& situation) {
    const bool never_frozen = situation.frames && chosen.frame.freeze_culling >= 0 &&
                              static_cast<std::uint32_t>(chosen.frame.freeze_culling) >= *situation.frames;
    if (never_frozen && (setting == "freeze-culling" || setting == "frustum")) {
        return "Its frame is never reached: the last one is " + std::to_string(*situation.frames - 1) + ".";
    }
    const bool of_animations = setting == "animation" || setting == "time" || setting == "speed";
    if (!situation.moves && of_animations) return "The scene has no animations.";
    if (of_animations && chosen.scene.grid.count.x != 0 && !situation.deforms) {
        return "The meshes of a grid stand still, but for those that joints or weights move (--grid).";
    }
    if (situation.light_file && setting == "tone") return "A .exr has the light before it becomes colours.";
    if (situation.one_moment && setting == "speed") return "All frames show one moment (--fps).";
    if (setting == "joints" && !situation.joints) return "No mesh of the scene has joints.";
    if (setting == "seed" && !situation.builtin_scene) return "Only the built-in scene has a seed.";
    if (setting == "camera" && situation.camera_path) return "The cameras of --camera-path take its place.";
    if (setting == "pick-level" && !situation.clicks && !chosen.frame.pick) return "Nothing is picked (--pick).";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> no_effect(std::string_view setting, const Settings& chosen, const FramePlan& plan,
                                     const Situation& situation) {
    if (auto reason = no_effect_there(setting, chosen, situation)) return reason;
    const SettingGuide& guide = setting_guide(setting);
    return guide.no_effect == nullptr ? std::nullopt : guide.no_effect(chosen, plan);
}

}  // namespace sublet::render
