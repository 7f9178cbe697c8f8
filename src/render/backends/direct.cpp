// Plain draws, one vkCmdDrawIndexed per instance or run of meshlets, recorded by the CPU: the reference that all others
// are compared with.
// Reads: decoded vertices, 32-bit indices. Writes: ids, depth.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "render/backends/backend.h"
#include "render/cull/cpu_chain.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/counters.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

class DirectBackend final : public BackendBase {
  public:
    CpuCounters record(PhaseContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        const gpu::Buffer& indices = context.scene.indices->get(context, context.scene, 32);
        const auto pass = context.pass("draw");
        CpuCounters counters;
        counters.selects_meshlets = context.plan.direct_meshlets;
        const CpuChain chain(context);
        cull_instances(context, chain, counters);
        vkCmdBindIndexBuffer(commands, indices.handle(), 0, VK_INDEX_TYPE_UINT32);
        PerClass<std::uint32_t> visible{};
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            visible[c] = static_cast<std::uint32_t>(visible_[c].size());
        }
        context.draw(true, stages(context.plan), {gpu::buffer_at(shared::kBindIndices, indices)}, visible,
                     [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                         record_draws(context, chain, pipeline, c, counters);
                     });
        return counters;
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        phase.output.add_pipelines(stages(phase.plan), out);
    }

  private:
    // Whether the vertex shader reads the indices.
    [[nodiscard]] static bool pulled(const FramePlan& plan) {
        return !plan.device.finds_corners && !plan.device.numbers_triangles;
    }

    [[nodiscard]] static GeometryStages stages(const FramePlan& plan) {
        const bool corners = plan.device.finds_corners;
        GeometryStages out;
        out.name = "direct";
        out.vertex.spirv = shaders::direct_vert;
        out.vertex.specialization = {{shared::kSpecPulled, pulled(plan) ? 1U : 0U},
                                     {shared::kSpecCorners, corners ? 1U : 0U}};
        out.id = corners ? IdSource::kCorners : pulled(plan) ? IdSource::kVertex : IdSource::kPrimitiveId;
        return out;
    }

    // Lists the instances inside the view, by draw class.
    void cull_instances(const PhaseContext& context, const CpuChain& chain, CpuCounters& counters) {
        const GpuScene& scene = context.scene;
        const bool cull = context.plan.cull_instances && context.plan.cull_frustum;
        for (std::vector<std::uint32_t>& list : visible_) {
            list.clear();
        }
        for (std::uint32_t i = 0; i < scene.instance_count; ++i) {
            if ((scene.instance_data[i].flags & shared::kInstanceHidden) != 0) continue;
            if (cull && chain.outside(scene.instance_spheres[i])) continue;
            visible_[scene.instance_data[i].flags & shared::kInstanceClassMask].push_back(i);
            ++counters.instances_visible;
        }
    }

    // The instances of one class.
    void record_draws(const PhaseContext& context, const CpuChain& chain, const gpu::Pipeline& pipeline,
                      std::uint32_t draw_class, CpuCounters& counters) const {
        std::optional<shared::DirectConstants> pushed;  // as they are
        VkCommandBuffer commands = context.frame.commands;
        const GpuScene& scene = context.scene;
        const auto draw = [&](std::uint32_t instance, const DirectChunk& chunk) {
            const shared::DirectConstants constants{chunk.first_sublet, chunk.first_triangle * 3, chunk.first_vertex};
            if (!pushed || std::memcmp(&*pushed, &constants, sizeof(constants)) != 0) {
                pipeline.push(commands, constants);
                pushed = constants;
            }
            if (pulled(context.plan)) {
                vkCmdDraw(commands, chunk.triangle_room * 3, 1, 0, instance);
            } else {
                vkCmdDrawIndexed(commands, chunk.triangle_room * 3, 1, chunk.first_triangle * 3,
                                 static_cast<std::int32_t>(chunk.first_vertex), instance);
            }
            counters.meshlets += chunk.meshlet_count();
            counters.sublets += chunk.sublet_count();
            counters.primitives_drawn += chunk.triangle_count;
        };
        for (const std::uint32_t i : visible_[draw_class]) {
            // Where what moves or deforms is, the GPU alone knows.
            const bool select = counters.selects_meshlets && std::isfinite(scene.instance_spheres[i].w);
            for (const DirectChunk& chunk : scene.chunks(scene.instance_data[i].mesh)) {
                if (select) {
                    for_each_run(scene, chain, i, chunk, counters, [&](const DirectChunk& run) { draw(i, run); });
                } else {
                    draw(i, chunk);
                }
            }
        }
    }

    // Calls back for each run of a chunk's meshlets, side by side, that pass the tests.
    template <class Draw>
    static void for_each_run(const GpuScene& scene, const CpuChain& chain, std::uint32_t instance,
                             const DirectChunk& chunk, CpuCounters& counters, const Draw& draw) {
        const std::uint32_t first_meshlet = scene.mesh_headers[scene.instance_data[instance].mesh].first_meshlet;
        constexpr std::uint32_t kRoom = shared::kSubletsPerMeshlet * shared::kSubletSize;
        DirectChunk run;
        for (std::uint32_t begun = 0; begun < chunk.triangle_room; begun += kRoom) {
            const std::uint32_t sublet = chunk.first_sublet + begun / shared::kSubletSize;
            const std::uint32_t meshlet = sublet / shared::kSubletsPerMeshlet;
            const std::uint32_t verdict = chain.meshlet(instance, meshlet);
            if (verdict != shared::kPasses) {
                ++(verdict == shared::kFacesAway ? counters.meshlets_facing_away : counters.meshlets_outside);
                if (run.triangle_room != 0) draw(run);
                run.triangle_room = 0;
                continue;
            }
            if (run.triangle_room == 0) {
                run = {.first_sublet = sublet,
                       .first_triangle = chunk.first_triangle + begun,
                       .first_vertex = chunk.first_vertex};
            }
            run.triangle_room += std::min(chunk.triangle_room - begun, kRoom);
            run.triangle_count += scene.meshlet_triangles[first_meshlet + meshlet];
        }
        if (run.triangle_room != 0) draw(run);
    }

    PerClass<std::vector<std::uint32_t>> visible_;  // kept for their capacity
};

}  // namespace

std::unique_ptr<BackendBase> make_direct(gpu::Device& /*device*/) {
    return std::make_unique<DirectBackend>();
}

}  // namespace sublet::render
