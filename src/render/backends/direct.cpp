// Plain draws, one vkCmdDrawIndexed per instance, recorded by the CPU: the reference that all others are compared with.
// Reads: decoded vertices, 32-bit indices. Writes: ids, depth.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "render/backends/backend.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

// frustum.glsl's test, slack and all.
bool sphere_in_frustum(const View& view, const glm::vec4& sphere) {
    return std::all_of(view.planes.begin(), view.planes.end(), [&](const glm::vec4& plane) {
        const float slack = 1e-6F * (std::abs(sphere.x) + std::abs(sphere.y) + std::abs(sphere.z) + std::abs(plane.w));
        return plane.x * sphere.x + plane.y * sphere.y + plane.z * sphere.z + plane.w >= -sphere.w - slack;
    });
}

class DirectBackend final : public BackendBase {
  public:
    CpuCounters record(PhaseContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        const gpu::Buffer& indices = context.scene.indices->get(context, context.scene, 32);
        const auto pass = context.pass("draw");
        CpuCounters counters;
        cull_instances(context, counters);
        vkCmdBindIndexBuffer(commands, indices.handle(), 0, VK_INDEX_TYPE_UINT32);
        PerClass<std::uint32_t> visible{};
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            visible[c] = static_cast<std::uint32_t>(visible_[c].size());
        }
        context.draw(
            true, stages(context.plan), {gpu::buffer_at(shared::kBindIndices, indices)}, visible,
            [&](const gpu::Pipeline& pipeline, std::uint32_t c) { record_draws(context, pipeline, c, counters); });
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
        out.vertex.spirv = corners ? shaders::direct_corners_vert : shaders::direct_vert;
        out.vertex.specialization = {{shared::kSpecPulled, pulled(plan) ? 1U : 0U}};
        out.id = corners ? IdSource::kCorners : pulled(plan) ? IdSource::kVertex : IdSource::kPrimitiveId;
        return out;
    }

    // Lists the instances inside the view, by draw class.
    void cull_instances(const PhaseContext& context, CpuCounters& counters) {
        const GpuScene& scene = context.scene;
        const bool cull = context.plan.cull_instances && context.plan.cull_frustum;
        for (std::vector<std::uint32_t>& list : visible_) {
            list.clear();
        }
        for (std::uint32_t i = 0; i < scene.instance_count; ++i) {
            if ((scene.instance_data[i].flags & shared::kInstanceHidden) != 0) continue;
            if (!cull || sphere_in_frustum(context.geometry.cull_view(), scene.instance_spheres[i])) {
                const shared::MeshHeader& mesh = scene.mesh_headers[scene.instance_data[i].mesh];
                visible_[scene.instance_data[i].flags & shared::kInstanceClassMask].push_back(i);
                ++counters.instances_visible;
                counters.meshlets += mesh.meshlet_count;
                counters.sublets += mesh.sublet_count;
            }
        }
    }

    // The instances of one class.
    void record_draws(const PhaseContext& context, const gpu::Pipeline& pipeline, std::uint32_t draw_class,
                      CpuCounters& counters) const {
        std::optional<shared::DirectConstants> pushed;  // as they are
        VkCommandBuffer commands = context.frame.commands;
        const GpuScene& scene = context.scene;
        for (const std::uint32_t i : visible_[draw_class]) {
            for (const DirectChunk& chunk : scene.chunks(scene.instance_data[i].mesh)) {
                const shared::DirectConstants constants{chunk.first_sublet, chunk.first_triangle * 3,
                                                        chunk.first_vertex};
                if (!pushed || std::memcmp(&*pushed, &constants, sizeof(constants)) != 0) {
                    pipeline.push(commands, constants);
                    pushed = constants;
                }
                if (pulled(context.plan)) {
                    vkCmdDraw(commands, chunk.triangle_room * 3, 1, 0, i);
                } else {
                    vkCmdDrawIndexed(commands, chunk.triangle_room * 3, 1, chunk.first_triangle * 3,
                                     static_cast<std::int32_t>(chunk.first_vertex), i);
                }
                counters.primitives_drawn += chunk.triangle_count;
            }
        }
    }

    PerClass<std::vector<std::uint32_t>> visible_;  // kept for their capacity
};

}  // namespace

std::unique_ptr<BackendBase> make_direct(gpu::Device& /*device*/) {
    return std::make_unique<DirectBackend>();
}

}  // namespace sublet::render
