// Commands that the device generates for itself, by VK_EXT_device_generated_commands: sequences of push constants and
// one draw or dispatch each, which shaders wrote to a buffer, and their number to another.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gpu/commands.h"
#include "gpu/device.h"
#include "gpu/pipeline.h"
#include "gpu/resources.h"

namespace sublet::gpu {

class GeneratedCommands {
  public:
    // What a sequence consists of: the last `pushed_bytes` of its pipeline's push constants, and `command` behind
    // them. `stride`: from one to the next.
    struct Layout {
        VkIndirectCommandsTokenTypeEXT command = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT;
        uint32_t pushed_bytes = 0;
        uint32_t stride = 0;
    };
    struct Sequences {
        const Buffer& list;
        VkDeviceSize offset = 0;  // of the first
        uint32_t most = 0;        // Capabilities::max_generated_sequences at most
        const Buffer& counts;
        VkDeviceSize count_offset = 0;  // of how many there are
    };

    // `device` must have Capabilities::generated_commands.
    GeneratedCommands(Device& device, const Layout& layout) : device_(device), layout_(layout) {}
    ~GeneratedCommands();
    GeneratedCommands(const GeneratedCommands&) = delete;
    GeneratedCommands& operator=(const GeneratedCommands&) = delete;

    // Executes them, in any order, by the pipeline that is bound, whose description says `generated`. Push constants
    // are undefined afterwards. What was written must be visible to kPreprocess. `place`: of the driver's memory, from
    // 0 on. Executions in one place take a barrier between them, from kPreprocess to kPreprocess.
    void execute(Commands commands, const Pipeline& pipeline, std::size_t place, const Sequences& sequences);

    // VRAM of the driver's memory.
    [[nodiscard]] uint64_t bytes() const;
    // VRAM that 1, 2, 4, ... sequences by such a pipeline take, in their list and of the driver's memory, as far as one
    // call executes so many.
    [[nodiscard]] std::vector<uint64_t> bytes_by_power(const Pipeline& pipeline) const;

  private:
    struct Place {
        Buffer memory;
        VkPipeline pipeline = VK_NULL_HANDLE;  // that it is made for,
        uint32_t most = 0;                     // and how many sequences
        VkDeviceSize size = 0, alignment = 1;
    };
    [[nodiscard]] VkIndirectCommandsLayoutEXT layout_of(const Pipeline& pipeline);
    [[nodiscard]] VkIndirectCommandsLayoutEXT make_layout(const Pipeline& pipeline) const;
    [[nodiscard]] VkMemoryRequirements requirements(const Pipeline& pipeline, VkIndirectCommandsLayoutEXT layout,
                                                    uint32_t most) const;
    void prepare(Place& place, const Pipeline& pipeline, uint32_t most);

    Device& device_;
    Layout layout_;
    std::map<VkPipeline, VkIndirectCommandsLayoutEXT> layouts_;
    std::vector<Place> places_;
};

}  // namespace sublet::gpu
