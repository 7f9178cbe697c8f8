// What joints deform: the GPU moves vertices as the evaluator on the CPU does, bounds hold whatever the pose, culling
// loses nothing, and every backend shows the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>

#include "base/thread_pool.h"
#include "deformed.h"
#include "harness.h"
#include "motion.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/backend_info.h"
#include "scene/animation.h"
#include "scene/deform.h"
#include "scene/import.h"
#include "shaders/shared/bindings.h"
#include "shapes.h"

namespace sublet::test::deformation_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;

glm::vec3 to_glm(const std::array<float, 3>& v) {
    return {v[0], v[1], v[2]};
}

// A node's mesh that deforms, in the order in which the GPU has them: by mesh, then by node.
struct DeformedNode {
    std::uint32_t mesh = 0;
    std::size_t node = 0;
};
std::vector<DeformedNode> deformed_nodes(const scene::EncodedScene& scene) {
    std::vector<DeformedNode> out;
    for (std::size_t i = 0; i < scene.scene.nodes.size(); ++i) {
        const scene::Node& node = scene.scene.nodes[i];
        if (node.mesh_group < 0) continue;
        const scene::MeshGroup& group = scene.scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)];
        if (node.skin >= 0 || !group.weights.empty()) out.push_back({group.first_mesh, i});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const DeformedNode& a, const DeformedNode& b) { return a.mesh < b.mesh; });
    return out;
}

// The pose of the shapes that deform, by the evaluator: for each the vertices of its first mesh.
std::vector<mesh::MeshArrays> deform_by_cpu(const scene::EncodedScene& scene, double time) {
    scene::Scene posed = scene.scene;
    scene::pose_nodes(posed.nodes, scene.scene, scene::chosen_animations(scene.scene, "all"), time);
    const std::vector<glm::mat4> world = scene::world_transforms(posed);
    std::vector<mesh::MeshArrays> out;
    for (const DeformedNode& deformed : deformed_nodes(scene)) {
        const scene::Node& node = posed.nodes[deformed.node];
        mesh::MeshArrays arrays = mesh::decode(mesh::mesh_view(scene.geometry, deformed.mesh), false);
        const std::vector<float>& weights = scene::morph_weights(posed, node);
        if (node.skin < 0) {
            scene::deform(arrays, {}, weights);
        } else {
            scene::deform(arrays, scene::skin_matrices(posed.skins[static_cast<std::size_t>(node.skin)], world),
                          weights);
        }
        out.push_back(std::move(arrays));
    }
    return out;
}

TEST(Deformation, MovesVerticesAsTheEvaluatorDoes) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    const auto gpu_scene = render::upload_scene(bench.device(), scene, {});
    ASSERT_TRUE(gpu_scene->deform.any());
    std::size_t unlike = 0, vertices = 0, eights = 0, morphed = 0;
    for (const double time : {0.0, 0.3, 0.77, 1.6, 123.4}) {
        const Deformed is = deform_by_gpu(bench, *gpu_scene, time);
        const std::vector<mesh::MeshArrays> expected = deform_by_cpu(scene, time);
        ASSERT_EQ(is.meshes.size(), expected.size());
        for (std::size_t m = 0; m < expected.size(); ++m) {
            ASSERT_EQ(is.headers[m].vertex_count, expected[m].positions.size());
            eights += expected[m].joints1.empty() ? 0 : 1;
            morphed += expected[m].morphs.size() > 64 ? 1 : 0;
            for (std::size_t v = 0; v < expected[m].positions.size(); ++v) {
                const shared::uvec4& at = vertex_of(is, m, v);
                const glm::vec3 position(std::bit_cast<float>(at.x), std::bit_cast<float>(at.y),
                                         std::bit_cast<float>(at.z));
                const glm::vec3 to = to_glm(expected[m].positions[v]);
                ASSERT_LE(glm::distance(position, to), 1e-5F) << time << ", mesh " << m << ", vertex " << v;
                unlike += position == to ? 0 : 1;
                ++vertices;
                const glm::vec3 normal = to_glm(mesh::decode_normal(at.w));
                ASSERT_GE(glm::dot(normal, to_glm(expected[m].normals[v])), 0.9998F) << "within the packing's degree";
            }
        }
    }
    EXPECT_GT(vertices, 5000U);
    EXPECT_GT(eights, 0U);
    EXPECT_GT(morphed, 0U);
    RecordProperty("vertices_that_differ", static_cast<int>(unlike));
    if (bench.device().capabilities().type == VK_PHYSICAL_DEVICE_TYPE_CPU) {
        EXPECT_EQ(unlike, 0U) << "of " << vertices << ": division and square root round as the CPU's";
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// No vertex leaves the bound of its sublet, its meshlet or its mesh, and these are not much larger than they need be.
TEST(Deformation, EveryBackendAndPayload) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    bench.set_scene(scene);
    expect_every_way(bench, payload_ways(bench), {0.6, 1.2});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

constexpr std::uint64_t kSomeRoom = 40000;  // of the vertices

TEST(Deformation, LittleRoomByEveryBackend) {
    if (!every_way()) GTEST_SKIP() << "RoomMakesNoDifference has two of them";
    Bench bench;
    render::SceneSettings some;
    some.deform_budget = kSomeRoom;
    bench.set_scene(encode(make_deforming_shapes()), some);
    expect_every_way(bench, ways(bench), {0.6, 1.2});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Deformation, EveryBackendOfEncodedPayload) {
    if (!every_way()) GTEST_SKIP() << "EveryBackendAndPayload has two of them";
    Bench bench;
    bench.set_scene(encode(make_deforming_shapes()));
    expect_every_way(bench, payload_ways(bench, true), {0.6});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// What has no room is deformed where it is drawn, to the same bits.
TEST(Deformation, RoomMakesNoDifference) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    const auto shoot = [&](std::uint64_t budget, Backend backend) {
        render::SceneSettings settings;
        settings.deform_budget = budget;
        bench.set_scene(scene, settings);
        bench.renderer().set_time(0.8);
        FrameSettings frame;
        frame.backend = backend;
        return bench.shoot(frame, kPose, kNear, kWidth, kHeight, 2).picture;
    };
    for (const Backend backend : {Backend::kDirect, Backend::kRaster}) {
        if (render::backend_unavailable(backend, bench.device().capabilities(), {})) continue;
        // Its shaders that deform take a software driver long to compile.
        if (backend == Backend::kRaster && !every_way()) continue;
        const render::Picture with = shoot(0, backend);
        EXPECT_GT(coverage(with), 0.1);
        for (const std::uint64_t budget : {kSomeRoom, std::uint64_t{16}}) {
            const render::Picture without = shoot(budget, backend);
            EXPECT_EQ(with.depth, without.depth);
            EXPECT_EQ(with.rgba, without.rgba);
        }
    }
    bench.set_scene(scene);
    const std::uint64_t cached = bench.renderer().memory().deformation;
    render::SceneSettings none;
    none.deform_budget = 16;
    bench.set_scene(scene, none);
    EXPECT_GT(cached, bench.renderer().memory().deformation + 40000);
}

TEST(Deformation, EveryExpansion) {
    Bench bench;
    bench.set_scene(encode(make_deforming_shapes()));
    expect_every_expansion(bench, whole_meshlets().settings);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// What was visible in the last frame is drawn where it is now: with cuts in time, and at the ends of loops.
TEST(Deformation, OcclusionOverTwoHundredFrames) {
    Bench bench;
    bench.set_scene(encode(make_deforming_shapes()));
    expect_occlusion_in_motion(bench, 50);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Bounds by the joints of the frame before lose what has moved out of them.
TEST(Deformation, NoticesBoundsOfTheLastPose) {
    Bench bench;
    bench.set_scene(encode(make_deforming_shapes()));
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    const auto lost = [&](render::Fault fault) {
        render::TestHooks hooks;
        hooks.fault = fault;
        bench.renderer().set_test_hooks(hooks);
        std::uint64_t differing = 0;
        const CameraPose near{.eye = {3.0F, 1.0F, 3.5F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 35.0F};
        for (int frame = 0; frame < 12; ++frame) {
            bench.renderer().set_time(frame * 0.55);
            const Bench::Shot is = bench.shoot(settings, near, kNear, kWidth, kHeight, 1);
            const Bench::Shot all = bench.reference(near, kNear, kWidth, kHeight);
            for (std::size_t i = 0; i < all.picture.depth.size(); ++i) {
                differing += is.picture.depth[i] == all.picture.depth[i] ? 0 : 1;
            }
        }
        return differing;
    };
    EXPECT_EQ(lost(render::Fault::kNone), 0U);
    EXPECT_GT(lost(render::Fault::kBoundsOfLastPose), 100U);
}

// Matrices that are all alike move all of a mesh alike: identities leave the bind pose, to the bit.
TEST(Deformation, IdentitiesLeaveTheBindPose) {
    scene::ImportedScene shapes = make_deforming_shapes();
    shapes.scene.animations.clear();
    for (scene::SourceMeshGroup& group : shapes.groups) std::fill(group.weights.begin(), group.weights.end(), 0.0F);
    for (scene::Skin& skin : shapes.scene.skins) {
        for (std::size_t j = 0; j < skin.joints.size(); ++j) {
            skin.inverse_bind[j] = glm::mat4(1.0F);
            scene::Node& joint = shapes.scene.nodes[static_cast<std::size_t>(skin.joints[j])];
            joint.has_matrix = false;
            joint.translation = glm::vec3(0.0F);
            joint.rotation = glm::quat(1.0F, 0.0F, 0.0F, 0.0F);
            joint.scale = glm::vec3(1.0F);
        }
    }
    Bench bench;
    const scene::EncodedScene scene = encode(std::move(shapes));
    const auto gpu_scene = render::upload_scene(bench.device(), scene, {});
    const Deformed is = deform_by_gpu(bench, *gpu_scene, 0.0);
    std::size_t m = 0;
    for (const DeformedNode& deformed : deformed_nodes(scene)) {
        if (scene.scene.nodes[deformed.node].skin < 0) continue;  // without weights it does not deform
        const std::uint32_t number = deformed.mesh;
        const mesh::MeshArrays bind = mesh::decode(mesh::mesh_view(scene.geometry, number), false);
        for (std::size_t v = 0; v < bind.positions.size(); ++v) {
            const shared::uvec4& at = vertex_of(is, m, v);
            ASSERT_EQ(std::bit_cast<float>(at.x), bind.positions[v][0]);
            ASSERT_EQ(std::bit_cast<float>(at.y), bind.positions[v][1]);
            ASSERT_EQ(std::bit_cast<float>(at.z), bind.positions[v][2]);
            ASSERT_EQ(mesh::decode_normal(at.w), bind.normals[v]);
        }
        ++m;
    }
    EXPECT_EQ(m, is.meshes.size());
}

// A grid takes the skeleton along: all places alike, or each ahead of the one before.
TEST(Deformation, GridsAndStagger) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    render::SceneSettings grid;
    grid.grid = {glm::uvec3(3, 1, 2), 3.0F};
    const auto deformation = [&](const render::SceneSettings& settings, double time) {
        bench.set_scene(scene, settings);
        bench.renderer().set_time(time);
        for (const Backend backend : {Backend::kMdi, Backend::kRaster}) {
            if (render::backend_unavailable(backend, bench.device().capabilities(), bench.renderer().facts())) continue;
            FrameSettings frame;
            frame.backend = backend;
            expect_exact(against_reference(bench, frame), std::string(render::backend_name(backend)));
        }
        return bench.shoot(reference_settings(), kPose, kNear, kWidth, kHeight).picture;
    };
    const render::Picture alike = deformation(grid, 0.4);
    EXPECT_GT(coverage(alike), 0.03);
    EXPECT_NE(deformation(grid, 0.9).depth, alike.depth) << "it moves";
    const std::uint64_t once = bench.renderer().memory().deformation;
    grid.stagger = 0.21F;
    EXPECT_NE(deformation(grid, 0.4).depth, alike.depth);
    EXPECT_GT(bench.renderer().memory().deformation, 4 * once) << "a pose for each";
    // The second place is where the first is a moment later.
    const auto staggered = render::upload_scene(bench.device(), scene, grid);
    const Deformed now = deform_by_gpu(bench, *staggered, 0.4);
    const Deformed later = deform_by_gpu(bench, *staggered, 0.4 + static_cast<double>(grid.stagger));
    ASSERT_EQ(now.meshes.size(), 6U);
    for (std::uint32_t v = 0; v < now.headers[0].vertex_count; ++v) {
        const shared::uvec4& a = vertex_of(now, 1, v);
        const shared::uvec4& b = vertex_of(later, 0, v);
        ASSERT_NEAR(std::bit_cast<float>(a.x), std::bit_cast<float>(b.x), 1e-5F);
        ASSERT_NEAR(std::bit_cast<float>(a.y), std::bit_cast<float>(b.y), 1e-5F);
        ASSERT_NEAR(std::bit_cast<float>(a.z), std::bit_cast<float>(b.z), 1e-5F);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Deformation, APoseIsDeformedOnce) {
    Bench bench;
    bench.renew();
    bench.set_scene(encode(make_deforming_shapes()));
    bench.renderer().set_time(0.5);
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    (void)bench.shoot(settings, kPose, kNear, kWidth, kHeight, 3);
    std::size_t deformed = 0, frames = 0;
    for (const render::FrameResult& result : bench.renderer().take_results()) {
        ++frames;
        for (const gpu::PassTime& pass : result.times.passes) deformed += pass.name == "deform" ? 1 : 0;
    }
    EXPECT_EQ(frames, 3U);
    EXPECT_EQ(deformed, 1U);
}

}  // namespace
}  // namespace sublet::test::deformation_test
