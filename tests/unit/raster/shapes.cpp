#include "shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sublet::test {

double Random::uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
}

double Random::log_uniform(double low, double high) {
    return std::exp2(uniform(std::log2(low), std::log2(high)));
}

bool drawable(const Triangle& triangle, int64_t width, int64_t height) {
    const Range x = guard_band(width);
    const Range y = guard_band(height);
    return std::all_of(triangle.begin(), triangle.end(),
                       [&](const Point& p) { return p.x >= x.low && p.x <= x.high && p.y >= y.low && p.y <= y.high; });
}

const char* shape_name(Shape shape) {
    static constexpr const char* kNames[kShapes] = {"OnCentres", "Narrow", "Wide", "Huge", "HugeSliver"};
    return kNames[static_cast<std::size_t>(shape)];
}

namespace {

int64_t in_band(Random& random, int64_t size) {
    const Range range = guard_band(size);
    return random.one_in(4) ? (random.one_in(2) ? range.low : range.high) : random.between(range.low, range.high);
}

Triangle make_any(Random& random, Shape shape, int64_t width, int64_t height) {
    Triangle t{};
    switch (shape) {
        case Shape::OnCentres: {
            const Point center{random.between(0, width - 1), random.between(0, height - 1)};
            const int64_t step = random.one_in(2) ? 256 : 128;
            for (Point& p : t) {
                p = {center.x * 256 + random.between(-4, 4) * step, center.y * 256 + random.between(-4, 4) * step};
            }
            break;
        }
        case Shape::Narrow:
        case Shape::Wide: {
            const int64_t side = shape == Shape::Wide ? random.one_in(2) ? 32768 : random.between(32768, 65536)
                                 : random.one_in(2) ? 32767
                                                      : random.between(2000, 32767);
            const Point low{random.between(-side, width * 256), random.between(-side, height * 256)};
            for (Point& p : t) {
                p.x = low.x + (random.one_in(2) ? random.between(0, side) : random.between(0, 1) * side);
                p.y = low.y + (random.one_in(2) ? random.between(0, side) : random.between(0, 1) * side);
            }
            break;
        }
        case Shape::Huge:
            for (Point& p : t) p = {in_band(random, width), in_band(random, height)};
            break;
        case Shape::HugeSliver: {
            t[0] = {in_band(random, width), in_band(random, height)};
            t[1] = {in_band(random, width), in_band(random, height)};
            const int64_t at = random.between(0, 256);
            t[2] = {t[0].x + (t[1].x - t[0].x) * at / 256 + random.between(-300, 300),
                    t[0].y + (t[1].y - t[0].y) * at / 256 + random.between(-300, 300)};
            break;
        }
    }
    return t;
}

}  // namespace

Triangle make_triangle(Random& random, Shape shape, int64_t width, int64_t height) {
    for (;;) {
        const Triangle triangle = make_any(random, shape, width, height);
        if (drawable(triangle, width, height)) return triangle;
    }
}

std::array<float, 3> make_depths(Random& random) {
    std::array<float, 3> depths{};
    const auto about = static_cast<float>(random.log_uniform(1e-6, 1.0));
    const int64_t kind = random.between(0, 3);
    for (float& depth : depths) {
        switch (kind) {
            case 0:
                depth = static_cast<float>(random.uniform(0.0, 1.0));
                break;
            case 1:
                depth = static_cast<float>(random.log_uniform(1e-6, 1.0));
                break;
            case 2:  // a few units in the last place apart
                depth = std::min(about * (1.0F + static_cast<float>(random.between(0, 8)) * 0x1p-23F), 1.0F);
                break;
            default:  // some the same, some on the near plane
                depth = random.one_in(2) ? 1.0F : about;
        }
    }
    return depths;
}

const char* clip_shape_name(ClipShape shape) {
    static constexpr const char* kNames[kClipShapes] = {"near", "aside", "anywhere", "far"};
    return kNames[static_cast<std::size_t>(shape)];
}

glm::vec4 make_clip_point(Random& random, ClipShape shape) {
    constexpr double kNear = 0.125;
    double w = 0.0;
    double reach = 1.25;
    const double sign = random.one_in(2) ? 1.0 : -1.0;
    switch (shape) {
        case ClipShape::Near:
            w = random.uniform(-2.0, 4.0);
            break;
        case ClipShape::Aside:
            w = random.log_uniform(2.0 * kNear, 8.0);
            reach = 6.0;
            break;
        case ClipShape::Anywhere:
            w = random.uniform(-4.0, 8.0);
            reach = 3.0;
            break;
        case ClipShape::Far:
            w = random.log_uniform(kNear / 8.0, 1e5) * (random.one_in(3) ? -1.0 : 1.0);
            reach = random.log_uniform(0.01, 100.0);
            break;
    }
    const double size = reach * std::max(std::abs(w), kNear);
    const double x = random.uniform(-size, size);
    return {static_cast<float>(x), static_cast<float>(sign * random.uniform(-size, size)), static_cast<float>(kNear),
            static_cast<float>(w)};
}

}  // namespace sublet::test
