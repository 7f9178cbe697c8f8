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

MaskTriangle mask_triangle(Seen seen) {
    Material material = materials[instances[seen.instance].flags >> kInstanceMaterialShift];
    Sublet sublet = load_sublet(seen.instance, seen.sublet);
    uvec3 corners = sublet_triangle(sublet, seen.triangle);
    MaskTriangle t;
    t.slot = material.base_color_texture;
    t.factor = material.base_color.w;
    t.cutoff = material.emissive.w;
    t.alpha = vec3(1.0);
    bool second_set = has_feature(kFeatureSecondUv) && (t.slot.place & kPlaceSecondSet) != 0u;
    bool colored =
        has_feature(kFeatureColor) && stream_present(meshes[sublet.mesh].streams_present, kStreamColor);
    for (uint i = 0u; i < 3u; ++i) {
        t.corners[i] = vertex_clip(seen.instance, sublet_position(sublet, corners[i])).xyw;
        t.uv[i] = vec2(0.0);
        if (has_feature(kFeatureBaseColorMap) && t.slot.texture != kNoTexture) {
            t.uv[i] = vertex_uv(sublet, corners[i], second_set ? kStreamUv1 : kStreamUv);
        }
        if (colored) {
            t.alpha[i] = unpackUnorm4x8(attribute_word(sublet, corners[i], kStreamColor)).w;
        }
    }
    return t;
}

// Whether the surface is there at the pixel's centre.
bool mask_covers(MaskTriangle t, ivec2 pixel) {
    precise vec2 step = float(frame.subpixels) / frame.viewport.xy;  // of a pixel, in normalised device coordinates
    precise vec2 center = fma(vec2(pixel) + 0.5, step, vec2(-1.0));
    Barycentrics at = barycentrics(t.corners, center, step);
    precise float alpha = fma(at.weights.z, t.alpha.z - t.alpha.x, fma(at.weights.y, t.alpha.y - t.alpha.x, t.alpha.x));
    alpha *= t.factor;
    if (has_feature(kFeatureBaseColorMap) && t.slot.texture != kNoTexture) {
        precise vec2 second = t.uv[1] - t.uv[0];
        precise vec2 third = t.uv[2] - t.uv[0];
        precise vec2 uv = fma(vec2(at.weights.z), third, fma(vec2(at.weights.y), second, t.uv[0]));
        precise vec2 dx = fma(vec2(at.dx.z), third, at.dx.y * second);
        precise vec2 dy = fma(vec2(at.dy.z), third, at.dy.y * second);
        alpha *= sample_placed(t.slot, uv, dx, dy).w;
    }
    return alpha >= t.cutoff;
}
