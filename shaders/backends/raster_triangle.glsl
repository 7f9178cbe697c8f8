// Triangles as the compute rasteriser sees them: on a grid of 1/256 pixel, in integers. Which pixels one covers is
// exact, and which depth it has there is a formula of a few named float operations. So whoever draws a triangle, a lane
// by itself or a workgroup together, in whatever order, gets the same pixels and the same bits.
//
// C++ compiles this too (src/base/glsl.h), and tests hold it to the definitions in exact arithmetic.
//
// Widths. A window has up to 16384 pixels to a side, 2^22 subpixels. Vertices that are drawn lie within 1.5 times the
// view (cut_polygon() cuts triangles that reach further): -2^20 to 5 * 2^20, less half a pixel and but for a few
// subpixels of rounding. So two of them differ by less than 2^23, and by less than 2^31 as they are multiplied by 256.
// An edge function is a difference of two products of such numbers: less than 2^47, 64 bits. Where a triangle's
// bounding box is less than 2^15 subpixels, 128 pixels, to each side, products are less than 2^30, and 32 bits do.
//
// Coverage. A pixel is covered when its centre lies inside of the triangle's three edges, or on an edge that is a top
// or a left one: on an edge that two triangles share, exactly one of them has it.
//
// Depth. From the depths d0, d1, d2 of the corners, each clip z * (1 / clip w), and the edge functions e1 (of the edge
// from corner 2 to 0), e2 (from 0 to 1) and their sum with the third, the area A, as exact integers rounded once to
// float:
//     k1 = (d1 - d0) / A,  k2 = (d2 - d0) / A,  depth = e1 * k1 + (e2 * k2 + d0)
// with both sums fused where a device can, held to the range of d0, d1, d2. Weights e / A are at most 1 inside. So the
// error stays within a few units in the last place of d1 - d0 or d2 - d0, and of d0, however thin the triangle is:
// raster_depth_error() bounds it.

#include "backends/raster_grid.glsl"

// Depth of a vertex. Those that were cut at the near plane lie on it.
float raster_depth(vec4 clip) {
    precise float reciprocal = 1.0f / clip.w;  // window_position() takes it too
    precise float depth = clip.z * reciprocal;
    return min(depth, 1.0f);
}

// A 64-bit integer below 2^47, rounded to the nearest float. Devices need not say how they convert integers of more
// than 24 bits: both halves convert exactly, and the sum rounds once.
float float_of(int64_t value) {
    float high = float(int(value >> 24));
    float low = float(int(value & int64_t(0xffffff)));
    return fma(high, 16777216.0f, low);
}

// The same of 32 bits.
float float_of(int value) {
    float high = float(value >> 16);
    float low = float(value & 0xffff);
    return fma(high, 65536.0f, low);
}

// Of the edge from `a` to `b` at `p`: twice the area of the triangle (a, b, p).
int64_t edge_function(ivec2 a, ivec2 b, ivec2 p) {
    return int64_t(b.x - a.x) * int64_t(p.y - a.y) - int64_t(b.y - a.y) * int64_t(p.x - a.x);
}

int narrow_edge_function(ivec2 a, ivec2 b, ivec2 p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// What has to be added to an edge function, so that it is 0 or more where it counts as inside: 0 for top and left edges
// of a clockwise triangle, -1 for the others.
int fill_rule(ivec2 a, ivec2 b) {
    return b.y < a.y || (b.y == a.y && b.x > a.x) ? 0 : -1;
}

// Of the edges across from corners 0, 1 and 2, in that order.
ivec3 fill_rules(RasterTriangle t) {
    return ivec3(fill_rule(t.corners[1], t.corners[2]), fill_rule(t.corners[2], t.corners[0]),
                 fill_rule(t.corners[0], t.corners[1]));
}

// What the edge functions of these edges grow by from a pixel to the next one: to the right, and down. Of any triangle.
ivec3 edges_right(RasterTriangle t) {
    return ivec3(t.corners[1].y - t.corners[2].y, t.corners[2].y - t.corners[0].y, t.corners[0].y - t.corners[1].y) *
           kRasterSubpixels;
}

ivec3 edges_down(RasterTriangle t) {
    return ivec3(t.corners[2].x - t.corners[1].x, t.corners[0].x - t.corners[2].x, t.corners[1].x - t.corners[0].x) *
           kRasterSubpixels;
}

// They themselves at a pixel's centre: of a narrow triangle, within its bounding box.
ivec3 narrow_edges(RasterTriangle t, ivec2 pixel) {
    ivec2 center = pixel * kRasterSubpixels;
    return ivec3(narrow_edge_function(t.corners[1], t.corners[2], center),
                 narrow_edge_function(t.corners[2], t.corners[0], center),
                 narrow_edge_function(t.corners[0], t.corners[1], center));
}

// Twice its area.
int64_t raster_area(RasterTriangle t) {
    return edge_function(t.corners[0], t.corners[1], t.corners[2]);
}

// Where the triangle of three vertices lies, turned to be clockwise; its depths are not yet known. False where it can't
// cover a pixel of the window: it has no area, it faces away, or its bounding box has no pixel's centre. `narrow`: it
// is known to be. `winding`: kWinding...; `size`: of the window.
bool place_triangle(const ivec2 positions[3], bool narrow, uint winding, ivec2 size, SUBLET_OUT(RasterTriangle) t,
                    SUBLET_OUT(bool) turned) {
    place_corners(positions, size, t);
    bool positive;
    bool negative;
    if (narrow || is_narrow(t)) {
        int area = narrow_edge_function(positions[0], positions[1], positions[2]);
        positive = area > 0;
        negative = area < 0;
    } else {
        int64_t area = edge_function(positions[0], positions[1], positions[2]);
        positive = area > int64_t(0);
        negative = area < int64_t(0);
    }
    turned = negative;
    if (turned) {
        t.corners[1] = positions[2];
        t.corners[2] = positions[1];
    }
    bool faces = winding == kWindingBoth ? positive || negative : winding == kWindingClockwise ? positive : negative;
    return faces && t.first_pixel.x <= t.last_pixel.x && t.first_pixel.y <= t.last_pixel.y;
}

// Of the vertices, in the order in which they were given.
void set_depths(SUBLET_INOUT(RasterTriangle) t, const float depths[3], bool turned) {
    t.depths[0] = depths[0];
    t.depths[1] = turned ? depths[2] : depths[1];
    t.depths[2] = turned ? depths[1] : depths[2];
}

bool make_raster_triangle(const ivec2 positions[3], const float depths[3], uint winding, ivec2 size,
                          SUBLET_OUT(RasterTriangle) t) {
    bool turned;
    bool covers = place_triangle(positions, false, winding, size, t, turned);
    set_depths(t, depths, turned);
    return covers;
}

// The same of vertices that need no cut.
bool make_raster_triangle(const vec4 clip[3], uint winding, uvec2 size, SUBLET_OUT(RasterTriangle) t) {
    ivec2 positions[3];
    float depths[3];
    for (uint i = 0u; i < 3u; ++i) {
        positions[i] = raster_position(window_position(clip[i], raster_viewport(size)));
        depths[i] = raster_depth(clip[i]);
    }
    return make_raster_triangle(positions, depths, winding, ivec2(size), t);
}

// How depth changes with the edge functions.
struct RasterDepth {
    float origin;
    float k1;
    float k2;
    float least;
    float most;
};

RasterDepth make_raster_depth(RasterTriangle t, float area) {
    RasterDepth d;
    d.origin = t.depths[0];
    precise float k1 = (t.depths[1] - t.depths[0]) / area;
    precise float k2 = (t.depths[2] - t.depths[0]) / area;
    d.k1 = k1;
    d.k2 = k2;
    d.least = min(min(t.depths[0], t.depths[1]), t.depths[2]);
    d.most = max(max(t.depths[0], t.depths[1]), t.depths[2]);
    return d;
}

// At a pixel's centre, whose edge functions e1 (corner 2 to 0) and e2 (0 to 1) are.
float depth_at(RasterDepth d, float e1, float e2) {
    precise float inner = fma(e2, d.k2, d.origin);
    precise float depth = fma(e1, d.k1, inner);
    return clamp(depth, d.least, d.most);
}

// Bounds how far depth_at() can be from the plane through the corners' depths, anywhere inside. For any device that
// keeps to Vulkan's precision, and in units of u = 2^-24, half of a step of floats above 1:
//   - a slope is off by 7u of itself: u for a difference, u for an area, 5u for a quotient of 2.5 ULP;
//   - its product with an edge function by 2u more: the function's rounding, and its own where sums are not fused;
//   - weights of both slopes come to 1 at most, so both products to m, the larger difference, and are off by 9u m;
//   - neither sum is larger than |d0| + m, and each rounds by u of that.
// That is 11u m + 2u |d0|. Another u m is more than products of these errors come to. Holding a depth to the range of
// the corners' only takes it nearer. Left out: where depths differ by less than 2^-79, slopes may be below 2^-126,
// which devices may take for 0.
float raster_depth_error(float d0, float d1, float d2) {
    float most = max(abs(d1 - d0), abs(d2 - d0));
    return (12.0f * most + 2.0f * abs(d0)) * (1.0f / 16777216.0f);
}
