// For any GPU with compute: what survives culling down to single triangles goes to one transient index buffer, a region
// for each draw class, drawn by one indexed indirect draw each. Reads: encoded or decoded sublets, survivor lists.
// Writes: the index buffer, ids, depth.
#include "render/backends/backend.h"
#include "render/cull/primitives.h"
#include "render/cull/sublet_work.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

class CompactBackend final : public BackendBase {
  public:
    explicit CompactBackend(gpu::Device& device)
        : pulled_(!numbers_triangles(device)), work_(device), primitives_(device) {}

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
        primitives_.scene_changed();
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + primitives_.transient_bytes();
    }

  private:
    struct Constants {  // backends/compact_constants.glsl
        std::uint32_t first_slot, first_index, first_triangle;
    };
    static constexpr std::uint32_t kDraw = sizeof(VkDrawIndexedIndirectCommand);

    void draw(const RecordContext& context, const PrimitivePass::Regions& regions, bool clear) {
        VkCommandBuffer commands = context.frame.commands;
        context.output.begin(commands, context.targets, clear);
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(context.plan)));
        std::vector<gpu::Descriptor> descriptors = work_.descriptors(context);
        descriptors.push_back(gpu::buffer_at(10, primitives_.output()));
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        vkCmdBindIndexBuffer(commands, primitives_.output().handle(), 0, VK_INDEX_TYPE_UINT32);
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            if (regions[c].slots == 0) continue;
            set_draw_class(commands, c);
            pipeline.push(commands, Constants{context.scene.sublets.base[c] + regions[c].first_slot,
                                              regions[c].first_word, regions[c].first_header});
            const VkDeviceSize offset = offsetof(shared::CullState, compact_draws) + VkDeviceSize{c} * kDraw;
            if (pulled_) {
                // The command's first words are those of a draw without indices, from the first index on.
                vkCmdDrawIndirect(commands, context.cull_state.handle(), offset, 1, kDraw);
            } else {
                vkCmdDrawIndexedIndirect(commands, context.cull_state.handle(), offset, 1, kDraw);
            }
        }
        vkCmdEndRendering(commands);
    }

    [[nodiscard]] GeometryStages stages(const FramePlan& plan) const {
        GeometryStages out;
        out.name = "compact";
        out.vertex.spirv = pulled_ ? shaders::compact_pulled_vert : shaders::compact_vert;
        out.vertex.specialization = {{1, plan.payload == Payload::kEncoded ? 1U : 0U}};
        out.id = pulled_ ? IdSource::kVertex : IdSource::kList;
        out.storage_buffers = 5;
        out.push_constant_bytes = sizeof(Constants);
        return out;
    }

    bool pulled_;  // the vertex shader reads the indices
    SubletWork work_;
    PrimitivePass primitives_;
};

}  // namespace

std::unique_ptr<BackendBase> make_compact(gpu::Device& device) {
    return std::make_unique<CompactBackend>(device);
}

}  // namespace sublet::render
