// Tests that run the program in a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/image_io.h"
#include "gltf_text.h"
#include "process.h"
#include "render/settings/settings.h"
#include "temporary_folder.h"

namespace sublet::test {

class ProgramFixture : public ::testing::Test {
  protected:
    ProcessResult run(const std::vector<std::string>& arguments) const {
        return sublet(arguments, {.folder = folder_.path()});
    }
    nlohmann::json read_json(const std::string& name) const { return nlohmann::json::parse(read_text(folder_ / name)); }

    TemporaryFolder folder_;
};

// What `render` makes of two spheres.
class Render : public ProgramFixture {
  protected:
    Render() { write_text(folder_ / "sphere.gltf", sphere_gltf(24).dump()); }

    // `render sphere.gltf -o NAME.png --json NAME.json` before a plain background and more; its JSON.
    nlohmann::json render(const std::string& name, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"render", "sphere.gltf", "-o", name + ".png", "--json", name + ".json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        if (std::ranges::find(more, "--environment") == more.end()) {
            arguments.insert(arguments.end(), {"--environment", "none"});
        }
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? read_json(name + ".json") : nlohmann::json();
    }
    app::ColorImage picture(const std::string& name) const { return app::read_png(folder_ / (name + ".png")); }
};

// What a run has in the JSON of `render` and `bench`.
inline void expect_run(const nlohmann::json& run) {
    for (const char* key :
         {"device", "settings", "size", "frames", "gpu_ms", "cpu_ms", "passes", "counters", "depth_ties",
          "snapped_faces", "memory", "validation_messages", "notes", "picked", "between_passes"}) {
        EXPECT_TRUE(run.contains(key)) << key;
    }
    EXPECT_TRUE(run["device"]["name"].is_string());
    EXPECT_TRUE(run["device"]["driver"].is_string());
    for (const render::Setting& setting : render::settings_table()) {
        EXPECT_TRUE(run["settings"].contains(setting.name)) << setting.name;
    }
    for (const char* times : {"gpu_ms", "cpu_ms"}) {
        for (const char* key : {"median", "min", "p95"}) EXPECT_GT(run[times][key].get<double>(), 0.0) << times << key;
    }
    EXPECT_LE(run["gpu_ms"]["min"], run["gpu_ms"]["median"]);
    EXPECT_LE(run["gpu_ms"]["median"], run["gpu_ms"]["p95"]);
    ASSERT_FALSE(run["passes"].empty());
    for (const nlohmann::json& pass : run["passes"]) {
        for (const char* key : {"name", "median_ms", "min_ms", "p95_ms"}) EXPECT_TRUE(pass.contains(key)) << key;
    }
    for (const char* key : {"instances", "instances_visible", "meshlets_tested", "meshlets_drawn_phase1",
                            "meshlets_drawn_phase2", "primitives_tested", "primitives_drawn", "overflow", "rounds"}) {
        EXPECT_TRUE(run["counters"][key].is_number_unsigned()) << key;
    }
    EXPECT_EQ(run["counters"]["overflow"], 0);
    EXPECT_EQ(run["counters"]["rounds"], 1);
    EXPECT_EQ(run["counters"]["instances"], 2);
    EXPECT_GT(run["counters"]["primitives_drawn"], 0);
}

}  // namespace sublet::test
