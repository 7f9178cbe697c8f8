// Points and directions of the built-in scene's shapes.
#pragma once

#include <array>
#include <cmath>

namespace sublet::scene::builtin {

using Point = std::array<double, 3>;

inline Point minus(const Point& a, const Point& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// a * s + b * t
inline Point sum(const Point& a, double s, const Point& b, double t) {
    return {a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t};
}

inline double dot(const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Point cross(const Point& a, const Point& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Point normalized(const Point& v) {
    const double length = std::sqrt(dot(v, v));
    return length > 0.0 ? Point{v[0] / length, v[1] / length, v[2] / length} : Point{0.0, 1.0, 0.0};
}

}  // namespace sublet::scene::builtin
