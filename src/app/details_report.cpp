#include "app/details_report.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "app/text.h"
#include "mesh/morphs.h"
#include "mesh/statistics.h"
#include "mesh/stream.h"

namespace sublet::app {

namespace {

using mesh::Distribution;
using mesh::GeometryStatistics;
using mesh::StreamStatistics;

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Calls visit(name, stream) for streams of all types, those of morph targets too.
template <typename Visit>
void for_each_stream(const GeometryStatistics& statistics, const Visit& visit) {
    for (const mesh::StreamType& type : mesh::kStreams) visit(type.name, statistics.streams[type.type]);
    for (std::size_t a = 0; a < statistics.morphs.size(); ++a) {
        visit(mesh::kMorphs[a].stream_name, statistics.morphs[a]);
    }
}

std::uint64_t payload_bytes(const GeometryStatistics& statistics) {
    std::uint64_t bytes = 0;
    for_each_stream(statistics, [&](const char*, const StreamStatistics& stream) { bytes += stream.payload_bytes; });
    return bytes;
}

// The counts that are not 0, by their index.
Json histogram(std::span<const std::uint64_t> counts) {
    Json out = Json::object();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0) out[std::to_string(i)] = counts[i];
    }
    return out;
}

// The mean index, weighed by the counts.
double mean(std::span<const std::uint64_t> counts) {
    std::uint64_t number = 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        number += counts[i];
        sum += counts[i] * i;
    }
    return ratio(sum, number);
}

Json distribution_json(const Distribution& d) {
    return {{"min", d.min}, {"median", d.median}, {"mean", d.mean}, {"p95", d.p95}, {"max", d.max}};
}

void add_distribution(Table& table, const std::string& name, const Distribution& d) {
    table.add({name, significant(d.min, 3), significant(d.median, 3), significant(d.mean, 3), significant(d.p95, 3),
               significant(d.max, 3)});
}

// Counts over 0 .. counts.size() - 1 in at most `most` bins of equal width, as a line of blocks: the shape at a glance.
std::string sparkline(std::span<const std::uint64_t> counts, std::size_t most) {
    static constexpr std::array<const char*, 9> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t width = (counts.size() + most - 1) / most;
    std::vector<std::uint64_t> bins((counts.size() + width - 1) / width);
    for (std::size_t i = 0; i < counts.size(); ++i) bins[i / width] += counts[i];
    const std::uint64_t largest = std::max<std::uint64_t>(*std::ranges::max_element(bins), 1);
    std::string out;
    for (const std::uint64_t bin : bins) out += kBlocks[(bin * 8 + largest - 1) / largest];
    return out;
}

}  // namespace

void add_details_json(Json& json, const GeometryStatistics& statistics) {
    const std::uint64_t all = payload_bytes(statistics);
    for_each_stream(statistics, [&](const char* name, const StreamStatistics& stream) {
        Json& out = json["streams"][name];
        out["elements"] = stream.elements;
        out["bits_per_element"] = ratio(stream.element_bits, stream.elements);
        out["share"] = ratio(stream.payload_bytes, all);
        out["widths"] = histogram(stream.sublets_by_width);
    });
    json["sublets"] = {{"vertices_mean", mean(statistics.sublets_by_vertices)},
                       {"triangles_mean", mean(statistics.sublets_by_triangles)},
                       {"by_vertices", histogram(statistics.sublets_by_vertices)},
                       {"by_triangles", histogram(statistics.sublets_by_triangles)}};
    json["bounds"] = {{"sublet_radius", distribution_json(statistics.sublet_radius)},
                      {"meshlet_radius", distribution_json(statistics.meshlet_radius)},
                      {"sublet_cone_cutoff", distribution_json(statistics.sublet_cutoff)},
                      {"meshlet_cone_cutoff", distribution_json(statistics.meshlet_cutoff)},
                      {"sublets_without_cone", statistics.sublets_without_cone},
                      {"meshlets_without_cone", statistics.meshlets_without_cone}};
    const Json& totals = json["totals"];
    json["totals"]["vertex_duplication"] =
        ratio(totals["encoded_vertices"].get<std::uint64_t>(), totals["vertices"].get<std::uint64_t>());
}

void print_details(std::ostream& out, const GeometryStatistics& statistics, const scene::GeometryStats& totals) {
    const std::uint64_t all = payload_bytes(statistics);
    out << "\n  payload by stream; widths: sublets by bits of one element, 0 to 64\n";
    Table streams({"", "elements", "bits each", "share", "widths"});
    for_each_stream(statistics, [&](const char* name, const StreamStatistics& stream) {
        if (stream.sublets == 0) return;
        streams.add({name, grouped(stream.elements), fixed(ratio(stream.element_bits, stream.elements), 2),
                     fixed(100.0 * ratio(stream.payload_bytes, all), 1) + " %",
                     "|" + sparkline(stream.sublets_by_width, 33) + "|"});
    });
    streams.print(out, 2);

    out << "\n  a sublet has " << fixed(mean(statistics.sublets_by_vertices), 1) << " vertices and "
        << fixed(mean(statistics.sublets_by_triangles), 1) << " triangles on average; a vertex is stored "
        << fixed(ratio(totals.encoded_vertices, totals.vertices), 2) << " times\n\n";

    Table bounds({"", "min", "median", "mean", "p95", "max"});
    add_distribution(bounds, "sublet radius", statistics.sublet_radius);
    add_distribution(bounds, "sublet cone cutoff", statistics.sublet_cutoff);
    add_distribution(bounds, "meshlet radius", statistics.meshlet_radius);
    add_distribution(bounds, "meshlet cone cutoff", statistics.meshlet_cutoff);
    bounds.print(out, 2);
    out << "  cones that can't cull: " << grouped(statistics.sublets_without_cone) << " of "
        << counted(totals.sublets, "sublet") << ", " << grouped(statistics.meshlets_without_cone) << " of "
        << counted(totals.meshlets, "meshlet") << "\n\n";
}

}  // namespace sublet::app
