// Normal cones, as meshoptimizer defines them. C++ compiles this too (src/base/glsl.h), in the same float arithmetic.
//
// Rounding. Let S be the sum of |x| + |y| + |z| over the sphere's centre and the eye, and of the radius: no sum of the
// vertex function (scene/vertex.glsl) has larger terms. With u = 2^-24:
//   - matrices and eye are rounded: a picture is seen from up to 5 u S beside the eye;
//   - a vertex is off by up to e = 3 u S in each coordinate. That turns a triangle. One with edges a, b, c and area A,
//     that faces away by an angle of sine s, is not turned while s >= e (a + b + c) / 2A = e / the radius of the circle
//     within it.
// kConeStray (64 u) times S is added to the radius for the former; over the radius it is added to the cutoff for the
// latter. That is enough for triangles whose inner circle is a tenth of the sphere: of thinner ones the turned side is
// no wider than e. Rounding of the transform counts as well: `sphere` is wider than the radius by 16 u of the sums it
// takes. Far from the origin, where the slack comes near the radius, nothing is known to face away.

#include "shared/scene.h"

const float kConeStray = 1.0f / 262144.0f;  // 2^-18
// For the axis, which a transform rounds.
const float kConeSlack = 2e-5f;

// True only when every triangle within the cone and the sphere faces away from the view. `radius`: of the bound, placed
// in the world; `sphere`: world_sphere() of it. A cutoff of 1 can't cull.
bool cone_faces_away(ViewData view, vec4 sphere, float radius, vec3 axis, float cutoff) {
    if (cutoff >= 1.0f) {
        return false;
    }
    precise float magnitude = abs(sphere.x) + abs(sphere.y) + abs(sphere.z) + radius + view.forward.w;
    precise float stray = kConeStray * magnitude + 4.0f * (sphere.w - radius);
    precise float limit = cutoff + (kConeSlack + stray / radius);
    if (view.eye.w != 0.0f) {
        precise float forward = dot(vec3(view.forward.x, view.forward.y, view.forward.z), axis);
        return forward >= limit;
    }
    precise vec3 direction = vec3(sphere) - vec3(view.eye.x, view.eye.y, view.eye.z);
    precise float along = dot(direction, axis);
    precise float reach = limit * length(direction) + (radius + stray);
    return along >= reach;
}
