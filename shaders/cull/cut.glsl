// The cut: the meshlets of an instance that make its level of detail. After scene/bindings.glsl. C++ compiles this too.
//
// A group of meshlets is refined where what it was simplified to would be wrong by more than is asked for: where that
// error, as seen from the point of the group's sphere that is nearest to the eye, is more than FrameData::cut_scale
// allows. A meshlet is drawn when the group that contains it is refined and the one that it was simplified from is not.
// A group's sphere holds those of the groups that its meshlets were simplified from, and its error is no less: so
// whatever is refined lies in something that is, and what is drawn is one surface.
//
// With c the centre, r the radius and E the error of a group, S the largest stretch of the instance, K cut_scale, a
// group is refined where |c - eye| < S (r + K E): within its sphere always. In orthographic views where 1 < S K E.
// A shadow is drawn from elsewhere, by the levels that its camera has: cut_slack is added to the right side, so that
// they are right for eyes that far away too, and nothing is refined where S K E < cut_least, which is for a distance
// that what receives the shadow is not nearer than. Both keep what was said of groups within groups.
// Some groups of a scene may not be there (render/scene/group_table.h). They are not refined: what they were simplified
// to is drawn in their place. What was said of groups within groups holds of those that are there, too: whatever lies
// in a group that is there is in groups that are. Multiplies and adds alone, which all devices and the CPU round alike.

#include "shared/mesh_format.h"
#include "shared/scene.h"

#ifndef __cplusplus
// The scene has levels of detail.
layout(constant_id = kSpecLevels) const bool kLevels = false;
#endif

// `absent`: 0, or an infinite number, without which nothing is left of the group's error.
bool refines(uint group, Instance of, float absent) {
    vec4 c = vec4(lod_groups[group].sphere);
    float simplified = lod_groups[group].error;
    precise float error = of.scale * (frame.cut_scale * simplified) - absent;
    if (frame.cut_eye.w != 0.0f) {
        return error > 1.0f;
    }
    vec4 x = vec4(of.transform[0]);
    vec4 y = vec4(of.transform[1]);
    vec4 z = vec4(of.transform[2]);
    precise float dx = (x.x * c.x + x.y * c.y) + (x.z * c.z + (x.w - frame.cut_eye.x));
    precise float dy = (y.x * c.x + y.y * c.y) + (y.z * c.z + (y.w - frame.cut_eye.y));
    precise float dz = (z.x * c.x + z.y * c.y) + (z.z * c.z + (z.w - frame.cut_eye.z));
    precise float reach = of.scale * (c.w + frame.cut_scale * simplified) + frame.cut_slack;
    precise float distance2 = (dx * dx + dy * dy) + dz * dz;
    precise float reach2 = reach * reach;
    return distance2 < reach2 && error >= frame.cut_least;
}

// The second reserved word, on the GPU: of a group that is there 0, else an infinite float.
bool group_is_absent(uint group) { return lod_groups[group].reserved[1] != 0u; }
bool refines(uint group, Instance of) {
    return refines(group, of, uintBitsToFloat(lod_groups[group].reserved[1]));
}

// Whether the cut chooses among the levels of a mesh: else all of its finest meshlets are drawn.
bool has_cut(uint mesh) {
    return kLevels && frame.cut_scale > 0.0f && lod_groups[frame.mesh_groups + mesh].sphere.w >= 0.0f;
}

// In the mesh's finest level.
uint finest_triangles(uint mesh) { return lod_groups[frame.mesh_groups + mesh].reserved[0]; }

// Meshlets of a mesh with a cut have places: the larger the error of the group that contains them, the farther in
// front. Of other meshes their numbers are their places.

// The meshlet at a place.
uint meshlet_at(uint mesh, uint place) {
    return has_cut(mesh) ? cut_places[meshes[mesh].first_meshlet + place].meshlet : place;
}
uint place_of(uint mesh, uint meshlet) {
    return has_cut(mesh) ? cut_places[meshes[mesh].first_meshlet + meshlet].place_of : meshlet;
}

// Whether the meshlet at a place is drawn.
bool place_in_cut(uint instance, uint place) {
    Instance of = instances[instance];
    if (!has_cut(of.mesh)) {
        return !kLevels || place >= meshes[of.mesh].coarse_meshlets;
    }
    uint index = meshes[of.mesh].first_meshlet + place;
    uint from = cut_places[index].simplified_from;
    return refines(cut_places[index].group, of) && (from == kNoLodGroup || !refines(from, of));
}

// The same by the meshlet's number within the mesh.
bool meshlet_in_cut(uint instance, uint meshlet) {
    return place_in_cut(instance, place_of(instances[instance].mesh, meshlet));
}

// The group that a meshlet was simplified from; kNoLodGroup: it is of the finest level.
uint simplified_from(uint mesh, uint meshlet) {
    return has_cut(mesh) ? cut_places[meshes[mesh].first_meshlet + place_of(mesh, meshlet)].simplified_from
                         : kNoLodGroup;
}

// How often a meshlet was simplified.
uint level_of(uint mesh, uint meshlet) {
    uint from = simplified_from(mesh, meshlet);
    return from == kNoLodGroup ? 0u : (lod_groups[from].level & kMostLodLevel) + 1u;
}

// The number of the frame that brought a group; 0: it was there from the beginning.
uint group_came(uint group) { return lod_groups[group].level >> kLodLevelBits; }
