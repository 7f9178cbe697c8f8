#include "render/cull/primitives.h"

#include <algorithm>
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

}  // namespace

PrimitivePass::PrimitivePass(gpu::Device& device)
    : device_(device), sublets_(device), depth_sampler_(device, gpu::texel_sampler("depth")) {}

std::uint64_t PrimitivePass::budget(const FramePlan& plan) const {
    const gpu::Capabilities& capabilities = device_.capabilities();
    constexpr std::uint64_t kMiB = 1U << 20U;
    const std::uint64_t asked =
        plan.compact_budget != 0
            ? plan.compact_budget
            : std::clamp<std::uint64_t>(capabilities.device_local_bytes / 32, 64 * kMiB, 2048 * kMiB);
    return std::min<std::uint64_t>(asked, capabilities.limits.maxStorageBufferRange);
}

SurvivorPlan PrimitivePass::survivors(const GpuScene& scene, const FramePlan& plan, std::uint32_t form) const {
    // Indices, and vertices of batches, count from a class's first slot. Indices must not exceed the device's.
    const std::uint64_t addressable = form == shared::kPrimitiveIndices
                                          ? std::uint64_t{device_.capabilities().limits.maxDrawIndexedIndexValue} + 1
                                          : std::uint64_t{1} << 32U;
    // Each class has room for whole runs.
    const std::uint64_t rounded_up = run_bytes(form) * shared::kDrawClasses;
    const std::uint64_t budget = this->budget(plan);
    const std::uint64_t share = std::max(budget, rounded_up) - rounded_up;
    return SubletWork::survivors(scene, plan, share / (run_bytes(form) / shared::kPrimitiveGroupSublets),
                                 std::min<std::uint64_t>(addressable / shared::kSubletSize, shared::kMostMeshGroups));
}

void PrimitivePass::begin_frame(const ViewContext& context, std::uint32_t form, shared::CullState& state) {
    sublets_.begin_frame(context);
    if (!no_depth_) no_depth_ = make_unread_depth(device_, context.frame.commands);
    form_ = form;
    const RunSize run = run_size(form);
    std::uint64_t words = 0;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        const std::uint32_t runs = divide_up(context.survivors.slots[c], shared::kPrimitiveGroupSublets);
        headers_[c] = runs * run.headers;
        regions_[c].first_word = static_cast<std::uint32_t>(words);
        words += std::uint64_t{runs} * run.words;
    }
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        regions_[c].first_header = static_cast<std::uint32_t>(words);
        words += headers_[c];
        state.draws.classes[c].compact = {.indices = 0,
                                          .instances = 1,
                                          .first_index = regions_[c].first_word,
                                          .vertex_offset = 0,
                                          .first_instance = 0};
    }
    budget_ = std::max(budget(context.plan), words * 4);
    if (!output_ || output_.size() != words * 4) {
        device_.retire(std::exchange(
            output_, make_storage_buffer(device_, "surviving triangles", words * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT)));
    }
}

void PrimitivePass::cull(const PhaseContext& context) const {
    sublets_.cull(context, 0);
    const auto pass = context.pass("cull primitives");
    const gpu::Commands commands = context.frame.commands;
    const PhasePlan phase = context.phase_plan();
    const gpu::Pipeline& pipeline = context.pipelines.get(pipeline_desc(phase, form_));
    const bool reads = reads_depth(phase);
    if (reads) {
        gpu::image_barrier(commands, context.geometry.targets.depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kDepthAttachment, gpu::kComputeRead);
    }
    context.bind(pipeline,
                 {list(), triangles(),
                  gpu::texture_at(shared::kBindDepth, reads ? context.geometry.targets.depth.view() : no_depth_.view(),
                                  depth_sampler_.handle(), VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)});
    shared::CullPrimitivesConstants constants{};
    std::ranges::copy(regions_, constants.classes);
    pipeline.push(commands, constants);
    commands(vkCmdDispatchIndirect, context.cull_states().handle(), context.in_state(kTriangleGroupsOffset));
    if (reads) {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume | gpu::kDepthAttachment,
                            context.geometry.targets.depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
                            VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    } else {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);
    }
}

void PrimitivePass::add_pipelines(const PhasePlan& phase, std::uint32_t form, gpu::PipelineList& out) const {
    sublets_.add_pipelines(phase, 0, out);
    out.add(pipeline_desc(phase, form));
}

bool PrimitivePass::reads_depth(const PhasePlan& phase) {
    return phase.detail == OcclusionDetail::kPrimitives && phase.phase == CullPhase::kSecond;
}

gpu::ComputePipelineDesc PrimitivePass::pipeline_desc(const PhasePlan& phase, std::uint32_t form) {
    const FramePlan& plan = phase.plan;
    const bool subgroups = plan.subgroup != SubgroupPath::kGeneral;
    gpu::ComputePipelineDesc desc;
    // Of phases by their bits it makes different code, and the same of all others.
    const bool bits = phase.detail == OcclusionDetail::kPrimitives;
    desc.name = bits ? phase_name("cull primitives", phase.phase) : "cull primitives";
    desc.shader.spirv = subgroups ? shaders::cull_primitives_subgroup_comp : shaders::cull_primitives_comp;
    desc.shader.specialization = {{shared::kSpecCount, plan.collect_counters ? 1U : 0U},
                                  {shared::kSpecEncoded, encoded_as(plan)},
                                  {shared::kSpecTriangleForm, form},
                                  {shared::kSpecPhase, bits ? static_cast<std::uint32_t>(phase.phase) : 0U},
                                  primitive_bits_constant(phase)};
    if (subgroups) {  // a sublet's 32 lanes must share a subgroup
        desc.shader.full_subgroups = plan.device.full_subgroups;
        desc.shader.required_subgroup_size = plan.device.required_subgroup_size;
    }
    return desc;
}

}  // namespace sublet::render
