// The GPU's times of two settings side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/frame_history.h"
#include "app/output.h"

namespace sublet::app {

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
