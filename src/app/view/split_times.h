// What the GPU takes for each side of a window that is split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "render/renderer.h"

namespace sublet::app {

// The view of the renderer that draws the right side; the left one is view 0.
inline constexpr std::uint32_t kSplitView = 1;

class SplitTimes {
  public:
    // A frame is over. One that did not draw both sides, or in which pipelines were made, says nothing.
    void add(const render::FrameResult& frame);
    void clear();

    // Medians of the last frames that were added, at most kFrames: from the first pass of a side to its last. Nothing
    // before the first.
    [[nodiscard]] std::optional<double> a_ms() const;
    [[nodiscard]] std::optional<double> b_ms() const;

    static constexpr std::size_t kFrames = 60;

  private:
    std::deque<double> a_, b_;
};

}  // namespace sublet::app
