// Why a setting changes nothing with these settings, which come to `plan`; nothing when it does. For the table alone.
#pragma once

#include "render/settings/settings.h"

namespace sublet::render {

[[nodiscard]] Reason needs_gpu_culling(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_bounds_tests(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_direct_draws(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_sublets(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_primitive_culling(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_packed_work(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_occlusion_bits(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_expansion(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_mesh_shader(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_triangle_lists(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_raster(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_grid(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_nodes(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_animation(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_bounds(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_frozen_camera(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_light(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_environment(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_picture_of_light(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_sun(const Settings& chosen, const FramePlan& plan);
[[nodiscard]] Reason needs_pyramid_view(const Settings& chosen, const FramePlan& plan);

}  // namespace sublet::render
