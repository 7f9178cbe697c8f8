// Levels of detail of a scene, as the cut reads them (shaders/cull/cut.glsl).
#pragma once

#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "render/scene/residency.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// Empty where no mesh has levels.
struct LevelsData {
    // The file's, and one for each mesh: a sphere around those of its meshlets; radius < 0: it has no levels.
    // reserved[0] is the number of its finest triangles, and its error is the largest of its groups that are not there.
    // reserved[1] of groups that are not is an infinite float, and reserved[0] of all is what they take of the pool
    // (set_demands()).
    std::vector<shared::LodGroup> groups;
    std::uint32_t mesh_groups = 0;         // the first of the latter
    std::vector<shared::CutPlace> places;  // of each mesh's meshlets, as many

    [[nodiscard]] bool any() const { return !groups.empty(); }
};

// `deforming`: meshes behind the file's, without levels. `absent_groups`: of each group, whether it is not there;
// empty: all are.
[[nodiscard]] LevelsData make_levels(const mesh::GeometryView& geometry,
                                     std::span<const shared::MeshHeader> deforming = {},
                                     std::span<const char> absent_groups = {});

// Of each group, whether it may not be there; empty where all are. And what each takes of the pool, in units of
// 2^-kDemandBits (shaders/shared/passes.h), for shaders that add it up.
[[nodiscard]] std::vector<char> streamed_groups(const Residency& residency);
void set_demands(LevelsData& levels, const Residency& residency);

// Of the finest level of a mesh.
struct FinestLevel {
    std::uint32_t meshlets = 0, sublets = 0, triangles = 0;
};
[[nodiscard]] FinestLevel finest_level(const mesh::MeshView& mesh);

}  // namespace sublet::render
