// The tests of bounds, for an instance, and for a meshlet or sublet of it. The includer has declared
// scene/bindings.glsl.

#include "cull/cone.glsl"
#include "cull/frustum.glsl"
#include "scene/bounds.glsl"
#include "scene/vertex.glsl"

// Whether it may be seen: it is visible, and within the frustum where that is tested.
bool instance_visible(uint instance, float relative_slack) {
    if (instance_invisible(instance)) {
        return false;
    }
    if ((frame.cull_flags & (kCullInstances | kCullFrustum)) != (kCullInstances | kCullFrustum)) {
        return true;
    }
    vec4 sphere = meshes[instances[instance].mesh].sphere;
    vec3 center = transform_point(instances[instance].transform, sphere.xyz);
    return sphere_in_frustum(frame.cull, center, sphere.w * instances[instance].scale, relative_slack);
}

bool instance_visible(uint instance) { return instance_visible(instance, kFrustumSlack); }

// True wherever another shader, which may round otherwise, finds instance_visible().
bool instance_may_be_visible(uint instance) { return instance_visible(instance, 4.0 * kFrustumSlack); }

// A bound's sphere in the world, as the tests of frustum and cone take it.
vec4 tested_sphere(Bound bound, uint instance) {
    return vec4(transform_point(instances[instance].transform, bound.sphere.xyz),
                bound.sphere.w * instances[instance].scale);
}

bool bound_outside(vec4 sphere) {
    return (frame.cull_flags & kCullFrustum) != 0u && !sphere_in_frustum(frame.cull, sphere.xyz, sphere.w);
}

bool bound_faces_away(Bound bound, vec4 sphere, uint instance, uint flags) {
    if ((frame.cull_flags & kCullCone) == 0u || (flags & kInstanceConeTest) == 0u) {
        return false;
    }
    vec3 axis = vec3(dot(instances[instance].transform[0].xyz, bound.cone.xyz),
                     dot(instances[instance].transform[1].xyz, bound.cone.xyz),
                     dot(instances[instance].transform[2].xyz, bound.cone.xyz)) /
                instances[instance].scale;
    return cone_faces_away(frame.cull, sphere.xyz, sphere.w, axis, bound.cone.w);
}

// Frustum and cone, for a bound of a mesh under an instance's transform.
uint frustum_and_cone(Bound bound, uint instance, uint flags) {
    vec4 sphere = tested_sphere(bound, instance);
    if (bound_outside(sphere)) {
        return kOutside;
    }
    return bound_faces_away(bound, sphere, instance, flags) ? kFacesAway : kPasses;
}
