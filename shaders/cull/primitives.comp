// Culls single triangles: 32 lanes a surviving sublet. What survives goes to one transient buffer, a region for each
// draw class: as indices for one indexed draw (slot of the sublet within the round * 32 + vertex), each three with a
// word that tells the triangle (slot * 32 + triangle); as batches for mesh shaders, or as masks for a task shader: for
// each slot of the round two words, a bit for each triangle that survives and one for each vertex that those need.
//
// A batch is a mesh shader's workgroup: up to kBatch vertices and kBatch triangles of consecutive sublets, one of each
// for a lane. Batch b is 2 kBatch words, those of its vertices (as the indices above) and then those of its triangles
// (three vertices of the batch, then the triangle's number, 8 bits each); its header, vertices | triangles << 16, lies
// with the other headers.
//
// Eight consecutive slots are a run: one atomic for each makes room for all that survives of it.
// SUBGROUP32: 32 lanes of a subgroup take the sublets of a run in turn; else the 256 lanes of a workgroup take them all
// at once, and exchange by shared memory, right for subgroups of any size.
//
// With occlusion culling down to triangles (kPrimitiveBits) there is a word for each sublet, a bit for each triangle,
// beside the bits of meshlets (phases.glsl). Phase 1 draws the triangles whose bit is set; phase 2 (HIZ_PIXELS, which
// reads the depth image too) tests all of a visible meshlet's, sets the bits of those that are visible, and draws the
// ones that phase 1 did not.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP32
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#endif

#include "shared/primitives.h"
#include "scene_bindings.glsl"
#include "decoded_bindings.glsl"
#include "mesh_bindings.glsl"
layout(set = 0, binding = 9, std430) readonly buffer Survivors { uvec2 survivors[]; };
layout(set = 0, binding = 10, std430) buffer State { CullState state; };
layout(set = 0, binding = 11, std430) writeonly buffer Output { uint output_words[]; };
layout(set = 0, binding = 12, std430) readonly buffer WordsBefore { uint words_before[]; };
layout(set = 0, binding = 13, std430) writeonly buffer WordsAfter { uint words_after[]; };

#ifdef SUBGROUP32
#define PRIMITIVE_LANES 128
#else
#define PRIMITIVE_LANES 256
#endif
layout(local_size_x = PRIMITIVE_LANES) in;
layout(constant_id = 0) const bool kCount = false;
layout(constant_id = 2) const uint kOutput = kPrimitiveIndices;  // shared/primitives.h
layout(constant_id = 5) const uint kPhase = 0u;
layout(constant_id = 6) const bool kPrimitiveBits = false;
const bool kMasks = kOutput == kPrimitiveMasks;
const bool kBatches = kOutput > kPrimitiveMasks;
const uint kBatch = kOutput;  // lanes of one
const bool kBitsAlone = kPrimitiveBits && kPhase == 1u;  // what was visible is drawn without a test: it mostly is again

layout(push_constant) uniform Constants {
    uvec4 first_slot;    // xyz: for each class, the round's first slot of its list of sublets
    uvec4 slots;         // xyz: how many slots a round takes
    uvec4 first_word;    // xyz: where its region of the output starts
    uvec4 first_header;  // xyz: and the headers of its batches, or the words that tell triangles
};

#include "cull/counters.glsl"
#include "cull/mesh_draws.glsl"
#include "primitive_cull.glsl"
#include "sublet_geometry.glsl"
#define PRIMITIVE_BOUNDS
#include "cull/sublet_primitives.glsl"
#ifdef HIZ_PIXELS
#define OCCLUSION_BINDING 14
#include "cull/occlusion_view.glsl"
const bool kWriteBits = true;
#else
const bool kWriteBits = false;
#endif

const uint kRun = kPrimitiveGroupSublets;
const uint kRuns = PRIMITIVE_LANES == 256 ? 1u : PRIMITIVE_LANES / 32u;  // of a workgroup at a time

shared uint run_triangles[kRuns][kRun];  // bit masks of what survives of each sublet
shared uint run_vertices[kRuns][kRun];
#ifdef SUBGROUP32
shared uvec4 run_sublets[kRuns][kRun];  // instance, mesh, first stream, bits before
shared uvec4 run_headers[kRuns][kRun];  // of its stream of triangles
shared uint run_corners[kRuns][kRun][32];
#else
shared uint run_visible[kRun];
shared uint run_base;
#endif

// Where the next sublet of a run goes, as its sublets are added up.
struct Place {
    uint triangles;        // of the run before it
    uint batch;            // of the run
    uint batch_vertices;   // of the batch before it
    uint batch_triangles;
};

// Begins a new batch where this sublet's survivors have no room in the one begun.
void make_room(inout Place place, uint triangles, uint vertices) {
    if (kBatches &&
        (place.batch_vertices + bitCount(vertices) > kBatch || place.batch_triangles + bitCount(triangles) > kBatch)) {
        place.batch += 1u;
        place.batch_vertices = 0u;
        place.batch_triangles = 0u;
    }
}

void add_sublet(inout Place place, uint triangles, uint vertices) {
    place.triangles += bitCount(triangles);
    place.batch_vertices += bitCount(vertices);
    place.batch_triangles += bitCount(triangles);
}

// By one lane: room for a run that ends at `place`, and the headers of its batches.
uint allocate(uint run, uint draw_class, Place place) {
    if (place.triangles == 0u) {
        return 0u;
    }
    if (kCount) {
        count(kCounterPrimitivesDrawn, place.triangles);
    }
    if (kMasks) {
        return 0u;
    }
    if (!kBatches) {
        return atomicAdd(state.compact_draws[draw_class * 5u], place.triangles * 3u);
    }
    uint batches = place.batch + 1u;
    uint base = atomicAdd(state.batches[draw_class], batches);
    cover_groups(draw_class, base, base + batches - 1u);
    Place at = Place(0u, 0u, 0u, 0u);
    uint header = first_header[draw_class] + base;
    for (uint i = 0u; i < kRun; ++i) {
        uint batch = at.batch;
        uint packed = at.batch_vertices | at.batch_triangles << 16u;
        make_room(at, run_triangles[run][i], run_vertices[run][i]);
        if (at.batch != batch) {
            output_words[header + batch] = packed;
        }
        add_sublet(at, run_triangles[run][i], run_vertices[run][i]);
    }
    output_words[header + at.batch] = at.batch_vertices | at.batch_triangles << 16u;
    return base;
}

// By the 32 lanes of a sublet: what survives of it, to its place. `base`: allocate()'s. `corners`: of this lane's
// triangle, 5 bits each.
void write_survivors(uint draw_class, uint base, Place place, uint slot, uint lane, uint triangles, uint vertices,
                     uint corners) {
    uint first_vertex = (slot - first_slot[draw_class]) * kSubletSize;
    uint below = (1u << lane) - 1u;
    bool keep = (triangles & (1u << lane)) != 0u;
    uvec3 corner = (uvec3(corners) >> uvec3(0u, 5u, 10u)) & 31u;
    if (!kBatches) {
        if (keep) {
            uint rank = place.triangles + bitCount(triangles & below);
            uint word = first_word[draw_class] + base + rank * 3u;
            output_words[first_header[draw_class] + base / 3u + rank] = first_vertex + lane;
            output_words[word] = first_vertex + corner.x;
            output_words[word + 1u] = first_vertex + corner.y;
            output_words[word + 2u] = first_vertex + corner.z;
        }
        return;
    }
    uint word = first_word[draw_class] + (base + place.batch) * (2u * kBatch);
    if ((vertices & (1u << lane)) != 0u) {
        output_words[word + place.batch_vertices + bitCount(vertices & below)] = first_vertex + lane;
    }
    if (keep) {
        uvec3 rank = place.batch_vertices + uvec3(bitCount(vertices & ((1u << corner.x) - 1u)),
                                                  bitCount(vertices & ((1u << corner.y) - 1u)),
                                                  bitCount(vertices & ((1u << corner.z) - 1u)));
        output_words[word + kBatch + place.batch_triangles + bitCount(triangles & below)] =
            rank.x | rank.y << 8u | rank.z << 16u | lane << 24u;
    }
}

// By one lane of each sublet, those with no survivor too: its masks.
void write_masks(uint draw_class, uint slot, uint triangles, uint vertices) {
    uint word = first_word[draw_class] + (slot - first_slot[draw_class]) * 2u;
    output_words[word] = triangles;
    output_words[word + 1u] = vertices;
}

// By one lane of each run: the task workgroup that begins with it.
void cover_packed(uint draw_class, uint first) {
    uint slot = first - first_slot[draw_class];
    if (slot % kPackedSlots == 0u) {
        cover_groups(draw_class, slot / kPackedSlots, slot / kPackedSlots);
    }
}

// The sublet of a slot; one without triangles where the list has none.
Sublet sublet_at(uint draw_class, uint slot, uint end, out uint word, out uint before) {
    word = 0u;
    before = 0u;
    if (slot >= end) {
        return no_sublet();
    }
    uvec2 entry = survivors[frame.sublet_class_base[draw_class] + slot];
    if (kPrimitiveBits) {
        word = first_sublets[entry.x] + entry.y;
        before = words_before[word];
    }
    return load_sublet(entry.x, entry.y);
}

// Whether this lane's triangle is visible, as far as this phase looks, and its corners. All lanes of the workgroup come
// here together.
bool lane_visible(Sublet sublet, uint lane, uint draw_class, uint before, out uvec3 corners) {
    if (kBitsAlone) {
        bool visible = (before >> lane & 1u) != 0u;
        corners = visible ? sublet_triangle(sublet, lane) : uvec3(0u);
        return visible;
    }
    SubletLane result = cull_sublet_primitives(sublet, lane, draw_class);
    corners = result.triangle;
#ifdef HIZ_PIXELS
    if (result.keep && !result.clipped) {
        return !window_box_occluded(occlusion, vec2(result.first_pixel), vec2(result.last_pixel), result.nearest);
    }
#endif
    return result.keep;
}

#ifdef SUBGROUP32
void main() {
    uint draw_class = gl_WorkGroupID.y;
    uint lane = gl_LocalInvocationIndex & 31u;
    uint run = gl_LocalInvocationIndex >> 5u;
    uint first_lane = gl_SubgroupInvocationID & ~31u;
    uint end = min(first_slot[draw_class] + slots[draw_class], state.sublets[draw_class]);
    // Runs stride over the slots: as many turns as it takes, however many there are.
    uint stride = gl_NumWorkGroups.x * kRuns * kRun;
    for (uint first = first_slot[draw_class] + (gl_WorkGroupID.x * kRuns + run) * kRun; subgroupAny(first < end);
         first += stride) {
        // A lane for each sublet looks it up: what they wait for one after another, they wait for at once.
        uint word = 0u;
        if (lane < kRun) {
            uint before;
            Sublet mine = sublet_at(draw_class, first + lane, end, word, before);
            run_sublets[run][lane] = uvec4(mine.instance, mine.mesh, mine.first_stream, before);
            run_headers[run][lane] = uvec4(mine.primitives.base_value[0], mine.primitives.base_value[1],
                                           mine.primitives.bits, mine.primitives.offset_in_words);
        }
        subgroupBarrier();
        subgroupMemoryBarrierShared();
        Place place = Place(0u, 0u, 0u, 0u);
        for (uint i = 0u; i < kRun; ++i) {
            uvec4 found = run_sublets[run][i];
            uvec4 header = run_headers[run][i];
            uint before = found.w;
            Sublet sublet =
                make_sublet(found.x, found.y, found.z, StreamHeader(uint[2](header.x, header.y), header.z, header.w));
            if (subgroupAll(sublet.triangle_count == 0u)) {
                if (lane == 0u) {
                    run_triangles[run][i] = 0u;
                    run_vertices[run][i] = 0u;
                }
                continue;
            }
            uvec3 corners;
            bool visible = lane_visible(sublet, lane, draw_class, before, corners);
            bool keep = visible;
            if (kWriteBits) {
                uint after = unit_ballot(visible);
                if (lane == i && after != 0u) {
                    words_after[word] = after;
                }
                keep = visible && (before >> lane & 1u) == 0u;
            }
            uint triangles = unit_ballot(keep);
            uint vertices = 0u;
            if (kOutput != kPrimitiveIndices) {
                vertices = unit_or(keep ? 1u << corners.x | 1u << corners.y | 1u << corners.z : 0u);
            }
            if (lane == 0u) {
                run_triangles[run][i] = triangles;
                run_vertices[run][i] = vertices;
                if (kCount && !kBitsAlone && sublet.triangle_count != 0u) {
                    count(kCounterPrimitivesTested, sublet.triangle_count);
                }
            }
            run_corners[run][i][lane] = corners.x | corners.y << 5u | corners.z << 10u;
            make_room(place, triangles, vertices);
            add_sublet(place, triangles, vertices);
        }
        subgroupBarrier();
        subgroupMemoryBarrierShared();
        uint base = lane == 0u ? allocate(run, draw_class, place) : 0u;
        if (kMasks) {
            if (lane < kRun && first + lane < end) {
                write_masks(draw_class, first + lane, run_triangles[run][lane], run_vertices[run][lane]);
            }
            if (lane == 0u && first < end) {
                cover_packed(draw_class, first);
            }
            subgroupBarrier();  // before the next turn writes what this one read
            subgroupMemoryBarrierShared();
            continue;
        }
        base = subgroupShuffle(base, first_lane);
        place = Place(0u, 0u, 0u, 0u);
        for (uint i = 0u; i < kRun; ++i) {
            uint triangles = run_triangles[run][i];
            uint vertices = run_vertices[run][i];
            make_room(place, triangles, vertices);
            if (triangles != 0u) {
                write_survivors(draw_class, base, place, first + i, lane, triangles, vertices,
                                run_corners[run][i][lane]);
            }
            add_sublet(place, triangles, vertices);
        }
        subgroupBarrier();
        subgroupMemoryBarrierShared();
    }
}
#else
void main() {
    uint draw_class = gl_WorkGroupID.y;
    uint lane = gl_LocalInvocationIndex & 31u;
    uint unit = gl_LocalInvocationIndex >> 5u;
    uint end = min(first_slot[draw_class] + slots[draw_class], state.sublets[draw_class]);
    for (uint first = first_slot[draw_class] + gl_WorkGroupID.x * kRun; first < end;
         first += gl_NumWorkGroups.x * kRun) {
        uint word;
        uint before;
        Sublet sublet = sublet_at(draw_class, first + unit, end, word, before);
        uvec3 corners;
        bool visible = lane_visible(sublet, lane, draw_class, before, corners);
        bool keep = visible && !(kWriteBits && (before >> lane & 1u) != 0u);
        if (lane == 0u) {
            run_triangles[0][unit] = 0u;
            run_vertices[0][unit] = 0u;
            run_visible[unit] = 0u;
            if (kCount && !kBitsAlone && sublet.triangle_count != 0u) {
                count(kCounterPrimitivesTested, sublet.triangle_count);
            }
        }
        barrier();
        if (visible) {
            atomicOr(run_visible[unit], 1u << lane);
        }
        if (keep) {
            atomicOr(run_triangles[0][unit], 1u << lane);
            atomicOr(run_vertices[0][unit], 1u << corners.x | 1u << corners.y | 1u << corners.z);
        }
        barrier();
        if (kWriteBits && lane == 0u && run_visible[unit] != 0u) {
            words_after[word] = run_visible[unit];
        }
        Place all = Place(0u, 0u, 0u, 0u);
        Place place = all;
        for (uint i = 0u; i < kRun; ++i) {
            make_room(all, run_triangles[0][i], run_vertices[0][i]);
            if (i == unit) {
                place = all;
            }
            add_sublet(all, run_triangles[0][i], run_vertices[0][i]);
        }
        if (gl_LocalInvocationIndex == 0u) {
            run_base = allocate(0u, draw_class, all);
            if (kMasks) {
                cover_packed(draw_class, first);
            }
        }
        if (kMasks && lane == 0u && first + unit < end) {
            write_masks(draw_class, first + unit, run_triangles[0][unit], run_vertices[0][unit]);
        }
        barrier();
        if (kMasks) {
            continue;
        }
        write_survivors(draw_class, run_base, place, first + unit, lane, run_triangles[0][unit], run_vertices[0][unit],
                        corners.x | corners.y << 5u | corners.z << 10u);
        barrier();  // before the next turn writes what this one read
    }
}
#endif
