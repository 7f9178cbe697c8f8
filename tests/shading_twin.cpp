#include "tests/shading_twin.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace sublet::test::twin {
namespace {

constexpr int kSize = static_cast<int>(shared::kReflectancesSize);

// Half vectors spread as facets are, and directions of light evenly over their cosine; on one side of the viewer alone,
// since the other is the same.
glm::dvec3 integrate(double n_v, double roughness) {
    constexpr int kRings = 192;
    constexpr int kSpokes = 32;
    const double alpha = exact::ggx_alpha(roughness);
    const glm::dvec3 v(std::sqrt(1.0 - n_v * n_v), 0.0, n_v);
    glm::dvec3 out(0.0);
    for (int i = 0; i < kRings * kSpokes; ++i) {
        const double part = (i / kSpokes + 0.5) / kRings;
        const double turn = std::numbers::pi * (i % kSpokes + 0.5) / kSpokes;
        const double cosine = std::sqrt((1.0 - part) / (1.0 + (alpha * alpha - 1.0) * part));
        const double sine = std::sqrt(1.0 - cosine * cosine);
        const glm::dvec3 h(sine * std::cos(turn), sine * std::sin(turn), cosine);
        const double v_h = glm::dot(v, h);
        const double n_l = 2.0 * v_h * h.z - v.z;
        if (n_l > 0.0 && v_h > 0.0) {
            const double weight = 4.0 * exact::visibility_ggx(n_l, n_v, alpha) * n_l * v_h / h.z;
            const double along = std::pow(1.0 - v_h, 5.0);
            out += glm::dvec3(1.0 - along, along, 0.0) * weight;
        }
        const double up = std::sqrt(1.0 - part * part);
        const glm::dvec3 l(up * std::cos(turn), up * std::sin(turn), part);
        out.z += 2.0 * std::numbers::pi * exact::distribution_charlie(glm::normalize(v + l).z, roughness) *
                 exact::visibility_charlie(part, n_v) * part;
    }
    out /= static_cast<double>(kRings * kSpokes);
    return {out.x, out.y, std::min(out.z, 1.0)};
}

}  // namespace

glm::dvec3 sampled_reflectances(const glm::dvec2& at) {
    static const std::vector<glm::dvec3> table = [] {
        std::vector<glm::dvec3> out;
        for (int y = 0; y < kSize; ++y) {
            for (int x = 0; x < kSize; ++x) out.push_back(integrate((x + 0.5) / kSize, y / (kSize - 1.0)));
        }
        return out;
    }();
    const auto place = [](double coordinate) { return std::clamp(coordinate * kSize - 0.5, 0.0, kSize - 1.0); };
    const double x = place(at.x);
    const double y = place(at.y);
    const auto texel = [](int column, int row) {
        const int number = std::min(row, kSize - 1) * kSize + std::min(column, kSize - 1);
        return table[static_cast<std::size_t>(number)];
    };
    const int column = static_cast<int>(x);
    const int row = static_cast<int>(y);
    return glm::mix(glm::mix(texel(column, row), texel(column + 1, row), x - column),
                    glm::mix(texel(column, row + 1), texel(column + 1, row + 1), x - column), y - row);
}

}  // namespace sublet::test::twin
