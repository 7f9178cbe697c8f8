// sublet bench --micro NAME: one building block alone, over sizes. A file for each, micro_<name>.cpp, and a line in the
// table in micro.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <iosfwd>
#include <span>
#include <string_view>
#include <vector>

#include "app/output.h"
#include "app/session.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/profiler.h"
#include "render/settings/settings.h"
#include "scene/container.h"
#include "scene/import.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::app {

// How often something is timed: up to `repetitions`, fewer when they would take longer than `budget_ms`, never fewer
// than three.
struct TimingPlan {
    std::uint32_t repetitions = 30;
    double budget_ms = 1000.0;
};

// What was measured: milliseconds of GPU time of one repetition, over `repetitions`.
struct Timing {
    Summary ms;
    std::uint32_t repetitions = 0;
};

// What a micro benchmark runs with.
class MicroContext {
  public:
    // Records one repetition. Passes of the profiler are only debug labels here; the frame's slot and number are 0.
    using Record = std::function<void(gpu::Frame&, gpu::Profiler&)>;

    // Throws Error on a device without timestamps.
    MicroContext(gpu::Device& device, const render::Settings& settings, std::ostream& human);
    ~MicroContext();
    MicroContext(const MicroContext&) = delete;
    MicroContext& operator=(const MicroContext&) = delete;

    [[nodiscard]] gpu::Device& device() const { return device_; }
    // Whether that is a processor, which takes so long that sizes are smaller and repetitions fewer.
    [[nodiscard]] bool on_cpu() const;
    // As the command line has them; `auto`s are not resolved.
    [[nodiscard]] const render::Settings& settings() const { return settings_; }
    // Where text for people goes.
    [[nodiscard]] std::ostream& human() const { return human_; }

    // The GPU's time from the start of what `record` records to its end, several times in one submission with a full
    // barrier between; the first uses, which compile shaders, are left out. `prepare`, when given, is recorded before
    // each repetition, is not timed, and is followed by a full barrier too. `doing` names it in errors and captures.
    [[nodiscard]] Timing time(std::string_view doing, const Record& record, const TimingPlan& plan = {},
                              const Record& prepare = {});

  private:
    // Submits `repetitions` and waits for them; milliseconds of each.
    std::vector<double> run(std::string_view doing, const Record& record, const Record& prepare,
                            std::uint32_t repetitions);

    gpu::Device& device_;
    const render::Settings& settings_;
    std::ostream& human_;
    gpu::Profiler profiler_;
    VkQueryPool queries_ = VK_NULL_HANDLE;
};

struct Micro {
    std::string_view name;      // --micro NAME
    std::string_view measures;  // in a phrase
    // Prints a table to human() and returns the same as a JSON object: its keys stand beside "micro" and "device".
    Json (*run)(MicroContext&);
    std::vector<std::string_view> settings = {};  // of those of frames and scenes, the ones that it goes by
};

// All there are, in the order in which messages list them.
[[nodiscard]] std::span<const Micro> micros();
// Throws UsageError, listing the names, when there is none of that name.
[[nodiscard]] const Micro& find_micro(std::string_view name);

// Opens the device that the settings name, runs the benchmark, prints it and writes its JSON to `out`; what the process
// returns. Throws Error as Session does.
int run_micro(const Micro& micro, const render::Settings& settings, const Output& out);

// A sheet of quads, two triangles each, encoded: `sheet` has its vertices, row by row, one more each way than quads.
// With columns along +x and rows along -y it faces +z. It stands at each of `places`.
[[nodiscard]] scene::EncodedScene encode_sheet(scene::SourceMesh sheet, glm::uvec2 quads,
                                               std::span<const glm::vec3> places, ThreadPool& pool);

// The benchmarks, each in its own file.
Json run_micro_scan(MicroContext& context);
Json run_micro_tiling(MicroContext& context);
Json run_micro_hiz(MicroContext& context);
Json run_micro_decode(MicroContext& context);
Json run_micro_expansion(MicroContext& context);
Json run_micro_raster(MicroContext& context);

}  // namespace sublet::app
