#include "render/scene/decode.h"

#include <string>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

// Meshlets whose numbers begin at word `first` of a buffer; of none it is all.
struct MeshletList {
    const gpu::Buffer* buffer = nullptr;
    std::uint32_t first = 0, count = 0;
};

void record(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
            const GpuScene& scene, const gpu::Buffer& indices, std::uint32_t index_bits, std::uint32_t parts,
            const MeshletList& list = {}) {
    const gpu::Pipeline& pipeline = pipelines.get(gpu::ComputePipelineDesc{
        .name = "decode",
        .shader = {.spirv = shaders::decode_comp,
                   // A scene is decoded before it is the one that all pipelines are for.
                   .specialization = {
                       {shared::kSpecEncoded, scene.facts.compact ? shared::kEncodedCompact : shared::kEncodedPlain},
                       {shared::kSpecWidePositions, scene.wide_positions ? 1U : 0U}}}});
    descriptors.bind(commands, pipeline, scene_descriptors(scene, nullptr), shared::kSceneSet);
    descriptors.bind(commands, pipeline,
                     {gpu::buffer_at(shared::kBindIndices, indices),
                      gpu::buffer_at(shared::kBindBlock, list.buffer != nullptr ? *list.buffer : scene.sublet_records)},
                     shared::kPassSet);
    pipeline.push(commands, shared::DecodeConstants{scene.mesh_count, scene.meshlet_count, index_bits, parts,
                                                    list.count, list.first});
    dispatch_rows(commands, list.buffer != nullptr ? list.count : scene.meshlet_count);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kConsume);
}

}  // namespace

void record_decode(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                   const GpuScene& scene, std::uint32_t parts) {
    if ((parts & shared::kDecodeVertices) != 0 && scene.vertices->leads) parts |= shared::kDecodeLeads;
    // No index is written: any buffer will do for the binding.
    record(commands, descriptors, pipelines, scene, scene.sublet_records, 0, parts);
}

void record_decode_of(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                      const GpuScene& scene, const gpu::Buffer& list, std::uint32_t first, std::uint32_t count) {
    if (count == 0) return;
    const DecodedVertices& made = *scene.vertices;
    std::uint32_t parts = shared::kDecodeRecords;
    if (made.positions) parts |= shared::kDecodeVertices;
    if (made.leads) parts |= shared::kDecodeLeads;
    if (made.compact_records) parts |= shared::kDecodeCompactRecords;
    const MeshletList meshlets{&list, first, count};
    record(commands, descriptors, pipelines, scene, scene.sublet_records, 0, parts, meshlets);
    for (const auto& [bits, indices] : scene.indices->all()) {
        if (indices) record(commands, descriptors, pipelines, scene, indices, bits, 0, meshlets);
    }
}

void record_decode_indices(VkCommandBuffer commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                           const GpuScene& scene, const gpu::Buffer& indices, std::uint32_t index_bits) {
    if (index_bits != 32) {  // narrow indices are or-ed into their words
        vkCmdFillBuffer(commands, indices.handle(), 0, VK_WHOLE_SIZE, 0);
        gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
    }
    record(commands, descriptors, pipelines, scene, indices, index_bits, 0);
}

std::uint64_t index_buffer_bytes(const GpuScene& scene, std::uint32_t index_bits) {
    return scene.residency.sublets * shared::kSubletSize * 3 * index_bits / 8;
}

gpu::Buffer make_index_buffer(gpu::Device& device, const GpuScene& scene, std::uint32_t index_bits) {
    const std::string name = "indices " + std::to_string(index_bits);
    return make_storage_buffer(device, name.c_str(), index_buffer_bytes(scene, index_bits),
                               VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
}

}  // namespace sublet::render
