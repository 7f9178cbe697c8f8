#include "render/expansion/scan.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/frame.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

// Element numbers and partition numbers times partition sizes stay below 2^32.
constexpr std::uint32_t kMostElements = 1U << 30;
// By measurement on an H200 (docs/BENCHMARKS.md).
constexpr std::uint32_t kLargeScan = 1U << 24;
constexpr std::uint32_t kScanLanes = 256, kVectors = 4;
// Of large scans in one pass: as many elements as registers hold. What they hold is known where it was measured.
constexpr std::uint32_t kLargeLanes = 512, kLargeVectors = 8;
constexpr std::uint32_t kLargeLanesNvidia = 256, kLargeVectorsNvidia = 14;

ScanMethod resolve_method(const ScanOptions& options, const gpu::Capabilities& capabilities) {
    if (const auto reason = scan_unavailable(options.method, capabilities)) {
        throw Error(capabilities.name, "scan", *reason);
    }
    if (options.method != ScanMethod::kAuto) return options.method;
    const bool fits = capabilities.int64_atomics || options.most_sum < std::uint64_t{1} << 30U;
    return fits && !scan_unavailable(ScanMethod::kSinglePass, capabilities) ? ScanMethod::kSinglePass
                                                                            : ScanMethod::kMultiPass;
}

std::uint32_t resolve_lanes(std::uint32_t lanes, const gpu::Capabilities& capabilities) {
    const VkPhysicalDeviceLimits& limits = capabilities.limits;
    return std::min({lanes, limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]});
}

// Of three passes, expansion/scan_multi_pass.comp; the last of them, or all in one, is the scan.
enum class ScanStep : std::uint8_t { kReduce, kPartials, kScan };

gpu::ComputePipelineDesc pass_desc(const gpu::Capabilities& capabilities, const char* name,
                                   std::span<const std::uint32_t> spirv, std::uint32_t lanes,
                                   const ScanOptions& options, ScanStep step) {
    // Full ones are only to be had when the workgroup is whole subgroups of any size the driver may pick.
    const bool full = capabilities.subgroup_size_control && lanes % capabilities.max_subgroup_size == 0;
    gpu::ComputePipelineDesc desc;
    desc.name = name;
    desc.shader.spirv = spirv;
    desc.shader.full_subgroups = full;
    desc.shader.specialization = {{0, lanes},
                                  {1, options.vectors},
                                  {2, full ? 1U : 0U},
                                  {3, options.reads},
                                  {4, options.withhold},
                                  {5, options.distrust ? 1U : 0U},
                                  {6, step == ScanStep::kReduce ? 1U : 0U},
                                  {7, step == ScanStep::kPartials ? 1U : 0U}};
    return desc;
}

void check_range(const char* what, const ScanRange& range, std::uint32_t elements) {
    const VkDeviceSize bytes = VkDeviceSize{elements} * sizeof(std::uint32_t);
    if (range.offset > range.buffer.size() || bytes > range.buffer.size() - range.offset) {
        throw Error("scan: the " + std::string(what) + " has " + std::to_string(range.buffer.size()) + " bytes, and " +
                    std::to_string(bytes) + " from " + std::to_string(range.offset) + " on are needed");
    }
}

void check_count(const ScanCount& count) {
    if (count.offset % sizeof(std::uint32_t) != 0 || count.buffer->size() < sizeof(std::uint32_t) ||
        count.offset > count.buffer->size() - sizeof(std::uint32_t)) {
        throw Error("scan: offset " + std::to_string(count.offset) + " of the count is not that of a word in " +
                    std::to_string(count.buffer->size()) + " bytes");
    }
}

}  // namespace

std::optional<std::string> scan_unavailable(ScanMethod method, const gpu::Capabilities& capabilities) {
    if (!capabilities.unusable.empty()) return capabilities.unusable;
    if (method == ScanMethod::kSinglePass && !capabilities.memory_model) {
        return "this device lacks the Vulkan memory model at device scope, which a prefix sum in one pass needs: use "
               "several passes";
    }
    return std::nullopt;
}

Scan::Scan(const gpu::Capabilities& capabilities, const ScanOptions& options)
    : method_(resolve_method(options, capabilities)), wide_(capabilities.int64_atomics) {
    if ((options.lanes == 0) != (options.vectors == 0) || options.vectors > 16) {
        throw Error("scan: " + std::to_string(options.lanes) + " lanes of " + std::to_string(options.vectors) +
                    " vectors are neither automatic nor at least 1 of 1 to 16");
    }
    max_elements_ = std::min<std::uint32_t>(capabilities.limits.maxStorageBufferRange / 4, kMostElements);
    ScanOptions shape = options;
    if (options.lanes == 0) {
        const bool nvidia = capabilities.vendor_id == gpu::kVendorNvidia;
        shape.lanes = nvidia ? kLargeLanesNvidia : kLargeLanes;
        shape.vectors = nvidia ? kLargeVectorsNvidia : kLargeVectors;
        if (method_ == ScanMethod::kSinglePass) large_ = make_form(capabilities, shape);
        shape.lanes = kScanLanes;
        shape.vectors = kVectors;
    }
    small_ = make_form(capabilities, shape);
}

Scan::Form Scan::make_form(const gpu::Capabilities& capabilities, const ScanOptions& options) const {
    const std::uint32_t lanes = resolve_lanes(options.lanes, capabilities);
    const auto desc = [&](const char* name, std::span<const std::uint32_t> spirv, ScanStep step = ScanStep::kScan) {
        return pass_desc(capabilities, name, spirv, lanes, options, step);
    };
    Form out;
    out.partition_elements = lanes * options.vectors * 4;
    if (method_ == ScanMethod::kSinglePass) {
        out.passes = {desc("scan", wide_ ? shaders::scan_comp : shaders::scan_narrow_comp)};
    } else {
        out.passes = {desc("scan reduce", shaders::scan_multi_pass_comp, ScanStep::kReduce),
                      desc("scan partials", shaders::scan_multi_pass_comp, ScanStep::kPartials),
                      desc("scan downsweep", shaders::scan_multi_pass_comp)};
    }
    return out;
}

void Scan::add_pipelines(std::uint32_t elements, gpu::PipelineList& out) const {
    for (const gpu::ComputePipelineDesc& pass : form(elements).passes) out.add(pass);
}

const Scan::Form& Scan::form(std::uint32_t elements) const {
    return large_ && elements >= kLargeScan ? *large_ : small_;
}

std::uint32_t Scan::partition_count(std::uint32_t elements) const {
    const std::uint32_t partition = partition_elements(elements);
    return elements / partition + (elements % partition != 0 ? 1 : 0);
}

VkDeviceSize Scan::workspace_bytes(std::uint32_t elements) const {
    const VkDeviceSize word = method_ == ScanMethod::kSinglePass && wide_ ? 8 : 4;
    // Fewer elements may have more partitions, where theirs are smaller.
    const std::uint32_t partitions =
        std::max(partition_count(elements), partition_count(std::min(elements, kLargeScan - 1)));
    return shared::kScanWordsOffset + (VkDeviceSize{partitions} + 1) * word;
}

gpu::Buffer Scan::make_workspace(gpu::Device& device, std::uint32_t elements) const {
    gpu::Buffer workspace(
        device,
        {.size = workspace_bytes(elements), .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "scan workspace"});
    gpu::submit_and_wait(device, "clearing a workspace", [&](gpu::Commands commands, gpu::DescriptorArena&) {
        commands(vkCmdFillBuffer, workspace.handle(), 0, VK_WHOLE_SIZE, 0);
    });
    return workspace;
}

void Scan::record(gpu::Commands commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                  const ScanRange& input, const ScanRange& output, const ScanCount& count, ScanKind kind,
                  const gpu::Buffer& workspace) const {
    if (count.most > max_elements_) {
        throw Error("scan: " + std::to_string(count.most) + " elements are more than the " +
                    std::to_string(max_elements_) + " that this device can bind at once");
    }
    check_range("input", input, count.most);
    check_range("output", output, count.most);
    const bool in_place = input.buffer.handle() == output.buffer.handle();
    const VkDeviceSize bytes = VkDeviceSize{count.most} * sizeof(std::uint32_t);
    if (in_place && input.offset != output.offset && input.offset < output.offset + bytes &&
        output.offset < input.offset + bytes) {
        throw Error("scan: input and output overlap: offsets " + std::to_string(input.offset) + " and " +
                    std::to_string(output.offset) + " of one buffer");
    }
    if (count.buffer != nullptr) check_count(count);
    if (workspace.size() < workspace_bytes(count.most)) {
        throw Error("scan: the workspace has " + std::to_string(workspace.size()) + " bytes, and " +
                    std::to_string(workspace_bytes(count.most)) + " are needed");
    }
    // What used the workspace before may still read it. A wide single pass has nothing to clear, if there is one.
    if (method_ == ScanMethod::kSinglePass && wide_ && count.most != 0) {
        gpu::memory_barrier(commands, gpu::kConsume | gpu::kTransferRead, gpu::kCompute);
    } else {
        gpu::memory_barrier(commands, gpu::kConsume | gpu::kTransferRead | gpu::kTransferWrite, gpu::kTransferWrite);
        const VkDeviceSize cleared =
            method_ == ScanMethod::kSinglePass && !wide_ ? workspace_bytes(count.most) : sizeof(shared::ScanState);
        commands(vkCmdFillBuffer, workspace.handle(), 0, cleared, 0);
        gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kConsume | gpu::kTransferRead);
    }
    if (count.most == 0) return;

    // Bound from where every device can bind it.
    const VkDeviceSize count_base = count.offset / shared::kScanWordsOffset * shared::kScanWordsOffset;
    const auto elements = [&](std::uint32_t binding, std::uint32_t element, const ScanRange& range) {
        gpu::Descriptor descriptor = gpu::buffer_at(binding, range.buffer, range.offset, bytes);
        descriptor.element = element;
        return descriptor;
    };
    const std::array set{
        elements(shared::kBindScanVectors, 0, input),
        elements(shared::kBindScanVectors, 1, output),
        elements(shared::kBindScanElements, 0, input),
        elements(shared::kBindScanElements, 1, output),
        gpu::buffer_at(shared::kBindScanState, workspace, 0, sizeof(shared::ScanState)),
        gpu::buffer_at(shared::kBindScanWords, workspace, shared::kScanWordsOffset,
                       workspace_bytes(count.most) - shared::kScanWordsOffset),
        // Not read without a count buffer: anything will do.
        count.buffer != nullptr ? gpu::buffer_at(shared::kBindScanCount, *count.buffer, count_base,
                                                 count.offset - count_base + sizeof(std::uint32_t))
                                : gpu::buffer_at(shared::kBindScanCount, workspace, 0, sizeof(shared::ScanState)),
    };
    shared::ScanConstants constants{};
    constants.count = count.most;
    constants.count_index = static_cast<std::uint32_t>((count.offset - count_base) / sizeof(std::uint32_t));
    constants.flags = (kind == ScanKind::kInclusive ? shared::kScanInclusive : 0) |
                      (count.buffer != nullptr ? shared::kScanCountFromBuffer : 0) |
                      (in_place ? shared::kScanInPlace : 0);
    const auto dispatch = [&](const gpu::ComputePipelineDesc& pass, std::uint32_t groups) {
        const gpu::Pipeline& pipeline = pipelines.get(pass);
        descriptors.bind(commands, pipeline, set, shared::kPassSet);
        pipeline.push(commands, constants);
        dispatch_rows(commands, groups);
    };
    const std::vector<gpu::ComputePipelineDesc>& passes = form(count.most).passes;
    const std::uint32_t partitions = partition_count(count.most);
    dispatch(passes[0], partitions);
    if (method_ == ScanMethod::kMultiPass) {
        gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
        dispatch(passes[1], 1);
        gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
        dispatch(passes[2], partitions);
    }
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kConsume | gpu::kTransferRead);
}

}  // namespace sublet::render
