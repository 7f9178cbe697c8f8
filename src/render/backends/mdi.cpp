// Multi-draw-indirect: one indexed draw per run of a meshlet's surviving sublets or, where sublets are not culled, per
// surviving meshlet; its indices of 8 bits. Culling runs in compute.
// Reads: decoded vertices, narrow indices, survivor lists and draws. Writes: ids, depth.
#include <memory>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/rest.h"
#include "render/cull/cull_state.h"
#include "render/cull/meshlets.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

GeometryStages mdi_stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "mdi";
    out.id = IdSource::kPrimitiveId;
    switch (plan.device.mdi_vertices) {
        case MdiVertices::kDrawIndex:
            out.vertex.spirv = shaders::mdi_draw_index_vert;
            out.vertex.specialization = {{shared::kSpecCorners, plan.device.finds_corners ? 1U : 0U}};
            if (plan.device.finds_corners) out.id = IdSource::kCorners;
            break;
        case MdiVertices::kFirstInstance:
            out.vertex.spirv = shaders::mdi_instance_vert;
            break;
        case MdiVertices::kInstanced:
            out.vertex.spirv = shaders::mdi_instance_vert;
            out.vertex.specialization = {{shared::kSpecPulled, 1U},
                                         {shared::kSpecIndexBits, plan.device.narrow_index_bits}};
            out.id = IdSource::kVertex;
            break;
    }
    return out;
}

class MdiBackend final : public BackendBase {
  public:
    explicit MdiBackend(gpu::Device& device) : device_(device) {}

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan) const override {
        const std::uint64_t most_draws = plan.device.mdi_vertices == MdiVertices::kInstanced
                                             ? ~std::uint64_t{0}
                                             : device_.capabilities().limits.maxDrawIndirectCount;
        return plan_survivors(plan.cull_sublets ? scene.class_runs : scene.class_meshlets,
                              scene.list_bytes(plan) / sizeof(VkDrawIndexedIndirectCommand), most_draws,
                              plan.cull_sublets ? shared::kSubletsPerMeshlet / 2 : 1);
    }

    void begin_frame(const ViewContext& context, shared::CullState& /*state*/) override {
        prepare_expansion(expansion_, device_, context.plan.expansion, context.scene.facts.demand(context.plan),
                          context.hooks.most_expansion_entries);
        lists_.prepare(
            context, *expansion_,
            context.plan.device.mdi_vertices != MdiVertices::kInstanced ? ListedDraws::kIndexed : ListedDraws::kNone);
        expansion_->record_resets(context.frame.commands);
    }

    CpuCounters record(PhaseContext& context) override {
        context.for_each_round([&] { record_round(context); });
        draw_rest(context);
        return {};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        add_meshlet_pipelines(device_.capabilities(), phase, culling(phase.plan), out);
        phase.add_draws(mdi_stages(phase.plan), out);
        add_rest_pipeline(phase, out);
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        return {.survivors = (expansion_ ? expansion_->bytes() : 0) + lists_.bytes()};
    }

  private:
    void record_round(const PhaseContext& context) {
        const gpu::Commands commands = context.frame.commands;
        if (lists_.draws && !context.plan.device.draw_count) {
            // Without a count on the GPU every slot is drawn: those without a survivor must be empty draws.
            gpu::memory_barrier(commands, gpu::kDraw, gpu::kTransferWrite);
            commands(vkCmdFillBuffer, lists_.draws.handle(), 0, VK_WHOLE_SIZE, 0);
            gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
        }
        const std::uint32_t index_bits = context.plan.device.narrow_index_bits;
        const gpu::Buffer& indices = context.scene.indices->get(context, context.scene, index_bits);
        cull_meshlets(context, culling(context.plan), *expansion_, lists_);

        const auto pass = context.pass("draw");
        commands(vkCmdBindIndexBuffer, indices.handle(), 0,
                 index_bits == 8 ? VK_INDEX_TYPE_UINT8_EXT : VK_INDEX_TYPE_UINT16);
        context.draw(
            context.first_draw(), mdi_stages(context.plan),
            {gpu::buffer_at(shared::kBindSurvivors, lists_.survivors), gpu::buffer_at(shared::kBindIndices, indices)},
            context.survivors.slots,
            [&](const gpu::Pipeline& pipeline, std::uint32_t c) { record_class(context, pipeline, c); });
    }

    [[nodiscard]] static MeshletCulling culling(const FramePlan& plan) {
        return {.output = plan.cull_sublets                                     ? CullOutput::kRunDraws
                          : plan.device.mdi_vertices == MdiVertices::kInstanced ? CullOutput::kMeshlets
                                                                                : CullOutput::kMeshletDraws};
    }

    void record_class(const PhaseContext& context, const gpu::Pipeline& pipeline, std::uint32_t draw_class) {
        const gpu::Commands commands = context.frame.commands;
        const VkBuffer state = context.cull_states().handle();
        const std::uint32_t slots = context.survivors.slots[draw_class];
        const std::uint32_t base = context.survivors.base[draw_class];
        const VkDeviceSize draw =
            context.in_state(survivors_offset(draw_class) + offsetof(shared::ClassSurvivors, draw));
        pipeline.push(commands, shared::MdiConstants{base});
        if (!lists_.draws) {
            commands(vkCmdDrawIndirect, state, draw, 1, 0);
            return;
        }
        constexpr std::uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
        const VkDeviceSize offset = VkDeviceSize{base} * kStride;
        if (context.plan.device.draw_count) {
            commands(vkCmdDrawIndexedIndirectCount, lists_.draws.handle(), offset, state,
                     draw + offsetof(shared::DrawCommand, instances), slots, kStride);
        } else {
            commands(vkCmdDrawIndexedIndirect, lists_.draws.handle(), offset, slots, kStride);
        }
    }

    gpu::Device& device_;
    std::unique_ptr<Expansion> expansion_;
    SurvivorLists lists_;
};

}  // namespace

std::unique_ptr<BackendBase> make_mdi(gpu::Device& device) {
    return std::make_unique<MdiBackend>(device);
}

}  // namespace sublet::render
