// A device that lacks a feature gives the same picture by another road.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "gpu/embedded.h"
#include "gpu/shader_interface.h"
#include "harness.h"
#include "render/settings/backend_info.h"
#include "shaders/embedded.h"
#include "shapes.h"

namespace sublet::test::fallbacks_test {
namespace {

// What a device must bind is told by shading alone. Of variants any one binds what all do.
TEST(StorageBuffers, ShadingHasTheMost) {
    for (const std::span<const std::uint32_t> spirv :
         {shaders::cull_sublets_comp, shaders::cull_meshlets_comp, shaders::cull_primitives_comp,
          shaders::cull_tasks_comp, shaders::raster_comp, shaders::raster_words_comp, shaders::raster_large_comp,
          shaders::raster_wide_ids_comp, shaders::mdi_draw_index_vert, shaders::mdi_instance_vert, shaders::direct_vert,
          shaders::sublet_flat_task, shaders::sublet_flat_mesh, shaders::sublet_hierarchical_task,
          shaders::sublet_hierarchical_mesh}) {
        EXPECT_LE(gpu::storage_buffers(gpu::shader_interface(gpu::unpack(spirv), VK_SHADER_STAGE_ALL)),
                  render::storage_buffers());
    }
}

class Fallback : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Fallback, SamePicture) {
    Bench bench(GetParam());
    bench.set_scene(encode(make_shapes()));
    const auto lacks = [](const char* feature) {
        return std::find(GetParam().begin(), GetParam().end(), feature) != GetParam().end();
    };
    using render::Backend;
    const gpu::Capabilities& device = bench.device().capabilities();
    const bool runs =
        !lacks("multi-draw") && !lacks("draw-count") && !(lacks("draw-parameters") && lacks("first-instance"));
    EXPECT_EQ(render::backend_unavailable(Backend::kMdi, device), std::nullopt);
    if (device.type == VK_PHYSICAL_DEVICE_TYPE_CPU) {
        EXPECT_EQ(render::resolve({}, device).backend, Backend::kMdi);
    }
    for (const render::CameraPose& pose :
         {render::CameraPose{.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}},
          render::CameraPose{.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}}}) {
        const Bench::Shot reference = bench.reference(pose, 0.05F, 101, 67);
        const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, 0.05F, 101, 67);
        EXPECT_GE(coverage(reference.picture), 0.2);
        // Runs and whole meshlets, one after the other in one renderer.
        for (const bool cull_sublets : {true, false}) {
            render::FrameSettings settings;
            settings.backend = Backend::kMdi;
            settings.cull_sublets = cull_sublets;
            const Bench::Shot shot = bench.shoot(settings, pose, 0.05F, 101, 67, 3);
            const Difference difference = compare(reference.picture, shot.picture, ambiguous);
            EXPECT_EQ(difference.depth, 0U);
            EXPECT_EQ(difference.color, 0U);
            EXPECT_GT(shot.counters.meshlets_drawn_phase1, 0U);
            EXPECT_LT(shot.counters.meshlets_drawn_phase1, shot.counters.meshlets_tested);
            EXPECT_GT(shot.counters.instances_visible, 0U);
            EXPECT_EQ(shot.counters.funnel->sublets.has_value(), runs && cull_sublets);
        }
    }
    // Features that were masked are not enabled, so the layer would have spoken had a road leant on one.
    EXPECT_EQ(bench.validation_messages(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Without, Fallback,
    testing::Values(std::vector<std::string>{}, std::vector<std::string>{"draw-count"},
                    std::vector<std::string>{"index-uint8"}, std::vector<std::string>{"multi-draw"},
                    std::vector<std::string>{"draw-parameters"},
                    std::vector<std::string>{"draw-parameters", "first-instance"},
                    std::vector<std::string>{"multi-draw", "index-uint8", "draw-count"},
                    std::vector<std::string>{"mesh-shader", "full-index-32", "subgroup-size-control"}),
    [](const testing::TestParamInfo<std::vector<std::string>>& info) {
        std::string name;
        for (const std::string& feature : info.param) {
            name += feature + "_";
        }
        for (char& c : name) {
            c = c == '-' ? '_' : c;
        }
        return name.empty() ? std::string("nothing") : name;
    });

}  // namespace
}  // namespace sublet::test::fallbacks_test
