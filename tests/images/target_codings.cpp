// Morph targets in either coding give the same picture to the bit: with room for deformed vertices and without, of
// compact meshes that older encoders made too; and wrong bits are drawn to the end.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "harness.h"
#include "mesh/view.h"
#include "motion.h"
#include "scene/container.h"
#include "shapes.h"
#include "tests/older_targets.h"

namespace sublet::test::target_codings_test {
namespace {

using render::Backend;

scene::EncodedScene with(scene::EncodedScene scene, mesh::Geometry&& geometry) {
    auto storage = std::make_shared<mesh::Geometry>(std::move(geometry));
    scene.geometry = storage->view();
    scene.storage = std::move(storage);
    return scene;
}

mesh::Geometry copy(const mesh::GeometryView& geometry) {
    mesh::Geometry out;
    mesh::append(out, geometry);
    return out;
}

// Where vertices have room, one pass deforms them, whoever draws; else whoever draws does, and so does the view of
// motion.
std::vector<render::Picture> pictures(Bench& bench, const scene::EncodedScene& scene) {
    std::vector<render::Picture> out;
    const auto shoot = [&](const render::FrameSettings& frame, double time) {
        bench.renderer().set_time(time);
        out.push_back(bench.shoot(frame, kPose, kNear, kWidth, kHeight).picture);
    };
    render::FrameSettings frame;
    frame.backend = Backend::kDirect;
    bench.set_scene(scene);
    shoot(frame, 0.3);
    render::SceneSettings little;
    little.deform_budget = 16;
    bench.set_scene(scene, little);
    frame.show = render::Show::kMotion;
    shoot(frame, 0.8);
    return out;
}

TEST(TargetCodings, GiveTheSamePicture) {
    Bench bench;
    const scene::EncodedScene compact = encode(make_deforming_shapes());
    ASSERT_FALSE(compact.geometry.morphs.empty());
    for (const mesh::MorphMesh& morph : compact.geometry.morphs) EXPECT_GT(morph.place_bits, 0U);
    const scene::EncodedScene plain = scene::with_coding(compact, mesh::Coding::kPlain);
    EXPECT_LT(compact.geometry.morph_payload.size_bytes(),
              plain.geometry.morph_payload.size_bytes() + plain.geometry.morph_streams.size_bytes());
    const std::vector<render::Picture> expected = pictures(bench, plain);
    EXPECT_GT(coverage(expected[0]), 0.1);
    EXPECT_NE(expected[0].depth, expected[1].depth);
    for (const scene::EncodedScene& scene : {compact, with(plain, with_older_targets(copy(plain.geometry)))}) {
        SCOPED_TRACE(scene.geometry.morph_streams.empty() ? "compact" : "older");
        const std::vector<render::Picture> is = pictures(bench, scene);
        ASSERT_EQ(is.size(), expected.size());
        for (std::size_t i = 0; i < is.size(); ++i) {
            EXPECT_EQ(is[i].depth, expected[i].depth) << "picture " << i;
            EXPECT_EQ(is[i].rgba, expected[i].rgba) << "picture " << i;
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Behind the checks of files.
TEST(TargetCodings, FlippedBitsAreDrawnToTheEnd) {
    Bench bench;
    const scene::EncodedScene compact = encode(make_deforming_shapes());
    std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same bits each time
    for (int round = 0; round < 6; ++round) {
        mesh::Geometry geometry = copy(compact.geometry);
        for (int flip = 0; flip < 400; ++flip) {
            geometry.morph_payload[random() % geometry.morph_payload.size()] ^= 1U << (random() % 32);
        }
        for (int flip = 0; flip < 40; ++flip) {
            shared::MorphMask& mask = geometry.morph_masks[random() % geometry.morph_masks.size()];
            (flip % 2 == 0 ? mask.targets : mask.first_stream) ^= 1U << (random() % 32);
        }
        const scene::EncodedScene flipped = with(compact, std::move(geometry));
        for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{16}}) {
            render::SceneSettings settings;
            settings.deform_budget = budget;
            bench.set_scene(flipped, settings);
            bench.renderer().set_time(0.8);
            render::FrameSettings frame;
            frame.backend = Backend::kDirect;
            EXPECT_EQ(bench.shoot(frame, kPose, kNear, kWidth, kHeight).picture.depth.size(), kWidth * kHeight);
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::target_codings_test
