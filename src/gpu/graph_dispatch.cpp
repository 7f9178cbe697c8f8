#include "gpu/graph_dispatch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/barriers.h"

namespace sublet::gpu {
namespace {

static_assert(VK_AMDX_SHADER_ENQUEUE_SPEC_VERSION == 2);

constexpr VkDeviceSize kScratchAlignment = 64;

// Between the least and the most that the device takes, by its steps.
VkDeviceSize scratch_bytes(const Device& device, const Pipeline& graph, VkDeviceSize most) {
    auto size = make_struct<VkExecutionGraphPipelineScratchSizeAMDX>(
        VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_SCRATCH_SIZE_AMDX);
    check(vkGetExecutionGraphPipelineScratchSizeAMDX(device.handle(), graph.handle(), &size),
          "asking for the memory of '" + graph.name() + "'");
    const VkDeviceSize wanted = std::clamp(most, size.minSize, std::max(size.minSize, size.maxSize));
    const VkDeviceSize step = std::max<VkDeviceSize>(size.sizeGranularity, 1);
    return size.minSize + (wanted - size.minSize) / step * step;
}

}  // namespace

void GraphDispatch::prepare(Commands commands, const Pipeline& graph) {
    if (ready_for_ != graph.handle()) {
        // Views that run side by side have each their own.
        scratch_bytes_ = scratch_bytes(device_, graph, commands.is_strand() ? 0 : most_bytes_);
        const VkDeviceSize size = std::max<VkDeviceSize>(scratch_bytes_, 4) + kScratchAlignment;
        if (!memory_ || memory_.size() < size) {
            device_.retire(
                std::exchange(memory_, Buffer(device_, {.size = size,
                                                        .usage = VK_BUFFER_USAGE_EXECUTION_GRAPH_SCRATCH_BIT_AMDX |
                                                                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                                        .name = "scratch of " + graph.name()})));
            scratch_ = (memory_.address() + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
        }
        memory_barrier(commands, kCompute, kCompute);
        commands(vkCmdInitializeGraphScratchMemoryAMDX, graph.handle(), scratch_, scratch_bytes_);
        ready_for_ = graph.handle();
    }
    memory_barrier(commands, kCompute | kDraw, kCompute | kDraw);
}

void GraphDispatch::record_bytes(Commands commands, const Pipeline& graph, const std::string& node,
                                 std::span<const std::byte> payloads, std::size_t stride) const {
    auto info = make_struct<VkPipelineShaderStageNodeCreateInfoAMDX>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX);
    info.pName = node.c_str();
    std::uint32_t index = 0;
    check(vkGetExecutionGraphPipelineNodeIndexAMDX(device_.handle(), graph.handle(), &info, &index),
          "looking for node '" + node + "'");
    commands.record([index, stride, scratch = scratch_, size = scratch_bytes_,
                     kept = std::vector<std::byte>(payloads.begin(), payloads.end())](VkCommandBuffer c) {
        VkDispatchGraphInfoAMDX of_node{};
        of_node.nodeIndex = index;
        of_node.payloadCount = static_cast<std::uint32_t>(kept.size() / stride);
        of_node.payloads.hostAddress = kept.data();
        of_node.payloadStride = stride;
        VkDispatchGraphCountInfoAMDX count{};
        count.count = 1;
        count.infos.hostAddress = &of_node;
        count.stride = sizeof(of_node);
        vkCmdDispatchGraphAMDX(c, scratch, size, &count);
    });
}

}  // namespace sublet::gpu
