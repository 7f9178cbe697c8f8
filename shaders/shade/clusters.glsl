// How a view's clusters are numbered, and where their slices begin (shared/lights.h).

uint cluster_count(ClusterState s) { return s.tiles.x * s.tiles.y * kClusterSlices; }

uint cluster_number(ClusterState s, uvec3 place) { return (place.z * s.tiles.y + place.y) * s.tiles.x + place.x; }

// The slice of a distance along the line of sight.
uint cluster_slice(ClusterState s, float distance) {
    if (!(distance > s.nearest)) {
        return 0u;
    }
    float slice = 1.0 + log2(distance / s.nearest) * s.slices_per_octave;
    return uint(min(slice, float(kClusterSlices - 1u)));
}

// Where a slice from 1 on begins.
float slice_start(ClusterState s, uint slice) {
    return s.nearest * exp2((float(slice) - 1.0) / s.slices_per_octave);
}

// Of a list that starts and ends there.
bool list_has_room(ClusterState s, uint begin, uint end) { return end - begin <= s.most && end <= s.capacity; }

// Where a large block's words lie: `first` is that of the first one.
uint large_block_words(ClusterState s, uint first, uvec3 place) {
    uvec2 blocks = (s.tiles + kLargeBlock - 1u) / kLargeBlock;
    return first + ((place.z * blocks.y + place.y) * blocks.x + place.x) * (1u + s.lights - s.everywhere);
}
