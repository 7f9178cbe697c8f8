// Layers of what blends. Each pixel has the nearest fragments, nearest first, a word each (view/pixel_word.glsl), and
// two words for the sums of all that lie behind those. They are filled by 64-bit atomics, in any order of arrival. Each
// place keeps the greater of two words and hands on the other, so that every fragment ends in the place that its depth
// and id give it, or in the sums, once.
//
// The sums have 32 bits each: optical depth, -log2(1 - alpha), in steps of 1/kRestSteps; and red, green and blue of the
// base colours, each times that. A fragment has an optical depth of 10 at most, so that they hold 100,000 of them.
//
// shade/seen.glsl reads them. After shade/alpha_test.glsl.

#include "view/layer_places.glsl"
#include "view/pixel_word.glsl"

layout(set = kPassSet, binding = kBindWideIds, std430) coherent buffer Layers { uint64_t layers[]; };
layout(set = kPassSet, binding = kBindWideIds, std430) coherent buffer LayerSums { uint layer_sums[]; };

// Of a surface that blends, at a pixel's centre; linear.
vec4 blended_color(Seen seen, ivec2 pixel) {
    Material material = mask_material(seen.instance);
    if (!mask_varies(seen, material)) {
        return material.base_color;
    }
    MaskTriangle t = mask_triangle(seen);
    Barycentrics at = mask_barycentrics(t, pixel);
    precise vec4 color = material.base_color * mask_texel(t, at);
    color *= mask_color(t, at);
    return color;
}

// A fragment that has no place of its own.
void add_to_rest(uint pixel, uint64_t word) {
    uint width = picture_width();
    vec4 color = blended_color(seen_triangle(uvec2(unpack32(word).x, 0u)), ivec2(pixel % width, pixel / width));
    float weight = -log2(1.0 - min(color.w, kMostRestAlpha)) * kRestSteps;
    uvec4 parts = uvec4(vec4(weight, clamp(color.rgb, vec3(0.0), vec3(1.0)) * weight) + 0.5);
    for (uint i = 0u; i < 4u; ++i) {
        atomicAdd(layer_sums[2u * layer_place(pixel, kBlendLayers + i / 2u) + i % 2u], parts[i]);
    }
}

// `pixel`: its number, in rows.
void insert_blended(uint pixel, float depth, uvec2 id) {
    uint64_t word = pack64(pixel_words(depth, id));
    // A place only ever grows: one that was greater is, and is passed without an atomic.
    for (uint i = 0u; i < kBlendLayers && word != 0ul; ++i) {
        uint place = layer_place(pixel, i);
        if (layers[place] < word) {
            word = min(atomicMax(layers[place], word), word);
        }
    }
    if (word != 0ul) {
        add_to_rest(pixel, word);
    }
}
