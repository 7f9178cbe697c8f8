// Bounds of what deforms hold whatever the pose, those that are measured and the rough ones before: of shapes, and of
// models that others made. SUBLET_MODELS=FOLDER adds all .gltf and .glb files below a folder to these.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vector_relational.hpp>
#include <random>
#include <set>
#include <vector>

#include "base/error.h"
#include "deformed.h"
#include "harness.h"
#include "mesh/sizes.h"
#include "scene/import.h"
#include "shapes.h"

namespace sublet::test::deformation_bounds_test {
namespace {

constexpr shared::vec4 kNowhere{0.0F, 0.0F, 0.0F, -1e30F};

// How much larger radii are than they must be.
struct Tightness {
    double sum = 0.0;
    std::size_t count = 0;

    void add(float radius, float least) {
        if (!(least > 0.0F) || !std::isfinite(radius)) return;
        sum += static_cast<double>(radius) / static_cast<double>(least);
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(std::max<std::size_t>(count, 1)); }
};

struct Found {
    Tightness sublets, rough;
};

bool within(const glm::vec3& point, const shared::MeshHeader& header) {
    return glm::all(glm::greaterThanEqual(point, {header.aabb_min.x, header.aabb_min.y, header.aabb_min.z})) &&
           glm::all(glm::lessThanEqual(point, {header.aabb_max.x, header.aabb_max.y, header.aabb_max.z}));
}

float longest_distance(const glm::vec3* points, std::size_t count) {
    float longest = 0.0F;
    for (std::size_t v = 0; v < count; ++v) {
        for (std::size_t w = 0; w < v; ++w) longest = std::max(longest, glm::distance(points[v], points[w]));
    }
    return longest;
}

void hold_sublets(const scene::EncodedScene& scene, const Deformed& is, std::size_t m,
                  const std::vector<glm::vec3>& positions, Found& found) {
    const mesh::MeshView view = mesh::mesh_view(scene.geometry, is.meshes[m].source);
    for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
        const shared::Bound& bound = is.sublets[is.meshes[m].first_sublet + s];
        const shared::Bound& meshlet = is.meshlets[is.meshes[m].first_meshlet + s / shared::kSubletsPerMeshlet];
        EXPECT_EQ(bound.cone.w, 1.0F);
        const std::uint32_t count = mesh::sublet_counts(view, s).vertices;
        const glm::vec3* points = positions.data() + mesh::sublet_place(view, s).first_vertex;
        for (std::uint32_t v = 0; v < count; ++v) {
            ASSERT_LE(outside(bound.sphere, points[v]), 0.0) << "mesh " << m << ", sublet " << s;
            ASSERT_LE(outside(meshlet.sphere, points[v]), 0.0) << "mesh " << m << ", sublet " << s;
        }
        found.sublets.add(bound.sphere.w, 0.5F * longest_distance(points, count));  // no sphere around is smaller
    }
}

// Of the scene as its nodes stand.
void hold_bounds(Bench& bench, const scene::EncodedScene& scene, Found& found) {
    const auto gpu_scene = render::upload_scene(bench.device(), scene, {});
    ASSERT_FALSE(gpu_scene->animation.moves());
    if (!gpu_scene->deform.any()) return;
    Deformer deformer(bench, *gpu_scene);
    deformer.pose(0.0);
    deformer.within(kNowhere);
    const Deformed rough = deformer.read();
    deformer.all();
    const Deformed is = deformer.read();
    for (std::size_t m = 0; m < is.meshes.size(); ++m) {
        ASSERT_EQ(rough.rounds[m], 0U);
        ASSERT_NE(is.rounds[m], 0U);
        std::vector<glm::vec3> positions;
        for (std::uint32_t v = 0; v < is.headers[m].vertex_count; ++v) {
            positions.push_back(position_of(is, m, v));
            for (const shared::MeshHeader& header : {rough.headers[m], is.headers[m]}) {
                ASSERT_LE(outside(header.sphere, positions.back()), 0.0) << "mesh " << m;
                ASSERT_TRUE(within(positions.back(), header)) << "mesh " << m;
            }
        }
        found.rough.add(rough.headers[m].sphere.w, is.headers[m].sphere.w);
        hold_sublets(scene, is, m, positions, found);
    }
}

class Poser {
  public:
    // Joints that others stand on get half turns and more, scales of ten and of a tenth, or mirrored ones, and stand
    // some `step` elsewhere; morph targets get weights beyond 0 and 1.
    void pose(scene::ImportedScene& imported, bool mirrored, float step) {
        std::set<int> joints;
        for (const scene::Skin& skin : imported.scene.skins) joints.insert(skin.joints.begin(), skin.joints.end());
        std::vector<scene::Node>& nodes = imported.scene.nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            scene::Node& node = nodes[i];
            if (node.mesh_group >= 0) {
                const auto group = static_cast<std::size_t>(node.mesh_group);
                node.weights = imported.groups[group].weights;
                for (float& weight : node.weights) weight = number(-2.0F, 2.0F);
            }
            if (!joints.contains(static_cast<int>(i)) || node.parent < 0 || node.has_matrix) continue;
            node.rotation = glm::normalize(glm::quat(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)));
            node.scale = glm::vec3(mirrored ? number(-1.5F, 1.5F) : std::pow(10.0F, number(-1.0F, 1.0F)));
            node.translation += step * glm::vec3(number(-1, 1), number(-1, 1), number(-1, 1));
        }
        imported.scene.animations.clear();
    }

  private:
    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

    std::mt19937 random_{7};
};

void record(const Found& found) {
    ::testing::Test::RecordProperty("sublets", static_cast<int>(found.sublets.count));
    ::testing::Test::RecordProperty("mean_radius_over_half_the_diameter_in_thousandths",
                                    static_cast<int>(1000.0 * found.sublets.mean()));
    ::testing::Test::RecordProperty("mean_rough_radius_over_the_measured_one_in_thousandths",
                                    static_cast<int>(1000.0 * found.rough.mean()));
}

TEST(DeformationBounds, OfShapes) {
    Bench bench;
    Poser poser;
    Found found;
    for (int pose = 0; pose < 6; ++pose) {
        scene::ImportedScene shapes = make_deforming_shapes();
        poser.pose(shapes, pose % 2 == 1, 3.0F);
        hold_bounds(bench, encode(std::move(shapes)), found);
    }
    record(found);
    EXPECT_GT(found.sublets.count, 500U);
    EXPECT_LE(found.sublets.mean(), 1.25);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

std::vector<std::filesystem::path> models() {
    std::vector<std::filesystem::path> out{
        "/usr/share/assimp/models/glTF2/simple_skin/simple_skin.gltf",
        "/usr/share/assimp/models/glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf"};
    std::erase_if(out, [](const std::filesystem::path& path) { return !std::filesystem::exists(path); });
    if (const char* folder = std::getenv("SUBLET_MODELS")) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const std::filesystem::path extension = entry.path().extension();
            if (extension == ".gltf" || extension == ".glb") out.push_back(entry.path());
        }
    }
    return out;
}

TEST(DeformationBounds, OfModels) {
    if (models().empty()) GTEST_SKIP() << "the package assimp-testmodels is not installed";
    Bench bench;
    Poser poser;
    Found found;
    for (const std::filesystem::path& path : models()) {
        SCOPED_TRACE(path);
        for (int pose = 0; pose < 4; ++pose) {
            try {
                scene::ImportedScene imported = scene::import_gltf(path);
                poser.pose(imported, pose % 2 == 1, 0.0F);
                hold_bounds(bench, encode(std::move(imported)), found);
            } catch (const Error& error) {
                std::printf("%s: %s\n", path.c_str(), error.what());
                break;
            }
        }
    }
    record(found);
    EXPECT_GT(found.sublets.count, 0U);
    EXPECT_LE(found.sublets.mean(), 1.5);
    EXPECT_LE(found.rough.mean(), 3.0);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::deformation_bounds_test
