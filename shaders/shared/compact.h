// The compact coding of sublets, decoded: one source for shaders and for the CPU. Any lane finds any triangle and any
// vertex alone, in a bounded number of steps, without other lanes. docs/FORMAT.md describes the bits.
//
// GLSL declares `payload[]` (uints) before. Numbers are read wherever they begin, from two words.
#ifndef SUBLET_SHARED_COMPACT_H
#define SUBLET_SHARED_COMPACT_H

#include "mesh_format.h"
#include "types.h"

#ifdef __cplusplus
#include <bit>
#endif

SUBLET_SHARED_BEGIN

#ifdef __cplusplus
// A mesh's part of the payload. What lies beyond reads as 0.
struct CompactWords {
    const uint* words;
    uint count;
};
inline uint compact_word(CompactWords from, uint i) {
    return i < from.count ? from.words[i] : 0u;
}
// As GLSL has them. Counted here: std::popcount() is a call, where a compiler may not take the processor to have it.
inline uint bitCount(uint bits) {  // NOLINT(readability-identifier-naming)
    bits -= bits >> 1u & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2u & 0x33333333u);
    return ((bits + (bits >> 4u)) & 0x0f0f0f0fu) * 0x01010101u >> 24u;
}
inline uint findMSB(uint bits) {  // NOLINT(readability-identifier-naming)
    return static_cast<uint>(std::bit_width(bits)) - 1u;
}
#else
// Where a mesh's part of the payload begins.
#define CompactWords uint
uint compact_word(uint from, uint i) {
    return payload[from + i];
}
#endif

// Widths of fields, in bits.
SUBLET_CONST uint kCompactIndexBits = 5u;   // a vertex of a sublet, or one of its triangles
SUBLET_CONST uint kCompactHeadBits = 6u;    // of a sublet: bits 0-2, how many strips follow the first, and
SUBLET_CONST uint kCompactStartsMask = 7u;  // if all are set, a mask tells where;
SUBLET_CONST uint kCompactTurnedBit = 8u;   // some triangles are turned;
SUBLET_CONST uint kCompactRawBit = 16u;     // there are no strips;
SUBLET_CONST uint kCompactSharesBit = 32u;  // some vertices are stored by sublets before it
SUBLET_CONST uint kCompactSlopeBits = 7u;   // two's complement
SUBLET_CONST uint kCompactShiftBits = 4u;
SUBLET_CONST uint kCompactSlopeScale = 4u;  // slopes count 2^(this - shift)
SUBLET_CONST uint kCompactTwoSlopes = kCompactShiftBits + 2u * kCompactSlopeBits;
SUBLET_CONST uint kCompactThreeSlopes = kCompactShiftBits + 3u * kCompactSlopeBits;
SUBLET_CONST uint kCompactOffsetUnit = 4u;    // of where sublets end
SUBLET_CONST uint kCompactMeshletWords = 3u;  // of a meshlet's record: its block, its first vertex, its first triangle
// Least bases of components count from -kCompactBaseOffset, or, where kCompactCoarseBit is set, which positions of more
// than 16 bits may have, in steps of 2^kCompactCoarseShift from as many of these.
SUBLET_CONST uint kCompactBaseOffset = 32768u;
SUBLET_CONST uint kCompactCoarseBit = 0x80000000u;
SUBLET_CONST uint kCompactCoarseShift = 5u;

// How the values of a stream are stored: one for each own vertex; or one for each run of own vertices that have the
// same, one after the other; or one for each that no vertex before it has; or not, since they are those of the stream
// before: a second set of texture coordinates alone.
SUBLET_CONST uint kCompactEach = 0u;
SUBLET_CONST uint kCompactRuns = 1u;
SUBLET_CONST uint kCompactCopies = 2u;
SUBLET_CONST uint kCompactSame = 3u;

// How a component is stored: as a difference from a base; or from what two or three differences of the position
// predict; or as a number in a palette of differences.
SUBLET_CONST uint kCompactPlain = 0u;
SUBLET_CONST uint kCompactPalette = 1u;
SUBLET_CONST uint kCompactByTwo = 2u;
SUBLET_CONST uint kCompactByThree = 3u;

// Which component of a position the other two predict; 3: none.
SUBLET_CONST uint kCompactNoAxis = 3u;

// The low `count` bits: 0 to 31 of them, and 0 to 32.
SUBLET_FUNCTION uint compact_below(uint count) {
    return (1u << count) - 1u;
}
SUBLET_FUNCTION uint compact_low(uint count) {
    return count == 0u ? 0u : ~0u >> (32u - count);
}

// The 32 bits from bit `bit` on, counted from word `block`.
SUBLET_FUNCTION uint compact_window(CompactWords from, uint block, uint bit) {
    uint word = block + (bit >> 5u);
    uint shift = bit & 31u;
    uint low = compact_word(from, word);
    uint high = compact_word(from, word + 1u);
    return (low >> shift) | ((high << 1u) << (31u - shift));
}

// `width` of them: 0 to 31, and 0 to 32.
SUBLET_FUNCTION uint compact_bits(CompactWords from, uint block, uint bit, uint width) {
    return compact_window(from, block, bit) & compact_below(width);
}
SUBLET_FUNCTION uint compact_mask(CompactWords from, uint block, uint bit, uint width) {
    return compact_window(from, block, bit) & compact_low(width);
}

SUBLET_FUNCTION int compact_signed(uint value, uint width) {
    return int(value << (32u - width)) >> int(32u - width);
}

// A sublet's place: bits `at` to `end` of a meshlet's block. What its own vertices have lies from its beginning on, and
// its triangles from its end back.
struct CompactSublet {
    uint block;  // word of the mesh's
    uint at;
    uint end;
    uint number;  // within its meshlet
    uint triangles;
    uint vertices;
    uint first_vertex;  // within the meshlet
    uint first_triangle;
};

// Where sublet `number` of a meshlet of `count` begins. Words of the block before the bits: for each sublet where it
// ends, in kCompactOffsetUnit bits, and the number of vertices and of triangles up to there, less one each.
SUBLET_FUNCTION uint compact_begin(CompactWords from, uint block, uint number, uint count) {
    return number == 0u ? count * 32u : (compact_word(from, block + number - 1u) & 0xffffu) * kCompactOffsetUnit;
}

SUBLET_FUNCTION CompactSublet compact_sublet(CompactWords from, uint block, uint number, uint count) {
    uint end = compact_word(from, block + number);
    CompactSublet s;
    s.block = block;
    s.number = number;
    s.at = count * 32u;
    s.end = (end & 0xffffu) * kCompactOffsetUnit;
    s.first_vertex = 0u;
    s.first_triangle = 0u;
    if (number > 0u) {
        uint before = compact_word(from, block + number - 1u);
        s.at = (before & 0xffffu) * kCompactOffsetUnit;
        s.first_vertex = ((before >> 16u) & 0xffu) + 1u;
        s.first_triangle = (before >> 24u) + 1u;
    }
    s.vertices = ((end >> 16u) & 0xffu) + 1u - s.first_vertex;
    s.triangles = (end >> 24u) + 1u - s.first_triangle;
    return s;
}

// Which vertices a sublet stores. Others are stored by sublets before it in its meshlet. Fields lie from the sublet's
// end back, each before the one that is read before it, as elements of lists do.
struct CompactOwn {
    uint head;       // kCompactStartsMask, ...
    uint mask;       // bit v: it stores vertex v
    uint shared_at;  // places of the others lie before this bit,
    uint shared_bits;
    uint end;  // and triangles before this one
};

SUBLET_FUNCTION CompactOwn compact_own(CompactWords from, CompactSublet s) {
    CompactOwn o;
    uint at = s.end - kCompactHeadBits;
    o.head = compact_bits(from, s.block, at, kCompactHeadBits);
    o.mask = compact_low(s.vertices);
    o.shared_at = at;
    o.shared_bits = 0u;
    o.end = at;
    if ((o.head & kCompactSharesBit) != 0u) {
        at -= s.vertices;
        o.mask = compact_mask(from, s.block, at, s.vertices);
        o.shared_at = at;
        o.shared_bits = kCompactIndexBits + (s.number > 1u ? findMSB(s.number - 1u) + 1u : 0u);
        o.end = at - (s.vertices - bitCount(o.mask)) * o.shared_bits;
    }
    return o;
}

// Where a vertex is stored: a sublet of the meshlet, and the number among those that it stores.
struct CompactPlace {
    uint number;
    uint index;
};

SUBLET_FUNCTION CompactPlace compact_place(CompactWords from, CompactSublet s, CompactOwn o, uint vertex) {
    uint before = bitCount(o.mask & compact_below(vertex));
    CompactPlace place;
    place.number = s.number;
    place.index = before;
    if (((o.mask >> vertex) & 1u) == 0u) {
        uint packed = compact_bits(from, s.block, o.shared_at - (vertex - before + 1u) * o.shared_bits, o.shared_bits);
        place.number = packed >> kCompactIndexBits;
        place.index = packed & 31u;
    }
    return place;
}

// How a sublet's triangles are found. A strip's triangles have two vertices of the one before; the corners that it
// adds, three for the first, are its occurrences, numbered through the sublet. Fields follow one another backwards:
// each lies before the one that is read before it, as elements of lists do.
struct CompactTopology {
    bool raw;        // three indices of each triangle, before bit `reused_at`
    uint starts;     // bit t: triangle t begins a strip
    uint turns;      // bit t: triangle t does not keep the pivot of the one before
    uint fresh[2];   // bit o: occurrence o is of a vertex that has not occurred
    uint reused_at;  // the vertices of the others lie before it,
    uint turned_at;  // and before this by how many corners their triangles are turned, two bits each; 0: by none
};

// Which triangles begin a strip; they are said before bit `at`, which moves to where what follows ends.
SUBLET_FUNCTION uint compact_starts(CompactWords from, CompactSublet s, uint head, SUBLET_INOUT(uint) at) {
    uint strips = head & kCompactStartsMask;  // beyond the first
    uint bits = strips == kCompactStartsMask ? s.triangles - 1u : strips * kCompactIndexBits;
    at -= bits;
    uint listed = compact_bits(from, s.block, at, bits);
    if (strips == kCompactStartsMask) {
        return 1u | listed << 1u;
    }
    uint starts = 1u;
    for (uint i = 0u; i < strips; ++i) {
        starts |= 1u << (listed & 31u);
        listed >>= kCompactIndexBits;
    }
    return starts;
}

SUBLET_FUNCTION CompactTopology compact_topology(CompactWords from, CompactSublet s, CompactOwn o) {
    CompactTopology t;
    uint at = o.end;
    t.raw = (o.head & kCompactRawBit) != 0u;
    t.starts = 1u;
    t.turns = 0u;
    t.fresh[0] = 0u;
    t.fresh[1] = 0u;
    t.reused_at = at;
    t.turned_at = 0u;
    if (t.raw) {
        return t;
    }
    t.starts = compact_starts(from, s, o.head, at);
    uint later = s.triangles - 1u;
    at -= later;
    t.turns = compact_bits(from, s.block, at, later) << 1u;
    uint occurrences = s.triangles + 2u * bitCount(t.starts);  // at most 64
    uint low = occurrences < 32u ? occurrences - 3u : 29u;
    at -= low;
    t.fresh[0] = 7u | compact_bits(from, s.block, at, low) << 3u;
    if (occurrences > 32u) {
        at -= occurrences - 32u;
        t.fresh[1] = compact_mask(from, s.block, at, occurrences - 32u);
    }
    t.reused_at = at;
    if ((o.head & kCompactTurnedBit) != 0u) {
        t.turned_at = at - (occurrences - s.vertices) * kCompactIndexBits;
    }
    return t;
}

// Fresh occurrences before `occurrence`.
SUBLET_FUNCTION uint compact_fresh_before(CompactTopology t, uint occurrence) {
    bool beyond = occurrence >= 32u;
    uint last = beyond ? t.fresh[1] : t.fresh[0];
    return (beyond ? bitCount(t.fresh[0]) : 0u) + bitCount(last & compact_below(occurrence & 31u));
}

SUBLET_FUNCTION bool compact_is_fresh(CompactTopology t, uint occurrence) {
    return (((occurrence < 32u ? t.fresh[0] : t.fresh[1]) >> (occurrence & 31u)) & 1u) != 0u;
}

SUBLET_FUNCTION uint compact_occurrence(CompactWords from, uint block, CompactTopology t, uint occurrence) {
    uint fresh = compact_fresh_before(t, occurrence);
    if (compact_is_fresh(t, occurrence)) {
        return fresh;
    }
    return compact_bits(from, block, t.reused_at - (occurrence - fresh + 1u) * kCompactIndexBits, kCompactIndexBits);
}

// Vertices of the sublet.
struct CompactTriangle {
    uint a, b, c;
};

// Triangle `index` (< s.triangles).
SUBLET_FUNCTION CompactTriangle compact_triangle(CompactWords from, CompactSublet s, CompactTopology t, uint index) {
    CompactTriangle r;
    if (t.raw) {
        uint at = t.reused_at - (index + 1u) * 3u * kCompactIndexBits;
        uint packed = compact_bits(from, s.block, at, 3u * kCompactIndexBits);
        r.a = packed & 31u;
        r.b = (packed >> 5u) & 31u;
        r.c = packed >> 10u;
        return r;
    }
    uint up_to = (2u << index) - 1u;
    uint first = findMSB(t.starts & up_to);
    uint strips = 2u * bitCount(t.starts & up_to);
    // The pivot is the occurrence two before the last triangle's that did not keep it.
    uint pivot = findMSB((t.starts | t.turns) & up_to) + strips - 2u;
    uint newest = index + strips;
    uint p = compact_occurrence(from, s.block, t, pivot);
    uint y = compact_occurrence(from, s.block, t, newest - 1u);
    uint z = compact_occurrence(from, s.block, t, newest);
    bool odd = (bitCount(t.turns & up_to & ~compact_below(first)) & 1u) != 0u;
    uint second = odd ? y : p;
    uint third = odd ? p : y;
    uint turn = 0u;
    if (t.turned_at != 0u && !compact_is_fresh(t, newest)) {
        uint reused = newest - compact_fresh_before(t, newest);
        turn = compact_bits(from, s.block, t.turned_at - 2u * (reused + 1u), 2u);
    }
    r.a = turn == 0u ? z : turn == 1u ? second : third;
    r.b = turn == 0u ? second : turn == 1u ? third : z;
    r.c = turn == 0u ? third : turn == 1u ? z : second;
    return r;
}

// A stream of a sublet: how its values lie from bit `values_at` on, `stride` bits each.
struct CompactStream {
    uint own;     // vertices that the sublet stores
    uint mode;    // kCompactEach, ...
    uint stored;  // bit i: own vertex i has a value that is stored
    uint copies_at;
    uint axis;  // of positions
    uint sign;  // of tangents: kTangentSign...
    uint width[4];
    int base[4];
    uint slopes[4];      // as compact_predicted() takes them; 0: not predicted
    uint palette_at[4];  // where a palette of differences begins; 0: there is none
    uint palette_width[4];
    uint stride;
    uint values_at;
    uint end;
};

// By a component's word.
SUBLET_FUNCTION int compact_least_base(uint word) {
    int least = int(word & 0x1ffffu) - int(kCompactBaseOffset);
    return SUBLET_WIDE_POSITIONS && (word & kCompactCoarseBit) != 0u ? least << int(kCompactCoarseShift) : least;
}

// The stream at bit `at` of a sublet. `own`: how many vertices it stores; 0: the stream is the first, and says so.
// `first`: the word that describes its first
// component: bits 0-16 least base + kCompactBaseOffset, 17-21 bits of a base, 22-26 least width, 27-29 bits of a width,
// 30: whether a sublet stores it in another way than kCompactPlain; 31: kCompactCoarseBit.
SUBLET_FUNCTION CompactStream compact_stream(CompactWords from, uint block, uint at, uint own, uint first,
                                             uint components, bool is_position, bool has_sign) {
    CompactStream s;
    uint head_bits = is_position ? 4u + kCompactIndexBits : has_sign ? 4u : 2u;
    uint head = compact_bits(from, block, at, head_bits);
    s.mode = head & 3u;
    s.axis = is_position ? (head >> 2u) & 3u : kCompactNoAxis;
    s.sign = has_sign ? head >> 2u : 0u;
    if (is_position) {
        own = (head >> 4u) + 1u;
    }
    s.own = own;
    s.stored = compact_low(own);
    s.stride = 0u;
    uint count = own;
    bool same = !is_position && s.mode == kCompactSame;
    at += same ? 2u : head_bits;
    s.copies_at = at;
    if (same) {
        count = 0u;
    } else if (s.mode != kCompactEach) {
        s.stored = 1u | compact_bits(from, block, at, own - 1u) << 1u;
        at += own - 1u;
        count = bitCount(s.stored);
        s.copies_at = at;
        if (s.mode == kCompactCopies) {
            at += (own - count) * kCompactIndexBits;
        }
    }
    uint kinds[4];
    for (uint c = 0u; c < 4u; ++c) {
        kinds[c] = kCompactPlain;
        s.width[c] = 0u;
        s.base[c] = 0;
        s.slopes[c] = 0u;
        s.palette_at[c] = 0u;
        s.palette_width[c] = 0u;
        if (c < components && !same) {
            uint word = compact_word(from, first + c);
            uint base_bits = (word >> 17u) & 31u;
            uint width_bits = (word >> 27u) & 7u;
            bool is_axis = is_position && s.axis == c;
            uint kind_bits = is_axis || ((word >> 30u) & 1u) == 0u ? 0u : is_position ? 1u : 2u;
            uint fields = compact_bits(from, block, at, base_bits + width_bits + kind_bits);
            at += base_bits + width_bits + kind_bits;
            s.base[c] = compact_least_base(word) + int(fields & compact_below(base_bits));
            fields >>= base_bits;
            s.width[c] = ((word >> 22u) & 31u) + (fields & compact_below(width_bits));
            kinds[c] = is_axis ? kCompactByTwo : fields >> width_bits;
        }
    }
    for (uint c = 0u; c < 4u; ++c) {
        if (kinds[c] == kCompactPalette) {
            uint last = compact_bits(from, block, at, kCompactIndexBits);
            s.palette_at[c] = at + kCompactIndexBits;
            s.palette_width[c] = s.width[c];
            at += kCompactIndexBits + (last + 1u) * s.width[c];
            s.width[c] = last == 0u ? 0u : findMSB(last) + 1u;
        } else if (kinds[c] != kCompactPlain) {
            uint bits = kinds[c] == kCompactByTwo ? kCompactTwoSlopes : kCompactThreeSlopes;
            s.slopes[c] = compact_bits(from, block, at, bits);
            at += bits;
        }
        s.stride += s.width[c];
    }
    s.values_at = at;
    s.end = at + count * s.stride;
    return s;
}

// Which of the stored values own vertex `index` has.
SUBLET_FUNCTION uint compact_value_index(CompactWords from, uint block, CompactStream s, uint index) {
    uint before = bitCount(s.stored & compact_below(index));
    if (((s.stored >> index) & 1u) != 0u) {
        return before;
    }
    return s.mode == kCompactRuns
               ? before - 1u
               : compact_bits(from, block, s.copies_at + (index - before) * kCompactIndexBits, kCompactIndexBits);
}

// Components, sign-extended or not, of which the low bits of their type count.
struct CompactValue {
    int c[4];
};

// By what components are predicted: differences of a position, first of the two that predict the third.
struct CompactPredictors {
    int u, v, w;
};

// `slopes`: the shift, and then two or three slopes. Products wrap.
SUBLET_FUNCTION int compact_predicted(uint slopes, CompactPredictors by) {
    int u = compact_signed(slopes >> kCompactShiftBits, kCompactSlopeBits) * by.u;
    int v = compact_signed(slopes >> (kCompactShiftBits + kCompactSlopeBits), kCompactSlopeBits) * by.v;
    int w = compact_signed(slopes >> (kCompactShiftBits + 2u * kCompactSlopeBits), kCompactSlopeBits) * by.w;
    return ((u + v + w) << int(kCompactSlopeScale)) >> int(slopes & compact_below(kCompactShiftBits));
}

// What is stored of own vertex `index`, without bases and what was predicted.
SUBLET_FUNCTION CompactValue compact_differences(CompactWords from, uint block, CompactStream s, uint index) {
    uint at = s.values_at + compact_value_index(from, block, s, index) * s.stride;
    bool is_short = s.stride <= 32u;  // then it is read at once
    uint packed = compact_window(from, block, at);
    CompactValue value;
    for (uint c = 0u; c < 4u; ++c) {
        uint difference = packed & compact_below(s.width[c]);
        packed >>= s.width[c];
        if (!is_short) {
            difference = compact_bits(from, block, at, s.width[c]);
            at += s.width[c];
        }
        if (s.palette_at[c] != 0u) {
            difference =
                compact_bits(from, block, s.palette_at[c] + difference * s.palette_width[c], s.palette_width[c]);
        }
        value.c[c] = int(difference);
    }
    return value;
}

// Of the differences of a position.
SUBLET_FUNCTION CompactPredictors compact_predictors(CompactStream positions, CompactValue differences) {
    CompactPredictors by;
    by.u = positions.axis == 0u ? differences.c[1] : positions.axis == 1u ? differences.c[2] : differences.c[0];
    by.v = positions.axis == 0u ? differences.c[2] : positions.axis == 1u ? differences.c[0] : differences.c[1];
    by.w = positions.axis == 0u ? differences.c[0] : positions.axis == 1u ? differences.c[1] : differences.c[2];
    return by;
}

// The components that differences stand for.
SUBLET_FUNCTION CompactValue compact_components(CompactStream s, CompactValue differences, CompactPredictors by) {
    CompactValue value;
    for (uint c = 0u; c < 4u; ++c) {
        value.c[c] = s.base[c] + differences.c[c];
        if (s.slopes[c] != 0u) {
            value.c[c] += compact_predicted(s.slopes[c], by);
        }
    }
    return value;
}

// Normals lie on a square whose border is folded: beyond it, both coordinates are complemented. Sublets across the
// border are stored unfolded.
SUBLET_FUNCTION CompactValue compact_fold_normal(CompactValue value) {
    int beyond = (((value.c[0] + 128) >> 8) ^ ((value.c[1] + 128) >> 8)) & 1;
    value.c[0] ^= -beyond;
    value.c[1] ^= -beyond;
    return value;
}

SUBLET_SHARED_END
#endif
