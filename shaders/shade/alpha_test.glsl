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
    vec3 alpha;       // of the corners' colours
    TextureSlot slot;
    float factor;
    float cutoff;
};

// A corner of it.
struct MaskCorner {
    vec3 clip;
    vec2 uv;
    float alpha;
};

bool has_colors(uint mesh) {
    return has_feature(kFeatureColor) && stream_present(meshes[mesh].streams_present, kStreamColor);
}

// `clip`: of the vertex.
MaskCorner mask_corner(Sublet sublet, TextureSlot slot, uint vertex, vec4 clip) {
    MaskCorner c = MaskCorner(clip.xyw, vec2(0.0), 1.0);
    if (has_feature(kFeatureBaseColorMap) && slot.texture != kNoTexture) {
        bool second_set = has_feature(kFeatureSecondUv) && (slot.place & kPlaceSecondSet) != 0u;
        c.uv = vertex_uv(sublet, vertex, second_set ? kStreamUv1 : kStreamUv);
    }
    if (has_colors(sublet.mesh)) {
        c.alpha = unpackUnorm4x8(attribute_word(sublet, vertex, kStreamColor)).w;
    }
    return c;
}

Material mask_material(uint instance) { return materials[instances[instance].flags >> kInstanceMaterialShift]; }

// Whether alpha differs from point to point of a surface.
bool mask_varies(Seen seen, Material material) {
    bool textured = has_feature(kFeatureBaseColorMap) && material.base_color_texture.texture != kNoTexture;
    return textured || has_colors(instances[seen.instance].mesh);
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
    for (uint i = 0u; i < 3u; ++i) {
        MaskCorner c = mask_corner(sublet, t.slot, corners[i], sublet_clip(sublet, corners[i]));
        t.corners[i] = c.clip;
        t.uv[i] = c.uv;
        t.alpha[i] = c.alpha;
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

float mask_alpha(MaskTriangle t, Barycentrics at) {
    precise float alpha = fma(at.weights.z, t.alpha.z - t.alpha.x, fma(at.weights.y, t.alpha.y - t.alpha.x, t.alpha.x));
    alpha *= t.factor;
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
