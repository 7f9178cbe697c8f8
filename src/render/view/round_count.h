// How many rounds of culling and drawing a view's frames record.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/settings/frame_plan.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// A round that finds nothing to do costs the GPU a few empty passes, and the CPU their recording. So what frames took
// tells how many the next ones get: lists for three times as much, for what a camera may come to see. The first frames
// of a plan get all that may be needed. What no round has done is drawn without lists, by a walk over the whole scene:
// where all of that is drawn, some rounds cost less than the danger.
class RoundCount {
  public:
    // Of the next frame, by `plan`, which needs `most` at most. `cut`: it chooses levels of detail.
    [[nodiscard]] std::uint32_t next(const FramePlan& plan, std::uint32_t most, bool cut) {
        most = std::min(most, shared::kMostRounds);
        least_ = cut ? 1 : std::max(most / 8, 1U);
        if (rounds_ == 0 || most != most_ || plan != plan_) rounds_ = most;
        most_ = most;
        plan_ = plan;
        return rounds_;
    }
    // A frame that recorded so many took `taken`, the last of them as far as its list was filled; more than recorded
    // where those were not enough.
    void note(std::uint32_t recorded, double taken) {
        if (recorded != rounds_) return;  // an older frame, by another plan
        rounds_ =
            taken > recorded ? most_ : std::clamp(static_cast<std::uint32_t>(std::ceil(3.0 * taken)), least_, most_);
    }

  private:
    FramePlan plan_;
    std::uint32_t least_ = 1, most_ = 0;
    std::uint32_t rounds_ = 0;
};

}  // namespace sublet::render
