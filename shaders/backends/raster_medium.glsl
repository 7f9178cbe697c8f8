// The list of medium triangles: from raster.comp to raster_medium.comp. After raster_common.glsl.

const uint kMediumRows = 16u;  // of the bounding box, that are one piece

// A piece of a triangle.
struct MediumTriangle {
    uvec4 place;   // x, y: the first corner, 24 bits each; above x the piece, above y the triangle of its sublet and,
                   // from bit 29 on, the second word of sublet_number(); z, w: offsets of the other corners,
                   // x | y << 16
    uvec4 values;  // the corners' depths; the first word of sublet_number()
};
// A region for triangles that are not tested for alpha, and one for those that are.
layout(set = kPassSet, binding = kBindMediumTriangles, std430) buffer MediumTriangles { MediumTriangle medium[]; };
const uint kMediumList = kMasked ? 1u : 0u;

uint medium_entry(uint index) { return kMediumList * constants.medium_capacity + index; }

MediumTriangle pack_medium(RasterTriangle t, uint number, Seen seen) {
    uvec2 first = uvec2(t.corners[0]) & 0xffffffu;
    uvec2 second = uvec2(t.corners[1] - t.corners[0]) & 0xffffu;
    uvec2 third = uvec2(t.corners[2] - t.corners[0]) & 0xffffu;
    uvec2 sublet = sublet_number(seen);
    return MediumTriangle(uvec4(first.x | number << 24u, first.y | seen.triangle << 24u | sublet.y << 29u,
                                second.x | second.y << 16u, third.x | third.y << 16u),
                          uvec4(floatBitsToUint(vec3(t.depths[0], t.depths[1], t.depths[2])), sublet.x));
}

uvec2 medium_sublet(MediumTriangle piece) { return uvec2(piece.values.w, piece.place.y >> 29u); }
uint medium_triangle(MediumTriangle piece) { return piece.place.y >> 24u & 31u; }

// The triangle, with the pixels of its piece.
RasterTriangle unpack_medium(MediumTriangle piece, ivec2 size) {
    ivec4 place = ivec4(piece.place);
    ivec2 first = ivec2(bitfieldExtract(place.x, 0, 24), bitfieldExtract(place.y, 0, 24));
    ivec2 second = first + ivec2(bitfieldExtract(place.z, 0, 16), place.z >> 16);
    ivec2 third = first + ivec2(bitfieldExtract(place.w, 0, 16), place.w >> 16);
    vec3 depths = uintBitsToFloat(piece.values.xyz);
    RasterTriangle t;
    t.depths = float[3](depths.x, depths.y, depths.z);
    place_corners(ivec2[3](first, second, third), size, t);
    t.first_pixel.y += int(piece.place.x >> 24u) * int(kMediumRows);
    t.last_pixel.y = min(t.last_pixel.y, t.first_pixel.y + int(kMediumRows) - 1);
    return t;
}

Seen medium_seen(MediumTriangle piece) { return numbered(medium_sublet(piece), medium_triangle(piece)); }
