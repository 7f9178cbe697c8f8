// Vertices from the buffers that the decode pass wrote (decoded_bindings.glsl). `vertex` counts over the whole scene.

#include "geometry.glsl"

vec4 decoded_clip_position(uint instance, uint vertex) {
    return vertex_clip(instance, positions[vertex]);
}
