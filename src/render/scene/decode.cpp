#include "render/scene/decode.h"

#include <string>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

struct Constants {  // decode.comp
    std::uint32_t mesh_count, sublet_count, index_bits, write_vertices, write_leads;
};

}  // namespace

DecodePass::DecodePass(gpu::Device& device)
    : pipeline_(device, gpu::ComputePipelineDesc{.name = "decode",
                                                 .shader = {.spirv = shaders::decode_comp, .specialization = {}},
                                                 .layout = {.bindings = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}},
                                                            .push_constant_bytes = sizeof(Constants)}}) {}

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
    descriptors.bind(commands, pipeline_,
                     {gpu::buffer_at(0, scene.meshes), gpu::buffer_at(1, scene.streams),
                      gpu::buffer_at(2, scene.payload), gpu::buffer_at(3, scene.positions),
                      gpu::buffer_at(4, scene.attributes), gpu::buffer_at(5, scene.meshlet_ranges),
                      gpu::buffer_at(6, indices), gpu::buffer_at(7, scene.leads ? scene.leads : scene.positions)});
    pipeline_.push(commands, Constants{scene.mesh_count, scene.sublet_count, index_bits, vertices ? 1U : 0U,
                                       scene.leads ? 1U : 0U});
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
