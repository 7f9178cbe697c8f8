// Levels of detail of encoded geometry: added to it, and taken away again.
#pragma once

#include "mesh/mesh.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

// The meshes of ONE mesh group, in the plain coding and without levels yet, with coarser ones in front of what is
// there, which stays as it is. Unchanged where `levels` says so, where joints or morph targets deform a mesh, and where
// nothing can be simplified. Depends on its input alone, not on the pool. Throws Error where an offset would need more
// than 32 bits.
[[nodiscard]] Geometry add_levels(Geometry&& finest, Levels levels, ThreadPool* pool);

// The finest level of the meshes from `first` on, `count` of them: what add_levels was given. In the plain coding where
// all of `geometry` is, else in the compact one. Of validated geometry.
[[nodiscard]] Geometry finest_level(const GeometryView& geometry, std::uint32_t first, std::uint32_t count);

// The finest level of one mesh: a copy where there are coarser ones, else the mesh as it is. In the compact coding it
// is as the file has it, which an encoder that knew no other level might have packed otherwise by a few bits.
class FinestMesh {
  public:
    // `mesh` < geometry.meshes.size(). Of validated geometry, which must outlive it.
    FinestMesh(const GeometryView& geometry, std::uint32_t mesh);
    FinestMesh(const FinestMesh&) = delete;
    FinestMesh& operator=(const FinestMesh&) = delete;
    [[nodiscard]] const MeshView& mesh() const { return mesh_; }

  private:
    Geometry copy_;
    MeshView mesh_;
};

}  // namespace sublet::mesh
