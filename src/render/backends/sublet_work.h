// What the backends that draw sublets share: culling down to sublets, its lists, and what their shaders read.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "render/backends/backend.h"
#include "render/cull/meshlet_culling.h"

namespace sublet::render {

class SubletWork {
  public:
    explicit SubletWork(gpu::Device& device) : device_(device) {}

    // Makes the lists for the scene, and decodes 8-bit indices when the settings want the decoded payload; then records
    // the culling passes. `sublets_per_group`: of the mesh shader's workgroups, 1 where there is none.
    void cull(RecordContext& context, std::uint32_t sublets_per_group);

    // Bindings 0 to 9: scene_bindings.glsl, decoded_bindings.glsl, mesh_bindings.glsl, and the surviving sublets.
    [[nodiscard]] std::vector<gpu::Descriptor> descriptors(const RecordContext& context) const;

    // Forgets what was made for a scene.
    void scene_changed();

    [[nodiscard]] std::uint64_t decoded_bytes() const { return indices_ ? indices_.size() : 0; }
    [[nodiscard]] std::uint64_t transient_bytes() const {
        return (work_list_ ? work_list_.size() : 0) + (lists_.survivors ? lists_.survivors.size() : 0);
    }

  private:
    gpu::Device& device_;
    std::map<std::pair<bool, std::uint32_t>, MeshletCulling> culling_;  // by whether it counts, and sublets per group
    gpu::Buffer indices_, work_list_;
    SurvivorLists lists_;
};

}  // namespace sublet::render
