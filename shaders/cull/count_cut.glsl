// How many meshlets of each instance a frame may draw, to be summed up to numbers, and the first of them
// (backends/raster_numbers.glsl). After cull/cut_places.glsl.

layout(set = kPassSet, binding = kBindCutNumbers, std430) writeonly buffer CutNumbers { uint cut_numbers[]; };

// Meshlets from .x on and below .y of the mesh have all that is drawn of an instance.
uvec2 meshlets_of(uint instance) {
    uint mesh = instances[instance].mesh;
    uvec2 places = places_of(instance);
    if (!has_cut(mesh) || places.x >= places.y) {
        return uvec2(min(places.x, places.y), places.y);
    }
    uint first = meshes[mesh].first_meshlet;
    return uvec2(cut_places[first + places.x].least_meshlet, cut_places[first + places.y - 1u].most_meshlet + 1u);
}

void count_cut(uint instance) {
    if (instance < frame.instance_count) {
        uvec2 meshlets = meshlets_of(instance);
        cut_numbers[instance] = meshlets.y - meshlets.x;
        cut_numbers[frame.instance_count + 1u + instance] = meshlets.x;
    } else if (instance == frame.instance_count) {
        cut_numbers[instance] = 0u;
    }
}
