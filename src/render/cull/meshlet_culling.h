// Culling on the GPU, the same for every GPU-driven backend: instances, then meshlets.
#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipeline.h"
#include "gpu/profiler.h"
#include "render/gpu_scene.h"

namespace sublet::render {

// What a backend wants of the meshlet pass.
struct SurvivorLists {
    gpu::Buffer survivors;  // uvec2(instance, meshlet) by slot; class c from GpuScene::class_base[c]
    gpu::Buffer draws;      // VkDrawIndexedIndirectCommand by slot, or empty
};

// Passes "cull instances" and "cull meshlets".
//
// Reads: frame data, meshes, instances, tasks, meshlet bounds, meshlet ranges, and a reset cull state.
// Writes: the cull state (survivor counts in draws[4c + 1], counters), the work list, the survivor lists.
class MeshletCulling {
  public:
    struct Options {
        bool count = true;            // counters too
        bool write_draws = true;      // indexed indirect draws beside survivors
        bool first_instance = false;  // with the slot as their first instance
    };

    MeshletCulling(gpu::Device& device, const Options& options);

    // Leaves everything written visible to indirect draws and shaders.
    void record(gpu::Frame& frame, gpu::Profiler& profiler, const GpuScene& scene, const gpu::Buffer& frame_data,
                const gpu::Buffer& cull_state, const gpu::Buffer& work_list, const SurvivorLists& lists) const;

  private:
    gpu::Pipeline instances_;
    gpu::Pipeline meshlets_;
    bool write_draws_;
};

}  // namespace sublet::render
