// What a run of the exactness program found, as text and as JSON.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "combinations.h"

namespace sublet::test {

using Json = nlohmann::ordered_json;

struct Tally {
    std::uint64_t pictures = 0;          // compared
    std::uint64_t identical = 0;         // of these, to the bit
    std::uint64_t different = 0;         // of these, with a pixel that nothing excuses
    std::uint64_t excused_pixels = 0;    // depth ties and snapped faces
    std::uint64_t different_depths = 0;  // pixels that nothing excuses
    std::uint64_t different_colors = 0;

    Tally& operator+=(const Tally& other);
};

struct CombinationResult {
    std::string name, group;
    std::vector<std::string> ran;  // "compact payload=encoded", ...
    Tally tally;
    std::uint64_t frames = 0;  // rendered, compared or not
    std::uint64_t primitives_drawn = 0;
};

// One scene on one device, standing still or moving.
struct SceneResult {
    std::string scene, mode;  // "stills", "path"
    std::uint64_t instances = 0, triangles = 0;
    std::uint64_t references = 0;
    double coverage = 0.0;  // share of the references' pixels that something covers
    std::uint64_t raster_edge_pixels = 0, raster_depth_pixels = 0;  // of the compute rasteriser's references
    std::uint64_t depth_ties = 0, snapped_faces = 0;  // of the references where ambiguous pixels had to be counted
    std::vector<CombinationResult> combinations;
    std::vector<Skipped> skipped;
    std::size_t pairs = 0, repeated = 0;
    std::map<std::string, std::uint64_t> paths;  // by name: pictures that prove it was entered; 0: none did
    std::vector<std::string> failures;           // a line each: what, where, how to see it again
    double seconds = 0.0;

    [[nodiscard]] Tally total() const;
};

struct DeviceResult {
    std::string name, driver;
    std::vector<std::string> without;
    bool validation = false;
    std::uint64_t validation_messages = 0;
    std::vector<std::string> validation_texts;
    std::vector<SceneResult> scenes;
    std::vector<std::string> failures;  // paths that never ran, on any scene
};

struct RunReport {
    std::vector<DeviceResult> devices;
    std::vector<Skipped> skipped;  // whole devices
    double seconds = 0.0;

    [[nodiscard]] bool good() const;
};

// A line for each group of combinations, the skipped by reason, the failures.
void print_scene(std::ostream& out, const SceneResult& result);
// Totals over all.
void print_totals(std::ostream& out, const RunReport& report);
[[nodiscard]] Json report_json(const RunReport& report);

}  // namespace sublet::test
