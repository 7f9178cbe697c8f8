// Generated commands: each run of a meshlet's surviving sublets or, where sublets are not culled, each surviving
// meshlet is a sequence of push constants and a draw, by a mesh shader where the device has those, else indexed. As in
// mdi, culling runs in compute. Reads: decoded vertices, narrow indices, the list of sequences. Writes: ids, depth.
#include <algorithm>
#include <memory>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/generated_commands.h"
#include "render/backends/backend.h"
#include "render/backends/rest.h"
#include "render/cull/cull_state.h"
#include "render/cull/meshlets.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

GeometryStages generated_stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "generated";
    out.generated = true;
    if (plan.device.mesh_tasks) {
        out.mesh.spirv = shaders::generated_mesh;
        out.mesh.specialization = {{shared::kSpecEncoded, encoded_as(plan)}};
        out.id = IdSource::kPerPrimitive;
        return out;
    }
    out.vertex.spirv = shaders::mdi_generated_vert;
    out.vertex.specialization = {{shared::kSpecCorners, plan.device.finds_corners ? 1U : 0U}};
    out.id = plan.device.finds_corners ? IdSource::kCorners : IdSource::kPrimitiveId;
    return out;
}

gpu::GeneratedCommands::Layout sequence_layout(const gpu::Device& device) {
    return {.command = plan_device(device.capabilities()).mesh_tasks
                           ? VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT
                           : VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT,
            .pushed_bytes = sizeof(shared::GeneratedConstants),
            .stride = sizeof(shared::GeneratedDraw)};
}

// The least that has these stages, to ask the driver what sequences take.
gpu::Pipeline make_bare_pipeline(gpu::Device& device) {
    FramePlan plan;
    plan.device = plan_device(device.capabilities());
    const GeometryStages stages = generated_stages(plan);
    gpu::GraphicsPipelineDesc desc;
    desc.name = "generated, bare";
    desc.vertex = stages.vertex;
    desc.mesh = stages.mesh;
    desc.depth_format = kDepthFormat;
    desc.generated = true;
    return {device, desc};
}

class GeneratedBackend final : public BackendBase {
  public:
    explicit GeneratedBackend(gpu::Device& device)
        : device_(device),
          sequences_(device, sequence_layout(device)),
          bytes_by_power_(sequences_.bytes_by_power(make_bare_pipeline(device))) {}

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan) const override {
        // What the driver asks for need not grow in proportion (lavapipe: with the square).
        const auto fits = [bytes = scene.list_bytes(plan)](std::uint64_t needed) { return needed <= bytes; };
        const auto end = std::find_if_not(bytes_by_power_.begin(), bytes_by_power_.end(), fits);
        const std::uint64_t most = std::uint64_t{1} << (std::max<std::ptrdiff_t>(end - bytes_by_power_.begin(), 1) - 1);
        return plan_survivors(plan.cull_sublets ? scene.class_runs : scene.class_meshlets, most, most,
                              plan.cull_sublets ? shared::kSubletsPerMeshlet / 2 : 1);
    }

    void begin_frame(const ViewContext& context, shared::CullState& /*state*/) override {
        prepare_expansion(expansion_, device_, context.plan.expansion, context.scene.facts.demand(context.plan),
                          context.hooks.most_expansion_entries);
        lists_.prepare(context, *expansion_, ListedDraws::kGenerated);
        expansion_->record_resets(context.frame.commands);
    }

    CpuCounters record(PhaseContext& context) override {
        context.for_each_round([&] { record_round(context); });
        draw_rest(context);
        return {};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        add_meshlet_pipelines(device_.capabilities(), phase, culling(phase.plan), out);
        phase.add_draws(generated_stages(phase.plan), out);
        add_rest_pipeline(phase, out);
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        return {.survivors = (expansion_ ? expansion_->bytes() : 0) + lists_.bytes() + sequences_.bytes()};
    }

  private:
    void record_round(const PhaseContext& context) {
        const gpu::Commands commands = context.frame.commands;
        const std::uint32_t index_bits = context.plan.device.narrow_index_bits;
        const bool indexed = !context.plan.device.mesh_tasks;
        const VkBuffer indices =
            indexed ? context.scene.indices->get(context, context.scene, index_bits).handle() : VK_NULL_HANDLE;
        // The list is written where the round or phase before was read.
        gpu::memory_barrier(commands, gpu::kPreprocess, gpu::kCompute);
        cull_meshlets(context, culling(context.plan), *expansion_, lists_);

        const auto pass = context.pass("draw");
        gpu::memory_barrier(commands, gpu::kCompute | gpu::kPreprocess, gpu::kPreprocess);
        if (indexed) {
            commands(vkCmdBindIndexBuffer, indices, 0,
                     index_bits == 8 ? VK_INDEX_TYPE_UINT8_EXT : VK_INDEX_TYPE_UINT16);
        }
        std::size_t place = 0;  // where layers are peeled, a class is drawn several times
        context.draw(context.first_draw(), generated_stages(context.plan), {}, context.survivors.slots,
                     [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                         sequences_.execute(commands, pipeline, place++, sequences(context, c));
                     });
    }

    [[nodiscard]] static MeshletCulling culling(const FramePlan& plan) {
        return {.output = plan.cull_sublets ? CullOutput::kRunDraws : CullOutput::kMeshletDraws, .generated = true};
    }

    [[nodiscard]] gpu::GeneratedCommands::Sequences sequences(const PhaseContext& context,
                                                              std::uint32_t draw_class) const {
        const VkDeviceSize count = survivors_offset(draw_class) + offsetof(shared::ClassSurvivors, draw) +
                                   offsetof(shared::DrawCommand, instances);
        return {.list = lists_.draws,
                .offset = VkDeviceSize{context.survivors.base[draw_class]} * sizeof(shared::GeneratedDraw),
                .most = context.survivors.slots[draw_class],
                .counts = context.cull_states(),
                .count_offset = context.in_state(count)};
    }

    gpu::Device& device_;
    std::unique_ptr<Expansion> expansion_;
    SurvivorLists lists_;
    gpu::GeneratedCommands sequences_;
    std::vector<std::uint64_t> bytes_by_power_;
};

}  // namespace

std::unique_ptr<BackendBase> make_generated(gpu::Device& device) {
    return std::make_unique<GeneratedBackend>(device);
}

}  // namespace sublet::render
