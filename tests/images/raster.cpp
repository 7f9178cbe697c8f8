// The compute rasteriser against direct draws: where they differ, the device's snapping or its interpolation of depth
// explains it. (Its own pictures are held to each other, to the bit, by the tests that go through all backends.)
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "scene/import.h"
#include "shapes.h"

namespace sublet::test::raster_test {
namespace {

using render::Backend;
using render::FrameSettings;
using render::Projection;

struct Seen {
    std::uint64_t pixels = 0, covered = 0;
    std::uint64_t edge = 0, depth = 0, wrong = 0;
    std::uint64_t large = 0;
};

class Raster : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto reason = render::backend_unavailable(Backend::kRaster, bench_.device().capabilities())) {
            GTEST_SKIP() << *reason;
        }
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    // A picture by `settings`, held to direct draws.
    void look(FrameSettings settings, const render::CameraPose& pose, float near_plane, std::uint32_t width,
              std::uint32_t height, Projection projection = Projection::kPerspective) {
        settings.backend = Backend::kRaster;
        settings.projection = projection;
        const Bench::Shot shot = bench_.shoot(settings, pose, near_plane, width, height, 2);
        const render::AmbiguousPixels ambiguous = bench_.ambiguous(pose, near_plane, width, height, projection);
        ASSERT_TRUE(ambiguous.raster.has_value());
        seen_.pixels += std::uint64_t{width} * height;
        seen_.covered += static_cast<std::uint64_t>(
            std::lround(coverage(shot.picture) * static_cast<double>(std::uint64_t{width} * height)));
        seen_.edge += ambiguous.raster->edge_pixels;
        seen_.depth += ambiguous.raster->depth_pixels;
        seen_.wrong += ambiguous.raster->wrong_pixels;
        seen_.large += shot.counters.raster_large;
    }

    void expect_explained() const {
        EXPECT_EQ(seen_.wrong, 0U);
        EXPECT_GT(seen_.covered * 10, seen_.pixels);
        // Few: one pixel in two hundred would be a rule turned, not a vertex snapped.
        EXPECT_LE(seen_.edge, seen_.covered / 200);
        EXPECT_LE(seen_.depth, seen_.covered / 200);
        std::printf("%llu pixels, %llu covered, %llu at edges, %llu between equal depths\n",
                    static_cast<unsigned long long>(seen_.pixels), static_cast<unsigned long long>(seen_.covered),
                    static_cast<unsigned long long>(seen_.edge), static_cast<unsigned long long>(seen_.depth));
    }

    Bench bench_;
    Seen seen_;
};

std::vector<render::CameraPose> poses() {
    return {
        {.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}},
        {.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F},
        {.eye = {2.3F, 0.05F, 0.0F}, .target = {0.0F, 0.3F, 0.0F}, .fov_degrees = 100.0F},
        {.eye = {14.0F, 8.0F, 12.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 36.0F},
    };
}

TEST_F(Raster, OfShapesFromAnywhere) {
    bench_.set_scene(encode(make_shapes()));
    for (const render::CameraPose& pose : poses()) {
        for (const float near_plane : {0.002F, 0.05F, 1.5F}) {
            look({}, pose, near_plane, 131, 87);
            look({}, pose, near_plane, 400, 3);
            look({}, pose, near_plane, 77, 220, Projection::kOrthographic);
        }
    }
    EXPECT_GT(seen_.large, 0U);
    expect_explained();
}

TEST_F(Raster, OfTheBuiltinScene) {
    bench_.set_scene(encode(scene::make_builtin_scene()));
    const render::DefaultView view = render::default_view(bench_.scene(), {}, {}, 16.0F / 9.0F);
    for (const float near_plane : {0.01F, view.near_plane, 2.0F}) look({}, view.pose, near_plane, 320, 180);
    EXPECT_GT(seen_.large, 0U);
    expect_explained();
}

// One that is drawn from another camera is noticed.
TEST_F(Raster, NoticesAnotherPicture) {
    bench_.set_scene(encode(make_shapes()));
    FrameSettings settings;
    settings.backend = Backend::kRaster;
    bench_.shoot(settings, poses()[0], 0.05F, 131, 87);
    render::CameraPose moved = poses()[0];
    moved.eye.x += 0.02F;
    EXPECT_GT(bench_.ambiguous(moved, 0.05F, 131, 87).raster.value().wrong_pixels, 500U);
}

// A floor and a wall of that size, and poses that it is seen from.
TEST_F(Raster, ScenesOfEverySize) {
    for (const float size : {1e-10F, 1.0F, 1e13F, 1e16F}) {
        scene::ImportedScene scene;
        scene.scene.materials.emplace_back();
        scene::SourceMesh floor = make_quad({-size, 0.0F, size}, {2.0F * size, 0.0F, 0.0F}, {0.0F, 0.0F, -2.0F * size});
        place(scene, add_mesh(scene, std::move(floor), 0), glm::mat4(1.0F));
        scene::SourceMesh wall =
            make_quad({-0.7F * size, 0.0F, -0.3F * size}, {1.1F * size, 0.0F, 0.0F}, {0.0F, size, 0.0F});
        place(scene, add_mesh(scene, std::move(wall), 0), glm::mat4(1.0F));
        bench_.set_scene(encode(std::move(scene)));
        look({}, {.eye = size * glm::vec3(0.3F, 0.8F, 1.6F), .target = {0.0F, 0.1F * size, 0.0F}}, 1e-3F * size, 93,
             61);
    }
    expect_explained();
}

// Triangles that reach from behind the eye far beyond it, close below: the device rounds the corners that the near
// plane makes.
TEST_F(Raster, TrianglesThatTheNearPlaneCuts) {
    for (const float far : {4.0F, 60.0F}) {
        scene::ImportedScene scene;
        scene.scene.materials.emplace_back();
        scene::SourceMesh floor =
            make_quad({-0.43F * far, 0.0F, 0.57F * far}, {far, 0.0F, 0.05F * far}, {0.07F * far, 0.0F, -1.3F * far});
        place(scene, add_mesh(scene, std::move(floor), 0), glm::mat4(1.0F));
        bench_.set_scene(encode(std::move(scene)));
        for (const float near_plane : {1e-3F, 1e-2F}) {
            for (const float height : {0.7F, 2.0F, 9.0F}) {
                look({},
                     {.eye = {0.2F, height * near_plane, 1.1F}, .target = {0.37F, -0.3F, 0.2F}, .fov_degrees = 80.0F},
                     near_plane, 151, 107);
            }
        }
    }
    expect_explained();
}

// A floor that is `far` wide, below the origin.
scene::EncodedScene make_floor(float far) {
    scene::ImportedScene scene;
    scene.scene.materials.emplace_back();
    scene::SourceMesh floor =
        make_quad({-0.43F * far, 0.0F, 0.57F * far}, {far, 0.0F, 0.05F * far}, {0.07F * far, 0.0F, -1.3F * far});
    place(scene, add_mesh(scene, std::move(floor), 0), glm::mat4(1.0F));
    return encode(std::move(scene));
}

render::CameraPose above_floor(float height) {
    return {.eye = {0.2F, height, 1.1F}, .target = {0.37F, height - 0.3F, 0.2F}, .fov_degrees = 80.0F};
}

// Whatever the floor's size, and however near the plane that cuts it: what the device rounds is no mistake.
TEST_F(Raster, FloorsOfEverySizeFromEveryNearPlane) {
    for (const float far : {4.0F, 60.0F, 600.0F, 3000.0F, 30000.0F}) {
        bench_.set_scene(make_floor(far));
        for (const float near_plane : {1e-4F, 1e-3F, 1e-2F, 0.3F}) {
            for (const float height : {0.7F * near_plane, 2.0F * near_plane, 9.0F * near_plane, 1.6F}) {
                SCOPED_TRACE(testing::Message() << far << " from " << height << ", near " << near_plane);
                seen_ = {};
                look({}, above_floor(height), near_plane, 151, 107);
                EXPECT_EQ(seen_.wrong, 0U);
                EXPECT_GT(seen_.covered, seen_.pixels / 10);
                // Of those that lie far enough away for the device to draw them rightly, few.
                if (height > 1e-3F * far) {
                    EXPECT_LE(seen_.edge + seen_.depth, seen_.covered / 200);
                }
            }
        }
    }
}

// Pictures from another height, and from further aside, are noticed however large the floor is: most of the first, and
// where the floor's two triangles meet.
TEST_F(Raster, NoticesMistakesOnFloorsOfEverySize) {
    constexpr float kHeight = 1.6F;
    FrameSettings settings;
    settings.backend = Backend::kRaster;
    for (const float far : {60.0F, 600.0F, 3000.0F}) {
        SCOPED_TRACE(far);
        scene::ImportedScene scene;
        scene.scene.materials.emplace_back();
        scene::SourceMesh floor = make_quad({-0.5F * far, 0.0F, 0.5F * far}, {far, 0.0F, 0.0F}, {0.0F, 0.0F, -far});
        place(scene, add_mesh(scene, std::move(floor), 0), glm::mat4(1.0F));
        bench_.set_scene(encode(std::move(scene)));
        const auto wrong_from = [&](const render::CameraPose& pose) {
            const render::Picture picture = bench_.shoot(settings, above_floor(kHeight), 1e-3F, 151, 107).picture;
            const std::uint64_t wrong = bench_.ambiguous(pose, 1e-3F, 151, 107).raster.value().wrong_pixels;
            return static_cast<double>(wrong) / (coverage(picture) * 151.0 * 107.0);
        };
        EXPECT_EQ(wrong_from(above_floor(kHeight)), 0.0);
        EXPECT_GT(wrong_from(above_floor(1.2F * kHeight)), 0.9);
        render::CameraPose aside = above_floor(kHeight);
        aside.eye.x += 1.0F;
        aside.target.x += 1.0F;
        EXPECT_GT(wrong_from(aside), 0.001);
    }
}

}  // namespace
}  // namespace sublet::test::raster_test
