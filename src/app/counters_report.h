// What a frame counted, and what takes memory, for scripts and for people.
#pragma once

#include <iosfwd>

#include "app/output.h"
#include "gpu/device.h"
#include "render/renderer.h"

namespace sublet::app {

[[nodiscard]] Json counters_json(const render::Counters& counters);
[[nodiscard]] Json totals_json(const render::SceneTotals& totals);
[[nodiscard]] Json memory_json(const render::MemoryUse& memory, const gpu::MemoryUsage& device);

// A row for each step of the funnel; columns that no step has are left out.
void print_funnel(std::ostream& out, const render::Funnel& funnel);
void print_shadows(std::ostream& out, const render::ShadowCounters& shadows);
void print_lights(std::ostream& out, const render::LightCounters& lights);

}  // namespace sublet::app
