// Push constants of packed.task and packed.mesh, and the masks that they read (cull/primitives.comp).
layout(push_constant) uniform Constants {
    uint draw_class;
    uint first_slot;  // of the round, in the class's list of surviving sublets
    uint slots;       // that the round takes
    uint first_mask;  // of the class and round
};

layout(set = 0, binding = 10, std430) readonly buffer State { CullState state; };
// For each slot of the round: its triangles that survive, and the vertices of those.
layout(set = 0, binding = 11, std430) readonly buffer Masks { uvec2 masks[]; };

// Slots of the round that there are.
uint slots_here() {
    return min(max(state.sublets[draw_class], first_slot) - first_slot, slots);
}
