#include "app/view/split_times.h"

#include <algorithm>
#include <vector>

namespace sublet::app {

namespace {

std::optional<double> median(const std::deque<double>& times) {
    if (times.empty()) return std::nullopt;
    std::vector<double> sorted(times.begin(), times.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

}  // namespace

void SplitTimes::add(const render::FrameResult& frame) {
    if (frame.fresh_pipelines) return;
    std::optional<double> a, b;
    for (const render::ViewCounters& view : frame.views) {
        if (view.view == 0) a = view.gpu_ms;
        if (view.view == kSplitView) b = view.gpu_ms;
    }
    if (!a || !b) return;
    a_.push_back(*a);
    b_.push_back(*b);
    if (a_.size() > kFrames) {
        a_.pop_front();
        b_.pop_front();
    }
}

void SplitTimes::clear() {
    a_.clear();
    b_.clear();
}

std::optional<double> SplitTimes::a_ms() const {
    return median(a_);
}

std::optional<double> SplitTimes::b_ms() const {
    return median(b_);
}

}  // namespace sublet::app
