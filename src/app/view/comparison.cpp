#include "app/view/comparison.h"

namespace sublet::app {

void Comparison::keep(const render::Settings& settings) {
    settings_ = settings;
    times_.clear();
}

void Comparison::drop() {
    settings_.reset();
    splits_ = false;
}

void Comparison::show(const FrameSummary& times, const MakePlan& make_plan) {
    times_before_ = times;
    shown_ = make_plan(settings_->frame);
}

void Comparison::hide(const FrameSummary& times) {
    shown_.reset();
    times_ = compare_times(times_before_, times);
}

void Comparison::plan_split(const MakePlan& make_plan) {
    right_.reset();
    split_times_.clear();
    if (!splits_) return;
    right_ = make_plan(settings_->frame);
    right_->difference = false;  // its own count would be added to that of the left side
    if (right_->freeze_culling >= 0) right_->freeze_culling = 0;  // this view has frames of its own
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
