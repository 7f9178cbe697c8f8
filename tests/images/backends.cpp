// Every backend that works on sublets, mdi and generated give the reference's picture, whatever is culled, and under
// each fallback. Counters prove that the path under test really ran. (The exactness program goes through each value of
// each setting.)
//
// lavapipe's vertex pipeline fuses the multiply and add of the viewport transform where the CPU has such an
// instruction, and its mesh pipeline does not: window coordinates then differ in the last bit before any of our code
// could have a say. The suite runs these tests with GALLIUM_OVERRIDE_CPU_CAPS=sse4.1, which takes the fused instruction
// away; on the GPU that was tried nothing differs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/error.h"
#include "harness.h"
#include "mesh/sizes.h"
#include "render/expansion/scan.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/backend_info.h"
#include "render/settings/expansion_strategy.h"
#include "shapes.h"
#include "tests/gpu/validation.h"

namespace sublet::test::backends_test {
namespace {

using render::Backend;
using render::ExpansionStrategy;
using render::FrameSettings;
using render::Payload;

struct Case {
    std::string name;
    FrameSettings settings;
    std::vector<std::string> without;
    render::SceneSettings scene = {};
    std::uint32_t most_rounds = ~0U;  // TestHooks
};

FrameSettings sublets(Backend backend, std::optional<Payload> payload) {
    FrameSettings settings;
    settings.backend = backend;
    settings.payload = payload;
    return settings;
}

using render::OcclusionDetail;

std::string test_name(Backend backend) {
    return test::test_name(Way{std::string(render::backend_name(backend)), {}});
}

// Those that work on sublets and test triangles.
std::vector<Backend> sublet_backends() {
    std::vector<Backend> out;
    for (const render::BackendInfo& info : render::backend_table()) {
        if (info.primitives != render::PrimitiveCulling::kNone) out.push_back(info.backend);
    }
    return out;
}

// Every backend with each payload and each kind of culling off.
void add_switches(std::vector<Case>& out) {
    for (const Backend backend : sublet_backends()) {
        for (const Payload payload : {Payload::kEncoded, Payload::kDecoded}) {
            const std::string name = test_name(backend) + (payload == Payload::kEncoded ? "_encoded" : "_decoded");
            const FrameSettings plain = sublets(backend, payload);
            out.push_back({name, plain, {}});
            FrameSettings changed = plain;
            if (backend != Backend::kRaster) {  // which has no other road
                changed.cull_primitives = false;
                out.push_back({name + "_no_primitive_culling", changed, {}});
                changed = plain;
            }
            changed.cull_sublets = false;
            out.push_back({name + "_no_sublet_culling", changed, {}});
            changed = plain;
            changed.cull_instances = changed.cull_frustum = changed.cull_cone = changed.cull_occlusion = false;
            changed.cull_sublets = false;
            changed.cull_primitives = backend == Backend::kRaster;
            out.push_back({name + "_no_culling", changed, {}});
        }
    }
}

// Every backend on devices that lack something.
void add_fallbacks(std::vector<Case>& out) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> lacks{
        {"subgroup_control", {"subgroup-size-control"}},
        {"draw_count", {"draw-count"}},
        {"multi_draw", {"multi-draw", "draw-parameters"}},
        {"full_index", {"full-index-32", "index-uint8"}},
        {"descriptor_indexing", {"descriptor-indexing"}}};
    for (const Backend backend : sublet_backends()) {
        const bool indexes = backend == Backend::kRaster || render::backend_info(backend).mesh_shader;
        for (const auto& [name, without] : lacks) {
            if (indexes && name == "descriptor_indexing") continue;  // it is lacking there
            out.push_back({test_name(backend) + "_without_" + name, sublets(backend, std::nullopt), without});
        }
    }
    out.push_back({"compact_without_mesh_shader", sublets(Backend::kCompact, Payload::kDecoded), {"mesh-shader"}});
    for (const Backend backend : {Backend::kMeshIndirect, Backend::kMeshSublets}) {
        out.push_back(
            {test_name(backend) + "_without_task_shader", sublets(backend, Payload::kDecoded), {"task-shader"}});
    }
}

// Lists of survivors for a fraction of the scene.
render::SceneSettings short_lists() {
    render::SceneSettings settings;
    settings.grid = {glm::uvec3(4, 3, 3), 1.5F};
    settings.survivor_budget = 6144;
    return settings;
}

// mdi with each kind of draws, with culling and without, and on devices that lack something.
void add_mdi(std::vector<Case>& out) {
    FrameSettings runs = sublets(Backend::kMdi, std::nullopt);
    runs.cull_primitives = false;  // it has none
    FrameSettings whole = runs;
    whole.cull_sublets = false;
    for (const auto& [backend_name, plain] : {Way{"mdi", runs}, Way{"mdi_whole_meshlets", whole}}) {
        out.push_back({backend_name, plain, {}});
        FrameSettings changed = plain;
        changed.cull_instances = changed.cull_frustum = changed.cull_cone = changed.cull_occlusion = false;
        out.push_back({backend_name + "_no_culling", changed, {}});
        for (const char* lacked : {"draw-parameters", "index-uint8", "subgroup-size-control"}) {
            std::string name = backend_name + "_without_" + lacked;
            std::replace(name.begin(), name.end(), '-', '_');
            out.push_back({name, plain, {lacked}});
        }
        out.push_back({backend_name + "_short_lists", plain, {}, short_lists()});
        out.push_back({backend_name + "_rest", plain, {}, short_lists(), 1});
    }
    // These draw whole meshlets too.
    out.push_back({"mdi_without_draw_count", runs, {"draw-count"}});
    out.push_back({"mdi_short_lists_without_draw_count", runs, {"draw-count"}, short_lists()});
    out.push_back({"mdi_without_multi_draw", runs, {"multi-draw"}});
}

// Generated commands by mesh shaders and by indexed draws, of runs and of whole meshlets.
void add_generated(std::vector<Case>& out) {
    FrameSettings runs = sublets(Backend::kGenerated, std::nullopt);
    runs.cull_primitives = false;  // it has none
    FrameSettings whole = runs;
    whole.cull_sublets = false;
    FrameSettings all = runs;
    all.cull_instances = all.cull_frustum = all.cull_cone = all.cull_occlusion = false;
    out.push_back({"generated", runs, {}});
    out.push_back({"generated_whole_meshlets", whole, {}});
    out.push_back({"generated_no_culling", all, {}});
    out.push_back({"generated_rest", runs, {}, short_lists(), 1});
    out.push_back({"generated_indexed", runs, {"mesh-shader"}});
    out.push_back({"generated_indexed_whole_meshlets", whole, {"mesh-shader"}});
    out.push_back({"generated_indexed_16_bits", runs, {"mesh-shader", "index-uint8"}});
    out.push_back({"generated_indexed_short_lists", runs, {"mesh-shader"}, short_lists()});
    out.push_back({"generated_without_descriptor_indexing", runs, {"descriptor-indexing"}});
    // And as an expansion.
    for (const Backend backend : {Backend::kMdi, Backend::kCompact, Backend::kGenerated}) {
        if (backend != Backend::kCompact && !every_way()) continue;
        FrameSettings expanded = runs;
        expanded.backend = backend;
        expanded.expansion = ExpansionStrategy::kGenerated;
        const std::string name = test_name(backend) + "_generated_expansion";
        out.push_back({name, expanded, {}});
        out.push_back({name + "_short_lists", expanded, {}, short_lists()});
        out.push_back({name + "_rest", expanded, {}, short_lists(), 1});
    }
}

// The graph without mesh shaders, which then tests no triangle.
void add_graph(std::vector<Case>& out) {
    FrameSettings plain = sublets(Backend::kGraph, std::nullopt);
    plain.cull_primitives = false;
    out.push_back({"graph_vertices", plain, {"mesh-shader"}});
    out.push_back({"graph_vertices_16_bits", plain, {"mesh-shader", "index-uint8", "geometry-shader"}});
    out.push_back({"graph_vertices_short_lists", plain, {"mesh-shader"}, short_lists()});
    out.push_back({"graph_vertices_rest", plain, {"mesh-shader"}, short_lists(), 1});
}

std::vector<Case> cases() {
    std::vector<Case> out;
    add_switches(out);
    add_fallbacks(out);
    FrameSettings rounds = sublets(Backend::kCompact, Payload::kEncoded);
    rounds.compact_budget = 20000;  // some fifty sublets: a dozen rounds
    out.push_back({"compact_rounds", rounds, {}});
    rounds = sublets(Backend::kTaskMesh, Payload::kEncoded);
    rounds.compact_budget = 600;
    out.push_back({"task_mesh_rounds", rounds, {}});
    for (const char* lacked : {"int64-atomics", "subgroup-size-control"}) {
        std::string name = "raster_without_" + std::string(lacked);
        std::replace(name.begin(), name.end(), '-', '_');
        out.push_back({name, sublets(Backend::kRaster, std::nullopt), {lacked}});
    }
    for (const Backend backend : sublet_backends()) {
        if (render::backend_info(backend).survivors == render::Survivors::kNone) continue;
        if (backend == Backend::kGraphAmdx) continue;  // its queues are the driver's
        out.push_back({test_name(backend) + "_short_lists", sublets(backend, std::nullopt), {}, short_lists()});
        FrameSettings encoded = sublets(backend, Payload::kEncoded);
        encoded.expansion = ExpansionStrategy::kBuckets;
        out.push_back({test_name(backend) + "_rest", encoded, {}, short_lists(), 2});
    }
    out.push_back({"raster_rest_without_int64_atomics",
                   sublets(Backend::kRaster, std::nullopt),
                   {"int64-atomics"},
                   short_lists(),
                   2});
    add_mdi(out);
    add_generated(out);
    add_graph(out);
    return out;
}

class SubletBackends : public testing::TestWithParam<Case> {};

TEST_P(SubletBackends, SamePicture) {
    const Case& test = GetParam();
    const bool generated = test.settings.backend == Backend::kGenerated;
    const bool generates = generated || test.settings.expansion == ExpansionStrategy::kGenerated;
    std::optional<Bench> made;
    const bool by_driver = test.settings.backend == Backend::kGraphAmdx;
    if ((generates || by_driver) && !validation_knows_new_extensions()) {
        made.emplace(gpu::DeviceOptions{.without = test.without});
    } else {
        made.emplace(test.without);
    }
    Bench& bench = *made;
    if (const auto reason = render::backend_unavailable(*test.settings.backend, bench.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    if (generates && !bench.device().capabilities().generated_commands) GTEST_SKIP() << "no generated commands here";
    static const scene::EncodedScene shapes = encode(make_shapes());
    static References references;
    bench.set_scene(shapes, test.scene);
    const std::string scene = test.scene.survivor_budget != 0 ? "grid" : "shapes";
    if (const auto reason = render::backend_unavailable(*test.settings.backend, bench.device().capabilities(),
                                                        bench.renderer().facts())) {
        GTEST_SKIP() << *reason;
    }
    const std::vector<render::CameraPose> poses{
        {.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}},
        {.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F},
        {.eye = {2.3F, 0.05F, 0.0F}, .target = {0.0F, 0.3F, 0.0F}, .fov_degrees = 100.0F},
    };
    std::uint64_t tested = 0;
    std::uint64_t drawn = 0;
    double covered = 0.0;
    for (const render::CameraPose& pose : poses) {
        const Bench::Shot& reference = references.shot(bench, scene, pose, 0.02F, 131, 87,
                                                       render::Projection::kPerspective, test.settings.backend);
        const render::AmbiguousPixels& ambiguous = references.ambiguous(bench, scene, pose, 0.02F, 131, 87);
        covered += coverage(reference.picture) / static_cast<double>(poses.size());
        bench.renderer().set_test_hooks({.most_rounds = test.most_rounds});
        const auto shoot = [&] { return bench.shoot(test.settings, pose, 0.02F, 131, 87); };
        const Bench::Shot moving = shoot();
        const Bench::Shot shot = shoot();
        bench.renderer().set_test_hooks({});
        const Difference moved = compare(reference.picture, moving.picture, ambiguous);
        EXPECT_EQ(moved.depth + moved.color, 0U) << "where the camera had just come";
        const Difference difference = compare(reference.picture, shot.picture, ambiguous);
        EXPECT_EQ(difference.depth, 0U);
        EXPECT_EQ(difference.color, 0U);
        tested += shot.counters.primitives_tested;
        drawn += shot.counters.primitives_drawn;
        EXPECT_EQ(shot.counters.overflow, 0U);
        // How many sequences fit is the driver's affair.
        if (!generated || test.scene.survivor_budget != 0) {
            EXPECT_EQ(shot.counters.rounds > 1, test.scene.survivor_budget + test.settings.compact_budget != 0);
        }
        // One more than was recorded: what is left is drawn without lists.
        if (test.most_rounds != ~0U) {
            EXPECT_EQ(shot.counters.rounds, test.most_rounds + 1);
        }
        EXPECT_GT(shot.counters.primitives_drawn, 0U);
        EXPECT_LE(shot.counters.primitives_drawn, reference.counters.primitives_drawn);
        if (difference.depth + difference.color != 0) {
            save(reference.picture, test.name + "_reference");
            save(shot.picture, test.name);
        }
    }
    EXPECT_GE(covered, 0.2);
    if (test.settings.cull_primitives) {
        EXPECT_LT(drawn, tested * 3 / 4) << "primitive culling did not cull";
    } else {
        EXPECT_EQ(drawn, tested);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, SubletBackends, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

// So many workgroups cull meshlets that they stand in two rows.
TEST(ManyInstances, AllAreDrawn) {
    Bench bench;
    FrameSettings settings;
    bench.set_scene(encode(make_coplanar()), {.grid = {glm::uvec3(51), 1.0F}});
    settings.expansion = ExpansionStrategy::kTaskList;
    settings.cull_instances = false;  // or they would not push so many chunks
    settings.cull_occlusion = false;
    const render::CameraPose pose{.eye = {0.0F, 0.0F, 27.0F}, .target = {3.0F, 2.0F, 0.0F}, .fov_degrees = 30.0F};
    const Bench::Shot reference = bench.reference(pose, 0.05F, 160, 120);
    const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, 0.05F, 160, 120);
    EXPECT_GE(coverage(reference.picture), 0.3);
    std::uint64_t meshlets = 0;
    for (const std::uint64_t budget : {0U, 65536U}) {
        render::SceneSettings scene;
        scene.grid = {glm::uvec3(51), 1.0F};
        scene.survivor_budget = budget;
        bench.set_scene(encode(make_coplanar()), scene);
        for (const Way& way : {Way{"compact", sublets(Backend::kCompact, std::nullopt)},
                               Way{"mdi", sublets(Backend::kMdi, std::nullopt)}, whole_meshlets()}) {
            SCOPED_TRACE(way.name + ", budget " + std::to_string(budget));
            if (render::backend_unavailable(*way.settings.backend, bench.device().capabilities())) continue;
            settings.backend = way.settings.backend;
            settings.cull_sublets = way.settings.cull_sublets;
            const Bench::Shot shot = bench.shoot(settings, pose, 0.05F, 160, 120);
            const Difference difference = compare(reference.picture, shot.picture, ambiguous);
            EXPECT_EQ(difference.depth, 0U);
            EXPECT_EQ(difference.color, 0U);
            EXPECT_GE(shot.counters.meshlets_tested, 32769U * 4U) << "one row would do";
            EXPECT_GE(shot.counters.meshlets_drawn_phase1, 10000U);
            if (meshlets == 0) meshlets = shot.counters.meshlets_drawn_phase1;
            EXPECT_EQ(shot.counters.meshlets_drawn_phase1, meshlets);
            EXPECT_EQ(shot.counters.rounds > 1, budget != 0);
            EXPECT_LE(shot.counters.rounds, shared::kMostRounds);
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// mdi's runs are the sublets that the other backends find, and so fewer triangles than its meshlets'.
TEST(RunsOfSublets, AreThoseThatSurvive) {
    Bench bench;
    if (!render::plan_device(bench.device().capabilities()).mdi_runs) GTEST_SKIP() << "draws whole meshlets here";
    bench.set_scene(encode(make_shapes()));
    const render::CameraPose pose{.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F};
    for (const bool occlusion : {false, true}) {
        SCOPED_TRACE(occlusion ? "with occlusion culling" : "without");
        const auto counters = [&](Backend backend, bool cull_sublets) {
            FrameSettings settings;
            settings.backend = backend;
            settings.cull_sublets = cull_sublets;
            settings.cull_occlusion = occlusion;
            settings.occlusion_detail = OcclusionDetail::kMeshlets;
            return bench.shoot(settings, pose, 0.02F, 131, 87, 3).counters;  // as it settles
        };
        const render::Counters runs = counters(Backend::kMdi, true);
        const render::Counters whole = counters(Backend::kMdi, false);
        const render::Counters compact = counters(Backend::kCompact, true);
        EXPECT_EQ(runs.primitives_drawn, compact.primitives_tested);
        EXPECT_LE(runs.primitives_drawn * 20, whole.primitives_drawn * 19);
        EXPECT_EQ(runs.meshlets_drawn_phase1, compact.meshlets_drawn_phase1);
        EXPECT_EQ(runs.meshlets_drawn_phase1, whole.meshlets_drawn_phase1);
        EXPECT_GT(runs.meshlets_drawn_phase1, 0U);
        EXPECT_EQ(runs.meshlets_drawn_phase2, 0U);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// By the source of the GPU's tests, compiled as C++.
TEST(DirectMeshlets, AreThoseThatTheGpuFinds) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    const render::CameraPose pose{.eye = {7.0F, 4.0F, 6.0F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 30.0F};
    const Bench::Shot reference = bench.reference(pose, 0.02F, 131, 87);
    for (const bool cone : {false, true}) {
        SCOPED_TRACE(cone ? "by their cones too" : "by the frustum");
        const auto shoot = [&](Backend backend, bool select) {
            FrameSettings settings;
            settings.backend = backend;
            settings.direct_meshlets = select;
            settings.cull_cone = cone;
            settings.cull_occlusion = false;
            return bench.shoot(settings, pose, 0.02F, 131, 87);
        };
        const Bench::Shot selected = shoot(Backend::kDirect, true);
        const render::Counters whole = shoot(Backend::kDirect, false).counters;
        const render::Funnel::Step found = shoot(Backend::kCompact, false).counters.funnel->meshlets.value();
        const render::Funnel::Step step = selected.counters.funnel->meshlets.value();
        EXPECT_EQ(step.rejected.cone, found.rejected.cone);
        EXPECT_EQ(step.drawn(), found.drawn());
        EXPECT_EQ(step.rejected.cone > 0U, cone);
        EXPECT_LT(step.drawn() * 10, whole.funnel->meshlets->drawn() * 9);
        EXPECT_LT(selected.counters.primitives_drawn * 10, whole.primitives_drawn * 9);
        EXPECT_EQ(selected.picture.depth, reference.picture.depth);
        EXPECT_EQ(selected.picture.rgba, reference.picture.rgba);
        EXPECT_EQ(selected.picture.ids, reference.picture.ids);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Bounds that lie leave chosen sublets of every meshlet: every other one, as many runs as there can be; and runs of all
// lengths and none.
TEST(RunsOfSublets, LieAnywhereInAMeshlet) {
    Bench bench;
    if (!render::plan_device(bench.device().capabilities()).mdi_runs) GTEST_SKIP() << "draws whole meshlets here";
    const scene::EncodedScene whole = encode(make_shapes());
    const render::CameraPose pose{.eye = {14.0F, 8.0F, 12.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 36.0F};
    bench.set_scene(whole);
    const Bench::Shot reference = bench.reference(pose, 0.1F, 240, 180);
    for (const std::vector<std::uint32_t>& masks :
         {std::vector<std::uint32_t>{0x55},
          std::vector<std::uint32_t>{0xAA, 0x99, 0x6D, 0xFF, 0x00, 0x80, 0x01, 0x3C}}) {
        auto geometry = std::make_shared<mesh::Geometry>();
        mesh::append(*geometry, whole.geometry);
        std::vector<std::uint64_t> kept(whole.geometry.meshes.size());
        for (std::size_t m = 0; m < kept.size(); ++m) {
            const mesh::MeshView view = mesh::mesh_view(whole.geometry, static_cast<std::uint32_t>(m));
            const shared::MeshHeader& mesh = *view.header;
            EXPECT_GE(mesh.meshlet_count, masks.size());
            for (std::uint32_t sublet = 0; sublet < mesh.sublet_count; ++sublet) {
                const std::uint32_t mask = masks[sublet / shared::kSubletsPerMeshlet % masks.size()];
                if ((mask >> sublet % shared::kSubletsPerMeshlet & 1U) == 0) {
                    geometry->sublet_bounds[mesh.first_sublet + sublet].sphere.w = -1e6F;
                } else {
                    kept[m] += mesh::sublet_counts(view, sublet).triangles;
                }
            }
        }
        std::uint64_t triangles = 0;
        for (const scene::Instance& instance : scene::instances(whole.scene)) {
            triangles += kept[instance.mesh];
        }
        scene::EncodedScene tampered = whole;
        tampered.geometry = geometry->view();
        tampered.storage = geometry;
        bench.set_scene(tampered);
        FrameSettings settings;
        settings.cull_instances = settings.cull_cone = settings.cull_occlusion = settings.cull_primitives = false;
        settings.backend = Backend::kCompact;
        const Bench::Shot expected = bench.shoot(settings, pose, 0.1F, 240, 180);
        settings.backend = Backend::kMdi;
        const Bench::Shot shot = bench.shoot(settings, pose, 0.1F, 240, 180);
        EXPECT_EQ(expected.counters.primitives_drawn, triangles);
        EXPECT_EQ(shot.counters.primitives_drawn, triangles);
        EXPECT_EQ(shot.counters.overflow, 0U);
        render::AmbiguousPixels none;  // cones don't cull, and of ties the depths are equal
        none.mask.resize(reference.picture.depth.size());
        EXPECT_GE(coverage(shot.picture), 0.08);
        EXPECT_EQ(compare(expected.picture, shot.picture, none).depth, 0U);
        EXPECT_GT(compare(reference.picture, shot.picture, none).depth, 0U) << "nothing was left out";
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

class Expansions : public testing::TestWithParam<Way> {};

// Each way of expanding instances to meshlets, one after the other in one renderer, and back. Equal counts of what was
// tested, and the bytes of its list, prove that it ran.
TEST_P(Expansions, SamePictureAndCounts) {
    Bench bench;
    if (const auto reason = render::backend_unavailable(*GetParam().settings.backend, bench.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    bench.set_scene(encode(make_shapes()));
    render::ExpansionDemand demand;
    for (const scene::Instance& instance : scene::instances(bench.scene().scene)) {
        demand.add(bench.scene().geometry.meshes[instance.mesh].meshlet_count);
    }
    const auto list_bytes = [&](ExpansionStrategy strategy) {
        const std::uint64_t workspace = strategy == ExpansionStrategy::kScan
                                            ? render::Scan(bench.device().capabilities())
                                                  .workspace_bytes(static_cast<std::uint32_t>(demand.sources))
                                            : 0;
        return render::expansion_entries(strategy, demand) * render::expansion_entry_bytes(strategy) + workspace;
    };
    const render::CameraPose inside{.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F};
    const render::CameraPose outside{.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}};
    for (const render::CameraPose& pose : {inside, outside}) {
        const Bench::Shot reference =
            bench.reference(pose, 0.02F, 131, 87, render::Projection::kPerspective, GetParam().settings.backend);
        const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, 0.02F, 131, 87);
        EXPECT_GE(coverage(reference.picture), 0.1);
        FrameSettings settings = GetParam().settings;
        settings.cull_occlusion = false;  // whose counts settle from frame to frame
        settings.expansion = ExpansionStrategy::kTaskList;
        const Bench::Shot list = bench.shoot(settings, pose, 0.02F, 131, 87, 2);
        const std::uint64_t list_transient = bench.renderer().memory().transient;
        EXPECT_GT(list.counters.meshlets_tested, 0U);
        for (const ExpansionStrategy strategy : render::all_expansions()) {
            SCOPED_TRACE(render::expansion_name(strategy));
            // (That of generated commands has memory of the driver's: SubletBackends draws by it.)
            if (strategy == ExpansionStrategy::kGenerated) continue;
            settings.expansion = strategy;
            const Bench::Shot shot = bench.shoot(settings, pose, 0.02F, 131, 87, 2);
            const Difference difference = compare(reference.picture, shot.picture, ambiguous);
            EXPECT_EQ(difference.depth, 0U);
            EXPECT_EQ(difference.color, 0U);
            EXPECT_EQ(shot.counters.instances_visible, list.counters.instances_visible);
            EXPECT_EQ(shot.counters.meshlets_tested, list.counters.meshlets_tested);
            EXPECT_EQ(shot.counters.meshlets_drawn_phase1, list.counters.meshlets_drawn_phase1);
            EXPECT_EQ(shot.counters.primitives_drawn, list.counters.primitives_drawn);
            EXPECT_EQ(shot.counters.overflow, 0U);
            // (In rounds, as `generated` may take, what is undone has room for the workgroups of the strategy.)
            if (settings.backend != Backend::kGenerated) {
                EXPECT_EQ(bench.renderer().memory().transient - list_bytes(strategy),
                          list_transient - list_bytes(ExpansionStrategy::kTaskList));
            }

            // A list that is too short: what does not fit is counted, in frames that count nothing else too.
            bench.renderer().set_test_hooks({.most_expansion_entries = 1});
            const render::Counters short_list = bench.shoot(settings, pose, 0.02F, 131, 87).counters;
            EXPECT_GT(short_list.overflow, 0U);
            EXPECT_EQ(short_list.meshlets_tested + short_list.overflow, list.counters.meshlets_tested);
            settings.collect_counters = false;
            EXPECT_EQ(bench.shoot(settings, pose, 0.02F, 131, 87).counters.overflow, short_list.overflow);
            settings.collect_counters = true;
            bench.renderer().set_test_hooks({});
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// A frame that can't be recorded is abandoned, and leaves nothing half done to those that follow.
TEST_P(Expansions, AfterAnAbandonedFrame) {
    Bench bench;
    if (const auto reason = render::backend_unavailable(*GetParam().settings.backend, bench.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    FrameSettings settings = GetParam().settings;
    scene::ImportedScene quads;
    quads.scene.materials.emplace_back();
    const glm::vec3 x(1.0F, 0.0F, 0.0F);
    const glm::vec3 y(0.0F, 1.0F, 0.0F);
    place(quads, add_mesh(quads, make_quad({-0.5F, -0.5F, 0.0F}, x, y), 0), glm::mat4(1.0F));
    render::SceneSettings scene;
    scene.grid = {glm::uvec3(40, 25, 25), 1.5F};  // too many instances for this expansion
    bench.set_scene(encode(std::move(quads)), scene);
    const render::CameraPose pose{.eye = {0.0F, 0.0F, 25.0F}, .target = {0.0F, 0.0F, 0.0F}};
    settings.expansion = ExpansionStrategy::kLinear;
    bench.plans_know_scene = false;
    EXPECT_THROW(bench.shoot(settings, pose, 0.02F, 131, 87), Error);
    bench.plans_know_scene = true;
    settings.expansion = ExpansionStrategy::kTaskList;
    const Bench::Shot reference =
        bench.reference(pose, 0.02F, 131, 87, render::Projection::kPerspective, GetParam().settings.backend);
    const Bench::Shot shot = bench.shoot(settings, pose, 0.02F, 131, 87);
    const Difference difference = compare(reference.picture, shot.picture, bench.ambiguous(pose, 0.02F, 131, 87));
    EXPECT_EQ(difference.depth, 0U);
    EXPECT_EQ(difference.color, 0U);
    EXPECT_GE(coverage(reference.picture), 0.1);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Those that expand by a strategy.
std::vector<Way> expanding_ways() {
    std::vector<Way> out = tried_ways();
    std::erase_if(out, [](const Way& way) {
        return render::backend_info(*way.settings.backend).survivors == render::Survivors::kNone;
    });
    return out;
}

INSTANTIATE_TEST_SUITE_P(All, Expansions, testing::ValuesIn(expanding_ways()),
                         [](const testing::TestParamInfo<Way>& info) { return test::test_name(info.param); });

// What prepare() made is all that frames make, be they counted or not: none of them waits for a compiler.
TEST(PreparedScenes, CompileNothingInTheirFrames) {
    for (const Way& way : tried_ways()) {
        for (const bool occlusion : {false, true}) {
            for (const ExpansionStrategy expansion : {ExpansionStrategy::kTaskList, ExpansionStrategy::kScan}) {
                Bench bench;
                if (render::backend_unavailable(*way.settings.backend, bench.device().capabilities())) continue;
                bench.renew();
                FrameSettings settings = way.settings;
                settings.cull_occlusion = occlusion;
                settings.expansion = expansion;
                bench.set_scene(encode(make_shapes()));
                const std::uint64_t before = bench.device().made_pipelines();
                std::vector<render::FramePlan> plans;
                for (const bool counts : {false, true}) {
                    settings.collect_counters = counts;
                    plans.push_back(render::resolve(settings, bench.device().capabilities(), bench.renderer().facts()));
                }
                bench.renderer().prepare(plans);
                const std::uint64_t prepared = bench.device().made_pipelines();
                EXPECT_GT(prepared, before);
                for (const bool counts : {false, true, true}) {
                    settings.collect_counters = counts;
                    bench.render(settings, {}, 0.1F, 64, 48);
                }
                bench.renderer().finish();
                EXPECT_EQ(bench.device().made_pipelines(), prepared) << way.name << (occlusion ? ", two phases" : "");
            }
        }
    }
}

}  // namespace
}  // namespace sublet::test::backends_test
