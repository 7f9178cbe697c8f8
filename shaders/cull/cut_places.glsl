// Where the meshlets of an instance's cut lie. After cull/bound_visible.glsl. C++ compiles this too.

#include "cull/cut.glsl"

// What rounding may take from or add to a distance, relative to the sums that it comes from.
const float kCutStray = 1e-5f;

// Places from .x on and below .y have all that is drawn of an instance. The first is that of a task's first meshlet.
uvec2 places_of(uint instance) {
    Instance of = instances[instance];
    uint mesh = of.mesh;
    uvec2 places = uvec2(0u, meshes[mesh].meshlet_count);
    if (!kLevels) {
        return places;
    }
    if (!has_cut(mesh)) {
        places.x = meshes[mesh].coarse_meshlets & ~(kTaskMeshlets - 1u);
        return places;
    }
    // No group of the mesh is nearer, or farther away, than its sphere is: so none with an error below `least` is
    // refined, and all with one of more than `most` are, which is no less than of any that is not there.
    float stretch = of.scale;
    float least = 1.0f / (stretch * frame.cut_scale);
    float most = least;
    if (frame.cut_eye.w == 0.0f) {
        vec4 sphere = placed_sphere(vec4(lod_groups[frame.mesh_groups + mesh].sphere), of);
        vec3 eye = vec3(frame.cut_eye.x, frame.cut_eye.y, frame.cut_eye.z);
        float distance = length(vec3(sphere) - eye);
        float stray = kCutStray * (abs(sphere.x) + abs(sphere.y) + abs(sphere.z) + sphere.w + abs(eye.x) +
                                   abs(eye.y) + abs(eye.z) + frame.cut_slack);
        least *= max(distance - sphere.w - stray - frame.cut_slack, frame.cut_least);
        most *= max(distance + sphere.w + stray, frame.cut_least);
    }
    least *= 1.0f - kCutStray;
    most = max(most * (1.0f + kCutStray), lod_groups[frame.mesh_groups + mesh].error);
    uint first = meshes[mesh].first_meshlet;
    uint low = 0u;
    uint high = places.y;
    while (low < high) {
        uint middle = (low + high) >> 1u;
        if (cut_places[first + middle].error >= least) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    places.y = low;
    low = 0u;
    high = places.y;
    while (low < high) {
        uint middle = (low + high) >> 1u;
        if (cut_places[first + middle].least_error > most) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    places.x = low & ~(kTaskMeshlets - 1u);
    return places;
}
