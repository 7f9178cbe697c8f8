// Scenes whose textures are blocks: they look like those they were made of, on devices that read blocks and on others,
// and the same by every way of drawing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "harness.h"
#include "scene/optional_libraries.h"
#include "scene/texture_compression.h"
#include "shapes.h"

namespace sublet::test::compressed_textures_test {
namespace {

scene::ImportedScene compressed(scene::ImportedScene&& scene) {
    ThreadPool pool;
    const scene::TextureCompression result = scene::compress_textures(scene.scene, pool, std::uint64_t{1} << 32U);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_FALSE(result.images.empty());
    return std::move(scene);
}

struct Distance {
    double mean = 0.0;   // of channels, of 255
    double large = 0.0;  // the share of pixels that a channel of differs by more than 24
};

Distance distance(const render::Picture& a, const render::Picture& b) {
    Distance out;
    const auto pixels = static_cast<double>(a.depth.size());
    for (std::size_t i = 0; i < a.depth.size(); ++i) {
        int most = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const int difference = std::abs(int{a.rgba[4 * i + c]} - int{b.rgba[4 * i + c]});
            out.mean += difference / (3.0 * pixels);
            most = std::max(most, difference);
        }
        out.large += most > 24 ? 1.0 / pixels : 0.0;
    }
    return out;
}

class CompressedTextures : public ::testing::TestWithParam<std::vector<std::string>> {
  protected:
    void SetUp() override {
        if (!scene::kBasisUniversal.present) GTEST_SKIP() << "built without Basis Universal";
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    [[nodiscard]] bool reads_blocks() { return bench_.device().capabilities().texture_bc; }

    Bench bench_{GetParam()};
};

const render::CameraPose kShapesPose{.eye = {5.0F, 3.0F, 6.0F}, .target = {0.0F, 0.0F, 0.0F}};

TEST_P(CompressedTextures, LookLikeTheirSources) {
    const scene::EncodedScene kept = encode(scene::make_builtin_scene());
    scene::EncodedScene packed = encode(compressed(scene::make_builtin_scene()));
    std::vector<render::CameraPose> poses;
    const std::vector<glm::mat4> world = scene::world_transforms(kept.scene);
    for (std::size_t i = 0; i < kept.scene.nodes.size() && poses.size() < 4; ++i) {
        if (kept.scene.nodes[i].camera < 0) continue;
        const glm::vec3 eye(world[i][3]);
        poses.push_back({.eye = eye, .target = eye - glm::vec3(world[i][2]), .fov_degrees = 60.0F});
    }
    ASSERT_FALSE(poses.empty());
    render::FrameSettings settings;
    settings.backend = render::Backend::kDirect;
    std::vector<render::Picture> wanted;
    bench_.set_scene(encode(scene::make_builtin_scene()));
    for (const render::CameraPose& pose : poses) {
        wanted.push_back(bench_.shoot(settings, pose, 0.05F, 320, 200).picture);
    }
    const std::uint64_t bytes = bench_.renderer().memory().materials;
    bench_.set_scene(std::move(packed));
    EXPECT_TRUE(bench_.renderer().notes().empty());
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const render::Picture picture = bench_.shoot(settings, poses[i], 0.05F, 320, 200).picture;
        const Distance away = distance(wanted[i], picture);
        EXPECT_LT(away.mean, 1.0) << i;
        EXPECT_LT(away.large, 0.01) << i;
        EXPECT_GT(away.mean, 0.0) << "it is another picture";
    }
    const double share = static_cast<double>(bench_.renderer().memory().materials) / static_cast<double>(bytes);
    if (reads_blocks()) {
        EXPECT_LT(share, 0.3);
    } else {
        EXPECT_GT(share, 0.9);
    }
}

TEST_P(CompressedTextures, AreTheSameByEveryWay) {
    bench_.set_scene(encode(compressed(make_shapes())));
    for (const Way& way : ways(bench_)) {
        const Bench::Shot reference =
            bench_.reference(kShapesPose, 0.05F, 97, 61, render::Projection::kPerspective, way.settings.backend);
        const render::AmbiguousPixels ambiguous = bench_.ambiguous(kShapesPose, 0.05F, 97, 61);
        const Bench::Shot shot = bench_.shoot(way.settings, kShapesPose, 0.05F, 97, 61, 2);
        const Difference difference = compare(reference.picture, shot.picture, ambiguous);
        EXPECT_EQ(difference.depth, 0U) << way.name;
        EXPECT_EQ(difference.color, 0U) << way.name;
        EXPECT_GT(coverage(shot.picture), 0.1) << way.name;
    }
}

// A lit wall with a map of bumps, and with rough and metal stripes of two data textures.
scene::ImportedScene make_bumps(bool with_bumps) {
    constexpr std::uint32_t kSide = 64;
    const auto image_of = [](const auto& texel_at) {
        scene::Image image{"bumps", scene::kRawImageType, kSide, kSide, {}};
        for (std::uint32_t y = 0; y < kSide; ++y) {
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const glm::vec3 texel = texel_at(static_cast<float>(x), static_cast<float>(y));
                for (int c = 0; c < 3; ++c) image.bytes.push_back(static_cast<std::uint8_t>(texel[c] * 255.0F + 0.5F));
                image.bytes.push_back(255);
            }
        }
        return image;
    };
    scene::ImportedScene out;
    out.scene.images.push_back(image_of([](float x, float y) {
        return glm::normalize(glm::vec3(0.8F * std::cos(0.39F * x), 0.8F * std::sin(0.39F * y), 1.0F)) * 0.5F + 0.5F;
    }));
    out.scene.images.push_back(image_of([](float x, float) { return glm::vec3(0.0F, x < 32.0F ? 0.3F : 0.8F, 0.0F); }));
    out.scene.images.push_back(image_of([](float, float y) { return glm::vec3(0.4F + 0.009F * y, 0.0F, 0.0F); }));
    for (int i = 0; i < 3; ++i) out.scene.textures.push_back({i, -1});
    scene::Material material;
    material.base_color = {0.7F, 0.5F, 0.3F, 1.0F};
    if (with_bumps) material.normal_texture.texture = 0;
    material.metallic_roughness_texture.texture = 1;
    material.occlusion_texture.texture = 2;
    out.scene.materials.push_back(material);
    scene::SourceMesh quad = make_quad({-2.0F, -2.0F, 0.0F}, {4.0F, 0.0F, 0.0F}, {0.0F, 4.0F, 0.0F});
    quad.colors.clear();
    quad.normals.assign(quad.positions.size(), {0.0F, 0.0F, 1.0F});
    quad.tangents.assign(quad.positions.size(), {1.0F, 0.0F, 0.0F, 1.0F});
    place(out, add_mesh(out, std::move(quad), 0), glm::mat4(1.0F));
    return out;
}

TEST_P(CompressedTextures, NormalsNeedNoThirdChannel) {
    constexpr render::CameraPose kPose{.eye = {0.5F, 1.0F, 3.0F}, .target = {0.0F, 0.0F, 0.0F}};
    render::FrameSettings settings;
    settings.backend = render::Backend::kDirect;
    const auto picture = [&](scene::ImportedScene&& scene) {
        bench_.set_scene(encode(std::move(scene)));
        return bench_.shoot(settings, kPose, 0.05F, 200, 150).picture;
    };
    const render::Picture wanted = picture(make_bumps(true));
    const Distance away = distance(wanted, picture(compressed(make_bumps(true))));
    const Distance flat = distance(wanted, picture(make_bumps(false)));
    EXPECT_GT(flat.mean, 8.0) << "there are bumps to be seen";
    EXPECT_LT(away.mean, 0.05 * flat.mean);
    EXPECT_LT(away.large, 0.01);
}

TEST_P(CompressedTextures, LoseTheirLargestMipsToTheBudget) {
    scene::EncodedScene packed = encode(compressed(scene::make_builtin_scene()));
    const auto held = [&](std::uint64_t budget) {
        render::SceneSettings settings;
        settings.texture_budget = budget;
        bench_.renderer().set_scene(packed, settings, render::TextureLoading::kBeforeFrames);
        return bench_.renderer().memory().materials;
    };
    const std::uint64_t whole = held(0);
    EXPECT_TRUE(bench_.renderer().notes().empty());
    const std::uint64_t half = held(whole / 2);
    EXPECT_LE(half, whole / 2 + (std::uint64_t{1} << 20U)) << "textures are not all of it";
    EXPECT_GT(half, whole / 16);
    ASSERT_EQ(bench_.renderer().notes().size(), 1U);
    EXPECT_NE(bench_.renderer().notes()[0].find("have no room at full size in the "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, CompressedTextures,
                         ::testing::Values(std::vector<std::string>{}, std::vector<std::string>{"texture-bc"}),
                         [](const auto& info) { return info.param.empty() ? "blocks" : "decoded"; });

}  // namespace
}  // namespace sublet::test::compressed_textures_test
