#include "exact.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

namespace sublet::test {

namespace {

using Number = long double;
using Column = std::array<Number, 3>;

constexpr double kRounding = 0x1p-24;  // of a float, relative

// Linear systems, by elimination with full pivoting.
class Solver {
  public:
    explicit Solver(const std::array<Column, 3>& columns) {
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 3; ++column) rows_[row][column] = columns[column][row];
        }
    }

    // The determinant; 0 for a singular one, which solve() can't be called for.
    Number reduce() {
        Number determinant = 1.0L;
        for (std::size_t step = 0; step < 3; ++step) {
            std::size_t row = step;
            std::size_t column = step;
            for (std::size_t i = step; i < 3; ++i) {
                for (std::size_t j = step; j < 3; ++j) {
                    if (std::abs(rows_[i][j]) > std::abs(rows_[row][column])) {
                        row = i;
                        column = j;
                    }
                }
            }
            if (row != step) determinant = -determinant;
            if (column != step) determinant = -determinant;
            std::swap(rows_[step], rows_[row]);
            std::swap(row_order_[step], row_order_[row]);
            for (Column& r : rows_) std::swap(r[step], r[column]);
            std::swap(column_order_[step], column_order_[column]);
            determinant *= rows_[step][step];
            if (rows_[step][step] == 0.0L) return 0.0L;
            for (std::size_t i = step + 1; i < 3; ++i) {
                rows_[i][step] /= rows_[step][step];
                for (std::size_t j = step + 1; j < 3; ++j) rows_[i][j] -= rows_[i][step] * rows_[step][j];
            }
        }
        return determinant;
    }

    [[nodiscard]] Column solve(const Column& right) const {
        Column x{};
        for (std::size_t i = 0; i < 3; ++i) {
            x[i] = right[row_order_[i]];
            for (std::size_t j = 0; j < i; ++j) x[i] -= rows_[i][j] * x[j];
        }
        for (std::size_t i = 3; i-- > 0;) {
            for (std::size_t j = i + 1; j < 3; ++j) x[i] -= rows_[i][j] * x[j];
            x[i] /= rows_[i][i];
        }
        Column out{};
        for (std::size_t i = 0; i < 3; ++i) out[column_order_[i]] = x[i];
        return out;
    }

  private:
    std::array<Column, 3> rows_{};
    std::array<std::size_t, 3> row_order_{0, 1, 2}, column_order_{0, 1, 2};
};

Number sum(const Column& c) {
    return c[0] + c[1] + c[2];
}

void measure(const Question& question, Exact& out) {
    std::array<glm::dvec2, 3> window;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec3 corner(question.corners[i]);
        if (corner.z <= 0.0) return;
        window[i] = glm::dvec2(corner) / corner.z / glm::dvec2(question.step);
    }
    const glm::dvec2 u = window[1] - window[0];
    const glm::dvec2 v = window[2] - window[0];
    out.length = std::max({glm::length(u), glm::length(v), glm::length(v - u)});
    out.height = out.length == 0.0 ? 0.0 : std::abs(u.x * v.y - u.y * v.x) / out.length;
}

// A number that barycentrics() computes on its way.
struct Term {
    double size = 0.0;
    double error = 0.0;  // in roundings of a float
};

// A fifth of the error of a x b, in roundings: of the factors', and of their product, which is rounded three times.
double product_error(const Term& a, const Term& b) {
    return (3.0 * a.size * b.size + a.error * b.size + a.size * b.error + kRounding * a.error * b.error) / 5.0;
}

// Counted in roundings of a float, u, to first order. Corners relative to the pixel are off by u of themselves, or,
// where nothing is fused, of what they are the difference of. With the first, each cross product of two is off by 5 u
// of its two terms' magnitudes, and their sum, the area, by 7 u of all six. Quotients then are off by (5 + 9 |weight|)
// doubts, and leaving the negative ones out at most doubles that. Gradients follow the same way from cross products
// with a w: by (24 + 26 |weight|) doubts of those / area.
void bound_errors(const Question& question, bool fused, Exact& out) {
    std::array<std::array<Term, 3>, 3> terms{};  // x and y relative to the pixel, w
    std::array<std::array<Number, 2>, 3> place{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Number w = question.corners[i].z;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const Number coordinate = question.corners[i][static_cast<int>(axis)];
            const Number moved = question.pixel[static_cast<int>(axis)] * w;
            place[i][axis] = coordinate - moved;
            const auto size = static_cast<double>(std::abs(place[i][axis]));
            const auto parts = static_cast<double>(std::abs(coordinate) + std::abs(moved));
            terms[i][axis] = {size, fused ? size : parts};
        }
        terms[i][2] = {static_cast<double>(std::abs(w)), 0.0};
    }
    Number area = 0.0L;
    std::array<double, 3> products{};  // of x y, y w and x w
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        area += place[i][0] * place[j][1] - place[i][1] * place[j][0];
        products[0] += product_error(terms[i][0], terms[j][1]) + product_error(terms[i][1], terms[j][0]);
        products[1] += product_error(terms[i][1], terms[j][2]) + product_error(terms[i][2], terms[j][1]);
        products[2] += product_error(terms[i][0], terms[j][2]) + product_error(terms[i][2], terms[j][0]);
    }
    const auto magnitude = static_cast<double>(std::abs(area));
    out.doubt = kRounding * products[0] / magnitude;
    const double largest =
        std::max({1.0, std::abs(out.weights[0]), std::abs(out.weights[1]), std::abs(out.weights[2])});
    out.weight_error = 32.0 * largest * out.doubt;
    out.dx_error = 64.0 * largest * out.doubt * products[1] / magnitude * question.step.x;
    out.dy_error = 64.0 * largest * out.doubt * products[2] / magnitude * question.step.y;
}

}  // namespace

Exact solve(const Question& question, bool fused) {
    // The ray through the pixel is (pixel, 1) times any number. The corners' weighted sum is to lie on it; in
    // coordinates whose third axis is the ray, that is (0, 0, 1).
    std::array<Column, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::vec3& corner = question.corners[i];
        corners[i] = {corner.x - static_cast<Number>(question.pixel.x) * corner.z,
                      corner.y - static_cast<Number>(question.pixel.y) * corner.z, corner.z};
    }
    Solver solver(corners);
    const Number determinant = solver.reduce();
    Exact out;
    if (determinant == 0.0L) return out;
    const Column on_ray = solver.solve({0.0L, 0.0L, 1.0L});
    const Column right = solver.solve({1.0L, 0.0L, 0.0L});
    const Column down = solver.solve({0.0L, 1.0L, 0.0L});
    // The sum is 1 / w of the point that is hit.
    const Number total = sum(on_ray);
    if (total == 0.0L) return out;
    out.known = true;
    out.before_eye = total > 0.0L;
    out.clockwise = determinant > 0.0L;
    double positive = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Number weight = on_ray[i] / total;
        out.weights[i] = static_cast<double>(weight);
        out.clamped[i] = std::max(out.weights[i], 0.0);
        positive += out.clamped[i];
        // Of the quotient on_ray / total, as the ray turns by a pixel.
        out.dx[i] = static_cast<double>((right[i] - weight * sum(right)) / total * question.step.x);
        out.dy[i] = static_cast<double>((down[i] - weight * sum(down)) / total * question.step.y);
    }
    for (double& weight : out.clamped) weight /= positive;
    measure(question, out);
    bound_errors(question, fused, out);
    return out;
}

}  // namespace sublet::test
