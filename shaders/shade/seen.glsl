// What geometry left of each pixel: images of ids and depths, or, with PIXELS, words of the compute rasteriser
// (backends/raster_pixels.glsl) and, of wide ids, what was found for those (backends/raster_wide_ids.comp).

#ifdef PIXELS
layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { uvec2 pixels[]; };
layout(set = kPassSet, binding = kBindPixelsOfPhase1, std430) readonly buffer PixelsOfPhase1 {
    uvec2 pixels_of_phase_1[];
};
layout(set = kPassSet, binding = kBindWideIds, std430) readonly buffer WideIds { uvec2 wide_ids[]; };
uint pixel_index(ivec2 pixel) { return uint(pixel.y) * constants.size.x + uint(pixel.x); }

float depth_seen(ivec2 pixel) { return uintBitsToFloat(pixels[pixel_index(pixel)].y); }
uvec2 id_seen(ivec2 pixel) {
    return kWideIds ? wide_ids[pixel_index(pixel)] : uvec2(pixels[pixel_index(pixel)].x, 0u);
}
bool seen_in_phase_1(ivec2 pixel) {
    return pixels[pixel_index(pixel)] == pixels_of_phase_1[pixel_index(pixel)];
}
#else
layout(set = kPassSet, binding = kBindIds) uniform usampler2D ids;
layout(set = kPassSet, binding = kBindDepth) uniform sampler2D depths;
layout(set = kPassSet, binding = kBindIdsOfPhase1) uniform usampler2D ids_of_phase_1;

float depth_seen(ivec2 pixel) { return texelFetch(depths, pixel, 0).x; }
uvec2 id_seen(ivec2 pixel) {
    uvec2 id = texelFetch(ids, pixel, 0).xy;
    return uvec2(id.x, kWideIds ? id.y : 0u);
}
bool seen_in_phase_1(ivec2 pixel) {
    return texelFetch(ids_of_phase_1, pixel, 0).xy == texelFetch(ids, pixel, 0).xy;
}
#endif
