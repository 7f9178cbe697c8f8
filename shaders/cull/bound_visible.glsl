// The tests of bounds, for an instance, and for a meshlet or sublet of it. The includer has declared
// scene/bindings.glsl.

#include "cull/cone.glsl"
#include "cull/frustum.glsl"
#include "scene/vertex.glsl"

bool instance_visible(uint instance) {
    if ((frame.cull_flags & (kCullInstances | kCullFrustum)) != (kCullInstances | kCullFrustum)) {
        return true;
    }
    vec4 sphere = meshes[instances[instance].mesh].sphere;
    vec3 center = transform_point(instances[instance].transform, sphere.xyz);
    return sphere_in_frustum(frame.cull, center, sphere.w * instances[instance].scale);
}

// Frustum and cone, for a bound of a mesh under an instance's transform.
bool bound_visible(Bound bound, uint instance, uint flags) {
    float scale = instances[instance].scale;
    vec3 center = transform_point(instances[instance].transform, bound.sphere.xyz);
    float radius = bound.sphere.w * scale;
    if ((frame.cull_flags & kCullFrustum) != 0u && !sphere_in_frustum(frame.cull, center, radius)) {
        return false;
    }
    if ((frame.cull_flags & kCullCone) == 0u || (flags & kInstanceConeTest) == 0u) {
        return true;
    }
    vec3 axis = vec3(dot(instances[instance].transform[0].xyz, bound.cone.xyz),
                     dot(instances[instance].transform[1].xyz, bound.cone.xyz),
                     dot(instances[instance].transform[2].xyz, bound.cone.xyz)) /
                scale;
    return !cone_faces_away(frame.cull, center, radius, axis, bound.cone.w);
}
