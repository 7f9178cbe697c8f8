// Culls triangles by subgroup operations: 32 lanes of a subgroup take the sublets of a run in turn.

shared uvec4 run_sublets[kRuns][kRun];  // instance, mesh, number, bits before
shared uvec3 run_records[kRuns][kRun];
shared uint run_corners[kRuns][kRun][32];

void main() {
    uint draw_class = class_of_column(gl_WorkGroupID.y);
    uint lane = gl_LocalInvocationIndex & 31u;
    uint run = gl_LocalInvocationIndex >> 5u;
    uint first_lane = gl_SubgroupInvocationID & ~31u;
    uint end = state.survivors.classes[draw_class].draw.instances;
    // Runs stride over the slots: as many turns as it takes, however many there are.
    uint stride = gl_NumWorkGroups.x * kRuns * kRun;
    begin_counts();
    for (uint first = (gl_WorkGroupID.x * kRuns + run) * kRun; subgroupAny(first < end); first += stride) {
        // A lane for each sublet looks it up: what they wait for one after another, they wait for at once.
        uint word = 0u;
        if (lane < kRun) {
            uint before;
            Sublet mine = sublet_at(draw_class, first + lane, end, word, before);
            run_sublets[run][lane] = uvec4(mine.instance, mine.mesh, mine.number, before);
            run_records[run][lane] = record_of(mine);
        }
        subgroupBarrier();
        subgroupMemoryBarrierShared();
        Place place = Place(0u, 0u, 0u, 0u);
        for (uint i = 0u; i < kRun; ++i) {
            uvec4 found = run_sublets[run][i];
            uint before = found.w;
            Sublet sublet = make_sublet(found.x, found.y, found.z, run_records[run][i]);
            if (subgroupAll(sublet.triangle_count == 0u)) {
                if (lane == 0u) {
                    run_triangles[run][i] = 0u;
                    run_vertices[run][i] = 0u;
                }
                continue;
            }
            uvec3 corners;
            uint verdict;
            bool visible = lane_visible(sublet, lane, draw_class, before, corners, verdict);
            if (kCount) {
                count_triangles(sublet, lane, before, verdict);
            }
            bool keep = visible;
            if (kHiz) {
                uint after = unit_ballot(visible);
                if (lane == i && after != 0u) {
                    atomicOr(words_after[word], after);
                }
                keep = visible && (before >> lane & 1u) == 0u;
            }
            uint triangles = unit_ballot(keep);
            uint vertices = 0u;
            if (kForm != kPrimitiveIndices) {
                vertices = unit_or(keep ? 1u << corners.x | 1u << corners.y | 1u << corners.z : 0u);
            }
            if (lane == 0u) {
                run_triangles[run][i] = triangles;
                run_vertices[run][i] = vertices;
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
    end_counts();
}
