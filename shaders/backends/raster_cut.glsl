// Cuts triangles that reach over the near plane or far beyond the view to what the compute rasteriser can draw.
//
// C++ compiles this too (src/base/glsl.h), and tests hold it to triangles that are not cut. Whoever includes it has
//     vec4 polygon[2][8];
// where cut_polygon() works: in memory of a workgroup, or in a test's.

const uint kMostCorners = 8u;  // of a triangle that five planes cut

#include "backends/raster_cut_edge.glsl"

// The polygon that the planes leave of the triangle in polygon[0], there again. Returns how many corners it has.
uint cut_polygon() {
    uint from = 0u;
    uint corners = 3u;
    for (uint plane = 0u; plane < kCutPlanes; ++plane) {
        uint made = 0u;
        for (uint i = 0u; i < corners; ++i) {
            vec4 a = polygon[from][i];
            vec4 b = polygon[from][i + 1u == corners ? 0u : i + 1u];
            float distance_a = cut_distance(a, plane);
            float distance_b = cut_distance(b, plane);
            bool inside_a = distance_a >= 0.0f;
            bool inside_b = distance_b >= 0.0f;
            if (inside_a && made < kMostCorners) {
                polygon[1u - from][made++] = a;
            }
            if (inside_a != inside_b && made < kMostCorners) {
                polygon[1u - from][made++] = inside_a ? cut_edge(a, b, distance_a, distance_b, plane)
                                                      : cut_edge(b, a, distance_b, distance_a, plane);
            }
        }
        from = 1u - from;
        corners = made;
    }
    for (uint i = 0u; i < corners && from == 1u; ++i) {
        polygon[0][i] = polygon[1][i];
    }
    return corners;
}
