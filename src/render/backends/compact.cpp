// For any GPU with compute: what survives culling down to single triangles goes to one transient index buffer, a region
// for each draw class, drawn by one indexed indirect draw each. Reads: encoded or decoded sublets, survivor lists.
// Writes: the index buffer, ids, depth.
#include "render/backends/backend.h"
#include "render/cull/cull_state.h"
#include "render/cull/primitives.h"
#include "render/cull/sublet_work.h"
#include "shaders/embedded.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

class CompactBackend final : public BackendBase {
  public:
    explicit CompactBackend(gpu::Device& device) : work_(device), primitives_(device) {}

    void begin_frame(const FrameContext& context, shared::CullState& state) override {
        work_.begin_frame(context);
        primitives_.begin_frame(context, shared::kPrimitiveIndices, state);
    }

    CpuCounters record(RecordContext& context) override {
        return primitives_.record(context, work_, [&](const PrimitivePass::Regions& regions, bool first) {
            draw(context, regions, first && context.first_draw());
        });
    }

    void prepare(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) override {
        work_.prepare(scene, plan, hooks);
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        PrimitivePass::add_pipelines(phase, shared::kPrimitiveIndices, out);
        out.add(phase.output.pipeline(stages(phase.plan)));
    }

    void scene_changed() override {
        primitives_.scene_changed();
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + primitives_.transient_bytes();
    }

  private:
    // Whether the vertex shader reads the indices.
    [[nodiscard]] static bool pulled(const FramePlan& plan) { return !plan.device.numbers_triangles; }

    void draw(const RecordContext& context, const PrimitivePass::Regions& regions, bool clear) {
        VkCommandBuffer commands = context.frame.commands;
        const VkBuffer state = context.cull_state.handle();
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(context.plan)));
        vkCmdBindIndexBuffer(commands, primitives_.output().handle(), 0, VK_INDEX_TYPE_UINT32);
        draw_classes(context, clear, pipeline, {work_.survivors(), primitives_.triangles()}, slots_of(regions),
                     [&](std::uint32_t c) {
                         pipeline.push(commands,
                                       shared::CompactConstants{context.scene.sublets.base[c] + regions[c].first_slot,
                                                                regions[c].first_word, regions[c].first_header});
                         const VkDeviceSize offset = draws_offset(c) + offsetof(shared::ClassDraws, compact);
                         if (pulled(context.plan)) {
                             // The command's first words are those of a draw without indices, from the first index on.
                             vkCmdDrawIndirect(commands, state, offset, 1, sizeof(VkDrawIndexedIndirectCommand));
                         } else {
                             vkCmdDrawIndexedIndirect(commands, state, offset, 1, sizeof(VkDrawIndexedIndirectCommand));
                         }
                     });
    }

    [[nodiscard]] static GeometryStages stages(const FramePlan& plan) {
        GeometryStages out;
        out.name = "compact";
        out.vertex.spirv = pulled(plan) ? shaders::compact_pulled_vert : shaders::compact_vert;
        out.vertex.specialization = {{shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U}};
        out.id = pulled(plan) ? IdSource::kVertex : IdSource::kList;
        return out;
    }

    SubletWork work_;
    PrimitivePass primitives_;
};

}  // namespace

std::unique_ptr<BackendBase> make_compact(gpu::Device& device) {
    return std::make_unique<CompactBackend>(device);
}

}  // namespace sublet::render
