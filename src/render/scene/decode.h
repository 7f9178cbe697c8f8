// Reads: the encoded sections. Writes: decoded positions, attributes and meshlet ranges; index buffers.
#pragma once

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/pipeline.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

// Unpacks a whole scene on the GPU. One dispatch for each call, any number of meshes.
class DecodePass {
  public:
    explicit DecodePass(gpu::Device& device);

    // Positions, attributes and meshlet ranges of `scene`.
    void record_vertices(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, const GpuScene& scene) const;

    // Fills `indices` with the scene's triangles, kSubletSize for each sublet, those that it lacks without an area:
    // `index_bits` 8 or 16 relative to the meshlet, 32 relative to the
    // direct chunk (kDirectChunkMeshlets). The buffer has index_buffer_bytes().
    void record_indices(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, const GpuScene& scene,
                        const gpu::Buffer& indices, std::uint32_t index_bits) const;

  private:
    void record(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, const GpuScene& scene,
                const gpu::Buffer& indices, std::uint32_t index_bits, bool vertices) const;

    gpu::Pipeline pipeline_;
};

// Bytes of the scene's index buffer of this width, a multiple of 4.
[[nodiscard]] std::uint64_t index_buffer_bytes(const GpuScene& scene, std::uint32_t index_bits);

// An index buffer of this width for `scene`, not filled. Throws Error when the device can't bind it.
[[nodiscard]] gpu::Buffer make_index_buffer(gpu::Device& device, const GpuScene& scene, std::uint32_t index_bits);

}  // namespace sublet::render
