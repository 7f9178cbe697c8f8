// The compute rasteriser's grid: where a triangle lies on it, and who draws it. In 32 bits: raster_triangle.glsl goes on
// with what takes more. C++ compiles this too (src/base/glsl.h).

#include "cull/primitive_cull.glsl"

const int kRasterBits = 8;  // of a subpixel
const int kRasterSubpixels = 256;
const int kRasterNarrow = 32768;  // subpixels: below, 32 bits hold the edge functions of a triangle's pixels

// A triangle on the grid. Clockwise as seen: its area is positive.
struct RasterTriangle {
    ivec2 corners[3];  // subpixels from the centre of pixel (0, 0), y down
    float depths[3];
    ivec2 first_pixel;  // pixels whose centres its bounding box has, within the window: first and last
    ivec2 last_pixel;
};

// For a window of this size, in pixels.
CullViewport raster_viewport(uvec2 size) {
    vec2 half_size = vec2(size) * float(kRasterSubpixels / 2);
    CullViewport viewport;
    viewport.scale = half_size;
    viewport.bias = half_size + (kWindowOrigin - float(kRasterSubpixels / 2));
    viewport.subpixels = uint(kRasterSubpixels);
    viewport.margin = 0.0f;
    return viewport;
}

// A vertex on the grid: window_position() in a viewport of 256 subpixels, as integers.
ivec2 raster_position(vec2 window) {
    return ivec2(floatBitsToUint(window) - floatBitsToUint(vec2(kWindowOrigin)));
}

// Where three vertices lie, and which pixels of a window of this `size` their bounding box has.
void place_corners(const ivec2 positions[3], ivec2 size, SUBLET_INOUT(RasterTriangle) t) {
    ivec2 low = min(min(positions[0], positions[1]), positions[2]);
    ivec2 high = max(max(positions[0], positions[1]), positions[2]);
    for (uint i = 0u; i < 3u; ++i) {
        t.corners[i] = positions[i];
    }
    t.first_pixel = max((low + (kRasterSubpixels - 1)) >> kRasterBits, ivec2(0));
    t.last_pixel = min(high >> kRasterBits, size - 1);
}

bool is_narrow(RasterTriangle t) {
    ivec2 low = min(min(t.corners[0], t.corners[1]), t.corners[2]);
    ivec2 high = max(max(t.corners[0], t.corners[1]), t.corners[2]);
    ivec2 size = high - low;
    return max(size.x, size.y) < kRasterNarrow;
}

// Pixels in its bounding box.
uint raster_pixels(RasterTriangle t) {
    ivec2 size = t.last_pixel - t.first_pixel + 1;
    return uint(size.x) * uint(size.y);
}

// Whether a lane draws it by itself, where it draws bounding boxes of up to `limit` pixels.
bool is_small(RasterTriangle t, uint limit) {
    return raster_pixels(t) <= limit && is_narrow(t);
}
