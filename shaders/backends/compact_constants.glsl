// Push constants of the compact backend.
layout(push_constant) uniform Constants {
    uint first_slot;      // of the round, in the list of its class, plus the class's base
    uint first_index;     // of the round's indices, in the output of the primitive pass
    uint first_triangle;  // of the words that tell its triangles, there
};
