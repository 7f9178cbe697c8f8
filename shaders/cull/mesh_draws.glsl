// Indirect mesh draws that grow in place, so that no pass of its own prepares them. The includer declares `state`
// (CullState).

// Grows the draws of a class to cover workgroups `first` to `last`.
void cover_groups(uint draw_class, uint first, uint last) {
    uint last_draw = min(last / kMeshDrawGroups, kMeshDraws - 1u);
    atomicMax(state.draws.classes[draw_class].mesh_draw_count, last_draw + 1u);
    // As a rule one draw; two where the groups cross from one to the next.
    for (uint draw = min(first / kMeshDrawGroups, last_draw); draw <= last_draw; ++draw) {
        uint groups = min(last - draw * kMeshDrawGroups + 1u, kMeshDrawGroups);
        atomicMax(state.draws.classes[draw_class].mesh_draws[draw].x, min(groups, kMeshDrawRow));
        atomicMax(state.draws.classes[draw_class].mesh_draws[draw].y, (groups + kMeshDrawRow - 1u) / kMeshDrawRow);
    }
}
