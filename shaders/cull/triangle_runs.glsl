// Runs of sublets, and where what survives of their triangles goes in the output (primitives.comp describes it). The
// includer declares `constants`, `state` and the output, and defines PRIMITIVE_LANES.

const bool kMasks = kForm == kPrimitiveMasks;
const bool kBatches = kForm > kPrimitiveMasks;
const uint kBatch = kForm;  // lanes of one

const uint kRun = kPrimitiveGroupSublets;
const uint kRuns = PRIMITIVE_LANES == 256 ? 1u : PRIMITIVE_LANES / 32u;  // of a workgroup at a time

shared uint run_triangles[kRuns][kRun];  // bit masks of what survives of each sublet
shared uint run_vertices[kRuns][kRun];

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
        count_sum(kCounterPrimitivesDrawn, place.triangles);
    }
    if (kMasks) {
        return 0u;
    }
    if (!kBatches) {
        return atomicAdd(state.draws.classes[draw_class].compact.indices, place.triangles * 3u);
    }
    uint batches = place.batch + 1u;
    uint base = atomicAdd(state.draws.classes[draw_class].batches, batches);
    cover_groups(draw_class, base, base + batches - 1u);
    Place at = Place(0u, 0u, 0u, 0u);
    uint header = constants.classes[draw_class].first_header + base;
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
    TriangleRegion region = constants.classes[draw_class];
    uint first_vertex = slot * kSubletSize;
    uint below = (1u << lane) - 1u;
    bool keep = (triangles & (1u << lane)) != 0u;
    uvec3 corner = (uvec3(corners) >> uvec3(0u, 5u, 10u)) & 31u;
    if (!kBatches) {
        if (keep) {
            uint rank = place.triangles + bitCount(triangles & below);
            uint word = region.first_word + base + rank * 3u;
            output_words[region.first_header + base / 3u + rank] = first_vertex + lane;
            output_words[word] = first_vertex + corner.x;
            output_words[word + 1u] = first_vertex + corner.y;
            output_words[word + 2u] = first_vertex + corner.z;
        }
        return;
    }
    uint word = region.first_word + (base + place.batch) * (2u * kBatch);
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
    TriangleRegion region = constants.classes[draw_class];
    uint word = region.first_word + slot * 2u;
    output_words[word] = triangles;
    output_words[word + 1u] = vertices;
}

// By one lane of each run: the task workgroup that begins with it.
void cover_packed(uint draw_class, uint first) {
    if (first % kPackedSlots == 0u) {
        cover_groups(draw_class, first / kPackedSlots, first / kPackedSlots);
    }
}
