// What was measured of the frames shown: times, counters, memory.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/view/widgets.h"
#include "gpu/profiler.h"
#include "render/renderer.h"

namespace sublet::app {

struct NumbersModel {
    const gpu::Capabilities* device = nullptr;
    const render::Counters* counters = nullptr;
    const gpu::FrameTimes* times = nullptr;
    render::MemoryUse memory;
    gpu::MemoryUsage device_memory;
    const render::AmbiguousPixels* ambiguous = nullptr;
    VkExtent2D extent{};
    double cpu_ms = 0;    // recording and submitting, of the last frame
    double frame_ms = 0;  // from frame to frame
    double ui_ms = 0;     // of the CPU, for the panels
};

class NumbersPanel {
  public:
    void draw(const NumbersModel& model, WidgetMap& widgets);

  private:
};

}  // namespace sublet::app
