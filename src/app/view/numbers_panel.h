// What was measured of the frames shown: times, what culling left, memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/view/measurements.h"
#include "app/view/widgets.h"
#include "render/renderer.h"

namespace sublet::app {

struct NumbersModel {
    const gpu::Capabilities* device = nullptr;
    const Measurements* measured = nullptr;
    const render::Counters* counters = nullptr;
    render::SceneTotals totals;
    std::optional<std::uint64_t> differing_pixels;  // from direct draws, while that is shown
    std::optional<render::Probe> pointed;           // what lies under the pointer
    float lod_error = 0.0F;                         // that is asked for, in pixels
    std::optional<render::StreamFigures> streaming;
    std::optional<render::TextureFigures> texture_streaming;
};

class NumbersPanel {
  public:
    // Within a window.
    void draw(const NumbersModel& model, WidgetMap& widgets);

  private:
    void draw_times(const NumbersModel& model, WidgetMap& widgets);
    void draw_graph(const FrameHistory& history, double most_ms, WidgetMap& widgets);
    void draw_funnel(const NumbersModel& model, WidgetMap& widgets);

    std::vector<std::vector<float>> series_;  // kept for their capacity
    std::vector<std::uint32_t> colors_;
};

}  // namespace sublet::app
