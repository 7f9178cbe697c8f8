#include "base/progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/console.h"

namespace sublet {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{50};
constexpr std::uint64_t kBarWidth = 40;

thread_local ProgressWatch* current_watch = nullptr;

}  // namespace

struct ProgressWatch::Stage {
    std::string name, unit;
    std::uint64_t total = 0, steps = 1;
    std::atomic<std::uint64_t> done{0};
    std::shared_ptr<Stage> before;  // that it lies within

    [[nodiscard]] ProgressState state() const { return {name, unit, total, fraction()}; }
    [[nodiscard]] double fraction() const {
        if (total == 0) return 0.0;
        return std::min(1.0, static_cast<double>(done.load(std::memory_order_relaxed)) /
                                 (static_cast<double>(total) * static_cast<double>(steps)));
    }
};

ProgressWatch::ProgressWatch(Observer observer) : observer_(std::move(observer)) {}
ProgressWatch::~ProgressWatch() = default;

ProgressState ProgressWatch::state() const {
    const std::lock_guard lock(mutex_);
    return stage_ ? stage_->state() : ProgressState{};
}

ProgressWatch* ProgressWatch::current() {
    return current_watch;
}

ProgressWatch::Scope::Scope(ProgressWatch& watch) : before_(std::exchange(current_watch, &watch)) {}

ProgressWatch::Scope::~Scope() {
    current_watch = before_;
}

Progress::Progress(std::string stage, std::uint64_t total, std::string unit, std::uint64_t steps)
    : state_(std::make_shared<ProgressWatch::Stage>()), watch_(current_watch), shown_(stderr_is_terminal()) {
    if (watch_ != nullptr && watch_->cancelled()) throw Cancelled();
    state_->name = std::move(stage);
    state_->unit = std::move(unit);
    state_->total = total;
    state_->steps = steps;
    if (watch_ != nullptr) {
        const std::lock_guard lock(watch_->mutex_);
        state_->before = std::exchange(watch_->stage_, state_);
    }
    if (watch_ != nullptr && watch_->observer_) watch_->observer_(state_->state());
    if (shown_) draw();
}

Progress::~Progress() {
    // Leaves the line empty for whatever is written next.
    if (shown_) std::fputs("\r\033[K", stderr);
    if (watch_ == nullptr) return;
    const std::lock_guard lock(watch_->mutex_);
    if (watch_->stage_ == state_) watch_->stage_ = state_->before;
}

void Progress::advance(std::uint64_t amount) {
    if (watch_ != nullptr && watch_->cancelled()) throw Cancelled();
    if (watch_ == nullptr && !shown_) return;
    state_->done.fetch_add(amount, std::memory_order_relaxed);
    if (watch_ != nullptr && watch_->observer_) watch_->observer_(state_->state());
    if (!shown_) return;
    // Whoever finds the bar being drawn leaves it at that: work never waits for it.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && std::chrono::steady_clock::now() - last_drawn_ >= kRedrawInterval) draw();
}

void Progress::draw() {
    last_drawn_ = std::chrono::steady_clock::now();
    const char* const stage = state_->name.c_str();
    if (state_->total == 0) {
        std::fprintf(stderr, "\r\033[K%s", stage);
        return;
    }
    const double fraction = state_->fraction();
    std::string bar(static_cast<std::size_t>(fraction * kBarWidth), '#');
    bar.resize(kBarWidth, '.');
    std::fprintf(stderr, "\r\033[K%-10s [%s] %3d %%", stage, bar.c_str(), static_cast<int>(fraction * 100));
}

}  // namespace sublet
