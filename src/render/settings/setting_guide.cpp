#include "render/settings/setting_guide.h"

#include <algorithm>
#include <array>

#include "render/settings/backend_info.h"
#include "render/settings/frame_plan.h"
#include "render/settings/setting_reasons.h"
#include "scene/animation.h"

namespace sublet::render {
namespace {

std::string by(const FramePlan& plan) {
    return "The backend " + std::string(backend_name(plan.backend));
}

}  // namespace

Reason needs_gpu_culling(const Settings& /*chosen*/, const FramePlan& plan) {
    if (culls_on_gpu(backend_info(plan.backend))) return std::nullopt;
    return by(plan) + " leaves culling to the CPU, which tests whole instances against the frustum.";
}

Reason needs_bounds_tests(const Settings& chosen, const FramePlan& plan) {
    return plan.direct_meshlets ? std::nullopt : needs_gpu_culling(chosen, plan);
}

Reason needs_direct_draws(const Settings& /*chosen*/, const FramePlan& plan) {
    if (plan.backend == Backend::kDirect) return std::nullopt;
    return by(plan) + " selects meshlets on the GPU.";
}

Reason needs_sublets(const Settings& /*chosen*/, const FramePlan& plan) {
    const bool mdi = plan.backend == Backend::kMdi;
    if ((mdi && plan.device.mdi_runs) || backend_info(plan.backend).primitives != PrimitiveCulling::kNone) {
        return std::nullopt;
    }
    return by(plan) + " draws whole meshlets" + (mdi ? " on this device" : "") + ", and looks at no single sublet.";
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

std::string_view group_title(SettingGroup group) {
    constexpr std::array<std::string_view, kSettingGroups.size()> kTitles{
        "Everyday",          "Light",     "Looking inside", "Culling",        "Drawing", "Budgets",
        "Camera in numbers", "Measuring", "Scene settings", "Device settings"};
    return kTitles.at(static_cast<std::size_t>(group));
}

std::span<const Setting> settings_of(SettingGroup group) {
    const std::span<const Setting> all = settings_table();
    const auto first = std::ranges::find(all, group, &Setting::group);
    const auto last = std::find_if(first, all.end(), [&](const Setting& s) { return s.group != group; });
    return {first, last};
}

std::string_view choice_sentence(std::string_view setting, std::string_view choice) {
    for (const ChoiceGuide& value : find_setting(setting)->values) {
        if (value.choice == choice) return value.sentence;
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
    const NoEffect reason = find_setting(setting)->no_effect;
    return reason == nullptr ? std::nullopt : reason(chosen, plan);
}

}  // namespace sublet::render
