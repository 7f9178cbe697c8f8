#include "app/view/comparison.h"

#include "app/view/window_gpu.h"
#include "base/error.h"

namespace sublet::app {

void Comparison::keep(const render::Settings& settings) {
    settings_ = settings;
    times_.clear();
}

std::string Comparison::plan(std::optional<render::FramePlan>& plan, WindowGpu& gpu, const render::FrameSettings& now) {
    try {
        render::FrameSettings other = settings_->frame;
        other.freeze_culling = now.freeze_culling;  // both look at the same
        plan = gpu.plan(other);
        return {};
    } catch (const Error& error) {
        settings_.reset();
        splits_ = false;
        return std::string("B can't be shown: ") + error.what();
    }
}

std::string Comparison::show(const FrameSummary& times, WindowGpu& gpu, const render::FrameSettings& now) {
    times_before_ = times;
    return plan(shown_, gpu, now);
}

void Comparison::hide(const FrameSummary& times) {
    shown_.reset();
    times_ = compare_times(times_before_, times);
}

void Comparison::toggle_split(const render::Settings& now) {
    splits_ = !splits_;
    if (splits_ && !settings_) keep(now);
}

std::string Comparison::plan_split(WindowGpu& gpu, const render::FrameSettings& now) {
    right_.reset();
    split_times_.clear();
    if (!splits_) return {};
    std::string fault = plan(right_, gpu, now);
    if (!fault.empty()) return fault;
    right_->difference = false;  // its own count would be added to that of the left side
    if (right_->freeze_culling >= 0) right_->freeze_culling = 0;  // this view has frames of its own
    return {};
}

void Comparison::forget_times() {
    times_before_ = {};
    times_.clear();
    split_times_.clear();
}

void Comparison::forget_plans() {
    shown_.reset();
    right_.reset();
}

}  // namespace sublet::app
