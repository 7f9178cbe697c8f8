// The exactness contract: every way of drawing gives the picture of direct draws with all culling off.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "harness.h"
#include "shapes.h"

namespace sublet::test::exactness_test {
namespace {

struct Size {
    std::uint32_t width, height;
};

struct Camera {
    render::CameraPose pose;
    float near_plane;
};

// Around the shapes, inside geometry, grazing it, and far away.
std::vector<Camera> shape_cameras() {
    std::vector<Camera> out;
    for (int i = 0; i < 6; ++i) {
        const float angle = 1.1F * static_cast<float>(i);
        const float distance = 4.0F + 1.5F * static_cast<float>(i % 3);
        out.push_back({{.eye = {distance * std::cos(angle), 2.0F * std::sin(2.0F * angle), distance * std::sin(angle)},
                        .target = {0.0F, 0.0F, 0.0F}},
                       0.05F});
    }
    out.push_back({{.eye = {0.05F, 0.1F, 0.0F}, .target = {1.0F, 0.2F, 0.4F}, .fov_degrees = 90.0F}, 0.01F});
    out.push_back({{.eye = {2.3F, 0.0F, 0.0F}, .target = {0.0F, 0.3F, 0.0F}, .fov_degrees = 100.0F}, 0.4F});
    out.push_back({{.eye = {-2.3F, 2.3F, 2.3F}, .target = {-2.3F, 2.3F, 0.0F}, .fov_degrees = 60.0F}, 0.001F});
    out.push_back({{.eye = {0.0F, 0.8F, 3.0F}, .target = {0.0F, 0.8F, 0.0F}, .fov_degrees = 75.0F}, 1.0F});
    return out;
}

std::vector<Camera> builtin_cameras(const scene::EncodedScene& scene) {
    std::vector<Camera> out;
    const std::vector<glm::mat4> world = scene::world_transforms(scene.scene);
    for (std::size_t i = 0; i < scene.scene.nodes.size(); ++i) {
        const int camera = scene.scene.nodes[i].camera;
        if (camera < 0) {
            continue;
        }
        const glm::vec3 eye(world[i][3]);
        out.push_back({{.eye = eye, .target = eye - glm::vec3(world[i][2]), .fov_degrees = 60.0F}, 0.05F});
    }
    return out;
}

render::FrameSettings mdi(bool instances, bool frustum, bool cone, bool occlusion = false) {
    render::FrameSettings settings;
    settings.backend = render::Backend::kMdi;
    settings.cull_instances = instances;
    settings.cull_frustum = frustum;
    settings.cull_cone = cone;
    settings.cull_occlusion = occlusion;
    return settings;
}

void expect_same(Bench& bench, const render::FrameSettings& settings, const Camera& camera, Size size,
                 const Bench::Shot& reference, const render::AmbiguousPixels& ambiguous, const std::string& what) {
    const Bench::Shot shot = bench.shoot(settings, camera.pose, camera.near_plane, size.width, size.height, 2);
    const Difference difference = compare(reference.picture, shot.picture, ambiguous);
    EXPECT_EQ(difference.depth, 0U) << what;
    EXPECT_EQ(difference.color, 0U) << what;
    // The ambiguous pixels are ambiguous pixels: a handful of a picture, not a licence.
    EXPECT_LE(ambiguous.snapped_faces, 2 + reference.picture.depth.size() / 200) << what;
    if (difference.depth + difference.color != 0) {
        save(reference.picture, "reference");
        save(shot.picture, "picture");
    }
}

void run_cameras(Bench& bench, const std::vector<Camera>& cameras, const std::vector<Size>& sizes,
                 double least_coverage) {
    double covered = 0.0;
    std::uint64_t meshlets_drawn = 0;
    std::uint64_t meshlets_all = 0;
    for (std::size_t i = 0; i < cameras.size(); ++i) {
        const Camera& camera = cameras[i];
        const Size size = sizes[i % sizes.size()];
        const Bench::Shot reference = bench.reference(camera.pose, camera.near_plane, size.width, size.height);
        const render::AmbiguousPixels ambiguous =
            bench.ambiguous(camera.pose, camera.near_plane, size.width, size.height);
        covered += coverage(reference.picture) / static_cast<double>(cameras.size());
        EXPECT_EQ(reference.counters.instances_visible, reference.counters.instances);
        EXPECT_GT(reference.counters.primitives_drawn, 0U);
        const std::string what = "camera " + std::to_string(i);

        render::FrameSettings direct;
        direct.backend = render::Backend::kDirect;
        expect_same(bench, direct, camera, size, reference, ambiguous, what + ", direct culled");
        // None, all, and with occlusion; of the others one a camera, in turn: the exactness program tries each at all.
        for (const int mask : {0, 1 + static_cast<int>(i % 6), 7, 15}) {
            const render::FrameSettings settings =
                mdi((mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0, (mask & 8) != 0);
            expect_same(bench, settings, camera, size, reference, ambiguous, what + ", mdi " + std::to_string(mask));
            const render::Counters& counters = bench.renderer().counters();
            if (mask == 0) {
                EXPECT_EQ(counters.primitives_drawn, reference.counters.primitives_drawn) << what;
                meshlets_all += counters.meshlets_drawn_phase1;
            }
            if (mask == 7) {
                meshlets_drawn += counters.meshlets_drawn_phase1;
            }
        }
    }
    EXPECT_GE(covered, least_coverage) << "blank pictures prove nothing";
    EXPECT_GT(meshlets_drawn, 0U);
    EXPECT_LT(meshlets_drawn, meshlets_all) << "nothing was culled: the test proves nothing";
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Exactness, Shapes) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    run_cameras(bench, shape_cameras(), {{160, 120}, {61, 33}, {129, 97}, {7, 5}, {1, 1}}, 0.2);
}

TEST(Exactness, BuiltinScene) {
    Bench bench;
    bench.set_scene(encode(scene::make_builtin_scene()));
    const std::vector<Camera> cameras = builtin_cameras(bench.scene());
    ASSERT_FALSE(cameras.empty());
    run_cameras(bench, cameras, {{161, 91}, {96, 64}}, 0.5);
}

TEST(Exactness, Orthographic) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    render::FrameSettings settings = mdi(true, true, true);
    settings.projection = render::Projection::kOrthographic;
    render::FrameSettings plain;
    plain.backend = render::Backend::kDirect;
    plain.cull_instances = plain.cull_frustum = plain.cull_cone = false;
    plain.projection = render::Projection::kOrthographic;
    const render::CameraPose pose{.eye = {5.0F, 3.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}};
    const Bench::Shot reference = bench.shoot(plain, pose, 0.1F, 120, 90);
    const Bench::Shot shot = bench.shoot(settings, pose, 0.1F, 120, 90);
    EXPECT_GE(coverage(reference.picture), 0.2);
    const float aspect = 120.0F / 90.0F;
    const render::AmbiguousPixels ambiguous = bench.renderer().count_ambiguous_pixels(
        render::make_view(pose, 0.1F, render::Projection::kOrthographic, aspect));
    const Difference difference = compare(reference.picture, shot.picture, ambiguous);
    EXPECT_EQ(difference.depth + difference.color, 0U);
    EXPECT_LT(shot.counters.meshlets_drawn_phase1, shot.counters.meshlets_tested);
}

// Two coplanar quads tie in every pixel they cover, and those pixels, no others, are counted.
TEST(Exactness, TiesAreCounted) {
    Bench bench;
    bench.set_scene(encode(make_coplanar()));
    const render::CameraPose pose{.eye = {0.3F, 0.2F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}};
    const Bench::Shot reference = bench.reference(pose, 0.1F, 64, 48);
    const render::AmbiguousPixels ambiguous = bench.ambiguous(pose, 0.1F, 64, 48);
    const auto covered =
        static_cast<std::uint64_t>(std::lround(coverage(reference.picture) * static_cast<double>(64 * 48)));
    EXPECT_GT(covered, 300U);
    EXPECT_EQ(ambiguous.depth_ties, covered);
    EXPECT_EQ(ambiguous.snapped_faces, 0U);
}

// So do the triangles of two equal instances, to the last one of a mesh whose sublets are not all full.
TEST(Exactness, TiesOfEqualInstancesAreCounted) {
    scene::ImportedScene scene;
    scene.scene.materials.emplace_back();
    // Quads apart: a sublet has room for the vertices of eight, which are half of the triangles that it could have.
    scene::SourceMesh quads;
    for (int i = 0; i < 30; ++i) {
        const glm::vec3 corner(0.5F * static_cast<float>(i % 6) - 1.5F, 0.5F * static_cast<float>(i / 6) - 1.2F, 0.0F);
        const scene::SourceMesh quad = make_quad(corner, {0.45F, 0.0F, 0.0F}, {0.0F, 0.45F, 0.0F});
        const auto first = static_cast<std::uint32_t>(quads.positions.size());
        quads.positions.insert(quads.positions.end(), quad.positions.begin(), quad.positions.end());
        for (const std::uint32_t index : quad.indices) quads.indices.push_back(first + index);
    }
    const int mesh = add_mesh(scene, std::move(quads), 0);
    place(scene, mesh, glm::mat4(1.0F));
    place(scene, mesh, glm::mat4(1.0F));
    Bench bench;
    bench.set_scene(encode(std::move(scene)));
    const shared::MeshHeader& header = bench.scene().geometry.meshes[0];
    ASSERT_GT(header.sublet_count * shared::kSubletSize, header.triangle_count * 3 / 2);
    for (const float angle : {0.0F, 0.4F}) {
        const render::CameraPose pose{.eye = {3.0F * std::sin(angle), 0.5F, 3.0F * std::cos(angle)}, .target = {}};
        const Bench::Shot reference = bench.reference(pose, 0.1F, 96, 64);
        const auto covered =
            static_cast<std::uint64_t>(std::lround(coverage(reference.picture) * static_cast<double>(96 * 64)));
        EXPECT_GT(covered, 1000U);
        EXPECT_EQ(bench.ambiguous(pose, 0.1F, 96, 64).depth_ties, covered);
    }
}

// The comparison must notice a single visible meshlet that is not drawn.
TEST(Exactness, NoticesADroppedMeshlet) {
    Bench bench;
    scene::EncodedScene whole = encode(make_shapes());
    const Camera camera = shape_cameras().front();
    bench.set_scene(whole);
    const Bench::Shot reference = bench.reference(camera.pose, camera.near_plane, 160, 120);
    const render::AmbiguousPixels ambiguous = bench.ambiguous(camera.pose, camera.near_plane, 160, 120);

    // A bound that lies puts the first meshlet outside of every frustum, for the GPU's culling alone.
    auto geometry = std::make_shared<mesh::Geometry>();
    mesh::append(*geometry, whole.geometry);
    geometry->meshlet_bounds[0].sphere.w = -1e6F;
    scene::EncodedScene tampered = whole;
    tampered.geometry = geometry->view();
    tampered.storage = geometry;
    bench.set_scene(tampered);
    const Bench::Shot shot = bench.shoot(mdi(true, true, true), camera.pose, camera.near_plane, 160, 120);
    const Difference difference = compare(reference.picture, shot.picture, ambiguous);
    EXPECT_GT(difference.depth, 0U);
}

// A frozen culling camera culls from where it stood, and a live one does not.
TEST(Exactness, FreezeCulling) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    const std::vector<Camera> cameras = shape_cameras();
    render::FrameSettings settings = mdi(true, true, true);
    settings.freeze_culling = 0;
    const Bench::Shot first = bench.shoot(settings, cameras[8].pose, cameras[8].near_plane, 80, 60);
    const Bench::Shot frozen = bench.shoot(settings, cameras[0].pose, cameras[0].near_plane, 80, 60);
    EXPECT_EQ(frozen.counters.meshlets_drawn_phase1, first.counters.meshlets_drawn_phase1);
    settings.freeze_culling = -1;
    const Bench::Shot live = bench.shoot(settings, cameras[0].pose, cameras[0].near_plane, 80, 60);
    EXPECT_NE(live.counters.meshlets_drawn_phase1, frozen.counters.meshlets_drawn_phase1);
}

}  // namespace
}  // namespace sublet::test::exactness_test
