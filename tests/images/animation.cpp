// What moves: the GPU places it where the evaluator on the CPU does, culling loses nothing of it, and its pictures are
// those of a scene that stands in the same pose.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/matrix_access.hpp>

#include "base/error.h"
#include "base/thread_pool.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/upload.h"
#include "harness.h"
#include "motion.h"
#include "render/scene/animate.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/backend_info.h"
#include "scene/animation.h"
#include "scene/import.h"
#include "shapes.h"

namespace sublet::test::animation_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;
using scene::AnimationPath;
using scene::Interpolation;

render::SceneSettings playing(const std::string& animation) {
    render::SceneSettings settings;
    settings.animation = animation;
    return settings;
}

// The same scene, standing as it is at a time.
scene::EncodedScene frozen(scene::EncodedScene scene, const scene::AnimationTimes& times,
                           std::string_view choice = "all") {
    scene::pose_nodes(scene.scene.nodes, scene.scene, scene::chosen_animations(scene.scene, choice), times);
    scene.scene.animations.clear();
    return scene;
}

std::vector<shared::Instance> placed_by_gpu(Bench& bench, const render::GpuScene& scene,
                                            const scene::AnimationTimes& times) {
    gpu::Profiler profiler(bench.device());
    gpu::Pipelines pipelines(bench.device());
    gpu::submit_and_wait(bench.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        record_animate({bench.device(), frame, profiler, pipelines, {}}, scene, render::animation_times(scene, times));
    });
    return gpu::read_buffer_as<shared::Instance>(bench.device(), scene.instances, 0, scene.instance_count);
}

// Transforms within 1e-6 of the evaluator's; scales no less than the spectral norm and hardly more; flags that the
// transform bears out.
TEST(Animation, PlacesInstancesAsTheEvaluatorDoes) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_moving());
    const auto gpu_scene = render::upload_scene(bench.device(), scene, {});
    ASSERT_TRUE(gpu_scene->animation.moves());
    std::size_t unlike = 0, similar = 0, mirrored = 0, kept_class = 0;
    std::vector<scene::AnimationTimes> moments;
    for (const double time : {0.0, 0.21, 0.5, 0.77, 1.0, 1.35, 1.999, 2.0, 3.3, -0.4, 1234.5}) {
        moments.emplace_back(time);
    }
    moments.emplace_back(0.3).each = {0.9, 1.35};  // each at a time of its own
    moments.emplace_back(0.3).each = {-2.2};
    for (const scene::AnimationTimes& times : moments) {
        const double time = times.all;
        const std::vector<shared::Instance> is = placed_by_gpu(bench, *gpu_scene, times);
        const std::vector<scene::Instance> expected = scene::instances(frozen(scene, times).scene);
        ASSERT_EQ(is.size(), expected.size());
        for (std::size_t i = 0; i < is.size(); ++i) {
            const shared::Instance exact =
                render::make_instance(expected[i], scene.scene.materials[expected[i].material]);
            float largest = 0.0F;
            for (int row = 0; row < 3; ++row) {
                const glm::vec4 r = glm::abs(glm::row(expected[i].transform, row));
                largest = std::max({largest, r.x, r.y, r.z, r.w});
            }
            for (int row = 0; row < 3; ++row) {
                const glm::vec4 to = glm::row(expected[i].transform, row);
                const shared::vec4& at = is[i].transform[row];
                const glm::vec4 off = glm::abs(glm::vec4(at.x, at.y, at.z, at.w) - to);
                ASSERT_LE(std::max({off.x, off.y, off.z, off.w}), 1e-6F * largest) << time << ", instance " << i;
                unlike += off == glm::vec4(0.0F) ? 0 : 1;
            }
            ASSERT_GE(is[i].scale, exact.scale / 1.000003F) << time << ", instance " << i;
            ASSERT_LE(is[i].scale, exact.scale * 1.0005F + 1e-30F) << time << ", instance " << i;
            if (exact.scale == 0.0F) continue;  // of no extent: it has no sides
            constexpr std::uint32_t kClass = shared::kInstanceClassMask;
            // Without a volume it has no side to tell; the GPU goes by the signs of scales.
            const double volume = std::abs(glm::determinant(glm::dmat3(expected[i].transform)));
            const bool flat = volume < 1e-5 * std::pow(exact.scale, 3.0);
            const std::uint32_t told = ~(kClass | (flat ? shared::kInstanceMirrored : 0U));
            EXPECT_EQ(is[i].flags & told, exact.flags & told) << time << ", instance " << i;
            kept_class += (is[i].flags & kClass) == (exact.flags & kClass) ? 1 : 0;
            similar += (is[i].flags & shared::kInstanceSimilarity) != 0 ? 1 : 0;
            mirrored += (is[i].flags & shared::kInstanceMirrored) != 0 ? 1 : 0;
            EXPECT_TRUE((is[i].flags & kClass) == (exact.flags & kClass) ||
                        (is[i].flags & kClass) == shared::kClassMasked);
        }
    }
    EXPECT_GT(similar, 10U);
    EXPECT_GT(mirrored, 10U);
    EXPECT_GT(kept_class, 50U);
    RecordProperty("rows_that_differ", static_cast<int>(unlike));
    if (bench.device().capabilities().type == VK_PHYSICAL_DEVICE_TYPE_CPU) {
        EXPECT_EQ(unlike, 0U) << "division and square root round as the CPU's";
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Animation, NothingThatMovesIsNothing) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_moving());
    for (const render::SceneSettings& settings :
         {playing("none"), render::SceneSettings{.grid = {glm::uvec3(2, 1, 1), 4.0F}}}) {
        const auto still = render::upload_scene(bench.device(), scene, settings);
        EXPECT_FALSE(still->animation.moves());
        EXPECT_EQ(still->animation_bytes, 0U);
        EXPECT_FALSE(still->animation.times);
    }
    EXPECT_THROW(static_cast<void>(render::upload_scene(bench.device(), scene, playing("run"))), Error);
    const auto moves = render::upload_scene(bench.device(), scene, playing("breathe"));
    EXPECT_TRUE(moves->animation.moves());
    EXPECT_THROW(static_cast<void>(render::gather_animation(
                     scene.scene, {.choice = "all", .skins = {}, .morphs = {}, .lights = {}, .most_links = 3})),
                 Error)
        << "too many links";
}

// The second of two: its time is that of its number in the scene.
TEST(Animation, OneOfSeveralGoesByItsOwnTime) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_moving());
    const auto gpu_scene = render::upload_scene(bench.device(), scene, playing("breathe"));
    scene::AnimationTimes times;
    times.each = {7.0, 0.35};
    const std::vector<shared::Instance> is = placed_by_gpu(bench, *gpu_scene, times);
    const std::vector<scene::Instance> expected = scene::instances(frozen(scene, 0.35, "breathe").scene);
    ASSERT_EQ(is.size(), expected.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
        for (int row = 0; row < 3; ++row) {
            const shared::vec4& at = is[i].transform[row];
            const glm::vec4 off = glm::abs(glm::vec4(at.x, at.y, at.z, at.w) - glm::row(expected[i].transform, row));
            EXPECT_LE(std::max({off.x, off.y, off.z, off.w}), 1e-5F) << i;
        }
    }
}

TEST(Animation, EveryBackendAndPayload) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    expect_every_way(bench, payload_ways(bench), {0.6, 1.2});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Animation, EveryExpansion) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    expect_every_expansion(bench, whole_meshlets().settings);
    FrameSettings raster;
    raster.backend = Backend::kRaster;
    expect_every_expansion(bench, raster);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// What was visible in the last frame is drawn where it is now.
TEST(Animation, OcclusionOverAHundredFrames) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    expect_occlusion_in_motion(bench, 25);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Bounds that keep the size of the uploaded scene lose what has grown into the view: the picture tells.
TEST(Animation, NoticesBoundsThatDoNotFollow) {
    scene::ImportedScene growing = make_coplanar();
    const int torus = add_mesh(growing, make_torus(1.0F, 0.4F, 40, 20), 0);
    growing.scene.nodes.assign(1, {});
    scene::Node& node = growing.scene.nodes[0];
    node.mesh_group = torus;
    node.translation = {3.0F, 0.0F, 0.0F};
    node.scale = glm::vec3(0.01F);
    growing.scene.animations.push_back(
        {"grow", {{0, AnimationPath::kScale, Interpolation::kLinear, {0, 1}, {0.01F, 0.01F, 0.01F, 2, 2, 2}}}});
    const CameraPose aside{.eye = {0.0F, 3.0F, 8.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 20.0F};
    Bench bench;
    bench.set_scene(encode(std::move(growing)));
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    settings.cull_occlusion = false;
    const auto covered_with = [&](render::Fault fault, double time, const FrameSettings& by) {
        render::TestHooks hooks;
        hooks.fault = fault;
        bench.renderer().set_test_hooks(hooks);
        bench.renderer().set_time(0.0);
        bench.shoot(by, aside, kNear, kWidth, kHeight);
        bench.renderer().set_time(time);
        return coverage(bench.shoot(by, aside, kNear, kWidth, kHeight).picture);
    };
    const double whole = covered_with(render::Fault::kNone, 0.99, reference_settings());
    EXPECT_GT(whole, 0.05);
    EXPECT_EQ(covered_with(render::Fault::kNone, 0.99, settings), whole);
    EXPECT_LT(covered_with(render::Fault::kScalesNotAnimated, 0.99, settings), 0.5 * whole);
}

TEST(Animation, SameBitsTwiceAndOnTheWayBack) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    FrameSettings settings;
    const auto shot_at = [&](double time) {
        bench.renderer().set_time(time);
        return bench.shoot(settings, kPose, kNear, kWidth, kHeight, 2).picture;
    };
    const render::Picture first = shot_at(0.9);
    const render::Picture other = shot_at(0.4);
    const render::Picture again = shot_at(0.9);
    EXPECT_NE(first.rgba, other.rgba);
    EXPECT_EQ(first.rgba, again.rgba);
    EXPECT_EQ(first.depth, again.depth);
    Bench another;
    another.set_scene(encode(make_moving()));
    another.renderer().set_time(0.9);
    EXPECT_EQ(another.shoot(settings, kPose, kNear, kWidth, kHeight, 2).picture.depth, first.depth);
}

// The GPU's picture at a time is that of a file whose nodes stand so: straight, and by way of glTF and back.
TEST(Animation, IsThePictureOfTheFrozenScene) {
    Bench bench;
    const scene::EncodedScene moving = encode(make_moving());
    for (const double time : {0.0, 0.35, 1.1, 1.7}) {
        const auto shoot = [&](scene::EncodedScene scene) {
            bench.set_scene(std::move(scene));
            bench.renderer().set_time(time);
            return bench.shoot(reference_settings(), kPose, kNear, kWidth, kHeight).picture;
        };
        const render::Picture is = shoot(moving);
        const render::AmbiguousPixels ambiguous = bench.ambiguous(kPose, kNear, kWidth, kHeight);
        EXPECT_GT(coverage(is), 0.1);
        const render::Picture still = shoot(frozen(moving, time));
        expect_exact(compare(still, is, ambiguous), "standing still at " + std::to_string(time));
        const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "frozen_scene.glb";
        scene::export_glb(file, frozen(moving, time));
        ThreadPool pool;
        const render::Picture back = shoot(scene::load_scene(file, {}, pool));
        std::filesystem::remove(file);
        std::size_t unlike = 0;
        for (std::size_t i = 0; i < is.depth.size(); ++i) unlike += is.depth[i] == back.depth[i] ? 0 : 1;
        EXPECT_LE(unlike, is.depth.size() / 100) << "decoded and encoded again, at " << time;
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::animation_test
