// Culls triangles by shared memory: the 256 lanes of a workgroup take the sublets of a run all at once.

shared uint run_visible[kRun];
shared uint run_base;

void main() {
    uint draw_class = class_of_column(gl_WorkGroupID.y);
    uint lane = gl_LocalInvocationIndex & 31u;
    uint unit = gl_LocalInvocationIndex >> 5u;
    uint end = state.survivors.classes[draw_class].draw.instances;
    begin_counts();
    for (uint first = gl_WorkGroupID.x * kRun; first < end; first += gl_NumWorkGroups.x * kRun) {
        uint word;
        uint before;
        Sublet sublet = sublet_at(draw_class, first + unit, end, word, before);
        uvec3 corners;
        uint verdict;
        bool visible = lane_visible(sublet, lane, draw_class, before, corners, verdict);
        if (kCount) {
            count_triangles(sublet, lane, before, verdict);
        }
        bool keep = visible && !(kHiz && (before >> lane & 1u) != 0u);
        if (lane == 0u) {
            run_triangles[0][unit] = 0u;
            run_vertices[0][unit] = 0u;
            run_visible[unit] = 0u;
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
        if (kHiz && lane == 0u && run_visible[unit] != 0u) {
            atomicOr(words_after[word], run_visible[unit]);
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
    end_counts();
}
