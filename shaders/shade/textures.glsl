// Set 1: the scene's textures, sampled by explicit gradients.

#ifdef FEW_TEXTURES
// A device without descriptor indexing: constant indices alone.
layout(set = 1, binding = 0) uniform sampler2D textures[16];
vec4 sample_gradient(uint index, vec2 uv, vec2 dx, vec2 dy) {
    switch (index) {
#define CASE(n) \
    case n: return textureGrad(textures[n], uv, dx, dy);
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)
    }
    return vec4(1.0);
}
#else
layout(set = 1, binding = 0) uniform sampler2D textures[];
vec4 sample_gradient(uint index, vec2 uv, vec2 dx, vec2 dy) {
    return textureGrad(textures[nonuniformEXT(index)], uv, dx, dy);
}
#endif

// `dx`, `dy`: how `uv` changes over a pixel. Where a triangle has one texture coordinate they are zero, and lavapipe's
// anisotropic filter would divide zero by zero: a small part of any texel is the same level and the same filter.
vec4 sample_texture(uint index, vec2 uv, vec2 dx, vec2 dy) {
    if (dx == vec2(0.0) && dy == vec2(0.0)) {
        dx = vec2(1e-6, 0.0);
        dy = vec2(0.0, 1e-6);
    }
    return sample_gradient(index, uv, dx, dy);
}
