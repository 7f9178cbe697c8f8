// How many meshlets each instance has that a frame may draw, to be summed up to numbers, and the first of them
// (backends/raster_numbers.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"

layout(local_size_x = 128) in;

layout(set = kPassSet, binding = kBindCutNumbers, std430) writeonly buffer CutNumbers { uint cut_numbers[]; };

#include "cull/bound_visible.glsl"
#include "cull/cut_places.glsl"

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

void main() {
    uint instance = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (instance < frame.instance_count) {
        uvec2 meshlets = meshlets_of(instance);
        cut_numbers[instance] = meshlets.y - meshlets.x;
        cut_numbers[frame.instance_count + 1u + instance] = meshlets.x;
    } else if (instance == frame.instance_count) {
        cut_numbers[instance] = 0u;
    }
}
