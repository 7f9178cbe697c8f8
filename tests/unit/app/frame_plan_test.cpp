// What settings become on a device: lighting, layers, views, and what occlusion is tested of.
#include "render/settings/frame_plan.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "render/settings/backend_info.h"
#include "test_devices.h"

namespace sublet::render {
namespace {

using test::mesh_device;
using test::plain_device;
using test::refusal;

TEST(Plan, APictureOfLightHasToBeReadAndLeavesTheSunOut) {
    const gpu::Capabilities device = plain_device();
    Settings settings;
    EXPECT_TRUE(resolve(settings.frame, device).sun.on);
    const Setting& environment = *find_setting("environment");
    environment.set(settings, "/light.hdr");
    EXPECT_EQ(refusal(settings.frame, device),
              "environment: " + path_text(absolute_path("/light.hdr")) + ": was not read");
    settings.frame.environment.picture = std::make_shared<const scene::EnvironmentMap>();
    environment.set(settings, "/light.hdr");
    ASSERT_NE(settings.frame.environment.picture, nullptr) << "it is the same file";
    EXPECT_FALSE(resolve(settings.frame, device).sun.on);
    EXPECT_EQ(as_planned(settings.frame, resolve(settings.frame, device)).sun, Sun{.on = false});
    find_setting("sun")->set(settings, "10,20");
    EXPECT_TRUE(resolve(settings.frame, device).sun.on);
    environment.set(settings, "/other.hdr");
    EXPECT_EQ(settings.frame.environment.picture, nullptr);
}

TEST(Plan, LayersAreThoseThatADeviceBinds) {
    gpu::Capabilities device = plain_device();
    device.shader_int64 = device.int64_atomics = device.fragment_stores = device.descriptor_indexing = true;
    SceneFacts scene;
    const FrameSettings settings;
    EXPECT_EQ(resolve(settings, device, scene).blend_layers, 0U) << "nothing blends";
    scene.blended = true;
    EXPECT_EQ(resolve(settings, device, scene).blend_layers, 4U) << "of no window";
    const auto layers_of = [&](std::uint32_t width, std::uint32_t height) {
        scene.width = width;
        scene.height = height;
        const FramePlan plan = resolve(settings, device, scene);
        EXPECT_EQ(blending_unavailable(device, scene).has_value(), plan.blend_layers == 0);
        return plan.blend_layers;
    };
    EXPECT_EQ(layers_of(3840, 2160), 0U);
    EXPECT_EQ(layers_of(2560, 1440), 2U);
    EXPECT_EQ(as_planned(settings, resolve(settings, device, scene)).blend_layers, 2U);
    EXPECT_EQ(layers_of(1920, 1080), 4U);
    scene.wide_ids = true;
    EXPECT_EQ(layers_of(64, 64), 0U);
    scene.wide_ids = false;
    device.descriptor_indexing = false;
    EXPECT_EQ(layers_of(64, 64), 0U);
    device.descriptor_indexing = true;
    EXPECT_EQ(blending_note(device, scene), std::nullopt);
    for (bool gpu::Capabilities::*const feature :
         {&gpu::Capabilities::int64_atomics, &gpu::Capabilities::fragment_stores}) {
        device.*feature = false;
        EXPECT_EQ(layers_of(64, 64), 4U) << "drawn one by one";
        EXPECT_NE(blending_note(device, scene).value_or("").find("without those behind"), std::string::npos);
        FrameSettings raster;
        raster.backend = Backend::kRaster;
        EXPECT_EQ(resolve(raster, device, scene).blend_layers, device.int64_atomics ? 4U : 0U);
        EXPECT_EQ(blending_unavailable(device, scene, Backend::kRaster).has_value(), !device.int64_atomics);
        device.*feature = true;
    }
    EXPECT_EQ(layers_of(64, 64), 4U);
}

TEST(Plan, ViewsOfVerdictsTakeAByteASublet) {
    gpu::Capabilities device = plain_device();
    device.max_buffer_size = 1U << 30U;
    SceneFacts scene;
    FrameSettings settings;
    for (const Show show : {Show::kOverdraw, Show::kCulled, Show::kDensity}) {
        settings.show = show;
        scene.sublets = 1U << 27U;
        EXPECT_NO_THROW(static_cast<void>(resolve(settings, device, scene)));
        scene.sublets += 1;
        if (show == Show::kDensity) {
            EXPECT_NO_THROW(static_cast<void>(resolve(settings, device, scene)));
        } else {
            EXPECT_NE(refusal(settings, device, scene).find("134217729 sublets"), std::string::npos);
        }
    }
}

TEST(Settings, FramesBlendInWindowsAndWhereTheyAreAskedTo) {
    const gpu::Capabilities device = plain_device();
    SceneFacts window;
    window.in_window = true;
    FrameSettings settings;
    EXPECT_FALSE(resolve(settings, device).taa);
    EXPECT_TRUE(resolve(settings, device, window).taa);
    settings.taa = false;
    EXPECT_FALSE(resolve(settings, device, window).taa);
    settings.taa = true;
    EXPECT_TRUE(resolve(settings, device).taa);
    EXPECT_EQ(as_planned(settings, resolve(settings, device)).taa, true);
    for (const auto change :
         {+[](FrameSettings& s) { s.show = Show::kDepth; }, +[](FrameSettings& s) { s.difference = true; },
          +[](FrameSettings& s) { s.count_ties = true; }}) {
        FrameSettings alone = settings;
        change(alone);
        EXPECT_FALSE(resolve(alone, device).taa);
    }
}

TEST(OcclusionDetail, GoesDownToTrianglesWhereComputeCullsThem) {
    const gpu::Capabilities device = mesh_device();
    FrameSettings settings;
    const SceneFacts scene;
    for (const Backend backend : {Backend::kCompact, Backend::kMeshIndirect, Backend::kTaskMesh}) {
        settings = {};
        settings.backend = backend;
        EXPECT_EQ(resolve(settings, device, scene).occlusion_detail, OcclusionDetail::kPrimitives);
        settings.cull_primitives = false;
        EXPECT_NE(resolve(settings, device, scene).occlusion_detail, OcclusionDetail::kPrimitives);
        settings.occlusion_detail = OcclusionDetail::kPrimitives;
        EXPECT_THROW(static_cast<void>(resolve(settings, device, scene)), Error);
    }
    for (const Backend backend : {Backend::kTaskFlat, Backend::kTaskHierarchical}) {
        settings = {};
        settings.backend = backend;
        EXPECT_EQ(as_planned(settings, resolve(settings, device, scene)).occlusion_detail, std::nullopt)
            << "it has no meaning";
        for (const OcclusionDetail detail : {OcclusionDetail::kSublets, OcclusionDetail::kPrimitives}) {
            settings.occlusion_detail = detail;
            EXPECT_NE(refusal(settings, device, scene).find("use mesh-indirect"), std::string::npos);
        }
    }
}

TEST(OcclusionDetail, GoesDownToSubletsWhereTheyAreListed) {
    gpu::Capabilities device = mesh_device();
    device.shader_int64 = device.int64_atomics = true;
    FrameSettings settings;
    const SceneFacts scene;
    for (const Backend backend : {Backend::kMeshSublets, Backend::kRaster}) {
        settings = {};
        settings.backend = backend;
        EXPECT_EQ(resolve(settings, device, scene).occlusion_detail, OcclusionDetail::kSublets);
        EXPECT_EQ(as_planned(settings, resolve(settings, device, scene)).occlusion_detail, OcclusionDetail::kSublets);
        settings.occlusion_detail = OcclusionDetail::kMeshlets;
        EXPECT_EQ(resolve(settings, device, scene).occlusion_detail, OcclusionDetail::kMeshlets);
        settings.occlusion_detail = OcclusionDetail::kPrimitives;
        EXPECT_NE(refusal(settings, device, scene).find("no bits of single triangles"), std::string::npos);
        settings.occlusion_detail.reset();
        device.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
        EXPECT_EQ(resolve(settings, device, scene).occlusion_detail, OcclusionDetail::kSublets);
        device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    }
    settings.backend = Backend::kCompact;
    settings.occlusion_detail = OcclusionDetail::kSublets;
    EXPECT_EQ(resolve(settings, device, scene).occlusion_detail, OcclusionDetail::kSublets);
}

TEST(Occlusion, DirectTakesNoPart) {
    FrameSettings settings;
    settings.backend = Backend::kDirect;
    EXPECT_FALSE(resolve(settings, plain_device()).cull_occlusion);
    settings.backend = Backend::kMdi;
    EXPECT_TRUE(resolve(settings, plain_device()).cull_occlusion);
}

}  // namespace
}  // namespace sublet::render
