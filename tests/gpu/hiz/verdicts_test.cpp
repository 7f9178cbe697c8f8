// Devices make of shaders/view/occlusion.glsl what C++ makes of it, which is proven on the CPU.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "gpu/barriers.h"
#include "gpu/descriptors.h"
#include "gpu/frame.h"
#include "gpu/pipeline.h"
#include "gpu/upload.h"
#include "gpu_fixture.h"
#include "random_bounds.h"
#include "shader.h"

namespace sublet::test {
namespace {

namespace occlusion = glsl::occlusion;

constexpr std::uint32_t kVerdictsComp[] =
#include "verdicts_comp.inc"
    ;

struct GpuBound {
    Rows transform;
    glm::vec4 sphere, low, high;
};
static_assert(sizeof(GpuBound) == 96);

struct Verdict {
    glm::vec4 sphere, box;
    glm::vec2 depths;
    std::uint32_t verdicts;
    std::uint32_t reserved;
};
static_assert(sizeof(Verdict) == 48);

Verdict expected_verdict(const occlusion::OcclusionView& view, std::span<const float> pyramid, const Bound& bound) {
    Verdict out{};
    occlusion::bound_pyramid = pyramid;
    const glm::vec4 sphere = occlusion::world_sphere(bound.transform.data(), bound.scale, bound.sphere);
    occlusion::ProjectedBound projected;
    out.verdicts |= occlusion::project_sphere(view, glm::vec3(sphere), sphere.w, projected) ? 1U : 0U;
    out.verdicts |= occlusion::sphere_occluded(view, glm::vec3(sphere), sphere.w) ? 2U : 0U;
    out.sphere = {projected.low, projected.high};
    out.depths.x = projected.depth;
    out.verdicts |= occlusion::project_box(view, bound.transform.data(), bound.low, bound.high, projected) ? 4U : 0U;
    out.verdicts |= occlusion::box_occluded(view, bound.transform.data(), bound.low, bound.high) ? 8U : 0U;
    out.box = {projected.low, projected.high};
    out.depths.y = projected.depth;
    return out;
}

class VerdictsTest : public GpuTest {
  protected:
    std::vector<Verdict> run(const gpu::Pipeline& pipeline, const occlusion::OcclusionView& view,
                             const gpu::Buffer& pyramid, const std::vector<GpuBound>& bounds) {
        const auto make = [&](VkDeviceSize size, VkBufferUsageFlags usage, const char* name) {
            return gpu::Buffer(device(), {.size = size, .usage = usage, .name = name});
        };
        const gpu::Buffer view_data = make(sizeof(view), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, "view");
        const gpu::Buffer input = make(bounds.size() * sizeof(GpuBound), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "bounds");
        const gpu::Buffer output =
            make(bounds.size() * sizeof(Verdict), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "verdicts");
        gpu::Uploader uploader(device());
        uploader.buffer(view_data, 0, std::span(&view, 1));
        uploader.buffer(input, 0, bounds);
        uploader.flush();
        const auto count = static_cast<std::uint32_t>(bounds.size());
        gpu::submit_and_wait(device(), "testing bounds",
                             [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
                                 descriptors.bind(commands, pipeline,
                                                  {gpu::buffer_at(0, view_data), gpu::buffer_at(1, pyramid),
                                                   gpu::buffer_at(2, input), gpu::buffer_at(3, output)});
                                 pipeline.push(commands, count);
                                 vkCmdDispatch(commands, (count + 63) / 64, 1, 1);
                                 gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kEverything);
                             });
        return gpu::read_buffer_as<Verdict>(device(), output, 0, bounds.size());
    }
};

TEST_F(VerdictsTest, AreTheCpus) {
    constexpr std::size_t kViews = 60;
    constexpr std::size_t kBounds = 5000;
    const gpu::Pipeline pipeline(device(),
                                 gpu::ComputePipelineDesc{.name = "verdicts", .shader = {.spirv = kVerdictsComp}});
    render::Hiz hiz(device());
    Random random(21);
    std::size_t different_verdicts = 0;
    std::size_t different_projections = 0;
    std::array<std::size_t, 4> counts{};
    for (std::size_t v = 0; v < kViews; ++v) {
        const Camera camera = random_camera(random, 700);
        const std::vector<float> depths = random_depths(random, camera);
        const std::vector<float> pyramid = build(hiz, camera.width, camera.height, depths);
        const occlusion::OcclusionView view = occlusion::make_occlusion_view(camera.view, hiz.layout(), 8);
        std::vector<Bound> bounds;
        std::vector<GpuBound> inputs;
        for (std::size_t i = 0; i < kBounds; ++i) {
            const Bound bound = random_bound(random, camera);
            bounds.push_back(bound);
            inputs.push_back(
                {bound.transform, bound.sphere, glm::vec4(bound.low, bound.scale), glm::vec4(bound.high, 0.0F)});
        }
        const std::vector<Verdict> actual = run(pipeline, view, hiz.pyramid(), inputs);
        for (std::size_t i = 0; i < kBounds; ++i) {
            const Verdict expected = expected_verdict(view, pyramid, bounds[i]);
            for (std::size_t bit = 0; bit < 4; ++bit) counts[bit] += expected.verdicts >> bit & 1U;
            different_verdicts += expected.verdicts != actual[i].verdicts ? 1 : 0;
            // What is nearer than the near plane has no projection: its numbers mean nothing.
            const bool sphere = (expected.verdicts & 1U) != 0;
            const bool box = (expected.verdicts & 4U) != 0;
            const bool same =
                (!sphere || (expected.sphere == actual[i].sphere && expected.depths.x == actual[i].depths.x)) &&
                (!box || (expected.box == actual[i].box && expected.depths.y == actual[i].depths.y));
            different_projections += same ? 0 : 1;
        }
    }
    constexpr std::size_t kAll = kViews * kBounds;
    std::printf(
        "%zu bounds: %zu spheres projected, %zu occluded; %zu boxes projected, %zu occluded; %zu verdicts "
        "differ, %zu projections\n",
        kAll, counts[0], counts[1], counts[2], counts[3], different_verdicts, different_projections);
    // Both verdicts are frequent.
    for (const std::size_t count : counts) {
        EXPECT_GT(count, kAll / 20);
        EXPECT_LT(count, kAll - kAll / 20);
    }
    if (device().capabilities().type == VK_PHYSICAL_DEVICE_TYPE_CPU) {
        EXPECT_EQ(different_verdicts, 0U);
        EXPECT_EQ(different_projections, 0U);
    } else {
        // Division and square root need not be rounded correctly there; the slacks cover it.
        EXPECT_LE(different_verdicts, kAll / 1000);
    }
}

}  // namespace
}  // namespace sublet::test
