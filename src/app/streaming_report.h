// What streaming of geometry and of textures did, for scripts and for people.
#pragma once

#include <iosfwd>
#include <vector>

#include "app/output.h"
#include "render/scene/texture_levels.h"
#include "render/stream/stream_figures.h"

namespace sublet::app {

struct RunResult;

struct StreamingRun {
    render::StreamFigures last;
    std::vector<double> errors;  // StreamFigures::seen_error, after each frame that is timed
};

[[nodiscard]] Json streaming_json(const StreamingRun& run);
[[nodiscard]] Json texture_streaming_json(const render::TextureFigures& figures);
// Lines of text, of what there is.
void print_all_streaming(std::ostream& out, const RunResult& run);

}  // namespace sublet::app
