// sublet bench --micro raster: triangles of equal size, rasterised by the hardware and in compute. Which size of
// triangle is whose, and how many pixels a lane should draw by itself, differs from GPU to GPU.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/micro.h"
#include "app/text.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "render/settings/backend_info.h"

namespace sublet::app {

namespace {

constexpr std::array kAreas{0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0};  // pixels of a triangle
constexpr std::array kHardware{render::Backend::kCompact, render::Backend::kMeshIndirect, render::Backend::kMdi};
constexpr std::array kLimits{0U, 4U, 16U, 64U, 256U, 1024U, render::kMostRasterLimit};

// How much is drawn.
struct Work {
    PictureSize window;
    std::uint32_t triangles;  // in a frame, at most, where one layer of a few large ones is not more
    std::uint32_t layers;     // at most
    std::uint32_t frames, warmup;
};
constexpr Work kWork{.window = {1920, 1080}, .triangles = 1U << 21, .layers = 32, .frames = 20, .warmup = 3};
constexpr Work kWorkCpu{.window = {256, 144}, .triangles = 1U << 12, .layers = 4, .frames = 3, .warmup = 1};

// Sheets of right triangles, two to a square, parallel to the window and one behind another. An instance is a tile of a
// sheet. They cover a rectangle in the middle of the window: all of it, unless that takes too many triangles.
struct Sheets {
    double leg;        // of a triangle, in pixels: its bounding box has twice its area
    glm::uvec2 quads;  // of a tile
    glm::uvec2 tiles;  // of a sheet
    std::uint32_t layers;

    [[nodiscard]] std::uint64_t quads_of_layer() const { return std::uint64_t{quads.x} * quads.y * tiles.x * tiles.y; }
    [[nodiscard]] std::uint64_t triangles() const { return 2 * quads_of_layer() * layers; }
    // That the triangles have together, and that the picture has of them.
    [[nodiscard]] double pixels() const { return pixels_of_layer() * layers; }
    [[nodiscard]] double pixels_of_layer() const { return static_cast<double>(quads_of_layer()) * leg * leg; }
};

Sheets plan_sheets(double area, const Work& work) {
    constexpr std::uint32_t kTileSide = 64;  // quads: instances are then few, and a mesh is many sublets
    Sheets sheets{.leg = std::sqrt(2.0 * area), .quads = {}, .tiles = {}, .layers = 1};
    const double window = static_cast<double>(work.window.width) * work.window.height;
    const double scale = std::sqrt(std::min(1.0, work.triangles * area / window));
    const std::array sides{work.window.width, work.window.height};
    for (int axis = 0; axis < 2; ++axis) {
        const double count = scale * sides[static_cast<std::size_t>(axis)] / sheets.leg;
        const std::uint32_t quads = std::max(1U, static_cast<std::uint32_t>(count));
        sheets.tiles[axis] = (quads + kTileSide - 1) / kTileSide;
        sheets.quads[axis] = quads / sheets.tiles[axis];
    }
    const std::uint64_t affordable = work.triangles / sheets.triangles();
    sheets.layers = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(affordable, 1, work.layers));
    return sheets;
}

// A pixel is a unit of the scene.
scene::EncodedScene make_sheets(const Sheets& sheets, ThreadPool& pool) {
    scene::SourceMesh tile;
    const auto leg = static_cast<float>(sheets.leg);
    for (std::uint32_t j = 0; j <= sheets.quads.y; ++j) {
        for (std::uint32_t i = 0; i <= sheets.quads.x; ++i) {
            tile.positions.push_back({static_cast<float>(i) * leg, -static_cast<float>(j) * leg, 0.0F});
        }
    }
    const glm::vec2 size = leg * glm::vec2(sheets.quads);
    const glm::vec2 corner = -0.5F * size * glm::vec2(sheets.tiles);
    std::vector<glm::vec3> places;
    for (std::uint32_t layer = 0; layer < sheets.layers; ++layer) {
        // In no order: of what is drawn at a pixel, some is hidden by what is there, and some hides it.
        const double turn = 0.618034 * layer;
        const auto depth = static_cast<float>(64.0 * (turn - std::floor(turn)));
        for (std::uint32_t y = 0; y < sheets.tiles.y; ++y) {
            for (std::uint32_t x = 0; x < sheets.tiles.x; ++x) {
                const glm::vec2 at = corner + size * glm::vec2(x, y);
                places.emplace_back(at.x, -at.y, -depth);
            }
        }
    }
    return encode_sheet(std::move(tile), sheets.quads, places, pool);
}

// One that draws.
struct Contender {
    render::Backend backend;
    bool cull_primitives = true;
    std::optional<std::uint32_t> raster_limit = {};
    std::vector<std::optional<double>> ms = {};  // medians, for each of kAreas

    [[nodiscard]] bool in_compute() const { return backend == render::Backend::kRaster; }
    [[nodiscard]] bool culls_in_compute() const {
        return render::backend_info(backend).primitives == render::PrimitiveCulling::kCompute;
    }
    // Whether it is timed with all that single triangles cost; and whether with nothing but the hardware's part of it.
    [[nodiscard]] bool whole() const { return cull_primitives; }
    [[nodiscard]] bool draw_alone() const { return !in_compute() && !(cull_primitives && culls_in_compute()); }
    [[nodiscard]] bool times(std::string_view pass) const {
        if (in_compute()) return pass.starts_with("raster");
        return pass == "draw" || (pass == "cull primitives" && !draw_alone());
    }
    [[nodiscard]] std::string name() const {
        const std::string name(render::backend_name(backend));
        if (in_compute()) return name + ", limit " + std::to_string(*raster_limit);
        return cull_primitives ? name : name + ", draw alone";
    }
};

std::vector<Contender> make_contenders(const render::FrameSettings& asked) {
    std::vector<Contender> all;
    for (const render::Backend backend : kHardware) {
        all.push_back({.backend = backend});
        if (!all.back().draw_alone()) all.push_back({.backend = backend, .cull_primitives = false});
    }
    std::vector<std::uint32_t> limits(kLimits.begin(), kLimits.end());
    if (asked.raster_limit) limits.push_back(*asked.raster_limit);
    std::ranges::sort(limits);
    limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
    for (const std::uint32_t limit : limits) {
        all.push_back({.backend = render::Backend::kRaster, .raster_limit = limit});
    }
    return all;
}

// Of the command line's, those that say how shaders work.
render::Settings settings_of(const Contender& contender, const Work& work, const render::FrameSettings& asked) {
    render::Settings settings;
    render::FrameSettings& frame = settings.frame;
    frame.payload = asked.payload;
    frame.subgroup = asked.subgroup;
    frame.backend = contender.backend;
    frame.raster_limit = contender.raster_limit;
    frame.cull_primitives = contender.cull_primitives;
    frame.cull_occlusion = false;
    frame.projection = render::Projection::kOrthographic;
    frame.near_plane = 1.0F;
    frame.camera = render::CameraPose{.eye = {0.0F, 0.0F, 0.5F * static_cast<float>(work.window.height)},
                                      .target = glm::vec3(0.0F),
                                      .fov_degrees = 90.0F};
    return settings;
}

// Milliseconds of the passes that are timed, of each frame.
std::vector<double> sum_passes(const Contender& contender, const RunResult& run, std::vector<std::string>& names) {
    std::vector<double> sums;
    for (const PassSamples& pass : run.passes) {
        if (!contender.times(pass.name)) continue;
        names.push_back(pass.name);
        sums.resize(pass.ms.size());  // all have the same: those of the frames that are timed
        std::ranges::transform(sums, pass.ms, sums.begin(), std::plus<>());
    }
    return sums;
}

std::uint64_t covered_pixels(const render::Picture& picture) {
    return static_cast<std::uint64_t>(std::ranges::count_if(picture.depth, [](float depth) { return depth > 0.0F; }));
}

// A run of the JSON; and the median to the contender's.
Json time_contender(FrameRunner& frames, const Sheets& sheets, const Work& work, const render::FrameSettings& asked,
                    Contender& contender) {
    const RunResult run =
        frames.run(settings_of(contender, work, asked),
                   {.size = work.window, .frames = work.frames, .warmup = work.warmup, .counters_apart = true});
    std::vector<std::string> passes;
    const std::vector<double> ms = sum_passes(contender, run, passes);
    const std::optional<Summary> summary = summarize(ms);
    const std::uint64_t covered = covered_pixels(frames.read_picture(true));
    if (!summary) throw Error(contender.name(), "times", "there are none of any frame: please report this");
    // Where a sheet's border meets pixels is a matter of rounding. That it is there is not.
    if (static_cast<double>(covered) < 0.5 * sheets.pixels_of_layer()) {
        throw Error(contender.name(), "picture",
                    "it has " + std::to_string(covered) + " pixels of " +
                        std::to_string(static_cast<std::uint64_t>(sheets.pixels_of_layer())) +
                        " that were drawn: please report this");
    }
    contender.ms.back() = summary->median;
    const double seconds = summary->median * 1e-3;
    return {{"passes", passes},
            {"ms", summary_json(summary)},
            {"frames_timed", ms.size()},
            {"triangles_per_second", static_cast<double>(sheets.triangles()) / seconds},
            {"pixels_per_second", sheets.pixels() / seconds},
            {"gpu_ms", summary_json(summarize(run.gpu_ms))},
            {"primitives_drawn", run.counters.primitives_drawn},
            {"covered_pixels", covered}};
}

// The sum of logarithms: less is faster over all sizes alike. Nothing where it could not draw all of them.
std::optional<double> score(const Contender& contender) {
    double sum = 0.0;
    for (const std::optional<double>& ms : contender.ms) {
        if (!ms) return std::nullopt;
        sum += std::log(std::max(*ms, 1e-9));
    }
    return sum;
}

const Contender* fastest(const std::vector<Contender>& all, bool (*which)(const Contender&)) {
    const Contender* best = nullptr;
    for (const Contender& contender : all) {
        if (which(contender) && score(contender) && (best == nullptr || *score(contender) < *score(*best))) {
            best = &contender;
        }
    }
    return best;
}

// The sizes at which `compute` is faster than each of those.
std::vector<double> wins(const Contender& compute, const std::vector<Contender>& all, bool (*which)(const Contender&)) {
    std::vector<double> areas;
    for (std::size_t size = 0; size < kAreas.size(); ++size) {
        const bool first = std::ranges::all_of(all, [&](const Contender& other) {
            return !which(other) || !other.ms[size] || *compute.ms[size] < *other.ms[size];
        });
        if (first) areas.push_back(kAreas[size]);
    }
    return areas;
}

std::string areas_text(const std::vector<double>& areas) {
    if (areas.empty()) return "never";
    if (areas.size() == kAreas.size()) return "always";
    if (areas.back() == kAreas[areas.size() - 1]) return "up to " + significant(areas.back(), 6);
    std::string text;
    for (const double area : areas) text += (text.empty() ? "" : ", ") + significant(area, 6);
    return text;
}

// Significant ones, of numbers from a thousandth on: "0.012", "1.23", "12.3", "12345".
std::string three_digits(double number) {
    const double place = std::floor(std::log10(std::max(number, 1e-9)));
    return fixed(number, static_cast<int>(std::clamp(2.0 - place, 0.0, 5.0)));
}

void print_table(std::ostream& out, const std::vector<Contender>& all, std::string_view what,
                 double (*value)(double ms, const Sheets&), const std::vector<Sheets>& sheets) {
    out << "\n" << what << ", by pixels of a triangle\n";
    std::vector<std::string> headings{""};
    for (const double area : kAreas) headings.push_back(significant(area, 6));
    Table table(headings);
    for (const Contender& contender : all) {
        std::vector<std::string> row{contender.name()};
        for (std::size_t size = 0; size < kAreas.size(); ++size) {
            const std::optional<double>& ms = contender.ms[size];
            row.push_back(ms ? three_digits(value(*ms, sheets[size])) : "-");
        }
        table.add(std::move(row));
    }
    table.print(out, 2);
}

// What suits this device, in words and for the JSON.
Json conclude(std::ostream& out, const std::vector<Contender>& all) {
    const Contender* compute = fastest(all, [](const Contender& c) { return c.in_compute(); });
    const Contender* hardware = fastest(all, [](const Contender& c) { return !c.in_compute() && c.whole(); });
    if (compute == nullptr || hardware == nullptr) return nullptr;
    const auto draws = wins(*compute, all, [](const Contender& c) { return c.draw_alone(); });
    const auto backends = wins(*compute, all, [](const Contender& c) { return !c.in_compute() && c.whole(); });
    const bool suits = *score(*compute) < *score(*hardware);
    const std::string limit = std::to_string(*compute->raster_limit);
    const std::string raster = "--backend raster --raster-limit " + limit;
    const std::string other = "--backend " + std::string(render::backend_name(hardware->backend));
    out << "\nThe best raster limit over all sizes is " << limit
        << ". With it compute is faster, by pixels of a triangle,\n"
        << "  than the hardware's draws alone: " << areas_text(draws) << "\n"
        << "  than every backend with its culling of triangles: " << areas_text(backends) << "\n"
        << "Over all sizes this device is suited by " << (suits ? raster : other) << ".\n";
    if (!suits && !backends.empty()) out << "Where most triangles are of those sizes: " << raster << ".\n";
    return {{"raster-limit", *compute->raster_limit},
            {"faster_than_draw_alone", draws},
            {"faster_than_backends", backends},
            {"backend", render::backend_name(suits ? compute->backend : hardware->backend)}};
}

}  // namespace

Json run_micro_raster(MicroContext& context) {
    gpu::Device& device = context.device();
    const gpu::Capabilities& capabilities = device.capabilities();
    if (const auto reason = render::backend_unavailable(render::Backend::kRaster, capabilities)) {
        throw Error(capabilities.name, "--micro raster", *reason);
    }
    const Work& work = context.on_cpu() ? kWorkCpu : kWork;
    const render::FrameSettings& asked = context.settings().frame;
    std::vector<Contender> all = make_contenders(asked);
    std::vector<Sheets> sheets;
    std::vector<scene::EncodedScene> scenes;
    ThreadPool pool;
    for (const double area : kAreas) {
        sheets.push_back(plan_sheets(area, work));
        scenes.push_back(make_sheets(sheets.back(), pool));
    }
    FrameRunner frames(device);
    std::set<std::string> unavailable;
    Json runs = Json::array();
    for (std::size_t size = 0; size < kAreas.size(); ++size) {
        frames.set_scene(scenes[size], {});
        for (Contender& contender : all) {
            contender.ms.emplace_back();
            const auto reason = render::backend_unavailable(contender.backend, capabilities, frames.facts());
            Json run{{"area", kAreas[size]},
                     {"backend", render::backend_name(contender.backend)},
                     {"cull-primitives", contender.cull_primitives},
                     {"raster-limit", optional_json(contender.raster_limit)},
                     {"triangles", sheets[size].triangles()},
                     {"layers", sheets[size].layers},
                     {"pixels", sheets[size].pixels()},
                     {"unavailable", optional_json(reason)}};
            if (reason) {
                unavailable.insert(std::string(render::backend_name(contender.backend)) + ": " + *reason);
            } else {
                run.update(time_contender(frames, sheets[size], work, asked, contender));
            }
            runs.push_back(std::move(run));
        }
    }
    std::ostream& out = context.human();
    out << "  " << work.window.width << "x" << work.window.height
        << ", no occlusion culling. Hardware: the draws alone, of all triangles; or of those\n"
        << "  that the culling of triangles leaves, and that culling. Compute: its passes. Medians.\n";
    for (const std::string& reason : unavailable) out << "  " << reason << "\n";
    print_table(
        out, all, "ms", [](double ms, const Sheets&) { return ms; }, sheets);
    print_table(
        out, all, "Mtriangles/s",
        [](double ms, const Sheets& of) { return static_cast<double>(of.triangles()) / (ms * 1e3); }, sheets);
    print_table(
        out, all, "Mpixels/s", [](double ms, const Sheets& of) { return of.pixels() / (ms * 1e3); }, sheets);
    Json best = conclude(out, all);
    return {{"size", {work.window.width, work.window.height}}, {"best", std::move(best)}, {"runs", std::move(runs)}};
}

}  // namespace sublet::app
