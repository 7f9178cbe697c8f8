// The cut of levels of detail (shaders/cull/cut.glsl), from the shaders' own source.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/matrix_access.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <numbers>
#include <random>
#include <vector>

#include "base/glsl.h"
#include "render/scene/scene_levels.h"
#include "shaders/shared/occlusion.h"
#include "shaders/shared/scene.h"
#include "tests/unit/occlusion/ball.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl {

using namespace shared;  // NOLINT(google-build-using-namespace): as a shader that includes its headers

// What shaders bind, by the names that they have for it.
struct Cut {
    using uint = glsl::uint;
    using vec2 = glm::vec2;
    using vec3 = glm::vec3;
    using vec4 = glm::vec4;
    using uvec2 = glm::uvec2;

    FrameData frame{};
    std::array<Instance, 1> instances{};
    const MeshHeader* meshes = nullptr;
    std::vector<LodGroup> lod_groups;
    std::vector<CutPlace> cut_places;

    static constexpr bool kLevels = true;

    vec4 placed_sphere(vec4 sphere, const Instance& of) {
        const std::array<vec4, 3> rows{of.transform[0], of.transform[1], of.transform[2]};
        return world_sphere(rows.data(), of.scale, sphere);
    }

#include "cull/cut_places.glsl"
#include "view/sphere_projection.glsl"
};

}  // namespace sublet::glsl
SUBLET_GLSL_END

namespace sublet::render::cut_test {
namespace {

class Cuts : public testing::Test {
  protected:
    Cuts() : geometry_(make_ball()), levels_(make_levels(geometry_.view())) {
        cut_.meshes = geometry_.meshes.data();
        cut_.lod_groups = levels_.groups;
        cut_.cut_places = levels_.places;
        cut_.frame.mesh_groups = levels_.mesh_groups;
    }

    float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

    // An instance of that mesh: turned, stretched, perhaps mirrored, somewhere. And an eye within it, beside it or far
    // away, that asks for some error; for a picture, or for a shadow.
    void place(std::uint32_t mesh) {
        glm::mat4 m = glm::translate(glm::mat4(1.0F), glm::vec3(uniform(-50, 50), uniform(-50, 50), uniform(-50, 50)));
        m = glm::rotate(m, uniform(0, 6), glm::normalize(glm::vec3(uniform(-1, 1), 1.1F, uniform(-1, 1))));
        const glm::vec3 scale(uniform(0.5F, 3), uniform(0.5F, 3), uniform(0.5F, 3) * (uniform(0, 1) < 0.5F ? -1 : 1));
        m = glm::scale(m, scale);
        shared::Instance& instance = cut_.instances[0];
        for (int i = 0; i < 3; ++i) {
            const glm::vec4 row = glm::row(m, i);
            instance.transform[i] = {row.x, row.y, row.z, row.w};
        }
        instance.mesh = mesh;
        instance.scale = std::max({scale.x, scale.y, std::abs(scale.z)}) * 1.00001F;
        const float away = std::exp(uniform(-3, 6));
        const glm::vec3 eye = glm::vec3(m[3]) + away * glm::normalize(glm::vec3(uniform(-1, 1), uniform(-1, 1), 0.3F));
        cut_.frame.cut_eye = {eye.x, eye.y, eye.z, uniform(0, 1) < 0.1F ? 1.0F : 0.0F};
        cut_.frame.cut_scale = std::exp(uniform(0, 9));
        // Of a shadow's view, or of a camera's.
        const bool shadow = uniform(0, 1) < 0.5F;
        cut_.frame.cut_slack = shadow ? away * uniform(0, 0.5F) : 0.0F;
        cut_.frame.cut_least = shadow ? away * uniform(0, 2) : 0.0F;
    }

    // Meshlets that are drawn beside what they are simplified from, or of which nothing that covers them is.
    [[nodiscard]] std::size_t faults() {
        std::size_t faults = 0;
        const shared::MeshHeader& mesh = geometry_.meshes[cut_.instances[0].mesh];
        for (std::uint32_t m = 0; m < mesh.coarse_meshlets; ++m) {
            const auto [group, from] = geometry_.lod_meshlets[mesh.first_meshlet + m];
            faults += cut_.refines(from, cut_.instances[0]) && !cut_.refines(group, cut_.instances[0]) ? 1 : 0;
        }
        return faults;
    }

    // Groups that are not there: of those that lie in groups that are, some.
    std::vector<char> random_absence() {
        std::vector<char> absent(levels_.mesh_groups, 0);
        const float share = uniform(0, 1);
        for (std::uint32_t level = shared::kMostLodLevel + 1; level-- > 0;) {
            for (std::uint32_t g = 0; g < absent.size(); ++g) {
                const shared::LodGroup& group = levels_.groups[g];
                if (group.level == level && !std::isinf(group.error) && uniform(0, 1) < share) absent[g] = 1;
            }
            // What was simplified to meshlets of such a group.
            for (const auto& [group, from] : geometry_.lod_meshlets) {
                if (from != shared::kNoLodGroup && levels_.groups[group].level == level && absent[group] != 0) {
                    absent[from] = 1;
                }
            }
        }
        return absent;
    }

    mesh::Geometry geometry_;
    LevelsData levels_;
    glsl::Cut cut_;
    std::mt19937 random_{7};
};

TEST_F(Cuts, LieInTheirPlaces) {
    std::size_t drawn = 0;
    std::size_t looked_at = 0;
    std::size_t all = 0;
    for (int i = 0; i < 3000; ++i) {
        place(static_cast<std::uint32_t>(i % 2));
        const shared::MeshHeader& mesh = geometry_.meshes[cut_.instances[0].mesh];
        const glm::uvec2 places = cut_.places_of(0);
        EXPECT_EQ(places.x % shared::kTaskMeshlets, 0U);
        for (std::uint32_t m = 0; m < mesh.meshlet_count; ++m) {
            const std::uint32_t place = cut_.place_of(cut_.instances[0].mesh, m);
            ASSERT_EQ(cut_.meshlet_at(cut_.instances[0].mesh, place), m);
            if (!cut_.meshlet_in_cut(0, m)) continue;
            ++drawn;
            ASSERT_TRUE(place >= places.x && place < places.y) << "meshlet " << m << " of instance " << i;
        }
        looked_at += places.y - std::min(places.x, places.y);
        all += mesh.meshlet_count;
    }
    EXPECT_GT(drawn, 3000U);
    EXPECT_LT(looked_at, all * 3 / 4) << "places that can't be drawn are looked at";
}

TEST_F(Cuts, AreOneSurface) {
    for (int i = 0; i < 3000; ++i) {
        place(static_cast<std::uint32_t>(i % 2));
        ASSERT_EQ(faults(), 0U) << i;
    }
}

// What a camera refines at some distance, a shadow refines that is received there: seen from a place within the slack.
TEST_F(Cuts, OfShadowsAreNoCoarserThanTheCameras) {
    std::size_t refined = 0;
    for (int i = 0; i < 3000; ++i) {
        place(static_cast<std::uint32_t>(i % 2));
        cut_.frame.cut_eye.w = 0.0F;
        cut_.frame.cut_slack = cut_.frame.cut_least = 0.0F;
        const shared::vec4 eye = cut_.frame.cut_eye;
        const glm::vec3 aside(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
        for (std::uint32_t g = 0; g < levels_.mesh_groups; ++g) {
            if (!cut_.refines(g, cut_.instances[0])) continue;
            ++refined;
            const float error = cut_.instances[0].scale * cut_.frame.cut_scale * levels_.groups[g].error;
            cut_.frame.cut_eye = {eye.x + aside.x, eye.y + aside.y, eye.z + aside.z, 0.0F};
            cut_.frame.cut_slack = glm::length(aside) * 1.0001F;
            cut_.frame.cut_least = 0.99F * error;
            ASSERT_TRUE(cut_.refines(g, cut_.instances[0])) << i << ", " << g;
            cut_.frame.cut_least = 1.01F * error;
            ASSERT_TRUE(error == 0.0F || error > 1e30F || !cut_.refines(g, cut_.instances[0])) << i << ", " << g;
            cut_.frame.cut_eye = eye;
            cut_.frame.cut_slack = cut_.frame.cut_least = 0.0F;
        }
    }
    EXPECT_GT(refined, 10000U);
}

TEST_F(Cuts, NoticeSpheresThatAreTooSmallAndErrorsThatFall) {
    std::size_t of_spheres = 0;
    std::size_t of_errors = 0;
    for (int i = 0; i < 3000; ++i) {
        place(static_cast<std::uint32_t>(i % 2));
        cut_.lod_groups = levels_.groups;
        for (std::size_t g = 0; g < levels_.mesh_groups; g += 2) cut_.lod_groups[g].sphere.w *= 0.5F;
        of_spheres += faults();
        cut_.lod_groups = levels_.groups;
        for (std::size_t g = 0; g < levels_.mesh_groups; g += 2) cut_.lod_groups[g].error *= 0.1F;
        of_errors += faults();
    }
    EXPECT_GT(of_spheres, 0U);
    EXPECT_GT(of_errors, 0U);
}

// Where groups are not there, whatever they are: what is drawn is there, is one surface, and lies in its places.
TEST_F(Cuts, OfWhatIsThereAreOneSurface) {
    std::size_t drawn = 0;
    for (int i = 0; i < 100000; ++i) {
        const std::vector<char> absent = random_absence();
        const LevelsData levels = make_levels(geometry_.view(), {}, absent);
        cut_.lod_groups = levels.groups;
        place(static_cast<std::uint32_t>(i % 2));
        ASSERT_EQ(faults(), 0U) << i;
        const shared::MeshHeader& mesh = geometry_.meshes[cut_.instances[0].mesh];
        const glm::uvec2 places = cut_.places_of(0);
        for (std::uint32_t m = 0; m < mesh.meshlet_count; ++m) {
            if (!cut_.meshlet_in_cut(0, m)) continue;
            ++drawn;
            ASSERT_EQ(absent[geometry_.lod_meshlets[mesh.first_meshlet + m].group], 0) << i;
            const std::uint32_t place = cut_.place_of(cut_.instances[0].mesh, m);
            ASSERT_TRUE(place >= places.x && place < places.y) << "meshlet " << m << " of instance " << i;
        }
    }
    EXPECT_GT(drawn, 100000U);
}

TEST_F(Cuts, NoticeAGroupThatIsThereWithoutThoseItLiesIn) {
    std::size_t holes = 0;
    for (int i = 0; i < 3000; ++i) {
        std::vector<char> absent(levels_.mesh_groups, 0);
        absent[static_cast<std::size_t>(uniform(0, 0.999F) * static_cast<float>(absent.size()))] = 1;
        cut_.lod_groups = make_levels(geometry_.view(), {}, absent).groups;
        place(static_cast<std::uint32_t>(i % 2));
        holes += faults();
    }
    EXPECT_GT(holes, 0U);
}

TEST_F(Cuts, WithoutAChoiceAreTheFinestLevel) {
    place(0);
    cut_.frame.cut_scale = 0.0F;
    const shared::MeshHeader& mesh = geometry_.meshes[0];
    ASSERT_GT(mesh.coarse_meshlets, 0U);
    const glm::uvec2 places = cut_.places_of(0);
    EXPECT_LE(places.x, mesh.coarse_meshlets);
    EXPECT_EQ(places.y, mesh.meshlet_count);
    for (std::uint32_t m = 0; m < mesh.meshlet_count; ++m) {
        EXPECT_EQ(cut_.meshlet_in_cut(0, m), m >= mesh.coarse_meshlets);
    }
    const FinestLevel finest = finest_level(mesh::mesh_view(geometry_.view(), 0));
    EXPECT_EQ(finest.meshlets, mesh.meshlet_count - mesh.coarse_meshlets);
    EXPECT_LT(finest.triangles, mesh.triangle_count);
}

}  // namespace
}  // namespace sublet::render::cut_test
