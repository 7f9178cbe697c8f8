#include "report.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace sublet::test {
namespace {

constexpr std::size_t kShownFailures = 12;

std::string tally_text(const Tally& tally) {
    std::ostringstream out;
    out << tally.pictures << " pictures, ";
    if (tally.identical == tally.pictures) {
        out << "all identical";
        return out.str();
    }
    out << tally.identical << " identical, " << tally.excused_pixels << " excused pixels";
    if (tally.different != 0) {
        out << ", " << tally.different << " DIFFER (" << tally.different_depths << " depths, " << tally.different_colors
            << " colours)";
    }
    return out.str();
}

// The skipped by reason, the most frequent reasons as they come, each with its first name.
std::vector<std::pair<std::string, std::vector<std::string>>> by_reason(const std::vector<Skipped>& skipped) {
    std::vector<std::pair<std::string, std::vector<std::string>>> out;
    for (const Skipped& skip : skipped) {
        const auto at =
            std::find_if(out.begin(), out.end(), [&](const auto& entry) { return entry.first == skip.reason; });
        if (at == out.end()) {
            out.push_back({skip.reason, {skip.name}});
        } else {
            at->second.push_back(skip.name);
        }
    }
    return out;
}

std::string without_text(const std::vector<std::string>& without) {
    std::string out;
    for (const std::string& feature : without) {
        out += (out.empty() ? "" : ",") + feature;
    }
    return out;
}

Json tally_json(const Tally& tally) {
    return {{"pictures", tally.pictures},
            {"identical", tally.identical},
            {"different", tally.different},
            {"excused_pixels", tally.excused_pixels},
            {"different_depths", tally.different_depths},
            {"different_colors", tally.different_colors}};
}

Json skipped_json(const std::vector<Skipped>& skipped) {
    Json out = Json::array();
    for (const auto& [reason, names] : by_reason(skipped)) {
        out.push_back({{"reason", reason}, {"count", names.size()}, {"names", names}});
    }
    return out;
}

Json scene_json(const SceneResult& scene) {
    Json combinations = Json::array();
    for (const CombinationResult& combination : scene.combinations) {
        Json one{{"name", combination.name},
                 {"group", combination.group},
                 {"ran", combination.ran},
                 {"frames", combination.frames},
                 {"primitives_drawn", combination.primitives_drawn}};
        one.update(tally_json(combination.tally));
        combinations.push_back(std::move(one));
    }
    return {{"scene", scene.scene},
            {"mode", scene.mode},
            {"instances", scene.instances},
            {"triangles", scene.triangles},
            {"references", scene.references},
            {"coverage", scene.coverage},
            {"depth_ties", scene.depth_ties},
            {"snapped_faces", scene.snapped_faces},
            {"raster_edge_pixels", scene.raster_edge_pixels},
            {"raster_depth_pixels", scene.raster_depth_pixels},
            {"pairs", scene.pairs},
            {"repeated", scene.repeated},
            {"seconds", scene.seconds},
            {"total", tally_json(scene.total())},
            {"paths", scene.paths},
            {"failures", scene.failures},
            {"skipped", skipped_json(scene.skipped)},
            {"combinations", std::move(combinations)}};
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
    pictures += other.pictures;
    identical += other.identical;
    different += other.different;
    excused_pixels += other.excused_pixels;
    different_depths += other.different_depths;
    different_colors += other.different_colors;
    return *this;
}

Tally SceneResult::total() const {
    Tally out;
    for (const CombinationResult& combination : combinations) {
        out += combination.tally;
    }
    return out;
}

bool RunReport::good() const {
    return std::all_of(devices.begin(), devices.end(), [](const DeviceResult& device) {
        return device.validation_messages == 0 && device.failures.empty() &&
               std::all_of(device.scenes.begin(), device.scenes.end(), [](const SceneResult& scene) {
                   return scene.failures.empty() && scene.total().different == 0;
               });
    });
}

void print_scene(std::ostream& out, const SceneResult& result) {
    out << result.scene << ", " << result.mode << ": " << result.instances << " instances, " << result.triangles
        << " triangles; " << result.references << " reference pictures, " << std::fixed << std::setprecision(0)
        << 100.0 * result.coverage << " % covered; " << result.pairs << " pairs; " << std::setprecision(1)
        << result.seconds << " s\n";
    for (std::size_t first = 0; first < result.combinations.size();) {
        Tally tally;
        std::size_t end = first;
        while (end < result.combinations.size() && result.combinations[end].group == result.combinations[first].group) {
            tally += result.combinations[end++].tally;
        }
        out << "  " << std::left << std::setw(24) << result.combinations[first].group << std::right << std::setw(4)
            << end - first << " combinations, " << tally_text(tally) << '\n';
        first = end;
    }
    if (result.raster_edge_pixels + result.raster_depth_pixels != 0) {
        out << "  raster differs from direct draws in " << result.raster_edge_pixels << " pixels at edges and "
            << result.raster_depth_pixels << " between equal depths\n";
    }
    if (result.depth_ties + result.snapped_faces != 0) {
        out << "  where pictures differ: " << result.depth_ties << " depth ties and " << result.snapped_faces
            << " snapped faces in the references\n";
    }
    for (const auto& [reason, names] : by_reason(result.skipped)) {
        out << "  skipped " << names.size() << " (" << names.front() << (names.size() > 1 ? ", ..." : "")
            << "): " << reason << '\n';
    }
    for (std::size_t i = 0; i < std::min(result.failures.size(), kShownFailures); ++i) {
        out << "  FAILED " << result.failures[i] << '\n';
    }
    if (result.failures.size() > kShownFailures) {
        out << "  ... and " << result.failures.size() - kShownFailures << " more\n";
    }
    out.flush();
}

void print_totals(std::ostream& out, const RunReport& report) {
    Tally tally;
    std::size_t combinations = 0;
    std::size_t skipped = 0;
    std::size_t failures = 0;
    std::uint64_t messages = 0;
    for (const DeviceResult& device : report.devices) {
        messages += device.validation_messages;
        failures += device.failures.size();
        for (const std::string& failure : device.failures) {
            out << "FAILED " << (device.without.empty() ? "" : "without " + without_text(device.without) + ": ")
                << failure << '\n';
        }
        for (const SceneResult& scene : device.scenes) {
            tally += scene.total();
            combinations += scene.combinations.size();
            skipped += scene.skipped.size();
            failures += scene.failures.size();
        }
    }
    for (const auto& [reason, names] : by_reason(report.skipped)) {
        out << "skipped " << without_text(names) << ": " << reason << '\n';
    }
    const bool validated = std::any_of(report.devices.begin(), report.devices.end(),
                                       [](const DeviceResult& device) { return device.validation; });
    out << (report.good() ? "exact: " : "NOT EXACT: ") << report.devices.size() << " devices, " << combinations
        << " combinations of settings and scene, " << tally_text(tally) << "; " << skipped << " skipped, " << failures
        << " failures, " << (validated ? std::to_string(messages) + " validation messages" : "no validation layer")
        << "; " << std::fixed << std::setprecision(0) << report.seconds << " s\n";
    out.flush();
}

Json report_json(const RunReport& report) {
    Json devices = Json::array();
    Tally tally;
    for (const DeviceResult& device : report.devices) {
        Json scenes = Json::array();
        for (const SceneResult& scene : device.scenes) {
            tally += scene.total();
            scenes.push_back(scene_json(scene));
        }
        devices.push_back(
            {{"device", {{"name", device.name}, {"driver", device.driver}}},
             {"without", device.without},
             {"validation_messages", device.validation ? Json(device.validation_messages) : Json(nullptr)},
             {"validation_texts", device.validation_texts},
             {"failures", device.failures},
             {"scenes", std::move(scenes)}});
    }
    return {{"program", "exactness"},
            {"exact", report.good()},
            {"seconds", report.seconds},
            {"total", tally_json(tally)},
            {"skipped", skipped_json(report.skipped)},
            {"devices", std::move(devices)}};
}

}  // namespace sublet::test
