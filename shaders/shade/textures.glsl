// Set 1: the scene's textures, sampled by explicit gradients. With TEXTURE_STAMPS the includer has an image
// texture_stamps, and says of each pixel whether it stamps_textures (kSpecTextureStamps).

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

// How long the axes of what a pixel sees are, in texels.
vec2 axis_lengths(uint index, vec2 dx, vec2 dy) {
    vec2 size = texture_size(index);
    precise vec2 lengths = vec2(length(dx * size), length(dy * size));
    return lengths;
}

// Taps along the longer axis: so many that each has a footprint about as long as wide, as
// GL_EXT_texture_filter_anisotropic sketches it.
float taps_along(vec2 lengths) {
    float longer = max(lengths.x, lengths.y), shorter = min(lengths.x, lengths.y);
    precise float taps = longer > 1.0 ? clamp(ceil(longer / max(shorter, 1e-6)), 1.0, kMostTaps) : 1.0;
    return taps;
}

#ifdef TEXTURE_STAMPS
// Devices find levels by approximations: a bit finer than what is sampled.
const float kStampSlack = 0.98;

// The same whatever levels are there: as many taps as by taps_along() where a sample is longer than a texel of level 0.
void stamp_texture(uint index, vec2 dx, vec2 dy, bool anisotropic) {
    vec2 lengths = axis_lengths(index, dx, dy);
    float longer = max(lengths.x, lengths.y), shorter = min(lengths.x, lengths.y);
    float taps = anisotropic ? ceil(min(longer / max(shorter, 1e-9), kMostTaps)) : 1.0;
    float texels = kStampSlack * longer / taps;
    uint stamp = floatBitsToUint(texels) >> 23;
    ivec2 at = ivec2(index % kStampRow, index / kStampRow);
    if (imageLoad(texture_stamps, at).x > stamp) {
        imageAtomicMin(texture_stamps, at, stamp);
    }
}
#endif

// `dx`, `dy`: how `uv` changes over a pixel. Where a triangle has one texture coordinate they are zero, and lavapipe's
// anisotropic filter would divide zero by zero: a small part of any texel is the same level and the same filter.
// `anisotropic`: whether the texture's sampler is.
vec4 sample_texture(uint index, vec2 uv, vec2 dx, vec2 dy, bool anisotropic) {
    if (dx == vec2(0.0) && dy == vec2(0.0)) {
        dx = vec2(1e-6, 0.0);
        dy = vec2(0.0, 1e-6);
    }
#ifdef TEXTURE_STAMPS
    if (stamps_textures) {
        stamp_texture(index, dx, dy, anisotropic);
    }
#endif
    if (!kTaps) {
        return sample_gradient(index, uv, dx, dy);
    }
    vec2 along = vec2(0.0);
    float taps = 1.0;
    if (anisotropic) {
        vec2 lengths = axis_lengths(index, dx, dy);
        along = lengths.x > lengths.y ? dx : dy;
        taps = taps_along(lengths);
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
