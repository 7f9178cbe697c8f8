// Multi-draw-indirect: one indexed draw per surviving meshlet, its indices of 8 bits. Culling runs in compute.
// Reads: decoded vertices, narrow indices, survivor lists and draws. Writes: colour, depth.
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/cull/cull_state.h"
#include "render/cull/meshlet_culling.h"
#include "render/storage_buffer.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

// How a vertex learns which survivor it belongs to.
enum class Road {
    kDrawIndex,      // gl_DrawID
    kFirstInstance,  // the draw's first instance is the slot
    kInstanced,  // no multi-draw: survivors are instances of one draw of 256 triangles, indices are read by the shader
};

Road choose_road(const gpu::Capabilities& capabilities, const GpuScene& scene) {
    std::uint32_t most = 0;
    for (const std::uint32_t capacity : scene.meshlets.capacity) {
        most = std::max(most, capacity);
    }
    if (!capabilities.multi_draw || most > capabilities.limits.maxDrawIndirectCount) {
        return Road::kInstanced;
    }
    if (capabilities.draw_parameters) {
        return Road::kDrawIndex;
    }
    return capabilities.first_instance ? Road::kFirstInstance : Road::kInstanced;
}

SurfaceStages stages(Road road, std::uint32_t index_bits, Attributes attributes) {
    const bool fetched = attributes == Attributes::kFetched;
    SurfaceStages out;
    out.attributes = attributes;
    out.name = "mdi";
    out.push_constant_bytes = sizeof(std::uint32_t);
    out.storage_buffers = road == Road::kInstanced ? 3 : 1;
    switch (road) {
        case Road::kDrawIndex:
            out.vertex.spirv =
                fetched ? shaders::mdi_draw_index_fetched_vert : shaders::mdi_draw_index_interpolated_vert;
            break;
        case Road::kFirstInstance:
            out.vertex.spirv =
                fetched ? shaders::mdi_first_instance_fetched_vert : shaders::mdi_first_instance_interpolated_vert;
            break;
        case Road::kInstanced:
            out.vertex.spirv = fetched ? shaders::mdi_instanced_fetched_vert : shaders::mdi_instanced_interpolated_vert;
            out.vertex.specialization = {{0, index_bits}};
            break;
    }
    return out;
}

class MdiBackend final : public BackendBase {
  public:
    MdiBackend(gpu::Device& device, VkDescriptorSetLayout textures)
        : device_(device), textures_(textures), index_bits_(device.capabilities().index_uint8 ? 8 : 16) {}

    CpuCounters record(RecordContext& context) override {
        prepare(context);
        prepare_expansion(expansion_, device_, context.settings.expansion, context.scene.expansion,
                          context.settings.most_expansion_entries);
        for (std::size_t round = 0; round < context.scene.meshlets.rounds.size(); ++round) {
            record_round(context, round);
        }
        return {};
    }

    void scene_changed() override {
        for (auto& [attributes, pipeline] : pipelines_) {
            device_.retire(std::move(pipeline));
        }
        pipelines_.clear();
        device_.retire(std::move(indices_));
        if (expansion_) device_.retire(std::move(expansion_));
        device_.retire(std::move(lists_.survivors));
        device_.retire(std::move(lists_.draws));
        prepared_ = false;
    }

    [[nodiscard]] std::uint64_t decoded_bytes() const override { return indices_ ? indices_.size() : 0; }
    [[nodiscard]] std::uint64_t transient_bytes() const override {
        std::uint64_t bytes = expansion_ ? expansion_->bytes() : 0;
        for (const gpu::Buffer* buffer : {&lists_.survivors, &lists_.draws}) {
            bytes += *buffer ? buffer->size() : 0;
        }
        return bytes;
    }

  private:
    // Buffers and pipelines for the scene, once.
    void prepare(RecordContext& context) {
        if (prepared_) {
            return;
        }
        const GpuScene& scene = context.scene;
        road_ = choose_road(device_.capabilities(), scene);
        culling_.clear();
        lists_.survivors = make_storage_buffer(device_, "surviving meshlets", scene.meshlets.items * 8);
        if (road_ != Road::kInstanced) {
            lists_.draws =
                make_storage_buffer(device_, "draws", scene.meshlets.items * sizeof(VkDrawIndexedIndirectCommand),
                                    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
        }
        indices_ = make_index_buffer(device_, scene, index_bits_);
        {
            const auto pass = context.profiler.pass(context.frame.commands, "decode");
            context.decode.record_indices(context.frame.commands, *context.frame.descriptors, scene, indices_,
                                          index_bits_);
        }
        prepared_ = true;
    }

    // Culls and draws a round of GpuScene::meshlets.
    void record_round(const RecordContext& context, std::size_t round) {
        VkCommandBuffer commands = context.frame.commands;
        if (round != 0) {
            reset_survivor_lists(commands, context.cull_state);
        }
        if (road_ != Road::kInstanced && !device_.capabilities().draw_count) {
            // Without a count on the GPU every slot is drawn: those without a survivor must be empty draws.
            vkCmdFillBuffer(commands, lists_.draws.handle(), 0, VK_WHOLE_SIZE, 0);
            gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
        }
        culling(context).record(context, *expansion_, lists_, round);

        const auto pass = context.pass("draw");
        begin_rendering(commands, context.targets, context.first_draw() && round == 0);
        std::vector<gpu::Descriptor> descriptors = decoded_scene_descriptors(context.scene, context.frame_data);
        descriptors.push_back(gpu::buffer_at(6, lists_.survivors));
        if (road_ == Road::kInstanced) {
            descriptors.push_back(gpu::buffer_at(7, context.scene.meshlet_ranges));
            descriptors.push_back(gpu::buffer_at(8, indices_));
        }
        const gpu::Pipeline& pipeline = this->pipeline(context);
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        context.scene.textures->bind(commands, pipeline);
        vkCmdBindIndexBuffer(commands, indices_.handle(), 0,
                             index_bits_ == 8 ? VK_INDEX_TYPE_UINT8_EXT : VK_INDEX_TYPE_UINT16);
        for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
            if (context.scene.meshlets.capacity[draw_class] != 0) {
                record_class(context, pipeline, draw_class);
            }
        }
        vkCmdEndRendering(commands);
    }

    const gpu::Pipeline& pipeline(const RecordContext& context) {
        gpu::Pipeline& pipeline = pipelines_[context.settings.attributes];
        if (!pipeline) {
            pipeline = make_surface_pipeline(device_, context.scene, textures_,
                                             stages(road_, index_bits_, context.settings.attributes));
        }
        return pipeline;
    }

    const MeshletCulling& culling(const RecordContext& context) {
        const CullingKey key{context.settings.collect_counters, context.phase, context.settings.expansion};
        auto it = culling_.find(key);
        if (it == culling_.end()) {
            const MeshletCulling::Options options{
                .count = context.settings.collect_counters,
                .phase = context.phase,
                .output = road_ == Road::kInstanced ? CullOutput::kMeshlets : CullOutput::kMeshletDraws,
                .expansion = context.settings.expansion,
                .first_instance = road_ == Road::kFirstInstance};
            it = culling_.try_emplace(key, device_, options).first;
        }
        return it->second;
    }

    void record_class(const RecordContext& context, const gpu::Pipeline& pipeline, std::uint32_t draw_class) {
        VkCommandBuffer commands = context.frame.commands;
        const std::uint32_t capacity = context.scene.meshlets.capacity[draw_class];
        const std::uint32_t base = context.scene.meshlets.base[draw_class];
        const VkDeviceSize state_offset = offsetof(shared::CullState, draws) + VkDeviceSize{draw_class} * 16;
        set_draw_class(commands, draw_class);
        pipeline.push(commands, base);
        if (road_ == Road::kInstanced) {
            vkCmdDrawIndirect(commands, context.cull_state.handle(), state_offset, 1, 0);
            return;
        }
        constexpr std::uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
        const VkDeviceSize offset = VkDeviceSize{base} * kStride;
        if (device_.capabilities().draw_count) {
            vkCmdDrawIndexedIndirectCount(commands, lists_.draws.handle(), offset, context.cull_state.handle(),
                                          state_offset + 4, capacity, kStride);
        } else {
            vkCmdDrawIndexedIndirect(commands, lists_.draws.handle(), offset, capacity, kStride);
        }
    }

    gpu::Device& device_;
    VkDescriptorSetLayout textures_;
    std::uint32_t index_bits_;
    Road road_ = Road::kDrawIndex;
    std::map<Attributes, gpu::Pipeline> pipelines_;
    // Whether it counts, phase, expansion.
    using CullingKey = std::tuple<bool, CullPhase, ExpansionStrategy>;
    std::map<CullingKey, MeshletCulling> culling_;
    bool prepared_ = false;
    gpu::Buffer indices_;
    std::unique_ptr<Expansion> expansion_;
    SurvivorLists lists_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mdi(gpu::Device& device, VkDescriptorSetLayout textures) {
    return std::make_unique<MdiBackend>(device, textures);
}

}  // namespace sublet::render
