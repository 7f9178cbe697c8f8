#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"

namespace sublet::gpu {

struct PassTime {
    std::string name;
    double ms = 0.0;
};

// GPU times of one finished frame, passes in the order they began; those of one name are one, and their times are added
// up. `ms` spans begin_frame to end_frame.
struct FrameTimes {
    uint64_t frame = 0;  // Frame::number
    double ms = 0.0;
    std::vector<PassTime> passes;
    std::vector<PassTime> spans = {};

    // What of `ms` is no pass's, in ms; 0 where passes that nest add up to more.
    [[nodiscard]] double between_passes() const;
};

// What that is called wherever passes are listed.
inline constexpr const char* kBetweenPasses = "between passes";

// GPU timestamps per pass. Collecting never stalls: a slot's results are read when the ring comes back to it. On a
// device without timestamps passes still get their debug labels and no times come.
class Profiler {
  public:
    explicit Profiler(Device& device);
    ~Profiler();
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    // A pass, from construction to destruction: a debug label and a pair of timestamps of the same name. Outside of
    // rendering scopes (vkCmdBeginRendering comes after it, vkCmdEndRendering before its end). Passes may nest.
    class Pass {
      public:
        ~Pass();
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;

      private:
        friend class Profiler;
        enum class Kind : uint8_t { kPass, kTimes, kSpan };
        Pass(Profiler& profiler, Commands commands, std::string name, Kind kind);
        Commands commands_;
        std::optional<DebugLabel> label_;
        VkQueryPool queries_ = VK_NULL_HANDLE;  // null: only a label
        uint32_t query_ = 0;
    };

    // Several passes, with what lies between them: a pair of timestamps and no label. It is in FrameTimes::spans and in
    // nobody's sum.
    [[nodiscard]] Pass span(Commands commands, const char* name);

    // First in a frame. Returns the times of the frame that last used this slot, when there was one and they are there.
    std::optional<FrameTimes> begin_frame(const Frame& frame);
    // Starts a pass; keep the result alive for as long as the pass lasts. Outside of begin_frame/end_frame it is only a
    // label. In a strand of several, which run side by side, it is timed with theirs of that name (SideBySide::play()).
    [[nodiscard]] Pass pass(Commands commands, const char* name);
    // The times of a pass without its label. `name`: whole, with what goes before it.
    [[nodiscard]] Pass time(Commands commands, const char* name);
    // A debug label alone, for one of several kinds of draws in a pass: it may lie within a rendering scope.
    [[nodiscard]] DebugLabel label(Commands commands, const char* name) const { return {device_, commands, name}; }
    // Before the names of the passes to come.
    void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
    [[nodiscard]] const std::string& prefix() const { return prefix_; }
    // Last in a frame.
    void end_frame(const Frame& frame);

    // After Device::wait_idle: the times of frames not yet handed out, oldest first.
    std::vector<FrameTimes> collect();

  private:
    struct Slot {
        std::vector<VkQueryPool> pools;  // of kPairs pairs each: the frame's own pair, then a pair for each pass
        struct Timed {
            std::string name;
            bool span = false;
        };
        std::vector<Timed> timed;
        uint64_t frame = 0;
        bool pending = false;
    };

    [[nodiscard]] VkQueryPool make_pool(const Slot& slot);
    std::optional<FrameTimes> read(Slot& slot);
    void destroy() noexcept;

    Device& device_;
    std::array<Slot, kFramesInFlight> slots_;
    Slot* open_ = nullptr;
    std::string prefix_;
};

}  // namespace sublet::gpu
