// Which triangle an id tells (view/visibility_id.glsl). After scene/bindings.glsl; the includer declares kWideIds.

// A triangle, as an id tells it.
struct Seen {
    uint instance;
    uint sublet;    // within the instance's mesh
    uint triangle;  // of the sublet
};

bool at_most(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x <= b.x); }

// The last instance whose first sublet is not beyond `sublet`, a number over all instances, low word first. Each has a
// sublet at least. It is one of those that share a block of sublets.
uint find_instance(uvec2 sublet) {
    uint block = sublet.x >> frame.block_shift;
    if (sublet.y != 0u) {  // then blocks have more than one
        block |= sublet.y << (32u - frame.block_shift);
    }
    uint low = instance_of_block(block);
    uint high = instance_of_block(block + 1u) + 1u;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1u;
        if (at_most(uvec2(first_of[middle].sublet, first_of[middle].sublet_high), sublet)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
uint find_instance(uint sublet) { return find_instance(uvec2(sublet, 0u)); }

Seen seen_triangle(uvec2 id) {
    uint sublet = id.x / kSubletSize;
    uint instance = id.y;
    if (!kWideIds) {
        instance = find_instance(sublet);
        sublet -= first_of[instance].sublet;
    }
    return Seen(instance, sublet, id.x % kSubletSize);
}
