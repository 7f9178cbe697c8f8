#include "mesh/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mesh/miniball.h"
#include "mesh/recode.h"
#include "mesh/short_bounds.h"
#include "mesh/stream.h"
#include "same_geometry.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

using test::Random;
using Point = std::array<float, 3>;
using Vector = std::array<double, 3>;

Vector minus(const Point& a, const Point& b) {
    return {static_cast<double>(a[0]) - b[0], static_cast<double>(a[1]) - b[1], static_cast<double>(a[2]) - b[2]};
}

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double squared_radius_about(const Vector& center, const std::vector<Point>& points) {
    double worst = 0;
    for (const Point& p : points) {
        const Vector d{p[0] - center[0], p[1] - center[1], p[2] - center[2]};
        worst = std::max(worst, dot(d, d));
    }
    return worst;
}

// Bounds are to the bit what short ones of a compact mesh stand for.
void expect_short(const Geometry& geometry) {
    const std::optional<ShortBounds> bounds = shorten(mesh_view(geometry.view(), 0));
    ASSERT_TRUE(bounds);
    const std::optional<LongBounds> back = lengthen(geometry.meshes, bounds->sublets, bounds->meshlets);
    ASSERT_TRUE(back);
    EXPECT_TRUE(test::same_bytes(back->sublets(), geometry.sublet_bounds));
    EXPECT_TRUE(test::same_bytes(back->meshlets(), geometry.meshlet_bounds));
}

// The smallest ball by descent: the radius about a centre is convex, so a pattern search finds its least value.
double smallest_radius(const std::vector<Point>& points) {
    Vector center{};
    double best = squared_radius_about(center, points);
    for (double step = 1.0; step > 1e-7;) {
        bool improved = false;
        for (int d = 0; d < 27; ++d) {
            const std::array<int, 3> move{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
            const Vector candidate{center[0] + step * move[0], center[1] + step * move[1], center[2] + step * move[2]};
            const double radius = squared_radius_about(candidate, points);
            if (radius < best) {
                best = radius;
                center = candidate;
                improved = true;
            }
        }
        if (!improved) step *= 0.5;
    }
    return std::sqrt(best);
}

TEST(Miniball, IsTheSmallest) {
    Random random(20);
    for (int round = 0; round < 200; ++round) {
        std::vector<Point> points(1 + random.below(40));
        for (Point& p : points) {
            p = {random.uniform(-1, 1), random.uniform(-1, 1), round % 3 == 0 ? 0.25F : random.uniform(-1, 1)};
            if (round % 5 == 0) p = random.direction();
        }
        const Ball ball = smallest_ball(points);
        const double reached = std::sqrt(squared_radius_about(ball.center, points));
        const double least = smallest_radius(points);
        EXPECT_LE(reached, least * (1 + 1e-4) + 1e-6) << points.size() << " points";
    }
}

TEST(Miniball, TakesDegenerateSets) {
    EXPECT_EQ(smallest_ball(std::vector<Point>{{1, 2, 3}}).radius_squared, 0);
    EXPECT_EQ(smallest_ball(std::vector<Point>(50, Point{1, 2, 3})).radius_squared, 0);
    const Ball pair = smallest_ball(std::vector<Point>{{-1, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0.5F, 0, 0}});
    EXPECT_NEAR(pair.radius_squared, 1, 1e-9);
    std::vector<Point> cube;
    for (int i = 0; i < 8; ++i) cube.push_back({i & 1 ? 1.F : -1.F, i & 2 ? 1.F : -1.F, i & 4 ? 1.F : -1.F});
    EXPECT_NEAR(smallest_ball(cube).radius_squared, 3, 1e-5);
}

std::vector<Point> decoded_points(const MeshView& mesh, std::uint32_t sublet) {
    const DecodedSublet decoded = decode_sublet(mesh, sublet);
    std::vector<Point> points;
    for (std::uint32_t v = 0; v < decoded.vertex_count; ++v) {
        points.push_back(dequantize_position(*mesh.header, decoded.positions[v]));
    }
    return points;
}

// As a shader would evaluate it.
bool contains_in_float(const shared::vec4& sphere, const Point& p) {
    const float x = p[0] - sphere.x;
    const float y = p[1] - sphere.y;
    const float z = p[2] - sphere.z;
    return std::sqrt(x * x + y * y + z * z) <= sphere.w;
}

void expect_contained(const MeshView& mesh) {
    const MeshHeader& header = *mesh.header;
    for (std::uint32_t s = 0; s < header.sublet_count; ++s) {
        for (const Point& p : decoded_points(mesh, s)) {
            ASSERT_TRUE(contains_in_float(mesh.sublet_bounds[s].sphere, p)) << "sublet " << s;
            ASSERT_TRUE(contains_in_float(mesh.meshlet_bounds[s / 8].sphere, p)) << "meshlet " << s / 8;
            ASSERT_TRUE(contains_in_float(header.sphere, p));
            ASSERT_TRUE(p[0] >= header.aabb_min.x && p[1] >= header.aabb_min.y && p[2] >= header.aabb_min.z);
            ASSERT_TRUE(p[0] <= header.aabb_max.x && p[1] <= header.aabb_max.y && p[2] <= header.aabb_max.z);
        }
    }
}

TEST(Bounds, ContainEveryDecodedVertex) {
    Random random(21);
    for (int round = 0; round < 60; ++round) {
        test::TestMesh mesh = round % 2 == 0 ? test::make_sphere(3 + random.below(20), 3 + random.below(40))
                                             : test::make_soup(random, 1 + random.below(600));
        // From tiny to huge, near zero and far away, where floats are coarser than the grid.
        const float size = std::ldexp(random.uniform(1, 2), static_cast<int>(random.below(100)) - 50);
        const Point offset{random.uniform(-1, 1) * size, random.uniform(-1, 1) * size * (round % 3 == 0 ? 3e5F : 1.0F),
                           0};
        for (Point& p : mesh.positions) {
            for (std::size_t i = 0; i < 3; ++i) p[i] = p[i] * size + offset[i];
        }
        EncodeOptions options;
        options.position_bits = 4 + static_cast<int>(random.below(18));
        const EncodedMeshes encoded = test::encode_one(mesh, options);
        expect_contained(mesh_view(encoded.geometry.view(), 0));
        expect_short(recode(encoded.geometry.view(), Coding::kCompact));
    }
}

TEST(Bounds, OfLevelsAndFillersAreShort) {
    EncodeOptions options;
    options.levels = Levels::kOn;
    for (const std::uint32_t size : {40U, 100U}) {
        const EncodedMeshes encoded = test::encode_one(test::make_sphere(size, size + 20), options);
        EXPECT_GT(encoded.geometry.meshes[0].coarse_meshlets, 0U);
        expect_short(recode(encoded.geometry.view(), Coding::kCompact));
    }
}

// Floats take one axis in some tens of thousands for as near as its neighbour: what was short once stays so.
TEST(Bounds, OfWhateverAxisAreShort) {
    constexpr std::uint32_t kMeshlets = 400'000;
    Geometry geometry;
    MeshHeader& header = geometry.meshes.emplace_back();
    header.streams_present = shared::kCompactBit;
    header.position_bits = 16;
    header.meshlet_count = kMeshlets;
    header.sublet_count = kMeshlets * shared::kSubletsPerMeshlet;
    ShortBounds bounds;
    std::mt19937 random(1);
    for (std::uint32_t i = 0; i < kMeshlets; ++i) {
        format::ShortMeshletBound& bound = bounds.meshlets.emplace_back();
        bound.radius = 1024;
        bound.cutoff = 1000;
        // Within the border, of which each direction has two points.
        const auto axis = [&] { return static_cast<std::int32_t>(random() % 4093) - 2046; };
        bound.axis = static_cast<std::uint32_t>(axis() & 0xfff) | static_cast<std::uint32_t>(axis() & 0xfff) << 12U;
        bounds.sublets.resize(bounds.sublets.size() + shared::kSubletsPerMeshlet);
    }
    const std::optional<LongBounds> all = lengthen(geometry.meshes, bounds.sublets, bounds.meshlets);
    ASSERT_TRUE(all);
    geometry.sublet_bounds.assign(all->sublets().begin(), all->sublets().end());
    geometry.meshlet_bounds.assign(all->meshlets().begin(), all->meshlets().end());
    expect_short(geometry);
}

TEST(Bounds, OfOlderFilesStayAsTheyAre) {
    Geometry geometry = test::encode_one(test::make_sphere(20, 30)).geometry;
    ASSERT_TRUE(shorten(mesh_view(geometry.view(), 0)));
    geometry.sublet_bounds[3].sphere.x = std::nextafter(geometry.sublet_bounds[3].sphere.x, 2.0F);
    EXPECT_FALSE(shorten(mesh_view(geometry.view(), 0)));
}

TEST(Bounds, ThatAreTooFewAreRefused) {
    const Geometry geometry = test::encode_one(test::make_sphere(20, 30)).geometry;
    const std::optional<ShortBounds> bounds = shorten(mesh_view(geometry.view(), 0));
    ASSERT_TRUE(bounds);
    const std::span sublets(bounds->sublets);
    const std::span meshlets(bounds->meshlets);
    EXPECT_TRUE(lengthen(geometry.meshes, sublets, meshlets));
    EXPECT_FALSE(lengthen(geometry.meshes, sublets.subspan(1), meshlets));
    EXPECT_FALSE(lengthen(geometry.meshes, sublets, meshlets.subspan(1)));
    EXPECT_FALSE(lengthen({}, sublets, meshlets));
    std::vector<MeshHeader> hostile = geometry.meshes;
    hostile[0].sublet_count = ~0U;
    EXPECT_FALSE(lengthen(hostile, sublets, meshlets));
    hostile[0].position_exponent = INT32_MAX;
    hostile[0].position_bits = ~0U;
    hostile[0].sublet_count = geometry.meshes[0].sublet_count;
    EXPECT_TRUE(lengthen(hostile, sublets, meshlets)) << "whatever they say";
}

TEST(Bounds, AreTight) {
    // A flat sheet's triangles share a normal; a closed surface's sphere is its own.
    const EncodedMeshes plane = test::encode_one(test::make_plane(40));
    for (const Bound& bound : plane.geometry.meshlet_bounds) {
        EXPECT_LT(bound.cone.w, 2e-5F);
        EXPECT_NEAR(bound.cone.z, 1, 1e-6F);
    }
    const EncodedMeshes sphere = test::encode_one(test::make_sphere(40, 80));
    EXPECT_NEAR(sphere.geometry.meshes[0].sphere.w, 1, 1e-3F);
    const EncodedMeshes small = test::encode_one(test::make_sphere(3, 4));
    ASSERT_EQ(small.geometry.meshlet_bounds.size(), 1U);
    EXPECT_EQ(small.geometry.meshlet_bounds[0].cone.w, 1.0F) << "normals all around: no cone";
}

// Culling by the cone, in float as a shader does it.
bool culled(const Bound& bound, const Point& eye) {
    const Point d{bound.sphere.x - eye[0], bound.sphere.y - eye[1], bound.sphere.z - eye[2]};
    const float distance = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return d[0] * bound.cone.x + d[1] * bound.cone.y + d[2] * bound.cone.z >= bound.cone.w * distance + bound.sphere.w;
}

bool faces(const std::array<Point, 3>& t, const Point& eye) {
    const Vector normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    return dot(normal, minus(eye, t[0])) > 0;
}

TEST(Bounds, NoConeHidesATriangleThatFacesTheEye) {
    Random random(22);
    std::size_t culled_count = 0;
    std::size_t seen_count = 0;
    for (int round = 0; round < 12; ++round) {
        test::TestMesh mesh =
            round % 3 == 0 ? test::make_plane(12) : test::make_sphere(6 + random.below(30), 6 + random.below(50));
        // Bumps, so that cones of all widths appear.
        const float roughness = 0.02F * static_cast<float>(round);
        for (Point& p : mesh.positions) {
            for (float& x : p) x += random.uniform(-roughness, roughness) * 0.2F;
        }
        const EncodedMeshes encoded = test::encode_one(mesh);
        const MeshView view = mesh_view(encoded.geometry.view(), 0);
        std::vector<std::vector<std::array<Point, 3>>> triangles(view.header->sublet_count);
        for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
            const DecodedSublet decoded = decode_sublet(view, s);
            const std::vector<Point> points = decoded_points(view, s);
            for (std::uint32_t t = 0; t < decoded.triangle_count; ++t) {
                triangles[s].push_back({points[decoded.triangles[t][0]], points[decoded.triangles[t][1]],
                                        points[decoded.triangles[t][2]]});
            }
        }
        for (int n = 0; n < 10000; ++n) {
            Point eye = random.direction();
            // Far, near, and on or inside the surface.
            const float distance = n % 3 == 0 ? random.uniform(0, 1.2F) : n % 3 == 1 ? random.uniform(1, 4) : 1000.0F;
            for (float& x : eye) x *= distance;
            const std::uint32_t s = random.below(view.header->sublet_count);
            const bool sublet_culled = culled(view.sublet_bounds[s], eye);
            const bool meshlet_culled = culled(view.meshlet_bounds[s / 8], eye);
            bool seen = false;
            for (const std::array<Point, 3>& t : triangles[s]) seen = seen || faces(t, eye);
            ASSERT_FALSE(seen && sublet_culled) << "sublet " << s;
            ASSERT_FALSE(seen && meshlet_culled) << "meshlet of sublet " << s;
            culled_count += static_cast<std::size_t>(sublet_culled) + static_cast<std::size_t>(meshlet_culled);
            seen_count += static_cast<std::size_t>(seen);
        }
    }
    // The cones do their work, and there was something to see.
    EXPECT_GT(culled_count, 20000U);
    EXPECT_GT(seen_count, 20000U);
}

}  // namespace
}  // namespace sublet::mesh
