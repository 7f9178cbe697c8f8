#include "render/scene/decode.h"

#include <string>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
DecodePass::DecodePass(gpu::Device& device)
    : pipeline_(device, gpu::ComputePipelineDesc{.name = "decode", .shader = {.spirv = shaders::decode_comp}}) {}

void DecodePass::record_vertices(VkCommandBuffer commands, gpu::DescriptorArena& descriptors,
                                 const GpuScene& scene) const {
    // No index is written: any buffer will do for the binding.
    record(commands, descriptors, scene, scene.positions, 0, true);
}

void DecodePass::record_indices(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, const GpuScene& scene,
                                const gpu::Buffer& indices, std::uint32_t index_bits) const {
    if (index_bits != 32) {  // narrow indices are or-ed into their words
        vkCmdFillBuffer(commands, indices.handle(), 0, VK_WHOLE_SIZE, 0);
        gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
    }
    record(commands, descriptors, scene, indices, index_bits, false);
}

void DecodePass::record(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, const GpuScene& scene,
                        const gpu::Buffer& indices, std::uint32_t index_bits, bool vertices) const {
    descriptors.bind(commands, pipeline_, scene_descriptors(scene, nullptr), shared::kSceneSet);
    descriptors.bind(commands, pipeline_, {gpu::buffer_at(shared::kBindIndices, indices)}, shared::kPassSet);
    pipeline_.push(commands, shared::DecodeConstants{scene.mesh_count, scene.sublet_count, index_bits,
                                                     vertices ? 1U : 0U, scene.leads ? 1U : 0U});
    const std::uint32_t groups = (scene.sublet_count + 7) / 8;
    dispatch_rows(commands, groups);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kConsume);
}

std::uint64_t index_buffer_bytes(const GpuScene& scene, std::uint32_t index_bits) {
    return std::uint64_t{scene.sublet_count} * shared::kSubletSize * 3 * index_bits / 8;
}

gpu::Buffer make_index_buffer(gpu::Device& device, const GpuScene& scene, std::uint32_t index_bits) {
    const std::string name = "indices " + std::to_string(index_bits);
    return make_storage_buffer(device, name.c_str(), index_buffer_bytes(scene, index_bits),
                               VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

}  // namespace sublet::render
