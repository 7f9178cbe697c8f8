// The view that shaders/view/occlusion.glsl tests bounds in.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/mat4x4.hpp>

#include "render/view/camera.h"
#include "shaders/shared/occlusion.h"

namespace sublet::render::occlusion {

using shared::HizLayout;
using shared::OcclusionView;

// Pixels, in x or in y, that a vertex of the device's, or of the compute rasteriser's, can lie beside where bounds are
// projected: it is snapped by less than a step of the coarser of the two grids; and the divisions and the viewport
// transform of both sides, the device's taken to be no worse than a shader's may be (render/view/primitive_cull.h),
// come to 5 * 2^-24 of the window's longer side each. Twice that is given. `sub_pixel_precision_bits`: the device's.
inline float pixel_slack(std::uint32_t width, std::uint32_t height, std::uint32_t sub_pixel_precision_bits) {
    const double step = std::exp2(-static_cast<double>(std::min(sub_pixel_precision_bits, 8U)));
    return static_cast<float>(step + 20.0 * 0x1p-24 * std::max(width, height));
}

// `view` seen through a window of the pyramid's size. The projection's x must point right and its y down in the window,
// as make_view()'s do. `sub_pixel_precision_bits`: the device's.
inline OcclusionView make_occlusion_view(const View& view, const HizLayout& hiz,
                                         std::uint32_t sub_pixel_precision_bits) {
    OcclusionView out{};
    out.magnitude.y = pixel_slack(hiz.width, hiz.height, sub_pixel_precision_bits);
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
