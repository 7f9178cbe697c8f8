// Finer bits than those of meshlets. After cull/chain.glsl. With kPrimitiveBits, a word for each sublet of each
// instance: which of its triangles were visible (cull/primitives.comp). With kSubletBits, a byte for each meshlet:
// which of its sublets were. Both in tables, as bits of meshlets are. Phase 1 lists those. Phase 2 tests all sublets of
// visible meshlets, and lists the others that are visible.

layout(set = kPassSet, binding = kBindDetailsBefore, std430) readonly buffer WordsBefore { uint words_before[]; };
layout(set = kPassSet, binding = kBindDetailsAfter, std430) buffer WordsAfter { uint words_after[]; };

// With kSubletBits, the sublets of a meshlet that the last frame saw, by the number of the meshlet's bit.
uint sublets_before(uint bits) { return words_before[bits / 4u] >> (bits % 4u * 8u) & 0xffu; }

// With kSubletBits, remembers those that a meshlet shows.
void keep_sublets(uint mask, uint bits) { atomicOr(words_after[bits / 4u], mask << (bits % 4u * 8u)); }
