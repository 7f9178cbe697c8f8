// bench --micro expansion: every strategy of work expansion, over distributions of items and numbers of sources.
#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "app/micro.h"
#include "app/text.h"
#include "base/error.h"
#include "render/expansion/probe.h"

namespace sublet::app {

namespace {

using Counts = std::vector<std::uint32_t>;

// More items than this take a CPU too long, and a GPU nothing can be learnt from.
constexpr std::uint64_t kMostItemsCpu = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostItems = std::uint64_t{1} << 27;
constexpr std::uint32_t kGiant = 1000000;

// From 0 to below 1; the standard library's distributions differ between platforms.
double uniform(std::mt19937& random) {
    return static_cast<double>(random()) / 4294967296.0;
}

std::uint32_t below(std::mt19937& random, double end) {
    return static_cast<std::uint32_t>(uniform(random) * end);
}

struct Spread {
    std::string_view name;
    std::string_view counts;  // what the numbers of items are
    std::uint32_t (*count)(std::mt19937&);
};

constexpr std::array kSpreads{
    Spread{"uniform small", "0 to 15 items", [](std::mt19937& random) { return below(random, 16.0); }},
    Spread{"uniform large", "0 to 1999 items", [](std::mt19937& random) { return below(random, 2000.0); }},
    Spread{
        "power law", "N items or more as often as 1/N, at most 100,000",
        [](std::mt19937& random) { return static_cast<std::uint32_t>(std::min(1.0 / (1.0 - uniform(random)), 1e5)); }},
    Spread{"one giant", "1 item, but 1,000,000 in one source", [](std::mt19937&) { return 1U; }},
};

Counts make_counts(const Spread& spread, std::uint32_t sources) {
    std::mt19937 random(sources);
    Counts counts(sources);
    for (std::uint32_t& count : counts) count = spread.count(random);
    if (spread.name == "one giant") counts[sources / 3] = kGiant;
    return counts;
}

// One strategy over these sources, as a run of the JSON.
Json run_strategy(MicroContext& context, const Counts& counts, render::ExpansionStrategy strategy) {
    Json run{{"strategy", render::expansion_name(strategy)}};
    const auto reason =
        render::expansion_unavailable(strategy, render::expansion_demand(counts), context.device().capabilities());
    run["unavailable"] = optional_json(reason);
    if (reason) return run;
    const render::ExpansionProbe probe(context.device(), counts, {.strategy = strategy, .record = false});
    const Timing timing =
        context.time("expanding", [&](gpu::Frame& frame, gpu::Profiler& profiler) { probe.record(frame, profiler); },
                     {.repetitions = 20, .budget_ms = 400.0});
    run["ms"] = summary_json(timing.ms);
    run["repetitions"] = timing.repetitions;
    run["bytes"] = probe.expansion().bytes();
    return run;
}

}  // namespace

Json run_micro_expansion(MicroContext& context) {
    const std::uint64_t most_items = context.on_cpu() ? kMostItemsCpu : kMostItems;
    Json runs = Json::array();
    for (const Spread& spread : kSpreads) {
        context.human() << "\n" << spread.name << " (" << spread.counts << "): ms and bytes\n";
        std::vector<std::string> headings{"strategy"};
        std::vector<std::vector<std::string>> cells;
        for (const render::ExpansionStrategy strategy : render::all_expansions()) {
            cells.push_back({std::string(render::expansion_name(strategy))});
        }
        for (const std::uint32_t sources : {1000U, 10000U, 100000U, 1000000U}) {
            const Counts counts = make_counts(spread, sources);
            const render::ExpansionDemand demand = render::expansion_demand(counts);
            if (demand.items > most_items) continue;
            headings.push_back(grouped(sources) + " sources, " + grouped(demand.items) + " items");
            std::size_t row = 0;
            for (const render::ExpansionStrategy strategy : render::all_expansions()) {
                Json run{{"distribution", spread.name},
                         {"sources", sources},
                         {"items", demand.items},
                         {"largest", demand.most}};
                run.update(run_strategy(context, counts, strategy));
                cells[row++].push_back(run["unavailable"].is_null()
                                           ? fixed(run["ms"]["median"], 3) + ", " + byte_text(run["bytes"])
                                           : std::string("unavailable"));
                runs.push_back(std::move(run));
            }
        }
        Table table(headings);
        for (std::vector<std::string>& row : cells) table.add(std::move(row));
        table.print(context.human(), 2);
    }
    return {{"runs", std::move(runs)}};
}

}  // namespace sublet::app
