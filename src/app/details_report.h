// What `info` tells beyond the figures of `encode`: the inside of streams, sublets and bounds.
#pragma once

#include <iosfwd>

#include "app/output.h"
#include "mesh/statistics.h"
#include "scene/container.h"

namespace sublet::app {

// Adds to `json`, as stats_json made it: in streams.NAME elements, bits_per_element, share and widths; sublets; bounds.
void add_details_json(Json& json, const mesh::GeometryStatistics& statistics);

void print_details(std::ostream& out, const mesh::GeometryStatistics& statistics, const scene::GeometryStats& totals);

}  // namespace sublet::app
