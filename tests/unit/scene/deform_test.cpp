// Deformation on the CPU, held to morph targets and skinning in double precision as glTF 2.0 has them (3.7.2.2,
// 3.7.3.3).
#include "scene/deform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <numbers>
#include <random>
#include <sstream>

#include "../mesh/older_files.h"
#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

// --- Skinning as the specification says it, and nothing of the program's

struct Vertex {
    glm::dvec3 position, normal, tangent;
};

glm::dmat4 local_of(const Node& node) {
    if (node.has_matrix) return glm::dmat4(node.matrix);
    const double x = node.rotation.x;
    const double y = node.rotation.y;
    const double z = node.rotation.z;
    const double w = node.rotation.w;
    glm::dmat4 m(1.0);
    m[0] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0};
    m[1] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0};
    m[2] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0};
    for (int c = 0; c < 3; ++c) m[c] *= static_cast<double>(node.scale[c]);
    m[3] = glm::dvec4(glm::dvec3(node.translation), 1.0);
    return m;
}

glm::dmat4 global_of(const Scene& scene, int node) {
    glm::dmat4 global(1.0);
    for (; node >= 0; node = scene.nodes[static_cast<std::size_t>(node)].parent) {
        global = local_of(scene.nodes[static_cast<std::size_t>(node)]) * global;
    }
    return global;
}

// The mesh with the sums of what its targets add, times their weights, in place of its vertices.
std::vector<Vertex> morphed_by_the_book(const mesh::MeshArrays& mesh, const std::vector<float>& weights) {
    std::vector<Vertex> out(mesh.positions.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        const auto sum = [&](const auto& base, auto member) {
            glm::dvec3 total(0.0);
            if (!base.empty()) total = {base[v][0], base[v][1], base[v][2]};
            for (std::size_t t = 0; t < weights.size(); ++t) {
                const auto& added = mesh.morphs[t].*member;
                if (added.empty()) continue;
                total += static_cast<double>(weights[t]) * glm::dvec3(added[v][0], added[v][1], added[v][2]);
            }
            return total;
        };
        out[v] = {sum(mesh.positions, &mesh::MorphArrays::positions), sum(mesh.normals, &mesh::MorphArrays::normals),
                  sum(mesh.tangents, &mesh::MorphArrays::tangents)};
    }
    return out;
}

std::vector<Vertex> skinned_by_the_book(const mesh::MeshArrays& mesh, const Scene& scene, const Skin& skin,
                                        const std::vector<float>& weights = {}) {
    const std::vector<Vertex> bind = morphed_by_the_book(mesh, weights);
    std::vector<glm::dmat4> joint(skin.joints.size());
    for (std::size_t j = 0; j < joint.size(); ++j) {
        joint[j] = global_of(scene, skin.joints[j]) * glm::dmat4(skin.inverse_bind[j]);
    }
    std::vector<Vertex> out(mesh.positions.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        glm::dmat4 matrix(0.0);
        double sum = 0.0;
        const auto add = [&](const auto& joints, const auto& weights) {
            for (std::size_t i = 0; i < 4; ++i) {
                matrix += static_cast<double>(weights[i]) * joint.at(joints[i]);
                sum += static_cast<double>(weights[i]);
            }
        };
        add(mesh.joints[v], mesh.weights[v]);
        if (!mesh.joints1.empty()) add(mesh.joints1[v], mesh.weights1[v]);
        matrix /= sum;
        const glm::dmat3 linear(matrix);
        out[v].position = glm::dvec3(matrix * glm::dvec4(bind[v].position, 1.0));
        // The inverse transpose, but for the side: mirrored triangles turn over with their normals.
        out[v].normal = glm::normalize(glm::transpose(glm::inverse(linear)) * bind[v].normal) *
                        (glm::determinant(linear) < 0.0 ? -1.0 : 1.0);
        if (!mesh.tangents.empty()) out[v].tangent = glm::normalize(linear * bind[v].tangent);
    }
    return out;
}

// --- Scenes

constexpr int kJoints = 12;

// A sphere on a chain of joints, each turned and scaled; its nodes swing. `per_vertex`: influences, 1 to 8.
GltfBuilder sphere_on_joints(int per_vertex, bool with_tangents) {
    std::mt19937 engine(71);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    const auto random = [&] { return uniform(engine); };
    constexpr int kRings = 24;
    constexpr int kSegments = 36;
    GltfBuilder builder = sphere_gltf(kRings, kSegments);
    constexpr std::size_t kVertices = std::size_t{kRings + 1} * (kSegments + 1);
    json& attributes = builder.root["meshes"][0]["primitives"][0]["attributes"];
    for (int set = 0; set * 4 < per_vertex; ++set) {
        std::vector<std::uint8_t> joints(kVertices * 4, 0);
        std::vector<float> weights(kVertices * 4, 0.0F);
        for (std::size_t v = 0; v < kVertices; ++v) {
            for (std::size_t i = 0; i < 4 && set * 4 + static_cast<int>(i) < per_vertex; ++i) {
                // Each joint of a vertex once, as glTF has it.
                joints[v * 4 + i] =
                    static_cast<std::uint8_t>((v / 7 + static_cast<std::size_t>(set) * 4 + i) % kJoints);
                weights[v * 4 + i] = (random() + 1.01F) / static_cast<float>(per_vertex);
            }
        }
        attributes["JOINTS_" + std::to_string(set)] = builder.accessor(joints, 4, kU8);
        attributes["WEIGHTS_" + std::to_string(set)] = builder.accessor(weights, 4, kF32);
    }
    if (with_tangents) {
        std::vector<float> tangents;
        for (int ring = 0; ring <= kRings; ++ring) {
            for (int segment = 0; segment <= kSegments; ++segment) {
                const double angle = 2.0 * std::numbers::pi * segment / kSegments;
                tangents.insert(tangents.end(), {static_cast<float>(std::cos(angle)), 0.0F,
                                                 static_cast<float>(std::sin(angle)), ring % 2 == 0 ? 1.0F : -1.0F});
            }
        }
        attributes["TANGENT"] = builder.accessor(tangents, 4, kF32);
    }
    std::vector<float> matrices;
    json joints = json::array();
    for (int j = 0; j < kJoints; ++j) {
        joints.push_back(j + 1);
        const glm::quat turn = glm::normalize(glm::quat(2.0F, random(), random(), random()));
        json node{{"translation", {random() * 0.3F, 0.2F, random() * 0.3F}},
                  {"rotation", {turn.x, turn.y, turn.z, turn.w}},
                  {"scale", {1.0F + 0.2F * random(), 1.0F + 0.2F * random(), 1.0F + 0.2F * random()}}};
        if (j + 1 < kJoints) node["children"] = {j + 2};
        if (j == 0) builder.node(node);
        if (j > 0) builder.root["nodes"].push_back(node);
        for (int e = 0; e < 16; ++e) {
            const bool diagonal = e % 5 == 0;
            matrices.push_back(e % 4 == 3 ? (diagonal ? 1.0F : 0.0F) : 0.25F * random() + (diagonal ? 1.0F : 0.0F));
        }
    }
    builder.root["skins"] =
        json::array({{{"joints", joints}, {"inverseBindMatrices", builder.accessor(matrices, 16, kF32)}}});
    builder.root["nodes"][0]["skin"] = 0;
    builder.root["nodes"][0]["translation"] = {50, 0, 0};
    const int times = builder.accessor<float>({0, 1}, 1, kF32);
    const int turns = builder.accessor<float>({0, 0, 0, 1, 0, 0.6F, 0, 0.8F}, 4, kF32);
    builder.root["animations"] =
        json::array({{{"samplers", json::array({{{"input", times}, {"output", turns}}})},
                      {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 4}, {"path", "rotation"}}}}})}}});
    return builder;
}

constexpr std::size_t kTargets = 40;

// Gives the mesh morph targets: each bulges the sphere around a point, every fourth has no normals or tangents, the
// last does nothing.
void add_targets(GltfBuilder& builder, bool with_tangents) {
    std::mt19937 engine(72);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    const ImportedScene imported = import_gltf(builder.write_glb("plain.glb"));
    const SourceMesh& mesh = only_mesh(imported);
    json& primitive = builder.root["meshes"][0]["primitives"][0];
    primitive["targets"] = json::array();
    for (std::size_t t = 0; t < kTargets; ++t) {
        const glm::vec3 place = glm::normalize(glm::vec3(uniform(engine), uniform(engine), uniform(engine)));
        std::array<std::vector<float>, 3> added;
        for (const auto& p : mesh.positions) {
            const float near = std::max(0.0F, glm::dot(glm::vec3(p[0], p[1], p[2]), place) - 0.7F);
            for (std::vector<float>& values : added) {
                for (int c = 0; c < 3; ++c) {
                    values.push_back(t + 1 < kTargets ? near * (place[c] + 0.5F * uniform(engine)) : 0.0F);
                }
            }
        }
        json target{{"POSITION", builder.accessor(added[0], 3, kF32)}};
        if (t % 4 != 0) target["NORMAL"] = builder.accessor(added[1], 3, kF32);
        if (t % 4 != 0 && with_tangents) target["TANGENT"] = builder.accessor(added[2], 3, kF32);
        primitive["targets"].push_back(target);
    }
}

// Of all targets, some of them 0, some above 1 or below 0.
std::vector<float> some_weights() {
    std::vector<float> weights(kTargets);
    for (std::size_t t = 0; t < weights.size(); ++t) {
        weights[t] = t % 5 == 1 ? 0.0F : static_cast<float>(t % 7) * 0.3F - 0.4F;
    }
    return weights;
}

EncodedScene encoded_of(const GltfBuilder& builder) {
    return encode_file(builder.write_glb("a.glb"));
}

mesh::MeshArrays decoded_mesh(const EncodedScene& scene) {
    return mesh::decode(mesh::mesh_view(scene.geometry, 0));
}

double diagonal_of(const std::vector<Vertex>& vertices) {
    glm::dvec3 low(1e30);
    glm::dvec3 high(-1e30);
    for (const Vertex& v : vertices) {
        low = glm::min(low, v.position);
        high = glm::max(high, v.position);
    }
    return glm::length(high - low);
}

double degrees_between(const glm::dvec3& a, const glm::dvec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 180.0 / std::numbers::pi;
}

struct Influences : ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(PerVertex, Influences, ::testing::Values(1, 2, 4, 5, 8));

TEST_P(Influences, FollowTheSpecification) {
    EncodedScene scene = encoded_of(sphere_on_joints(GetParam(), true));
    const std::vector<std::size_t> playing{0};
    for (const double time : {0.0, 0.4}) {
        pose_nodes(scene.scene.nodes, scene.scene, playing, time);
        const mesh::MeshArrays bind = decoded_mesh(scene);
        EXPECT_EQ(bind.joints1.empty(), GetParam() <= 4);
        const std::vector<Vertex> expected = skinned_by_the_book(bind, scene.scene, scene.scene.skins[0]);
        mesh::MeshArrays posed = bind;
        deform(posed, skin_matrices(scene.scene.skins[0], world_transforms(scene.scene)));
        const double diagonal = diagonal_of(expected);
        double apart = 0.0;
        double turned = 0.0;
        double moved = 0.0;
        for (std::size_t v = 0; v < expected.size(); ++v) {
            const auto vec = [](const auto& a) { return glm::dvec3(a[0], a[1], a[2]); };
            apart = std::max(apart, glm::length(vec(posed.positions[v]) - expected[v].position) / diagonal);
            moved = std::max(moved, glm::length(vec(posed.positions[v]) - vec(bind.positions[v])) / diagonal);
            turned = std::max(turned, degrees_between(vec(posed.normals[v]), expected[v].normal));
            turned = std::max(turned, degrees_between(vec(posed.tangents[v]), expected[v].tangent));
            ASSERT_NEAR(glm::length(vec(posed.normals[v])), 1.0, 1e-5);
            ASSERT_NEAR(glm::length(vec(posed.tangents[v])), 1.0, 1e-5);
            ASSERT_EQ(posed.tangents[v][3], bind.tangents[v][3]);
        }
        EXPECT_LE(apart, 1e-5) << "of the diagonal, at " << time << " s";
        EXPECT_LE(turned, 0.1) << "degrees, at " << time << " s";
        EXPECT_GT(moved, 0.1) << "the pose is another than the bind pose";
        EXPECT_EQ(posed.joints, bind.joints);
        EXPECT_EQ(posed.weights, bind.weights);
    }
}

// With joints, and without.
TEST(MorphTargets, FollowTheSpecification) {
    for (const bool skinned : {false, true}) {
        GltfBuilder builder = sphere_on_joints(skinned ? 4 : 0, true);
        if (!skinned) builder.root["nodes"][0].erase("skin");
        add_targets(builder, true);
        const EncodedScene scene = encoded_of(builder);
        const std::vector<float> weights = some_weights();
        const mesh::MeshArrays bind = decoded_mesh(scene);
        ASSERT_EQ(bind.morphs.size(), kTargets);
        std::vector<Vertex> expected = morphed_by_the_book(bind, weights);
        std::vector<shared::SkinMatrix> matrices;
        if (skinned) {
            expected = skinned_by_the_book(bind, scene.scene, scene.scene.skins.at(0), weights);
            matrices = skin_matrices(scene.scene.skins[0], world_transforms(scene.scene));
        }
        mesh::MeshArrays posed = bind;
        deform(posed, matrices, weights);
        const double diagonal = diagonal_of(expected);
        const auto vec = [](const auto& a) { return glm::dvec3(a[0], a[1], a[2]); };
        double apart = 0.0;
        double turned = 0.0;
        double moved = 0.0;
        for (std::size_t v = 0; v < expected.size(); ++v) {
            apart = std::max(apart, glm::length(vec(posed.positions[v]) - expected[v].position) / diagonal);
            moved = std::max(moved, glm::length(vec(posed.positions[v]) - vec(bind.positions[v])) / diagonal);
            turned = std::max(turned, degrees_between(vec(posed.normals[v]), expected[v].normal));
            turned = std::max(turned, degrees_between(vec(posed.tangents[v]), expected[v].tangent));
            ASSERT_NEAR(glm::length(vec(posed.normals[v])), 1.0, 1e-5);
            ASSERT_NEAR(glm::length(vec(posed.tangents[v])), 1.0, 1e-5);
        }
        EXPECT_LE(apart, 1e-5) << "of the diagonal";
        EXPECT_LE(turned, 0.1) << "degrees";
        EXPECT_GT(moved, 0.02) << "the pose is another than the bind pose";
    }
}

TEST(MorphTargets, WeightsOfZeroAndUnmovedVerticesKeepTheirBits) {
    GltfBuilder builder = sphere_on_joints(0, true);
    builder.root["nodes"][0].erase("skin");
    add_targets(builder, true);
    const EncodedScene scene = encoded_of(builder);
    const mesh::MeshArrays bind = decoded_mesh(scene);
    mesh::MeshArrays posed = bind;
    deform(posed, {}, std::vector<float>(kTargets, 0.0F));
    const auto bits = [](const auto& values) { return std::as_bytes(std::span(values)); };
    const auto same = [&](const auto& a, const auto& b) {
        const auto x = bits(a);
        const auto y = bits(b);
        return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin());
    };
    EXPECT_TRUE(same(posed.positions, bind.positions));
    EXPECT_TRUE(same(posed.normals, bind.normals));
    EXPECT_TRUE(same(posed.tangents, bind.tangents));
    // One target alone: what it does not move is as it was.
    std::vector<float> weights(kTargets, 0.0F);
    weights[2] = 1.0F;
    deform(posed, {}, weights);
    std::size_t kept = 0;
    for (std::size_t v = 0; v < bind.positions.size(); ++v) {
        if (bind.morphs[2].positions[v] != std::array<float, 3>{}) continue;
        ++kept;
        EXPECT_TRUE(same(posed.positions[v], bind.positions[v]));
        if (bind.morphs[2].normals[v] == std::array<float, 3>{}) {
            EXPECT_TRUE(same(posed.normals[v], bind.normals[v]));
        }
    }
    EXPECT_GT(kept, bind.positions.size() / 2);
    EXPECT_LT(kept, bind.positions.size());
}

// What rounding alone does: the source's targets beside those that come back, by the book both.
TEST(MorphTargets, LoseLittleByTheirIntegers) {
    GltfBuilder builder = sphere_on_joints(0, false);
    builder.root["nodes"][0].erase("skin");
    add_targets(builder, false);
    const ImportedScene imported = import_gltf(builder.write_glb("a.glb"));
    const SourceMesh& source_mesh = only_mesh(imported);
    const EncodedScene scene = encoded_of(builder);
    const mesh::MeshArrays decoded = decoded_mesh(scene);
    const std::vector<float> weights(kTargets, 1.0F);
    const std::vector<Vertex> source = morphed_by_the_book(source_mesh, weights);
    const std::vector<Vertex> kept = morphed_by_the_book(decoded, weights);
    const double diagonal = diagonal_of(source);
    double apart = 0.0;
    double turned = 0.0;
    for (std::size_t v = 0; v < kept.size(); ++v) {
        std::size_t nearest = 0;
        double least = 1e30;
        for (std::size_t s = 0; s < source.size(); ++s) {
            double distance = 0.0;
            for (std::size_t c = 0; c < 3; ++c) {
                distance += std::abs(source_mesh.positions[s][c] - decoded.positions[v][c]);
            }
            for (std::size_t c = 0; c < 2; ++c) distance += std::abs(source_mesh.uv0[s][c] - decoded.uv0[v][c]);
            if (distance < least) {
                least = distance;
                nearest = s;
            }
        }
        ASSERT_LT(least, 1e-3);
        apart = std::max(apart, glm::length(source[nearest].position - kept[v].position) / diagonal);
        turned = std::max(turned, degrees_between(source[nearest].normal, kept[v].normal));
    }
    std::ostringstream share;
    share << apart << " of the diagonal and " << turned << " degrees are quantisation's own share, all of " << kTargets
          << " targets at weight 1";
    RecordProperty("quantisation", share.str());
    EXPECT_GT(apart, 0.0) << share.str();
    EXPECT_LE(apart, 5e-4) << share.str();
    EXPECT_LE(turned, 6.0) << share.str();
}

// What quantising positions and weights alone does: the source, deformed by the book, beside what was decoded.
TEST_P(Influences, LoseLittleByTheirIntegers) {
    const ImportedScene imported = import_gltf(sphere_on_joints(GetParam(), true).write_glb("a.glb"));
    const EncodedScene scene = encoded_of(sphere_on_joints(GetParam(), true));
    const Skin& skin = scene.scene.skins[0];
    const mesh::MeshArrays decoded = decoded_mesh(scene);
    const std::vector<Vertex> source = skinned_by_the_book(only_mesh(imported), imported.scene, skin);
    const std::vector<Vertex> kept = skinned_by_the_book(decoded, scene.scene, skin);
    const double diagonal = diagonal_of(source);
    double worst = 0.0;
    for (std::size_t v = 0; v < kept.size(); ++v) {
        // Of the source's vertices at that place and on those texture coordinates.
        std::size_t nearest = 0;
        double least = 1e30;
        for (std::size_t s = 0; s < source.size(); ++s) {
            double distance = 0.0;
            for (std::size_t c = 0; c < 3; ++c) {
                distance += std::abs(only_mesh(imported).positions[s][c] - decoded.positions[v][c]);
            }
            for (std::size_t c = 0; c < 2; ++c) {
                distance += std::abs(only_mesh(imported).uv0[s][c] - decoded.uv0[v][c]);
            }
            if (distance < least) {
                least = distance;
                nearest = s;
            }
        }
        ASSERT_LT(least, 1e-3);
        worst = std::max(worst, glm::length(source[nearest].position - kept[v].position) / diagonal);
    }
    std::ostringstream share;
    share << worst << " of the diagonal is quantisation's own share, with " << GetParam() << " joints a vertex";
    RecordProperty("quantisation", share.str());
    EXPECT_GT(worst, 0.0) << share.str();
    EXPECT_LE(worst, 5e-4) << share.str();
}

TEST(Deform, IdentitiesGiveTheBindPoseToTheBit) {
    EncodedScene scene = encoded_of(sphere_on_joints(8, true));
    for (Node& node : scene.scene.nodes) {
        Node still;
        still.parent = node.parent;
        node = still;
    }
    for (glm::mat4& matrix : scene.scene.skins[0].inverse_bind) matrix = glm::mat4(1.0F);
    const mesh::MeshArrays bind = decoded_mesh(scene);
    mesh::MeshArrays posed = bind;
    deform(posed, skin_matrices(scene.scene.skins[0], world_transforms(scene.scene)));
    EXPECT_EQ(posed.positions, bind.positions);
    EXPECT_EQ(posed.normals, bind.normals);
    EXPECT_EQ(posed.tangents, bind.tangents);
}

TEST(Deform, JointsThatAgreeMoveAVertexAsOneDoes) {
    EncodedScene scene = encoded_of(sphere_on_joints(8, false));
    Skin& skin = scene.scene.skins[0];
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        skin.joints[j] = 5;
        skin.inverse_bind[j] = skin.inverse_bind[0];
    }
    const std::vector<shared::SkinMatrix> matrices = skin_matrices(skin, world_transforms(scene.scene));
    mesh::MeshArrays posed = decoded_mesh(scene);
    mesh::MeshArrays single = posed;
    single.weights.assign(single.weights.size(), {1, 0, 0, 0});
    single.weights1.assign(single.weights.size(), {0, 0, 0, 0});
    deform(posed, matrices);
    deform(single, matrices);
    EXPECT_EQ(posed.positions, single.positions);
    EXPECT_EQ(posed.normals, single.normals);
}

TEST(Deform, FlatMatricesLeaveDirectionsThatHaveNone) {
    mesh::MeshArrays mesh;
    mesh.positions = {{1, 2, 3}};
    mesh.normals = {{0, 0, 1}};
    mesh.tangents = {{1, 0, 0, -1}};
    mesh.joints = {{0, 0, 0, 0}};
    mesh.weights = {{1, 0, 0, 0}};
    const shared::SkinMatrix flat{{{0, 0, 0, 4}, {0, 1, 0, 0}, {0, 0, 0, 0}}};
    deform(mesh, std::vector<shared::SkinMatrix>{flat});
    EXPECT_EQ(mesh.positions[0], (std::array<float, 3>{4, 2, 0}));
    EXPECT_EQ(mesh.normals[0], (std::array<float, 3>{0, 0, 1}));
    EXPECT_EQ(mesh.tangents[0], (std::array<float, 4>{1, 0, 0, -1}));
}

TEST(PosedBounds, AreThoseOfTheVertices) {
    ThreadPool pool(2);
    for (const int influences : {4, 8}) {
        const EncodedScene scene = encoded_of(sphere_on_joints(influences, false));
        const std::vector<glm::mat4> world = world_transforms(scene.scene);
        mesh::MeshArrays posed = decoded_mesh(scene);
        deform(posed, skin_matrices(scene.scene.skins[0], world));
        const std::vector<Instance> placed = instances(scene, {});
        ASSERT_EQ(placed.size(), 1U);
        ASSERT_EQ(placed[0].skin, 0);
        EXPECT_EQ(placed[0].transform, glm::mat4(1.0F));
        const PosedBounds bounds = posed_bounds(scene, placed[0], world);
        glm::vec3 low(1e30F);
        glm::vec3 high(-1e30F);
        float farthest = 0.0F;
        for (const auto& p : posed.positions) {
            low = glm::min(low, glm::vec3(p[0], p[1], p[2]));
            high = glm::max(high, glm::vec3(p[0], p[1], p[2]));
            farthest = std::max(farthest, glm::distance(glm::vec3(bounds.sphere), glm::vec3(p[0], p[1], p[2])));
        }
        EXPECT_EQ(bounds.low, low);
        EXPECT_EQ(bounds.high, high);
        EXPECT_EQ(bounds.sphere.w, farthest);
        const PosedBounds again = posed_bounds(scene, placed[0], world, &pool);
        EXPECT_EQ(again.low, low);
        EXPECT_EQ(again.sphere, bounds.sphere);
        // On a grid: where its place is.
        const std::vector<Instance> grid = instances(scene, {glm::uvec3(2, 1, 1), 10.0F});
        ASSERT_EQ(grid.size(), 2U);
        EXPECT_EQ(grid[1].skin, 0);
        EXPECT_EQ(scene.scene.nodes[grid[1].node].mesh_group, 0);
        EXPECT_NEAR(posed_bounds(scene, grid[1], world).low.x, low.x + 5.0F, 1e-5F);
        const glm::vec3 size = high - low;
        EXPECT_EQ(mesh_size(scene), std::max({size.x, size.y, size.z}));
    }
}

TEST(PosedBounds, HoldWhatMorphTargetsMove) {
    for (const bool skinned : {false, true}) {
        GltfBuilder builder = sphere_on_joints(skinned ? 8 : 0, false);
        if (!skinned) builder.root["nodes"][0].erase("skin");
        add_targets(builder, false);
        builder.root["meshes"][0]["weights"] = some_weights();
        EncodedScene scene = encoded_of(builder);
        const std::vector<Instance> placed = instances(scene, {});
        ASSERT_EQ(placed.size(), 1U);
        ASSERT_EQ(placed[0].skin, skinned ? 0 : -1);
        ASSERT_TRUE(is_deformed(scene, placed[0]));
        for (const bool own : {false, true}) {
            if (own) scene.scene.nodes[0].weights.assign(kTargets, 0.7F);
            const std::vector<float> weights = own ? std::vector<float>(kTargets, 0.7F) : some_weights();
            EXPECT_EQ(morph_weights(scene.scene, placed[0]), weights);
            const std::vector<glm::mat4> world = world_transforms(scene.scene);
            mesh::MeshArrays posed = decoded_mesh(scene);
            std::vector<shared::SkinMatrix> matrices;
            if (skinned) matrices = skin_matrices(scene.scene.skins[0], world);
            deform(posed, matrices, weights);
            const PosedBounds bounds = posed_bounds(scene, placed[0], world);
            glm::vec3 low(1e30F);
            glm::vec3 high(-1e30F);
            for (const auto& p : posed.positions) {
                const auto at = glm::vec3(placed[0].transform * glm::vec4(p[0], p[1], p[2], 1.0F));
                low = glm::min(low, at);
                high = glm::max(high, at);
            }
            EXPECT_EQ(bounds.low, low);
            EXPECT_EQ(bounds.high, high);
        }
        EXPECT_GT(mesh_size(scene), 0.0F);
    }
}

TEST(PosedBounds, LeaveOutWhatIsBeyondFloats) {
    EncodedScene scene = encoded_of(skinned_strip());
    const std::vector<Instance> placed = instances(scene, {});
    std::vector<glm::mat4> world = world_transforms(scene.scene);
    world[2] = glm::mat4(std::numeric_limits<float>::infinity());
    const PosedBounds some = posed_bounds(scene, placed[0], world);
    EXPECT_NEAR(some.high.x, 1.0F, 1e-3F);
    EXPECT_NEAR(some.high.y, 0.0F, 1e-3F) << "the two vertices that follow the first joint alone";
    world[1] = world[2];
    EXPECT_EQ(posed_bounds(scene, placed[0], world).sphere, glm::vec4(0.0F));
}

TEST(Instances, HaveASkinWhereItDeformsTheirMesh) {
    GltfBuilder builder = skinned_strip();
    builder.node({{"mesh", 0}, {"translation", {7, 0, 0}}});
    EncodedScene scene = encoded_of(builder);
    std::vector<Instance> placed = instances(scene, {});
    ASSERT_EQ(placed.size(), 2U);
    EXPECT_EQ(placed[0].skin, 0);
    EXPECT_EQ(placed[0].transform, glm::mat4(1.0F));
    EXPECT_EQ(placed[1].skin, -1);
    EXPECT_EQ(placed[1].transform[3].x, 7.0F);

    // Of an older file: posed in the world, by no skin any more.
    const mesh::Geometry older = mesh::test::with_bone_weights(scene.geometry);
    scene.geometry = older.view();
    placed = instances(scene, {});
    EXPECT_EQ(placed[0].skin, -1);
    EXPECT_EQ(placed[0].transform, glm::mat4(1.0F));
    EXPECT_EQ(placed[1].transform[3].x, 7.0F);
    EXPECT_EQ(instances(scene, {glm::uvec3(1)})[0].skin, -1);
}

TEST(EncodeScene, LeavesSkinsOutWithTheirJoints) {
    ThreadPool pool(1);
    mesh::EncodeOptions options;
    options.style = mesh::Style::kTextured;
    const EncodedScene scene = encode_scene(import_gltf(skinned_strip().write_glb("a.glb")), options, pool);
    EXPECT_EQ(scene.scene.nodes[0].skin, -1);
    EXPECT_EQ(instances(scene, {})[0].transform[3].x, 100.0F) << "its node places it";
    EXPECT_TRUE(std::any_of(scene.notes.begin(), scene.notes.end(), [](const std::string& note) {
        return note.find("lose their joints by the style textured") != std::string::npos;
    }));
}

}  // namespace
}  // namespace sublet::scene::testing
