#include "render/shade/average.h"

#include <cmath>
#include <utility>

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/average.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr VkFormat kAverageFormat = VK_FORMAT_R32G32B32A32_SFLOAT;
constexpr std::uint32_t kAverageGroup = 8;  // average.comp's local size, in x and y

}  // namespace

glm::dvec2 sample_offset(std::uint32_t index) {
    // 1/g and 1/g^2, where g^3 = g + 1.
    constexpr double kX = 0.75487766624669276;
    constexpr double kY = 0.56984029099805327;
    const auto part = [&](double step) {
        const double at = 0.5 + index * step;
        return at - std::floor(at) - 0.5;
    };
    return {part(kX), part(kY)};
}

glm::vec2 sample_shift(std::uint32_t index, const glm::uvec2& size) {
    return glm::vec2(-2.0 / glm::dvec2(size) * sample_offset(index));
}

void AveragePass::record(const FrameContext& context, const gpu::Image& picture, std::uint32_t frames, bool repeated) {
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("average");
    const VkExtent2D extent = picture.extent();
    const VkExtent2D before = sum_.extent();
    if (!sum_ || before.width != extent.width || before.height != extent.height) {
        gpu::Image made(
            device_,
            {.extent = extent, .format = kAverageFormat, .usage = VK_IMAGE_USAGE_STORAGE_BIT, .name = "sum of frames"});
        device_.retire(std::exchange(sum_, std::move(made)));
        frames = 1;
        repeated = false;
    }
    if (frames == 1 && !repeated) {
        gpu::image_barrier(commands, sum_, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kCompute,
                           gpu::kCompute);
    } else {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
    }
    gpu::image_barrier(commands, picture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL,
                       gpu::kEverything, gpu::kCompute);
    const gpu::Pipeline& pipeline =
        context.bind(gpu::ComputePipelineDesc{.name = "average", .shader = {.spirv = shaders::average_comp}},
                     {gpu::storage_image_at(shared::kBindColor, picture.view()),
                      gpu::storage_image_at(shared::kBindSum, sum_.view())});
    shared::AverageConstants constants{};
    constants.size = {extent.width, extent.height};
    constants.frames = frames;
    constants.repeated = repeated ? 1 : 0;
    pipeline.push(commands, constants);
    vkCmdDispatch(commands, (extent.width + kAverageGroup - 1) / kAverageGroup,
                  (extent.height + kAverageGroup - 1) / kAverageGroup, 1);
    gpu::image_barrier(commands, picture, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, gpu::kCompute,
                       gpu::kTransferRead);
}

std::uint64_t AveragePass::bytes() const {
    return gpu::image_bytes(sum_);
}

}  // namespace sublet::render
