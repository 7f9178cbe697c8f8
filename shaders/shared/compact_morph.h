// What morph targets add to sublets in the compact coding, decoded: one source for shaders and for the CPU. Any lane
// finds what a target adds to any vertex alone: where the target begins, which vertices it moves, and up to three
// streams as those of shared/compact.h. docs/FORMAT.md describes the bits.
#ifndef SUBLET_SHARED_COMPACT_MORPH_H
#define SUBLET_SHARED_COMPACT_MORPH_H

#include "compact.h"

SUBLET_SHARED_BEGIN

// What 32 targets add to a sublet is a block of words: how many vertices the sublet stores, less one, in
// kCompactIndexBits; where each target but the first begins, counted from the first; the targets. A target has a bit
// that is set if it moves some of these vertices alone, and then a bit for each; and its streams.
struct CompactMorph {
    uint block;  // word of the mesh's payload of morph targets
    uint at;     // bit where its next stream begins
    uint first;  // that stream's first component, in the table of components that the payload begins with
    uint moved;  // bit i: it moves vertex i of those that the sublet stores
};

// Target `target` of those of a mask (MorphMask), which has its bit.
SUBLET_FUNCTION CompactMorph compact_morph(CompactWords from, MorphMask mask, uint place_bits, uint target) {
    CompactMorph m;
    m.block = mask.first_stream;
    m.first = 0u;
    uint own = compact_bits(from, m.block, 0u, kCompactIndexBits) + 1u;
    uint before = bitCount(mask.targets & compact_below(target));
    m.at = kCompactIndexBits + (bitCount(mask.targets) - 1u) * place_bits;
    if (before > 0u) {
        m.at += compact_bits(from, m.block, kCompactIndexBits + (before - 1u) * place_bits, place_bits);
    }
    bool some = compact_bits(from, m.block, m.at, 1u) != 0u;
    m.at += 1u;
    m.moved = compact_low(own);
    if (some) {
        m.moved = compact_mask(from, m.block, m.at, own);
        m.at += own;
    }
    return m;
}

// Its next stream: of the vertices that it moves.
SUBLET_FUNCTION CompactStream compact_morph_stream(CompactWords from, SUBLET_INOUT(CompactMorph) m) {
    CompactStream s = compact_stream(from, m.block, m.at, bitCount(m.moved), m.first, 3u, false, false);
    m.at = s.end;
    m.first += 3u;
    return s;
}

// What its next stream adds to vertex `index` of those that the sublet stores, which it moves. `by`: the vertex's
// position less that of the sublet's vertex 0, in steps of the grid. A stream of mode kCompactSame adds nothing.
SUBLET_FUNCTION CompactValue compact_morph_value(CompactWords from, SUBLET_INOUT(CompactMorph) m, uint index,
                                                 CompactPredictors by) {
    CompactStream s = compact_morph_stream(from, m);
    uint number = bitCount(m.moved & compact_below(index));
    return compact_components(s, compact_differences(from, m.block, s, number), by);
}

SUBLET_SHARED_END
#endif
