// Plain draws, one vkCmdDrawIndexed per instance or run of meshlets, recorded by the CPU: the reference that all others
// are compared with.
// Reads: decoded vertices, 32-bit indices. Writes: ids, depth.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <vector>

#include "render/backends/backend.h"
#include "render/backends/rest.h"
#include "render/cull/cpu_chain.h"
#include "render/cull/cull_state.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/counters.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

class DirectBackend final : public BackendBase {
  public:
    CpuCounters record(PhaseContext& context) override {
        const gpu::Commands commands = context.frame.commands;
        const gpu::Buffer& indices = context.scene.indices->get(context, context.scene, 32);
        const auto pass = context.pass("draw");
        CpuCounters counters;
        counters.selects_meshlets = context.plan.direct_meshlets;
        if (context.plan.collect_counters && context.plan.lod && context.scene.levels.any()) counters.levels.emplace();
        const CpuChain chain(context);
        cull_instances(context, chain, counters);
        commands(vkCmdBindIndexBuffer, indices.handle(), 0, VK_INDEX_TYPE_UINT32);
        PerClass<std::uint32_t> visible{};
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            visible[c] = static_cast<std::uint32_t>(visible_[c].size());
        }
        context.draw(context.first_draw(), stages(context.plan), {gpu::buffer_at(shared::kBindIndices, indices)},
                     visible, [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                         record_draws(context, chain, pipeline, c, counters);
                     });
        draw_moving(context, chain);
        return counters;
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        phase.add_draws(stages(phase.plan), out);
        if (phase.scene.levels.any() && phase.scene.facts.moves) add_tasks_pipeline(phase, out);
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
        const bool blends = context.output.blends();
        const bool blended = context.phase == CullPhase::kBlended;
        for (std::vector<std::uint32_t>& list : visible_) {
            list.clear();
        }
        for (std::uint32_t i = 0; i < scene.instance_count; ++i) {
            if ((scene.instance_data[i].flags & shared::kInstanceHidden) != 0) continue;
            if (context.geometry.cull_view().light_passes &&
                (scene.instance_data[i].flags & shared::kInstanceClassMask) == shared::kClassTransmissive) {
                continue;
            }
            const std::uint32_t draw_class = scene.instance_data[i].flags & shared::kInstanceClassMask;
            if (blends && (draw_class == shared::kClassBlended) != blended) continue;
            if (cull && chain.outside(scene.instance_spheres[i])) continue;
            visible_[draw_class].push_back(i);
            ++counters.instances_visible;
        }
    }

    // The instances of one class.
    void record_draws(const PhaseContext& context, const CpuChain& chain, const gpu::Pipeline& pipeline,
                      std::uint32_t draw_class, CpuCounters& counters) {
        std::optional<shared::DirectConstants> pushed;  // as they are
        const gpu::Commands commands = context.frame.commands;
        const GpuScene& scene = context.scene;
        const auto draw = [&](std::uint32_t instance, const DirectChunk& chunk) {
            const shared::DirectConstants constants{chunk.first_sublet, chunk.first_triangle * 3, chunk.first_vertex};
            if (!pushed || std::memcmp(&*pushed, &constants, sizeof(constants)) != 0) {
                pipeline.push(commands, constants);
                pushed = constants;
            }
            if (pulled(context.plan)) {
                commands(vkCmdDraw, chunk.triangle_room * 3, 1, 0, instance);
            } else {
                commands(vkCmdDrawIndexed, chunk.triangle_room * 3, 1, chunk.first_triangle * 3,
                         static_cast<std::int32_t>(chunk.first_vertex), instance);
            }
            counters.meshlets += chunk.meshlet_count();
            counters.sublets += chunk.sublet_count();
            counters.primitives_drawn += chunk.triangle_count;
        };
        for (const std::uint32_t i : visible_[draw_class]) {
            const std::uint32_t mesh = scene.instance_data[i].mesh;
            // Where what moves or deforms is, the GPU alone knows.
            const bool known = std::isfinite(scene.instance_spheres[i].w);
            const bool select = counters.selects_meshlets && known;
            if (chain.has_cut(i) && !known) {  // draw_moving()
                counters.levels.reset();
                continue;
            }
            if (counters.levels) count_levels(chain, scene, i, *counters.levels);
            if (select || scene.mesh_headers[mesh].coarse_meshlets != 0) {
                chain.find_cut(i, meshlets_);
                if (counters.levels) counters.levels->cut_triangles += triangles_of(scene, mesh);
                if (select) select_meshlets(chain, i, counters);
                if (counters.levels) count_drawn(chain, scene, i, *counters.levels);
                for_each_run(scene, mesh, [&](const DirectChunk& run) { draw(i, run); });
                continue;
            }
            for (const DirectChunk& chunk : scene.chunks(mesh)) {
                draw(i, chunk);
                if (!counters.levels) continue;
                counters.levels->cut_triangles += chunk.triangle_count;
                counters.levels->drawn_triangles[0] += chunk.triangle_count;
            }
        }
    }

    static void count_levels(const CpuChain& chain, const GpuScene& scene, std::uint32_t instance, CpuLevels& levels) {
        const std::uint32_t mesh = scene.instance_data[instance].mesh;
        const shared::MeshHeader& header = scene.mesh_headers[mesh];
        levels.all_meshlets += header.meshlet_count - (chain.has_cut(instance) ? 0 : header.coarse_meshlets);
        levels.finest_triangles += scene.levels.groups[scene.levels.mesh_groups + mesh].reserved[0];
    }

    // Those of meshlets_.
    [[nodiscard]] std::uint64_t triangles_of(const GpuScene& scene, std::uint32_t mesh) const {
        std::uint64_t sum = 0;
        for (const std::uint32_t meshlet : meshlets_) {
            sum += scene.meshlet_triangles[scene.mesh_headers[mesh].first_meshlet + meshlet];
        }
        return sum;
    }

    void count_drawn(const CpuChain& chain, const GpuScene& scene, std::uint32_t instance, CpuLevels& levels) const {
        const std::uint32_t first = scene.mesh_headers[scene.instance_data[instance].mesh].first_meshlet;
        for (const std::uint32_t meshlet : meshlets_) {
            const std::uint32_t level = std::min(chain.level(instance, meshlet), shared::kCountedLevels - 1);
            levels.drawn_triangles[level] += scene.meshlet_triangles[first + meshlet];
        }
    }

    // Leaves those of meshlets_ that pass the tests.
    void select_meshlets(const CpuChain& chain, std::uint32_t instance, CpuCounters& counters) {
        std::erase_if(meshlets_, [&](std::uint32_t meshlet) {
            const std::uint32_t verdict = chain.meshlet(instance, meshlet);
            if (verdict == shared::kPasses) return false;
            ++(verdict == shared::kFacesAway ? counters.meshlets_facing_away : counters.meshlets_outside);
            return true;
        });
    }

    // Calls back for each run of meshlets_ that lie side by side.
    template <class Draw>
    void for_each_run(const GpuScene& scene, std::uint32_t mesh, const Draw& draw) const {
        const shared::MeshHeader& header = scene.mesh_headers[mesh];
        for (std::size_t at = 0; at < meshlets_.size();) {
            const std::uint32_t meshlet = meshlets_[at];
            const std::uint32_t sublet = meshlet * shared::kSubletsPerMeshlet;
            const shared::MeshletRange& range = scene.ranges[header.first_meshlet + meshlet];
            DirectChunk run{.first_sublet = sublet,
                            .first_triangle = range.first_sublet * shared::kSubletSize,
                            .first_vertex = range.chunk_vertex};
            const std::size_t first = at;
            const auto goes_on = [&] {
                if (at == meshlets_.size() || meshlets_[at] != meshlet + (at - first)) return false;
                const shared::MeshletRange& next = scene.ranges[header.first_meshlet + meshlets_[at]];
                return next.chunk_vertex == range.chunk_vertex &&
                       next.first_sublet == range.first_sublet + (at - first) * shared::kSubletsPerMeshlet;
            };
            do {
                run.triangle_count += scene.meshlet_triangles[header.first_meshlet + meshlets_[at++]];
            } while (goes_on());
            const auto end = static_cast<std::uint32_t>(sublet + (at - first) * shared::kSubletsPerMeshlet);
            run.triangle_room = (std::min(end, header.sublet_count) - sublet) * shared::kSubletSize;
            draw(run);
        }
    }

    // Instances that move, of meshes with levels: every task of theirs, of which the vertex shader leaves those of
    // the cut.
    void draw_moving(const PhaseContext& context, const CpuChain& chain) const {
        const GpuScene& scene = context.scene;
        PerClass<std::vector<std::uint32_t>> moving;
        PerClass<std::uint32_t> counts{};
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            std::ranges::copy_if(visible_[c], std::back_inserter(moving[c]), [&](std::uint32_t i) {
                return chain.has_cut(i) && !std::isfinite(scene.instance_spheres[i].w);
            });
            counts[c] = static_cast<std::uint32_t>(moving[c].size());
        }
        if (std::ranges::all_of(counts, [](std::uint32_t count) { return count == 0; })) return;
        draw_tasks(context, counts, [&](gpu::Commands commands, std::uint32_t c) {
            for (const std::uint32_t i : moving[c]) {
                const std::uint32_t meshlets = scene.mesh_headers[scene.instance_data[i].mesh].meshlet_count;
                commands(vkCmdDraw, kTaskVertices, (meshlets + shared::kTaskMeshlets - 1) / shared::kTaskMeshlets, 0,
                         scene.first_of_data[i].task);
            }
        });
    }

    PerClass<std::vector<std::uint32_t>> visible_;  // kept for their capacity
    std::vector<std::uint32_t> meshlets_;           // of the instance at hand
};

}  // namespace

std::unique_ptr<BackendBase> make_direct(gpu::Device& /*device*/) {
    return std::make_unique<DirectBackend>();
}

}  // namespace sublet::render
