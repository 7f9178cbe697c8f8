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

bool is_behind(uint pixel, float depth, uint id) {
    return !kDepthAlone || pixels[pixel] < floatBitsToUint(depth);
}

void write_pixel(uint pixel, float depth, uint id) {
    uint bits = floatBitsToUint(depth);
    if (kDepthAlone) {
        atomicMax(pixels[pixel], bits);
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

// Whether the atomic may change it: what is there only grows, so what was read may be old, but none is missed.
bool is_behind(uint pixel, float depth, uint id) {
    return pixels[pixel] < pack64(uvec2(id, floatBitsToUint(depth)));
}

void write_pixel(uint pixel, float depth, uint id) {
    atomicMax(pixels[pixel], pack64(uvec2(id, floatBitsToUint(depth))));
}
#endif

// In front of infinity, where nothing is drawn.
void write_visible_pixel(uint pixel, float depth, uint id) {
    if (depth > 0.0) {
        write_pixel(pixel, depth, id);
    }
}

// The first pixel of the layer that an instance is drawn to.
uint layer_of(uint instance) {
    bool transmissive = (instances[instance].flags & kInstanceClassMask) == kClassTransmissive;
    return transmissive && !kDepthAlone ? constants.size.x * constants.size.y : 0u;
}
