// Vertices from the buffers that the decode pass wrote (scene/bindings.glsl). `vertex` counts over the whole scene.

#include "scene/geometry.glsl"

vec4 decoded_clip_position(uint instance, uint vertex) {
    uint mesh = instances[instance].mesh;
    return vertex_clip(instance, mesh, vertex - meshes[mesh].first_vertex, decoded_position(mesh, vertex));
}
