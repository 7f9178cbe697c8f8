// What geometry left of each pixel: images of ids and depths, or, in_compute(), words of the compute rasteriser
// (backends/raster_pixels.glsl) and, of wide ids, what was found for those (backends/raster_wide_ids.comp).
//
// Where the scene has transmissive surfaces there are two layers: theirs and that of all others. The nearer one is
// seen; at equal depths the others are.
//
// What blends has layers of its own (view/layers.glsl). All of them lie in front of what is neither transmissive nor
// blends.

#include "shade/features.glsl"
#include "view/layer_places.glsl"

// The same for a whole picture. It is data, since a constant would make two variants of all shading.
bool in_compute() { return constants.in_compute != 0u; }

layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { uvec2 pixels[]; };
layout(set = kPassSet, binding = kBindPixelsOfPhase1, std430) readonly buffer PixelsOfPhase1 {
    uvec2 pixels_of_phase_1[];
};
layout(set = kPassSet, binding = kBindWideIds, std430) readonly buffer WideIds { uvec2 wide_ids[]; };  // or layers
layout(set = kPassSet, binding = kBindIds) uniform usampler2D ids;
layout(set = kPassSet, binding = kBindDepth) uniform sampler2D depths;
layout(set = kPassSet, binding = kBindIdsOfPhase1) uniform usampler2D ids_of_phase_1;
layout(set = kPassSet, binding = kBindTransmissiveIds) uniform usampler2D transmissive_ids;
layout(set = kPassSet, binding = kBindTransmissiveDepth) uniform sampler2D transmissive_depths;
layout(set = kPassSet, binding = kBindTransmissiveIdsOfPhase1) uniform usampler2D transmissive_ids_of_phase_1;

bool has_layers() { return has_feature(kFeatureTransmission); }

// Where the words of a layer's pixel are.
uint layer_index(ivec2 pixel, bool transmissive) {
    return uint(pixel.y + (transmissive ? int(constants.size.y) : 0)) * constants.size.x + uint(pixel.x);
}

float layer_depth(ivec2 pixel, bool transmissive) {
    if (in_compute()) {
        return uintBitsToFloat(pixels[layer_index(pixel, transmissive)].y >> 2u);
    }
    return transmissive ? texelFetch(transmissive_depths, pixel, 0).x : texelFetch(depths, pixel, 0).x;
}

uvec2 layer_id(ivec2 pixel, bool transmissive) {
    if (in_compute()) {
        uint index = layer_index(pixel, transmissive);
        return kWideIds ? wide_ids[index] : uvec2(pixels[index].x, 0u);
    }
    uvec2 id = transmissive ? texelFetch(transmissive_ids, pixel, 0).xy : texelFetch(ids, pixel, 0).xy;
    return uvec2(id.x, kWideIds ? id.y : 0u);
}

bool layer_in_phase_1(ivec2 pixel, bool transmissive) {
    if (in_compute()) {
        uint index = layer_index(pixel, transmissive);
        return pixels[index] == pixels_of_phase_1[index];
    }
    return transmissive
               ? texelFetch(transmissive_ids_of_phase_1, pixel, 0).xy == texelFetch(transmissive_ids, pixel, 0).xy
               : texelFetch(ids_of_phase_1, pixel, 0).xy == texelFetch(ids, pixel, 0).xy;
}

// Of what blends: the word of a layer, 0 for none; its depth and its id; and the first word behind the layers.
uvec2 blended_word(ivec2 pixel, uint layer) {
    return wide_ids[layer_place(uint(pixel.y) * constants.size.x + uint(pixel.x), layer)];
}
float blended_depth(uvec2 word) { return uintBitsToFloat(word.y >> 2u); }
uvec2 blended_id(uvec2 word) { return uvec2(word.x, 0u); }

// Of what hides all that lies behind it, and of transmissive surfaces, where those are there: whether one of the latter
// is nearer, and the depth of what is.
bool transmissive_nearer(ivec2 pixel) { return layer_depth(pixel, true) > layer_depth(pixel, false); }
float nearer_depth(ivec2 pixel) { return max(layer_depth(pixel, false), layer_depth(pixel, true)); }

bool transmissive_seen(ivec2 pixel) { return has_layers() && transmissive_nearer(pixel); }
float unblended_depth(ivec2 pixel) { return has_layers() ? nearer_depth(pixel) : layer_depth(pixel, false); }
uvec2 unblended_id(ivec2 pixel) { return layer_id(pixel, transmissive_seen(pixel)); }

// Of all that is drawn, the nearest.
bool blended_seen(ivec2 pixel) {
    return kBlendLayers != 0u && blended_depth(blended_word(pixel, 0u)) > unblended_depth(pixel);
}
float depth_seen(ivec2 pixel) {
    float depth = unblended_depth(pixel);
    return kBlendLayers != 0u ? max(depth, blended_depth(blended_word(pixel, 0u))) : depth;
}
uvec2 id_seen(ivec2 pixel) {
    return blended_seen(pixel) ? blended_id(blended_word(pixel, 0u)) : unblended_id(pixel);
}
bool seen_in_phase_1(ivec2 pixel) {
    return !blended_seen(pixel) && layer_in_phase_1(pixel, transmissive_seen(pixel));
}
