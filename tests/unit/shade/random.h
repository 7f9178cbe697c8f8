// Random numbers, colours and directions for the proofs of shading.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <numbers>
#include <random>

namespace sublet::test {

inline constexpr double kPiExact = std::numbers::pi;

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double part() { return static_cast<double>(engine_()) / 4294967295.0; }
    // Often one of the two ends.
    double extreme() {
        const double x = part();
        return x < 0.15 ? 0.0 : x > 0.85 ? 1.0 : part();
    }
    double between(double low, double high) { return low + (high - low) * part(); }
    glm::dvec3 color() { return {extreme(), extreme(), extreme()}; }
    glm::dvec3 direction() { return at_height(between(-1.0, 1.0)); }
    // Above the surface, often along it or straight above.
    glm::dvec3 above() {
        const double x = part();
        return at_height(x < 0.1 ? 1e-4 : x < 0.2 ? 1.0 - 1e-6 : std::abs(direction().z));
    }

  private:
    glm::dvec3 at_height(double z) {
        const double turn = between(0.0, 2.0 * kPiExact);
        const double side = std::sqrt(1.0 - z * z);
        return {side * std::cos(turn), side * std::sin(turn), z};
    }

    std::mt19937 engine_;
};

}  // namespace sublet::test
