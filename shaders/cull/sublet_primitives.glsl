// The 32 lanes of a sublet test its triangles: one vertex and one triangle each. Mesh shaders and compute share it. The
// includer has included sublet_geometry.glsl and primitive_cull.glsl, and defines PRIMITIVE_LANES, its workgroup's
// size, kCount, and SUBGROUP32 or not, and PRIMITIVE_BOUNDS where it wants to know what of the window each triangle can
// touch.

#include "scene/winding.glsl"

struct SubletLane {
    vec4 clip;       // of this lane's vertex
    uvec3 triangle;  // sublet-local vertices of this lane's triangle
    bool keep;       // whether there is one, and it survives
    uint verdict;    // with kCount: why it does not; kPasses also where there is none
#ifdef PRIMITIVE_BOUNDS
    // Of triangles that are kept, with kCullPrimitives. Without `clipped`:
    bool clipped;      // nothing is known: the device may clip it
    ivec2 first_pixel;  // the pixels whose centres it can reach, first and last
    ivec2 last_pixel;
    float nearest;     // greatest depth
#endif
};

#ifndef SUBGROUP32
shared uvec2 shared_window[PRIMITIVE_LANES];
#ifdef PRIMITIVE_BOUNDS
shared float shared_depth[PRIMITIVE_LANES];
#endif
#endif

#ifdef SUBGROUP32
// Of a unit's 32 lanes, as bits.
uint unit_ballot(bool value) {
    uvec4 ballot = subgroupBallot(value);
    return gl_SubgroupSize == 32u ? ballot.x : ballot[gl_SubgroupInvocationID >> 5u];
}

// The union of the masks of a unit's 32 lanes.
uint unit_or(uint mask) {
    if (gl_SubgroupSize == 32u) {
        return subgroupOr(mask);
    }
    for (uint step = 16u; step != 0u; step >>= 1u) {
        mask |= subgroupShuffleXor(mask, step);
    }
    return mask;
}
#endif

// Why primitive_visible() rejects a triangle. One that faces away does so wherever it lies.
uint rejected_as(const vec2 window[3], const uint codes[3], uint winding, CullViewport viewport) {
    if ((codes[0] & codes[1] & codes[2] & kClipOutside) != 0u) {
        return kOutside;
    }
    vec2 low = min(min(window[0], window[1]), window[2]);
    vec2 high = max(max(window[0], window[1]), window[2]);
    bool away = winding != kWindingBoth &&
                faces_away(window[0], window[1], window[2], high - low, winding, viewport.margin);
    return away ? kFacesAway : kBetweenPixels;
}

// All lanes of the workgroup come here together, those of empty units too.
SubletLane cull_sublet_primitives(Sublet sublet, uint lane, uint draw_class) {
    SubletLane result;
    result.keep = lane < sublet.triangle_count;
    result.triangle = result.keep ? sublet_triangle(sublet, lane) : uvec3(0u);
    result.verdict = kPasses;
    result.clip = vec4(0.0, 0.0, 0.0, 1.0);
    if (lane < sublet.vertex_count) {
        result.clip = sublet_clip(sublet, lane);
    }
#ifdef PRIMITIVE_BOUNDS
    result.clipped = true;
    result.first_pixel = ivec2(0);
    result.last_pixel = ivec2(0);
    result.nearest = 0.0;
#endif
    if ((frame.cull_flags & kCullPrimitives) == 0u) {
        return result;
    }
    uint winding = class_winding(draw_class, instances[sublet.instance].flags);
    CullViewport viewport = CullViewport(frame.viewport.xy, frame.viewport.zw, frame.subpixels, frame.subpixel_margin);
    uvec2 window = pack_window(window_position(result.clip, viewport), clip_code(result.clip));
    vec2 windows[3];
    uint codes[3];
#ifdef PRIMITIVE_BOUNDS
    float depth = result.clip.z / result.clip.w;
    float depths[3];
#endif
#ifdef SUBGROUP32
    uint first = gl_SubgroupSize == 32u ? 0u : gl_SubgroupInvocationID & ~31u;
    for (uint i = 0u; i < 3u; ++i) {
        uvec2 corner = subgroupShuffle(window, first + result.triangle[i]);
        windows[i] = unpack_window(corner);
        codes[i] = unpack_code(corner);
#ifdef PRIMITIVE_BOUNDS
        depths[i] = subgroupShuffle(depth, first + result.triangle[i]);
#endif
    }
#else
    uint first = gl_LocalInvocationIndex & ~31u;
    barrier();
    shared_window[gl_LocalInvocationIndex] = window;
#ifdef PRIMITIVE_BOUNDS
    shared_depth[gl_LocalInvocationIndex] = depth;
#endif
    barrier();
    for (uint i = 0u; i < 3u; ++i) {
        uvec2 corner = shared_window[first + result.triangle[i]];
        windows[i] = unpack_window(corner);
        codes[i] = unpack_code(corner);
#ifdef PRIMITIVE_BOUNDS
        depths[i] = shared_depth[first + result.triangle[i]];
#endif
    }
#endif
    if (result.keep) {
        result.keep = primitive_visible(windows, codes, winding, viewport);
        if (kCount && !result.keep) {
            result.verdict = rejected_as(windows, codes, winding, viewport);
        }
    }
#ifdef PRIMITIVE_BOUNDS
    result.clipped = ((codes[0] | codes[1] | codes[2]) & kClipMayClip) != 0u;
    pixel_bounds(min(min(windows[0], windows[1]), windows[2]), max(max(windows[0], windows[1]), windows[2]), viewport,
                 result.first_pixel, result.last_pixel);
    result.nearest = max(max(depths[0], depths[1]), depths[2]);
#endif
    return result;
}
