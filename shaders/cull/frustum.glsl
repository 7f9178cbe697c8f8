// Sphere against the planes of a view. C++ compiles this too.

#include "shared/scene.h"

// What rounding the dot product may be off by, relative to what it adds up.
const float kFrustumSlack = 1e-6;

// False only when the sphere (world space) lies wholly outside one plane. The slack is such that nothing visible is
// lost.
bool sphere_in_frustum(ViewData view, vec4 sphere, float relative_slack) {
    bool inside = true;
    for (int i = 0; i < 5; ++i) {
        vec4 plane = view.planes[i];
        float slack = relative_slack * (abs(sphere.x) + abs(sphere.y) + abs(sphere.z) + abs(plane.w));
        inside = inside && dot(vec3(plane), vec3(sphere)) + plane.w >= -sphere.w - slack;
    }
    return inside;
}
