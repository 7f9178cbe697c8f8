// Plain draws, one vkCmdDrawIndexed per instance, recorded by the CPU: the reference that all others are compared with.
// Reads: decoded vertices, 32-bit indices. Writes: ids, depth.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "render/backends/backend.h"
#include "shaders/embedded.h"

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
    explicit DirectBackend(gpu::Device& device)
        : device_(device),
          corners_(finds_corners(device.capabilities())),
          pulled_(!corners_ && !numbers_triangles(device)) {}

    CpuCounters record(RecordContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages()));
        if (!indices_) {
            const auto pass = context.profiler.pass(commands, "decode");
            indices_ = make_index_buffer(context.device, context.scene, 32);
            context.decode.record_indices(commands, *context.frame.descriptors, context.scene, indices_, 32);
        }
        const auto pass = context.pass("draw");
        context.output.begin(commands, context.targets, true);
        std::vector<gpu::Descriptor> descriptors = decoded_scene_descriptors(context.scene, context.frame_data);
        if (corners_ || pulled_) descriptors.push_back(gpu::buffer_at(6, indices_));
        if (corners_) add_corner_descriptors(descriptors, context.scene);
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        vkCmdBindIndexBuffer(commands, indices_.handle(), 0, VK_INDEX_TYPE_UINT32);
        const CpuCounters counters = record_draws(commands, context, pipeline);
        vkCmdEndRendering(commands);
        return counters;
    }

    void scene_changed() override {
        device_.retire(std::exchange(indices_, {}));
        visible_ = {};
    }
    [[nodiscard]] std::uint64_t decoded_bytes() const override { return indices_ ? indices_.size() : 0; }

  private:
    struct Constants {  // backends/direct.vert
        std::uint32_t first_sublet, first_index, first_vertex;
        bool operator==(const Constants&) const = default;
    };

    [[nodiscard]] GeometryStages stages() const {
        GeometryStages out;
        out.name = "direct";
        out.vertex.spirv = corners_  ? shaders::direct_corners_vert
                           : pulled_ ? shaders::direct_pulled_vert
                                     : shaders::direct_vert;
        out.id = corners_ ? IdSource::kCorners : pulled_ ? IdSource::kVertex : IdSource::kPrimitiveId;
        out.storage_buffers = corners_ ? 4 : pulled_ ? 1 : 0;
        out.push_constant_bytes = sizeof(Constants);
        return out;
    }

    CpuCounters record_draws(VkCommandBuffer commands, const RecordContext& context, const gpu::Pipeline& pipeline) {
        const GpuScene& scene = context.scene;
        const bool cull = context.plan.cull_instances && context.plan.cull_frustum;
        for (std::vector<std::uint32_t>& list : visible_) {
            list.clear();
        }
        for (std::uint32_t i = 0; i < scene.instance_count; ++i) {
            if (!cull || sphere_in_frustum(context.cull_view, scene.instance_spheres[i])) {
                visible_[scene.instance_data[i].flags & shared::kInstanceClassMask].push_back(i);
            }
        }
        CpuCounters counters;
        std::optional<Constants> pushed;
        for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
            if (visible_[draw_class].empty()) {
                continue;
            }
            set_draw_class(commands, draw_class);
            for (const std::uint32_t i : visible_[draw_class]) {
                for (const DirectChunk& chunk : scene.chunks(scene.instance_data[i].mesh)) {
                    const Constants constants{chunk.first_sublet, chunk.first_triangle * 3, chunk.first_vertex};
                    if (std::exchange(pushed, constants) != constants) pipeline.push(commands, constants);
                    if (pulled_) {
                        vkCmdDraw(commands, chunk.triangle_room * 3, 1, 0, i);
                    } else {
                        vkCmdDrawIndexed(commands, chunk.triangle_room * 3, 1, chunk.first_triangle * 3,
                                         static_cast<std::int32_t>(chunk.first_vertex), i);
                    }
                    counters.primitives_drawn += chunk.triangle_count;
                }
            }
            counters.instances_visible += visible_[draw_class].size();
        }
        counters.primitives_tested = counters.primitives_drawn;
        return counters;
    }

    gpu::Device& device_;
    bool corners_;
    bool pulled_;  // the vertex shader reads the indices
    gpu::Buffer indices_;
    std::array<std::vector<std::uint32_t>, shared::kDrawClasses> visible_;  // kept for their capacity
};

}  // namespace

std::unique_ptr<BackendBase> make_direct(gpu::Device& device) {
    return std::make_unique<DirectBackend>(device);
}

}  // namespace sublet::render
