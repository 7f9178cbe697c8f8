// Occlusion tests on the CPU: bounds against a HiZ pyramid. The twin of shaders/sphere_projection.glsl and
// shaders/occlusion.glsl, the same names and the same float arithmetic, there to be proven: what is tested and why it
// is safe is said there. And what both read: a view prepared for it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>

#include "render/view/camera.h"
#include "render/view/hiz_layout.h"
#include "shaders/shared/occlusion.h"

namespace sublet::render::occlusion {

using shared::HizLayout;
using shared::OcclusionView;

inline constexpr float kTransformSlack = 0x1p-20F;
inline constexpr float kViewSlack = 0x1p-18F;
inline constexpr float kPerspectiveSlack = 1.0F + 0x1p-12F;
inline constexpr float kOrthographicSlack = 0x1p-18F;
inline constexpr float kPixelSlack = 0.25F;

// Rows of an affine matrix.
using Rows = std::array<glm::vec4, 3>;

// `view` seen through a window of the pyramid's size. The projection's x must point right and its y down in the window,
// as make_view()'s do.
inline OcclusionView make_occlusion_view(const View& view, const HizLayout& hiz) {
    OcclusionView out{};
    const glm::mat4& v = view.view;
    const glm::mat4& p = view.projection;
    for (int i = 0; i < 3; ++i) {
        const float sign = i == 0 ? 1.0F : -1.0F;  // view space is y up and looks along -z
        out.rows[i] = {sign * v[0][i], sign * v[1][i], sign * v[2][i], sign * v[3][i]};
        out.magnitude.x = std::max(out.magnitude.x, std::abs(out.rows[i].w));
    }
    // Clip x and y over w: (p00 x + p20 z) / -z, or p00 x + p30; from there to pixels.
    const double half_width = 0.5 * hiz.width;
    const double half_height = 0.5 * hiz.height;
    const double offset_x = view.orthographic ? p[3][0] : -p[2][0];
    const double offset_y = view.orthographic ? p[3][1] : -p[2][1];
    out.window = {static_cast<float>(half_width * p[0][0]), static_cast<float>(half_height * -p[1][1]),
                  static_cast<float>(half_width * (1.0 + offset_x)),
                  static_cast<float>(half_height * (1.0 + offset_y))};
    out.depth = {view.near_plane, view.orthographic ? p[3][2] : 0.0F, view.orthographic ? -p[2][2] : 0.0F,
                 view.orthographic ? 1.0F : 0.0F};
    out.hiz = hiz;
    return out;
}

struct ProjectedBound {
    glm::vec2 low{0.0F};
    glm::vec2 high{0.0F};
    float depth = 0.0F;
};

inline glm::vec4 world_sphere(const Rows& rows, float scale, const glm::vec4& sphere) {
    glm::vec4 world(0.0F);
    float magnitude = 0.0F;
    for (int i = 0; i < 3; ++i) {
        const glm::vec4& row = rows[static_cast<std::size_t>(i)];
        world[i] = row.x * sphere.x + row.y * sphere.y + row.z * sphere.z + row.w;
        magnitude = magnitude + (std::abs(row.x) * (std::abs(sphere.x) + sphere.w) +
                                 std::abs(row.y) * (std::abs(sphere.y) + sphere.w) +
                                 std::abs(row.z) * (std::abs(sphere.z) + sphere.w) + std::abs(row.w));
    }
    world.w = sphere.w * scale + kTransformSlack * magnitude;
    return world;
}

inline glm::vec3 view_direction(const OcclusionView& view, const glm::vec3& p) {
    const auto row = [&](int i) {
        const shared::vec4& r = view.rows[i];
        return r.x * p.x + r.y * p.y + r.z * p.z;
    };
    return {row(0), row(1), row(2)};
}

inline glm::vec3 view_position(const OcclusionView& view, const glm::vec3& p) {
    return view_direction(view, p) + glm::vec3(view.rows[0].w, view.rows[1].w, view.rows[2].w);
}

inline float depth_at(const OcclusionView& view, float z) {
    return view.depth.w != 0.0F ? view.depth.y + view.depth.z * z : view.depth.x / z;
}

inline glm::vec2 tangent_slopes(float x, float z, float r, float along) {
    const float a = std::abs(x);
    const float q = a * z + r * std::sqrt(a * a + along);
    const float far = q / along;
    const float near = (a - r) * (a + r) / q;
    return x < 0.0F ? glm::vec2(-far, -near) : glm::vec2(near, far);
}

// `low` and `high` in units of the window transform.
inline ProjectedBound to_window(const OcclusionView& view, const glm::vec2& low, const glm::vec2& high, float nearest) {
    const glm::vec2 scale(view.window.x, view.window.y);
    const glm::vec2 bias(view.window.z, view.window.w);
    return {.low = low * scale + bias, .high = high * scale + bias, .depth = depth_at(view, nearest)};
}

inline bool project_sphere(const OcclusionView& view, const glm::vec3& center, float radius, ProjectedBound& bound) {
    const glm::vec3 v = view_position(view, center);
    const float magnitude = std::abs(center.x) + std::abs(center.y) + std::abs(center.z) + radius + view.magnitude.x;
    const float r = radius + kViewSlack * magnitude;
    const float nearest = v.z - r;
    glm::vec2 low = glm::vec2(v) - r;
    glm::vec2 high = glm::vec2(v) + r;
    if (view.depth.w == 0.0F) {
        const float along = nearest * (v.z + r);
        const glm::vec2 x = tangent_slopes(v.x, v.z, r, along);
        const glm::vec2 y = tangent_slopes(v.y, v.z, r, along);
        low = {x.x, y.x};
        high = {x.y, y.y};
    }
    bound = to_window(view, low, high, nearest);
    return nearest > view.depth.x;
}

inline bool project_box(const OcclusionView& view, const Rows& rows, const glm::vec3& low, const glm::vec3& high,
                        ProjectedBound& bound) {
    const glm::vec3 center = 0.5F * (low + high);
    const glm::vec3 size = 0.5F * (high - low);
    const glm::vec3 reach = glm::max(glm::abs(low), glm::abs(high));
    glm::vec3 world(0.0F);
    float magnitude = view.magnitude.x;
    for (int i = 0; i < 3; ++i) {
        const glm::vec4& row = rows[static_cast<std::size_t>(i)];
        world[i] = row.x * center.x + row.y * center.y + row.z * center.z + row.w;
        magnitude = magnitude + (std::abs(row.x) * reach.x + std::abs(row.y) * reach.y + std::abs(row.z) * reach.z +
                                 std::abs(row.w));
    }
    const float slack = kViewSlack * magnitude;
    const glm::vec3 v = view_position(view, world);
    std::array<glm::vec3, 3> axes{};
    for (int i = 0; i < 3; ++i) {
        axes[static_cast<std::size_t>(i)] =
            view_direction(view, glm::vec3(rows[0][i], rows[1][i], rows[2][i]) * size[i]);
    }
    const float nearest = v.z - (std::abs(axes[0].z) + std::abs(axes[1].z) + std::abs(axes[2].z)) - slack;

    glm::vec2 least(0.0F);
    glm::vec2 greatest(0.0F);
    for (unsigned i = 0; i < 8; ++i) {
        glm::vec3 corner = v + ((i & 1U) != 0 ? axes[0] : -axes[0]);
        corner = corner + ((i & 2U) != 0 ? axes[1] : -axes[1]);
        corner = corner + ((i & 4U) != 0 ? axes[2] : -axes[2]);
        const glm::vec2 m = view.depth.w != 0.0F ? glm::vec2(corner) : glm::vec2(corner) / corner.z;
        least = i == 0 ? m : glm::min(least, m);
        greatest = i == 0 ? m : glm::max(greatest, m);
    }
    glm::vec2 spread(slack);
    if (view.depth.w == 0.0F) {
        spread = slack * (1.0F + glm::max(glm::abs(least), glm::abs(greatest))) / nearest;
    }
    bound = to_window(view, least - spread, greatest + spread, nearest);
    return nearest > view.depth.x;
}

struct PixelRect {
    glm::uvec2 low{0U};
    glm::uvec2 high{0U};
};

inline bool pixels_of(const HizLayout& hiz, const ProjectedBound& bound, PixelRect& rect) {
    const glm::vec2 last(static_cast<float>(hiz.width - 1), static_cast<float>(hiz.height - 1));
    const glm::vec2 low = glm::ceil(bound.low - (0.5F + kPixelSlack));
    const glm::vec2 high = glm::floor(bound.high - (0.5F - kPixelSlack));
    // Written so that coordinates which are not numbers are outside.
    if (!(high.x >= 0.0F && high.y >= 0.0F && low.x <= last.x && low.y <= last.y)) {  // NOLINT
        rect = {};
        return false;
    }
    rect.low = glm::uvec2(glm::clamp(low, glm::vec2(0.0F), last));
    rect.high = glm::max(rect.low, glm::uvec2(glm::clamp(high, glm::vec2(0.0F), last)));
    return true;
}

inline uint32_t level_of(const HizLayout& hiz, const PixelRect& rect) {
    const glm::uvec2 span = rect.high - rect.low;
    const uint32_t longer = std::max({span.x, span.y, 1U});
    uint32_t level = std::clamp(static_cast<uint32_t>(std::bit_width(longer - 1)), hiz.first_level, hiz.last_level);
    if (level > hiz.first_level) {
        const glm::uvec2 texels = (rect.high >> (level - 1)) - (rect.low >> (level - 1));
        level -= std::max(texels.x, texels.y) <= 1 ? 1 : 0;
    }
    return level;
}

inline float farthest_depth(const HizLayout& hiz, std::span<const float> pyramid, const PixelRect& rect,
                            uint32_t level) {
    const glm::uvec2 low = rect.low >> level;
    const glm::uvec2 high = rect.high >> level;
    const uint32_t pitch = hiz_row_pitch(hiz, level);
    const uint32_t first = hiz_level_offset(hiz, level);
    const uint32_t upper = first + low.y * pitch;
    const uint32_t lower = first + high.y * pitch;
    return std::min(std::min(pyramid[upper + low.x], pyramid[upper + high.x]),
                    std::min(pyramid[lower + low.x], pyramid[lower + high.x]));
}

inline bool strictly_farther(const OcclusionView& view, float nearest, float farthest) {
    const float limit = view.depth.w != 0.0F ? nearest + kOrthographicSlack : nearest * kPerspectiveSlack;
    return limit < farthest;
}

inline bool bound_occluded(const OcclusionView& view, std::span<const float> pyramid, const ProjectedBound& bound) {
    PixelRect rect;
    if (!pixels_of(view.hiz, bound, rect)) return false;
    return strictly_farther(view, bound.depth, farthest_depth(view.hiz, pyramid, rect, level_of(view.hiz, rect)));
}

// `pyramid`: hiz_float_count(view.hiz) floats.
inline bool sphere_occluded(const OcclusionView& view, std::span<const float> pyramid, const glm::vec3& center,
                            float radius) {
    ProjectedBound bound;
    return project_sphere(view, center, radius, bound) && bound_occluded(view, pyramid, bound);
}

inline bool box_occluded(const OcclusionView& view, std::span<const float> pyramid, const Rows& rows,
                         const glm::vec3& low, const glm::vec3& high) {
    ProjectedBound bound;
    return project_box(view, rows, low, high, bound) && bound_occluded(view, pyramid, bound);
}

}  // namespace sublet::render::occlusion
