#include "app/counters_report.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/text.h"

namespace sublet::app {

namespace {

using render::CutCounters;
using render::Funnel;

struct Reason {
    const char* name;
    std::optional<std::uint64_t> Funnel::Rejected::*count;
};

constexpr std::array kReasons{
    Reason{"level", &Funnel::Rejected::level},       Reason{"frustum", &Funnel::Rejected::frustum},
    Reason{"cone", &Funnel::Rejected::cone},         Reason{"backface", &Funnel::Rejected::backface},
    Reason{"no_pixel", &Funnel::Rejected::no_pixel}, Reason{"occlusion", &Funnel::Rejected::occlusion},
    Reason{"frozen", &Funnel::Rejected::frozen},     Reason{"undivided", &Funnel::Rejected::undivided}};

Json step_json(const std::optional<Funnel::Step>& step) {
    if (!step) return nullptr;
    Json rejected = Json::object();
    for (const Reason& reason : kReasons) rejected[reason.name] = optional_json(step->rejected.*reason.count);
    return {{"total", step->total},
            {"rejected", std::move(rejected)},
            {"drawn_phase1", step->drawn_phase1},
            {"drawn_phase2", step->drawn_phase2}};
}

Json funnel_json(const std::optional<Funnel>& funnel) {
    if (!funnel) return nullptr;
    return {{"instances", step_json(funnel->instances)},
            {"levels", step_json(funnel->levels)},
            {"meshlets", step_json(funnel->meshlets)},
            {"sublets", step_json(funnel->sublets)},
            {"triangles", step_json(funnel->triangles)},
            {"pixels", {{"total", funnel->pixels.total}, {"covered", funnel->pixels.covered}}}};
}

template <class T>
Json lod(const std::optional<CutCounters>& cut, T CutCounters::*member) {
    return cut ? Json((*cut).*member) : Json(nullptr);
}

Json shadows(const std::optional<render::ShadowCounters>& counters, std::uint32_t render::ShadowCounters::*member) {
    return counters ? Json((*counters).*member) : Json(nullptr);
}

Json lights_json(const std::optional<render::LightCounters>& lights) {
    if (!lights) return nullptr;
    return {{"lights", lights->lights},     {"everywhere", lights->everywhere}, {"in_view", lights->in_view},
            {"clusters", lights->clusters}, {"listed", lights->listed},         {"too_long", lights->too_long}};
}

Json geometry_json(const render::SceneTotals::Geometry& geometry) {
    return {{"meshlets", geometry.meshlets}, {"sublets", geometry.sublets}, {"triangles", geometry.triangles}};
}

}  // namespace

Json counters_json(const render::Counters& counters) {
    return {{"instances", counters.instances},
            {"instances_visible", counters.instances_visible},
            {"lod_meshlets_of_all", lod(counters.cut, &CutCounters::all_meshlets)},
            {"lod_meshlets", lod(counters.cut, &CutCounters::meshlets)},
            {"lod_triangles_of_finest", lod(counters.cut, &CutCounters::finest_triangles)},
            {"lod_triangles", lod(counters.cut, &CutCounters::triangles)},
            {"lod_triangles_by_level", lod(counters.cut, &CutCounters::drawn_triangles)},
            {"meshlets_tested", counters.meshlets_tested},
            {"meshlets_drawn_phase1", counters.meshlets_drawn_phase1},
            {"meshlets_drawn_phase2", counters.meshlets_drawn_phase2},
            {"primitives_tested", counters.primitives_tested},
            {"primitives_drawn", counters.primitives_drawn},
            {"raster_large", counters.raster_large},
            {"raster_left", counters.raster_left},
            {"overflow", counters.overflow},
            {"rounds", counters.rounds},
            {"lights", lights_json(counters.lights)},
            {"shadow_maps", shadows(counters.shadows, &render::ShadowCounters::maps)},
            {"shadow_maps_drawn", shadows(counters.shadows, &render::ShadowCounters::drawn)},
            {"shadowed_lights", shadows(counters.shadows, &render::ShadowCounters::lights)},
            {"funnel", funnel_json(counters.funnel)}};
}

Json totals_json(const render::SceneTotals& totals) {
    return {{"meshes", totals.meshes},
            {"instances", totals.instances},
            {"unique", geometry_json(totals.unique)},
            {"instanced", geometry_json(totals.instanced)}};
}

Json memory_json(const render::MemoryUse& memory, const gpu::MemoryUsage& device) {
    return {{"geometry", memory.geometry},
            {"decoded", memory.decoded},
            {"scene", memory.scene},
            {"transient", memory.transient},
            {"targets", memory.targets},
            {"device_used", device.used},
            {"device_allocated", device.allocated},
            {"device_budget", device.budget},
            {"purposes",
             {{"encoded_geometry", memory.geometry},
              {"decoded_geometry", memory.decoded},
              {"instances_and_tasks", memory.instances},
              {"materials_and_textures", memory.materials},
              {"survivor_lists", memory.survivors},
              {"triangle_lists", memory.triangles},
              {"occlusion", memory.occlusion},
              {"targets", memory.targets},
              {"animation", memory.animation},
              {"deformation", memory.deformation},
              {"lights", memory.lights},
              {"environment", memory.environment},
              {"shadow_maps", memory.shadows},
              {"layers", memory.layers},
              {"other", memory.other}}}};
}

void print_shadows(std::ostream& out, const render::ShadowCounters& shadows) {
    out << "  " << counted(shadows.maps, "shadow map");
    if (shadows.lights != 0) out << ", some of " << counted(shadows.lights, "light");
    out << ", " << grouped(shadows.drawn) << " drawn in this frame\n";
}

void print_lights(std::ostream& out, const render::LightCounters& lights) {
    out << "  " << grouped(lights.in_view) << " of " << counted(lights.lights, "light") << " in view";
    if (lights.everywhere != 0) out << ", " << grouped(lights.everywhere) << " without a range";
    out << "; " << counted(lights.listed, "entry", "entries") << " in lists of " << counted(lights.clusters, "cluster")
        << '\n';
    if (lights.too_long != 0) {
        out << "  the lists of " << counted(lights.too_long, "cluster")
            << " have no room: pixels there look at all lights, which takes longer (--light-budget)\n";
    }
}

void print_funnel(std::ostream& out, const Funnel& funnel) {
    struct Row {
        const char* name;
        std::optional<Funnel::Step> step;
    };
    std::vector<Row> rows{{"instances", funnel.instances}};
    if (funnel.levels) rows.push_back({"levels", funnel.levels});
    rows.insert(rows.end(),
                {{"meshlets", funnel.meshlets}, {"sublets", funnel.sublets}, {"triangles", funnel.triangles}});
    const auto used = [&](const Reason& reason) {
        return std::ranges::any_of(
            rows, [&](const Row& row) { return row.step && (row.step->rejected.*reason.count).has_value(); });
    };
    std::vector<std::string> headings{"", "total"};
    for (const Reason& reason : kReasons) {
        if (used(reason)) headings.emplace_back(reason.name);
    }
    headings.insert(headings.end(), {"drawn 1", "drawn 2"});
    Table table(headings);
    for (const Row& row : rows) {
        if (!row.step) {
            table.add({row.name, "not counted"});
            continue;
        }
        std::vector<std::string> cells{row.name, grouped(row.step->total)};
        for (const Reason& reason : kReasons) {
            const auto& count = row.step->rejected.*reason.count;
            if (used(reason)) cells.push_back(count ? grouped(*count) : "-");
        }
        cells.push_back(grouped(row.step->drawn_phase1));
        cells.push_back(grouped(row.step->drawn_phase2));
        table.add(std::move(cells));
    }
    table.print(out, 2);
    out << "  " << grouped(funnel.pixels.covered) << " of " << counted(funnel.pixels.total, "pixel") << " covered\n";
}

}  // namespace sublet::app
