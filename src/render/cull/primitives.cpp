#include "render/cull/primitives.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "gpu/barriers.h"
#include "render/cull/cull_state.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kIndexWords = shared::kSubletSize * 3;  // of a sublet, at most
constexpr std::uint32_t kTimedRounds = 16;                      // more are timed as one

// What a run of sublets leaves, at most.
struct RunSize {
    std::uint32_t words = 0;
    std::uint32_t headers = 0;  // a word for each batch, or, beside indices, for each triangle
};

RunSize run_size(std::uint32_t form) {
    if (form == shared::kPrimitiveIndices) {
        return {shared::kPrimitiveGroupSublets * kIndexWords, shared::kPrimitiveGroupSublets * shared::kSubletSize};
    }
    if (form == shared::kPrimitiveMasks) return {shared::kPrimitiveGroupSublets * 2, 0};
    // Of any two batches one after the other at least one holds half of what fits, and none less than a sublet. A batch
    // has a word for each vertex and each triangle.
    const std::uint32_t batches = shared::kPrimitiveGroupSublets / (form / shared::kSubletSize);
    return {batches * 2 * form, batches};
}

std::uint64_t run_bytes(std::uint32_t form) {
    const RunSize run = run_size(form);
    return (std::uint64_t{run.words} + run.headers) * 4;
}

template <class T>
T divide_up(T a, T b) {
    return (a + b - 1) / b;
}

// What the draws of a round start from.
void begin_draws(shared::CullState& state, const PrimitivePass::Regions& regions) {
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        state.draws.classes[c].compact = {.indices = 0,
                                          .instances = 1,
                                          .first_index = regions[c].first_word,
                                          .vertex_offset = 0,
                                          .first_instance = 0};
    }
}

}  // namespace

PrimitivePass::PrimitivePass(gpu::Device& device)
    : device_(device),
      sublets_(device),
      depth_sampler_(device, {.filter = VK_FILTER_NEAREST,
                              .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                              .address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                              .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                              .name = "depth"}) {}

PrimitivePass::Plan PrimitivePass::plan_rounds(const GpuScene& scene) const {
    const gpu::Capabilities& capabilities = device_.capabilities();
    std::uint64_t budget = budget_;
    if (budget == 0) {
        constexpr std::uint64_t kMiB = 1U << 20U;
        budget = std::clamp<std::uint64_t>(capabilities.device_local_bytes / 32, 64 * kMiB, 2048 * kMiB);
    }
    // Rounds of the lists and rounds of this pass, one within the other, are to be kMostAskedRounds at most.
    const std::uint64_t most_rounds = std::max<std::uint64_t>(kMostAskedRounds / scene.sublets.rounds.size(), 1);
    PerClass<std::uint64_t> least{};
    std::uint64_t least_of_all = shared::kDrawClasses;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        least[c] = divide_up(divide_up<std::uint64_t>(scene.sublets.capacity[c], most_rounds),
                             std::uint64_t{shared::kPrimitiveGroupSublets});
        least_of_all += least[c];
    }
    budget = std::min<std::uint64_t>(std::max(budget, least_of_all * run_bytes(form_)),
                                     capabilities.limits.maxStorageBufferRange);
    const Plan plan = share_out(scene, budget, least);
    return plan.words * 4 <= capabilities.limits.maxStorageBufferRange ? plan : share_out(scene, budget, {});
}

PrimitivePass::Plan PrimitivePass::share_out(const GpuScene& scene, std::uint64_t budget,
                                             const PerClass<std::uint64_t>& least_runs) const {
    const RunSize run = run_size(form_);
    // Indices, and vertices of batches, count from a round's first slot. Indices must not exceed the device's.
    const std::uint64_t addressable =
        (form_ == shared::kPrimitiveIndices ? std::uint64_t{device_.capabilities().limits.maxDrawIndexedIndexValue} + 1
                                            : std::uint64_t{1} << 32U) /
        shared::kSubletSize;
    // Each class has one run at least: what is shared out leaves room for that.
    const std::uint64_t most_runs = budget / run_bytes(form_);
    const std::uint64_t runs = most_runs > shared::kDrawClasses ? most_runs - shared::kDrawClasses + 1 : 1;
    Plan out;
    out.budget = budget;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        const std::uint64_t capacity = scene.sublets.capacity[c];
        if (capacity == 0) continue;
        const std::uint64_t share = std::max({runs * capacity / scene.sublets.items, least_runs[c], std::uint64_t{1}}) *
                                    shared::kPrimitiveGroupSublets;
        const std::uint64_t slots = std::min({capacity, share, addressable});
        shared::TriangleRegion& region = out.regions[c];
        region.slots = static_cast<std::uint32_t>(slots);
        const std::uint32_t class_runs = divide_up(region.slots, shared::kPrimitiveGroupSublets);
        out.headers[c] = class_runs * run.headers;
        region.first_word = static_cast<std::uint32_t>(out.words);
        out.words += std::uint64_t{class_runs} * run.words;
        out.rounds = std::max(out.rounds, static_cast<std::uint32_t>(divide_up(capacity, slots)));
    }
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        out.regions[c].first_header = static_cast<std::uint32_t>(out.words);
        out.words += out.headers[c];
    }
    return out;
}

void PrimitivePass::begin_frame(const FrameContext& context, std::uint32_t form, shared::CullState& state) {
    sublets_.begin_frame(context);
    if (!output_ || form_ != form || budget_ != context.plan.compact_budget) {
        form_ = form;
        budget_ = context.plan.compact_budget;
        plan_ = plan_rounds(context.scene);
        device_.retire(std::exchange(output_, make_storage_buffer(device_, "surviving triangles", plan_.words * 4,
                                                                  VK_BUFFER_USAGE_INDEX_BUFFER_BIT)));
    }
    begin_draws(state, regions_of(context.scene, 0));
}

CpuCounters PrimitivePass::record(RecordContext& context, const Draw& draw) {
    const GpuScene& scene = context.scene;
    for (std::size_t list = 0; list < scene.sublets.rounds.size(); ++list) {
        sublets_.cull(context, 0, list);
        if (plan_.rounds > kTimedRounds) {
            const auto pass = context.pass("cull primitives and draw");
            for (std::uint32_t round = 0; round < plan_.rounds; ++round) {
                const Regions regions = regions_of(scene, round);
                if (list != 0 || round != 0) reset_draws(context, regions);
                cull(context, regions);
                draw_round(context, draw, regions, list == 0, round);
            }
            continue;
        }
        for (std::uint32_t round = 0; round < plan_.rounds; ++round) {
            const Regions regions = regions_of(scene, round);
            {
                const auto pass = context.pass("cull primitives");
                if (list != 0 || round != 0) reset_draws(context, regions);
                cull(context, regions);
            }
            const auto pass = context.pass("draw");
            draw_round(context, draw, regions, list == 0, round);
        }
    }
    return {.rounds = static_cast<std::uint32_t>(scene.sublets.rounds.size()) * plan_.rounds,
            .compact_budget = plan_.budget};
}

PrimitivePass::Regions PrimitivePass::regions_of(const GpuScene& scene, std::uint32_t round) const {
    Regions regions = plan_.regions;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        const std::uint64_t first = std::uint64_t{round} * regions[c].slots;
        if (first >= scene.sublets.capacity[c]) {
            regions[c].slots = 0;
        } else {
            regions[c].first_slot = static_cast<std::uint32_t>(first);
        }
    }
    return regions;
}

void PrimitivePass::draw_round(const RecordContext& context, const Draw& draw, const Regions& regions, bool first_list,
                               std::uint32_t round) {
    if (round != 0) {
        gpu::memory_barrier(context.frame.commands, gpu::kColorAttachment | gpu::kDepthAttachment,
                            gpu::kColorAttachment | gpu::kDepthAttachment);
    }
    draw(regions, first_list && round == 0);
}

// After a round that has drawn from the output and the draws.
void PrimitivePass::reset_draws(const RecordContext& context, const Regions& regions) const {
    VkCommandBuffer commands = context.frame.commands;
    gpu::memory_barrier(commands, gpu::kDraw, gpu::kCompute | gpu::kTransferWrite);
    shared::CullState state = initial_cull_state();
    begin_draws(state, regions);
    vkCmdUpdateBuffer(commands, context.cull_state.handle(), offsetof(shared::CullState, draws), sizeof(state.draws),
                      &state.draws);
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kConsume);
}

void PrimitivePass::cull(const RecordContext& context, const Regions& regions) {
    VkCommandBuffer commands = context.frame.commands;
    const PhasePlan phase = context.phase_plan();
    const gpu::Pipeline& pipeline = context.pipelines.get(pipeline_desc(phase, form_));
    if (reads_depth(phase)) {
        gpu::image_barrier(commands, context.targets.depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kDepthAttachment, gpu::kComputeRead);
    }
    context.bind(pipeline, {survivors(), triangles(),
                            gpu::texture_at(shared::kBindDepth, context.targets.depth.view(), depth_sampler_.handle(),
                                            VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)});
    shared::CullPrimitivesConstants constants{};
    std::copy(regions.begin(), regions.end(), constants.classes);
    pipeline.push(commands, constants);
    vkCmdDispatchIndirect(commands, context.cull_state.handle(),
                          offsetof(shared::CullState, survivors) + offsetof(shared::SurvivorCounts, triangle_groups));
    if (reads_depth(phase)) {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume | gpu::kDepthAttachment, context.targets.depth,
                            VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    } else {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);
    }
}

void PrimitivePass::add_pipelines(const PhasePlan& phase, std::uint32_t form, gpu::PipelineList& out) {
    SubletWork::add_pipelines(phase, 0, out);
    out.add(pipeline_desc(phase, form));
}

bool PrimitivePass::reads_depth(const PhasePlan& phase) {
    return phase.primitive_bits && phase.phase == CullPhase::kSecond;
}

gpu::ComputePipelineDesc PrimitivePass::pipeline_desc(const PhasePlan& phase, std::uint32_t form) {
    const FramePlan& plan = phase.plan;
    const bool subgroups = plan.subgroup != SubgroupPath::kGeneral;
    gpu::ComputePipelineDesc desc;
    desc.name = "cull primitives";
    if (reads_depth(phase)) {
        desc.shader.spirv = subgroups ? shaders::cull_primitives_hiz_subgroup_comp : shaders::cull_primitives_hiz_comp;
    } else {
        desc.shader.spirv = subgroups ? shaders::cull_primitives_subgroup_comp : shaders::cull_primitives_comp;
    }
    desc.shader.specialization = {{shared::kSpecCount, plan.collect_counters ? 1U : 0U},
                                  {shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U},
                                  {shared::kSpecTriangleForm, form},
                                  phase_constant(phase),
                                  primitive_bits_constant(phase)};
    if (subgroups) {  // a sublet's 32 lanes must share a subgroup
        desc.shader.full_subgroups = plan.device.full_subgroups;
        desc.shader.required_subgroup_size = plan.device.required_subgroup_size;
    }
    return desc;
}

void PrimitivePass::scene_changed() {
    sublets_.scene_changed();
    device_.retire(std::move(output_));
}

}  // namespace sublet::render
