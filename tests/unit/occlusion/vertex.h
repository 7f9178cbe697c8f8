// shaders/scene/vertex.glsl's way to clip space, in the same float arithmetic.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/view/camera.h"
#include "tests/unit/sanitizer.h"

namespace sublet::test {

// Rows of an affine matrix.
using Rows = std::array<glm::vec4, 3>;

inline glm::vec4 clip_position(const render::View& view, const Rows& transform, const glm::vec3& p) {
    glm::vec3 q(0.0F);
    for (int i = 0; i < 3; ++i) {
        const glm::vec4& row = transform[static_cast<std::size_t>(i)];
        q[i] = std::fma(row.x, p.x, std::fma(row.y, p.y, std::fma(row.z, p.z, row.w)));
    }
    const glm::mat4& m = view.view_projection;
    glm::vec4 clip(0.0F);
    for (int i = 0; i < 4; ++i) {
        clip[i] = std::fma(m[0][i], q.x, std::fma(m[1][i], q.y, std::fma(m[2][i], q.z, m[3][i])));
    }
    return clip;
}

}  // namespace sublet::test
