#include "app/streaming_report.h"

#include <algorithm>
#include <ostream>

#include "app/session.h"
#include "app/text.h"

namespace sublet::app {
namespace {

void print_streaming(std::ostream& out, const StreamingRun& run) {
    const render::StreamFigures& figures = run.last;
    out << "  streaming: " << grouped(figures.resident) << " of " << counted(figures.groups, "group")
        << " of levels of detail there, " << grouped(figures.arrived) << " came and " << grouped(figures.evicted)
        << " went, " << grouped((figures.read_bytes + (1U << 20U) - 1) >> 20U) << " MiB read; error at most "
        << fixed(figures.seen_error, 2) << " pixels\n";
    if (figures.failed != 0) out << "  " << counted(figures.failed, "group") << " could not be read\n";
}

void print_texture_streaming(std::ostream& out, const render::TextureFigures& figures) {
    out << "  textures: " << grouped(figures.whole) << " of " << counted(figures.images, "image") << " at full size, "
        << grouped(figures.refined) << " times one became finer and " << grouped(figures.coarsened) << " times coarser";
    if (figures.coarser != 0) {
        out << "; " << counted(figures.coarser, "level") << " coarser than what is seen asks for";
    }
    out << "\n";
    if (figures.failed != 0) out << "  " << counted(figures.failed, "image") << " could not be made\n";
}

}  // namespace

Json streaming_json(const StreamingRun& run) {
    const render::StreamFigures& figures = run.last;
    Json errors;
    if (const auto summary = summarize(run.errors)) {
        errors = {{"median", summary->median}, {"p95", summary->p95}, {"max", *std::ranges::max_element(run.errors)}};
    }
    return {
        {"pool_bytes", figures.pool_bytes},  {"groups", figures.groups},          {"resident_groups", figures.resident},
        {"loading_groups", figures.loading}, {"wished_groups", figures.wished},   {"demand", figures.demand},
        {"lod_error", figures.drawn_error},  {"seen_error", figures.seen_error},  {"seen_errors", std::move(errors)},
        {"arrived_groups", figures.arrived}, {"evicted_groups", figures.evicted}, {"failed_groups", figures.failed},
        {"read_bytes", figures.read_bytes}};
}

Json texture_streaming_json(const render::TextureFigures& figures) {
    return {{"budget_bytes", figures.budget},
            {"bytes", figures.bytes},
            {"images", figures.images},
            {"whole_images", figures.whole},
            {"loading_images", figures.loading},
            {"lacking_images", figures.lacking},
            {"levels_coarser", figures.coarser},
            {"refined_images", figures.refined},
            {"coarsened_images", figures.coarsened},
            {"failed_images", figures.failed}};
}

void print_all_streaming(std::ostream& out, const RunResult& run) {
    if (run.streaming) print_streaming(out, *run.streaming);
    if (run.texture_streaming) print_texture_streaming(out, *run.texture_streaming);
}

}  // namespace sublet::app
