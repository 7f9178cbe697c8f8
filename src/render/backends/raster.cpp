// Rasterises in compute: no graphics pipeline at all. Surviving sublets are drawn 32 lanes each; what is too large for
// a lane, and what has to be cut, by workgroups behind that. Reads: encoded or decoded sublets, survivor lists. Writes:
// Targets::pixels.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/cull/cull_state.h"
#include "render/cull/sublet_work.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kListBytes = std::uint64_t{16} << 20U;  // of large triangles, where no budget was asked for
constexpr std::uint32_t kEntryBytes = 8;

class RasterBackend final : public BackendBase {
  public:
    explicit RasterBackend(gpu::Device& device) : device_(device), work_(device) {}

    void prepare(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) override {
        work_.prepare(scene, plan, hooks);
    }

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& /*plan*/) const override {
        return SubletWork::survivors(scene);
    }

    void begin_frame(const ViewContext& context, shared::CullState& /*state*/) override {
        work_.begin_frame(context);
        const std::uint64_t asked = context.plan.compact_budget == 0 ? kListBytes : context.plan.compact_budget;
        const std::uint64_t bytes =
            std::min<std::uint64_t>(asked, device_.capabilities().limits.maxStorageBufferRange) / kEntryBytes *
            kEntryBytes;
        if (!large_ || large_.size() != std::max<std::uint64_t>(bytes, kEntryBytes)) {
            device_.retire(std::exchange(
                large_, make_storage_buffer(device_, "large triangles", std::max<std::uint64_t>(bytes, kEntryBytes))));
        }
        if (!left_ || left_.size() != context.survivors.items * 4) {
            device_.retire(std::exchange(
                left_, make_storage_buffer(device_, "sublets left to rasterise", context.survivors.items * 4)));
        }
    }

    CpuCounters record(PhaseContext& context) override {
        context.for_each_round([&] {
            work_.cull(context, 0);
            for (const RasterWords words : context.output.raster_words()) raster(context, words);
        });
        return {};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        SubletWork::add_pipelines(phase, 0, out);
        for (const RasterWords words : phase.output.raster_words()) {
            if (phase.scene.has_untested()) out.add(small_desc(phase.plan, phase.scene, words, false));
            if (phase.scene.has_alpha_tested()) out.add(small_desc(phase.plan, phase.scene, words, true));
            out.add(large_desc(phase.plan, phase.scene, words));
        }
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        return {.survivors = work_.list_bytes(),
                .triangles = (large_ ? large_.size() : 0) + (left_ ? left_.size() : 0)};
    }

  private:
    void raster(const PhaseContext& context, RasterWords words) const {
        const bool ids = words == RasterWords::kIds;
        VkCommandBuffer commands = context.frame.commands;
        const VkExtent2D extent = context.geometry.targets.extent;
        const shared::RasterConstants constants{.size = {extent.width, extent.height},
                                                .limit = context.plan.raster_limit,
                                                .capacity = static_cast<std::uint32_t>(large_.size() / kEntryBytes),
                                                .last = context.round + 1 == context.geometry.rounds ? 1U : 0U};
        const auto bind = [&](const gpu::Pipeline& pipeline) {
            context.bind(pipeline, {work_.list(), gpu::buffer_at(shared::kBindPixels, context.geometry.targets.pixels),
                                    gpu::buffer_at(shared::kBindLargeTriangles, large_),
                                    gpu::buffer_at(shared::kBindLeftSublets, left_)});
            context.scene.textures->bind(commands, pipeline, context.frame.slot);
            pipeline.push(commands, constants);
        };
        const VkBuffer state = context.cull_states().handle();
        {
            const ComputePass pass(context, ids ? "raster ids" : "raster");
            for (const bool masked : {false, true}) {
                if (masked ? !context.scene.has_alpha_tested() : !context.scene.has_untested()) continue;
                bind(context.pipelines.get(small_desc(context.plan, context.scene, words, masked)));
                vkCmdDispatchIndirect(commands, state, context.in_state(kTriangleGroupsOffset));
            }
        }
        const ComputePass pass(context, ids ? "raster large ids" : "raster large");
        bind(context.pipelines.get(large_desc(context.plan, context.scene, words)));
        vkCmdDispatchIndirect(
            commands, state,
            context.in_state(offsetof(shared::CullState, draws) + offsetof(shared::RoundDraws, raster) +
                             offsetof(shared::RasterDraws, groups)));
    }

    // `masked`: for classes that are tested for alpha, else for the others.
    [[nodiscard]] static gpu::ComputePipelineDesc small_desc(const FramePlan& plan, const GpuScene& scene,
                                                             RasterWords words, bool masked) {
        const bool subgroups = plan.subgroup != SubgroupPath::kGeneral;
        const std::span<const std::uint32_t> wide = subgroups ? shaders::raster_subgroup_comp : shaders::raster_comp;
        const std::span<const std::uint32_t> narrow =
            subgroups ? shaders::raster_words_subgroup_comp : shaders::raster_words_comp;
        gpu::ComputePipelineDesc desc{
            .name = std::string(words == RasterWords::kIds ? "raster ids" : "raster") + (masked ? ", masked" : ""),
            .shader = {.spirv = words == RasterWords::kPixels ? wide : narrow,
                       .specialization = {{shared::kSpecCount, plan.collect_counters ? 1U : 0U},
                                          {shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U},
                                          {shared::kSpecWideIds, scene.wide_ids ? 1U : 0U},
                                          {shared::kSpecRasterWords, static_cast<std::uint32_t>(words)}}}};
        if (subgroups) {  // a sublet's 32 lanes must share a subgroup
            desc.shader.full_subgroups = plan.device.full_subgroups;
            desc.shader.required_subgroup_size = plan.device.required_subgroup_size;
        }
        add_masks(desc, scene, plan, masked);
        return desc;
    }

    [[nodiscard]] static gpu::ComputePipelineDesc large_desc(const FramePlan& plan, const GpuScene& scene,
                                                             RasterWords words) {
        gpu::ComputePipelineDesc desc{
            .name = words == RasterWords::kIds ? "raster large ids" : "raster large",
            .shader = {
                .spirv = words == RasterWords::kPixels ? shaders::raster_large_comp : shaders::raster_large_words_comp,
                .specialization = {{shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U},
                                   {shared::kSpecWideIds, scene.wide_ids ? 1U : 0U},
                                   {shared::kSpecRasterWords, static_cast<std::uint32_t>(words)}}}};
        add_masks(desc, scene, plan, scene.has_alpha_tested());
        return desc;
    }

    static void add_masks(gpu::ComputePipelineDesc& desc, const GpuScene& scene, const FramePlan& plan, bool masked) {
        desc.shader.specialization.push_back({shared::kSpecMasked, masked ? 1U : 0U});
        if (masked) add_mask_constants(desc.shader, scene, plan);
        desc.textures = scene.textures->layout();
    }

    gpu::Device& device_;
    SubletWork work_;
    gpu::Buffer large_;  // triangles in bands of the window, for workgroups
    gpu::Buffer left_;   // slots of sublets whose triangles had no room there
};

}  // namespace

std::unique_ptr<BackendBase> make_raster(gpu::Device& device) {
    return std::make_unique<RasterBackend>(device);
}

}  // namespace sublet::render
