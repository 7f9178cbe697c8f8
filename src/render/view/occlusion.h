// The view that shaders/view/occlusion.glsl tests bounds in.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/mat4x4.hpp>

#include "render/view/camera.h"
#include "shaders/shared/occlusion.h"

namespace sublet::render::occlusion {

using shared::HizLayout;
using shared::OcclusionView;

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

}  // namespace sublet::render::occlusion
