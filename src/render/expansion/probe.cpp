#include "render/expansion/probe.h"

#include <algorithm>
#include <array>

#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kProbeGroup = 128;  // of both shaders

std::vector<shared::ExpansionProbeSource> prepare(const std::vector<std::uint32_t>& counts) {
    std::vector<shared::ExpansionProbeSource> sources;
    sources.reserve(counts.size());
    std::uint32_t first = 0;
    for (const std::uint32_t count : counts) {
        sources.push_back({count, first});
        first += count;
    }
    return sources;
}

}  // namespace

ExpansionDemand expansion_demand(const std::vector<std::uint32_t>& counts) {
    ExpansionDemand demand;
    for (const std::uint32_t count : counts) demand.add(count);
    return demand;
}

ExpansionProbe::ExpansionProbe(gpu::Device& device, const std::vector<std::uint32_t>& counts, const Options& options)
    : expansion_(device, {.strategy = options.strategy,
                          .demand = expansion_demand(counts),
                          .group_items = kProbeGroup,
                          .most_entries = options.most_entries}),
      pipelines_(std::make_unique<gpu::Pipelines>(device)) {
    const gpu::Specialization strategy{shared::kSpecExpansion, static_cast<std::uint32_t>(options.strategy)};
    push_ = gpu::Pipeline(device, gpu::ComputePipelineDesc{.name = "expansion probe push",
                                                           .shader = {.spirv = pushes_packed(options.strategy)
                                                                                   ? shaders::probe_push_packed_comp
                                                                                   : shaders::probe_push_comp,
                                                                      .specialization = {strategy}}});
    pop_ = gpu::Pipeline(device,
                         gpu::ComputePipelineDesc{
                             .name = "expansion probe pop",
                             .shader = {.spirv = shaders::probe_pop_comp,
                                        .specialization = {strategy, {shared::kSpecCount, options.record ? 1U : 0U}}},
                             .generated = options.strategy == ExpansionStrategy::kGenerated});

    const std::vector<shared::ExpansionProbeSource> sources = prepare(counts);
    sources_ = static_cast<std::uint32_t>(sources.size());
    const std::uint64_t items = options.record ? expansion_demand(counts).items : 0;
    const std::vector<std::uint32_t> zeros((items + 31) / 32 + 8, 0);
    source_data_ =
        make_storage_buffer(device, "expansion probe sources", sources.size() * sizeof(shared::ExpansionProbeSource));
    result_ = make_storage_buffer(device, "expansion probe result", sizeof(shared::ExpansionProbeResult));
    seen_ = make_storage_buffer(device, "expansion probe items", zeros.size() * 4);
    gpu::Uploader uploader(device);
    if (!sources.empty()) {
        uploader.buffer(source_data_, 0, sources);
    }
    uploader.buffer(result_, 0, std::vector<shared::ExpansionProbeResult>(1));
    uploader.buffer(seen_, 0, zeros);
    uploader.finish();
}

void ExpansionProbe::record(gpu::Frame& frame, gpu::Profiler& profiler) const {
    const gpu::Commands commands = frame.commands;
    expansion_.record_resets(frame.commands);
    gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kCompute);
    const std::array descriptors{
        expansion_.state(0), expansion_.list(), gpu::buffer_at(shared::kBindProbeSources, source_data_),
        gpu::buffer_at(shared::kBindProbeResult, result_), gpu::buffer_at(shared::kBindProbeSeen, seen_)};
    const std::uint32_t groups = (sources_ + kProbeGroup - 1) / kProbeGroup;
    if (groups != 0) {
        frame.descriptors->bind(commands, push_, descriptors, shared::kPassSet);
        push_.push(commands, sources_);
        dispatch_rows(commands, groups);
    }
    expansion_.record_pushed(frame, profiler, *pipelines_, "scan counts");
    frame.descriptors->bind(commands, pop_, descriptors, shared::kPassSet);
    pop_.push(commands, shared::ExpansionProbeConstants{.source_count = sources_, .pushed = {}});
    expansion_.record_dispatch(commands, pop_, 0);
}

shared::ExpansionProbeResult ExpansionProbe::result(gpu::Device& device) const {
    return gpu::read_buffer_as<shared::ExpansionProbeResult>(device, result_, 0, 1)[0];
}

std::vector<std::uint32_t> ExpansionProbe::seen(gpu::Device& device) const {
    return gpu::read_buffer_as<std::uint32_t>(device, seen_, 0, static_cast<std::size_t>(seen_.size() / 4));
}

}  // namespace sublet::render
