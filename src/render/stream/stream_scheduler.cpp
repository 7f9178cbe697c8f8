#include "render/stream/stream_scheduler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
std::uint32_t StreamStamps::wished() const {
    return words[shared::kStampWishes];
}

double StreamStamps::demand() const {
    return std::ldexp(words[shared::kStampDemand], -static_cast<int>(shared::kDemandBits));
}

float StreamStamps::largest() const {
    return std::bit_cast<float>(words[shared::kStampLargest]);
}

std::vector<GroupWish> StreamStamps::wishes() const {
    std::vector<GroupWish> out;
    const std::uint32_t count = std::min(wished(), wish_room);
    out.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t group = words[shared::kStampList + i];
        out.push_back({group, std::bit_cast<float>(words[shared::kStampList + wish_room + group])});
    }
    return out;
}

std::span<const std::uint32_t> StreamStamps::last_use() const {
    const auto of_groups = words.subspan(shared::kStampList + wish_room);
    return of_groups.subspan(of_groups.size() / 2);
}

StreamScheduler::StreamScheduler(gpu::Device& device, const scene::EncodedScene& file, const Residency& residency)
    : streamer_(*residency.groups, residency.pool.size), loader_(device, file, residency) {
    try {
        thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
        throw Error("renderer", "streaming", "the system grants no thread");
    }
}

StreamScheduler::~StreamScheduler() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void StreamScheduler::start(Task task, const StreamStamps& stamps) {
    {
        const std::scoped_lock lock(mutex_);
        task_ = std::move(task);
        stamps_ = stamps;
        told_ = std::exchange(reports_, {});
    }
    running_ = true;
    wake_.notify_one();
}

std::optional<StreamScheduler::Step> StreamScheduler::finished(bool wait) {
    if (!running_) return std::nullopt;
    std::unique_lock lock(mutex_);
    if (wait) done_.wait(lock, [this] { return step_ || error_; });
    if (!step_ && !error_) return std::nullopt;
    if (error_) std::rethrow_exception(error_);
    running_ = false;
    given_ = step_->number;
    return std::exchange(step_, std::nullopt);
}

void StreamScheduler::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || task_; });
        if (stopping_) return;
        Task task = *std::exchange(task_, std::nullopt);
        const StreamStamps stamps = stamps_;
        const std::vector<Report> reports = std::move(told_);
        lock.unlock();
        std::optional<Step> step;
        std::exception_ptr error;
        try {
            task.wishes = stamps.wishes();
            task.options.used = stamps.last_use();
            step = decide(std::move(task), reports);
        } catch (...) {  // out of memory
            error = std::current_exception();
        }
        lock.lock();
        step_ = std::move(step);
        error_ = error;
        done_.notify_all();
    }
}

std::uint32_t StreamScheduler::choose_roots() {
    chosen_ = streamer_.take_roots();
    return static_cast<std::uint32_t>(chosen_.size());
}

StreamScheduler::Step StreamScheduler::run(Task task) {
    Step out = decide(std::move(task), std::exchange(reports_, {}));
    given_ = out.number;
    return out;
}

StreamScheduler::Step StreamScheduler::decide(Task task, const std::vector<Report>& reports) {
    for (const auto& [arrival, not_before] : reports) {
        if (not_before) {
            streamer_.fail(arrival, *not_before);
        } else {
            static_cast<void>(streamer_.arrive(arrival));  // as it has: its parents are there
        }
    }
    Step out;
    if (chosen_.empty()) {
        Streamer::Choice choice = streamer_.choose(std::move(task.wishes), task.options);
        chosen_ = std::move(choice.arrivals);
        out.evicted = std::move(choice.evicted);
        out.begun = static_cast<std::uint32_t>(chosen_.size());
        out.lacks_room = choice.lacks_room;
    }
    if (!out.evicted.empty()) ++evicting_steps_;
    out.number = evicting_steps_;
    loader_.begin(chosen_, out.number);
    return out;
}

}  // namespace sublet::render
