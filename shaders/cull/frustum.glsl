// Sphere against the planes of a view.

#include "shared/scene.h"

// False only when the sphere (world space) lies wholly outside one plane. The slack covers the rounding of the dot
// product, so that nothing visible is lost.
bool sphere_in_frustum(ViewData view, vec3 center, float radius) {
    bool inside = true;
    for (int i = 0; i < 5; ++i) {
        vec4 plane = view.planes[i];
        float slack = 1e-6 * (abs(center.x) + abs(center.y) + abs(center.z) + abs(plane.w));
        inside = inside && dot(plane.xyz, center) + plane.w >= -radius - slack;
    }
    return inside;
}
