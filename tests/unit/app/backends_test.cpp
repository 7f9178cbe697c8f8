// Which backends a device can have, and what each draws there.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "render/cull/graph_nodes.h"
#include "render/settings/backend_info.h"
#include "render/settings/frame_plan.h"
#include "test_devices.h"

namespace sublet::render {
namespace {

using test::mesh_device;
using test::plain_device;
using test::refusal;

TEST(Backends, AutoBecomesTheFirstThatTheDeviceSupports) {
    const gpu::Capabilities device = plain_device();
    const auto works = [&device](Backend backend) { return !backend_unavailable(backend, device); };
    const auto backends = all_backends();
    const auto first = std::find_if(backends.begin(), backends.end(), works);
    ASSERT_NE(first, backends.end());
    EXPECT_EQ(resolve({}, device).backend, *first);
    EXPECT_TRUE(works(Backend::kDirect)) << "it needs nothing";
}

TEST(Backends, TheTableHasARowForEach) {
    std::set<Backend> backends;
    for (const BackendInfo& info : backend_table()) {
        EXPECT_TRUE(backends.insert(info.backend).second) << info.name;
        EXPECT_EQ(&backend_info(info.backend), &info);
        EXPECT_EQ(backend_name(info.backend), info.name);
        EXPECT_GT(info.help.size(), 10U) << info.name;
        // What is to be used instead ends with what needs least.
        const BackendInfo* last = &info;
        for (std::size_t i = 0; i < backend_table().size(); ++i) last = &backend_info(last->instead);
        EXPECT_EQ(last->backend, Backend::kDirect) << info.name;
    }
    EXPECT_EQ(backends.size(), all_backends().size());
    EXPECT_EQ(backends.size(), 12U);
}

TEST(Generated, IsTakenOnlyWhereItIsAskedFor) {
    gpu::Capabilities device = plain_device();
    FrameSettings asked;
    asked.backend = Backend::kGenerated;
    EXPECT_NE(refusal(asked, device).find("VK_EXT_device_generated_commands"), std::string::npos);
    EXPECT_NE(refusal(asked, device).find("use mdi"), std::string::npos);
    device.generated_commands = true;
    EXPECT_NE(refusal(asked, device).find("geometryShader"), std::string::npos);
    device.geometry_shader = true;
    EXPECT_FALSE(resolve(asked, device).device.mesh_tasks);
    device = mesh_device();
    device.generated_commands = true;
    EXPECT_TRUE(resolve(asked, device).device.mesh_tasks);
    EXPECT_TRUE(resolve(asked, device).cull_sublets);
    EXPECT_NE(resolve({}, device).backend, Backend::kGenerated);
}

TEST(Graph, IsTakenOnlyWhereItIsAskedForAndNeedsNoMeshShaders) {
    FrameSettings asked;
    asked.backend = Backend::kGraph;
    asked.payload = Payload::kEncoded;
    asked.occlusion_detail = OcclusionDetail::kSublets;
    const FramePlan meshes = resolve(asked, mesh_device());
    EXPECT_EQ(backend_info(meshes).primitives, PrimitiveCulling::kMeshShader);
    EXPECT_EQ(meshes.payload, Payload::kEncoded);
    const FramePlan vertices = resolve(asked, plain_device());
    EXPECT_EQ(backend_info(vertices).primitives, PrimitiveCulling::kNone);
    EXPECT_FALSE(backend_info(vertices).mesh_shader);
    EXPECT_EQ(vertices.payload, Payload::kDecoded) << "which vertex shaders read";
    for (const FramePlan& plan : {meshes, vertices}) EXPECT_EQ(plan.occlusion_detail, OcclusionDetail::kSublets);
    for (const gpu::Capabilities& device : {plain_device(), mesh_device()}) {
        EXPECT_NE(resolve({}, device).backend, Backend::kGraph);
    }
}

TEST(Graph, IsPlayedByTheDriverOnlyWhereThatIsAskedFor) {
    FrameSettings asked;
    asked.backend = Backend::kGraphAmdx;
    asked.meshlet_workgroup = 64;
    gpu::Capabilities device = mesh_device();
    EXPECT_NE(refusal(asked, device).find("VK_AMDX_shader_enqueue"), std::string::npos);
    device.execution_graphs = true;
    const FramePlan plan = resolve(asked, device);
    EXPECT_EQ(plan.meshlet_workgroup, 32U) << "of its mesh node there is one form";
    EXPECT_EQ(plan.subgroup, SubgroupPath::kGeneral);
    EXPECT_NE(resolve({}, device).backend, Backend::kGraphAmdx);
    device.mesh_shader = false;
    EXPECT_NE(refusal(asked, device).find("mesh"), std::string::npos);
}

// The table itself is held to these limits when it is compiled.
TEST(Graph, TablesThatNoDeviceNeedTakeAreNoticed) {
    EXPECT_EQ(graph_fault(kGraph), "");
    const auto fault = [](std::size_t level, const std::function<void(GraphNode&)>& change) {
        auto graph = kGraph;
        change(graph.at(level));
        return std::string(graph_fault(graph));
    };
    EXPECT_NE(fault(0, [](GraphNode& node) { node.most = 257; }).find("too many payloads"), std::string::npos);
    EXPECT_NE(fault(1, [](GraphNode& node) { node.payload_bytes = 32768; }).find("too large"), std::string::npos);
    EXPECT_NE(fault(1, [](GraphNode& node) { node.below = "draw"; }).find("than the next"), std::string::npos);
    EXPECT_NE(fault(1, [](GraphNode& node) { node.takes = 2; }).find("only coalescing"), std::string::npos);
    EXPECT_NE(fault(1, [](GraphNode& node) { node.kind = shared::kNodeMesh; }).find("last level"), std::string::npos);
    EXPECT_NE(fault(2, [](GraphNode& node) { node.takes = 0; }).find("does nothing"), std::string::npos);
    EXPECT_NE(fault(3, [](GraphNode& node) { node.most = 1; }).find("emit nothing"), std::string::npos);
    const std::vector<GraphNode> deep(33, kGraph[0]);
    EXPECT_EQ(graph_fault(deep), "it has too many levels");
}

gpu::Capabilities raster_device() {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device.shader_int64 = device.int64_atomics = device.descriptor_indexing = true;
    device.limits.maxPerStageDescriptorStorageBuffers = 64;
    return device;
}

TEST(Raster, AutoTakesItOnADiscreteGpuWith64BitAtomics) {
    gpu::Capabilities device = raster_device();
    EXPECT_EQ(resolve({}, device).backend, Backend::kRaster);
    EXPECT_FALSE(resolve({}, device).device.raster_words);
    EXPECT_LT(resolve({}, device).raster_limit, kMostRasterLimit);
    device.type = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    EXPECT_NE(resolve({}, device).backend, Backend::kRaster);
    device = raster_device();
    device.int64_atomics = false;
    EXPECT_NE(resolve({}, device).backend, Backend::kRaster);
    FrameSettings asked;
    asked.backend = Backend::kRaster;
    EXPECT_TRUE(resolve(asked, device).device.raster_words) << "it can be asked for all the same";
    device.shader_int64 = false;
    EXPECT_NE(refusal(asked, device).find("shaderInt64"), std::string::npos);
    device = raster_device();
    device.descriptor_indexing = false;
    EXPECT_NE(refusal(asked, device).find("NonUniformIndexing"), std::string::npos);
}

TEST(Raster, IsRefusedWhereItsPixelsHaveNoRoom) {
    const gpu::Capabilities device = raster_device();
    FrameSettings asked;
    asked.backend = Backend::kRaster;
    SceneFacts scene;
    scene.width = scene.height = 4096;  // 2^27 bytes
    EXPECT_EQ(resolve({}, device, scene).backend, Backend::kRaster);
    scene.height = 4097;
    EXPECT_NE(resolve({}, device, scene).backend, Backend::kRaster);
    const std::string buffer = refusal(asked, device, scene);
    EXPECT_NE(buffer.find("4096x4097"), std::string::npos) << buffer;
    EXPECT_NE(buffer.find("use compact"), std::string::npos) << buffer;
    scene.width = 16384;
    scene.height = 1;
    EXPECT_EQ(resolve({}, device, scene).backend, Backend::kRaster);
    scene.width = 16385;
    EXPECT_NE(refusal(asked, device, scene).find("16384 to a side"), std::string::npos);
}

TEST(Raster, OnACpuLanesDrawWhatTheyCan) {
    gpu::Capabilities device = raster_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
    FrameSettings asked;
    asked.backend = Backend::kRaster;
    EXPECT_EQ(resolve(asked, device).raster_limit, kMostRasterLimit);
    asked.raster_limit = 7;
    EXPECT_EQ(resolve(asked, device).raster_limit, 7U);
    EXPECT_EQ(as_planned(asked, resolve(asked, device)).raster_limit, 7U);
}

// One that draws runs of sublets.
gpu::Capabilities runs_device() {
    gpu::Capabilities device = plain_device();
    device.multi_draw = device.draw_count = device.draw_parameters = device.geometry_shader = true;
    return device;
}

// Testing a triangle takes a CPU longer than drawing it.
TEST(Backends, AutoOnACpuLeavesTrianglesToTheRasteriser) {
    for (gpu::Capabilities device : {runs_device(), plain_device(), mesh_device()}) {
        device.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
        EXPECT_EQ(resolve({}, device).backend, Backend::kMdi);
    }
}

TEST(Backends, WhatIsAskedForRunsOrSaysWhyNot) {
    const gpu::Capabilities device = plain_device();
    std::set<std::string_view> names{"auto"};
    for (const Backend backend : all_backends()) {
        EXPECT_TRUE(names.insert(backend_name(backend)).second) << backend_name(backend);
        FrameSettings settings;
        settings.backend = backend;
        const auto reason = backend_unavailable(backend, device);
        if (!reason) {
            EXPECT_EQ(resolve(settings, device).backend, backend);
            continue;
        }
        const std::string message = refusal(settings, device);
        EXPECT_NE(message.find(*reason), std::string::npos) << message;
        EXPECT_NE(message.find(backend_name(backend)), std::string::npos) << message;
    }
}

// What works and is most like it.
TEST(Backends, WhatCantBeHadNamesTheNearestThatWorks) {
    gpu::Capabilities device = mesh_device();
    const auto expect = [&device](Backend backend, const std::string& instead) {
        const auto reason = backend_unavailable(backend, device);
        ASSERT_TRUE(reason.has_value()) << backend_name(backend);
        EXPECT_TRUE(reason->ends_with(": use " + instead)) << *reason;
    };
    device.task_shader = false;
    expect(Backend::kTaskMesh, "mesh-indirect");
    expect(Backend::kTaskFlat, "mesh-sublets");
    expect(Backend::kTaskHierarchical, "mesh-sublets");
    EXPECT_EQ(backend_unavailable(Backend::kMeshIndirect, device), std::nullopt);
    EXPECT_EQ(backend_unavailable(Backend::kMeshSublets, device), std::nullopt);
    for (bool gpu::Capabilities::*lacking :
         {&gpu::Capabilities::descriptor_indexing, &gpu::Capabilities::mesh_shader}) {
        device.*lacking = false;
        for (const Backend backend : {Backend::kMeshIndirect, Backend::kMeshSublets, Backend::kTaskMesh,
                                      Backend::kTaskFlat, Backend::kTaskHierarchical}) {
            expect(backend, "compact");
        }
        device.*lacking = true;
    }
}

TEST(MeshShaders, OutputsGoByWhatTheDevicePrefers) {
    gpu::Capabilities device = mesh_device();
    FrameSettings settings;
    settings.backend = Backend::kTaskFlat;
    EXPECT_FALSE(resolve(settings, device).local_invocation_output);
    device.mesh.prefersLocalInvocationVertexOutput = VK_TRUE;
    EXPECT_TRUE(resolve(settings, device).local_invocation_output);
    settings.local_invocation_output = false;
    EXPECT_FALSE(resolve(settings, device).local_invocation_output);
}

TEST(Backends, AStageMustBindTheirBuffers) {
    gpu::Capabilities device = plain_device();
    device.limits.maxPerStageDescriptorStorageBuffers = storage_buffers();
    EXPECT_EQ(backend_unavailable(Backend::kCompact, device), std::nullopt);
    --device.limits.maxPerStageDescriptorStorageBuffers;
    const auto reason = backend_unavailable(Backend::kCompact, device);
    ASSERT_TRUE(reason.has_value());
    EXPECT_NE(reason->find("binds " + std::to_string(storage_buffers() - 1)), std::string::npos) << *reason;
    EXPECT_NE(refusal({}, device).find("in a stage"), std::string::npos);
}

// Runs need draws that tell themselves apart, counted on the GPU.
TEST(Mdi, DrawsWholeMeshletsWhereItCantDrawRuns) {
    gpu::Capabilities device = plain_device();
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    const auto draws_runs = [&] {
        const FramePlan plan = resolve(settings, device);
        EXPECT_EQ(as_planned(settings, plan).cull_sublets, plan.cull_sublets);
        return plan.cull_sublets;
    };
    EXPECT_FALSE(draws_runs());
    device.multi_draw = device.draw_count = true;
    EXPECT_FALSE(draws_runs());
    device.first_instance = true;
    EXPECT_FALSE(draws_runs());
    device.geometry_shader = true;
    EXPECT_TRUE(draws_runs());
    device.first_instance = false;
    device.draw_parameters = true;
    EXPECT_TRUE(draws_runs());
    device.draw_count = false;
    EXPECT_FALSE(draws_runs()) << "every slot would be a draw";
    device.draw_count = true;
    settings.cull_sublets = false;
    EXPECT_FALSE(draws_runs());
    settings.cull_sublets = true;
    settings.backend = Backend::kDirect;
    EXPECT_TRUE(resolve(settings, device).cull_sublets) << "of other backends it is left as it is";
}

// A backend is what it says, whatever else is asked for and wherever it runs.
TEST(Backends, CullTrianglesWhereTheySay) {
    gpu::Capabilities device = mesh_device();
    for (const auto type : {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_PHYSICAL_DEVICE_TYPE_CPU}) {
        device.type = type;
        for (const bool cull_primitives : {true, false}) {
            for (const Backend backend : {Backend::kCompact, Backend::kMeshIndirect, Backend::kMeshSublets,
                                          Backend::kTaskMesh, Backend::kTaskFlat, Backend::kTaskHierarchical}) {
                FrameSettings settings;
                settings.backend = backend;
                settings.cull_primitives = cull_primitives;
                const FramePlan resolved = resolve(settings, device);
                EXPECT_EQ(resolved.backend, backend);
                // Only compute expands instances by a strategy.
                EXPECT_EQ(!as_planned(settings, resolved).expansion,
                          backend == Backend::kTaskFlat || backend == Backend::kTaskHierarchical);
            }
        }
    }
    FrameSettings settings;
    settings.backend = Backend::kCompact;
    EXPECT_EQ(resolve(settings, device).occlusion_detail, OcclusionDetail::kSublets)
        << "on a CPU: a test more of each triangle";
}

// NVIDIA's driver loses lanes of workgroups of several subgroups, where they exchange anything.
TEST(MeshWorkgroups, AreHeldToWhatADriverRuns) {
    gpu::Capabilities device = mesh_device();
    FrameSettings settings;
    for (const Backend backend : {Backend::kMeshIndirect, Backend::kMeshSublets, Backend::kTaskMesh, Backend::kTaskFlat,
                                  Backend::kTaskHierarchical}) {
        SCOPED_TRACE(backend_name(backend));
        settings.backend = backend;
        settings.meshlet_workgroup = 64;
        device.vendor_id = 0x1002;
        EXPECT_EQ(resolve(settings, device).meshlet_workgroup, 64U);
        device.vendor_id = 0x10de;
        if (backend == Backend::kMeshIndirect || backend == Backend::kTaskMesh) {
            EXPECT_EQ(resolve(settings, device).meshlet_workgroup, 64U);
        } else {
            EXPECT_NE(refusal(settings, device).find("NVIDIA"), std::string::npos) << refusal(settings, device);
        }
        settings.meshlet_workgroup = 32;
        EXPECT_EQ(resolve(settings, device).meshlet_workgroup, 32U);
    }
}

// Flat task shaders are launched by a limited number of indirect draws.
TEST(Backends, FlatTaskShadersAreForScenesOfSoManyTasks) {
    const gpu::Capabilities device = mesh_device();
    FrameSettings settings;
    settings.backend = Backend::kTaskFlat;
    SceneFacts scene;
    scene.meshlets.chunks = std::uint64_t{1} << 26U;
    EXPECT_EQ(resolve(settings, device, scene).backend, Backend::kTaskFlat);
    ++scene.meshlets.chunks;
    EXPECT_EQ(resolve(settings, device).backend, Backend::kTaskFlat) << "nothing is known of the scene";
    const std::string message = refusal(settings, device, scene);
    EXPECT_NE(message.find("67108865"), std::string::npos) << message;
    EXPECT_NE(message.find("use task-hierarchical"), std::string::npos) << message;
}

TEST(Backends, AnUnusableDeviceSaysWhy) {
    gpu::Capabilities device = plain_device();
    device.unusable = "it has no Vulkan 1.3";
    for (const Backend backend : all_backends()) {
        EXPECT_EQ(backend_unavailable(backend, device), device.unusable);
        FrameSettings settings;
        settings.backend = backend;
        const std::string message = refusal(settings, device);
        EXPECT_NE(message.find("Abacus"), std::string::npos) << message;
        EXPECT_NE(message.find(device.unusable), std::string::npos) << message;
    }
    EXPECT_THROW(static_cast<void>(resolve({}, device)), Error);
}

}  // namespace
}  // namespace sublet::render
