// The tests of bounds, for an instance, and for a meshlet or sublet of it. The includer has declared
// scene/bindings.glsl. C++ compiles this too.

#include "cull/cone.glsl"
#include "cull/frustum.glsl"
#ifndef __cplusplus
#include "scene/bounds.glsl"
#endif
#include "view/sphere_projection.glsl"

// An instance is read once for all that is asked of it: compilers can't tell that it stays the same.

// A bound's sphere in the world, which holds every vertex where it is drawn.
vec4 placed_sphere(vec4 sphere, Instance of) { return world_sphere(of.transform, of.scale, sphere); }

// Whether it may be seen: it is visible, and within the frustum where that is tested.
bool instance_visible(Instance of, float relative_slack) {
    if (flags_hide(of.flags)) {
        return false;
    }
    if ((frame.cull_flags & (kCullInstances | kCullFrustum)) != (kCullInstances | kCullFrustum)) {
        return true;
    }
    return sphere_in_frustum(frame.cull, placed_sphere(meshes[of.mesh].sphere, of), relative_slack);
}

bool instance_visible(Instance of) { return instance_visible(of, kFrustumSlack); }

// True wherever another shader, which may round otherwise, finds instance_visible().
bool instance_may_be_visible(uint instance) {
    return instance_visible(instances[instance], 4.0f * kFrustumSlack);
}

// The tests of a meshlet or sublet take its placed_sphere().
bool bound_outside(vec4 sphere) {
    return (frame.cull_flags & kCullFrustum) != 0u && !sphere_in_frustum(frame.cull, sphere, kFrustumSlack);
}

bool bound_faces_away(Bound bound, vec4 sphere, Instance of) {
    if ((frame.cull_flags & kCullCone) == 0u || (of.flags & kInstanceConeTest) == 0u) {
        return false;
    }
    vec3 cone = vec3(vec4(bound.cone));
    vec3 axis = vec3(dot(vec3(vec4(of.transform[0])), cone),
                     dot(vec3(vec4(of.transform[1])), cone),
                     dot(vec3(vec4(of.transform[2])), cone)) /
                of.scale;
    return cone_faces_away(frame.cull, sphere, bound.sphere.w * of.scale, axis, bound.cone.w);
}
