// The 32 lanes of a sublet test its triangles: one vertex and one triangle each. Mesh shaders and compute share it. The includer has
// included sublet_geometry.glsl and primitive_cull.glsl, and defines PRIMITIVE_LANES, its workgroup's size, and SUBGROUP32 or not.

struct SubletLane {
    vec4 clip;       // of this lane's vertex
    uvec3 triangle;  // sublet-local vertices of this lane's triangle
    bool keep;       // whether there is one, and it survives
};

#ifndef SUBGROUP32
shared vec2 shared_window[PRIMITIVE_LANES];
shared uint shared_code[PRIMITIVE_LANES];
#endif

// All lanes of the workgroup come here together, those of empty units too.
SubletLane cull_sublet_primitives(Sublet sublet, uint lane, uint winding) {
    SubletLane result;
    result.keep = lane < sublet.triangle_count;
    result.triangle = result.keep ? sublet_triangle(sublet, lane) : uvec3(0u);
    result.clip = vec4(0.0, 0.0, 0.0, 1.0);
    if (lane < sublet.vertex_count) {
        result.clip = vertex_clip(sublet.instance, sublet_position(sublet, lane));
    }
    if ((frame.cull_flags & kCullPrimitives) == 0u) {
        return result;
    }
    CullViewport viewport = CullViewport(frame.viewport.xy, frame.viewport.zw, frame.subpixels, frame.subpixel_margin);
    uint code = clip_code(result.clip);
    vec2 window = window_position(result.clip, viewport);
    vec2 windows[3];
    uint codes[3];
#ifdef SUBGROUP32
    uint first = gl_SubgroupInvocationID & ~31u;
    for (uint i = 0u; i < 3u; ++i) {
        windows[i] = subgroupShuffle(window, first + result.triangle[i]);
        codes[i] = subgroupShuffle(code, first + result.triangle[i]);
    }
#else
    uint first = gl_LocalInvocationIndex & ~31u;
    barrier();
    shared_window[gl_LocalInvocationIndex] = window;
    shared_code[gl_LocalInvocationIndex] = code;
    barrier();
    for (uint i = 0u; i < 3u; ++i) {
        windows[i] = shared_window[first + result.triangle[i]];
        codes[i] = shared_code[first + result.triangle[i]];
    }
#endif
    if (result.keep) {
        result.keep = primitive_visible(windows, codes, winding, viewport);
    }
    return result;
}
