// What is visible, and what materials are, as animations play them: every way of drawing gives the same picture, and it
// is that of a file that stands as they say at that time.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/upload.h"
#include "harness.h"
#include "ids.h"
#include "motion.h"
#include "render/scene/animate.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/backend_info.h"
#include "scene/animation.h"
#include "scene/material_fields.h"
#include "shapes.h"

namespace sublet::test::animated_looks_test {
namespace {

using render::Backend;
using render::FrameSettings;
using scene::AnimationChannel;
using scene::AnimationPath;
using scene::Interpolation;

AnimationChannel of_node(int node, std::vector<float> times, std::vector<float> values) {
    return {.node = node,
            .path = AnimationPath::kVisibility,
            .interpolation = Interpolation::kStep,
            .times = std::move(times),
            .values = std::move(values)};
}

AnimationChannel of_material(int material, AnimationPath path, std::vector<float> values,
                             Interpolation interpolation = Interpolation::kLinear, std::uint32_t texture = 0) {
    const std::size_t keys =
        values.size() / scene::path_components(path) / (interpolation == Interpolation::kCubicSpline ? 3 : 1);
    AnimationChannel out{.path = path,
                         .interpolation = interpolation,
                         .times = {},
                         .values = std::move(values),
                         .material = material,
                         .texture = texture,
                         .emission = {0.2F, 0.1F, 0.4F, 3.0F}};
    for (std::size_t i = 0; i < keys; ++i) out.times.push_back(static_cast<float>(i));
    return out;
}

// The shapes: half of them below a node that hides them for a while, some hidden by themselves, one of which was not
// visible before; some of them move as well.
scene::ImportedScene make_hiding() {
    scene::ImportedScene out = make_shapes();
    std::vector<scene::Node>& nodes = out.scene.nodes;
    const std::vector<scene::Node> shapes = nodes;
    nodes.assign(1, {});
    scene::Animation hide{"hide", {of_node(0, {0, 1, 1.5F}, {1, 0, 1})}};
    scene::Animation move{"move", {}};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        scene::Node arm;
        arm.parent = i % 2 == 0 ? 0 : -1;
        arm.visible = i % 5 != 3;
        nodes.push_back(arm);
        const int at = static_cast<int>(nodes.size()) - 1;
        if (i % 5 == 3) hide.channels.push_back(of_node(at, {0, 0.5F, 1.2F}, {0, 1, 0}));
        if (i % 7 == 2) hide.channels.push_back(of_node(at, {0, 0.25F, 2}, {1, 0, 1}));
        if (i % 3 == 0) {
            move.channels.push_back(
                {.node = at, .path = AnimationPath::kTranslation, .times = {0, 1}, .values = {0, 0, 0, 0.5F, 1, 0}});
        }
        scene::Node shape = shapes[i];
        shape.parent = at;
        nodes.push_back(shape);
    }
    out.scene.animations = {hide, move};
    return out;
}

// The shapes with all that can be played of their materials: of the first, of one that is masked, and of a texture that
// several share.
scene::ImportedScene make_glowing() {
    scene::ImportedScene out = make_shapes();
    std::vector<scene::Material>& materials = out.scene.materials;
    scene::Material& first = materials[0];
    first.normal_texture.texture = first.occlusion_texture.texture = first.emissive_texture.texture =
        std::max(first.base_color_texture.texture, 0);
    using enum AnimationPath;
    scene::Animation play{"play",
                          {of_material(0, kMetallic, {0, 1, 0.5F}), of_material(0, kRoughness, {0.9F, 0.1F, 0.4F}),
                           of_material(0, kEmissiveFactor, {0, 0, 0, 0.5F, 0.2F, 0.1F, 0.1F, 0.4F, 0.9F}),
                           of_material(0, kEmissiveStrength, {1, 4, 0}),
                           of_material(0, kNormalScale, {0, 0, 0, 0, 1.5F, 0}, Interpolation::kCubicSpline),
                           of_material(0, kOcclusionStrength, {0, 1, 1}, Interpolation::kStep),
                           of_material(0, kTextureOffset, {0, 0, 0.5F, 0.25F}, Interpolation::kLinear, 1)}};
    for (std::size_t m = 0; m < materials.size(); ++m) {
        const int number = static_cast<int>(m);
        if (m % 2 == 0) play.channels.push_back(of_material(number, kBaseColor, {1, 0, 0, 1, 0, 1, 0.5F, 0.7F}));
        if (materials[m].alpha_mode == scene::AlphaMode::kMask) {
            play.channels.push_back(of_material(number, kAlphaCutoff, {0.2F, 0.9F}));
        }
        if (materials[m].base_color_texture.texture < 0) continue;
        if (m % 3 != 2) play.channels.push_back(of_material(number, kTextureRotation, {0, 9}));
        if (m % 3 != 1) play.channels.push_back(of_material(number, kTextureScale, {1, 1, 0.5F, 3}));
    }
    // Of which only one is played.
    play.channels.push_back(of_material(1, kEmissiveStrength, {0, 2}));
    play.channels.push_back(of_material(2, kEmissiveFactor, {0, 0, 0, 0.3F, 0.3F, 0.1F}));
    for (const std::size_t m : {1U, 2U}) materials[m].emissive = glm::vec3(0.2F, 0.1F, 0.4F) * 3.0F;
    out.scene.animations = {play};
    return out;
}

scene::EncodedScene frozen(scene::EncodedScene scene, double time) {
    const std::vector<std::size_t> all = scene::chosen_animations(scene.scene, "all");
    scene::pose_nodes(scene.scene.nodes, scene.scene, all, time);
    scene::pose_materials(scene.scene.materials, scene.scene, all, time);
    scene.scene.animations.clear();
    return scene;
}

// By the backend, and by direct draws.
void expect_frozen_picture(Bench& bench, const scene::EncodedScene& moving, const std::vector<double>& times) {
    const auto shoot = [&](scene::EncodedScene scene, double time, const FrameSettings& settings) {
        bench.set_scene(std::move(scene));
        bench.renderer().set_time(time);
        return bench.shoot(settings, kPose, kNear, kWidth, kHeight, 2).picture;
    };
    FrameSettings compact;
    compact.backend = Backend::kCompact;
    std::vector<render::Picture> seen;
    for (const double time : times) {
        for (const FrameSettings& settings : {reference_settings(), compact}) {
            const render::Picture is = shoot(moving, time, settings);
            const render::Picture to = shoot(frozen(moving, time), time, settings);
            EXPECT_EQ(is.depth, to.depth) << time;
            EXPECT_EQ(is.rgba, to.rgba) << time;
            EXPECT_GT(coverage(is), 0.05) << time;
            seen.push_back(is);
        }
    }
    EXPECT_NE(seen.front().rgba, seen.back().rgba) << "something played";
}

TEST(Visibility, EveryBackendAndPayload) {
    Bench bench;
    bench.set_scene(encode(make_hiding()));
    expect_every_way(bench, payload_ways(bench), {0.3, 1.1, 0.6});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Without tests of instances, and where rounds of culling leave all to be drawn without lists.
TEST(Visibility, WithoutTestsOfInstancesAndWithoutLists) {
    Bench bench;
    render::SceneSettings short_lists;
    short_lists.survivor_budget = 6144;
    bench.set_scene(encode(make_hiding()), short_lists);
    for (const std::uint32_t rounds : {~0U, 1U}) {
        render::TestHooks hooks;
        hooks.most_rounds = rounds;
        bench.renderer().set_test_hooks(hooks);
        for (Way& way : ways(bench)) {
            way.settings.cull_instances = false;
            way.settings.cull_occlusion = false;
            if (way.settings.backend == Backend::kDirect) continue;
            bench.renderer().set_time(1.1);
            expect_exact(against_reference(bench, way.settings), way.name);
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Visibility, OcclusionWhileThingsHide) {
    Bench bench;
    bench.set_scene(encode(make_hiding()));
    expect_occlusion_in_motion(bench, 25);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Visibility, IsThePictureOfTheFrozenScene) {
    Bench bench;
    expect_frozen_picture(bench, encode(make_hiding()), {0.0, 0.3, 0.6, 1.1, 1.6});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// What is seen, and can be picked, is visible; what is hidden is what the evaluator hides.
TEST(Visibility, HidesWhatTheEvaluatorHides) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_hiding());
    const auto gpu_scene = render::upload_scene(bench.device(), scene, {});
    EXPECT_TRUE(gpu_scene->hides);
    ASSERT_TRUE(gpu_scene->animation.moves());
    const std::vector<std::size_t> all = scene::chosen_animations(scene.scene, "all");
    std::size_t hidden = 0, shown = 0;
    for (const double time : {0.0, 0.25, 0.4, 0.5, 1.0, 1.2, 1.7}) {
        gpu::Profiler profiler(bench.device());
        gpu::Pipelines pipelines(bench.device());
        gpu::submit_and_wait(bench.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
            gpu::Frame frame{.commands = commands, .descriptors = &arena};
            record_animate({bench.device(), frame, profiler, pipelines, {}}, *gpu_scene,
                           render::animation_times(*gpu_scene, time));
        });
        const auto is =
            gpu::read_buffer_as<shared::Instance>(bench.device(), gpu_scene->instances, 0, gpu_scene->instance_count);
        const std::vector<scene::Instance> expected = scene::instances(scene::posed_placement(scene, all, time), {});
        ASSERT_EQ(is.size(), expected.size());
        for (std::size_t i = 0; i < is.size(); ++i) {
            EXPECT_EQ((is[i].flags & shared::kInstanceInvisible) == 0, expected[i].visible) << time << ", " << i;
            (expected[i].visible ? shown : hidden) += 1;
        }
    }
    EXPECT_GT(hidden, 10U);
    EXPECT_GT(shown, 10U);
    bench.set_scene(encode(make_hiding()));
    bench.renderer().set_time(1.1);
    const render::Picture picture = bench.shoot({}, kPose, kNear, kWidth, kHeight, 2).picture;
    const IdReader ids(scene);
    const std::vector<scene::Instance> at = scene::instances(scene::posed_placement(scene, all, 1.1), {});
    std::size_t seen = 0;
    for (std::size_t i = 0; i < picture.depth.size(); ++i) {
        if (picture.depth[i] == 0.0F) continue;
        EXPECT_TRUE(at[ids.read(picture.ids[i]).instance].visible);
        ++seen;
    }
    EXPECT_GT(seen, 100U);
}

// By the choice of animations: what none shows stays as the file has it, and costs still scenes nothing.
TEST(Visibility, OfAnimationsThatDoNotPlay) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_hiding());
    render::SceneSettings none;
    none.animation = "none";
    const auto still = render::upload_scene(bench.device(), scene, none);
    EXPECT_FALSE(still->animation.moves());
    EXPECT_TRUE(still->hides) << "some are not visible at first";
    EXPECT_FALSE(render::upload_scene(bench.device(), encode(make_shapes()), {})->hides);
    bench.set_scene(scene, none);
    bench.renderer().set_time(0.6);
    const render::Picture is = bench.shoot(reference_settings(), kPose, kNear, kWidth, kHeight).picture;
    scene::EncodedScene plain = scene;
    plain.scene.animations.clear();
    bench.set_scene(plain);
    EXPECT_EQ(bench.shoot(reference_settings(), kPose, kNear, kWidth, kHeight).picture.rgba, is.rgba);
}

TEST(PlayedMaterials, EveryBackendAndPayload) {
    Bench bench;
    bench.set_scene(encode(make_glowing()));
    expect_every_way(bench, payload_ways(bench), {0.3, 0.8});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(PlayedMaterials, OcclusionWhileMasksChange) {
    Bench bench;
    bench.set_scene(encode(make_glowing()));
    for (const Backend backend : {Backend::kCompact, Backend::kRaster}) {
        FrameSettings settings;
        settings.backend = backend;
        for (int frame = 0; frame < 12; ++frame) {
            bench.renderer().set_time(frame / 7.0);
            expect_exact(against_reference(bench, settings, nullptr, 1), "frame " + std::to_string(frame));
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(PlayedMaterials, IsThePictureOfTheFrozenScene) {
    Bench bench;
    expect_frozen_picture(bench, encode(make_glowing()), {0.0, 0.3, 0.75, 1.4});
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(PlayedMaterials, AGridPlaysThemToo) {
    Bench bench;
    const render::SceneSettings grid{.grid = {glm::uvec3(2, 1, 2), 4.0F}};
    const scene::EncodedScene moving = encode(make_glowing());
    const auto shoot = [&](const scene::EncodedScene& scene, double time) {
        bench.set_scene(scene, grid);
        bench.renderer().set_time(time);
        return bench.shoot(reference_settings(), kPose, kNear, kWidth, kHeight).picture.rgba;
    };
    const auto is = shoot(moving, 0.7);
    EXPECT_EQ(is, shoot(frozen(moving, 0.7), 0.0));
    EXPECT_NE(is, shoot(moving, 0.1));
}

TEST(PlayedMaterials, MotionVectorsLeaveThemAsTheyAre) {
    Bench bench;
    bench.set_scene(encode(make_hiding()));
    const auto shot_at = [&](double time, render::Show show) {
        FrameSettings settings;
        settings.show = show;
        bench.renderer().set_time(time);
        return bench.shoot(settings, kPose, kNear, kWidth, kHeight).picture;
    };
    const render::Picture first = shot_at(1.1, render::Show::kShaded);
    static_cast<void>(shot_at(0.6, render::Show::kShaded));
    static_cast<void>(shot_at(1.1, render::Show::kMotion));  // which asks for the pose of 0.6 once more
    EXPECT_EQ(shot_at(1.1, render::Show::kShaded).rgba, first.rgba);
}

}  // namespace
}  // namespace sublet::test::animated_looks_test
