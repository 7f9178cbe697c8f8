// Where commands are recorded: a command buffer, or one of several strands that run side by side.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device.h"
#include "gpu/vulkan.h"

namespace sublet::gpu {

class Profiler;
class SideBySide;

// A handle, to be copied.
class Commands {
  public:
    Commands() = default;
    Commands(VkCommandBuffer buffer) : buffer_(buffer) {}  // NOLINT(google-explicit-constructor): it is one
    // Throws Error where this is a strand: that takes commands by record() and operator() alone.
    operator VkCommandBuffer() const;  // NOLINT(google-explicit-constructor)

    // Whether this is a strand of several.
    [[nodiscard]] bool is_strand() const { return strands_ != nullptr; }
    // A command of Vulkan and its arguments after the command buffer. Of a strand they are kept: nothing is pointed to.
    template <class Command, class... Arguments>
    void operator()(Command command, Arguments... arguments) const {
        record([=](VkCommandBuffer commands) { command(commands, arguments...); });
    }
    // Calls back to record commands, of a strand when it is played.
    template <class Record>
    void record(Record&& record) const {
        if (is_strand()) {
            keep(std::forward<Record>(record));
        } else {
            record(buffer_);
        }
    }
    // Either may be null. Of a strand it ends what runs beside the others.
    void barrier(const VkMemoryBarrier2* memory, const VkImageMemoryBarrier2* image) const;

  private:
    friend class DebugLabel;
    friend class Profiler;
    friend class SideBySide;
    void keep(std::function<void(VkCommandBuffer)> record) const;
    void begin_label(const char* name) const;
    void end_label() const;
    // Of a strand: the pass that its commands belong to from now on; empty: none. What lies between two barriers has
    // one.
    void set_pass(std::string name) const;

    VkCommandBuffer buffer_ = VK_NULL_HANDLE;  // where there are no strands
    SideBySide* strands_ = nullptr;
    std::size_t strand_ = 0;
};

// A debug label around what is recorded while it lives. Nothing happens without debug utils.
class DebugLabel {
  public:
    DebugLabel(const Device& device, Commands commands, const char* name);
    ~DebugLabel();
    DebugLabel(const DebugLabel&) = delete;
    DebugLabel& operator=(const DebugLabel&) = delete;

  private:
    Commands commands_;
    bool open_;  // there are debug utils
};

// Strands of commands none of which reads or writes what another writes. They are recorded one after another and run
// side by side: what one has between two of its barriers runs beside what the others have between theirs, and one
// barrier follows them all. So a wait that each would have to itself is shared.
class SideBySide {
  public:
    SideBySide() = default;
    SideBySide(const SideBySide&) = delete;
    SideBySide& operator=(const SideBySide&) = delete;

    // To be used until play(), while this lives.
    [[nodiscard]] Commands add_strand();
    // Records what the strands have into `commands`, each pass of theirs as one pass of that name. Nothing is ordered
    // before or after them, but by the barriers within.
    void play(Commands commands, Profiler& profiler) const;

  private:
    friend class Commands;
    // What lies between two barriers, and the barrier behind it.
    struct Segment {
        std::string pass;   // that it belongs to
        bool empty = true;  // but for labels
        std::vector<std::function<void(VkCommandBuffer)>> commands = {};
        std::vector<VkMemoryBarrier2> memory = {};
        std::vector<VkImageMemoryBarrier2> images = {};
    };
    struct Strand {
        std::vector<Segment> segments{1};
        std::vector<std::string> labels = {};  // that are open
        std::string pass = {};                 // likewise
    };

    void play_segments(Commands commands, std::size_t index) const;

    std::deque<Strand> strands_;
};

}  // namespace sublet::gpu
