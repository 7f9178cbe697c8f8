#include "scenes.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <random>

#include "tests/images/shapes.h"
#include "texture.h"

namespace sublet::reference {
namespace {

using scene::ImportedScene;
using scene::SourceMesh;
using test::add_mesh;
using test::make_quad;
using test::make_torus;
using test::place;

constexpr int kNearest = 9728;
constexpr int kClamp = 33071;
constexpr int kMirror = 33648;
constexpr int kRepeat = 10497;

// Small ones, to be magnified, have sharp edges. In large ones neighbouring texels are alike and far ones are not, so
// that the range of what a filter may give is narrow.
// `holes`: every other block is half as thin as masks want.
int add_texture(ImportedScene& out, std::uint32_t width, std::uint32_t height, const scene::Sampler& sampler,
                bool holes = false) {
    scene::Image image;
    image.mime_type = scene::kRawImageType;
    image.width = width;
    image.height = height;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::uint32_t ramp = 170 * (x + y) / (width + height);
            const std::uint32_t block = (x * 4 / width + y * 4 / height) % 2 == 0 ? 10 : 120;
            const std::uint8_t alpha = holes && block == 10 ? 60 : 255;
            image.bytes.insert(image.bytes.end(), {static_cast<std::uint8_t>(80 + 170 * x / width),
                                                   static_cast<std::uint8_t>(80 + 170 * y / height),
                                                   static_cast<std::uint8_t>(80 + (width < 64 ? block : ramp)), alpha});
        }
    }
    out.scene.images.push_back(std::move(image));
    out.scene.samplers.push_back(sampler);
    const int index = static_cast<int>(out.scene.textures.size());
    out.scene.textures.push_back({index, index});
    return index;
}

std::uint32_t add_material(ImportedScene& out, const glm::vec3& color, int texture) {
    scene::Material material;
    material.base_color = glm::vec4(color, 1.0F);
    material.base_color_texture.texture = texture;
    out.scene.materials.push_back(material);
    return static_cast<std::uint32_t>(out.scene.materials.size()) - 1;
}

void add_wall(ImportedScene& out, const glm::vec3& corner, const glm::vec3& u, const glm::vec3& v,
              std::uint32_t material, float uv_scale) {
    SourceMesh quad = make_quad(corner, u, v);
    for (auto& uv : quad.uv0) uv = {uv[0] * uv_scale - 0.3F, uv[1] * uv_scale - 0.2F};
    place(out, add_mesh(out, std::move(quad), material), glm::mat4(1.0F));
}

glm::mat4 placed(const glm::vec3& position, const glm::vec3& scale) {
    glm::mat4 m = glm::translate(glm::mat4(1.0F), position);
    m = glm::rotate(m, 0.8F, glm::normalize(glm::vec3(1.0F, 2.0F, 0.5F)));
    return glm::scale(m, scale);
}

glm::mat4 sheared(const glm::vec3& position) {
    glm::mat4 shear(1.0F);
    shear[1][0] = 0.7F;
    shear[2][1] = -0.4F;
    return placed(position, glm::vec3(1.0F)) * shear;
}

// A linear value whose 8 bits encode to about this one.
float channel(unsigned encoded) {
    return static_cast<float>(std::lround(255.0 * srgb_decode(encoded / 255.0))) / 255.0F;
}

// Thousands of colours between 80 and 240 of 255, at least ten apart in a channel.
std::array<float, 4> color_of(unsigned index) {
    index = index * 2654435761U >> 20U;
    return {channel(80 + 10 * (index & 15U)), channel(80 + 10 * (index >> 4U & 15U)), channel(80 + 10 * (index >> 8U)),
            1.0F};
}

void add_triangle(SourceMesh& out, const std::array<glm::vec3, 3>& corners, unsigned index) {
    const glm::vec3 n = glm::normalize(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
    for (const glm::vec3& p : corners) {
        out.indices.push_back(static_cast<std::uint32_t>(out.positions.size()));
        out.positions.push_back({p.x, p.y, p.z});
        out.normals.push_back({n.x, n.y, n.z});
        out.colors.push_back(color_of(index));
    }
}

}  // namespace

ImportedScene make_room() {
    ImportedScene out;
    const glm::vec3 white(0.95F, 0.92F, 0.9F);
    const std::uint32_t walls[6] = {
        add_material(out, white, add_texture(out, 256, 256, {.wrap_s = kRepeat, .wrap_t = kMirror})),
        add_material(out, white, add_texture(out, 16, 32, {.wrap_s = kClamp, .wrap_t = kClamp})),
        add_material(out, white,
                     add_texture(out, 32, 16, {.mag_filter = kNearest, .wrap_s = kMirror, .wrap_t = kClamp})),
        add_material(out, white, add_texture(out, 256, 128, {.wrap_s = kMirror, .wrap_t = kRepeat})),
        add_material(out, {0.03F, 0.85F, 0.03F}, -1),  // unlike all others
        add_material(out, white, add_texture(out, 8, 8, {})),
    };
    const glm::vec3 x(8.0F, 0.0F, 0.0F);
    const glm::vec3 y(0.0F, 4.0F, 0.0F);
    const glm::vec3 z(0.0F, 0.0F, 6.0F);
    const glm::vec3 low(-4.0F, -2.0F, -3.0F);
    add_wall(out, low, z, x, walls[0], 0.2F);         // floor
    add_wall(out, low + y, x, z, walls[1], 0.4F);     // ceiling
    add_wall(out, low, x, y, walls[2], 0.35F);        // back
    add_wall(out, low + z, y, x, walls[3], 1500.0F);  // front
    add_wall(out, low, y, z, walls[4], 1.0F);         // left
    add_wall(out, low + x, z, y, walls[5], 0.0F);     // right: one texture coordinate

    const std::uint32_t tiles =
        add_material(out, white, add_texture(out, 16, 16, {.wrap_s = kRepeat, .wrap_t = kRepeat}));
    const int torus = add_mesh(out, make_torus(0.6F, 0.25F, 12, 8), tiles);
    place(out, torus, placed({-2.0F, 0.3F, -1.0F}, glm::vec3(1.0F)));
    place(out, torus, placed({0.0F, -0.5F, -1.6F}, glm::vec3(-1.0F, 1.0F, 1.0F)));
    place(out, torus, placed({2.2F, 0.8F, 0.2F}, glm::vec3(0.5F, 1.4F, 0.9F)));
    place(out, torus, sheared({-1.0F, 0.6F, 1.2F}));

    SourceMesh palette = make_torus(0.6F, 0.25F, 12, 8);
    palette.uv0.assign(palette.positions.size(), {0.55F, 0.3F});
    place(out, add_mesh(out, std::move(palette), walls[5]), placed({1.2F, -0.9F, 1.0F}, glm::vec3(1.0F)));

    const std::uint32_t sheet =
        add_material(out, {0.9F, 0.6F, 0.8F},
                     add_texture(out, 8, 8, {.mag_filter = kNearest, .wrap_s = kRepeat, .wrap_t = kRepeat}, true));
    scene::Material& material = out.scene.materials[sheet];
    material.double_sided = true;
    material.alpha_mode = scene::AlphaMode::kMask;
    material.base_color_texture.uv_set = 1;
    material.base_color_texture.rotation = 0.4F;
    material.base_color_texture.scale = {0.7F, 1.3F};
    material.base_color_texture.offset = {1000.25F, -700.5F};
    const int panel = add_mesh(out, make_quad({-0.7F, -0.7F, 0.0F}, {1.4F, 0.0F, 0.0F}, {0.0F, 1.4F, 0.0F}), sheet);
    place(out, panel, placed({-2.6F, -0.8F, 1.3F}, glm::vec3(1.0F)));
    place(out, panel, placed({0.6F, 1.0F, -0.6F}, glm::vec3(1.0F, -1.0F, 1.0F)));
    place(out, panel, placed({2.6F, -0.6F, -1.6F}, glm::vec3(-1.0F, 1.0F, -1.0F)));
    return out;
}

ImportedScene make_lit_room() {
    ImportedScene out = make_room();
    for (scene::Material& material : out.scene.materials) {
        material.metallic = 0.0F;
        material.roughness = 1.0F;
        material.specular.factor = 0.0F;
    }
    // Panes that cross each other.
    for (int i = 0; i < 4; ++i) {
        const auto part = static_cast<float>(i);
        const std::uint32_t pane = add_material(out, {0.9F - 0.2F * part, 0.5F, 0.3F + 0.2F * part}, -1);
        scene::Material& material = out.scene.materials[pane];
        material.alpha_mode = scene::AlphaMode::kBlend;
        material.base_color.w = 0.3F + 0.15F * part;
        material.double_sided = i != 1;
        material.metallic = 0.0F;
        material.roughness = 1.0F;
        material.specular.factor = 0.0F;
        const glm::mat4 place_of_pane =
            glm::rotate(glm::translate(glm::mat4(1.0F), {-1.6F, -0.3F, -0.9F}), 0.5F * part, {0.2F, 1.0F, 0.1F});
        place(out, add_mesh(out, make_quad({-0.8F, -1.0F, 0.1F * part}, {1.6F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}), pane),
              place_of_pane);
    }
    using scene::LightType;
    out.scene.lights = {
        {.name = {}, .color = {1.0F, 0.8F, 0.6F}, .intensity = 4.0F, .range = 9.0F},
        {.name = {}, .color = {0.4F, 0.6F, 1.0F}, .intensity = 1.5F},
        {.name = {}, .type = LightType::kSpot, .intensity = 9.0F, .inner_cone = 0.3F, .outer_cone = 0.8F},
        {.name = {}, .type = LightType::kSpot, .color = {0.3F, 1.0F, 0.3F}, .intensity = 4.0F, .outer_cone = 1.4F}};
    const std::array<glm::vec3, 4> places{
        {{0.3F, 1.5F, 0.4F}, {-3.0F, -1.2F, 2.0F}, {3.0F, 1.6F, 2.4F}, {-1.2F, 1.7F, -2.2F}}};
    for (std::size_t i = 0; i < places.size(); ++i) {
        scene::Node node;
        node.light = static_cast<int>(i);
        node.translation = places[i];
        node.rotation =
            glm::quatLookAt(glm::normalize(glm::vec3(0.0F, -1.0F, 0.0F) - places[i]), glm::vec3(0.0F, 1.0F, 0.0F));
        out.scene.nodes.push_back(node);
    }
    return out;
}

ImportedScene make_soup() {
    ImportedScene out;
    std::mt19937 random(11);
    const auto uniform = [&](float reach) { return reach * (static_cast<float>(random()) / 2147483648.0F - 1.0F); };
    const auto point = [&](float reach) { return glm::vec3(uniform(reach), uniform(reach), uniform(reach)); };
    const std::array<glm::mat4, 4> places{
        placed(glm::vec3(0.2F), glm::vec3(1.0F)), placed(glm::vec3(-0.3F), glm::vec3(-1.0F, 1.0F, 1.0F)),
        sheared(glm::vec3(0.1F)), placed(glm::vec3(0.0F), glm::vec3(1.0F, -1.2F, 0.8F))};
    const std::array<glm::vec3, 4> factors{
        glm::vec3(1.0F), {1.0F, 0.9F, 0.75F}, {0.8F, 1.0F, 0.9F}, {0.9F, 0.75F, 1.0F}};
    unsigned index = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::uint32_t material = add_material(out, factors[i], -1);
        out.scene.materials[material].unlit = true;
        out.scene.materials[material].double_sided = i == 3;
        SourceMesh triangles;
        for (int n = 0; n < 60; ++n) {
            const float size = n % 10 == 0 ? 40.0F : n % 3 == 0 ? 3.0F : 0.8F;
            const glm::vec3 middle = point(6.0F);
            add_triangle(triangles, {middle + point(size), middle + point(size), middle + point(size)}, index++);
        }
        place(out, add_mesh(out, std::move(triangles), material), places[i]);
    }
    return out;
}

}  // namespace sublet::reference
