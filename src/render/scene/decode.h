// Reads: the encoded sections. Writes: records of sublets, meshlet ranges, decoded vertices; index buffers.
#pragma once

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "render/scene/gpu_scene.h"
#include "shaders/shared/passes.h"

namespace sublet::render {

// Unpacks a whole scene on the GPU, any number of meshes by one dispatch. What is recorded after reads what it writes.

// `parts` of `scene`: shared::kDecodeRecords, kDecodeVertices, or both. Vertices have been made (decoded_vertices.h).
void record_decode(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                   const GpuScene& scene, std::uint32_t parts);

// Of a list of meshlets, which have come, all that there is: records, and what frames before had decoded of the rest.
// The numbers of `count` meshlets begin at word `first` of `list`.
void record_decode_of(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                      const GpuScene& scene, const gpu::Buffer& list, std::uint32_t first, std::uint32_t count);

// Fills `indices` with the scene's triangles, kSubletSize for each sublet, those that it lacks without an area:
// `index_bits` 8 or 16 relative to the meshlet, 32 relative to the direct chunk (kDirectChunkMeshlets). The buffer has
// index_buffer_bytes().
void record_decode_indices(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                           const GpuScene& scene, const gpu::Buffer& indices, std::uint32_t index_bits);

// Bytes of the scene's index buffer of this width, a multiple of 4.
[[nodiscard]] std::uint64_t index_buffer_bytes(const GpuScene& scene, std::uint32_t index_bits);

// An index buffer of this width for `scene`, not filled. Throws Error when the device can't bind it.
[[nodiscard]] gpu::Buffer make_index_buffer(gpu::Device& device, const GpuScene& scene, std::uint32_t index_bits);

}  // namespace sublet::render
