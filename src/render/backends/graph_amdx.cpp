// The execution graph of shaders/shared/graph.h, played by the driver (VK_AMDX_shader_enqueue): one dispatch of it for
// each set of attachments culls and draws, within rendering. What blends apart is played by ordinary compute, as
// `graph` does. Reads: encoded or decoded sublets. Writes: counters, ids, depth.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "gpu/graph_dispatch.h"
#include "render/backends/backend.h"
#include "render/backends/graph.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/graph_nodes.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/graph.h"

namespace sublet::render {
namespace {

// Of scratch memory, where the driver would take more.
constexpr VkDeviceSize kMostScratch = VkDeviceSize{256} << 20U;

// Rows of kDispatchRow workgroups that a payload has.
constexpr std::uint32_t kMostRows = gpu::guaranteed::kGroups / shared::kDispatchRow;

gpu::NodeDesc node_desc(const GraphNode& node) {
    gpu::NodeDesc out;
    out.name = node.name;
    out.entry = &node == &kGraph.front();
    if (node.kind == shared::kNodeCoalescing) out.takes = node.takes;
    if (node.kind == shared::kNodeBroadcast) out.most_groups = {shared::kDispatchRow, kMostRows, 1};
    if (node.kind == shared::kNodeMesh) {
        out.groups = {1, 1, 1};
        return out;
    }
    out.below = node.below;
    out.below_indexes = node.below == kGraph.back().name ? shared::kDrawClasses : 1;
    out.most = node.most;
    return out;
}

gpu::ExecutionGraphDesc graph_desc(const PhasePlan& phase) {
    static const std::array<std::span<const std::uint32_t>, 3> shaders{
        shaders::node_instances_comp, shaders::node_meshlets_comp, shaders::node_sublets_comp};
    static_assert(shaders.size() + 1 == kGraph.size());
    gpu::ExecutionGraphDesc out;
    out.name = "graph";
    for (std::size_t i = 0; i < shaders.size(); ++i) {
        const gpu::Shader shader{
            .spirv = shaders.at(i),
            .specialization = {{shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U},
                               {shared::kSpecSubletBits, phase.detail == OcclusionDetail::kSublets ? 1U : 0U}}};
        out.nodes.push_back({.node = node_desc(kGraph.at(i)), .shader = shader});
    }
    out.draw = node_desc(kGraph.back());
    GeometryStages stages;
    stages.name = "graph";
    stages.id = IdSource::kPerPrimitive;
    stages.mesh = mesh_shader(phase.plan, MeshSource::kNode);
    out.draws = phase.output.node_pipelines(stages);
    return out;
}

class GraphAmdxBackend final : public BackendBase {
  public:
    explicit GraphAmdxBackend(gpu::Device& device) : dispatch_(device, kMostScratch), played_(make_graph(device)) {}

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan) const override {
        return plays(plan) ? graph_survivors(scene, plan, kBlendedClass) : SurvivorPlan{};
    }

    void begin_frame(const ViewContext& context, shared::CullState& state) override {
        if (plays(context.plan)) played_->begin_frame(context, state);
    }

    CpuCounters record(PhaseContext& context) override {
        if (context.phase == CullPhase::kBlended) return played_->record(context);
        const gpu::ExecutionGraphDesc desc = graph_desc(context.phase_plan());
        const gpu::Pipeline& graph = context.pipelines.get(desc);
        const bool textured =
            std::ranges::any_of(desc.draws, [](const auto& draw) { return draw.textures != VK_NULL_HANDLE; });
        const gpu::Commands commands = context.frame.commands;
        const auto pass = context.pass("graph");
        for (const std::uint32_t classes : context.output.renderings()) {
            context.of_classes = classes;
            dispatch_.prepare(commands, graph);
            context.output.begin(commands, context.geometry.targets, classes, context.first_draw());
            context.bind(graph, {});
            if (textured) context.scene.textures->bind(commands, graph, context.frame.slot);
            dispatch_.record(commands, graph, std::string(kGraph.front().name), payloads(context));
            commands(vkCmdEndRendering);
        }
        context.of_classes = kAllClasses;
        return {};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        if (phase.phase == CullPhase::kBlended) {
            played_->add_pipelines(phase, out);
        } else {
            out.add(graph_desc(phase));
        }
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        TransientBytes bytes = played_->transient_bytes();
        bytes.survivors += dispatch_.bytes();
        return bytes;
    }

  private:
    // Whether some of a frame is drawn by ordinary compute.
    [[nodiscard]] static bool plays(const FramePlan& plan) { return plan.blend_layers != 0; }

    // A payload for all instances, or several where they take more workgroups than one may have.
    [[nodiscard]] static std::vector<shared::InstancesPayload> payloads(const PhaseContext& context) {
        const std::uint32_t groups =
            (context.scene.instance_count + shared::kInstancesLanes - 1) / shared::kInstancesLanes;
        const std::uint32_t most = std::min(kMostRows * shared::kDispatchRow, context.hooks.most_graph_groups);
        std::vector<shared::InstancesPayload> out;
        for (std::uint32_t first = 0; first < groups; first += most) {
            const std::uint32_t count = std::min(most, groups - first);
            const std::uint32_t rows = (count + shared::kDispatchRow - 1) / shared::kDispatchRow;
            out.push_back({.groups = {std::min(count, shared::kDispatchRow), rows}, .first = first, .count = count});
            if (context.hooks.fault == Fault::kQueuesDrop) break;
        }
        return out;
    }

    gpu::GraphDispatch dispatch_;
    std::unique_ptr<BackendBase> played_;
};

}  // namespace

std::unique_ptr<BackendBase> make_graph_amdx(gpu::Device& device) {
    return std::make_unique<GraphAmdxBackend>(device);
}

}  // namespace sublet::render
