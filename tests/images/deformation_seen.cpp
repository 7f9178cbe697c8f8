// What no view may see is not deformed, until one may; what shares its vertices is deformed once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "deformed.h"
#include "harness.h"
#include "mesh/morphs.h"
#include "mesh/sizes.h"
#include "motion.h"
#include "render/scene/distinct_vertices.h"
#include "render/settings/backend_info.h"
#include "shapes.h"

namespace sublet::test::deformation_seen_test {
namespace {

using render::Backend;
using render::CameraPose;

// To the bit.
template <class T>
bool same(const T& a, const T& b) {
    using Bits = std::array<std::uint32_t, sizeof(T) / sizeof(std::uint32_t)>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

// The same vertices have one number, and no others have it.
TEST(DistinctVertices, AreThoseThatDiffer) {
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    std::size_t shared_vertices = 0, morphed = 0;
    for (std::uint32_t m = 0; m < scene.geometry.meshes.size(); ++m) {
        const mesh::MeshView view = mesh::mesh_view(scene.geometry, m);
        if (!mesh::deforms(*view.header)) continue;
        const mesh::MeshArrays arrays = mesh::decode(view, false);
        const render::DistinctVertices vertices = render::find_distinct_vertices(view);
        ASSERT_EQ(vertices.numbers.size(), arrays.positions.size());
        if (view.morph != nullptr) {
            EXPECT_EQ(vertices.distinct.size(), vertices.numbers.size());
            ++morphed;
        }
        const auto alike = [&](std::size_t a, std::size_t b) {
            const auto equal = [&](const auto& values) { return values.empty() || values[a] == values[b]; };
            return equal(arrays.positions) && equal(arrays.normals) && equal(arrays.tangents) && equal(arrays.joints) &&
                   equal(arrays.weights) && equal(arrays.joints1) && equal(arrays.weights1);
        };
        for (std::size_t v = 0; v < vertices.numbers.size(); ++v) {
            ASSERT_LT(vertices.numbers[v], vertices.distinct.size());
            const shared::DistinctVertex& first = vertices.distinct[vertices.numbers[v]];
            ASSERT_TRUE(alike(first.vertex, v));
            ASSERT_EQ(vertices.numbers[first.vertex], vertices.numbers[v]);
            shared_vertices += first.vertex != v ? 1 : 0;
            if (view.morph != nullptr) continue;
            const mesh::SubletPlace sublet = mesh::sublet_place(view, first.place / shared::kSubletSize);
            ASSERT_EQ(sublet.first_vertex + first.place % shared::kSubletSize, first.vertex);
        }
        if (view.morph != nullptr) {
            std::size_t next = 0;
            for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
                const mesh::SubletMorphs morphs(view, s);
                for (std::uint32_t v = 0; v < morphs.vertices(); ++v) {
                    ASSERT_EQ(vertices.distinct[next++].place, morphs.place(v));
                }
            }
            continue;
        }
        for (std::size_t a = 0; a < vertices.distinct.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                ASSERT_FALSE(alike(vertices.distinct[a].vertex, vertices.distinct[b].vertex));
            }
        }
    }
    EXPECT_GT(shared_vertices, 100U);
    EXPECT_GT(morphed, 0U);
}

TEST(DeformationSeen, OnlyThatIsDeformed) {
    Bench bench;
    const scene::EncodedScene scene = encode(make_deforming_shapes());
    const auto gpu_scene = render::upload_scene(bench.device(), scene, {});
    const Deformed expected = deform_by_gpu(bench, *gpu_scene, 0.8);
    const auto other = render::upload_scene(bench.device(), scene, {});
    Deformer deformer(bench, *other);
    deformer.pose(0.8);
    const auto expect_deformed = [&](const Deformed& is, std::size_t m) {
        for (std::uint32_t v = 0; v < is.headers[m].vertex_count; ++v) {
            ASSERT_TRUE(same(vertex_of(is, m, v), vertex_of(expected, m, v)));
        }
        EXPECT_TRUE(same(is.headers[m].sphere, expected.headers[m].sphere));
    };
    std::vector<std::uint32_t> before(expected.meshes.size(), 0);
    std::size_t steps = 0;
    // A plane that comes nearer: each time it passes more of them.
    for (const float x : {5.0F, 3.0F, 1.0F, -1.0F, -3.0F, -20.0F}) {
        deformer.within({1.0F, 0.0F, 0.0F, -x});
        const Deformed is = deformer.read();
        std::size_t deformed = 0;
        for (std::size_t m = 0; m < is.meshes.size(); ++m) {
            if (before[m] != 0) {
                EXPECT_EQ(is.rounds[m], before[m]) << "deformed twice";
            }
            if (is.rounds[m] != 0) {
                expect_deformed(is, m);
                ++deformed;
                continue;
            }
            for (std::uint32_t v = 0; v < is.headers[m].vertex_count; ++v) {  // its instances have no transform
                ASSERT_LT(position_of(expected, m, v).x, x);
            }
        }
        steps += deformed > 0 && deformed < is.meshes.size() ? 1 : 0;
        before = is.rounds;
    }
    EXPECT_GE(steps, 2U);
    EXPECT_EQ(std::count(before.begin(), before.end(), 0U), 0);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Cameras turn about while nothing moves: each sees more that is yet to be deformed.
TEST(DeformationSeen, CamerasOfOnePose) {
    Bench bench;
    bench.set_scene(encode(make_deforming_shapes()));
    std::vector<CameraPose> cameras;
    for (int i = 0; i < 6; ++i) {
        const float angle = 1.1F * static_cast<float>(i);
        cameras.push_back(
            {.eye = {0.0F, 0.5F, 0.0F}, .target = {std::cos(angle), 0.3F, std::sin(angle)}, .fov_degrees = 35.0F});
    }
    double time = 0.2;
    for (const Backend backend : {Backend::kMdi, Backend::kCompact, Backend::kRaster, Backend::kMeshIndirect}) {
        if (render::backend_unavailable(backend, bench.device().capabilities(), bench.renderer().facts())) continue;
        render::FrameSettings settings;
        settings.backend = backend;
        bench.renderer().set_time(time += 0.3);
        std::vector<Bench::Shot> shots;
        for (const CameraPose& camera : cameras) {
            shots.push_back(bench.shoot(settings, camera, kNear, kWidth, kHeight, 2));
        }
        std::size_t rounds = 0;
        for (const render::FrameResult& result : bench.renderer().take_results()) {
            for (const gpu::PassTime& pass : result.times.passes) rounds += pass.name == "deform" ? 1 : 0;
        }
        EXPECT_GE(rounds, cameras.size()) << "what was to be tried was not";
        double covered = 0.0;
        for (std::size_t i = 0; i < cameras.size(); ++i) {
            expect_exact(against_reference(bench, shots[i].picture, cameras[i], backend),
                         "camera " + std::to_string(i));
            covered = std::max(covered, coverage(shots[i].picture));
        }
        EXPECT_GT(covered, 0.1);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::deformation_seen_test
