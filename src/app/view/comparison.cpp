#include "app/view/comparison.h"

#include "base/error.h"

namespace sublet::app {

void Comparison::keep(const render::Settings& settings) {
    settings_ = settings;
    times_.clear();
}

std::string Comparison::plan(std::optional<render::FramePlan>& plan, const MakePlan& make_plan) {
    try {
        plan = make_plan(settings_->frame);
        return {};
    } catch (const Error& error) {
        settings_.reset();
        splits_ = false;
        return std::string("B can't be shown: ") + error.what();
    }
}

std::string Comparison::show(const FrameSummary& times, const MakePlan& make_plan) {
    times_before_ = times;
    return plan(shown_, make_plan);
}

void Comparison::hide(const FrameSummary& times) {
    shown_.reset();
    times_ = compare_times(times_before_, times);
}

void Comparison::toggle_split(const render::Settings& now) {
    splits_ = !splits_;
    if (splits_ && !settings_) keep(now);
}

std::string Comparison::plan_split(const MakePlan& make_plan) {
    right_.reset();
    split_times_.clear();
    if (!splits_) return {};
    std::string fault = plan(right_, make_plan);
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
