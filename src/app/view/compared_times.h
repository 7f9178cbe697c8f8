// The GPU's times of two settings side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/frame_history.h"
#include "app/output.h"
#include "render/settings/settings.h"

namespace sublet::app {

// Whether settings that are compared may differ in it: frames have it, and it is not where animations are, which both
// show at one time.
[[nodiscard]] bool is_compared(const render::Setting& setting);

// `settings` at the time and speed of `now`.
[[nodiscard]] render::FrameSettings at_time_of(render::FrameSettings settings, const render::FrameSettings& now);

struct ComparedTime {
    std::string name;            // of a pass; "whole frame" comes first
    std::optional<double> a, b;  // ms; nothing: it has no such pass
};

// The whole frame, and the passes that one of the two lacks or whose times are more than a twentieth apart, in frame
// order. Empty where either was not timed.
[[nodiscard]] std::vector<ComparedTime> compare_times(const FrameSummary& a, const FrameSummary& b);

// [{"name", "a_ms", "b_ms"}]; null where there is no such pass.
[[nodiscard]] Json compared_json(const std::vector<ComparedTime>& times);

}  // namespace sublet::app
