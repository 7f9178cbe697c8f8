// Alpha masks: where a masked surface has something and where it has not. Everything that draws asks these functions,
// which know a triangle by its number and a pixel by its place, and nothing of who draws. `precise` throughout: all
// get the same texel by the same gradients, so that a mask is one picture everywhere.
//
// The includer has included sublet_geometry.glsl, seen_triangle.glsl, shade/attributes.glsl, shade/barycentric.glsl and
// shade/textures.glsl.

// What the test reads of a triangle, whichever its pixels are.
struct MaskTriangle {
    vec3 corners[3];  // clip x, y and w
    vec2 uv[3];       // of the base colour's set
    uvec3 colors;     // of the corners, packed
    TextureSlot slot;
    float factor;
    float cutoff;
};

// A corner of it.
struct MaskCorner {
    vec4 clip;
    vec2 uv;
    uint color;
};

bool has_colors(uint mesh) {
    return has_feature(kFeatureColor) && stream_present(meshes[mesh].streams_present, kStreamColor);
}

bool mask_has_texture(TextureSlot slot) { return has_feature(kFeatureBaseColorMap) && slot.texture != kNoTexture; }

uint mask_uv_stream(TextureSlot slot) {
    return has_feature(kFeatureSecondUv) && (slot.place & kPlaceSecondSet) != 0u ? kStreamUv1 : kStreamUv;
}

// What is read of a corner.
uint mask_attributes(uint mesh, TextureSlot slot) {
    return (mask_has_texture(slot) ? 1u << mask_uv_stream(slot) : 0u) | (has_colors(mesh) ? 1u << kStreamColor : 0u);
}

// `lane`: of the sublet's vertices.
MaskCorner mask_corner(Sublet s, TextureSlot slot, uint lane, ShadedVertex v) {
    MaskCorner c = MaskCorner(instance_clip(s.instance, v.place), vec2(0.0), ~0u);
    uint uv_stream = mask_uv_stream(slot);
    if (mask_has_texture(slot) && stream_present(meshes[s.mesh].streams_present, uv_stream)) {
        c.uv = unpack_uv(vertex_word(s, lane, v, uv_stream), meshes[s.mesh].aabb_max.w);
    }
    if (has_colors(s.mesh)) {
        c.color = vertex_word(s, lane, v, kStreamColor);
    }
    return c;
}

Material mask_material(uint instance) { return materials[instances[instance].flags >> kInstanceMaterialShift]; }

// Whether alpha differs from point to point of a surface.
bool mask_varies(Seen seen, Material material) {
    return mask_has_texture(material.base_color_texture) || has_colors(instances[seen.instance].mesh);
}

// What blends casts a shadow where it is rather there than not.
float mask_cutoff(uint instance, Material material) {
    bool blends = (instances[instance].flags & kInstanceClassMask) == kClassBlended;
    return blends && (frame.cull_flags & kCullLightPasses) != 0u ? 0.5 : material.emissive.w;
}

MaskTriangle mask_triangle(Seen seen) {
    Material material = mask_material(seen.instance);
    Sublet sublet = load_sublet(seen.instance, seen.sublet);
    uvec3 corners = sublet_triangle(sublet, seen.triangle);
    MaskTriangle t;
    t.slot = material.base_color_texture;
    t.factor = material.base_color.w;
    t.cutoff = mask_cutoff(seen.instance, material);
    ShadedVertex vertices[3];
    read_corners(sublet, corners, mask_attributes(sublet.mesh, t.slot), vertices);
    [[unroll]] for (uint i = 0u; i < 3u; ++i) {
        MaskCorner c = mask_corner(sublet, t.slot, corners[i], vertices[i]);
        t.corners[i] = c.clip.xyw;
        t.uv[i] = c.uv;
        t.colors[i] = c.color;
    }
    return t;
}

Barycentrics mask_barycentrics(MaskTriangle t, ivec2 pixel) {
    precise vec2 step = float(frame.subpixels) / frame.viewport.xy;  // of a pixel, in normalised device coordinates
    precise vec2 center = fma(vec2(pixel) + 0.5, step, vec2(-1.0));
    return barycentrics(t.corners, center, step);
}

// Of the base colour's texture; 1 where there is none.
vec4 mask_texel(MaskTriangle t, Barycentrics at) {
    if (!has_feature(kFeatureBaseColorMap) || t.slot.texture == kNoTexture) {
        return vec4(1.0);
    }
    precise vec2 second = t.uv[1] - t.uv[0];
    precise vec2 third = t.uv[2] - t.uv[0];
    precise vec2 uv = fma(vec2(at.weights.z), third, fma(vec2(at.weights.y), second, t.uv[0]));
    precise vec2 dx = fma(vec2(at.dx.z), third, at.dx.y * second);
    precise vec2 dy = fma(vec2(at.dy.z), third, at.dy.y * second);
    return sample_placed(t.slot, uv, dx, dy);
}

// Of the corners' colours.
vec4 mask_color(MaskTriangle t, Barycentrics at) {
    if (!has_feature(kFeatureColor)) {
        return vec4(1.0);
    }
    vec4 first = unpackUnorm4x8(t.colors.x);
    precise vec4 second = unpackUnorm4x8(t.colors.y) - first;
    precise vec4 third = unpackUnorm4x8(t.colors.z) - first;
    precise vec4 color = fma(vec4(at.weights.z), third, fma(vec4(at.weights.y), second, first));
    return color;
}

float mask_alpha(MaskTriangle t, Barycentrics at) {
    precise float alpha = mask_color(t, at).w * t.factor;
    alpha *= mask_texel(t, at).w;
    return alpha;
}

// Pixels of a row of the picture.
uint picture_width() { return uint(2.0 * frame.viewport.x / float(frame.subpixels)); }

// Whether the surface is there at the pixel's centre.
bool mask_covers(MaskTriangle t, ivec2 pixel) {
    if (t.cutoff <= 0.0) {
        return true;  // transmissive, without a mask
    }
    return mask_alpha(t, mask_barycentrics(t, pixel)) >= t.cutoff;
}

// The same of a triangle by its number, of which nothing is read where alpha is the same all over.
bool mask_covers(Seen seen, ivec2 pixel) {
    Material material = mask_material(seen.instance);
    return mask_varies(seen, material) ? mask_covers(mask_triangle(seen), pixel)
                                       : material.base_color.w >= mask_cutoff(seen.instance, material);
}
