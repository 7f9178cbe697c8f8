// Writes which triangle a pixel shows (view/visibility_id.glsl). Where that is known:
// PER_PRIMITIVE: a mesh shader gives each triangle its id.
// PRIMITIVE_ID: the vertex shader gives the draw's first id; triangles of a draw are numbered.
// CORNERS: the first corner knows the first triangle that it leads; where it leads two, the second corner tells them
// apart (VK_KHR_fragment_shader_barycentric), and where that is not enough, all three corners do.
// LIST: triangles of the draw are listed (cull/primitives.comp), as slot of the sublet within its class * 32 +
// triangle.
// else: the vertex shader gives the id, which is the same for a triangle's three vertices.
//
// MASKED: of classes that are tested for alpha. What faces away, and what the mask leaves out, is discarded.
// BLENDED, with MASKED: of what blends. It goes to layers (view/layers.glsl), in front of the depth that is there.
// MASKED alone may draw that, too, a layer at a time, and then writes words in place of ids (view/peel.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef BLENDED
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#if defined(MASKED) && !defined(FEW_TEXTURES)
#extension GL_EXT_nonuniform_qualifier : require
#endif

#ifdef CORNERS
#extension GL_EXT_fragment_shader_barycentric : require
#endif

#ifdef PER_PRIMITIVE
#extension GL_EXT_mesh_shader : require
#endif
#ifdef MASKED
#include "shared/shade.h"
#include "scene/bindings.glsl"
#include "view/visibility_id.glsl"
#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "scene/winding.glsl"
#include "shade/attributes.glsl"
#include "shade/barycentric.glsl"
#include "shade/textures.glsl"
#include "shade/alpha_test.glsl"
#ifdef BLENDED
#include "view/layers.glsl"
layout(early_fragment_tests) in;
#else
layout(set = kPassSet, binding = kBindWideIds, std430) readonly buffer Layers { uvec2 layers[]; };
#include "view/peel.glsl"
#endif
#elif defined(PER_PRIMITIVE)
#include "shared/bindings.h"
layout(constant_id = kSpecWideIds) const bool kWideIds = false;
#elif defined(LIST)
#include "scene/bindings.glsl"
#include "view/visibility_id.glsl"
#elif defined(CORNERS)
#include "scene/bindings.glsl"
#include "view/visibility_id.glsl"
#include "scene/sublet_records.glsl"
#endif

#if defined(PER_PRIMITIVE)
layout(location = 0) perprimitiveEXT flat in uint in_id;
layout(location = 1) perprimitiveEXT flat in uint in_instance;
#elif defined(LIST)
#include "shared/passes.h"
layout(set = kPassSet, binding = kBindSurvivors, std430) readonly buffer SurvivorList { uvec2 survivors[]; };
layout(set = kPassSet, binding = kBindTriangles, std430) readonly buffer Output { uint output_words[]; };
layout(push_constant) uniform Push { CompactConstants constants; };
#elif defined(CORNERS)
layout(location = 0) flat in uvec2 in_id;               // of the first triangle that the first corner leads
layout(location = 2) pervertexEXT in uint in_corner[];  // kLead...

// The triangle that has these corners, from `id` on.
uint search_triangle(uvec2 id, uvec3 corners) {
    uint low = id.y;
    uint first = 0u;
    if (!kWideIds) {
        // The last instance whose first sublet is not beyond the id's.
        uint high = frame.instance_count;
        while (low + 1u < high) {
            uint middle = (low + high) >> 1u;
            if (instances[middle].first_sublet <= id.x / kSubletSize) {
                low = middle;
            } else {
                high = middle;
            }
        }
        first = instances[low].first_sublet;
    }
    uint resident = resident_sublet(instances[low].mesh, id.x / kSubletSize - first);
    uint triangles = sublet_records[resident].counts & 0xffu;
    while (recorded_triangle(resident, id.x % kSubletSize) != corners && id.x % kSubletSize + 1u < triangles) {
        id.x += 1u;
    }
    return id.x;
}
#else
layout(location = 0) flat in uvec2 in_id;
#endif

#ifndef BLENDED
layout(location = 0) out uvec2 out_id;
#endif

void main() {
#ifdef BLENDED
    uvec2 out_id;
#endif
#if defined(PER_PRIMITIVE)
    out_id = uvec2(in_id, kWideIds ? in_instance : 0u);
#elif defined(LIST)
    uint word = output_words[constants.first_triangle + gl_PrimitiveID];
    uvec2 entry = survivors[constants.first_slot + word / kSubletSize];
    out_id = visibility_id(entry.x, entry.y * kSubletSize + word % kSubletSize);
#elif defined(CORNERS)
    uint lead = in_corner[0];
    uint later = lead >> kLeadLaterShift & kLeadLaterMask;
    out_id = in_id;
    if (later == kLeadSearch) {
        out_id.x = search_triangle(in_id, uvec3(lead, in_corner[1], in_corner[2]) & kLeadVertexMask);
    } else if (later != 0u && (in_corner[1] & kLeadVertexMask) != (lead >> kLeadSecondShift & kLeadVertexMask)) {
        out_id.x += later;
    }
#elif defined(PRIMITIVE_ID)
    out_id = uvec2(in_id.x + gl_PrimitiveID, in_id.y);
#else
    out_id = in_id;
#endif
#ifdef MASKED
    Seen seen = seen_triangle(out_id);
    uint winding = instance_winding(instances[seen.instance].flags);
    bool away = winding != kClassDoubleSided && gl_FrontFacing != (winding == kClassCounterClockwise);
    if (away || !mask_covers(seen, ivec2(gl_FragCoord.xy))) {
        discard;
    }
    uint pixel = uint(gl_FragCoord.y) * picture_width() + uint(gl_FragCoord.x);
#ifdef BLENDED
    insert_blended(pixel, gl_FragCoord.z, out_id);
#else
    if (kBlendLayers != 0u) {
        out_id = pixel_words(gl_FragCoord.z, out_id);
        if (!is_next(pixel, out_id)) {
            discard;
        }
    }
#endif
#endif
}
