// Numbers of sublets: what the compute rasteriser's words tell of them. They depend on the camera and the scene alone.
// After scene/bindings.glsl and scene/seen_triangle.glsl, with `constants` declared.
//
// Sublets are counted over all instances. Where those are more than a word has bits for, those are that the frame may
// draw: of each instance a range of meshlets that holds its cut, kSubletsPerMeshlet for each of them.

// Of n instances: the numbers of the first meshlets of their ranges; of all meshlets, how many there are; and which
// meshlets those first ones are.
layout(set = kPassSet, binding = kBindCutNumbers, std430) readonly buffer CutNumbers { uint cut_numbers[]; };

// A sublet's number, low word first: 35 bits.
uvec2 sublet_number(Seen seen) {
    if (constants.counts_cut == 0u) {
        return uvec2(first_of[seen.instance].sublet + seen.sublet, 0u);
    }
    uint first = cut_numbers[seen.instance] - cut_numbers[frame.instance_count + 1u + seen.instance];
    uint meshlet = first + seen.sublet / kSubletsPerMeshlet;
    return uvec2(first * kSubletsPerMeshlet + seen.sublet, meshlet >> 29u);
}

// The way back. Of a number that no sublet has, the sublet is beyond those of the mesh.
Seen numbered(uvec2 number, uint triangle) {
    if (constants.counts_cut == 0u) {
        uint instance = find_instance(number);
        return Seen(instance, number.x - first_of[instance].sublet, triangle);
    }
    uint meshlet = number.x / kSubletsPerMeshlet | number.y << 29u;
    // The last instance whose first number is not beyond it: those before it that have none share theirs with it.
    uint low = 0u;
    uint high = frame.instance_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1u;
        if (cut_numbers[middle] <= meshlet) {
            low = middle;
        } else {
            high = middle;
        }
    }
    meshlet = meshlet - cut_numbers[low] + cut_numbers[frame.instance_count + 1u + low];
    return Seen(low, meshlet * kSubletsPerMeshlet + number.x % kSubletsPerMeshlet, triangle);
}
