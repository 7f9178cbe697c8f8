// Multi-draw-indirect: one indexed draw per run of a meshlet's surviving sublets (mdi), or per surviving meshlet
// (mdi-meshlets), its indices of 8 bits. Culling runs in compute.
// Reads: decoded vertices, narrow indices, survivor lists and draws. Writes: ids, depth.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/cull/cull_state.h"
#include "render/cull/meshlets.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

// How a vertex learns which survivor it belongs to.
enum class Road {
    kDrawIndex,      // gl_DrawID
    kCorners,        // gl_DrawID, and fragments find their triangle by its corners
    kFirstInstance,  // the draw's first instance is the slot
    kInstanced,      // no multi-draw, or no numbers of a draw's triangles: survivors are instances of one draw of 256
                     // triangles, indices are read by the shader
};

// `draws`: of one call, at most.
Road choose_road(const gpu::Capabilities& capabilities, std::uint32_t draws) {
    if (!capabilities.multi_draw || !capabilities.geometry_shader || draws > capabilities.limits.maxDrawIndirectCount) {
        return Road::kInstanced;
    }
    if (capabilities.draw_parameters) {
        return finds_corners(capabilities) ? Road::kCorners : Road::kDrawIndex;
    }
    return capabilities.first_instance ? Road::kFirstInstance : Road::kInstanced;
}

GeometryStages stages(Road road, std::uint32_t index_bits) {
    GeometryStages out;
    out.name = "mdi";
    out.push_constant_bytes = sizeof(std::uint32_t);
    out.storage_buffers = road == Road::kInstanced ? 3 : 1;
    out.id = road == Road::kInstanced ? IdSource::kVertex : IdSource::kPrimitiveId;
    switch (road) {
        case Road::kDrawIndex:
            out.vertex.spirv = shaders::mdi_draw_index_vert;
            break;
        case Road::kCorners:
            out.vertex.spirv = shaders::mdi_corners_vert;
            out.id = IdSource::kCorners;
            out.storage_buffers = 4;
            break;
        case Road::kFirstInstance:
            out.vertex.spirv = shaders::mdi_first_instance_vert;
            break;
        case Road::kInstanced:
            out.vertex.spirv = shaders::mdi_instanced_vert;
            out.vertex.specialization = {{0, index_bits}};
            break;
    }
    return out;
}

class MdiBackend final : public BackendBase {
  public:
    MdiBackend(gpu::Device& device, bool runs)
        : device_(device), runs_(runs), index_bits_(device.capabilities().index_uint8 ? 8 : 16) {}

    void begin_frame(const FrameContext& context, shared::CullState& /*state*/) override {
        prepare_expansion(expansion_, device_, context.plan.expansion, context.scene.facts.meshlets,
                          context.hooks.most_expansion_entries);
        expansion_->record_resets(context.frame.commands);
    }

    CpuCounters record(RecordContext& context) override {
        if (!indices_) prepare(context);
        for (std::size_t round = 0; round < plan(context).rounds.size(); ++round) {
            record_round(context, round);
        }
        return {.rounds = static_cast<std::uint32_t>(plan(context).rounds.size())};
    }

    void scene_changed() override {
        device_.retire(std::move(indices_));
        if (expansion_) device_.retire(std::move(expansion_));
        device_.retire(std::move(lists_.survivors));
        device_.retire(std::move(lists_.draws));
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
    // Road, lists and index buffer, for the scene, once.
    void prepare(RecordContext& context) {
        const SurvivorPlan& plan = this->plan(context);
        road_ = choose_road(device_.capabilities(), *std::max_element(plan.capacity.begin(), plan.capacity.end()));
        lists_.survivors = make_storage_buffer(device_, "surviving meshlets", plan.items * 8);
        if (road_ != Road::kInstanced) {
            lists_.draws = make_storage_buffer(device_, "draws", plan.items * sizeof(VkDrawIndexedIndirectCommand),
                                               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
        }
        indices_ = make_index_buffer(device_, context.scene, index_bits_);
        const auto pass = context.profiler.pass(context.frame.commands, "decode");
        context.decode.record_indices(context.frame.commands, *context.frame.descriptors, context.scene, indices_,
                                      index_bits_);
    }

    [[nodiscard]] const SurvivorPlan& plan(const RecordContext& context) const {
        return runs_ ? context.scene.runs : context.scene.meshlets;
    }

    // Culls and draws a round of plan().
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
        cull_meshlets(context, culling(context), *expansion_, lists_, round);

        const auto pass = context.pass("draw");
        context.output.begin(commands, context.targets, context.first_draw() && round == 0);
        std::vector<gpu::Descriptor> descriptors = decoded_scene_descriptors(context.scene, context.frame_data);
        descriptors.push_back(gpu::buffer_at(6, lists_.survivors));
        if (road_ == Road::kCorners) add_corner_descriptors(descriptors, context.scene);
        if (road_ == Road::kInstanced) {
            descriptors.push_back(gpu::buffer_at(7, context.scene.meshlet_ranges));
            descriptors.push_back(gpu::buffer_at(8, indices_));
        }
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(road_, index_bits_)));
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        vkCmdBindIndexBuffer(commands, indices_.handle(), 0,
                             index_bits_ == 8 ? VK_INDEX_TYPE_UINT8_EXT : VK_INDEX_TYPE_UINT16);
        for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
            if (plan(context).capacity[draw_class] != 0) {
                record_class(context, pipeline, draw_class);
            }
        }
        vkCmdEndRendering(commands);
    }

    [[nodiscard]] MeshletCulling culling(const RecordContext& context) const {
        return {.count = context.plan.collect_counters,
                .phase = context.phase,
                .output = runs_                       ? CullOutput::kRunDraws
                          : road_ == Road::kInstanced ? CullOutput::kMeshlets
                                                      : CullOutput::kMeshletDraws,
                .expansion = context.plan.expansion,
                .first_instance = road_ == Road::kFirstInstance};
    }

    void record_class(const RecordContext& context, const gpu::Pipeline& pipeline, std::uint32_t draw_class) {
        VkCommandBuffer commands = context.frame.commands;
        const std::uint32_t capacity = plan(context).capacity[draw_class];
        const std::uint32_t base = plan(context).base[draw_class];
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
    bool runs_;
    std::uint32_t index_bits_;
    gpu::Buffer indices_;
    std::unique_ptr<Expansion> expansion_;
    Road road_ = Road::kDrawIndex;  // for the scene
    SurvivorLists lists_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mdi(gpu::Device& device) {
    return std::make_unique<MdiBackend>(device, true);
}

std::unique_ptr<BackendBase> make_mdi_meshlets(gpu::Device& device) {
    return std::make_unique<MdiBackend>(device, false);
}

}  // namespace sublet::render
