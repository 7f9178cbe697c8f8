// Arithmetic whose results do not depend on the C library: the built-in scene has the same bytes everywhere.
#pragma once

#include <cmath>
#include <cstdint>

namespace sublet::scene::builtin {

// A small generator of uniform numbers (Steele, Lea, Flood: SplitMix64).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    // In [low, high).
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(next() >> 11U) * 0x1p-53;
    }

  private:
    std::uint64_t state_;
};

// Sine of an angle in turns: the Taylor series on a quarter turn, off by less than 1e-11.
inline double sine(double turns) {
    double t = turns - std::floor(turns);  // [0, 1)
    if (t > 0.75) {
        t -= 1.0;
    } else if (t > 0.25) {
        t = 0.5 - t;
    }
    const double x = t * 6.283185307179586476925;
    const double y = x * x;
    double sum = 0.0;
    for (int n = 17; n >= 3; n -= 2) sum = (1.0 + sum) * -y / (n * (n - 1));
    return x * (1.0 + sum);
}

inline double cosine(double turns) {
    return sine(turns + 0.25);
}

// 0 below `low`, 1 above `high`, smooth between.
inline double smooth_step(double low, double high, double x) {
    const double t = x <= low ? 0.0 : x >= high ? 1.0 : (x - low) / (high - low);
    return t * t * (3.0 - 2.0 * t);
}

inline double mix(double a, double b, double t) {
    return a + (b - a) * t;
}

}  // namespace sublet::scene::builtin
