// From the position of one vertex, wherever it comes from, to what the rasteriser gets. The includer declares `meshes`,
// `instances` and `frame` (scene/bindings.glsl).

#include "scene/vertex.glsl"

vec4 vertex_clip(uint instance, uvec2 packed) {
    uint mesh = instances[instance].mesh;
    vec3 object = object_position(packed, meshes[mesh].origin.xyz, meshes[mesh].aabb_min.w);
    return clip_position(frame.view.clip, transform_point(instances[instance].transform, object));
}
