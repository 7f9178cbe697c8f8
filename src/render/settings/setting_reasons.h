// Why a setting changes nothing with these settings, which come to `plan`; nothing when it does. For the table alone.
#pragma once

#include <string>

#include "render/settings/backend_info.h"
#include "render/settings/frame_plan.h"
#include "scene/animation.h"

namespace sublet::render {

inline std::string by(const FramePlan& plan) {
    return "The backend " + std::string(backend_name(plan.backend));
}

[[nodiscard]] inline Reason needs_gpu_culling(const Settings& /*chosen*/, const FramePlan& plan) {
    if (culls_on_gpu(backend_info(plan))) return std::nullopt;
    return by(plan) + " leaves culling to the CPU, which tests whole instances against the frustum.";
}

[[nodiscard]] inline Reason needs_bounds_tests(const Settings& chosen, const FramePlan& plan) {
    return plan.direct_meshlets ? std::nullopt : needs_gpu_culling(chosen, plan);
}

[[nodiscard]] inline Reason needs_streaming(const Settings& /*chosen*/, const FramePlan& plan) {
    if (plan.in_part || plan.textures_in_part) return std::nullopt;
    return "All geometry and all textures have room at once (--vram-budget, --texture-budget).";
}

[[nodiscard]] inline Reason needs_lod(const Settings& chosen, const FramePlan& plan) {
    if (plan.lod || (chosen.frame.lod_fits && plan.textures_in_part)) return std::nullopt;
    return "The finest level of detail is drawn (--lod off).";
}

[[nodiscard]] inline Reason needs_direct_draws(const Settings& /*chosen*/, const FramePlan& plan) {
    if (plan.backend == Backend::kDirect) return std::nullopt;
    return by(plan) + " selects meshlets on the GPU.";
}

[[nodiscard]] inline Reason needs_sublets(const Settings& /*chosen*/, const FramePlan& plan) {
    const bool mdi = plan.backend == Backend::kMdi;
    const BackendInfo backend = backend_info(plan);
    if ((mdi && plan.device.mdi_runs) || plan.backend == Backend::kGenerated ||
        backend.survivors == Survivors::kSublets || backend.primitives != PrimitiveCulling::kNone) {
        return std::nullopt;
    }
    return by(plan) + " draws whole meshlets" + (mdi ? " on this device" : "") + ", and looks at no single sublet.";
}

[[nodiscard]] inline Reason needs_primitive_culling(const Settings& /*chosen*/, const FramePlan& plan) {
    const PrimitiveCulling primitives = backend_info(plan).primitives;
    if (primitives == PrimitiveCulling::kRaster) return by(plan) + " always drops triangles that cover no pixel.";
    if (primitives != PrimitiveCulling::kNone) return std::nullopt;
    return by(plan) + " leaves single triangles to the GPU's rasteriser.";
}

[[nodiscard]] inline Reason needs_packed_work(const Settings& /*chosen*/, const FramePlan& plan) {
    if (backend_info(plan).primitives != PrimitiveCulling::kNone) return std::nullopt;
    return by(plan) + " reads decoded index and vertex buffers through the GPU's fixed functions.";
}

[[nodiscard]] inline Reason needs_occlusion_bits(const Settings& /*chosen*/, const FramePlan& plan) {
    if (!plan.cull_occlusion) return "Occlusion culling is off, so nothing is remembered.";
    if (backend_info(plan).survivors == Survivors::kSublets) return std::nullopt;
    return by(plan) + " remembers meshlets alone.";
}

[[nodiscard]] inline Reason needs_expansion(const Settings& /*chosen*/, const FramePlan& plan) {
    if (plan.backend == Backend::kGraphAmdx && plan.blend_layers == 0) {
        return by(plan) + " leaves queues and workgroups to the driver.";
    }
    if (backend_info(plan).survivors != Survivors::kNone) return std::nullopt;
    return by(plan) + " culls no meshlets in compute, so nothing is dealt out.";
}

// Of the shaders that one has a choice of.
[[nodiscard]] inline Reason needs_lanes(const Settings& chosen, const FramePlan& plan) {
    if (plan.backend != Backend::kGraphAmdx) return needs_packed_work(chosen, plan);
    return by(plan) + " has mesh nodes of 32 lanes, which share memory.";
}

[[nodiscard]] inline Reason needs_mesh_shader(const Settings& /*chosen*/, const FramePlan& plan) {
    if (backend_info(plan).mesh_shader) return std::nullopt;
    return by(plan) + " uses no mesh shader.";
}

[[nodiscard]] inline Reason needs_mesh_lanes(const Settings& chosen, const FramePlan& plan) {
    return plan.backend == Backend::kGraphAmdx ? needs_lanes(chosen, plan) : needs_mesh_shader(chosen, plan);
}

[[nodiscard]] inline Reason needs_triangle_lists(const Settings& /*chosen*/, const FramePlan& plan) {
    const PrimitiveCulling primitives = backend_info(plan).primitives;
    if (primitives == PrimitiveCulling::kCompute || primitives == PrimitiveCulling::kRaster) return std::nullopt;
    return by(plan) + " keeps no list of triangles.";
}

[[nodiscard]] inline Reason needs_raster(const Settings& /*chosen*/, const FramePlan& plan) {
    if (plan.backend == Backend::kRaster) return std::nullopt;
    return by(plan) + " leaves triangles to the GPU's rasteriser; the backend raster draws them itself.";
}

[[nodiscard]] inline Reason needs_grid(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.scene.grid.count.x != 0) return std::nullopt;
    return "There is no grid (--grid).";
}

[[nodiscard]] inline Reason needs_nodes(const Settings& chosen, const FramePlan& /*plan*/) {
    if (!chosen.scene.grid.empty()) return "A grid has no nodes (--grid).";
    return std::nullopt;
}

[[nodiscard]] inline Reason needs_animation(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.scene.animation == scene::kNoAnimation) return "No animation plays (--animation).";
    return std::nullopt;
}

[[nodiscard]] inline Reason needs_bounds(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.bounds == Bounds::kOff) return "No bounds are drawn (--bounds).";
    if (chosen.frame.bounds != Bounds::kBoxes || chosen.frame.bounds_of == BoundsOf::kPicked) return std::nullopt;
    return "Boxes are of instances alone: meshlets and sublets have spheres and cones.";
}

[[nodiscard]] inline Reason needs_frozen_camera(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.freeze_culling >= 0) return std::nullopt;
    return "No camera is frozen (--freeze-culling).";
}

[[nodiscard]] inline Reason needs_light(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.show == Show::kShaded || chosen.frame.show == Show::kCulled) return std::nullopt;
    return "The picture shows no light (--view shaded does).";
}

[[nodiscard]] inline Reason needs_environment(const Settings& chosen, const FramePlan& plan) {
    if (plan.environment.kind == EnvironmentKind::kNone) return "There is no light from all around (--environment).";
    return needs_light(chosen, plan);
}

[[nodiscard]] inline Reason needs_picture_of_light(const Settings& chosen, const FramePlan& plan) {
    if (plan.environment.kind == EnvironmentKind::kSky) return "The sky turns with its sun (--sun).";
    return needs_environment(chosen, plan);
}

[[nodiscard]] inline Reason needs_sun(const Settings& chosen, const FramePlan& plan) {
    if (!plan.sun.on) return "The sun is off (--sun).";
    return needs_light(chosen, plan);
}

[[nodiscard]] inline Reason needs_lights(const Settings& chosen, const FramePlan& plan) {
    if (!plan.lights) return "The scene's lights are off (--lights).";
    return needs_light(chosen, plan);
}

// What can cast shadows.
[[nodiscard]] inline Reason needs_caster(const Settings& chosen, const FramePlan& plan) {
    const Reason no_lights = needs_lights(chosen, plan);
    return no_lights ? needs_sun(chosen, plan) : no_lights;
}

[[nodiscard]] inline Reason needs_shadows(const Settings& chosen, const FramePlan& plan) {
    if (chosen.frame.shadows == Shadows::kOff) return "Nothing casts a shadow (--shadows).";
    return chosen.frame.shadows == Shadows::kSun ? needs_sun(chosen, plan) : needs_caster(chosen, plan);
}

[[nodiscard]] inline Reason needs_sun_shadows(const Settings& chosen, const FramePlan& plan) {
    if (chosen.frame.shadows == Shadows::kOff) return needs_shadows(chosen, plan);
    return needs_sun(chosen, plan);
}

[[nodiscard]] inline Reason needs_light_shadows(const Settings& chosen, const FramePlan& plan) {
    if (chosen.frame.shadows != Shadows::kOn) return "Point and spot lights cast no shadows (--shadows on).";
    return needs_lights(chosen, plan);
}

[[nodiscard]] inline Reason needs_layers(const Settings& chosen, const FramePlan& plan) {
    if (chosen.frame.blend_layers != 0 && plan.blend_layers == 0) {
        return "What blends is drawn opaque: this device has no layers for this scene, or for so many pixels.";
    }
    return std::nullopt;
}

[[nodiscard]] inline Reason needs_frames_that_blend(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.show != Show::kShaded) return "Only the picture itself is smoothed (--view shaded).";
    if (chosen.frame.difference) return "What is compared is a frame alone (--difference).";
    if (chosen.frame.count_ties) return "What is counted is of a frame alone (--count-ties).";
    return std::nullopt;
}

[[nodiscard]] inline Reason needs_pyramid_view(const Settings& chosen, const FramePlan& /*plan*/) {
    if (chosen.frame.show == Show::kHiz) return std::nullopt;
    return "The picture does not show the pyramid (--view hiz).";
}

}  // namespace sublet::render
