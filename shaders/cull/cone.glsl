// Normal cones, as meshoptimizer defines them.

#include "shared/scene.h"

// True only when every triangle within the cone and the sphere (world space) faces away from the view. A cutoff of 1
// can't cull. The slack covers rounding of the transform and of the axis.
bool cone_faces_away(ViewData view, vec3 center, float radius, vec3 axis, float cutoff) {
    if (cutoff >= 1.0) {
        return false;
    }
    if (view.eye.w != 0.0) {
        return dot(view.forward.xyz, axis) >= cutoff + 2e-5;
    }
    vec3 direction = center - view.eye.xyz;
    float distance = length(direction);
    return dot(direction, axis) >= (cutoff + 2e-5) * distance + radius * 1.00001;
}
