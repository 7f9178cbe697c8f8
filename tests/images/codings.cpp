// Scenes in the plain coding, and with positions of more than 16 bits, are drawn as compact ones are, which all other
// tests draw.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "harness.h"
#include "mesh/view.h"
#include "render/settings/backend_info.h"
#include "scene/container.h"
#include "shapes.h"

namespace sublet::test {
namespace {

using render::Backend;
using render::FrameSettings;
using render::Payload;

// With levels of detail.
class Codings : public testing::Test {
  protected:
    Codings() : compact_(scene::encode_scene(make_shapes(), {.levels = mesh::Levels::kOn}, pool_)) {}

    Bench::Shot draw(Backend backend, Payload payload) {
        FrameSettings settings;
        settings.backend = backend;
        settings.payload = payload;
        settings.lod_error = 4.0F;
        const render::CameraPose pose{.eye = {14.0F, 8.0F, 12.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 36.0F};
        return bench_.shoot(settings, pose, 0.1F, 240, 180, 2);
    }

    ThreadPool pool_;
    Bench bench_;
    scene::EncodedScene compact_;
};

TEST_F(Codings, GiveTheSamePicture) {
    std::vector<std::pair<Backend, Payload>> ways;
    bench_.set_scene(compact_);
    for (const Way& way : test::ways(bench_, {Backend::kRaster, Backend::kMeshSublets})) {
        const Backend backend = *way.settings.backend;
        if (render::backend_info(backend).primitives == render::PrimitiveCulling::kNone) continue;
        ways.emplace_back(backend, Payload::kEncoded);
    }
    // Shaders of decoded vertices are those of either coding, but for the decode pass.
    ways.emplace_back(Backend::kMdi, Payload::kDecoded);
    std::uint64_t vertices = 0;
    for (const shared::MeshHeader& mesh : compact_.geometry.meshes) vertices += mesh.vertex_count;
    std::vector<Bench::Shot> expected;
    std::uint64_t decoded = 0;  // before a frame reads decoded vertices
    for (const auto& [backend, payload] : ways) {
        decoded = bench_.renderer().memory().decoded;
        expected.push_back(draw(backend, payload));
    }
    EXPECT_GT(bench_.renderer().memory().decoded, decoded + vertices * sizeof(shared::uvec2));
    const std::array others{scene::with_coding(compact_, mesh::Coding::kPlain), with_wide_positions(compact_)};
    for (const scene::EncodedScene& other : others) {
        bench_.set_scene(other);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const auto [backend, payload] = ways[i];
            SCOPED_TRACE(std::string(render::backend_name(backend)));
            const Bench::Shot shot = draw(backend, payload);
            EXPECT_EQ(shot.picture.depth, expected[i].picture.depth);
            EXPECT_EQ(shot.picture.rgba, expected[i].picture.rgba);
            EXPECT_EQ(shot.counters.primitives_drawn, expected[i].counters.primitives_drawn);
            EXPECT_GT(shot.counters.primitives_drawn, 0U);
        }
    }
    EXPECT_EQ(bench_.validation_messages(), 0U);
}

TEST_F(Codings, WidePositionsDeformAlike) {
    const scene::EncodedScene deforming = encode(make_deforming_shapes());
    bench_.set_scene(deforming);
    const Bench::Shot expected = draw(Backend::kMdi, Payload::kDecoded);
    bench_.set_scene(with_wide_positions(deforming));
    const Bench::Shot shot = draw(Backend::kMdi, Payload::kDecoded);
    EXPECT_GT(shot.counters.primitives_drawn, 0U);
    EXPECT_EQ(shot.picture.depth, expected.picture.depth);
    EXPECT_EQ(shot.picture.rgba, expected.picture.rgba);
    EXPECT_EQ(bench_.validation_messages(), 0U);
}

// Behind the checks of files: loops are bounded, whatever the bits say.
TEST_F(Codings, FlippedBitsOfCompactMeshesAreDrawnToTheEnd) {
    std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same bits each time
    for (int round = 0; round < 8; ++round) {
        auto geometry = std::make_shared<mesh::Geometry>();
        mesh::append(*geometry, compact_.geometry);
        for (int flip = 0; flip < 400; ++flip) {
            geometry->payload[random() % geometry->payload.size()] ^= 1U << (random() % 32);
        }
        scene::EncodedScene flipped = compact_;
        flipped.geometry = geometry->view();
        flipped.storage = std::move(geometry);
        bench_.set_scene(std::move(flipped));
        for (const Payload payload : {Payload::kDecoded, Payload::kEncoded}) {
            EXPECT_EQ(draw(Backend::kCompact, payload).picture.depth.size(), 240U * 180U);
        }
    }
    EXPECT_EQ(bench_.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test
