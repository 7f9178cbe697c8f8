#include "app/micro.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "base/error.h"
#include "gpu/barriers.h"

namespace sublet::app {

namespace {

constexpr std::uint32_t kFewestRepetitions = 3;
constexpr std::uint32_t kMostRepetitions = 512;
// Repetitions before the timed ones, in the same submission: clocks rise and caches fill.
constexpr std::uint32_t kWarmup = 2;

}  // namespace

std::span<const Micro> micros() {
    static const std::vector<Micro> table{
        {"scan", "prefix sums of 32-bit integers against a plain copy", run_micro_scan},
        {"tiling", "thread-group tiling of a full-screen pass with a wide kernel", run_micro_tiling, {"group-tiling"}},
        {"hiz", "the HiZ pyramid of a depth image", run_micro_hiz, {"group-tiling"}},
        {"decode", "the decode pass, from encoded sublets to plain buffers", run_micro_decode},
        {"expansion", "work expansion from sources to items, by every strategy", run_micro_expansion},
        {"raster",
         "triangles of equal size, rasterised by the hardware and in compute",
         run_micro_raster,
         {"payload", "subgroup", "raster-limit"}},
    };
    return table;
}

const Micro& find_micro(std::string_view name) {
    std::string all;
    for (const Micro& micro : micros()) {
        if (micro.name == name) return micro;
        all += (all.empty() ? "" : ", ") + std::string(micro.name);
    }
    throw UsageError("--micro: there is no benchmark '" + std::string(name) + "'; there are " + all);
}

MicroContext::MicroContext(gpu::Device& device, const render::Settings& settings, std::ostream& human)
    : device_(device), settings_(settings), human_(human), profiler_(device) {
    if (!device.capabilities().timestamps) {
        throw Error(device.capabilities().name + ": it has no GPU timestamps, which --micro measures with");
    }
    auto info = gpu::make_struct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 2 * (kMostRepetitions + kWarmup);
    gpu::check(vkCreateQueryPool(device.handle(), &info, nullptr, &queries_), "creating the timestamp queries");
    device.set_name(VK_OBJECT_TYPE_QUERY_POOL, queries_, "repetitions");
}

MicroContext::~MicroContext() {
    vkDestroyQueryPool(device_.handle(), queries_, nullptr);
}

bool MicroContext::on_cpu() const {
    return device_.capabilities().type == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

std::vector<double> MicroContext::run(std::string_view doing, const Record& record, const Record& prepare,
                                      std::uint32_t repetitions) {
    vkResetQueryPool(device_.handle(), queries_, 0, 2 * repetitions);
    gpu::submit_and_wait(device_, doing, [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
        gpu::Frame frame{commands, &descriptors, 0, 0};
        for (std::uint32_t i = 0; i < repetitions; ++i) {
            if (prepare) prepare(frame, profiler_);
            gpu::memory_barrier(commands, gpu::kEverything, gpu::kEverything);
            vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries_, 2 * i);
            record(frame, profiler_);
            vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries_, 2 * i + 1);
            gpu::memory_barrier(commands, gpu::kEverything, gpu::kEverything);
        }
    });
    std::vector<std::uint64_t> ticks(std::size_t{2} * repetitions);
    gpu::check(vkGetQueryPoolResults(device_.handle(), queries_, 0, 2 * repetitions, ticks.size() * sizeof(ticks[0]),
                                     ticks.data(), sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
               "reading the timestamps");
    const gpu::Capabilities& capabilities = device_.capabilities();
    const std::uint32_t bits = capabilities.timestamp_valid_bits;
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const double ms_per_tick = static_cast<double>(capabilities.limits.timestampPeriod) * 1e-6;
    std::vector<double> ms(repetitions);
    for (std::size_t i = 0; i < ms.size(); ++i) {
        // Modulo the counter's width: one that wraps in between still gives the difference.
        ms[i] = static_cast<double>((ticks[2 * i + 1] - ticks[2 * i]) & mask) * ms_per_tick;
    }
    return ms;
}

Timing MicroContext::time(std::string_view doing, const Record& record, const TimingPlan& plan, const Record& prepare) {
    static_cast<void>(run(doing, record, prepare, 1));
    const double once = std::max(run(doing, record, prepare, 1).front(), 1e-6);
    const double affordable = std::min(plan.budget_ms / once, static_cast<double>(kMostRepetitions));
    const std::uint32_t repetitions = std::clamp(static_cast<std::uint32_t>(affordable), kFewestRepetitions,
                                                 std::clamp(plan.repetitions, kFewestRepetitions, kMostRepetitions));
    std::vector<double> ms = run(doing, record, prepare, kWarmup + repetitions);
    ms.erase(ms.begin(), ms.begin() + kWarmup);
    return {summarize(ms).value_or(Summary{}), repetitions};
}

int run_micro(const Micro& micro, const render::Settings& settings, const Output& out) {
    const gpu::DeviceOptions options = device_options(settings);
    gpu::Instance instance(options);
    Json json{{"micro", micro.name}, {"measures", micro.measures}};
    {
        gpu::Device device(instance, options);
        const gpu::Capabilities& capabilities = device.capabilities();
        json["device"] = device_identity_json(capabilities);
        out.human() << micro.name << ": " << micro.measures << "; on " << capabilities.name << " ("
                    << capabilities.driver << ")\n";
        MicroContext context(device, settings, out.human());
        json.update(micro.run(context));
    }
    // Messages are all known once the device is gone.
    const std::optional<std::uint64_t> messages = validation_messages(instance);
    json["validation_messages"] = optional_json(messages);
    out.write_json(json);
    require_no_validation_messages(messages, first_validation_message(instance));
    return kDone;
}

scene::EncodedScene encode_sheet(scene::SourceMesh sheet, glm::uvec2 quads, std::span<const glm::vec3> places,
                                 ThreadPool& pool) {
    const std::uint32_t row = quads.x + 1;
    for (std::uint32_t j = 0; j < quads.y; ++j) {
        for (std::uint32_t i = 0; i < quads.x; ++i) {
            const std::uint32_t a = j * row + i;
            sheet.indices.insert(sheet.indices.end(), {a, a + row, a + 1, a + 1, a + row, a + row + 1});
        }
    }
    scene::ImportedScene imported;
    imported.source = "sheet";
    imported.groups.emplace_back().name = "sheet";
    imported.groups.back().meshes.push_back(std::move(sheet));
    imported.scene.materials.emplace_back();
    for (const glm::vec3& place : places) {
        scene::Node node;
        node.mesh_group = 0;
        node.translation = place;
        imported.scene.nodes.push_back(std::move(node));
    }
    return scene::encode_scene(std::move(imported), {}, pool);
}

}  // namespace sublet::app
