// Vectors of three numbers.
#pragma once

#include <array>

namespace sublet::mesh {

using Vec3 = std::array<double, 3>;

inline Vec3 to_double(const std::array<float, 3>& v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

template <typename T>
std::array<T, 3> minus(const std::array<T, 3>& a, const std::array<T, 3>& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// a * s + b * t
inline Vec3 sum(const Vec3& a, double s, const Vec3& b, double t) {
    return {a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t};
}

template <typename T>
T dot(const std::array<T, 3>& a, const std::array<T, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <typename T>
std::array<T, 3> cross(const std::array<T, 3>& a, const std::array<T, 3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace sublet::mesh
