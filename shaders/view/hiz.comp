// The HiZ pyramid (shared/occlusion.h says what it holds) in one dispatch, a workgroup for each tile of 64x64 pixels.
//
// Reads: a reversed-Z depth image; with kPixelWords, what the compute rasteriser wrote (backends/raster_pixels.glsl).
// Writes: every stored level of the pyramid.
//
// A workgroup reduces its tile by six levels, each lane a block of 4x4 by two and then all lanes together, in Morton
// order so that the four texels under one are four neighbouring lanes. The last workgroup of each group of 64x64 tiles,
// found by a counter, does the same with what those came to; the last of those, with up to 8x8 of theirs. So a pyramid
// of up to 4096 pixels takes two rounds in a row, and a larger one three, whatever its size; nothing waits, so no
// forward progress is assumed.
//
// Coordinates beyond an edge are clamped to it. That changes no texel that is stored: such a texel's range [x 2^L,
// (x + 1) 2^L) holds a pixel of the image, therefore the edge pixel too when it reaches past the edge. Texels outside
// their level are not stored.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "shared/bindings.h"
#include "shared/occlusion.h"
#include "thread_group_tiling.glsl"

layout(local_size_x = 256) in;
// How many times four lanes are reduced to one by shuffles before shared memory carries the result on: 0 (no assumption
// about subgroups at all), 1 (they have at least 4 lanes), 2 (at least 16). Above 0 subgroups are full.
layout(constant_id = 0) const uint kSubgroupSteps = 0u;

// A pixel's, of which the last has the depth (backends/raster_pixels.glsl); 0: the image is read.
layout(constant_id = 1) const uint kPixelWords = 0u;

layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { uint pixels[]; };
uint depth_word(uint pixel) { return pixels[(pixel + 1u) * kPixelWords - 1u] >> (kPixelWords == 2u ? 2u : 0u); }
// Clamping to the edge; gathers take no filter.
layout(set = kPassSet, binding = kBindDepth) uniform sampler2D depth_image;
layout(set = kPassSet, binding = kBindPyramid, std430) writeonly buffer Pyramid { vec2 pyramid[]; };
// counters: workgroups that are done, of each group of tiles and then of groups of tiles. All zero before and after.
// results: the farthest depth of each tile, in rows; then that of each group of tiles.
layout(set = kPassSet, binding = kBindHizState, std430) coherent buffer State {
    uint counters[kHizCounters];
    float results[];
};
layout(push_constant, std430) uniform Push { HizConstants constants; };

const uint kLaneSteps = 4u;  // 256 lanes to one

// A place for every exchange of one round, so that one barrier for each is enough: 256 + 64 + 16 + 4.
shared float exchange[340];
shared bool is_last;

#ifdef EMULATED_SHUFFLES
// For tests, where no device has subgroups that large: every lane of the workgroup takes part.
shared float shuffled[256];
float shuffle_xor(float value, uint mask) {
    barrier();
    shuffled[gl_LocalInvocationIndex] = value;
    barrier();
    return shuffled[gl_LocalInvocationIndex ^ mask];
}
uint subgroup_lane() { return gl_LocalInvocationIndex; }
#else
float shuffle_xor(float value, uint mask) { return subgroupShuffleXor(value, mask); }
// Which lane a subgroup's invocation is, is the device's choice; full subgroups number all 256 of them.
uint subgroup_lane() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
#endif

uint ceil_shift(uint size, uint level) { return (size + (1u << level) - 1u) >> level; }

// The even bits of i, packed.
uint even_bits(uint i) {
    i &= 0x55555555u;
    i = (i | i >> 1u) & 0x33333333u;
    i = (i | i >> 2u) & 0x0f0f0f0fu;
    return (i | i >> 4u) & 0xffu;
}
uvec2 morton_decode(uint i) { return uvec2(even_bits(i), even_bits(i >> 1u)); }

uint level_offset(uint level) { return constants.hiz.offsets[level >> 2u][level & 3u]; }
bool stored(uint level) { return level >= constants.hiz.first_level && level <= constants.hiz.last_level; }

void store(uint level, uvec2 texel, float value) {
    uint width = ceil_shift(constants.hiz.width, level);
    if (stored(level) && texel.x < width && texel.y < ceil_shift(constants.hiz.height, level)) {
        uint i = level_offset(level) + texel.y * ((width + 1u) & ~1u) + texel.x;
        pyramid[i >> 1u][i & 1u] = value;
    }
}

// Two neighbours, the first at an even x: rows are padded to whole pairs.
void store_pair(uint level, uvec2 texel, vec2 values) {
    uint width = ceil_shift(constants.hiz.width, level);
    if (stored(level) && texel.x < width && texel.y < ceil_shift(constants.hiz.height, level)) {
        pyramid[(level_offset(level) + texel.y * ((width + 1u) & ~1u) + texel.x) >> 1u] = values;
    }
}

float least(vec4 v) { return min(min(v.x, v.y), min(v.z, v.w)); }

// A result of the round before, of level `base`. Coordinates clamp to the level's edge.
float result_at(uint base, uvec2 texel) {
    uint width = ceil_shift(constants.hiz.width, base);
    texel = min(texel, uvec2(width, ceil_shift(constants.hiz.height, base)) - 1u);
    uint first = 0u;
    if (base > kHizTileLevels) {
        first = ceil_shift(constants.hiz.width, kHizTileLevels) * ceil_shift(constants.hiz.height, kHizTileLevels);
    }
    return results[first + texel.y * width + texel.x];
}

// The farthest of the 2x2 texels of level `base` from `texel` on, whose coordinates are even.
float farthest_of_quad(uint base, uvec2 texel) {
    if (base == 0u && kPixelWords != 0u) {
        uvec2 far = min(texel + 1u, uvec2(constants.hiz.width, constants.hiz.height) - 1u);
        uvec2 near = min(texel, far);
        uint upper = near.y * constants.hiz.width;
        uint lower = far.y * constants.hiz.width;
        return least(uintBitsToFloat(uvec4(depth_word(upper + near.x), depth_word(upper + far.x),
                                           depth_word(lower + near.x), depth_word(lower + far.x))));
    }
    if (base == 0u) {
        // The corner that the four share: half a texel from where the choice of them changes, so that rounding can't
        // matter.
        return least(
            textureGather(depth_image, (vec2(texel) + 1.0) * (1.0 / vec2(constants.hiz.width, constants.hiz.height))));
    }
    return least(vec4(result_at(base, texel), result_at(base, texel + uvec2(1u, 0u)),
                      result_at(base, texel + uvec2(0u, 1u)), result_at(base, texel + uvec2(1u, 1u))));
}

// Reduces the tile of level `base`, storing levels base + 1 to base + 6; lane 0 gets the farthest depth of all.
float reduce_tile(uint base, uvec2 tile, uint lane) {
    uvec2 block = tile * (kHizTile / 4u) + morton_decode(lane);  // in level base + 2
    uvec2 texel = block * 4u;
    vec2 upper = vec2(farthest_of_quad(base, texel), farthest_of_quad(base, texel + uvec2(2u, 0u)));
    vec2 lower = vec2(farthest_of_quad(base, texel + uvec2(0u, 2u)), farthest_of_quad(base, texel + uvec2(2u, 2u)));
    store_pair(base + 1u, block * 2u, upper);
    store_pair(base + 1u, block * 2u + uvec2(0u, 1u), lower);
    float value = least(vec4(upper, lower));
    store(base + 2u, block, value);

    // After `step` steps lanes 0 to 4^(4 - step) - 1 hold a texel each, in Morton order.
    uint live = 256u;
    uint exchanged = 0u;  // first place of the exchange array not yet used
    uint level = base + 3u;
    for (uint step = 0u; step < kLaneSteps;) {
        if (kSubgroupSteps == 0u) {
            if (lane < live) {
                exchange[exchanged + lane] = value;
            }
            barrier();
            uint first = exchanged + lane * 4u;
            exchanged += live;
            live >>= 2u;
            if (lane < live) {
                value = least(vec4(exchange[first], exchange[first + 1u], exchange[first + 2u], exchange[first + 3u]));
                store(level, (tile * (kHizTile / 4u) >> (step + 1u)) + morton_decode(lane), value);
            }
            ++step;
            ++level;
            continue;
        }
        uint steps = min(kSubgroupSteps, kLaneSteps - step);
        for (uint i = 0u; i < steps; ++i) {
            uint stride = 1u << (2u * i);
            value = min(value, shuffle_xor(value, stride));
            value = min(value, shuffle_xor(value, 2u * stride));
            if (lane < live && (lane & (4u * stride - 1u)) == 0u) {
                store(level, (tile * (kHizTile / 4u) >> (step + 1u)) + morton_decode(lane >> (2u * i + 2u)), value);
            }
            ++step;
            ++level;
        }
        if (step < kLaneSteps) {
            uint shift = 2u * steps;
            if (lane < live && (lane & ((1u << shift) - 1u)) == 0u) {
                exchange[exchanged + (lane >> shift)] = value;
            }
            barrier();
            live >>= shift;
            if (lane < live) {
                value = exchange[exchanged + lane];
            }
            exchanged += live;
        }
    }
    return value;
}

void main() {
    uint lane = kSubgroupSteps == 0u ? gl_LocalInvocationIndex : subgroup_lane();
    uvec2 tile = tiled_group_id(constants.group_tiling);
    uint first_result = 0u;
    uint first_counter = 0u;
    for (uint base = 0u;; base += kHizTileLevels) {
        float farthest = reduce_tile(base, tile, lane);
        uint level = base + kHizTileLevels;
        if (level >= constants.hiz.last_level) {
            return;
        }
        // Tiles of this round.
        uvec2 size = uvec2(ceil_shift(constants.hiz.width, level), ceil_shift(constants.hiz.height, level));
        uvec2 next = tile / kHizTile;
        if (lane == 0u) {
            results[first_result + tile.y * size.x + tile.x] = farthest;
            memoryBarrierBuffer();
            uvec2 tiles = min(size - next * kHizTile, uvec2(kHizTile));  // of this tile's group
            uint counter = first_counter + next.y * ceil_shift(size.x, kHizTileLevels) + next.x;
            is_last = atomicAdd(counters[counter], 1u) == tiles.x * tiles.y - 1u;
            if (is_last) {
                counters[counter] = 0u;  // for the next dispatch
            }
            memoryBarrierBuffer();
        }
        barrier();
        if (!is_last) {
            return;
        }
        memoryBarrierBuffer();
        first_result += size.x * size.y;
        first_counter += kHizMaxGroups;
        tile = next;
    }
}
