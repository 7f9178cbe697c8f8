// What the backends that draw sublets share: what their shaders read, culling down to sublets, and its lists.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "render/cull/meshlets.h"
#include "render/view/record_context.h"

namespace sublet::render {

// Bindings 0 to 8: scene_bindings.glsl, decoded_bindings.glsl, mesh_bindings.glsl.
[[nodiscard]] std::vector<gpu::Descriptor> sublet_descriptors(const RecordContext& context);

class SubletWork {
  public:
    explicit SubletWork(gpu::Device& device) : device_(device) {}

    // For BackendBase::begin_frame(), in frames that cull().
    void begin_frame(const FrameContext& context);
    // Makes the lists for the scene; then records the culling passes of a round of
    // GpuScene::sublets. `sublets_per_group`: of the mesh shader's workgroups, 0 where a pass culls the
    // sublets' triangles before.
    void cull(RecordContext& context, std::uint32_t sublets_per_group, std::size_t round);

    // Bindings 0 to 9: sublet_descriptors(), and the surviving sublets.
    [[nodiscard]] std::vector<gpu::Descriptor> descriptors(const RecordContext& context) const;

    // Forgets what was made for a scene.
    void scene_changed();

    [[nodiscard]] std::uint64_t transient_bytes() const {
        return (expansion_ ? expansion_->bytes() : 0) + (lists_.survivors ? lists_.survivors.size() : 0);
    }

  private:
    gpu::Device& device_;
    std::unique_ptr<Expansion> expansion_;
    SurvivorLists lists_;
};

}  // namespace sublet::render
