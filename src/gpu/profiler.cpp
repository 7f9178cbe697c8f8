#include "gpu/profiler.h"

#include <algorithm>

#include "base/error.h"

namespace sublet::gpu {

namespace {

// The frame's own pair comes first, then a pair for each pass.
constexpr uint32_t kFrameBegin = 0;
constexpr uint32_t kFrameEnd = 1;
constexpr uint32_t kQueries = 2 + (2 * Profiler::kMaxPasses);

// When all that was recorded before is done: so a pass's time is its own, as long as barriers keep passes apart.
void write_timestamp(VkCommandBuffer commands, VkQueryPool queries, uint32_t query) {
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, query);
}

}  // namespace

Profiler::Profiler(Device& device) : device_(device) {
    if (!device.capabilities().timestamps) return;
    auto info = make_struct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = kQueries;
    for (Slot& slot : slots_) {
        const VkResult result = vkCreateQueryPool(device.handle(), &info, nullptr, &slot.queries);
        if (result < 0) destroy();
        check(result, "creating the timestamp queries");
        device.set_name(VK_OBJECT_TYPE_QUERY_POOL, slot.queries, "pass times");
    }
}

Profiler::~Profiler() {
    destroy();
}

void Profiler::destroy() noexcept {
    for (Slot& slot : slots_) {
        vkDestroyQueryPool(device_.handle(), slot.queries, nullptr);
        slot.queries = VK_NULL_HANDLE;
    }
}

std::optional<FrameTimes> Profiler::read(Slot& slot) {
    if (!slot.pending) return std::nullopt;
    slot.pending = false;
    std::array<uint64_t, kQueries> ticks{};
    const auto count = static_cast<uint32_t>(2 + (2 * slot.names.size()));
    const VkResult result = vkGetQueryPoolResults(device_.handle(), slot.queries, 0, count, count * sizeof(uint64_t),
                                                  ticks.data(), sizeof(uint64_t), VK_QUERY_RESULT_64_BIT);
    if (check(result, "reading the pass times") == VK_NOT_READY) return std::nullopt;

    const uint32_t bits = device_.capabilities().timestamp_valid_bits;
    const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    const double ms_per_tick = static_cast<double>(device_.capabilities().limits.timestampPeriod) * 1e-6;
    // Modulo the counter's width: a counter that wraps in between still gives the difference.
    const auto ms = [&](uint32_t begin, uint32_t end) {
        return static_cast<double>((ticks[end] - ticks[begin]) & mask) * ms_per_tick;
    };
    FrameTimes times;
    times.frame = slot.frame;
    times.ms = ms(kFrameBegin, kFrameEnd);
    times.passes.reserve(slot.names.size());
    for (uint32_t i = 0; i < slot.names.size(); ++i)
        times.passes.push_back({slot.names[i], ms(2 + (2 * i), 3 + (2 * i))});
    return times;
}

std::optional<FrameTimes> Profiler::begin_frame(const Frame& frame) {
    Slot& slot = slots_[frame.slot];
    if (slot.queries == VK_NULL_HANDLE) return std::nullopt;
    std::optional<FrameTimes> times = read(slot);
    vkResetQueryPool(device_.handle(), slot.queries, 0, kQueries);
    slot.names.clear();
    slot.frame = frame.number;
    open_ = &slot;
    write_timestamp(frame.commands, slot.queries, kFrameBegin);
    return times;
}

void Profiler::end_frame(const Frame& frame) {
    if (open_ == nullptr) return;
    write_timestamp(frame.commands, open_->queries, kFrameEnd);
    open_->pending = true;
    open_ = nullptr;
}

std::vector<FrameTimes> Profiler::collect() {
    std::vector<FrameTimes> all;
    for (Slot& slot : slots_) {
        if (std::optional<FrameTimes> times = read(slot)) all.push_back(std::move(*times));
    }
    std::sort(all.begin(), all.end(), [](const FrameTimes& a, const FrameTimes& b) { return a.frame < b.frame; });
    return all;
}

Profiler::Pass Profiler::pass(VkCommandBuffer commands, const char* name) {
    return {*this, commands, name};
}

Profiler::Pass::Pass(Profiler& profiler, VkCommandBuffer commands, const char* name)
    : commands_(commands), label_(profiler.device_, commands, name) {
    Slot* slot = profiler.open_;
    if (slot == nullptr) return;
    if (slot->names.size() == kMaxPasses) return;
    queries_ = slot->queries;
    index_ = static_cast<uint32_t>(slot->names.size());
    slot->names.emplace_back(name);
    write_timestamp(commands_, queries_, 2 + (2 * index_));
}

Profiler::Pass::~Pass() {
    if (queries_ != VK_NULL_HANDLE) write_timestamp(commands_, queries_, 3 + (2 * index_));
}

}  // namespace sublet::gpu
