// CompactRecord: what every reading of a sublet's vertices would else find anew, by a chain of reads.

#ifndef SUBLET_COMPACT_RECORDS_GLSL
#define SUBLET_COMPACT_RECORDS_GLSL

#include "scene/decode_compact.glsl"

const uint kCompactOffsetBits = 18u;  // sublets end at 65,535 * kCompactOffsetUnit at most
const uint kRecordBaseBits = 22u;
const int kRecordBaseOffset = 1 << 20;

uint compact_offset(uint packed) {
    return packed & compact_below(kCompactOffsetBits);
}

CompactRecord compact_record(FoundSublet f) {
    CompactStream s = compact_positions(f, f.sublet.number);
    CompactRecord r;
    r.place = uvec4(f.own.mask, s.stored,
                    f.own.shared_at | f.own.shared_bits << 18u | s.mode << 22u | s.axis << 24u,
                    s.values_at | s.stride << 18u);
    r.bases.w = f.from + f.sublet.block;
    r.palettes.w = 0u;
    for (uint c = 0u; c < 3u; ++c) {
        r.bases[c] = uint(s.base[c] + kRecordBaseOffset) | s.width[c] << 22u | s.palette_width[c] << 27u;
        r.palettes[c] = s.palette_at[c];
        r.palettes.w |= s.slopes[c];
    }
    r.palettes.x |= s.copies_at << 18u;
    r.palettes.y |= s.copies_at >> 14u << 18u;
    return r;
}

// The stream of positions that a record keeps.
CompactStream recorded_positions(CompactRecord r) {
    CompactStream s;
    s.own = bitCount(r.place.x);
    s.mode = r.place.z >> 22u & 3u;
    s.stored = r.place.y;
    s.axis = r.place.z >> 24u & 3u;
    s.sign = 0u;
    s.values_at = compact_offset(r.place.w);
    s.stride = r.place.w >> 18u;
    s.end = s.values_at + bitCount(s.stored) * s.stride;
    s.copies_at = r.palettes.x >> 18u | r.palettes.y >> 18u << 14u;
    for (uint c = 0u; c < 4u; ++c) {
        bool there = c < 3u;
        s.base[c] = there ? int(r.bases[c] & compact_below(kRecordBaseBits)) - kRecordBaseOffset : 0;
        s.width[c] = there ? r.bases[c] >> 22u & 31u : 0u;
        s.palette_width[c] = there ? r.bases[c] >> 27u : 0u;
        s.palette_at[c] = there ? compact_offset(r.palettes[c]) : 0u;
        s.slopes[c] = c == s.axis ? r.palettes.w : 0u;
    }
    return s;
}

// Where a vertex of a sublet is stored, of which `r` is the record.
CompactPlace recorded_place(CompactRecord r, uint number, uint vertex) {
    CompactSublet s;
    s.block = r.bases.w;
    s.number = number;
    CompactOwn o;
    o.mask = r.place.x;
    o.shared_at = compact_offset(r.place.z);
    o.shared_bits = r.place.z >> 18u & 15u;
    return compact_place(0u, s, o, vertex);
}

#endif
