// Random numbers over a plane, for textures.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "scene/builtin/numbers.h"

namespace sublet::scene::builtin {

// Value noise that repeats every `period` cells, in [0, 1].
class Noise {
  public:
    explicit Noise(std::uint32_t seed) {
        Random random(seed * 0x51ED27ULL + 17);
        for (float& value : values_) value = static_cast<float>(random.between(0.0, 1.0));
    }

    // A number of its own for each cell.
    [[nodiscard]] double cell(int x, int y, int period) const {
        return value(wrapped(x, period), wrapped(y, period), period);
    }

    // Smooth between the numbers of four cells.
    [[nodiscard]] double at(double x, double y, int period) const {
        const double fx = std::floor(x);
        const double fy = std::floor(y);
        const int x0 = wrapped(static_cast<int>(fx), period);
        const int y0 = wrapped(static_cast<int>(fy), period);
        const int x1 = x0 + 1 == period ? 0 : x0 + 1;
        const int y1 = y0 + 1 == period ? 0 : y0 + 1;
        const double tx = ease(x - fx);
        const double ty = ease(y - fy);
        const double top = mix(value(x0, y0, period), value(x1, y0, period), tx);
        const double bottom = mix(value(x0, y1, period), value(x1, y1, period), tx);
        return mix(top, bottom, ty);
    }

    // Octaves of it over u, v in [0, 1], from `period` cells up, each half as strong; in [0, 1].
    [[nodiscard]] double fractal(double u, double v, int period, int octaves) const {
        double sum = 0.0;
        double weight = 0.5;
        double total = 0.0;
        for (int o = 0; o < octaves; ++o) {
            sum += weight * at(u * period, v * period, period);
            total += weight;
            weight *= 0.5;
            period *= 2;
        }
        return sum / total;
    }

  private:
    static double ease(double t) { return t * t * (3.0 - 2.0 * t); }

    static int wrapped(int i, int period) {
        const int rest = i % period;
        return rest < 0 ? rest + period : rest;
    }

    // 0 <= x, y < period
    [[nodiscard]] double value(int x, int y, int period) const {
        std::uint32_t hash = static_cast<std::uint32_t>(x) * 0x9E3779B1U + static_cast<std::uint32_t>(y) * 0x85EBCA77U +
                             static_cast<std::uint32_t>(period) * 0xC2B2AE3DU;
        hash = (hash ^ hash >> 15U) * 0x2C1B3C6DU;
        return static_cast<double>(values_[hash >> 20U]);
    }

    std::array<float, 4096> values_{};
};

}  // namespace sublet::scene::builtin
