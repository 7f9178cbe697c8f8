// What the rasteriser writes: of each pixel, in rows, its pixel_id() and above it its depth, one 64-bit word. The
// greatest wins: the nearest, and of equal depths the greatest id, whoever comes first. 0: nothing was drawn.
// Transmissive surfaces, where a scene has some, have as many words again behind those.
//
// WORDS, without 64-bit atomics: the same buffer in two passes, depths and then the ids of those that have the depth.
// Or depths alone, of all surfaces, one word a pixel.

#ifdef WORDS
layout(constant_id = kSpecRasterWords) const uint kWords = kWordsDepths;
const bool kIds = kWords == kWordsIds;
const bool kDepthAlone = kWords == kWordsDepth;
layout(set = kPassSet, binding = kBindPixels, std430) coherent buffer Pixels { uint pixels[]; };

void write_pixel(uint pixel, float depth, uint id) {
    uint bits = floatBitsToUint(depth);
    if (kDepthAlone) {
        if (pixels[pixel] < bits) {
            atomicMax(pixels[pixel], bits);
        }
    } else if (kIds) {
        if (pixels[2u * pixel + 1u] == bits) {
            atomicMax(pixels[2u * pixel], id);
        }
    } else if (atomicMax(pixels[2u * pixel + 1u], bits) < bits) {
        pixels[2u * pixel] = 0u;  // that of a phase before, which lies behind
    }
}
#else
const bool kDepthAlone = false;
layout(set = kPassSet, binding = kBindPixels, std430) coherent buffer Pixels { uint64_t pixels[]; };

void write_pixel(uint pixel, float depth, uint id) {
    uint64_t value = pack64(uvec2(id, floatBitsToUint(depth)));
    // What is there only grows, so what was read in vain may be old, but no atomic is missed.
    if (pixels[pixel] < value) {
        atomicMax(pixels[pixel], value);
    }
}
#endif

// In front of infinity, where nothing is drawn. `first`: the word of the layer's first pixel.
void write_visible_pixel(ivec2 pixel, float depth, uint id, uint first) {
    if (depth > 0.0) {
        write_pixel(first + uint(pixel.y) * constants.size.x + uint(pixel.x), depth, id);
    }
}

// The first pixel of the layer that an instance is drawn to.
uint layer_of(uint instance) {
    bool transmissive = (instances[instance].flags & kInstanceClassMask) == kClassTransmissive;
    return transmissive && !kDepthAlone ? constants.size.x * constants.size.y : 0u;
}
