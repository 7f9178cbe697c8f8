// sublet bench --micro scan: prefix sums against a plain copy of the same elements.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "app/micro.h"
#include "app/text.h"
#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/pipelines.h"
#include "gpu/upload.h"
#include "render/expansion/scan.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::app {

namespace {

constexpr std::uint32_t kSmallest = 1U << 10U;
constexpr std::uint32_t kLargest = 1U << 28U;
constexpr std::uint32_t kLargestOnCpu = 1U << 26U;
constexpr std::uint32_t kLargestShapesOnCpu = 1U << 22U;  // it takes long there, and shows little
// Sums of even the largest scans stay below 2^30, which devices without 64-bit atomics need.
constexpr std::uint32_t kValues = 4;

// What is timed, in the columns' order.
struct Contestant {
    std::string name;
    std::optional<render::Scan> scan;  // none: a copy
    bool by_transfer = false;          // vkCmdCopyBuffer, else a compute shader
    gpu::Buffer workspace;             // of the scan
};

struct Stage {
    gpu::Buffer input, output;
    gpu::Pipeline copy;
    std::unique_ptr<gpu::Pipelines> scans;
};

void record_copy(const Stage& stage, bool by_transfer, std::uint32_t elements, gpu::Frame& frame) {
    const VkDeviceSize bytes = VkDeviceSize{elements} * sizeof(std::uint32_t);
    if (by_transfer) {
        const VkBufferCopy region{0, 0, bytes};
        vkCmdCopyBuffer(frame.commands, stage.input.handle(), stage.output.handle(), 1, &region);
        return;
    }
    const std::uint32_t vectors = elements / 4;
    const std::uint32_t groups = (vectors + 1023) / 1024;
    frame.descriptors->bind(frame.commands, stage.copy,
                            {gpu::buffer_at(shared::kBindMicroInput, stage.input, 0, bytes),
                             gpu::buffer_at(shared::kBindMicroOutput, stage.output, 0, bytes)},
                            shared::kPassSet);
    stage.copy.push(frame.commands, vectors);
    render::dispatch_rows(frame.commands, groups);
}

Timing time_one(MicroContext& context, const Stage& stage, const Contestant& contestant, std::uint32_t elements) {
    const bool on_cpu = context.on_cpu();
    const TimingPlan plan{.repetitions = on_cpu ? 10U : 50U, .budget_ms = on_cpu ? 200.0 : 500.0};
    return context.time(
        "scan " + contestant.name,
        [&](gpu::Frame& frame, gpu::Profiler&) {
            if (!contestant.scan) {
                record_copy(stage, contestant.by_transfer, elements, frame);
                return;
            }
            contestant.scan->record(frame.commands, *frame.descriptors, *stage.scans, {stage.input}, {stage.output},
                                    {.most = elements}, render::ScanKind::kExclusive, contestant.workspace);
        },
        plan);
}

// The last scan's total is the input's, or its time means nothing.
void require_right(MicroContext& context, const Contestant& contestant, std::uint64_t expected) {
    const auto state = gpu::read_buffer_as<shared::ScanState>(context.device(), contestant.workspace, 0, 1).front();
    if (state.problems != 0 || state.total != static_cast<std::uint32_t>(expected)) {
        throw Error(context.device().capabilities().name, "scan " + contestant.name,
                    "the sum is " + std::to_string(state.total) + " and not " + std::to_string(expected) +
                        ": please report this");
    }
}

double giga_per_second(std::uint32_t elements, double ms) {
    return ms > 0.0 ? static_cast<double>(elements) / ms * 1e-6 : 0.0;
}

Json run_json(const std::string& method, std::uint32_t elements, const Timing& timing, double fastest_copy_ms) {
    return {{"elements", elements},
            {"method", method},
            {"ms", summary_json(timing.ms)},
            {"repetitions", timing.repetitions},
            {"gigaelements_per_second", giga_per_second(elements, timing.ms.median)},
            {"percent_of_copy", timing.ms.median > 0.0 ? 100.0 * fastest_copy_ms / timing.ms.median : 0.0}};
}

std::string cell(std::uint32_t elements, const Timing& timing) {
    return fixed(timing.ms.median, 4) + " " + fixed(giga_per_second(elements, timing.ms.median), 2);
}

// Shapes of partitions, at one size: what to set the default by.
Json time_shapes(MicroContext& context, const Stage& stage, std::uint32_t elements, std::uint64_t expected,
                 double fastest_copy_ms) {
    context.human() << "\nshapes of a partition, single pass, " << grouped(elements) << " elements\n";
    Table table({"lanes x elements", "ms", "G/s", "% of copy"});
    Json list = Json::array();
    for (const std::uint32_t lanes : {128U, 256U, 512U}) {
        for (const std::uint32_t vectors : {2U, 4U, 8U, 14U, 16U}) {
            const render::ScanOptions options{
                .method = render::ScanMethod::kSinglePass, .lanes = lanes, .vectors = vectors};
            Contestant contestant{"shape", render::Scan(context.device().capabilities(), options), false, {}};
            if (contestant.scan->partition_elements(elements) != lanes * vectors * 4) {
                continue;  // more lanes than there are
            }
            contestant.workspace = contestant.scan->make_workspace(context.device(), elements);
            const Timing timing = time_one(context, stage, contestant, elements);
            require_right(context, contestant, expected);
            Json json = run_json("single-pass", elements, timing, fastest_copy_ms);
            json["lanes"] = lanes;
            json["elements_per_lane"] = vectors * 4;
            table.add({std::to_string(lanes) + " x " + std::to_string(vectors * 4), fixed(timing.ms.median, 4),
                       fixed(giga_per_second(elements, timing.ms.median), 2),
                       fixed(json["percent_of_copy"].get<double>(), 1)});
            list.push_back(std::move(json));
        }
    }
    table.print(context.human(), 2);
    return list;
}

}  // namespace

Json run_micro_scan(MicroContext& context) {
    gpu::Device& device = context.device();
    const gpu::Capabilities& capabilities = device.capabilities();
    std::vector<Contestant> contestants;
    contestants.push_back({"copy (transfer)", std::nullopt, true, {}});
    contestants.push_back({"copy (compute)", std::nullopt, false, {}});
    const auto unavailable = render::scan_unavailable(render::ScanMethod::kSinglePass, capabilities);
    if (!unavailable) {
        contestants.push_back(
            {"single-pass", render::Scan(capabilities, {.method = render::ScanMethod::kSinglePass}), false, {}});
    }
    contestants.push_back(
        {"multi-pass", render::Scan(capabilities, {.method = render::ScanMethod::kMultiPass}), false, {}});

    const bool on_cpu = context.on_cpu();
    std::uint32_t largest = kSmallest;
    // A power of two, within what can be bound, and two such buffers within a quarter of the memory.
    const std::uint64_t room =
        std::min<std::uint64_t>({contestants.back().scan->max_elements(), on_cpu ? kLargestOnCpu : kLargest,
                                 capabilities.device_local_bytes / 32});
    while (largest * std::uint64_t{2} <= room) largest *= 2;

    Stage stage;
    for (Contestant& contestant : contestants) {
        if (contestant.scan) contestant.workspace = contestant.scan->make_workspace(device, largest);
    }
    const auto storage = [&](VkDeviceSize bytes, const char* name) {
        return gpu::Buffer(device, {.size = bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = name});
    };
    stage.scans = std::make_unique<gpu::Pipelines>(device);
    stage.input = storage(VkDeviceSize{largest} * 4, "scan input");
    stage.output = storage(VkDeviceSize{largest} * 4, "scan output");
    stage.copy = gpu::Pipeline(
        device, gpu::ComputePipelineDesc{.name = "copy", .shader = {.spirv = shaders::micro_scan_copy_comp}});
    std::vector<std::uint32_t> values(largest);
    std::mt19937 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): every run measures the same
    for (std::uint32_t& value : values) value = random() % kValues;
    {
        gpu::Uploader uploader(device);
        uploader.buffer(stage.input, 0, values);
        uploader.finish();
    }

    context.human() << "  median ms and G elements/s; % is of the faster copy's rate"
                    << (unavailable ? "; no single pass: " + *unavailable : std::string()) << "\n";
    std::vector<std::string> headings{"elements"};
    for (const Contestant& contestant : contestants) {
        headings.push_back(contestant.name);
        if (contestant.scan) headings.emplace_back("%");
    }
    Table table(headings);
    Json runs = Json::array();
    struct Size {
        std::uint32_t elements = 0;
        std::uint64_t sum = 0;
        double fastest_copy_ms = 0.0;
    };
    Size shapes_size;
    std::uint64_t expected = 0;
    std::size_t summed = 0;
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t size = kSmallest; size < largest; size *= 4) sizes.push_back(size);
    sizes.push_back(largest);
    for (const std::uint32_t elements : sizes) {
        for (; summed < elements; ++summed) expected += values[summed];
        std::vector<Timing> timings;
        for (const Contestant& contestant : contestants) {
            timings.push_back(time_one(context, stage, contestant, elements));
            if (contestant.scan) require_right(context, contestant, expected);
        }
        const double fastest_copy_ms = std::min(timings[0].ms.median, timings[1].ms.median);
        if (!on_cpu || elements <= kLargestShapesOnCpu) shapes_size = {elements, expected, fastest_copy_ms};
        std::vector<std::string> row{grouped(elements)};
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            Json json = run_json(contestants[i].name, elements, timings[i], fastest_copy_ms);
            row.push_back(cell(elements, timings[i]));
            if (contestants[i].scan) row.push_back(fixed(json["percent_of_copy"].get<double>(), 1));
            runs.push_back(std::move(json));
        }
        table.add(std::move(row));
    }
    table.print(context.human(), 2);
    Json json{{"runs", std::move(runs)},
              {"word_bits", capabilities.int64_atomics ? 64 : 32},
              {"single_pass_unavailable", optional_json(unavailable)}};
    if (!unavailable) {
        json["shapes"] =
            time_shapes(context, stage, shapes_size.elements, shapes_size.sum, shapes_size.fastest_copy_ms);
    }
    return json;
}

}  // namespace sublet::app
