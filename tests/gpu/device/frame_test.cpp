#include "gpu/frame.h"

#include <memory>
#include <string>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/commands.h"
#include "gpu/profiler.h"
#include "gpu/upload.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

using FrameTest = DeviceTest;
using ProfilerTest = DeviceTest;

// Counts its own destruction.
class Witness {
  public:
    explicit Witness(int* destroyed) : destroyed_(destroyed) {}
    ~Witness() {
        if (destroyed_ != nullptr) ++*destroyed_;
    }
    Witness(Witness&& other) noexcept : destroyed_(std::exchange(other.destroyed_, nullptr)) {}
    Witness& operator=(Witness&&) = delete;

  private:
    int* destroyed_;
};

TEST_F(FrameTest, SlotsAndNumbersTakeTurns) {
    FrameRing ring(device());
    for (uint64_t i = 0; i < 9; ++i) {
        const Frame& frame = ring.begin();
        EXPECT_EQ(frame.number, i);
        EXPECT_EQ(frame.slot, i % kFramesInFlight);
        EXPECT_NE(static_cast<VkCommandBuffer>(frame.commands), nullptr);
        EXPECT_EQ(ring.submit(), i + 1);
    }
    EXPECT_TRUE(mentions(error_of([&] { ring.submit(); }), "not begun"));
    ring.begin();
    EXPECT_TRUE(mentions(error_of([&] { ring.begin(); }), "before the previous one"));
    ring.abandon();
    EXPECT_EQ(ring.begin().number, 10U);
    ring.submit();
}

TEST_F(FrameTest, RetiredInAFrameLivesUntilThatFrameIsOver) {
    int destroyed = 0;
    FrameRing ring(device());
    ring.begin();
    device().retire(Witness(&destroyed));
    // Other submissions finish while the frame is being recorded: that must not free it.
    submit_and_wait(device(), "something else", [](VkCommandBuffer, DescriptorArena&) {});
    device().collect_retired();
    EXPECT_EQ(destroyed, 0);
    const uint64_t submission = ring.submit();
    device().wait(submission, "waiting");
    device().collect_retired();
    EXPECT_EQ(destroyed, 1);
}

// What strands have before their first barrier comes first, then what they have before the second; each finds what it
// wrote itself.
TEST_F(FrameTest, StrandsAreWoven) {
    constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    Profiler profiler(device());
    SideBySide strands;
    std::vector<Buffer> from, to;
    std::vector<std::string> order;
    for (uint32_t i = 0; i < 3; ++i) {
        from.emplace_back(device(), BufferDesc{.size = 64, .usage = kUsage, .name = "from"});
        to.emplace_back(device(), BufferDesc{.size = 64, .usage = kUsage, .name = "to"});
        const Commands strand = strands.add_strand();
        EXPECT_TRUE(strand.is_strand());
        EXPECT_TRUE(mentions(error_of([&] { vkCmdFillBuffer(strand, from[i].handle(), 0, 64, 1); }), "past it"));
        const DebugLabel label(device(), strand, "strand");
        const auto note = [&](const char* what) {
            strand.record([&order, text = what + std::to_string(i)](VkCommandBuffer) { order.push_back(text); });
        };
        const auto pass = profiler.pass(strand, "pass");
        note("fill ");
        strand(vkCmdFillBuffer, from[i].handle(), VkDeviceSize{0}, VkDeviceSize{64}, 7 + i);
        memory_barrier(strand, kTransferWrite, kTransferRead | kTransferWrite);
        if (i == 1) {  // takes one barrier more
            note("again ");
            strand(vkCmdFillBuffer, from[i].handle(), VkDeviceSize{0}, VkDeviceSize{64}, 70U);
            memory_barrier(strand, kTransferWrite, kTransferRead);
        }
        note("copy ");
        strand.record([from = from[i].handle(), to = to[i].handle()](VkCommandBuffer commands) {
            const VkBufferCopy all{0, 0, 64};
            vkCmdCopyBuffer(commands, from, to, 1, &all);
        });
    }
    submit_and_wait(device(), "strands", [&](VkCommandBuffer commands, DescriptorArena&) {
        strands.play(commands, profiler);
        memory_barrier(commands, kTransferWrite, kTransferRead);
    });
    EXPECT_EQ(order, (std::vector<std::string>{"fill 0", "fill 1", "fill 2", "copy 0", "again 1", "copy 2", "copy 1"}));
    for (uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(read_buffer_as<uint32_t>(device(), to[i], 0, 16), std::vector<uint32_t>(16, i == 1 ? 70 : 7 + i));
    }
}

TEST_F(FrameTest, RingFreesWhatWasRetired) {
    int destroyed = 0;
    FrameRing ring(device());
    for (int i = 0; i < 10; ++i) {
        const Frame& frame = ring.begin();
        Buffer scratch(device(), {.size = 1024, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "scratch"});
        vkCmdFillBuffer(frame.commands, scratch.handle(), 0, VK_WHOLE_SIZE, 1);
        device().retire(std::move(scratch));
        device().retire(Witness(&destroyed));
        ring.submit();
        EXPECT_GE(destroyed, i + 1 - static_cast<int>(kFramesInFlight));
        EXPECT_LE(destroyed, i + 1);
    }
    device().wait_idle();
    EXPECT_EQ(destroyed, 10);
    device().retire(Witness(&destroyed));  // between frames, nothing in flight
    device().collect_retired();
    EXPECT_EQ(destroyed, 11);
}

TEST_F(FrameTest, AbandonedFrameFreesToo) {
    int destroyed = 0;
    FrameRing ring(device());
    ring.begin();
    device().retire(Witness(&destroyed));
    ring.abandon();
    device().wait_idle();
    EXPECT_EQ(destroyed, 1);
}

TEST_F(FrameTest, DeviceWaitsForItsFramesAtTheEnd) {
    const Buffer buffer(
        device(), {.size = VkDeviceSize{16} << 20, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "filled"});
    {
        FrameRing ring(device());
        const Frame& frame = ring.begin();
        vkCmdFillBuffer(frame.commands, buffer.handle(), 0, VK_WHOLE_SIZE, 0x01020304);
        memory_barrier(frame.commands, kTransferWrite, kEverything);
        ring.submit();
    }
    EXPECT_EQ(read_buffer_as<uint32_t>(device(), buffer, (VkDeviceSize{16} << 20) - 4, 1)[0], 0x01020304U);
}

TEST_F(ProfilerTest, PassesComeInOrderWithoutStalling) {
    const Buffer buffer(device(),
                        {.size = VkDeviceSize{4} << 20, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "filled"});
    FrameRing ring(device());
    Profiler profiler(device());
    std::vector<FrameTimes> all;
    for (uint64_t i = 0; i < 5; ++i) {
        const Frame& frame = ring.begin();
        if (const std::optional<FrameTimes> times = profiler.begin_frame(frame)) all.push_back(*times);
        for (const char* name : {"cull instances", "cull meshlets 1", "draw 1"}) {
            const Profiler::Pass pass = profiler.pass(frame.commands, name);
            vkCmdFillBuffer(frame.commands, buffer.handle(), 0, VK_WHOLE_SIZE, static_cast<uint32_t>(i));
            memory_barrier(frame.commands, kTransferWrite, kTransferWrite);
        }
        if (i % 2 == 1) const Profiler::Pass odd = profiler.pass(frame.commands, "odd");
        profiler.end_frame(frame);
        ring.submit();
    }
    device().wait_idle();
    for (FrameTimes& times : profiler.collect()) all.push_back(std::move(times));
    EXPECT_TRUE(profiler.collect().empty());
    if (!device().capabilities().timestamps) {
        EXPECT_TRUE(all.empty());
        GTEST_SKIP() << "the device has no timestamps";
    }
    ASSERT_EQ(all.size(), 5U);
    for (uint64_t i = 0; i < 5; ++i) {
        EXPECT_EQ(all[i].frame, i);
        ASSERT_EQ(all[i].passes.size(), i % 2 == 1 ? 4U : 3U);
        EXPECT_EQ(all[i].passes[0].name, "cull instances");
        EXPECT_EQ(all[i].passes[1].name, "cull meshlets 1");
        EXPECT_EQ(all[i].passes[2].name, "draw 1");
        double sum = 0.0;
        for (const PassTime& pass : all[i].passes) {
            EXPECT_GE(pass.ms, 0.0);
            sum += pass.ms;
        }
        EXPECT_GT(sum, 0.0) << "4 MiB cannot be filled in no time";
        EXPECT_LE(sum, all[i].ms * 1.0001);
        EXPECT_LT(all[i].ms, 10'000.0);
    }
}

TEST_F(ProfilerTest, NestedAndOutsideOfFrames) {
    FrameRing ring(device());
    Profiler profiler(device());
    const Frame& frame = ring.begin();
    { const Profiler::Pass label_only = profiler.pass(frame.commands, "before the frame's first timestamp"); }
    profiler.begin_frame(frame);
    {
        const Profiler::Pass outer = profiler.pass(frame.commands, "outer");
        const Profiler::Pass inner = profiler.pass(frame.commands, "inner");
    }
    profiler.end_frame(frame);
    ring.submit();
    device().wait_idle();
    if (!device().capabilities().timestamps) GTEST_SKIP() << "the device has no timestamps";
    const std::vector<FrameTimes> times = profiler.collect();
    ASSERT_EQ(times.size(), 1U);
    ASSERT_EQ(times[0].passes.size(), 2U);
    EXPECT_EQ(times[0].passes[0].name, "outer");
    EXPECT_GE(times[0].passes[0].ms, times[0].passes[1].ms);
}

TEST_F(ProfilerTest, NoPassIsDroppedAndThoseOfOneNameAreAddedUp) {
    if (!device().capabilities().timestamps) GTEST_SKIP() << "the device has no timestamps";
    FrameRing ring(device());
    Profiler profiler(device());
    for (int frames = 0; frames < 2; ++frames) {
        const Frame& frame = ring.begin();
        profiler.begin_frame(frame);
        {
            const Profiler::Pass all = profiler.pass(frame.commands, "all");
            for (uint32_t i = 0; i < 1500; ++i) {
                const Profiler::Pass pass = profiler.pass(frame.commands, i % 2 == 0 ? "even" : "odd");
                const Profiler::Pass own = profiler.pass(frame.commands, std::to_string(i).c_str());
            }
        }
        profiler.end_frame(frame);
        ring.submit();
    }
    device().wait_idle();
    const std::vector<FrameTimes> times = profiler.collect();
    ASSERT_EQ(times.size(), 2U);
    for (const FrameTimes& frame : times) {
        ASSERT_EQ(frame.passes.size(), 1503U);
        EXPECT_EQ(frame.passes[0].name, "all");
        EXPECT_EQ(frame.passes[1].name, "even");
        EXPECT_EQ(frame.passes[1502].name, "1499");
        double own = 0.0;
        for (std::size_t i = 0; i < frame.passes.size(); ++i) {
            const std::string& name = frame.passes[i].name;
            if (name != "all" && name != "even" && name != "odd") own += frame.passes[i].ms;
        }
        const auto named = [&](const char* name) {
            return std::find_if(frame.passes.begin(), frame.passes.end(),
                                [&](const PassTime& pass) { return pass.name == name; })
                ->ms;
        };
        EXPECT_GE(named("even") + named("odd"), own) << "each of those lies in one of these";
        EXPECT_GE(frame.passes[0].ms, named("even") + named("odd")) << "and those in this";
    }
}

TEST_F(ProfilerTest, WithoutTimestampsThereAreLabelsAlone) {
    DeviceOptions options;
    options.without = {"timestamps"};
    open(options);
    FrameRing ring(device());
    Profiler profiler(device());
    for (int i = 0; i < 3; ++i) {
        const Frame& frame = ring.begin();
        EXPECT_FALSE(profiler.begin_frame(frame).has_value());
        for (uint32_t p = 0; p < 100; ++p) const Profiler::Pass pass = profiler.pass(frame.commands, "pass");
        profiler.end_frame(frame);
        ring.submit();
    }
    device().wait_idle();
    EXPECT_TRUE(profiler.collect().empty());
}

TEST_F(ProfilerTest, AnAbandonedFrameHasNoTimes) {
    FrameRing ring(device());
    Profiler profiler(device());
    const Frame& lost = ring.begin();
    profiler.begin_frame(lost);
    profiler.end_frame(lost);
    ring.abandon();
    for (int i = 0; i < 4; ++i) {
        const Frame& frame = ring.begin();
        const std::optional<FrameTimes> times = profiler.begin_frame(frame);
        EXPECT_FALSE(times.has_value() && times->frame == 0U);
        profiler.end_frame(frame);
        ring.submit();
    }
    device().wait_idle();
}

}  // namespace
}  // namespace sublet::gpu
