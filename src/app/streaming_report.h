// What streaming of geometry did, for scripts and for people.
#pragma once

#include <iosfwd>
#include <vector>

#include "app/output.h"
#include "render/stream/stream_figures.h"

namespace sublet::app {

struct StreamingRun {
    render::StreamFigures last;
    std::vector<double> errors;  // StreamFigures::seen_error, after each frame that is timed
};

[[nodiscard]] Json streaming_json(const StreamingRun& run);
void print_streaming(std::ostream& out, const StreamingRun& run);

}  // namespace sublet::app
