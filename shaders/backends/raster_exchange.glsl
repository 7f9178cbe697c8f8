// How the 32 lanes of a sublet hand each other their vertices. The includer defines RASTER_LANES, its workgroup's size,
// and SUBGROUP32 for subgroup operations, else by shared memory, which is right for subgroups of any size. All lanes of
// the workgroup come to these functions together, but for units that are over with their last sublet.

// The corners of a lane's triangle. Where they are not to be drawn as they are, codes tell, and the rest means nothing.
struct Corners {
    ivec2 positions[3];
    float depths[3];
    uint all_codes;  // bits that all corners have
    uint any_codes;
};

#ifdef SUBGROUP32
uint unit_first_lane() { return gl_SubgroupInvocationID & ~31u; }

bool unit_any(bool value) {
    return gl_SubgroupSize == 32u ? subgroupAny(value)
                                  : subgroupBallot(value)[gl_SubgroupInvocationID >> 5u] != 0u;
}

// Of a unit's vertices.
struct Near {
    ivec2 origin;    // where the first one lies
    ivec2 position;  // this lane's; beyond the last one it is the first one's
    bool all_near;   // no vertex of the subgroup needs a cut, or lies 64 pixels or more from the first of its unit
    bool reaches;    // then: they have a row and a column of pixel centres between them. Far away few sublets do
};

Near look_around(vec4 clip, bool is_vertex) {
    Near near;
    near.position = raster_position(window_position(clip, raster_viewport(constants.size)));
    near.origin = ivec2(subgroupShuffle(near.position.x, unit_first_lane()),
                        subgroupShuffle(near.position.y, unit_first_lane()));
    near.position = is_vertex ? near.position : near.origin;
    ivec2 distance = abs(near.position - near.origin);
    // As (clip_code(clip) & kClipMayClip) == 0u says, which takes measurably longer.
    bool no_cut = clip.z <= clip.w && clip.w > 0.0 && all(lessThan(abs(clip.xy), vec2(1.5 * clip.w)));
    near.all_near = subgroupAll(no_cut && max(distance.x, distance.y) < kRasterNarrow / 2);
    bvec2 apart = notEqual(near.position >> kRasterBits, near.origin >> kRasterBits);
    bvec2 on_center = equal(near.position & (kRasterSubpixels - 1), ivec2(0));
    near.reaches = unit_any(apart.x || on_center.x) && unit_any(apart.y || on_center.y);
    return near;
}

// Where all are near a vertex fits one word, and its depth is only asked for where some triangle may be drawn.
ivec2[3] exchange_near(Near near, uvec3 triangle) {
    ivec2 offset = near.position - near.origin;
    uint packed = (uint(offset.x) & 0xffffu) | uint(offset.y) << 16u;
    ivec2 positions[3];
    for (uint i = 0u; i < 3u; ++i) {
        int corner = int(subgroupShuffle(packed, unit_first_lane() + triangle[i]));
        positions[i] = near.origin + ivec2(bitfieldExtract(corner, 0, 16), corner >> 16);
    }
    return positions;
}

float[3] exchange_depths(float depth, uvec3 triangle) {
    uvec3 lanes = unit_first_lane() + triangle;
    return float[3](subgroupShuffle(depth, lanes.x), subgroupShuffle(depth, lanes.y), subgroupShuffle(depth, lanes.z));
}
#else
shared uvec2 shared_window[RASTER_LANES];
shared float shared_depth[RASTER_LANES];
#endif

Corners exchange(vec4 clip, uvec3 triangle) {
    uvec2 packed = pack_window(window_position(clip, raster_viewport(constants.size)), clip_code(clip));
    float depth = raster_depth(clip);
    Corners corners;
    corners.all_codes = kClipOutside;
    corners.any_codes = 0u;
#ifndef SUBGROUP32
    barrier();
    shared_window[gl_LocalInvocationIndex] = packed;
    shared_depth[gl_LocalInvocationIndex] = depth;
    barrier();
#endif
    for (uint i = 0u; i < 3u; ++i) {
#ifdef SUBGROUP32
        uvec2 corner = subgroupShuffle(packed, unit_first_lane() + triangle[i]);
        corners.depths[i] = subgroupShuffle(depth, unit_first_lane() + triangle[i]);
#else
        uint lane = (gl_LocalInvocationIndex & ~31u) + triangle[i];
        uvec2 corner = shared_window[lane];
        corners.depths[i] = shared_depth[lane];
#endif
        corners.positions[i] = raster_position(unpack_window(corner));
        corners.all_codes &= unpack_code(corner);
        corners.any_codes |= unpack_code(corner);
    }
    return corners;
}
