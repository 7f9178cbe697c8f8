// The built-in scene.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/matrix.hpp>
#include <map>
#include <set>

#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "scene/container.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

const ImportedScene& builtin() {
    static const ImportedScene scene = make_builtin_scene();
    return scene;
}

const EncodedScene& encoded() {
    static const EncodedScene scene = [] {
        ThreadPool pool(2);
        return encode_scene(make_builtin_scene(), {}, pool);
    }();
    return scene;
}

TEST(BuiltinScene, IsDeterministic) {
    const ImportedScene other = make_builtin_scene();
    ASSERT_EQ(other.groups.size(), builtin().groups.size());
    for (std::size_t m = 0; m < other.groups.size(); ++m) {
        for (std::size_t p = 0; p < other.groups[m].meshes.size(); ++p) {
            const SourceMesh& a = other.groups[m].meshes[p];
            const SourceMesh& b = builtin().groups[m].meshes[p];
            EXPECT_EQ(a.positions, b.positions);
            EXPECT_EQ(a.normals, b.normals);
            EXPECT_EQ(a.uv0, b.uv0);
            EXPECT_EQ(a.tangents, b.tangents);
            EXPECT_EQ(a.colors, b.colors);
            EXPECT_EQ(a.indices, b.indices);
        }
    }
    for (std::size_t i = 0; i < other.scene.images.size(); ++i) {
        EXPECT_EQ(other.scene.images[i].bytes, builtin().scene.images[i].bytes);
    }
    for (std::size_t i = 0; i < other.scene.nodes.size(); ++i) {
        EXPECT_EQ(other.scene.nodes[i].translation, builtin().scene.nodes[i].translation);
    }
    ThreadPool pool(1);
    const EncodedScene alone = encode_scene(make_builtin_scene(), {}, pool);
    write_sublet(test_path("one.sublet"), alone);
    write_sublet(test_path("two.sublet"), encoded());
    EXPECT_EQ(read_bytes(test_path("one.sublet")), read_bytes(test_path("two.sublet")));
}

TEST(BuiltinScene, ChangesWithTheSeed) {
    const ImportedScene other = make_builtin_scene(2);
    EXPECT_NE(other.scene.images[0].bytes, builtin().scene.images[0].bytes);
    ASSERT_EQ(other.scene.nodes.size(), builtin().scene.nodes.size());
    bool moved = false;
    for (std::size_t i = 0; i < other.scene.nodes.size(); ++i) {
        moved = moved || other.scene.nodes[i].translation != builtin().scene.nodes[i].translation;
    }
    EXPECT_TRUE(moved);
}

TEST(BuiltinScene, HasAFewHundredThousandTriangles) {
    std::uint64_t triangles = 0;
    for (const Instance& instance : instances(encoded().scene)) {
        triangles += encoded().geometry.meshes[instance.mesh].triangle_count;
    }
    EXPECT_GE(triangles, 300'000U);
    EXPECT_LE(triangles, 520'000U);
    EXPECT_LT(scene_stats(encoded()).total.triangles * 4, triangles) << "parts are shared";
}

TEST(BuiltinScene, IsDrawnWithoutANote) {
    EXPECT_EQ(encoded().notes, std::vector<std::string>());
}

TEST(BuiltinScene, HasInstancesOfEveryKind) {
    int mirrored = 0;
    int uneven = 0;
    int sheared = 0;
    std::map<std::uint32_t, int> uses;
    for (const Instance& instance : instances(encoded().scene)) {
        const glm::dmat3 m(instance.transform);
        if (glm::determinant(m) < 0.0) ++mirrored;
        const double lengths[] = {glm::length(m[0]), glm::length(m[1]), glm::length(m[2])};
        if (*std::max_element(lengths, lengths + 3) > 1.05 * *std::min_element(lengths, lengths + 3)) ++uneven;
        for (int i = 0; i < 3; ++i) {
            const int k = (i + 1) % 3;
            if (std::abs(glm::dot(m[i], m[k])) > 0.02 * lengths[i] * lengths[k]) {
                ++sheared;
                break;
            }
        }
        ++uses[instance.mesh];
    }
    EXPECT_GE(mirrored, 50);
    EXPECT_GE(uneven, 20);
    EXPECT_GE(sheared, 10);
    EXPECT_EQ(uses.size(), encoded().geometry.meshes.size()) << "every mesh is placed somewhere";
}

TEST(BuiltinScene, HasMaterialsWithTextures) {
    const Scene& scene = builtin().scene;
    EXPECT_GE(scene.materials.size(), 8U);
    std::size_t image_bytes = 0;
    std::set<std::size_t> textured;
    int double_sided = 0;
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        if (scene.materials[i].base_color_texture.texture >= 0) textured.insert(i);
        if (scene.materials[i].double_sided) ++double_sided;
    }
    EXPECT_GE(textured.size(), 8U);
    EXPECT_GE(double_sided, 1);
    for (const Image& image : scene.images) {
        EXPECT_EQ(image.mime_type, kRawImageType);
        EXPECT_EQ(image.bytes.size(), std::size_t{image.width} * image.height * 4);
        const std::set<std::uint8_t> values(image.bytes.begin(), image.bytes.end());
        EXPECT_GT(values.size(), 8U) << image.name << " is not of one colour";
        image_bytes += image.bytes.size();
    }
    EXPECT_LT(image_bytes, 7'500'000U) << "demo and tests write and read them again and again";
}

TEST(BuiltinScene, HasMaterialsOfEveryKind) {
    std::map<std::string, int> kinds;
    for (const Material& m : builtin().scene.materials) {
        kinds["normal map"] += m.normal_texture.texture >= 0;
        kinds["rough and polished by a map"] += m.metallic_roughness_texture.texture >= 0;
        kinds["occlusion"] += m.occlusion_texture.texture >= 0;
        kinds["metal"] += m.metallic == 1.0F && m.metallic_roughness_texture.texture < 0;
        kinds["mask"] += m.alpha_mode == AlphaMode::kMask && m.double_sided;
        kinds["emission"] += m.emissive != glm::vec3(0.0F);
        kinds["clear coat"] += m.clearcoat.factor > 0.0F;
        kinds["sheen"] += m.sheen.color != glm::vec3(0.0F);
        kinds["anisotropy"] += m.anisotropy.strength > 0.0F;
        kinds["glass"] += m.transmission.factor > 0.0F && m.volume.thickness > 0.0F;
        kinds["transformed texture"] += m.normal_texture.scale != glm::vec2(1.0F);
    }
    for (const auto& [kind, count] : kinds) EXPECT_GE(count, 1) << kind;
}

TEST(BuiltinScene, HasLeavesWithHoles) {
    for (const Material& material : builtin().scene.materials) {
        if (material.alpha_mode != AlphaMode::kMask) continue;
        const Scene& scene = builtin().scene;
        const auto texture = static_cast<std::size_t>(material.base_color_texture.texture);
        const Image& image = scene.images[static_cast<std::size_t>(scene.textures[texture].image)];
        std::size_t seen = 0;
        for (std::size_t i = 3; i < image.bytes.size(); i += 4) seen += image.bytes[i] >= 128;
        const double share = static_cast<double>(seen) * 4.0 / static_cast<double>(image.bytes.size());
        EXPECT_GT(share, 0.2);
        EXPECT_LT(share, 0.7);
    }
}

// The scene gives its own, so that they don't hang on the C library.
TEST(BuiltinScene, HasTangentsWhereNormalMapsAre) {
    std::size_t triangles = 0;
    for (const SourceMeshGroup& group : builtin().groups) {
        for (const SourceMesh& mesh : group.meshes) {
            const Material& material = builtin().scene.materials[mesh.material];
            const bool needed = material.normal_texture.texture >= 0 || material.anisotropy.strength > 0.0F;
            ASSERT_EQ(mesh.tangents.size(), needed ? mesh.positions.size() : 0U) << group.name;
            if (!needed) continue;
            for (std::size_t i = 0; i < mesh.tangents.size(); ++i) {
                const glm::dvec3 t(mesh.tangents[i][0], mesh.tangents[i][1], mesh.tangents[i][2]);
                const glm::dvec3 n(mesh.normals[i][0], mesh.normals[i][1], mesh.normals[i][2]);
                ASSERT_NEAR(glm::length(t), 1.0, 1e-5) << group.name;
                ASSERT_NEAR(glm::dot(t, n), 0.0, 1e-5) << group.name;
                ASSERT_EQ(std::abs(mesh.tangents[i][3]), 1.0F);
            }
            for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
                const std::uint32_t* const v = &mesh.indices[i];
                const auto position = [&](int k) {
                    const auto& p = mesh.positions[v[k]];
                    return glm::dvec3(p[0], p[1], p[2]);
                };
                const auto uv = [&](int k) { return glm::dvec2(mesh.uv0[v[k]][0], mesh.uv0[v[k]][1]); };
                const glm::dvec2 a = uv(1) - uv(0);
                const glm::dvec2 b = uv(2) - uv(0);
                const double area = a.x * b.y - b.x * a.y;
                const glm::dvec3 pa = position(1) - position(0);
                const glm::dvec3 pb = position(2) - position(0);
                const double size = glm::length(glm::cross(pa, pb));
                if (std::abs(area) < 1e-9 || size < 1e-9) continue;
                ++triangles;
                // The way that U grows, times the area; V points down in an image.
                const glm::dvec3 along = (pa * b.y - pb * a.y) * (area < 0.0 ? -1.0 : 1.0);
                for (int k = 0; k < 3; ++k) {
                    const auto& t = mesh.tangents[v[k]];
                    EXPECT_GT(glm::dot(glm::dvec3(t[0], t[1], t[2]), along), 0.0) << group.name;
                    EXPECT_EQ(t[3], area < 0.0 ? 1.0F : -1.0F) << group.name;
                }
            }
        }
    }
    EXPECT_GT(triangles, 10'000U);
}

TEST(BuiltinScene, HasCamerasInside) {
    const Scene& scene = builtin().scene;
    ASSERT_GE(scene.cameras.size(), 3U);
    const std::vector<glm::mat4> world = world_transforms(scene);
    int placed = 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].camera < 0) continue;
        EXPECT_EQ(scene.nodes[i].camera, placed) << "in the order of their nodes";
        ++placed;
        EXPECT_FALSE(scene.cameras[static_cast<std::size_t>(scene.nodes[i].camera)].name.empty());
        const glm::mat3 rotation(world[i]);
        EXPECT_NEAR(glm::determinant(rotation), 1.0F, 1e-5);
        EXPECT_NEAR(rotation[0].y, 0.0F, 1e-6) << "level";
        EXPECT_GT(rotation[1].y, 0.0F) << "upright";
    }
    EXPECT_EQ(placed, static_cast<int>(scene.cameras.size()));
}

TEST(BuiltinScene, HasUnitNormalsThatFaceItsFronts) {
    for (const SourceMeshGroup& group : builtin().groups) {
        std::size_t triangles = 0;
        std::size_t agreeing = 0;
        for (const SourceMesh& mesh : group.meshes) {
            ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
            ASSERT_EQ(mesh.uv0.size(), mesh.positions.size());
            for (const auto& n : mesh.normals) {
                ASSERT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0F, 1e-5) << group.name;
            }
            for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
                glm::dvec3 p[3];
                glm::dvec3 normal(0.0);
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t v = mesh.indices[i + k];
                    p[k] = {mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]};
                    normal += glm::dvec3(mesh.normals[v][0], mesh.normals[v][1], mesh.normals[v][2]);
                }
                const glm::dvec3 face = glm::cross(p[1] - p[0], p[2] - p[0]);
                if (glm::length(face) < 1e-9) continue;
                ++triangles;
                if (glm::dot(face, normal) > 0.0) ++agreeing;
            }
        }
        EXPECT_EQ(agreeing, triangles) << group.name;
    }
}

// A triangle in an axis-aligned plane, in the plane's coordinates.
struct FlatTriangle {
    glm::dvec2 corner[3];
    double low = 0.0, high = 0.0;  // of the first coordinate
};

// Do their insides overlap, by more than a hair?
bool overlap(const FlatTriangle& a, const FlatTriangle& b) {
    constexpr double kHair = 1e-4;
    for (const FlatTriangle* triangle : {&a, &b}) {
        for (int i = 0; i < 3; ++i) {
            const glm::dvec2 edge = triangle->corner[(i + 1) % 3] - triangle->corner[i];
            const double length = glm::length(edge);
            if (length < kHair) return false;
            const glm::dvec2 axis = glm::dvec2(-edge.y, edge.x) / length;
            double low[2] = {1e30, 1e30};
            double high[2] = {-1e30, -1e30};
            for (int t = 0; t < 2; ++t) {
                for (const glm::dvec2& corner : (t == 0 ? a : b).corner) {
                    low[t] = std::min(low[t], glm::dot(axis, corner));
                    high[t] = std::max(high[t], glm::dot(axis, corner));
                }
            }
            if (high[0] < low[1] + kHair || high[1] < low[0] + kHair) return false;
        }
    }
    return true;
}

// Two faces in one plane that look the same way would tie in depth: there must be none.
TEST(BuiltinScene, HasNoCoplanarOverlaps) {
    std::map<std::tuple<int, int, long>, std::vector<FlatTriangle>> planes;  // axis, direction, place in 1/100 mm
    std::vector<const SourceMesh*> meshes;
    for (const SourceMeshGroup& group : builtin().groups) {
        for (const SourceMesh& mesh : group.meshes) meshes.push_back(&mesh);
    }
    for (const Instance& instance : instances(encoded().scene)) {
        const SourceMesh& mesh = *meshes.at(instance.mesh);
        const bool flip = glm::determinant(glm::mat3(instance.transform)) < 0.0F;
        for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
            glm::dvec3 p[3];
            for (std::size_t k = 0; k < 3; ++k) {
                const auto& v = mesh.positions[mesh.indices[i + k]];
                p[k] = glm::dvec3(glm::dmat4(instance.transform) * glm::dvec4(v[0], v[1], v[2], 1.0));
            }
            const glm::dvec3 normal = glm::cross(p[1] - p[0], p[2] - p[0]) * (flip ? -1.0 : 1.0);
            for (int axis = 0; axis < 3; ++axis) {
                const double level = p[0][axis];
                if (std::abs(p[1][axis] - level) > 5e-6 || std::abs(p[2][axis] - level) > 5e-6) continue;
                FlatTriangle flat;
                for (int k = 0; k < 3; ++k) flat.corner[k] = {p[k][(axis + 1) % 3], p[k][(axis + 2) % 3]};
                flat.low = std::min({flat.corner[0].x, flat.corner[1].x, flat.corner[2].x});
                flat.high = std::max({flat.corner[0].x, flat.corner[1].x, flat.corner[2].x});
                planes[{axis, normal[axis] > 0.0 ? 1 : -1, std::lround(level * 1e5)}].push_back(flat);
            }
        }
    }
    std::size_t overlaps = 0;
    std::size_t faces = 0;
    for (auto& [plane, triangles] : planes) {
        std::sort(triangles.begin(), triangles.end(), [](const auto& x, const auto& y) { return x.low < y.low; });
        faces += triangles.size();
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            for (std::size_t k = i + 1; k < triangles.size() && triangles[k].low < triangles[i].high; ++k) {
                if (!overlap(triangles[i], triangles[k])) continue;
                if (overlaps++ < 8) {
                    ADD_FAILURE() << "axis " << std::get<0>(plane) << " at "
                                  << static_cast<double>(std::get<2>(plane)) / 1e5 << " near "
                                  << triangles[i].corner[0].x << ", " << triangles[i].corner[0].y << " and "
                                  << triangles[k].corner[0].x << ", " << triangles[k].corner[0].y;
                }
            }
        }
    }
    EXPECT_EQ(overlaps, 0U);
    EXPECT_GT(faces, 10'000U);
}

}  // namespace
}  // namespace sublet::scene::testing
