// Multi-draw-indirect: one indexed draw per run of a meshlet's surviving sublets (mdi), or per surviving meshlet
// (mdi-meshlets), its indices of 8 bits. Culling runs in compute.
// Reads: decoded vertices, narrow indices, survivor lists and draws. Writes: ids, depth.
#include <memory>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/cull/cull_state.h"
#include "render/cull/meshlets.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

GeometryStages stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "mdi";
    out.id = IdSource::kPrimitiveId;
    switch (plan.mdi_vertices) {
        case MdiVertices::kDrawIndex:
            out.vertex.spirv = plan.device.finds_corners ? shaders::mdi_corners_vert : shaders::mdi_draw_index_vert;
            if (plan.device.finds_corners) out.id = IdSource::kCorners;
            break;
        case MdiVertices::kFirstInstance:
            out.vertex.spirv = shaders::mdi_first_instance_vert;
            break;
        case MdiVertices::kInstanced:
            out.vertex.spirv = shaders::mdi_instanced_vert;
            out.vertex.specialization = {{shared::kSpecIndexBits, plan.device.narrow_index_bits}};
            out.id = IdSource::kVertex;
            break;
    }
    return out;
}

class MdiBackend final : public BackendBase {
  public:
    MdiBackend(gpu::Device& device, bool runs) : device_(device), runs_(runs) {}

    void prepare(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) override {
        prepare_expansion(expansion_, device_, plan.expansion, scene.facts.meshlets, hooks.most_expansion_entries);
    }

    void begin_frame(const FrameContext& context, shared::CullState& /*state*/) override {
        prepare(context.scene, context.plan, context.hooks);
        expansion_->record_resets(context.frame.commands);
    }

    CpuCounters record(RecordContext& context) override {
        if (!indices_) make_buffers(context);
        for (std::size_t round = 0; round < plan(context).rounds.size(); ++round) {
            record_round(context, round);
        }
        return {.rounds = static_cast<std::uint32_t>(plan(context).rounds.size())};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        add_meshlet_pipelines(phase, culling(phase.plan), out);
        out.add(phase.output.pipeline(stages(phase.plan)));
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
    // Lists and index buffer, for the scene, once.
    void make_buffers(RecordContext& context) {
        const SurvivorPlan& plan = this->plan(context);
        const std::uint32_t index_bits = context.plan.device.narrow_index_bits;
        lists_.survivors = make_storage_buffer(device_, "surviving meshlets", plan.items * 8);
        if (context.plan.mdi_vertices != MdiVertices::kInstanced) {
            lists_.draws = make_storage_buffer(device_, "draws", plan.items * sizeof(VkDrawIndexedIndirectCommand),
                                               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
        }
        indices_ = make_index_buffer(device_, context.scene, index_bits);
        const auto pass = context.profiler.pass(context.frame.commands, "decode");
        context.decode.record_indices(context.frame.commands, *context.frame.descriptors, context.scene, indices_,
                                      index_bits);
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
        if (lists_.draws && !context.plan.device.draw_count) {
            // Without a count on the GPU every slot is drawn: those without a survivor must be empty draws.
            vkCmdFillBuffer(commands, lists_.draws.handle(), 0, VK_WHOLE_SIZE, 0);
            gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
        }
        cull_meshlets(context, culling(context.plan), *expansion_, lists_, round);

        const auto pass = context.pass("draw");
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(context.plan)));
        vkCmdBindIndexBuffer(
            commands, indices_.handle(), 0,
            context.plan.device.narrow_index_bits == 8 ? VK_INDEX_TYPE_UINT8_EXT : VK_INDEX_TYPE_UINT16);
        draw_classes(
            context, context.first_draw() && round == 0, pipeline,
            {gpu::buffer_at(shared::kBindSurvivors, lists_.survivors), gpu::buffer_at(shared::kBindIndices, indices_)},
            plan(context).capacity, [&](std::uint32_t c) { record_class(context, pipeline, c); });
    }

    [[nodiscard]] MeshletCulling culling(const FramePlan& plan) const {
        return {.output = runs_                                          ? CullOutput::kRunDraws
                          : plan.mdi_vertices == MdiVertices::kInstanced ? CullOutput::kMeshlets
                                                                         : CullOutput::kMeshletDraws};
    }

    void record_class(const RecordContext& context, const gpu::Pipeline& pipeline, std::uint32_t draw_class) {
        VkCommandBuffer commands = context.frame.commands;
        const VkBuffer state = context.cull_state.handle();
        const std::uint32_t capacity = plan(context).capacity[draw_class];
        const std::uint32_t base = plan(context).base[draw_class];
        const VkDeviceSize draw = survivors_offset(draw_class) + offsetof(shared::ClassSurvivors, draw);
        pipeline.push(commands, shared::MdiConstants{base});
        if (!lists_.draws) {
            vkCmdDrawIndirect(commands, state, draw, 1, 0);
            return;
        }
        constexpr std::uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
        const VkDeviceSize offset = VkDeviceSize{base} * kStride;
        if (context.plan.device.draw_count) {
            vkCmdDrawIndexedIndirectCount(commands, lists_.draws.handle(), offset, state,
                                          draw + offsetof(shared::DrawCommand, instances), capacity, kStride);
        } else {
            vkCmdDrawIndexedIndirect(commands, lists_.draws.handle(), offset, capacity, kStride);
        }
    }

    gpu::Device& device_;
    bool runs_;
    gpu::Buffer indices_;
    std::unique_ptr<Expansion> expansion_;
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
