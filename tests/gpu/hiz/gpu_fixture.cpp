#include "gpu_fixture.h"

#include <array>

#include "gpu/barriers.h"
#include "gpu/frame.h"
#include "gpu/profiler.h"
#include "gpu/upload.h"
#include "render/view/output.h"
#include "tests/gpu/validation.h"

namespace sublet::test {

void GpuTest::SetUp() {
    gpu::DeviceOptions options;
    options.validation = validation_installed();
    instance_ = std::make_unique<gpu::Instance>(options);
    device_ = std::make_unique<gpu::Device>(*instance_, options);
}

void GpuTest::TearDown() {
    device_.reset();
    if (instance_ == nullptr) return;
    EXPECT_EQ(instance_->validation_messages(), 0U);
}

gpu::Image GpuTest::depth_image(std::uint32_t width, std::uint32_t height, std::span<const float> depth) {
    gpu::Image image(*device_, {.extent = {width, height},
                                .format = render::kDepthFormat,
                                .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                         VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                .name = "depth"});
    gpu::Uploader uploader(*device_);
    const std::array<gpu::ImageLevel, 1> levels{gpu::ImageLevel{.texels = std::as_bytes(depth)}};
    uploader.image(image, levels);
    uploader.finish();
    return image;
}

std::vector<float> GpuTest::build(render::Hiz& hiz, std::uint32_t width, std::uint32_t height,
                                  std::span<const float> depth) {
    const gpu::Image image = depth_image(width, height, depth);
    gpu::Profiler profiler(*device_);
    gpu::Pipelines pipelines(*device_);
    gpu::FrameRing ring(*device_);
    gpu::Frame& frame = ring.begin();
    to_attachment(frame.commands, image);
    // Every way of tiling the workgroups gives the same pyramid.
    record(hiz, frame, profiler, pipelines, image, (image.extent().width + image.extent().height) % 7);
    ring.submit();
    device_->wait_idle();
    return gpu::read_buffer_as<float>(*device_, hiz.pyramid(), 0,
                                      static_cast<std::size_t>(render::hiz_float_count(hiz.layout())));
}

void GpuTest::record(render::Hiz& hiz, gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines,
                     const gpu::Image& depth, std::uint32_t group_tiling) {
    hiz.resize(frame.commands, depth.extent());
    gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kCompute);
    const render::TestHooks hooks;
    hiz.record({*device_, frame, profiler, pipelines, hooks}, depth, group_tiling);
}

void to_attachment(VkCommandBuffer commands, const gpu::Image& depth) {
    gpu::image_barrier(commands, depth, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, gpu::kEverything, gpu::kDepthAttachment);
}

}  // namespace sublet::test
