// shaders/vertex.glsl's way to clip space, in the same float arithmetic.
#pragma once

#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/camera.h"
#include "render/cull/occlusion.h"
#include "tests/unit/sanitizer.h"

namespace sublet::test {

inline glm::vec4 clip_position(const render::View& view, const render::occlusion::Rows& transform, const glm::vec3& p) {
    glm::vec3 q(0.0F);
    for (int i = 0; i < 3; ++i) {
        const glm::vec4& row = transform[static_cast<std::size_t>(i)];
        q[i] = row.x * p.x + row.y * p.y + row.z * p.z + row.w;
    }
    const glm::mat4& m = view.view_projection;
    glm::vec4 clip(0.0F);
    for (int i = 0; i < 4; ++i) clip[i] = m[0][i] * q.x + m[1][i] * q.y + m[2][i] * q.z + m[3][i];
    return clip;
}

}  // namespace sublet::test
