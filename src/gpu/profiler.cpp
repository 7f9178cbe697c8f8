#include "gpu/profiler.h"

#include <algorithm>

#include "base/error.h"

namespace sublet::gpu {

namespace {

constexpr uint32_t kPairs = 64;  // of a pool
constexpr uint32_t kQueries = 2 * kPairs;

// When all that was recorded before is done: so a pass's time is its own, as long as barriers keep passes apart.
void write_timestamp(VkCommandBuffer commands, VkQueryPool queries, uint32_t query) {
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, query);
}

}  // namespace

double FrameTimes::between_passes() const {
    double left = ms;
    for (const PassTime& pass : passes) left -= pass.ms;
    return std::max(left, 0.0);
}

Profiler::Profiler(Device& device) : device_(device) {
    if (!device.capabilities().timestamps) return;
    try {
        for (Slot& slot : slots_) slot.pools.push_back(make_pool(slot));
    } catch (...) {
        destroy();
        throw;
    }
}

Profiler::~Profiler() {
    destroy();
}

void Profiler::destroy() noexcept {
    for (Slot& slot : slots_) {
        for (VkQueryPool pool : slot.pools) vkDestroyQueryPool(device_.handle(), pool, nullptr);
        slot.pools.clear();
    }
}

VkQueryPool Profiler::make_pool(const Slot& slot) {
    auto info = make_struct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = kQueries;
    VkQueryPool pool = VK_NULL_HANDLE;
    check(vkCreateQueryPool(device_.handle(), &info, nullptr, &pool), "creating the timestamp queries");
    const auto index = static_cast<std::size_t>(&slot - slots_.data());
    device_.set_name(VK_OBJECT_TYPE_QUERY_POOL, pool,
                     "pass times, slot " + std::to_string(index) + ", pool " + std::to_string(slot.pools.size()));
    vkResetQueryPool(device_.handle(), pool, 0, kQueries);
    return pool;
}

std::optional<FrameTimes> Profiler::read(Slot& slot) {
    if (!slot.pending) return std::nullopt;
    slot.pending = false;
    std::vector<uint64_t> ticks(2 + (2 * slot.timed.size()));
    for (std::size_t first = 0; first < ticks.size(); first += kQueries) {
        const auto count = static_cast<uint32_t>(std::min<std::size_t>(ticks.size() - first, kQueries));
        const VkResult result =
            vkGetQueryPoolResults(device_.handle(), slot.pools[first / kQueries], 0, count, count * sizeof(uint64_t),
                                  ticks.data() + first, sizeof(uint64_t), VK_QUERY_RESULT_64_BIT);
        if (check(result, "reading the pass times") == VK_NOT_READY) return std::nullopt;
    }

    const uint32_t bits = device_.capabilities().timestamp_valid_bits;
    const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    const double ms_per_tick = static_cast<double>(device_.capabilities().limits.timestampPeriod) * 1e-6;
    // Modulo the counter's width: a counter that wraps in between still gives the difference.
    const auto ms = [&](std::size_t pair) {
        return static_cast<double>((ticks[2 * pair + 1] - ticks[2 * pair]) & mask) * ms_per_tick;
    };
    FrameTimes times;
    times.frame = slot.frame;
    times.ms = ms(0);
    for (std::size_t i = 0; i < slot.timed.size(); ++i) {
        const Slot::Timed& timed = slot.timed[i];
        std::vector<PassTime>& list = timed.span ? times.spans : times.passes;
        const auto same =
            std::find_if(list.begin(), list.end(), [&](const PassTime& pass) { return pass.name == timed.name; });
        if (same == list.end()) {
            list.push_back({timed.name, ms(1 + i)});
        } else {
            same->ms += ms(1 + i);
        }
    }
    return times;
}

std::optional<FrameTimes> Profiler::begin_frame(const Frame& frame) {
    Slot& slot = slots_[frame.slot];
    if (slot.pools.empty()) return std::nullopt;
    std::optional<FrameTimes> times = read(slot);
    for (VkQueryPool pool : slot.pools) vkResetQueryPool(device_.handle(), pool, 0, kQueries);
    slot.timed.clear();
    slot.frame = frame.number;
    open_ = &slot;
    write_timestamp(frame.commands, slot.pools[0], 0);
    return times;
}

void Profiler::end_frame(const Frame& frame) {
    if (open_ == nullptr) return;
    write_timestamp(frame.commands, open_->pools[0], 1);
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

Profiler::Pass Profiler::pass(Commands commands, const char* name) {
    return {*this, commands, prefix_ + name, Pass::Kind::kPass};
}

Profiler::Pass Profiler::span(Commands commands, const char* name) {
    return {*this, commands, name, Pass::Kind::kSpan};
}

Profiler::Pass Profiler::time(Commands commands, const char* name) {
    return {*this, commands, name, Pass::Kind::kTimes};
}

Profiler::Pass::Pass(Profiler& profiler, Commands commands, std::string name, Kind kind) : commands_(commands) {
    if (kind == Kind::kPass) label_.emplace(profiler.device_, commands, name.c_str());
    Slot* slot = profiler.open_;
    if (slot == nullptr) return;
    if (commands.is_strand()) {
        commands.set_pass(std::move(name));
        return;
    }
    const std::size_t pair = 1 + slot->timed.size();
    if (pair == slot->pools.size() * kPairs) slot->pools.push_back(profiler.make_pool(*slot));
    queries_ = slot->pools[pair / kPairs];
    query_ = static_cast<uint32_t>(2 * (pair % kPairs));
    slot->timed.push_back({std::move(name), kind == Kind::kSpan});
    write_timestamp(commands_, queries_, query_);
}

Profiler::Pass::~Pass() {
    if (queries_ != VK_NULL_HANDLE) write_timestamp(commands_, queries_, query_ + 1);
    if (commands_.is_strand()) commands_.set_pass({});
}

}  // namespace sublet::gpu
