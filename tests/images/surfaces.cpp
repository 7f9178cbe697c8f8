// What fragments know of their surface is exact: the material, the texel and where a mask is cut, with each backend.
// Comparing backends with each other can't tell, since they share a fragment shader.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/gtc/matrix_transform.hpp>
#include <optional>

#include "harness.h"
#include "shapes.h"

namespace sublet::test::surfaces_test {
namespace {

std::uint32_t add_unlit(scene::Scene& scene, const glm::vec3& color) {
    scene::Material material;
    material.base_color = glm::vec4(color, 1.0F);
    material.unlit = true;
    scene.materials.push_back(material);
    return static_cast<std::uint32_t>(scene.materials.size()) - 1;
}

// Without vertex colours.
scene::SourceMesh plain_quad(const glm::vec3& corner, const glm::vec3& u, const glm::vec3& v) {
    scene::SourceMesh quad = make_quad(corner, u, v);
    quad.colors.clear();
    return quad;
}

// A quad in front of a camera at the origin that looks along -z.
void place_in_front(scene::ImportedScene& out, float size, std::uint32_t material) {
    const glm::vec3 corner(-0.5F * size, -0.5F * size, -5.0F);
    place(out, add_mesh(out, plain_quad(corner, {size, 0.0F, 0.0F}, {0.0F, size, 0.0F}), material), glm::mat4(1.0F));
}

// Another material, so that fragments have to be told theirs, out of sight.
void place_behind(scene::ImportedScene& out, std::uint32_t material) {
    place(out, add_mesh(out, plain_quad({0.0F, 0.0F, 9.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}), material),
          glm::mat4(1.0F));
}

// All pixels that something covers, by every backend, are of this colour. The camera stands at the origin and looks at
// the target.
void expect_color(Bench& bench, const glm::vec3& target, const Color& expected, double least_coverage) {
    for (const Way& way : ways(bench)) {
        SCOPED_TRACE(way.name);
        render::FrameSettings settings = way.settings;
        settings.show = render::Show::kBaseColor;
        const Bench::Shot shot =
            bench.shoot(settings, {.eye = glm::vec3(0.0F), .target = target, .fov_degrees = 70.0F}, 0.1F, 97, 61);
        EXPECT_GE(coverage(shot.picture), least_coverage);
        std::size_t others = 0;
        for (std::size_t i = 0; i < shot.picture.depth.size(); ++i) {
            if (shot.picture.depth[i] == 0.0F) continue;
            others += color_at(shot.picture, i) == expected ? 0 : 1;
        }
        EXPECT_EQ(others, 0U);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Much larger than the picture, from many sides: its triangles are clipped at the edges of the picture, and, seen from
// beside, at the near plane.
TEST(Surfaces, ClippedTrianglesKeepTheirMaterial) {
    scene::ImportedScene scene;
    for (int i = 0; i < 5; ++i) add_unlit(scene.scene, glm::vec3(0.0F, 1.0F, 0.0F));
    const std::uint32_t red = add_unlit(scene.scene, {1.0F, 0.0F, 0.0F});
    place_behind(scene, 2);
    place_in_front(scene, 200.0F, red);
    Bench bench;
    bench.set_scene(encode(std::move(scene)));
    for (const glm::vec3& target : {glm::vec3(0.1F, 0.3F, -1.0F), glm::vec3(1.0F, 0.1F, -0.2F),
                                    glm::vec3(-0.3F, 0.9F, -0.4F), glm::vec3(-1.0F, -0.7F, -0.3F)}) {
        expect_color(bench, target, {255, 0, 0}, 0.3);
    }
}

// No number of materials is too large to be told apart.
TEST(Surfaces, ManyMaterials) {
    scene::ImportedScene scene;
    for (int i = 0; i < 70000; ++i) add_unlit(scene.scene, glm::vec3(0.0F, 1.0F, 0.0F));
    const std::uint32_t red = add_unlit(scene.scene, {1.0F, 0.0F, 0.0F});
    place_behind(scene, 0);
    place_in_front(scene, 20.0F, red);
    Bench bench;
    bench.set_scene(encode(std::move(scene)));
    expect_color(bench, {0.0F, 0.0F, -1.0F}, {255, 0, 0}, 0.9);
}

// A palette: all texture coordinates of the quad are the centre of the same texel.
TEST(Surfaces, OneTexelForAWholeTriangle) {
    scene::ImportedScene scene;
    scene::Image image;
    image.mime_type = scene::kRawImageType;
    image.width = image.height = 4;
    for (std::uint8_t i = 0; i < 16; ++i) {
        image.bytes.insert(image.bytes.end(), {static_cast<std::uint8_t>(16 * i), 200, i, 255});
    }
    scene.scene.images.push_back(image);
    scene.scene.textures.push_back({0, -1});
    const std::uint32_t material = add_unlit(scene.scene, glm::vec3(1.0F));
    scene.scene.materials[material].base_color_texture.texture = 0;
    scene::SourceMesh quad = plain_quad({-10.0F, -10.0F, -5.0F}, {20.0F, 0.0F, 0.0F}, {0.0F, 20.0F, 0.0F});
    quad.uv0.assign(quad.positions.size(), {0.625F, 0.375F});  // texel 2 of row 1
    place(scene, add_mesh(scene, std::move(quad), material), glm::mat4(1.0F));
    const scene::EncodedScene encoded = encode(std::move(scene));
    for (const std::vector<std::string>& without :
         {std::vector<std::string>{}, std::vector<std::string>{"descriptor-indexing"}}) {
        SCOPED_TRACE(without.size());
        Bench bench(without);
        bench.set_scene(encoded);
        expect_color(bench, {0.2F, 0.1F, -1.0F}, {96, 200, 6}, 0.9);
    }
}

// Where masks are cut: a quad before a camera at the origin, and what its pixels must show.
class Masks : public testing::Test {
  protected:
    static constexpr std::uint32_t kWidth = 97, kHeight = 61;
    static constexpr float kFov = 70.0F, kDistance = 5.0F, kSize = 20.0F;

    Masks() {
        scene::Image image;
        image.mime_type = scene::kRawImageType;
        image.width = image.height = 4;
        for (const std::uint8_t alpha : kAlphas) image.bytes.insert(image.bytes.end(), {255, 0, 0, alpha});
        scene_.scene.images.push_back(image);
        constexpr int kNearest = 9728;
        scene_.scene.samplers.push_back({.min_filter = kNearest, .mag_filter = kNearest});
        scene_.scene.textures.push_back({0, 0});
        material_ = add_unlit(scene_.scene, glm::vec3(1.0F));
        material().alpha_mode = scene::AlphaMode::kMask;
    }

    scene::Material& material() { return scene_.scene.materials[material_]; }

    // From corner to corner its UVs go from 0 to 4.
    static scene::SourceMesh quad() {
        return plain_quad({-0.5F * kSize, -0.5F * kSize, -kDistance}, {kSize, 0.0F, 0.0F}, {0.0F, kSize, 0.0F});
    }
    void place_quad(scene::SourceMesh mesh, const glm::mat4& transform = glm::mat4(1.0F)) {
        place(scene_, add_mesh(scene_, std::move(mesh), material_), transform);
    }

    // A pixel's place on the quad, 0 to 4.
    static glm::vec2 place_of(std::uint32_t x, std::uint32_t y) {
        const float half = std::tan(0.5F * glm::radians(kFov)) * kDistance;
        const glm::vec2 at((static_cast<float>(x) + 0.5F) * 2.0F / kWidth - 1.0F,
                           1.0F - (static_cast<float>(y) + 0.5F) * 2.0F / kHeight);
        return 4.0F * (at * half * glm::vec2(static_cast<float>(kWidth) / kHeight, 1.0F) / kSize + 0.5F);
    }

    // Whether there is something at a pixel's place; nothing where it is too near to an edge to tell.
    using Covered = std::function<std::optional<bool>(glm::vec2)>;

    // By every backend of a device `without` some capability.
    static void expect(const scene::EncodedScene& scene, const std::vector<std::string>& without, bool wide_ids,
                       const Covered& covered) {
        Bench bench(without);
        bench.renderer().set_test_hooks({.wide_ids = wide_ids});
        bench.set_scene(scene);
        for (const Way& way : ways(bench)) {
            SCOPED_TRACE(way.name);
            expect(bench, way.settings, covered);
        }
        EXPECT_EQ(bench.validation_messages(), 0U);
    }
    void expect(const Covered& covered) { expect(encode(std::move(scene_)), {}, false, covered); }

    static void expect(Bench& bench, const render::FrameSettings& settings, const Covered& covered) {
        const Bench::Shot shot =
            bench.shoot(settings, {.eye = glm::vec3(0.0F), .target = {0.0F, 0.0F, -1.0F}, .fov_degrees = kFov}, 0.1F,
                        kWidth, kHeight, 2);
        std::size_t wrong = 0;
        std::size_t judged = 0;
        for (std::uint32_t y = 0; y < kHeight; ++y) {
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                const std::optional<bool> expected = covered(place_of(x, y));
                if (!expected) continue;
                ++judged;
                wrong += *expected == (shot.picture.depth[y * kWidth + x] != 0.0F) ? 0 : 1;
            }
        }
        EXPECT_EQ(wrong, 0U);
        EXPECT_GE(judged * 10, std::size_t{kWidth} * kHeight * 8);
    }

    // Of the texel at a place of a texture that is repeated.
    static std::optional<std::uint8_t> texel_alpha(glm::vec2 uv) {
        const glm::vec2 texel = glm::fract(uv) * 4.0F;
        const glm::vec2 in = glm::fract(texel);
        if (std::min({in.x, in.y, 1.0F - in.x, 1.0F - in.y}) < 0.02F) return std::nullopt;
        return kAlphas.at(static_cast<std::size_t>(texel.y) * 4 + static_cast<std::size_t>(texel.x));
    }

    static constexpr std::array<std::uint8_t, 16> kAlphas{0,   255, 127, 128, 255, 0,   0,  200,
                                                          128, 127, 255, 60,  0,   255, 90, 255};
    scene::ImportedScene scene_;
    std::uint32_t material_ = 0;
};

// A texel of 128 is above half, one of 127 below.
TEST_F(Masks, AreCutAtTheTexel) {
    material().base_color_texture.texture = 0;
    place_quad(quad());
    const Covered covered = [](glm::vec2 uv) -> std::optional<bool> {
        const std::optional<std::uint8_t> alpha = texel_alpha(uv);
        if (!alpha) return std::nullopt;
        return *alpha >= 128;
    };
    const scene::EncodedScene encoded = encode(std::move(scene_));
    expect(encoded, {}, false, covered);
    expect(encoded, {}, true, covered);
    expect(encoded, {"descriptor-indexing"}, false, covered);
}

TEST_F(Masks, FollowTheSecondSetItsTransformAndTheFactor) {
    scene::TextureRef& texture = material().base_color_texture;
    texture.texture = 0;
    texture.uv_set = 1;
    texture.scale = {-2.0F, 1.0F};
    texture.offset = {0.25F, 0.5F};
    material().base_color.w = 0.75F;
    material().alpha_cutoff = 0.7F;
    scene::SourceMesh mesh = quad();
    mesh.uv1 = mesh.uv0;
    mesh.uv0.assign(mesh.uv0.size(), {0.0F, 0.0F});
    place_quad(std::move(mesh));
    expect([](glm::vec2 uv) -> std::optional<bool> {
        const std::optional<std::uint8_t> alpha = texel_alpha(uv * glm::vec2(-2.0F, 1.0F) + glm::vec2(0.25F, 0.5F));
        if (!alpha) return std::nullopt;
        return 0.75F * static_cast<float>(*alpha) / 255.0F >= 0.7F;
    });
}

TEST_F(Masks, FollowVertexColors) {
    scene::SourceMesh mesh = quad();
    for (const auto& uv : mesh.uv0) mesh.colors.push_back({1.0F, 1.0F, 1.0F, uv[0] / 4.0F});
    place_quad(std::move(mesh));
    expect([](glm::vec2 uv) -> std::optional<bool> {
        if (std::abs(uv.x - 2.0F) < 0.01F) return std::nullopt;
        return uv.x > 2.0F;
    });
}

// What turns its back is not there, and what a mirroring turns around is.
TEST_F(Masks, HaveOneSide) {
    material().base_color_texture.texture = 0;
    place_quad(quad(), glm::scale(glm::mat4(1.0F), {-1.0F, 1.0F, 1.0F}));  // is seen all the same
    scene::SourceMesh turned = quad();
    std::reverse(turned.indices.begin(), turned.indices.end());
    for (auto& position : turned.positions) position[2] += 1.0F;  // before the other
    place_quad(std::move(turned));
    expect([](glm::vec2 uv) -> std::optional<bool> {
        const std::optional<std::uint8_t> alpha = texel_alpha({4.0F - uv.x, uv.y});
        if (!alpha) return std::nullopt;
        return *alpha >= 128;
    });
}

TEST_F(Masks, HaveTwoSidesWhereTheMaterialSaysSo) {
    material().base_color_texture.texture = 0;
    material().double_sided = true;
    scene::SourceMesh turned = quad();
    std::reverse(turned.indices.begin(), turned.indices.end());
    place_quad(std::move(turned));
    expect([](glm::vec2 uv) -> std::optional<bool> {
        const std::optional<std::uint8_t> alpha = texel_alpha(uv);
        if (!alpha) return std::nullopt;
        return *alpha >= 128;
    });
}

}  // namespace
}  // namespace sublet::test::surfaces_test
