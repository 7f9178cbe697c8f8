// Never a false occlusion, found by brute force over the pixels; and a proof that the tests would find one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <optional>

#include "build_hiz.h"
#include "random_bounds.h"
#include "shader.h"
#include "vertex.h"

namespace sublet::test {
namespace {

using namespace glsl::occlusion;
using render::make_hiz_layout;

// A verdict on a projected bound: bound_occluded() itself, or a mutant of it.
using Verdict = std::function<bool(const OcclusionView&, const ProjectedBound&)>;

// With another level than level_of()'s; the texels of the rectangle's corners are looked up, as ever.
Verdict with_level(const std::function<uint32_t(const HizLayout&, const PixelRect&)>& choose) {
    return [choose](const OcclusionView& view, const ProjectedBound& bound) {
        PixelRect rect;
        if (!pixels_of(view, bound, rect)) return false;
        const uint32_t level = std::clamp(choose(view.hiz, rect), view.hiz.first_level, view.hiz.last_level);
        return strictly_farther(view, bound.depth, farthest_depth(view.hiz, rect, level));
    };
}

uint32_t one_too_fine(const HizLayout& hiz, const PixelRect& rect) {
    return level_of(hiz, rect) - 1;  // clamped to the first level
}

uint32_t floor_of_log2(const HizLayout&, const PixelRect& rect) {
    const glm::uvec2 span = rect.high - rect.low;
    return static_cast<uint32_t>(std::bit_width(std::max({span.x, span.y, 1U})) - 1);
}

// Against the nearest of the footprint instead of the farthest.
bool against_nearest(const OcclusionView& view, const ProjectedBound& bound) {
    PixelRect rect;
    if (!pixels_of(view, bound, rect)) return false;
    const uint32_t level = level_of(view.hiz, rect);
    float nearest = 0.0F;
    for (const uint32_t x : {rect.low.x, rect.high.x}) {
        for (const uint32_t y : {rect.low.y, rect.high.y}) {
            const PixelRect texel{{x, y}, {x, y}};
            nearest = std::max(nearest, farthest_depth(view.hiz, texel, level));
        }
    }
    return strictly_farther(view, bound.depth, nearest);
}

// Occluded when nearer: the comparison turned.
bool turned(const OcclusionView& view, const ProjectedBound& bound) {
    PixelRect rect;
    if (!pixels_of(view, bound, rect)) return false;
    return bound.depth > farthest_depth(view.hiz, rect, level_of(view.hiz, rect));
}

// The rectangle's last pixels forgotten.
bool short_footprint(const OcclusionView& view, const ProjectedBound& bound) {
    ProjectedBound shorter = bound;
    shorter.high = glm::max(bound.low, bound.high - 1.0F);
    return bound_occluded(view, shorter);
}

// Equality counts as farther, and nothing is allowed for rounding.
bool equal_is_farther(const OcclusionView& view, const ProjectedBound& bound) {
    PixelRect rect;
    if (!pixels_of(view, bound, rect)) return false;
    return bound.depth <= farthest_depth(view.hiz, rect, level_of(view.hiz, rect));
}

// A line of sight in world space: through a point of the window, from the eye or, in an orthographic view, from the
// eye's plane; `t` is the view-space distance along the view's direction.
struct Ray {
    glm::dvec3 origin, direction;
};

Ray ray_through(const Camera& camera, const glm::dvec2& window) {
    const render::View& view = camera.view;
    const glm::dvec2 ndc = window / glm::dvec2(camera.width, camera.height) * 2.0 - 1.0;
    const glm::dvec3 xy(ndc.x / static_cast<double>(view.projection[0][0]),
                        ndc.y / static_cast<double>(view.projection[1][1]), 0.0);
    const glm::dvec3 forward(0.0, 0.0, -1.0);
    const glm::dmat3 rotation = glm::transpose(glm::dmat3(view.view));
    const glm::dvec3 translation(view.view[3]);
    const glm::dvec3 origin = view.orthographic ? xy : glm::dvec3(0.0);
    return {rotation * (origin - translation), rotation * (view.orthographic ? forward : forward + xy)};
}

// The nearest t at which the ray is in the sphere (world space), if it is.
std::optional<double> hit_sphere(const Ray& ray, const glm::dvec3& center, double radius) {
    const glm::dvec3 offset = center - ray.origin;
    const double a = glm::dot(ray.direction, ray.direction);
    const double along = glm::dot(offset, ray.direction) / a;
    const glm::dvec3 aside = offset - along * ray.direction;
    const double chord = (radius * radius - glm::dot(aside, aside)) / a;
    if (chord < 0.0) return std::nullopt;
    return along - std::sqrt(chord);
}

// The same for a box under a transform.
std::optional<double> hit_box(const Ray& ray, const Rows& rows, const glm::dvec3& low, const glm::dvec3& high) {
    glm::dmat3 linear;
    glm::dvec3 translation;
    for (int i = 0; i < 3; ++i) {
        const glm::dvec4 row(rows[static_cast<std::size_t>(i)]);
        for (int j = 0; j < 3; ++j) linear[j][i] = row[j];
        translation[i] = row.w;
    }
    const glm::dmat3 inverse = glm::inverse(linear);
    const glm::dvec3 origin = inverse * (ray.origin - translation);
    const glm::dvec3 direction = inverse * ray.direction;
    double first = -std::numeric_limits<double>::infinity();
    double last = -first;
    for (int i = 0; i < 3; ++i) {
        const double a = (low[i] - origin[i]) / direction[i];
        const double b = (high[i] - origin[i]) / direction[i];
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
    }
    if (!(first <= last)) return std::nullopt;
    return first;
}

// The depth of a world-space point, by the view's float matrix.
float depth_of(const Camera& camera, const glm::dvec3& p) {
    constexpr Rows kIdentity{glm::vec4(1, 0, 0, 0), glm::vec4(0, 1, 0, 0), glm::vec4(0, 0, 1, 0)};
    const glm::vec4 clip = clip_position(camera.view, kIdentity, glm::vec3(p));
    return clip.z / clip.w;
}

// How a bound stands to the pixels that it covers, looked at one by one.
struct Truth {
    std::size_t covered = 0;
    bool visible = false;  // a pixel shows it
};

constexpr std::size_t kMostPixels = 600;  // of a bound: all of them, or that many at random

template <typename Hit>
Truth look(const Camera& camera, const std::vector<float>& depths, const ProjectedBound& bound, double slack,
           Random& random, const Hit& hit) {
    Truth truth;
    const glm::dvec2 last(camera.width - 1, camera.height - 1);
    const glm::dvec2 low = glm::clamp(glm::floor(glm::dvec2(bound.low)) - 1.0, glm::dvec2(0.0), last);
    const glm::dvec2 high = glm::clamp(glm::floor(glm::dvec2(bound.high)) + 1.0, glm::dvec2(0.0), last);
    const glm::dvec2 size = high - low + 1.0;
    const bool all = size.x * size.y <= static_cast<double>(kMostPixels);
    const auto count = all ? static_cast<std::size_t>(size.x * size.y) : kMostPixels;
    for (std::size_t i = 0; i < count && !truth.visible; ++i) {
        const auto column = all ? i % static_cast<std::size_t>(size.x) : random() % static_cast<std::size_t>(size.x);
        const auto row = all ? i / static_cast<std::size_t>(size.x) : random() % static_cast<std::size_t>(size.y);
        const glm::dvec2 pixel = low + glm::dvec2(column, row);
        // A vertex may move.
        const glm::dvec2 at = pixel + 0.5 + glm::dvec2(uniform(random, -slack, slack), uniform(random, -slack, slack));
        const Ray ray = ray_through(camera, at);
        const std::optional<double> t = hit(ray);
        if (!t || *t <= camera.view.near_plane) continue;
        ++truth.covered;
        const float depth = depth_of(camera, ray.origin + *t * ray.direction);
        const float stored =
            depths[static_cast<std::size_t>(pixel.y) * camera.width + static_cast<std::size_t>(pixel.x)];
        truth.visible = depth >= 0.0F && depth >= stored;
    }
    return truth;
}

struct Score {
    std::size_t bounds = 0;
    std::size_t hidden = 0;  // no pixel shows them, though they cover some
    std::size_t found = 0;   // of the hidden ones
    std::size_t culled = 0;
    std::size_t wrong = 0;
};

// The verdict over random scenes of spheres (similarities) and boxes (any transform).
Score score(const Verdict& verdict, std::size_t cameras, std::size_t bounds, uint32_t seed) {
    Random random(seed);
    Score out;
    for (std::size_t c = 0; c < cameras; ++c) {
        const Camera camera = random_camera(random, 300);
        const std::vector<float> depths = random_depths(random, camera);
        const HizLayout layout = make_hiz_layout(camera.width, camera.height, 1U << 27);
        const std::vector<float> pyramid = build_hiz(layout, depths);
        bound_pyramid = pyramid;
        const OcclusionView view = make_occlusion_view(camera.view, layout, c % 2 == 0 ? 4 : 8);
        for (std::size_t i = 0; i < bounds; ++i) {
            const Bound b = random_bound(random, camera);
            const bool is_sphere = i % 2 == 0;
            const glm::vec4 sphere = world_sphere(b.transform.data(), b.scale, b.sphere);
            ProjectedBound projected;
            if (!(is_sphere ? project_sphere(view, glm::vec3(sphere), sphere.w, projected)
                            : project_box(view, b.transform.data(), b.low, b.high, projected))) {
                continue;
            }
            ++out.bounds;
            const bool culled = verdict(view, projected);
            out.culled += culled ? 1 : 0;
            const Truth truth = look(camera, depths, projected, view.magnitude.y, random, [&](const Ray& ray) {
                return is_sphere ? hit_sphere(ray, glm::dvec3(sphere), static_cast<double>(b.sphere.w) * b.scale)
                                 : hit_box(ray, b.transform, glm::dvec3(b.low), glm::dvec3(b.high));
            });
            const bool hidden = truth.covered > 0 && !truth.visible;
            out.hidden += hidden ? 1 : 0;
            out.found += hidden && culled ? 1 : 0;
            out.wrong += culled && truth.visible ? 1 : 0;
        }
    }
    return out;
}

TEST(Occlusion, NeverFalseAndOftenFound) {
    const Score s = score(bound_occluded, 4000 / kSanitizerDivisor, 250, 1);
    std::printf("%zu bounds: %zu culled, %zu wrongly; of %zu that cover pixels, all hidden, %zu found\n", s.bounds,
                s.culled, s.wrong, s.hidden, s.found);
    EXPECT_EQ(s.wrong, 0U);
    EXPECT_GT(s.culled, s.bounds / 20);
    EXPECT_GT(s.found, s.hidden / 2);  // a 2x2 footprint can't find all
}

struct Mutant {
    const char* name;
    Verdict verdict;
};

TEST(Occlusion, MutantsAreCaught) {
    const std::array<Mutant, 5> mutants{Mutant{"a level too fine", with_level(one_too_fine)},
                                        {"floor for ceil", with_level(floor_of_log2)},
                                        {"the nearest of the footprint", against_nearest},
                                        {"comparison turned", turned},
                                        {"a pixel short", short_footprint}};
    for (const Mutant& mutant : mutants) {
        const Score s = score(mutant.verdict, 600, 100, 1);
        std::printf("%s: %zu of %zu culled wrongly\n", mutant.name, s.wrong, s.culled);
        EXPECT_GT(s.wrong, 10U) << mutant.name;
    }
}

// A flat box that faces the view, against its own depths: drawn already, tested again, and visible every time. A little
// behind them it is occluded.
std::size_t own_depth_culled(const Verdict& verdict, std::size_t& behind_culled, std::size_t& tested) {
    Random random(6);
    std::size_t culled = 0;
    for (std::size_t i = 0; i < 200000 / kSanitizerDivisor; ++i) {
        const Camera camera = random_camera(random, 8);
        const render::View& view = camera.view;
        const glm::vec3 right(view.view[0][0], view.view[1][0], view.view[2][0]);
        const glm::vec3 up(view.view[0][1], view.view[1][1], view.view[2][1]);
        const double z = view.near_plane * 1.01 + log_uniform(random, 1e-2, 100.0);
        const glm::vec3 center(glm::dvec3(view.eye) + z * glm::dvec3(view.forward));
        const float size = static_cast<float>(log_uniform(random, 0.01, 1.0) * z / view.projection[0][0] *
                                              (view.orthographic ? 1.0 / z : 1.0));
        const auto rows = [&](const glm::vec3& at) {
            Rows out;
            for (int k = 0; k < 3; ++k) {
                out[static_cast<std::size_t>(k)] = {size * right[k], size * up[k], view.forward[k], at[k]};
            }
            return out;
        };
        const glm::vec3 low(-1.0F, -1.0F, 0.0F);
        const glm::vec3 high(1.0F, 1.0F, 0.0F);
        float farthest = 1.0F;
        for (unsigned k = 0; k < 4; ++k) {
            const glm::vec3 corner((k & 1U) != 0 ? 1.0F : -1.0F, (k & 2U) != 0 ? 1.0F : -1.0F, 0.0F);
            const glm::vec4 clip = clip_position(view, rows(center), corner);
            farthest = std::min(farthest, clip.z / clip.w);
        }
        const HizLayout layout = make_hiz_layout(camera.width, camera.height, 1U << 27);
        const std::vector<float> pyramid(static_cast<std::size_t>(hiz_float_count(layout)), farthest);
        bound_pyramid = pyramid;
        const OcclusionView occlusion_view = make_occlusion_view(view, layout, 8);
        ProjectedBound bound;
        if (!project_box(occlusion_view, rows(center).data(), low, high, bound)) continue;
        ++tested;
        culled += verdict(occlusion_view, bound) ? 1 : 0;
        const double step = view.orthographic ? 0.02 * camera.distance : 0.01 * z;
        const glm::vec3 behind = center + static_cast<float>(step) * view.forward;
        if (project_box(occlusion_view, rows(behind).data(), low, high, bound)) {
            behind_culled += verdict(occlusion_view, bound) ? 1 : 0;
        }
    }
    return culled;
}

TEST(Occlusion, WhatIsDrawnDoesNotOccludeItself) {
    std::size_t behind = 0;
    std::size_t tested = 0;
    EXPECT_EQ(own_depth_culled(bound_occluded, behind, tested), 0U);
    EXPECT_GT(tested, 100000 / kSanitizerDivisor);
    EXPECT_GT(behind, tested / 10 * 9);  // all but where positions have few digits left
    // With equality on the wrong side, and a slack as large as the real one but against it, it would.
    std::size_t ignored = 0;
    std::size_t also_ignored = 0;
    const std::size_t culled = own_depth_culled(
        [](const OcclusionView& view, const ProjectedBound& bound) {
            ProjectedBound exact = bound;
            exact.depth = std::nextafter(bound.depth, 0.0F) * (1.0F - 0x1p-12F);
            return equal_is_farther(view, exact);
        },
        ignored, also_ignored);
    EXPECT_GT(culled, 100U);
}

// 2x2 texels are enough at the level chosen, and it is the finest: one finer touches more.
TEST(Occlusion, FootprintsAreTwoByTwoAtTheFinestLevel) {
    Random random(7);
    for (int i = 0; i < 300000; ++i) {
        const auto width = static_cast<uint32_t>(log_uniform(random, 1.0, 20000.0));
        const auto height = static_cast<uint32_t>(log_uniform(random, 1.0, 20000.0));
        const HizLayout layout = make_hiz_layout(width, height, uint64_t{1} << (20 + random() % 12));
        PixelRect rect;
        rect.low = {random() % width, random() % height};
        rect.high = {std::min(rect.low.x + static_cast<uint32_t>(log_uniform(random, 1.0, width + 1.0)), width) - 1,
                     std::min(rect.low.y + static_cast<uint32_t>(log_uniform(random, 1.0, height + 1.0)), height) - 1};
        rect.high = glm::max(rect.low, rect.high);
        const uint32_t level = level_of(layout, rect);
        ASSERT_GE(level, layout.first_level);
        ASSERT_LE(level, layout.last_level);
        const auto texels = [&](uint32_t l) { return (rect.high >> l) - (rect.low >> l); };
        ASSERT_LE(std::max(texels(level).x, texels(level).y), 1U);
        if (level > layout.first_level) {
            ASSERT_GT(std::max(texels(level - 1).x, texels(level - 1).y), 1U);
        }
        // The lookup stays within the buffer.
        ASSERT_LT(hiz_level_offset(layout, level) + uint64_t{rect.high.y >> level} * hiz_row_pitch(layout, level) +
                      (rect.high.x >> level),
                  hiz_float_count(layout));
        ASSERT_LT(rect.high.x >> level, hiz_level_width(layout, level));
        ASSERT_LT(rect.high.y >> level, hiz_level_height(layout, level));
    }
}

}  // namespace
}  // namespace sublet::test
