// For any GPU with compute: what survives culling down to single triangles goes to one transient index buffer, a region
// for each draw class, drawn by one indexed indirect draw each. Reads: encoded or decoded sublets, survivor lists.
// Writes: the index buffer, colour, depth.
#include <map>
#include <utility>

#include "render/backends/backend.h"
#include "render/backends/primitive_pass.h"
#include "render/backends/sublet_work.h"
#include "render/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

class CompactBackend final : public BackendBase {
  public:
    CompactBackend(gpu::Device& device, VkDescriptorSetLayout textures)
        : device_(device), textures_(textures), work_(device), primitives_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& state) override {
        work_.begin_frame(context);
        primitives_.begin_frame(context, shared::kPrimitiveIndices, state);
    }

    CpuCounters record(RecordContext& context) override {
        return primitives_.record(context, work_, [&](const PrimitivePass::Regions& regions, bool first) {
            draw(context, regions, first && context.first_draw());
        });
    }

    void scene_changed() override {
        for (auto& [key, pipeline] : pipelines_) {
            device_.retire(std::move(pipeline));
        }
        pipelines_.clear();
        primitives_.scene_changed();
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t decoded_bytes() const override { return work_.decoded_bytes(); }
    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + primitives_.transient_bytes();
    }

  private:
    void draw(const RecordContext& context, const PrimitivePass::Regions& regions, bool clear) {
        VkCommandBuffer commands = context.frame.commands;
        begin_rendering(commands, context.targets, clear);
        const gpu::Pipeline& pipeline =
            this->pipeline(context.scene, {context.settings.payload == Payload::kEncoded, context.settings.attributes});
        context.frame.descriptors->bind(commands, pipeline, work_.descriptors(context));
        context.scene.textures->bind(commands, pipeline);
        vkCmdBindIndexBuffer(commands, primitives_.output().handle(), 0, VK_INDEX_TYPE_UINT32);
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            if (regions[c].slots == 0) continue;
            set_draw_class(commands, c);
            pipeline.push(commands, context.scene.sublets.base[c] + regions[c].first_slot);
            vkCmdDrawIndexedIndirect(
                commands, context.cull_state.handle(),
                offsetof(shared::CullState, compact_draws) + VkDeviceSize{c} * sizeof(VkDrawIndexedIndirectCommand), 1,
                sizeof(VkDrawIndexedIndirectCommand));
        }
        vkCmdEndRendering(commands);
    }

    using Key = std::pair<bool, Attributes>;  // whether the payload is encoded

    const gpu::Pipeline& pipeline(const GpuScene& scene, const Key& key) {
        gpu::Pipeline& pipeline = pipelines_[key];
        if (!pipeline) {
            SurfaceStages stages;
            stages.name = "compact";
            stages.attributes = key.second;
            stages.vertex.spirv = stages.attributes == Attributes::kFetched ? shaders::compact_fetched_vert
                                                                            : shaders::compact_interpolated_vert;
            stages.vertex.specialization = {{1, key.first ? 1U : 0U}};
            stages.storage_buffers = 4;
            stages.push_constant_bytes = sizeof(std::uint32_t);
            pipeline = make_surface_pipeline(device_, scene, textures_, std::move(stages));
        }
        return pipeline;
    }

    gpu::Device& device_;
    VkDescriptorSetLayout textures_;
    SubletWork work_;
    PrimitivePass primitives_;
    std::map<Key, gpu::Pipeline> pipelines_;
};

}  // namespace

std::unique_ptr<BackendBase> make_compact(gpu::Device& device, VkDescriptorSetLayout textures) {
    return std::make_unique<CompactBackend>(device, textures);
}

}  // namespace sublet::render
