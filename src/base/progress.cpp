#include "base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace sublet {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{50};
constexpr std::uint64_t kBarWidth = 40;

}  // namespace

Progress::Progress(std::string stage, std::uint64_t total)
    : stage_(std::move(stage)), total_(total), shown_(::isatty(STDERR_FILENO) != 0) {
    if (shown_) draw();
}

Progress::~Progress() {
    // Leaves the line empty for whatever is written next.
    if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::advance(std::uint64_t amount) {
    if (!shown_) return;
    done_.fetch_add(amount, std::memory_order_relaxed);
    // Whoever finds the bar being drawn leaves it at that: work never waits for it.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && std::chrono::steady_clock::now() - last_drawn_ >= kRedrawInterval) draw();
}

void Progress::draw() {
    last_drawn_ = std::chrono::steady_clock::now();
    if (total_ == 0) {
        std::fprintf(stderr, "\r\033[K%s", stage_.c_str());
        return;
    }
    const double fraction =
        std::min(1.0, static_cast<double>(done_.load(std::memory_order_relaxed)) / static_cast<double>(total_));
    std::string bar(static_cast<std::size_t>(fraction * kBarWidth), '#');
    bar.resize(kBarWidth, '.');
    std::fprintf(stderr, "\r\033[K%-10s [%s] %3d %%", stage_.c_str(), bar.c_str(), static_cast<int>(fraction * 100));
}

}  // namespace sublet
