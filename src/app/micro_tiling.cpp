// sublet bench --micro tiling: what thread-group tiling gives a full-screen pass that reads far around each pixel.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "app/micro.h"
#include "app/setting_options.h"
#include "app/text.h"
#include "base/error.h"
#include "gpu/pipeline.h"
#include "gpu/resources.h"
#include "gpu/upload.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::app {

namespace {

constexpr std::uint32_t kGroup = 8;  // pixels of a workgroup's side
constexpr std::uint32_t kTaps = 32;
constexpr std::array kRadii{8U, 32U, 128U};  // pixels

struct Constants {  // micro/tiling.comp
    std::uint32_t width, height, taps, group_tiling;
};

struct Offset {
    std::int32_t x, y;
};

// Evenly over a disc: a sunflower's seeds.
std::vector<Offset> disc(std::uint32_t radius) {
    constexpr double kGoldenAngle = 2.39996322972865332;
    std::vector<Offset> offsets;
    for (std::uint32_t i = 0; i < kTaps; ++i) {
        const double distance = radius * std::sqrt((i + 0.5) / kTaps);
        offsets.push_back({static_cast<std::int32_t>(std::lround(distance * std::cos(i * kGoldenAngle))),
                           static_cast<std::int32_t>(std::lround(distance * std::sin(i * kGoldenAngle)))});
    }
    return offsets;
}

// The pass over an image of one size.
class WidePass {
  public:
    WidePass(gpu::Device& device, PictureSize size)
        : device_(device),
          size_(size),
          image_(device, {.extent = {size.width, size.height},
                          .format = VK_FORMAT_R16G16B16A16_SFLOAT,
                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                          .name = "tiling source"}),
          sampler_(device, {.name = "tiling source"}),
          offsets_(
              device,
              {.size = kTaps * sizeof(Offset), .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "tiling offsets"}),
          result_(device, {.size = VkDeviceSize{size.width} * size.height * sizeof(float),
                           .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                           .name = "tiling result"}),
          pipeline_(device,
                    gpu::ComputePipelineDesc{.name = "tiling", .shader = {.spirv = shaders::micro_tiling_comp}}) {
        fill();
    }

    void set_radius(std::uint32_t radius) {
        gpu::Uploader uploader(device_);
        uploader.buffer(offsets_, 0, disc(radius));
        uploader.finish();
    }

    void record(gpu::Frame& frame, std::uint32_t group_tiling) const {
        frame.descriptors->bind(
            frame.commands, pipeline_,
            {gpu::texture_at(shared::kBindMicroInput, image_.view(), sampler_.handle()),
             gpu::buffer_at(shared::kBindMicroOffsets, offsets_), gpu::buffer_at(shared::kBindMicroOutput, result_)},
            shared::kPassSet);
        pipeline_.push(frame.commands, Constants{size_.width, size_.height, kTaps, group_tiling});
        vkCmdDispatch(frame.commands, (size_.width + kGroup - 1) / kGroup, (size_.height + kGroup - 1) / kGroup, 1);
    }

    [[nodiscard]] std::vector<std::uint32_t> read() const {
        return gpu::read_buffer_as<std::uint32_t>(device_, result_, 0, result_.size() / sizeof(float));
    }

  private:
    // Texels without a pattern, a half float for each of four components.
    void fill() {
        std::vector<std::uint64_t> texels(std::size_t{size_.width} * size_.height);
        std::uint32_t noise = 1;
        for (std::uint64_t& texel : texels) {
            noise = noise * 1664525U + 1013904223U;
            for (unsigned component = 0; component < 4; ++component) {
                texel = texel << 16U | (0x3400U | (noise >> (8 + 4 * component) & 0x3ffU));  // 0.25 to 0.5
            }
        }
        gpu::Uploader uploader(device_);
        const std::array<gpu::ImageLevel, 1> levels{{{.texels = std::as_bytes(std::span(texels))}}};
        uploader.image(image_, levels);
        uploader.finish();
    }

    gpu::Device& device_;
    PictureSize size_;
    gpu::Image image_;
    gpu::Sampler sampler_;
    gpu::Buffer offsets_, result_;
    gpu::Pipeline pipeline_;
};

}  // namespace

Json run_micro_tiling(MicroContext& context) {
    const gpu::Capabilities& capabilities = context.device().capabilities();
    const bool on_cpu = context.on_cpu();
    std::vector<PictureSize> sizes{{1920, 1080}, {3840, 2160}, {7680, 4320}};
    if (on_cpu) sizes = {{960, 540}};
    const TimingPlan plan{.repetitions = on_cpu ? 5U : 50U, .budget_ms = on_cpu ? 300.0 : 500.0};
    std::vector<std::uint32_t> tilings{0, 4, 8, 16, 32};
    const std::uint32_t asked = context.settings().frame.group_tiling;
    if (std::ranges::find(tilings, asked) == tilings.end()) tilings.push_back(asked);

    context.human() << "  " << kTaps << " taps a pixel, rgba16f; median ms, and the speed relative to 0 (off)\n";
    std::vector<std::string> headings{"size, radius"};
    for (const std::uint32_t n : tilings) headings.push_back("N=" + std::to_string(n));
    Table table(headings);
    Json runs = Json::array();
    for (const PictureSize size : sizes) {
        if (size.width > capabilities.limits.maxImageDimension2D) continue;
        WidePass pass(context.device(), size);
        const std::string name = std::to_string(size.width) + "x" + std::to_string(size.height);
        for (const std::uint32_t radius : kRadii) {
            pass.set_radius(radius);
            std::vector<std::string> row{name + ", " + std::to_string(radius)};
            std::optional<double> off_ms;
            std::vector<std::uint32_t> picture;
            for (const std::uint32_t n : tilings) {
                const Timing timing = context.time(
                    "tiling", [&](gpu::Frame& frame, gpu::Profiler&) { pass.record(frame, n); }, plan);
                const std::vector<std::uint32_t> result = pass.read();
                if (picture.empty()) picture = result;
                if (result != picture) {
                    throw Error(capabilities.name, "tiling " + std::to_string(n),
                                "the picture differs from that without tiling: please report this");
                }
                const double ms = timing.ms.median;
                if (!off_ms) off_ms = ms;
                const double speed = ms > 0.0 ? *off_ms / ms : 0.0;
                row.push_back(fixed(ms, 3) + (n == 0 ? "" : " " + fixed(speed, 2) + "x"));
                runs.push_back({{"size", {size.width, size.height}},
                                {"radius", radius},
                                {"taps", kTaps},
                                {"group-tiling", n},
                                {"ms", summary_json(timing.ms)},
                                {"repetitions", timing.repetitions},
                                {"speedup", speed}});
            }
            table.add(std::move(row));
        }
    }
    table.print(context.human(), 2);
    return {{"runs", std::move(runs)}};
}

}  // namespace sublet::app
