// The tests of bounds, for an instance, and for a meshlet or sublet of it. The includer has declared
// scene/bindings.glsl. C++ compiles this too.

#include "cull/cone.glsl"
#include "cull/frustum.glsl"
#ifndef __cplusplus
#include "scene/bounds.glsl"
#endif
#include "view/sphere_projection.glsl"

// A bound's sphere in the world, which holds every vertex where it is drawn.
vec4 placed_sphere(vec4 sphere, uint instance) {
    return world_sphere(instances[instance].transform, instances[instance].scale, sphere);
}

// Whether it may be seen: it is visible, and within the frustum where that is tested.
bool instance_visible(uint instance, float relative_slack) {
    if (instance_invisible(instance)) {
        return false;
    }
    if ((frame.cull_flags & (kCullInstances | kCullFrustum)) != (kCullInstances | kCullFrustum)) {
        return true;
    }
    return sphere_in_frustum(frame.cull, placed_sphere(meshes[instances[instance].mesh].sphere, instance),
                             relative_slack);
}

bool instance_visible(uint instance) { return instance_visible(instance, kFrustumSlack); }

// True wherever another shader, which may round otherwise, finds instance_visible().
bool instance_may_be_visible(uint instance) { return instance_visible(instance, 4.0f * kFrustumSlack); }

// The tests of a meshlet or sublet take its placed_sphere().
bool bound_outside(vec4 sphere) {
    return (frame.cull_flags & kCullFrustum) != 0u && !sphere_in_frustum(frame.cull, sphere, kFrustumSlack);
}

bool bound_faces_away(Bound bound, vec4 sphere, uint instance) {
    if ((frame.cull_flags & kCullCone) == 0u || (instances[instance].flags & kInstanceConeTest) == 0u) {
        return false;
    }
    vec3 cone = vec3(vec4(bound.cone));
    vec3 axis = vec3(dot(vec3(vec4(instances[instance].transform[0])), cone),
                     dot(vec3(vec4(instances[instance].transform[1])), cone),
                     dot(vec3(vec4(instances[instance].transform[2])), cone)) /
                instances[instance].scale;
    return cone_faces_away(frame.cull, sphere, bound.sphere.w * instances[instance].scale, axis, bound.cone.w);
}
