// Projected bounds hold all that they bound, as the vertex function places it, and little more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>

#include "random_bounds.h"
#include "render/view/hiz_layout.h"
#include "shader.h"
#include "vertex.h"

namespace sublet::test {
namespace {

using namespace glsl::occlusion;

constexpr std::size_t kCameras = 20000 / kSanitizerDivisor;
constexpr std::size_t kBounds = 100;
constexpr std::size_t kPoints = 6;

// Pixels by which a vertex may leave the projected bound: what divisions and the viewport transform round, far below
// kPixelSlack. Only near the window: elsewhere nothing is drawn.
constexpr double kPixels = 0.02;

struct Tally {
    std::size_t bounds = 0, projected = 0, points = 0, on_screen = 0, outside = 0, nearer = 0;
    double furthest = 0.0;  // pixels outside
    double nearest = 0.0;   // depth in excess, as a part of the slack

    void add(const Camera& camera, const ProjectedBound& bound, const glm::vec4& clip) {
        ++points;
        if (!(clip.w > 0.0F)) {
            ++nearer;
            return;
        }
        const float depth = clip.z / clip.w;
        const double excess = camera.view.orthographic
                                  ? (static_cast<double>(depth) - bound.depth) / kOrthographicSlack
                                  : (static_cast<double>(depth) / bound.depth - 1.0) / (kPerspectiveSlack - 1.0F);
        nearest = std::max(nearest, excess);
        nearer += excess > 0.5 ? 1 : 0;
        const glm::dvec2 size(camera.width, camera.height);
        const glm::dvec2 window = (0.5 + 0.5 * glm::dvec2(clip) / static_cast<double>(clip.w)) * size;
        if (window.x < -1.0 || window.y < -1.0 || window.x > size.x + 1.0 || window.y > size.y + 1.0) return;
        ++on_screen;
        const double away = std::max(
            {bound.low.x - window.x, bound.low.y - window.y, window.x - bound.high.x, window.y - bound.high.y});
        furthest = std::max(furthest, away);
        outside += away > kPixels ? 1 : 0;
    }
};

void report(const char* what, const Tally& t) {
    std::printf(
        "%s: %zu of %zu projected; %zu points, %zu of them on screen; at most %.4f pixels outside, %.3f of the "
        "depth slack used\n",
        what, t.projected, t.bounds, t.points, t.on_screen, t.furthest, t.nearest);
    EXPECT_EQ(t.outside, 0U);
    EXPECT_EQ(t.nearer, 0U);
    EXPECT_GT(t.projected, t.bounds / 4);
    EXPECT_LT(t.projected, t.bounds - t.bounds / 20);
    EXPECT_GT(t.on_screen, t.points / 4);
}

TEST(Projection, SpheresHoldTheirVertices) {
    Random random(1);
    Tally tally;
    for (std::size_t c = 0; c < kCameras; ++c) {
        const Camera camera = random_camera(random, 4096);
        const OcclusionView view =
            make_occlusion_view(camera.view, render::make_hiz_layout(camera.width, camera.height, 1U << 30), 8);
        for (std::size_t i = 0; i < kBounds; ++i) {
            const Bound b = random_bound(random, camera);
            const glm::vec4 sphere = world_sphere(b.transform.data(), b.scale, b.sphere);
            ProjectedBound projected;
            ++tally.bounds;
            if (!project_sphere(view, glm::vec3(sphere), sphere.w, projected)) continue;
            ++tally.projected;
            for (std::size_t p = 0; p < kPoints; ++p) {
                // On the surface, most of all towards the silhouette; rounded inwards.
                const double radius = b.sphere.w * (1.0 - 1e-6) - 1e-7 * glm::length(glm::vec3(b.sphere));
                if (radius <= 0.0) continue;
                const glm::vec3 vertex(glm::dvec3(b.sphere) + radius * random_direction(random));
                tally.add(camera, projected, clip_position(camera.view, b.transform, vertex));
            }
        }
    }
    report("spheres", tally);
}

TEST(Projection, BoxesHoldTheirVertices) {
    Random random(2);
    Tally tally;
    for (std::size_t c = 0; c < kCameras; ++c) {
        const Camera camera = random_camera(random, 4096);
        const OcclusionView view =
            make_occlusion_view(camera.view, render::make_hiz_layout(camera.width, camera.height, 1U << 30), 8);
        for (std::size_t i = 0; i < kBounds; ++i) {
            const Bound b = random_bound(random, camera);
            ProjectedBound projected;
            ++tally.bounds;
            if (!project_box(view, b.transform.data(), b.low, b.high, projected)) continue;
            ++tally.projected;
            for (std::size_t p = 0; p < kPoints; ++p) {
                glm::vec3 vertex;
                for (int k = 0; k < 3; ++k) {  // corners as a rule
                    vertex[k] = random() % 4 != 0 ? (random() % 2 == 0 ? b.low[k] : b.high[k])
                                                  : std::clamp(static_cast<float>(uniform(random, b.low[k], b.high[k])),
                                                               b.low[k], b.high[k]);
                }
                tally.add(camera, projected, clip_position(camera.view, b.transform, vertex));
            }
        }
    }
    report("boxes", tally);
}

// Bounds that lie between pixel centres, and vertices on them, moved by all that a device may: none spans a centre in x
// and one in y. `slack`: of the bounds, as a part of what it should be.
struct Between {
    std::size_t bounds = 0, missing = 0, wrong = 0;
};

Between look_between_centers(float slack, std::size_t cameras) {
    Random random(11);
    Between out;
    for (std::size_t c = 0; c < cameras; ++c) {
        const Camera camera = random_camera(random, 4096);
        const std::uint32_t bits = c % 2 == 0 ? 4 : 8;
        OcclusionView view =
            make_occlusion_view(camera.view, render::make_hiz_layout(camera.width, camera.height, 1U << 30), bits);
        const double moved = std::exp2(-static_cast<double>(bits));  // a step of the device's grid
        view.magnitude.y *= slack;
        for (std::size_t i = 0; i < kBounds; ++i) {
            Bound b = random_bound(random, camera);
            b.transform = {glm::vec4(1, 0, 0, 0), glm::vec4(0, 1, 0, 0), glm::vec4(0, 0, 1, 0)};
            b.scale = 1.0F;
            // A pixel or two wide, somewhere in the view.
            const glm::dvec3 at = glm::dvec3(camera.view.eye) +
                                  (camera.view.near_plane + log_uniform(random, 0.01, 3.0) * camera.distance) *
                                      (glm::dvec3(camera.view.forward) + 0.3 * random_direction(random));
            const glm::vec4 center = clip_position(camera.view, b.transform, glm::vec3(at));
            const double pixel = (camera.view.orthographic ? 1.0 : center.w) /
                                 static_cast<double>(std::max(view.window.x, view.window.y));
            b.sphere = glm::vec4(glm::vec3(at), static_cast<float>(pixel * log_uniform(random, 0.02, 1.0)));
            const glm::vec4 sphere = world_sphere(b.transform.data(), b.scale, b.sphere);
            ++out.bounds;
            if (!sphere_misses_centers(view, glm::vec3(sphere), sphere.w)) continue;
            ++out.missing;
            glm::dvec2 low(1e9);
            glm::dvec2 high(-1e9);
            for (std::size_t p = 0; p < 24; ++p) {
                const double radius = b.sphere.w * (1.0 - 1e-6) - 1e-7 * glm::length(glm::vec3(b.sphere));
                if (radius <= 0.0) continue;
                const glm::vec3 vertex(glm::dvec3(b.sphere) + radius * random_direction(random));
                const glm::vec4 clip = clip_position(camera.view, b.transform, vertex);
                const glm::dvec2 size(camera.width, camera.height);
                const glm::dvec2 window = (0.5 + 0.5 * glm::dvec2(clip) / static_cast<double>(clip.w)) * size;
                low = glm::min(low, window - moved);
                high = glm::max(high, window + moved);
            }
            const glm::dvec2 first = glm::ceil(low - 0.5);
            const glm::dvec2 last = glm::floor(high - 0.5);
            out.wrong += last.x >= first.x && last.y >= first.y ? 1 : 0;
        }
    }
    return out;
}

TEST(Projection, BoundsBetweenPixelCentresCoverNone) {
    const Between all = look_between_centers(1.0F, kCameras / 4);
    std::printf("%zu of %zu bounds lie between pixel centres, %zu wrongly\n", all.missing, all.bounds, all.wrong);
    EXPECT_EQ(all.wrong, 0U);
    EXPECT_GT(all.missing * 10, all.bounds);
    EXPECT_LT(all.missing * 10, all.bounds * 9);
    EXPECT_GT(look_between_centers(0.2F, kCameras / 4).wrong, 0U) << "too little slack goes unnoticed";
}

// The window range of a sphere along one axis, in double: tangents by angles. `axis` 0 or 1.
glm::dvec2 exact_range(const OcclusionView& view, const glm::dvec3& v, double r, int axis) {
    const double scale = axis == 0 ? view.window.x : view.window.y;
    const double bias = axis == 0 ? view.window.z : view.window.w;
    if (view.depth.w != 0.0F) return glm::dvec2(v[axis] - r, v[axis] + r) * scale + bias;
    const double angle = std::atan2(v[axis], v.z);
    const double half = std::asin(r / std::hypot(v[axis], v.z));
    return glm::dvec2(std::tan(angle - half), std::tan(angle + half)) * scale + bias;
}

glm::dvec3 exact_view_position(const OcclusionView& view, const glm::dvec3& p) {
    glm::dvec3 out;
    for (int i = 0; i < 3; ++i) {
        const shared::vec4& r = view.rows[i];
        out[i] = r.x * p.x + r.y * p.y + r.z * p.z + static_cast<double>(r.w);
    }
    return out;
}

// Between the sphere's own range and that of one grown by twice the slack; and the near plane is where it is.
TEST(Projection, SpheresAreTight) {
    Random random(3);
    std::size_t projected = 0;
    std::size_t near = 0;
    double worst_ratio = 1.0;
    for (std::size_t c = 0; c < kCameras; ++c) {
        const Camera camera = random_camera(random, 4096);
        const OcclusionView view =
            make_occlusion_view(camera.view, render::make_hiz_layout(camera.width, camera.height, 1U << 30), 8);
        for (std::size_t i = 0; i < kBounds; ++i) {
            const Bound b = random_bound(random, camera);
            const glm::vec4 sphere = world_sphere(b.transform.data(), b.scale, b.sphere);
            const glm::dvec3 v = exact_view_position(view, glm::dvec3(sphere));
            const double magnitude =
                glm::length(glm::dvec3(sphere)) * 1.8 + sphere.w + static_cast<double>(view.magnitude.x);
            const double grown = sphere.w + 2.0 * kViewSlack * magnitude;
            ProjectedBound bound;
            const bool accepted = project_sphere(view, glm::vec3(sphere), sphere.w, bound);
            if (v.z - sphere.w <= view.depth.x) {
                EXPECT_FALSE(accepted);
                ++near;
            }
            if (v.z - grown > view.depth.x) {
                EXPECT_TRUE(accepted);
            }
            if (!accepted || v.z - grown <= view.depth.x) continue;
            ++projected;
            double area = 1.0;
            double exact_area = 1.0;
            for (int axis = 0; axis < 2; ++axis) {
                const glm::dvec2 least = exact_range(view, v, sphere.w, axis);
                const glm::dvec2 most = exact_range(view, v, grown, axis);
                const double low = bound.low[axis];
                const double high = bound.high[axis];
                const double rounding = 1e-3 + 1e-5 * std::max(std::abs(low), std::abs(high));
                ASSERT_LE(low, least.x + rounding);
                ASSERT_GE(high, least.y - rounding);
                ASSERT_GE(low, most.x - rounding);
                ASSERT_LE(high, most.y + rounding);
                area *= high - low;
                exact_area *= least.y - least.x;
            }
            // Where the slack is small against the sphere, so is the area's excess.
            if (grown < 1.001 * sphere.w && v.z - sphere.w > 0.1 * sphere.w && exact_area > 4.0) {
                worst_ratio = std::max(worst_ratio, area / exact_area);
            }
            const double exact_depth =
                view.depth.w != 0.0F ? view.depth.y + view.depth.z * (v.z - sphere.w) : view.depth.x / (v.z - sphere.w);
            const double grown_depth =
                view.depth.w != 0.0F ? view.depth.y + view.depth.z * (v.z - grown) : view.depth.x / (v.z - grown);
            ASSERT_GE(bound.depth, exact_depth - 1e-6 * std::abs(exact_depth));
            ASSERT_LE(bound.depth, grown_depth + 1e-6 * std::abs(grown_depth));
        }
    }
    std::printf("%zu spheres: area at most %.4f of the exact one; %zu at the near plane\n", projected, worst_ratio,
                near);
    EXPECT_GT(projected, kCameras * kBounds / 4);
    EXPECT_GT(near, kCameras * kBounds / 20);
    EXPECT_LT(worst_ratio, 1.05);
}

// Boxes: the exact range of their corners, but for the slack.
TEST(Projection, BoxesAreTight) {
    Random random(4);
    std::size_t compared = 0;
    double worst_ratio = 1.0;
    for (std::size_t c = 0; c < kCameras; ++c) {
        const Camera camera = random_camera(random, 4096);
        const OcclusionView view =
            make_occlusion_view(camera.view, render::make_hiz_layout(camera.width, camera.height, 1U << 30), 8);
        for (std::size_t i = 0; i < kBounds / 4; ++i) {
            const Bound b = random_bound(random, camera);
            ProjectedBound bound;
            if (!project_box(view, b.transform.data(), b.low, b.high, bound)) continue;
            glm::dvec2 low(1e300);
            glm::dvec2 high(-1e300);
            double nearest = 1e300;
            for (unsigned k = 0; k < 8; ++k) {
                const glm::dvec4 corner((k & 1U) != 0 ? b.high.x : b.low.x, (k & 2U) != 0 ? b.high.y : b.low.y,
                                        (k & 4U) != 0 ? b.high.z : b.low.z, 1.0);
                glm::dvec3 world;
                for (int row = 0; row < 3; ++row) {
                    world[row] = glm::dot(glm::dvec4(b.transform[static_cast<std::size_t>(row)]), corner);
                }
                const glm::dvec3 v = exact_view_position(view, world);
                const glm::dvec2 m = view.depth.w != 0.0F ? glm::dvec2(v) : glm::dvec2(v) / v.z;
                const glm::dvec2 w =
                    m * glm::dvec2(view.window.x, view.window.y) + glm::dvec2(view.window.z, view.window.w);
                low = glm::min(low, w);
                high = glm::max(high, w);
                nearest = std::min(nearest, v.z);
            }
            // The box as large against the slack as above.
            const glm::dvec2 size = high - low;
            double magnitude = view.magnitude.x;
            for (const glm::vec4& row : b.transform) {
                magnitude +=
                    std::abs(row.w) + glm::dot(glm::abs(glm::vec3(row)), glm::max(glm::abs(b.low), glm::abs(b.high)));
            }
            const double slack = 2.0 * kViewSlack * magnitude;
            if (nearest < 100.0 * slack || size.x * size.y < 4.0) continue;
            const double away = std::max({std::abs(low.x), std::abs(low.y), std::abs(high.x), std::abs(high.y)}) +
                                std::max(view.window.z, view.window.w);
            const glm::dvec2 spread =
                view.depth.w != 0.0F ? slack * glm::dvec2(view.window.x, view.window.y)
                                     : slack * (glm::dvec2(view.window.x, view.window.y) + away) / (0.98 * nearest);
            for (int axis = 0; axis < 2; ++axis) {
                const double rounding = 1e-3 + 1e-5 * away;
                ASSERT_LE(bound.low[axis], low[axis] + rounding);
                ASSERT_GE(bound.high[axis], high[axis] - rounding);
                ASSERT_GE(bound.low[axis], low[axis] - spread[axis] - rounding);
                ASSERT_LE(bound.high[axis], high[axis] + spread[axis] + rounding);
            }
            ++compared;
            if (spread.x + spread.y < 1e-3 * std::min(size.x, size.y)) {
                const glm::dvec2 actual(bound.high - bound.low);
                worst_ratio = std::max(worst_ratio, actual.x * actual.y / (size.x * size.y));
            }
        }
    }
    std::printf("%zu boxes: area at most %.4f of the exact one\n", compared, worst_ratio);
    EXPECT_GT(compared, kCameras * kBounds / 40);
    EXPECT_LT(worst_ratio, 1.05);
}

// What is no number, or beyond every number, is never culled.
TEST(Projection, HostileBoundsAreKept) {
    Random random(5);
    const float nan = std::nanf("");
    const float infinity = INFINITY;
    for (int i = 0; i < 200; ++i) {
        const Camera camera = random_camera(random, 64);
        const auto layout = render::make_hiz_layout(camera.width, camera.height, 1U << 30);
        const OcclusionView view = make_occlusion_view(camera.view, layout, 8);
        const std::vector<float> pyramid(static_cast<std::size_t>(render::hiz_float_count(layout)), 1.0F);
        bound_pyramid = pyramid;
        const glm::vec3 ahead = camera.view.eye + static_cast<float>(10.0 * camera.distance) * camera.view.forward;
        for (const float bad : {nan, infinity, -infinity, 3e38F}) {
            EXPECT_FALSE(sphere_occluded(view, ahead, std::abs(bad)));
            EXPECT_FALSE(sphere_occluded(view, glm::vec3(bad), 1.0F));
            EXPECT_FALSE(sphere_occluded(view, glm::vec3(ahead.x, bad, ahead.z), 1.0F));
            const Rows rows{glm::vec4(1, 0, 0, ahead.x), glm::vec4(0, 1, 0, ahead.y), glm::vec4(0, 0, 1, ahead.z)};
            const Rows bad_rows{glm::vec4(bad), rows[1], rows[2]};
            EXPECT_FALSE(box_occluded(view, rows.data(), glm::vec3(-1.0F), glm::vec3(bad)));
            EXPECT_FALSE(box_occluded(view, bad_rows.data(), glm::vec3(-1), glm::vec3(1)));
        }
    }
}

}  // namespace
}  // namespace sublet::test
