// Set 1: the scene's textures, sampled by explicit gradients.

// Where explicit gradients are filtered without anisotropy, as lavapipe does: taps along the longer one make up for it.
layout(constant_id = kSpecTaps) const bool kTaps = false;
const float kMostTaps = 8.0;  // the samplers' anisotropy

#ifdef FEW_TEXTURES
// A device without descriptor indexing: constant indices alone.
layout(set = kTextureSet, binding = 0) uniform sampler2D textures[16];
vec4 sample_gradient(uint index, vec2 uv, vec2 dx, vec2 dy) {
    switch (index) {
#define CASE(n) \
    case n: return textureGrad(textures[n], uv, dx, dy);
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)
    }
    return vec4(1.0);
#undef CASE
}
vec2 texture_size(uint index) {
    switch (index) {
#define CASE(n) \
    case n: return vec2(textureSize(textures[n], 0));
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)
    }
    return vec2(1.0);
#undef CASE
}
#else
layout(set = kTextureSet, binding = 0) uniform sampler2D textures[];
vec4 sample_gradient(uint index, vec2 uv, vec2 dx, vec2 dy) {
    return textureGrad(textures[nonuniformEXT(index)], uv, dx, dy);
}
vec2 texture_size(uint index) { return vec2(textureSize(textures[nonuniformEXT(index)], 0)); }
#endif

// `dx`, `dy`: how `uv` changes over a pixel. Where a triangle has one texture coordinate they are zero, and lavapipe's
// anisotropic filter would divide zero by zero: a small part of any texel is the same level and the same filter.
// `anisotropic`: whether the texture's sampler is.
vec4 sample_texture(uint index, vec2 uv, vec2 dx, vec2 dy, bool anisotropic) {
    if (dx == vec2(0.0) && dy == vec2(0.0)) {
        dx = vec2(1e-6, 0.0);
        dy = vec2(0.0, 1e-6);
    }
    if (!kTaps) {
        return sample_gradient(index, uv, dx, dy);
    }
    vec2 along = vec2(0.0);
    precise float taps = 1.0;
    if (anisotropic) {
        // As GL_EXT_texture_filter_anisotropic sketches it: so many taps that each has a footprint about as long as
        // wide.
        vec2 size = texture_size(index);
        precise vec2 lengths = vec2(length(dx * size), length(dy * size));
        float longer = max(lengths.x, lengths.y);
        along = lengths.x > lengths.y ? dx : dy;
        taps = longer > 1.0 ? clamp(ceil(longer / max(min(lengths.x, lengths.y), 1e-6)), 1.0, kMostTaps) : 1.0;
        dx = along / taps;
        dy = along / taps;
    }
    precise vec4 sum = vec4(0.0);
    for (float i = 1.0; i <= taps; i += 1.0) {
        sum += sample_gradient(index, uv + along * (i / (taps + 1.0) - 0.5), dx, dy);
    }
    return sum / taps;
}

// Rows (a, b) of a linear map, by named operations alone.
vec2 transform_uv(vec4 rows[2], vec2 uv) {
    precise vec2 result = vec2(fma(rows[0].y, uv.y, rows[0].x * uv.x), fma(rows[1].y, uv.y, rows[1].x * uv.x));
    return result;
}

// The texture of a slot at coordinates of its set, which its transform places.
vec4 sample_placed(TextureSlot slot, vec2 uv, vec2 dx, vec2 dy) {
    uint transform = slot.place >> kPlaceTransformShift;
    precise vec2 placed = uv;
    precise vec2 placed_dx = dx;
    precise vec2 placed_dy = dy;
    if (transform != 0u) {
        vec4 rows[2] = uv_transforms[transform].rows;
        placed = transform_uv(rows, uv) + vec2(rows[0].z, rows[1].z);
        placed_dx = transform_uv(rows, dx);
        placed_dy = transform_uv(rows, dy);
    }
    return sample_texture(slot.texture, placed, placed_dx, placed_dy, (slot.place & kPlaceIsotropic) == 0u);
}
