#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/view/hiz.h"

namespace sublet::test {

// A device with validation (synchronization too) where the layer is installed, and no message by the test's end.
class GpuTest : public testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    gpu::Device& device() { return *device_; }
    // A depth image of width x height values in rows from the top, in SHADER_READ_ONLY_OPTIMAL.
    gpu::Image depth_image(std::uint32_t width, std::uint32_t height, std::span<const float> depth);
    // The pyramid's floats.
    std::vector<float> build(render::Hiz& hiz, std::uint32_t width, std::uint32_t height, std::span<const float> depth);

    // A frame that builds it, of another size than before or not.
    void record(render::Hiz& hiz, gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines,
                const gpu::Image& depth, std::uint32_t group_tiling = 0);

  private:
    std::unique_ptr<gpu::Instance> instance_;
    std::unique_ptr<gpu::Device> device_;
};

// From the layout that depth_image() leaves to the one that Hiz::record() expects.
void to_attachment(VkCommandBuffer commands, const gpu::Image& depth);

}  // namespace sublet::test
