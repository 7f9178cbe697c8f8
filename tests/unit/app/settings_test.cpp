#include "render/settings/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/setting_options.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/path_text.h"
#include "render/settings/backend_info.h"
#include "render/settings/frame_plan.h"
#include "setting_values.h"
#include "temporary_folder.h"

namespace sublet::render {
namespace {

using test::good_values;
using test::other_value;

TEST(Settings, EveryOneRoundTrips) {
    for (const Setting& setting : settings_table()) {
        SCOPED_TRACE(setting.name);
        for (const auto& [value, expected] : good_values(setting)) {
            Settings settings;
            setting.set(settings, value);
            EXPECT_EQ(setting.get(settings), expected);
            Settings again;
            setting.set(again, setting.get(settings));
            EXPECT_EQ(setting.get(again), expected);
        }
    }
}

TEST(Settings, SettingOneChangesNoOther) {
    for (const Setting& setting : settings_table()) {
        const Settings defaults;
        Settings settings;
        setting.set(settings, other_value(setting));
        for (const Setting& other : settings_table()) {
            EXPECT_EQ(other.get(settings) == other.get(defaults), other.name != setting.name)
                << setting.name << " and " << other.name;
        }
    }
}

TEST(Settings, RejectsWhatIsNoValueAndKeepsTheOld) {
    const std::map<std::string, std::vector<std::string>> bad{
        {"without", {"meshlets", "draw-count,", "draw-count,nothing"}},
        {"grid", {"13", "13x13", "0x1x1", "1x1x1x1", "-1x2x3", "4096x4096x4096", "1x2x3 "}},
        {"grid-spacing", {"", "-1", "nan", "inf", "3m", "x", "-1x", "1xx", "1 x"}},
        {"camera",
         {"1,2,3", "0,0,0,0,0,0", "0,0,1,0,0,0,180", "0,0,1,0,0,0,0", "0,0,nan,0,0,0", "a,b,c,d,e,f",
          "1,2,3,4,5,6,7,inf", "1,2,3,4,5,6,7,", "1,2,3,4,5,6,7,8,9"}},
        {"near", {"0", "-1", "nan"}},
        {"compact-budget", {"0", "-1", "nan"}},
        {"light-budget", {"0", "-1", "nan"}},
        {"lights-scatter", {"", "-1", "1048577", "few"}},
        {"survivor-budget", {"0", "-1", "nan"}},
        {"deform-budget", {"0", "-1", "nan"}},
        {"image-limit", {"0", "-1", "nan"}},
        {"texture-budget", {"0", "-1", "nan", "many", "2e9"}},
        {"group-tiling", {"", "-1", "1.5", "65536"}},
        {"freeze-culling", {"-1", "1.5", "99999999999"}},
        {"seed", {"", "-1", "4294967296", "0x10"}},
        {"hiz-level", {"", "-1", "16"}},
        {"environment", {"hdr", ".png", "light.png", "light.hdr ", "light", "light.hdr,sky"}},
        {"sun", {"10", "91,0", "0,361", "nan,0", "10,20,30", "on", "10,inf"}},
        {"sun-strength", {"", "-0.1", "1001", "nan", "off"}},
        {"shadow-distance", {"", "-1", "nan", "far"}},
        {"shadow-budget", {"-1", "a lot", "nan"}},
        {"shadow-light-resolution", {"", "0", "300", "2048"}},
        {"shadow-lod-bias", {"", "11", "-11", "nan"}},
        {"shadow-resolution", {"", "0", "1000", "2048.0"}},
        {"environment-turn", {"", "361", "-361", "nan", "90deg"}},
        {"environment-blur", {"", "-0.1", "1.1", "nan"}},
        {"ev", {"", "31", "-31", "nan", "bright"}},
        {"time", {"", "soon", "nan", "inf", "1s", "1e999"}},
        {"speed", {"", "fast", "nan", "1001", "-1001"}},
        {"pick", {"1", "1,", ",1", "1,2,3", "-1,0", "1.5,2", "a,b"}},
    };
    for (const Setting& setting : settings_table()) {
        const std::string name(setting.name);
        std::vector<std::string> values;
        if (const auto found = bad.find(name); found != bad.end()) values = found->second;
        if (setting.kind != SettingKind::kText) values.emplace_back("nonsense");
        if (!setting.choices.empty()) {
            for (const char* value : {"", "ON", " on"}) values.emplace_back(value);
            values.push_back(std::string(setting.choices[0]) + " ");
        }
        for (const std::string& value : values) {
            SCOPED_TRACE(name + " = '" + value + "'");
            Settings settings;
            const std::string before = setting.get(settings);
            const std::string message = test::message_of<Error>([&] { setting.set(settings, value); });
            EXPECT_NE(message.find("--" + name), std::string::npos) << message;
            EXPECT_EQ(setting.get(settings), before);
        }
    }
}

// A relative name would mean another file in a preset, or in a command line that is run elsewhere.
TEST(Settings, AnEnvironmentsFileIsAbsolute) {
    Settings settings;
    find_setting("environment")->set(settings, "a folder/light.EXR");
    EXPECT_EQ(find_setting("environment")->get(settings), path_text(absolute_path("a folder/light.EXR")));
}

TEST(Settings, NamesAndLabelsAreUniqueAndExplained) {
    std::set<std::string_view> names;
    std::set<std::string_view> labels;
    for (const Setting& setting : settings_table()) {
        EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
        EXPECT_TRUE(labels.insert(setting.label).second) << setting.label;
        EXPECT_GT(setting.help.size(), 10U) << setting.name;
        EXPECT_EQ(find_setting(setting.name), &setting);
        const bool lists = setting.kind == SettingKind::kSwitch || setting.kind == SettingKind::kChoice;
        EXPECT_EQ(lists, !setting.choices.empty()) << setting.name;
        for (const std::string_view choice : setting.choices) {
            Settings settings;
            setting.set(settings, choice);
            EXPECT_EQ(setting.get(settings), choice);
        }
    }
    EXPECT_EQ(find_setting("no-such-setting"), nullptr);
}

TEST(Settings, JsonHasEverySettingUnderItsName) {
    Settings settings;
    settings.scene.grid.spacing = 2.5F;
    settings.frame.cull_cone = false;
    const app::Json json = app::settings_json(settings);
    EXPECT_EQ(json.size(), settings_table().size());
    for (const Setting& setting : settings_table()) EXPECT_TRUE(json.contains(setting.name)) << setting.name;
    EXPECT_EQ(json["grid-spacing"], 2.5);
    settings.scene.grid.in_sizes = true;
    EXPECT_EQ(app::settings_json(settings)["grid-spacing"], "2.5x") << "a text where it has a unit";
    EXPECT_EQ(json["cull-cone"], "off");
    EXPECT_EQ(json["backend"], "auto");
    EXPECT_TRUE(json["camera"].is_null());
    EXPECT_TRUE(json["freeze-culling"].is_null());
    EXPECT_EQ(json["seed"], 1);
}

TEST(Settings, AScopesKeyChangesWithItsSettingsAlone) {
    for (const Setting& setting : settings_table()) {
        const Settings defaults;
        Settings settings;
        setting.set(settings, other_value(setting));
        for (const auto scope : {SettingScope::kDevice, SettingScope::kScene, SettingScope::kFrame}) {
            EXPECT_EQ(app::scope_key(settings, scope) != app::scope_key(defaults, scope), setting.scope == scope)
                << setting.name;
        }
    }
}

// A device with nothing but what is required.
gpu::Capabilities plain_device() {
    gpu::Capabilities device;
    device.name = "Abacus";
    device.limits.maxPerStageDescriptorStorageBuffers = 24;
    return device;
}

// One that draws runs of sublets, 1,000 of them in a call.
gpu::Capabilities runs_device() {
    gpu::Capabilities device = plain_device();
    device.multi_draw = device.draw_count = device.draw_parameters = device.geometry_shader = true;
    return device;
}

// One whose mesh shaders take workgroups of 128 lanes.
gpu::Capabilities mesh_device() {
    gpu::Capabilities device = plain_device();
    device.mesh_shader = device.task_shader = device.descriptor_indexing = true;
    device.limits.maxStorageBufferRange = 1U << 27U;
    device.device_local_bytes = std::uint64_t{1} << 34U;
    device.mesh.maxMeshWorkGroupInvocations = device.mesh.maxMeshWorkGroupSize[0] = 128;
    device.mesh.maxMeshOutputVertices = device.mesh.maxMeshOutputPrimitives = 256;
    return device;
}

// Why these settings can't be had.
std::string refusal(const FrameSettings& settings, const gpu::Capabilities& device, const SceneFacts& scene = {}) {
    return test::message_of<Error>([&] { static_cast<void>(resolve(settings, device, scene)); });
}

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
    device.limits.maxStorageBufferRange = 1U << 27U;
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
    device.limits.maxStorageBufferRange = 1U << 27U;
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
    EXPECT_EQ(backends.size(), 9U);
}

gpu::Capabilities raster_device() {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device.shader_int64 = device.int64_atomics = device.descriptor_indexing = true;
    device.limits.maxStorageBufferRange = 1U << 27U;
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

// A name that scripts and kept files may still give.
TEST(Mdi, WithoutSubletCullingHadAnotherName) {
    std::vector<std::string> notes;
    const LogSink before = set_log_sink([&](LogLevel, std::string_view line) { notes.emplace_back(line); });
    const Setting& backend = *find_setting("backend");
    Settings settings;
    for (int i = 0; i < 2; ++i) backend.set(settings, "mdi-meshlets");
    set_log_sink(before);
    EXPECT_EQ(backend.get(settings), "mdi");
    EXPECT_FALSE(settings.frame.cull_sublets);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("--cull-sublets off"), std::string::npos) << notes[0];
    const std::string message = test::message_of<Error>([&] { backend.set(settings, "mdi-meshlet"); });
    EXPECT_EQ(message.find("mdi-meshlets"), std::string::npos) << message;
    EXPECT_EQ(std::ranges::count(backend.choices, "mdi-meshlets"), 0);
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

TEST(Occlusion, DirectTakesNoPart) {
    FrameSettings settings;
    settings.backend = Backend::kDirect;
    EXPECT_FALSE(resolve(settings, plain_device()).cull_occlusion);
    settings.backend = Backend::kMdi;
    EXPECT_TRUE(resolve(settings, plain_device()).cull_occlusion);
}

TEST(Expansions, WhatIsAskedForRunsOrSaysWhyNot) {
    gpu::Capabilities device = plain_device();
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    const ExpansionStrategy chosen = resolve(settings, device).expansion;
    EXPECT_EQ(expansion_unavailable(chosen, device), std::nullopt);
    std::set<std::string_view> names{"auto"};
    std::size_t unavailable = 0;
    for (const ExpansionStrategy strategy : all_expansions()) {
        EXPECT_TRUE(names.insert(expansion_name(strategy)).second) << expansion_name(strategy);
        settings.expansion = strategy;
        settings.backend = Backend::kMdi;
        const auto reason = expansion_unavailable(strategy, device);
        unavailable += reason ? 1 : 0;
        if (!reason) {
            EXPECT_EQ(resolve(settings, device).expansion, strategy);
            continue;
        }
        const std::string message = refusal(settings, device);
        EXPECT_NE(message.find(*reason), std::string::npos) << message;
        EXPECT_NE(message.find(expansion_name(strategy)), std::string::npos) << message;
        settings.backend = Backend::kDirect;
        const FramePlan plan = resolve(settings, device);
        EXPECT_EQ(as_planned(settings, plan).expansion, strategy) << "direct does not use it";
    }
    EXPECT_EQ(unavailable, 2U) << "without 64-bit atomics";
    device.shader_int64 = device.int64_atomics = true;
    for (const ExpansionStrategy strategy : all_expansions()) {
        EXPECT_EQ(expansion_unavailable(strategy, device), std::nullopt) << expansion_name(strategy);
    }
}

TEST(Expansions, OnAGpuAutoGoesByTheMeanOfTheCounts) {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device.limits.maxStorageBufferRange = 1U << 27U;
    device.shader_int64 = device.int64_atomics = true;
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    const auto chosen = [&](std::uint32_t sources, std::uint32_t items) {
        SceneFacts scene;
        for (std::uint32_t i = 0; i < sources; ++i) scene.meshlets.add(items);
        return resolve(settings, device, scene).expansion;
    };
    EXPECT_EQ(chosen(1000, 1), ExpansionStrategy::kPrefixSum);
    EXPECT_EQ(chosen(1000, 63), ExpansionStrategy::kPrefixSum);
    EXPECT_EQ(chosen(1000, 64), ExpansionStrategy::kBuckets);
    device.int64_atomics = false;
    EXPECT_EQ(chosen(1000, 32), ExpansionStrategy::kTaskList) << "prefix-sum wants 64-bit atomics";
    EXPECT_EQ(chosen(1000, 1), ExpansionStrategy::kBuckets);
}

// A million instances of a large mesh: only buckets have room for what is left of them, and only of their cuts.
TEST(Expansions, OfMoreMeshletsThanCanBeNumbered) {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device.limits.maxStorageBufferRange = ~0U;
    device.shader_int64 = device.int64_atomics = true;
    SceneFacts scene;
    scene.levels = scene.meshlets.keeps_first = true;
    for (std::uint32_t i = 0; i < 1000000; ++i) scene.meshlets.add(6000);
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    EXPECT_EQ(resolve(settings, device, scene).expansion, ExpansionStrategy::kBuckets);
    for (const ExpansionStrategy strategy : all_expansions()) {
        settings.expansion = strategy;
        if (strategy == ExpansionStrategy::kBuckets) continue;
        const std::string message = refusal(settings, device, scene);
        EXPECT_NE(message.find(expansion_name(strategy)), std::string::npos) << message;
    }
    settings.expansion = ExpansionStrategy::kBuckets;
    EXPECT_EQ(resolve(settings, device, scene).expansion, ExpansionStrategy::kBuckets);
    settings.lod_error = 0.0F;
    EXPECT_NE(refusal(settings, device, scene).find("levels of detail"), std::string::npos);
    settings.lod_error = 1.0F;
    settings.lod = false;
    EXPECT_NE(refusal(settings, device, scene).find("levels of detail"), std::string::npos);
}

TEST(Expansions, OnACpuAutoGoesByHowFullChunksAre) {
    gpu::Capabilities device = plain_device();
    device.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.limits.maxStorageBufferRange = 1U << 27U;
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    const auto chosen = [&](std::uint32_t sources, std::uint32_t items) {
        SceneFacts scene;
        for (std::uint32_t i = 0; i < sources; ++i) scene.meshlets.add(items);
        return resolve(settings, device, scene).expansion;
    };
    EXPECT_EQ(chosen(0, 0), ExpansionStrategy::kTaskList);
    EXPECT_EQ(chosen(1000, 114), ExpansionStrategy::kTaskList);
    EXPECT_EQ(chosen(1000, 16), ExpansionStrategy::kTaskList);
    EXPECT_EQ(chosen(1000, 15), ExpansionStrategy::kBuckets);
    EXPECT_EQ(chosen(1000, 1), ExpansionStrategy::kBuckets);
    device.limits.maxStorageBufferRange = 4096;
    EXPECT_EQ(chosen(1000, 1), ExpansionStrategy::kScan) << "the lists of the others can't be bound";
    settings.expansion = ExpansionStrategy::kMaxN;
    EXPECT_EQ(chosen(1000, 1), ExpansionStrategy::kMaxN) << "what is asked for is left";
}

TEST(Expansions, WhatIsAskedForIsHeldToTheScene) {
    gpu::Capabilities device = plain_device();
    device.limits.maxStorageBufferRange = 1U << 27U;
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    settings.expansion = ExpansionStrategy::kPerItem;
    SceneFacts scene;
    for (int i = 0; i < 3; ++i) scene.meshlets.add(10000000);
    EXPECT_EQ(resolve(settings, device).expansion, ExpansionStrategy::kPerItem);
    const std::string message = refusal(settings, device, scene);
    EXPECT_NE(message.find("per-item"), std::string::npos) << message;
    EXPECT_NE(message.find("task-list"), std::string::npos) << message;
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
