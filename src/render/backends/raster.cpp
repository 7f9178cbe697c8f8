// Rasterises in compute: no graphics pipeline at all. Surviving sublets are drawn 32 lanes each; what is too large for
// a lane by workgroups behind that, which share medium triangles, and take blocks of large ones, or those to be cut.
// Reads: encoded or decoded sublets, survivor lists. Writes: Targets::pixels.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/raster_wide_ids.h"
#include "render/backends/rest.h"
#include "render/cull/cull_state.h"
#include "render/cull/cut_numbers.h"
#include "render/cull/sublet_work.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kListBytes = std::uint64_t{32} << 20U;  // of medium triangles, where no budget was asked for
constexpr std::uint32_t kPieceBytes = 32;                       // of its entries: backends/raster_medium.glsl
constexpr std::uint32_t kBlockBytes = 8;                        // of the list of large triangles
// Where sublets are drawn by subgroups, workgroups are small: so many for each that culling counted.
constexpr std::uint32_t kGroupsOfSubgroups = 2;
constexpr VkDeviceSize kDraws = offsetof(shared::CullState, draws) + offsetof(shared::RoundDraws, raster);

class RasterBackend final : public BackendBase {
  public:
    explicit RasterBackend(gpu::Device& device) : device_(device), work_(device) {}

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan) const override {
        return SubletWork::survivors(scene, plan);
    }

    void begin_frame(const ViewContext& context, shared::CullState& state) override {
        if (context.plan.subgroup != SubgroupPath::kGeneral) state.survivors.triangle_groups.z = kGroupsOfSubgroups;
        work_.begin_frame(context);
        if (counts_cut(context) && !(numbers_ && numbers_->fits(context.scene))) {
            if (numbers_) device_.retire(std::move(numbers_));
            numbers_ = std::make_unique<CutNumbers>(device_, context.scene);
        }
        const std::uint64_t asked = context.plan.compact_budget == 0 ? kListBytes : context.plan.compact_budget;
        const std::uint64_t pieces =
            std::min<std::uint64_t>(asked, device_.capabilities().limits.maxStorageBufferRange) / kPieceBytes;
        const std::uint64_t bytes = std::max<std::uint64_t>(pieces, 2) * kPieceBytes;
        if (!medium_ || medium_.size() != bytes) {
            device_.retire(std::exchange(medium_, make_storage_buffer(device_, "medium triangles", bytes)));
            device_.retire(std::exchange(large_, make_storage_buffer(device_, "large triangles", bytes / 4)));
        }
        // An entry for each sublet; of what blends for each triangle, as far as large ones have room.
        const std::uint64_t left_bytes =
            std::max(context.survivors.items, std::min(blended_triangles(context), large_.size() / kBlockBytes)) * 4;
        if (!left_ || left_.size() != left_bytes) {
            device_.retire(std::exchange(left_, make_storage_buffer(device_, "left to rasterise", left_bytes)));
        }
    }

    CpuCounters record(PhaseContext& context) override {
        const CutNumbers* numbers = counts_cut(context) ? &*numbers_ : nullptr;
        context.for_each_round([&] {
            work_.cull(context, 0, numbers);
            for (const RasterWords words : context.output.raster_words(is_blended(context))) raster(context, words);
        });
        if (is_blended(context) && (context.survivors.rounds > 1 || blended_triangles(context) > left_.size() / 4)) {
            clear_layers_for_rest(context);
            const ComputePass pass(context, "raster rest");
            raster_large(context, RasterWords::kLayers, shared::kRestAlone);
        }
        return {};
    }

    void end_frame(const ViewContext& context) override {
        if (context.geometry.targets.wide_ids) record_raster_wide_ids(context, numbers_of(context));
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        work_.add_pipelines(phase, 0, out, raster_counts_cut(phase.scene, phase.plan, {}));
        for (const RasterWords words : phase.output.raster_words(phase.phase == CullPhase::kBlended)) {
            for (const bool masked : kinds(phase, words)) {
                out.add(small_desc(phase.plan, phase.scene, words, masked));
                if (words != RasterWords::kLayers) out.add(medium_desc(phase.plan, phase.scene, words, masked));
            }
            out.add(large_desc(phase, words));
        }
        if (phase.phase == CullPhase::kBlended) add_clear_layers_pipeline(phase.plan, true, out);
        if (phase.scene.wide_ids) out.add(raster_wide_ids_desc(phase.scene, phase.plan));
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        return {.survivors = work_.list_bytes(),
                .triangles = (medium_ ? medium_.size() + large_.size() : 0) + (left_ ? left_.size() : 0) +
                             (numbers_ ? numbers_->bytes() : 0)};
    }

  private:
    [[nodiscard]] static bool counts_cut(const ViewContext& context) {
        return context.geometry.targets.wide_ids && raster_counts_cut(context.scene, context.plan, context.hooks);
    }
    // Where they are not read, any buffer will do.
    [[nodiscard]] gpu::Descriptor numbers_of(const ViewContext& context) const {
        return counts_cut(context) ? numbers_->descriptor()
                                   : gpu::buffer_at(shared::kBindCutNumbers, context.scene.task_sources);
    }

    [[nodiscard]] static bool is_blended(const PhaseContext& context) { return context.phase == CullPhase::kBlended; }

    // That a round may draw, at most.
    [[nodiscard]] static std::uint64_t blended_triangles(const ViewContext& context) {
        const std::uint64_t sublets = context.output.blends() ? context.survivors.slots[shared::kClassBlended] : 0;
        return sublets * shared::kSubletSize;
    }

    // Kinds of draw classes that are drawn: those that are not tested for alpha, and those that are.
    [[nodiscard]] static std::vector<bool> kinds(const ViewPlan& view, RasterWords words) {
        if (words == RasterWords::kLayers) return {true};
        std::vector<bool> out;
        if (view.scene.has_untested()) out.push_back(false);
        if (view.scene.has_alpha_tested(!view.output.blends())) out.push_back(true);
        return out;
    }

    // Binds a pipeline with all that the passes read and write.
    void bind(const PhaseContext& context, const gpu::ComputePipelineDesc& desc, std::uint32_t rest) const {
        const gpu::Commands commands = context.frame.commands;
        const Targets& targets = context.geometry.targets;
        const gpu::Pipeline& pipeline = context.bind(
            desc, {work_.list(), gpu::buffer_at(shared::kBindPixels, targets.pixels),
                   gpu::buffer_at(shared::kBindMediumTriangles, medium_),
                   gpu::buffer_at(shared::kBindLargeTriangles, large_), gpu::buffer_at(shared::kBindLeftSublets, left_),
                   gpu::buffer_at(shared::kBindTaskSources, context.scene.task_sources), numbers_of(context)});
        context.scene.textures->bind(commands, pipeline, context.frame.slot);
        pipeline.push(commands, shared::RasterConstants{
                                    .size = {targets.extent.width, targets.extent.height},
                                    .limit = context.plan.raster_limit,
                                    .medium_capacity = static_cast<std::uint32_t>(
                                        medium_.size() / kPieceBytes / (context.scene.has_alpha_tested() ? 2 : 1)),
                                    .large_capacity = static_cast<std::uint32_t>(large_.size() / kBlockBytes),
                                    .rest = rest,
                                    .number_mask = raster_number_mask(context.plan, context.hooks),
                                    .counts_cut = counts_cut(context) ? 1U : 0U});
    }

    void raster_large(const PhaseContext& context, RasterWords words, std::uint32_t rest) const {
        bind(context, large_desc(context, words), rest);
        context.frame.commands(vkCmdDispatchIndirect, context.cull_states().handle(),
                               context.in_state(kDraws + offsetof(shared::RasterDraws, groups)));
    }

    void raster(const PhaseContext& context, RasterWords words) const {
        const bool ids = words == RasterWords::kIds;
        const gpu::Commands commands = context.frame.commands;
        // Layers take each triangle once: before the rest is drawn, they are cleared.
        const bool last = context.round + 1 == context.geometry.rounds && words != RasterWords::kLayers;
        const std::uint32_t rest = last ? shared::kRestAlso : shared::kRestNot;
        const VkBuffer state = context.cull_states().handle();
        {
            const ComputePass pass(context, ids ? "raster ids" : "raster");
            for (const bool masked : kinds(context, words)) {
                bind(context, small_desc(context.plan, context.scene, words, masked), rest);
                commands(vkCmdDispatchIndirect, state, context.in_state(kTriangleGroupsOffset));
            }
        }
        const ComputePass pass(context, ids ? "raster large ids" : "raster large");
        for (const bool masked : kinds(context, words)) {
            if (words == RasterWords::kLayers) continue;  // they have none
            bind(context, medium_desc(context.plan, context.scene, words, masked), rest);
            commands(vkCmdDispatchIndirect, state,
                     context.in_state(kDraws + offsetof(shared::RasterDraws, medium_groups) +
                                      (masked ? sizeof(shared::DispatchCommand) : 0)));
        }
        raster_large(context, words, rest);
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
            .shader = {.spirv = whole_words(words) ? wide : narrow,
                       .specialization = {{shared::kSpecCount, plan.collect_counters ? 1U : 0U},
                                          {shared::kSpecEncoded, encoded_as(plan)},
                                          {shared::kSpecRasterWords, static_cast<std::uint32_t>(words)}}}};
        if (subgroups) {  // a sublet's 32 lanes must share a subgroup
            desc.shader.full_subgroups = plan.device.full_subgroups;
            desc.shader.required_subgroup_size = plan.device.required_subgroup_size;
        }
        add_masks(desc, scene, plan, masked);
        return desc;
    }

    [[nodiscard]] static gpu::ComputePipelineDesc medium_desc(const FramePlan& plan, const GpuScene& scene,
                                                              RasterWords words, bool masked) {
        gpu::ComputePipelineDesc desc{
            .name = words == RasterWords::kIds ? "raster medium ids" : "raster medium",
            .shader = {.spirv = whole_words(words) ? shaders::raster_medium_comp : shaders::raster_medium_words_comp,
                       .specialization = {{shared::kSpecEncoded, encoded_as(plan)},
                                          {shared::kSpecRasterWords, static_cast<std::uint32_t>(words)}}}};
        add_masks(desc, scene, plan, masked);
        return desc;
    }

    [[nodiscard]] static gpu::ComputePipelineDesc large_desc(const ViewPlan& view, RasterWords words) {
        const FramePlan& plan = view.plan;
        gpu::ComputePipelineDesc desc{
            .name = words == RasterWords::kIds ? "raster large ids" : "raster large",
            .shader = {.spirv = whole_words(words) ? shaders::raster_large_comp : shaders::raster_large_words_comp,
                       .specialization = {{shared::kSpecEncoded, encoded_as(plan)},
                                          {shared::kSpecRasterWords, static_cast<std::uint32_t>(words)}}}};
        const std::vector<bool> drawn = kinds(view, words);
        add_masks(desc, view.scene, plan, !drawn.empty() && drawn.back());
        return desc;
    }

    // By 64-bit atomics.
    [[nodiscard]] static bool whole_words(RasterWords words) {
        return words == RasterWords::kPixels || words == RasterWords::kLayers;
    }

    static void add_masks(gpu::ComputePipelineDesc& desc, const GpuScene& scene, const FramePlan& plan, bool masked) {
        desc.shader.specialization.push_back({shared::kSpecMasked, masked ? 1U : 0U});
        if (masked) desc.shader.specialization.push_back(layers_constant(plan));
        if (masked) add_mask_constants(desc.shader, scene, plan);
        desc.textures = scene.textures->layout();
    }

    gpu::Device& device_;
    SubletWork work_;
    gpu::Buffer medium_;                   // triangles in pieces, for workgroups
    gpu::Buffer large_;                    // and in blocks of the window
    gpu::Buffer left_;                     // slots of sublets whose triangles had no room there
    std::unique_ptr<CutNumbers> numbers_;  // of scenes with wide ids
};

}  // namespace

std::unique_ptr<BackendBase> make_raster(gpu::Device& device) {
    return std::make_unique<RasterBackend>(device);
}

}  // namespace sublet::render
