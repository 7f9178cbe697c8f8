// What the rasteriser writes: of each pixel, in rows, its depth and its pixel_id(), one word (view/pixel_word.glsl).
// The greatest wins, whoever comes first.
// Transmissive surfaces, where a scene has some, have as many words again behind those.
// Or, of what blends, layers (view/layers.glsl), in front of what those words hold by then.
//
// WORDS, without 64-bit atomics: the same buffer in two passes, depths and then the ids of those that have the depth,
// which have 32 bits.
// Or depths alone, of all surfaces, one word a pixel.

#ifdef WORDS
layout(constant_id = kSpecRasterWords) const uint kWords = kWordsDepths;
const bool kIds = kWords == kWordsIds;
const bool kDepthAlone = kWords == kWordsDepth;
layout(set = kPassSet, binding = kBindPixels, std430) coherent buffer Pixels { uint pixels[]; };

bool is_behind(uint pixel, float depth, uvec2 id) {
    return !kDepthAlone || pixels[pixel] < floatBitsToUint(depth);
}

void write_pixel(uint pixel, float depth, uvec2 id) {
    uint bits = floatBitsToUint(depth) << (kDepthAlone ? 0u : 2u);
    if (kDepthAlone) {
        atomicMax(pixels[pixel], bits);
    } else if (kIds) {
        if (pixels[2u * pixel + 1u] == bits) {
            atomicMax(pixels[2u * pixel], id.x);
        }
    } else if (atomicMax(pixels[2u * pixel + 1u], bits) < bits) {
        pixels[2u * pixel] = 0u;  // that of a phase before, which lies behind
    }
}
const bool kLayers = false;
#else
#include "view/layers.glsl"
layout(constant_id = kSpecRasterWords) const uint kWords = kWordsPixels;
const bool kDepthAlone = false;
const bool kLayers = kWords == kWordsLayers;
layout(set = kPassSet, binding = kBindPixels, std430) coherent buffer Pixels { uint64_t pixels[]; };

// Whether the atomic may change it: what is there only grows, so what was read may be old, but none is missed.
bool is_behind(uint pixel, float depth, uvec2 id) {
    return kLayers || pixels[pixel] < pack64(pixel_words(depth, id));
}

void write_pixel(uint pixel, float depth, uvec2 id) {
    if (!kLayers) {
        atomicMax(pixels[pixel], pack64(pixel_words(depth, id)));
    } else if (uint(pixels[pixel] >> 34u) < floatBitsToUint(depth)) {
        insert_blended(pixel, depth, id);
    }
}
#endif

// In front of infinity, where nothing is drawn.
void write_visible_pixel(uint pixel, float depth, uvec2 id) {
    if (depth > 0.0) {
        write_pixel(pixel, depth, id);
    }
}

// The first pixel of the layer that an instance is drawn to.
uint layer_of(uint instance) {
    bool transmissive = (instances[instance].flags & kInstanceClassMask) == kClassTransmissive;
    return transmissive && !kDepthAlone ? constants.size.x * constants.size.y : 0u;
}
