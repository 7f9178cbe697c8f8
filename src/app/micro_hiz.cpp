// sublet bench --micro hiz: the HiZ pyramid alone, over sizes.
#include <algorithm>
#include <array>
#include <ostream>

#include "app/micro.h"
#include "app/text.h"
#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/view/hiz.h"
#include "render/view/output.h"

namespace sublet::app {
namespace {

// The first is the fixed cost: a pass, its barriers and one workgroup.
constexpr std::array<VkExtent2D, 6> kSizes{
    {{1, 1}, {1280, 720}, {1920, 1080}, {2560, 1440}, {3840, 2160}, {8192, 8192}}};

// A depth image in DEPTH_ATTACHMENT_OPTIMAL. Its contents make no difference to the time.
gpu::Image make_depth(gpu::Device& device, VkExtent2D extent) {
    gpu::Image image(device, {.extent = extent,
                              .format = render::kDepthFormat,
                              .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                       VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                              .name = "depth"});
    gpu::submit_and_wait(device, "clearing a depth image", [&](VkCommandBuffer commands, gpu::DescriptorArena&) {
        gpu::image_barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           gpu::kNothing, gpu::kTransferWrite);
        const VkClearDepthStencilValue value{0.5F, 0};
        const VkImageSubresourceRange range{VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
        vkCmdClearDepthStencilImage(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1, &range);
        gpu::image_barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, gpu::kTransferWrite, gpu::kDepthAttachment);
    });
    return image;
}

}  // namespace

Json run_micro_hiz(MicroContext& context) {
    gpu::Device& device = context.device();
    const render::TestHooks hooks;
    Table table({"pixels", "ms", "min", "p95", "with subgroups, ms", "Gpixel/s", "pyramid", "finest level"});
    Json runs = Json::array();
    for (const VkExtent2D extent : kSizes) {
        if (std::max(extent.width, extent.height) > device.capabilities().limits.maxImageDimension2D) continue;
        const gpu::Image depth = make_depth(device, extent);
        std::array<Timing, 2> timings;  // as frames build it, and with subgroup operations
        std::uint64_t bytes = 0;
        std::uint32_t first_level = 0;
        for (const bool subgroups : {false, true}) {
            gpu::Pipelines pipelines(device);
            render::Hiz hiz(device, {.subgroups = subgroups});
            gpu::submit_and_wait(device, "clearing a pyramid", [&](VkCommandBuffer commands, gpu::DescriptorArena&) {
                hiz.resize(commands, extent);
            });
            timings[subgroups ? 1 : 0] = context.time("building a HiZ pyramid", [&](gpu::Frame& frame,
                                                                                    gpu::Profiler& profiler) {
                hiz.record({device, frame, profiler, pipelines, hooks}, depth, context.settings().frame.group_tiling);
            });
            bytes = hiz.pyramid().size();
            first_level = hiz.layout().first_level;
            device.wait_idle();
        }
        const double pixels = static_cast<double>(extent.width) * extent.height;
        const std::string size = std::to_string(extent.width) + "x" + std::to_string(extent.height);
        const double rate = pixels / (timings[0].ms.median * 1e6);
        table.add({size, fixed(timings[0].ms.median, 4), fixed(timings[0].ms.min, 4), fixed(timings[0].ms.p95, 4),
                   fixed(timings[1].ms.median, 4), fixed(rate, 2), byte_text(bytes), std::to_string(first_level)});
        runs.push_back({{"width", extent.width},
                        {"height", extent.height},
                        {"ms", summary_json(timings[0].ms)},
                        {"ms_with_subgroups", summary_json(timings[1].ms)},
                        {"repetitions", timings[0].repetitions},
                        {"pyramid_bytes", bytes},
                        {"first_level", first_level}});
    }
    table.print(context.human());
    return {{"runs", std::move(runs)}};
}

}  // namespace sublet::app
