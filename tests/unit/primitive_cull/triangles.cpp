#include "triangles.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace sublet::test {
namespace {

class Random {
  public:
    explicit Random(uint64_t seed) : engine_(seed) {}

    // From low to high, both included. The standard's distributions differ between libraries.
    int64_t between(int64_t low, int64_t high) {
        return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
    }
    bool one_in(int64_t n) { return between(1, n) == 1; }

  private:
    std::mt19937_64 engine_;
};

int64_t cross(const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Window coordinates lie from 2^23 to 2^24, counted from 2^23 + 2^21: these are the ends, with room for a margin.
constexpr int64_t kLowest = -(1 << 21) + 16;
constexpr int64_t kHighest = 3 * (1 << 21) - 16;

struct Maker {
    Random random;
    int64_t width;
    int64_t height;
    int64_t subpixels;
    int64_t margin;

    Point pixel_center() {
        return {random.between(0, width - 1) * subpixels, random.between(0, height - 1) * subpixels};
    }
    Point around(const Point& center, int64_t reach) {
        return {center.x + random.between(-reach, reach), center.y + random.between(-reach, reach)};
    }
    // Within `reach` pixels, likely near a pixel centre's column or row.
    int64_t hugging(int64_t center, int64_t reach) {
        if (random.one_in(3)) return center + random.between(-reach * subpixels, reach * subpixels);
        return center + random.between(-reach, reach) * subpixels + random.between(-3, 3);
    }
    int64_t anywhere(int64_t size) {
        return random.between(std::max(-3 * size * subpixels / 2, kLowest),
                              std::min(5 * size * subpixels / 2, kHighest));
    }
    Point anywhere() {
        const int64_t x = anywhere(width);
        return {x, anywhere(height)};
    }
    // A point of the line through a and b, rounded, then moved.
    Point near_line(const Point& a, const Point& b, int64_t reach) {
        const int64_t t = random.between(-256, 512);
        const Point on{a.x + (b.x - a.x) * t / 256, a.y + (b.y - a.y) * t / 256};
        return around(on, reach);
    }
    // Moves c so that the triangle's area is about as far from zero as its sign is in doubt.
    Point in_doubt(const Point& a, const Point& b, Point c) {
        const int64_t box = std::max({a.x, b.x, c.x}) - std::min({a.x, b.x, c.x}) + std::max({a.y, b.y, c.y}) -
                            std::min({a.y, b.y, c.y});
        const int64_t target = -2 * margin * box + random.between(-8, 4) * margin;
        const int64_t missing = target - cross(a, b, c);
        const Point ab{b.x - a.x, b.y - a.y};
        // One step of c.y changes the area by ab.x, one of c.x by -ab.y.
        if (std::abs(ab.x) > std::abs(ab.y)) {
            c.y += missing / ab.x;
        } else if (ab.y != 0) {
            c.x -= missing / ab.y;
        }
        return around(c, random.between(0, 1));
    }

    // One that has window coordinates.
    Triangle make(Family family) {
        for (;;) {
            const Triangle triangle = make_any(family);
            if (std::all_of(triangle.begin(), triangle.end(), [](const Point& p) {
                    return std::min(p.x, p.y) >= kLowest && std::max(p.x, p.y) <= kHighest;
                })) {
                return triangle;
            }
        }
    }

    Triangle make_any(Family family) {
        const Point center = pixel_center();
        Point a{};
        Point b{};
        Point c{};
        switch (family) {
            case Family::Speck: {
                const int64_t reach = random.between(0, 6);
                a = around(center, reach);
                b = around(center, reach);
                c = around(center, reach);
                break;
            }
            case Family::Hugging: {
                const int64_t reach = random.between(1, 2);
                for (Point* p : {&a, &b, &c}) *p = {hugging(center.x, reach), hugging(center.y, reach)};
                break;
            }
            case Family::OnePixel:
                for (Point* p : {&a, &b, &c}) *p = around(center, subpixels);
                break;
            case Family::FewPixels:
                for (Point* p : {&a, &b, &c}) *p = around(center, 5 * subpixels / 2);
                break;
            case Family::EdgeThrough: {
                const Point arm = around({}, 2 * subpixels);
                const int64_t t = random.between(1, 512);
                a = around({center.x + arm.x, center.y + arm.y}, 1);
                b = around({center.x - arm.x * t / 256, center.y - arm.y * t / 256}, 1);
                c = around(center, 2 * subpixels);
                break;
            }
            case Family::Sliver:
                a = around(center, 3 * subpixels);
                b = around(center, 3 * subpixels);
                c = near_line(a, b, random.between(0, 3));
                break;
            case Family::Degenerate:
                a = {hugging(center.x, 2), hugging(center.y, 2)};
                b = random.one_in(3) ? a : Point{hugging(center.x, 2), hugging(center.y, 2)};
                c = random.one_in(3) ? b : Point{2 * b.x - a.x, 2 * b.y - a.y};
                break;
            case Family::Large:
                for (Point* p : {&a, &b, &c}) *p = random.one_in(4) ? around(center, 4 * subpixels) : anywhere();
                break;
            case Family::LargeSliver:
                a = anywhere();
                b = anywhere();
                c = in_doubt(a, b, near_line(a, b, 8));
                break;
            case Family::FacingInDoubt:
                a = around(center, 2 * subpixels);
                b = around(center, 2 * subpixels);
                c = in_doubt(a, b, near_line(a, b, 8));
                break;
        }
        Triangle triangle{a, b, c};
        // Start anywhere, wind either way.
        std::rotate(triangle.begin(), triangle.begin() + random.between(0, 2), triangle.end());
        if (random.one_in(2)) std::swap(triangle[1], triangle[2]);
        return triangle;
    }
};

ClipTriangle make_clip_triangle(Random& random, ClipFamily family) {
    ClipTriangle triangle{};
    // In quarters of w: many triangles lie across a plane or beyond it.
    const int64_t aside_x = random.between(-6, 6);
    const int64_t aside_y = random.between(-6, 6);
    const int64_t reach = random.between(1, 6);
    for (ClipPoint& p : triangle) {
        if (family == ClipFamily::Ties) {
            p = {random.between(-4, 4), random.between(-4, 4), random.between(-1, 4), random.between(-4, 4)};
            continue;
        }
        const int64_t w = random.between(4, 15) << random.between(1, 9);
        p = {aside_x * w / 4 + random.between(-reach * w / 4, reach * w / 4),
             aside_y * w / 4 + random.between(-reach * w / 4, reach * w / 4), random.between(0, w), w};
        if (family == ClipFamily::MixedW && random.one_in(2)) p.w = -p.w;
        if (family == ClipFamily::Near) p.z = random.between(0, 2 * w);
    }
    return triangle;
}

}  // namespace

const char* family_name(Family family) {
    static constexpr const char* kNames[kFamilies] = {"speck",        "hugging",        "one pixel",  "few pixels",
                                                      "edge through", "sliver",         "degenerate", "large",
                                                      "large sliver", "facing in doubt"};
    return kNames[static_cast<std::size_t>(family)];
}

const char* clip_family_name(ClipFamily family) {
    static constexpr const char* kNames[kClipFamilies] = {"in front", "mixed w", "near", "ties"};
    return kNames[static_cast<std::size_t>(family)];
}

std::vector<Triangle> make_triangles(std::size_t count, uint32_t width, uint32_t height, int64_t subpixels,
                                     int64_t margin, uint64_t seed) {
    Maker maker{Random(seed), width, height, subpixels, margin};
    std::vector<Triangle> triangles(count);
    for (std::size_t i = 0; i < count; ++i) triangles[i] = maker.make(static_cast<Family>(i % kFamilies));
    return triangles;
}

std::vector<ClipTriangle> make_clip_triangles(std::size_t count, uint64_t seed) {
    Random random(seed);
    std::vector<ClipTriangle> triangles(count);
    for (std::size_t i = 0; i < count; ++i) {
        triangles[i] = make_clip_triangle(random, static_cast<ClipFamily>(i % kClipFamilies));
    }
    return triangles;
}

}  // namespace sublet::test
