// What the rasteriser writes: of each pixel, in rows, its pixel_id() and above it its depth, one 64-bit word. The
// greatest wins: the nearest, and of equal depths the greatest id, whoever comes first. 0: nothing was drawn.
// Depths from 0 to 1 take 30 bits, so ids may have 34. The upper word is the depth's bits, shifted up by two, and the
// id's upper two.
// Transmissive surfaces, where a scene has some, have as many words again behind those.
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
#else
const bool kDepthAlone = false;
layout(set = kPassSet, binding = kBindPixels, std430) coherent buffer Pixels { uint64_t pixels[]; };

uint64_t pixel_word(float depth, uvec2 id) { return pack64(uvec2(id.x, floatBitsToUint(depth) << 2u | id.y)); }

// Whether the atomic may change it: what is there only grows, so what was read may be old, but none is missed.
bool is_behind(uint pixel, float depth, uvec2 id) { return pixels[pixel] < pixel_word(depth, id); }

void write_pixel(uint pixel, float depth, uvec2 id) { atomicMax(pixels[pixel], pixel_word(depth, id)); }
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
