// Which triangle an id tells (view/visibility_id.glsl). After scene/bindings.glsl; the includer declares kWideIds.

// A triangle, as an id tells it.
struct Seen {
    uint instance;
    uint sublet;    // within the instance's mesh
    uint triangle;  // of the sublet
};

// The last instance whose first sublet is not beyond `sublet`: each has one sublet at least. It is one of those
// that share a block of sublets.
uint find_instance(uint sublet) {
    uint block = sublet >> frame.block_shift;
    uint low = instance_blocks[block];
    uint high = instance_blocks[block + 1u] + 1u;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1u;
        if (first_of[middle].sublet <= sublet) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

Seen seen_triangle(uvec2 id) {
    uint sublet = id.x / kSubletSize;
    uint instance = id.y;
    if (!kWideIds) {
        instance = find_instance(sublet);
        sublet -= first_of[instance].sublet;
    }
    return Seen(instance, sublet, id.x % kSubletSize);
}
