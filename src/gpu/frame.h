#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "gpu/commands.h"
#include "gpu/descriptors.h"
#include "gpu/device.h"

namespace sublet::gpu {

// Frames the CPU may run ahead of the GPU, plus the one being recorded.
inline constexpr uint32_t kFramesInFlight = 2;

// A command pool with one command buffer; captures know both by `name`. Neither copied nor moved.
class CommandPool {
  public:
    CommandPool(Device& device, std::string_view name);
    ~CommandPool();
    CommandPool(const CommandPool&) = delete;
    CommandPool& operator=(const CommandPool&) = delete;

    // Resets and begins the command buffer; the GPU must be done with it.
    VkCommandBuffer begin();

  private:
    Device* device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

// What a frame records into.
struct Frame {
    Commands commands;
    DescriptorArena* descriptors = nullptr;
    uint32_t slot = 0;    // 0 .. kFramesInFlight - 1: index of per-frame resources
    uint64_t number = 0;  // 0, 1, 2, ...
};

// Records frames with kFramesInFlight in flight, on the device's timeline. In captures a debug label "frame 7" lies
// around all of frame 7.
class FrameRing {
  public:
    explicit FrameRing(Device& device);
    // Waits until its frames are over.
    ~FrameRing();
    FrameRing(const FrameRing&) = delete;
    FrameRing& operator=(const FrameRing&) = delete;

    // Waits until the slot's previous frame is over, frees what was retired, and begins the command buffer.
    Frame& begin();
    // Ends and submits the frame; returns its number on the device's timeline.
    uint64_t submit(const SubmitSync& sync = {});
    // Drops a frame that was begun and will not be submitted (an error while recording). Nothing happens when none is
    // open.
    void abandon();

  private:
    struct Slot {
        std::unique_ptr<CommandPool> pool;
        std::unique_ptr<DescriptorArena> descriptors;
        std::optional<DebugLabel> label;  // of the open frame
        uint64_t submission = 0;
    };

    Device& device_;
    std::array<Slot, kFramesInFlight> slots_;
    Frame frame_;
    uint64_t next_number_ = 0;
    bool open_ = false;
};

// Records with `record`, submits and waits. For set-up, tools and tests. `doing` names it in errors and captures.
void submit_and_wait(Device& device, std::string_view doing,
                     const std::function<void(VkCommandBuffer, DescriptorArena&)>& record);

}  // namespace sublet::gpu
