// Triangles whose place on the screen is hard to tell: seen edge-on, with a corner in the camera's plane, at the eye,
// behind it. What is shaded of them is a colour, and the same by every way of drawing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <map>

#include "harness.h"
#include "ids.h"
#include "shapes.h"

namespace sublet::test::shading_edges_test {
namespace {

using render::FrameSettings;
using render::Show;

constexpr std::uint32_t kWidth = 121;
constexpr std::uint32_t kHeight = 91;
constexpr float kNear = 0.05F;

struct Corners {
    const char* name;
    std::array<glm::vec3, 3> positions;
    std::size_t least = 0, most = std::size_t{1} << 30U;  // pixels, in all pictures together
};

// Before a camera at the origin that looks along -z. On a grid of quarters, so that what lies in a plane of the camera
// stays there when it is encoded.
const std::vector<Corners>& triangles() {
    static const std::vector<Corners> all{
        {"edge-on, level", {{{-3.0F, 0.0F, -2.0F}, {3.0F, 0.0F, -2.0F}, {0.0F, 0.0F, -8.0F}}}, 1},
        {"edge-on, upright", {{{0.0F, -3.0F, -2.0F}, {0.0F, 3.0F, -2.0F}, {0.0F, 0.5F, -8.0F}}}, 1},
        {"corner at the eye", {{{0.0F, 0.0F, 0.0F}, {-3.0F, 2.0F, -4.0F}, {3.0F, -2.0F, -4.0F}}}, 1},
        {"edge-on, around the eye", {{{1.0F, 0.0F, 2.0F}, {-3.0F, 0.0F, -4.0F}, {3.0F, 0.0F, -4.0F}}}, 1},
        {"corner in the camera's plane", {{{-3.0F, -1.0F, -6.0F}, {2.0F, -1.0F, -6.0F}, {0.5F, -1.5F, 0.0F}}}, 1000},
        {"edge in the camera's plane", {{{-2.0F, 1.0F, 0.0F}, {2.0F, 1.0F, 0.0F}, {0.5F, 2.5F, -6.0F}}}, 1000},
        {"corner behind", {{{-2.0F, -1.5F, -5.0F}, {3.0F, -2.5F, -5.0F}, {-0.5F, -2.0F, 4.0F}}}, 1000},
        {"two corners behind", {{{-4.0F, 2.0F, -6.0F}, {-2.0F, -1.0F, 3.0F}, {-2.5F, 1.0F, 1.0F}}}, 1000},
        {"behind", {{{-1.0F, 0.0F, 2.0F}, {1.0F, 0.0F, 2.0F}, {0.0F, 1.0F, 3.0F}}}, 0, 0},
        {"in the camera's plane", {{{-1.0F, -1.0F, 0.0F}, {1.0F, -1.0F, 0.0F}, {0.0F, 1.0F, 0.0F}}}, 0, 0},
        {"backdrop", {{{-40.0F, -40.0F, -12.0F}, {40.0F, -40.0F, -12.0F}, {0.0F, 60.0F, -12.0F}}}, 1000},
    };
    return all;
}

constexpr int kDark = 60;  // the least of the checker's bytes

// Each triangle is there twice, in one colour and with a texture.
struct Paint {
    bool textured = false;
    std::array<int, 3> color{};
};

// The second lies a little aside, so that most triangles show both somewhere.
glm::vec3 corner_of(std::size_t triangle, bool textured, std::size_t corner) {
    return triangles()[triangle].positions[corner] + glm::vec3(textured ? 0.25F : 0.0F, 0.0F, 0.0F);
}

// Blue of the normal that is shown, +z on the side that is counter-clockwise as seen: 255 or 0; -1 where the triangle
// is seen too nearly edge-on to tell.
int blue_of_normal(std::uint32_t instance, const glm::dvec3& eye) {
    const auto corner = [&](std::size_t i) { return glm::dvec3(corner_of(instance / 2, instance % 2 != 0, i)); };
    const glm::dvec3 across = glm::cross(corner(1) - corner(0), corner(2) - corner(0));
    const double distance = glm::dot(glm::normalize(across), eye - corner(0));
    return std::abs(distance) < 0.02 ? -1 : distance > 0.0 ? 255 : 0;
}

// `paints`: of each material, which are as many as triangles.
scene::ImportedScene make_edges(std::vector<Paint>& paints) {
    scene::ImportedScene out;
    scene::Image image;
    image.mime_type = scene::kRawImageType;
    image.width = image.height = 8;
    for (unsigned i = 0; i < 64; ++i) {
        const bool dark = (i + i / 8) % 2 == 0;
        image.bytes.insert(image.bytes.end(), {static_cast<std::uint8_t>(dark ? kDark : 240),
                                               static_cast<std::uint8_t>(dark ? kDark : 200), kDark, 255});
    }
    out.scene.images.push_back(std::move(image));
    out.scene.textures.push_back({0, -1});
    for (std::size_t i = 0; i < triangles().size(); ++i) {
        for (const bool textured : {false, true}) {
            scene::Material material;
            material.unlit = material.double_sided = true;
            const std::array<int, 3> color{i % 2 == 0 ? 255 : 0, i % 3 == 0 ? 255 : 0, 255};
            if (textured) {
                material.base_color_texture.texture = 0;
            } else {
                material.base_color = {color[0] / 255.0F, color[1] / 255.0F, color[2] / 255.0F, 1.0F};
            }
            const auto number = static_cast<std::uint32_t>(out.scene.materials.size());
            out.scene.materials.push_back(material);
            scene::SourceMesh triangle;
            for (std::uint32_t corner = 0; corner < 3; ++corner) {
                const glm::vec3 p = corner_of(i, textured, corner);
                triangle.positions.push_back({p.x, p.y, p.z});
                triangle.normals.push_back({0.0F, 0.0F, 1.0F});
                triangle.uv0.push_back({corner == 1 ? 9.0F : 0.0F, corner == 2 ? 7.0F : 0.0F});
                triangle.indices.push_back(corner);
            }
            place(out, add_mesh(out, std::move(triangle), number), glm::mat4(1.0F));
            paints.push_back({textured, color});
        }
    }
    return out;
}

// Straight ahead, where planes of triangles go through the eye and through pixel centres; turned by what floats can
// hardly tell; and by thousandths, so that a triangle seen nearly edge-on covers a pixel centre here and there.
std::vector<render::CameraPose> poses() {
    std::vector<render::CameraPose> out;
    const auto add = [&](const glm::vec3& eye, const glm::vec3& target, float roll) {
        out.push_back({.eye = eye, .target = target, .fov_degrees = 90.0F, .roll_degrees = roll});
    };
    add(glm::vec3(0.0F), {0.0F, 0.0F, -1.0F}, 0.0F);
    add(glm::vec3(0.0F), {1e-6F, -1e-6F, -1.0F}, 0.0F);
    add(glm::vec3(0.0F), {0.3F, 0.1F, -1.0F}, 20.0F);
    for (const float tilt : {1e-3F, -2e-3F, 5e-3F}) {
        add({tilt, 2.0F * tilt, 0.0F}, {1.3F * tilt, 1.6F * tilt, -1.0F}, 300.0F * tilt);
    }
    return out;
}

// The colour of each pixel is one that its triangle may have: that of no number would be black.
std::size_t wrong_colors(const render::Picture& picture, const IdReader& reader, const std::vector<Paint>& paints) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < picture.depth.size(); ++i) {
        if (picture.depth[i] == 0.0F) continue;
        const Paint& paint = paints[reader.instances()[reader.read(picture.ids[i]).instance].material];
        bool right = true;
        for (std::size_t c = 0; c < 3; ++c) {
            const int value = picture.rgba[4 * i + c];
            const int low = paint.textured ? kDark : paint.color[c];
            const int high = paint.textured ? 240 : paint.color[c];
            right = right && value >= low - 1 && value <= high + 1;
        }
        wrong += right ? 0 : 1;
    }
    return wrong;
}

TEST(ShadingEdges, AreColoursAndTheSameByEveryWay) {
    std::vector<Paint> paints;
    const scene::EncodedScene scene = encode(make_edges(paints));
    const IdReader reader(scene);
    ASSERT_EQ(reader.instances().size(), 2 * triangles().size());
    Bench bench;
    bench.set_scene(scene);
    std::map<std::uint32_t, std::size_t> seen;  // pixels, by instance
    for (const render::CameraPose& pose : poses()) {
        SCOPED_TRACE(pose.target.x);
        bench.reference(pose, kNear, kWidth, kHeight);
        const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, kNear, kWidth, kHeight);
        for (const Show show : {Show::kShaded, Show::kBaseColor, Show::kBarycentrics, Show::kUv, Show::kNormals}) {
            SCOPED_TRACE(static_cast<int>(show));
            const auto shoot = [&](const FrameSettings& settings) {
                return bench.shoot(settings, pose, kNear, kWidth, kHeight);
            };
            const Bench::Shot reference = shoot(reference_settings(show));
            EXPECT_GE(coverage(reference.picture), 0.8);
            if (show == Show::kBaseColor) {
                EXPECT_EQ(wrong_colors(reference.picture, reader, paints), 0U);
            }
            std::size_t wrong_sum = 0;
            std::size_t wrong_normal = 0;
            for (std::size_t i = 0; i < reference.picture.depth.size(); ++i) {
                if (reference.picture.depth[i] == 0.0F) continue;
                const std::uint32_t instance = reader.read(reference.picture.ids[i]).instance;
                seen[instance] += show == Show::kShaded ? 0 : 1;
                const std::uint8_t* rgba = &reference.picture.rgba[4 * i];
                wrong_sum += std::abs(rgba[0] + rgba[1] + rgba[2] - 255) <= 2 ? 0 : 1;
                const int blue = blue_of_normal(instance, pose.eye);
                wrong_normal += rgba[0] >= 127 && rgba[0] <= 128 && (blue < 0 || rgba[2] == blue) ? 0 : 1;
            }
            if (show == Show::kBarycentrics) {
                EXPECT_EQ(wrong_sum, 0U);
            }
            if (show == Show::kNormals) {
                EXPECT_EQ(wrong_normal, 0U);
            }
            for (const Way& way : ways(bench)) {
                for (const render::Payload payload : {render::Payload::kEncoded, render::Payload::kDecoded}) {
                    SCOPED_TRACE(way.name + (payload == render::Payload::kEncoded ? ", encoded" : ", decoded"));
                    FrameSettings settings = way.settings;
                    settings.show = show;
                    settings.payload = payload;
                    const Bench::Shot shot = shoot(settings);
                    const Bench::Shot expected = way.settings.backend == render::Backend::kRaster
                                                     ? shoot(reference_settings(show, way.settings.backend))
                                                     : reference;
                    const Difference difference = compare(expected.picture, shot.picture, ambiguous);
                    EXPECT_EQ(difference.depth, 0U);
                    EXPECT_EQ(difference.color, 0U);
                }
            }
        }
    }
    for (std::uint32_t i = 0; i < triangles().size(); ++i) {
        const std::size_t pixels = seen[2 * i] + seen[2 * i + 1];
        EXPECT_GE(pixels, triangles()[i].least) << triangles()[i].name;
        EXPECT_LE(pixels, triangles()[i].most) << triangles()[i].name;
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::shading_edges_test
