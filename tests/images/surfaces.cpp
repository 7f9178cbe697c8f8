// What fragments know of their surface is exact: the material and the texel, with each backend, to the last bit.
// Comparing backends with each other can't tell, since they share a fragment shader.
#include <gtest/gtest.h>

#include <array>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test {
namespace {

using Color = std::array<std::uint8_t, 3>;

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
    for (const render::Backend backend : render::all_backends()) {
        SCOPED_TRACE(render::backend_name(backend));
        if (render::backend_unavailable(backend, bench.device().capabilities())) continue;
        render::FrameSettings settings;
        settings.backend = backend;
        settings.show = render::Show::kBaseColor;
        const Bench::Shot shot =
            bench.shoot(settings, {.eye = glm::vec3(0.0F), .target = target, .fov_degrees = 70.0F}, 0.1F, 97, 61);
        EXPECT_GE(coverage(shot.picture), least_coverage);
        std::size_t others = 0;
        for (std::size_t i = 0; i < shot.picture.depth.size(); ++i) {
            if (shot.picture.depth[i] == 0.0F) continue;
            const std::uint8_t* rgba = &shot.picture.rgba[i * 4];
            others += Color{rgba[0], rgba[1], rgba[2]} == expected ? 0 : 1;
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

}  // namespace
}  // namespace sublet::test
