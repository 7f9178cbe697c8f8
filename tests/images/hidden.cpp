// What a person hides (--hide, --isolate): every way of drawing leaves it out alike, and has it back to the bit.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"
#include "ids.h"
#include "motion.h"
#include "scene/hidden_nodes.h"
#include "shapes.h"

namespace sublet::test::hidden_test {
namespace {

using render::FrameSettings;

// The shapes, every other one below a node of its own that moves; the first is named.
scene::ImportedScene make_named() {
    scene::ImportedScene out = make_shapes();
    std::vector<scene::Node>& nodes = out.scene.nodes;
    const std::vector<scene::Node> shapes = nodes;
    nodes.clear();
    scene::Animation move{"move", {}};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        scene::Node shape = shapes[i];
        if (i % 2 == 0) {
            const int arm = static_cast<int>(nodes.size());
            nodes.emplace_back().name = "arm " + std::to_string(i);
            move.channels.push_back({.node = arm,
                                     .path = scene::AnimationPath::kTranslation,
                                     .times = {0, 1},
                                     .values = {0, 0, 0, 0.5F, 1, 0}});
            shape.parent = arm;
        }
        nodes.push_back(shape);
    }
    out.scene.animations = {move};
    return out;
}

// As in the file of a scene that does not have the meshes of these nodes.
scene::EncodedScene without(scene::EncodedScene scene, const std::vector<char>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i] != 0) scene.scene.nodes[i].mesh_group = -1;
    }
    return scene;
}

std::vector<std::uint8_t> rgba(Bench& bench, const FrameSettings& settings) {
    return bench.shoot(settings, kPose, kNear, kWidth, kHeight, 2).picture.rgba;
}

// In each frame something else is hidden. What it uncovers is there in the same frame: a frame is compared, not the one
// after it.
TEST(Hidden, EveryBackendLeavesItOutInTheSameFrame) {
    Bench bench;
    bench.set_scene(encode(make_named()));
    const scene::Scene& scene = bench.scene().scene;
    const std::vector<char> none(scene.nodes.size(), 0);
    bench.renderer().set_time(0.4);
    for (const auto& [name, settings] : ways(bench)) {
        bench.renderer().set_hidden(none);
        const std::vector<std::uint8_t> all = rgba(bench, settings);
        for (const char* hide : {"arm 0", "2-5", ""}) {
            bench.renderer().set_hidden(scene::hidden_nodes(scene, hide, ""));
            Bench::Shot shot;
            expect_exact(against_reference(bench, settings, &shot, 1), name + " without " + hide);
            EXPECT_EQ(shot.picture.rgba == all, *hide == '\0') << name << " without " << hide;
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Hidden, IsThePictureOfASceneWithoutIt) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_named());
    FrameSettings compact;
    compact.backend = render::Backend::kCompact;
    const std::vector<std::pair<std::string, std::string>> choices{{"arm 0", ""}, {"", "0-4"}, {"3", "0-4"}};
    for (const auto& [hide, isolate] : choices) {
        for (const FrameSettings& settings : {reference_settings(), compact}) {
            SCOPED_TRACE("hide '" + hide + "', isolate '" + isolate + "'");
            render::SceneSettings chosen;
            chosen.hide = hide;
            chosen.isolate = isolate;
            bench.set_scene(scene, chosen);
            bench.renderer().set_time(0.4);
            const auto is = rgba(bench, settings);
            bench.set_scene(without(scene, scene::hidden_nodes(scene.scene, hide, isolate)));
            bench.renderer().set_time(0.4);
            EXPECT_EQ(is, rgba(bench, settings));
        }
    }
}

// Ids number instances whether they are hidden or not: what is picked stays picked.
TEST(Hidden, NothingOfItIsSeenAndTheOthersKeepTheirNumbers) {
    Bench bench;
    bench.set_scene(encode(make_named()));
    const auto seen = [&] {
        const render::Picture picture = bench.shoot({}, kPose, kNear, kWidth, kHeight, 2).picture;
        const IdReader ids(bench.scene());
        std::set<std::uint32_t> out;
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            if (picture.depth[i] != 0.0F) out.insert(ids.read(picture.ids[i]).instance);
        }
        return out;
    };
    const std::set<std::uint32_t> before = seen();
    ASSERT_TRUE(before.contains(0) && before.size() > 2);
    bench.renderer().set_hidden(scene::hidden_nodes(bench.scene().scene, "arm 0", ""));
    const std::set<std::uint32_t> after = seen();
    EXPECT_FALSE(after.contains(0));
    for (const std::uint32_t instance : before) EXPECT_TRUE(instance == 0 || after.contains(instance)) << instance;
}

TEST(Hidden, AllOfAScene) {
    Bench bench;
    bench.set_scene(encode(make_named()));
    bench.renderer().set_hidden(std::vector<char>(bench.scene().scene.nodes.size(), 1));
    for (const auto& [name, settings] : ways(bench)) {
        const Bench::Shot shot = bench.shoot(settings, kPose, kNear, kWidth, kHeight, 2);
        EXPECT_EQ(coverage(shot.picture), 0.0) << name;
        EXPECT_EQ(shot.counters.instances_visible, 0U) << name;
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::hidden_test
