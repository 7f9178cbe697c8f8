// Dispatches of an execution graph (VK_AMDX_shader_enqueue), and the memory that the device plays it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/commands.h"
#include "gpu/device.h"
#include "gpu/pipeline.h"
#include "gpu/resources.h"

namespace sublet::gpu {

class GraphDispatch {
  public:
    // `device` must have Capabilities::execution_graphs. `most_bytes`: of scratch memory, where the device wants more
    // than it needs. Views that run side by side take the least.
    GraphDispatch(Device& device, VkDeviceSize most_bytes) : device_(device), most_bytes_(most_bytes) {}

    // Makes scratch memory for this graph, and records what readies it. Outside of rendering, before record(). What was
    // dispatched by it before is over then. Throws Error where memory runs out.
    void prepare(Commands commands, const Pipeline& graph);
    // Dispatches payloads for node `node` of the graph that is bound, which prepare() was given. Within rendering,
    // where it draws; of a primary command buffer. Throws Error where the graph has no such node.
    template <class Payload>
    void record(Commands commands, const Pipeline& graph, const std::string& node,
                const std::vector<Payload>& payloads) const {
        record_bytes(commands, graph, node, std::as_bytes(std::span(payloads)), sizeof(Payload));
    }

    // VRAM of that memory.
    [[nodiscard]] std::uint64_t bytes() const { return memory_ ? memory_.size() : 0; }

  private:
    // `stride`: bytes of a payload.
    void record_bytes(Commands commands, const Pipeline& graph, const std::string& node,
                      std::span<const std::byte> payloads, std::size_t stride) const;

    Device& device_;
    VkDeviceSize most_bytes_;
    Buffer memory_;
    VkDeviceAddress scratch_ = 0;
    VkDeviceSize scratch_bytes_ = 0;
    VkPipeline ready_for_ = VK_NULL_HANDLE;
};

}  // namespace sublet::gpu
