#include "scene/builtin/textures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/builtin/numbers.h"

namespace sublet::scene::builtin {
namespace {

// Value noise that repeats every `period` cells, in [0, 1].
class Noise {
  public:
    explicit Noise(std::uint32_t seed) {
        Random random(seed * 0x51ED27ULL + 17);
        for (float& value : values_) value = static_cast<float>(random.between(0.0, 1.0));
    }

    [[nodiscard]] double at(double x, double y, int period) const {
        const double fx = std::floor(x);
        const double fy = std::floor(y);
        const int ix = static_cast<int>(fx);
        const int iy = static_cast<int>(fy);
        const double tx = smooth_step(0.0, 1.0, x - fx);
        const double ty = smooth_step(0.0, 1.0, y - fy);
        const double top = mix(cell(ix, iy, period), cell(ix + 1, iy, period), tx);
        const double bottom = mix(cell(ix, iy + 1, period), cell(ix + 1, iy + 1, period), tx);
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
    [[nodiscard]] double cell(int x, int y, int period) const {
        const auto wrap = [&](int i) { return static_cast<std::uint32_t>((i % period + period) % period); };
        const std::uint32_t hash = wrap(x) * 73U + wrap(y) * 179U + static_cast<std::uint32_t>(period) * 31U;
        return values_[(hash ^ hash >> 9U) % values_.size()];
    }

    std::array<float, 4096> values_{};
};

// How far a texel is towards the second colour, and its brightness.
struct Texel {
    double second = 0.0;
    double light = 1.0;
};

double fraction(double x) {
    return x - std::floor(x);
}

Texel plaster(const Noise& noise, double u, double v) {
    const double grain = noise.fractal(u, v, 32, 3);
    const double stain = noise.fractal(u, v, 3, 4);
    return {smooth_step(0.45, 0.8, stain), 0.93 + 0.12 * (grain - 0.5)};
}

Texel bricks(const Noise& noise, double u, double v) {
    constexpr double kAcross = 8.0;
    constexpr double kRows = 16.0;
    const double row = std::floor(v * kRows);
    const double x = u * kAcross + (std::fmod(row, 2.0) == 0.0 ? 0.0 : 0.5);
    const double fx = fraction(x);
    const double fy = fraction(v * kRows);
    const double wobble = 0.012 * (noise.fractal(u, v, 32, 2) - 0.5);
    const double edge = std::min(std::min(fx, 1.0 - fx) * 2.0, std::min(fy, 1.0 - fy)) + wobble;
    const double mortar = 1.0 - smooth_step(0.05, 0.11, edge);
    const double tone = noise.at(std::floor(x) * 1.0, row + 0.5, 16) - 0.5;
    const double grain = noise.fractal(u, v, 48, 3) - 0.5;
    return {mortar, (1.0 - mortar) * (0.92 + 0.35 * tone) + mortar * 0.95 + 0.2 * grain};
}

Texel marble(const Noise& noise, double u, double v) {
    const double warp = noise.fractal(u, v, 4, 5);
    const double vein = std::abs(sine(u + v * 2.0 + 1.6 * warp));
    const double fine = std::abs(noise.fractal(u, v, 6, 5) - 0.5);
    return {std::max(1.0 - smooth_step(0.0, 0.22, vein), 0.6 * (1.0 - smooth_step(0.0, 0.05, fine))),
            0.96 + 0.08 * (noise.fractal(u, v, 24, 3) - 0.5)};
}

Texel limestone(const Noise& noise, double u, double v) {
    const double beds = noise.at(u * 2.0, v * 16.0, 16) * 0.4 + noise.fractal(u, v, 6, 5) * 0.6;
    const double pores = smooth_step(0.62, 0.9, noise.fractal(u, v, 64, 2));
    return {0.6 * smooth_step(0.3, 0.75, beds), 0.99 - 0.22 * pores};
}

Texel wood(const Noise& noise, double u, double v) {
    constexpr double kPlanks = 4.0;
    const double plank = std::floor(u * kPlanks);
    const double fx = fraction(u * kPlanks);
    const double shift = noise.at(plank, 0.5, 4) * 7.0;
    const double ring = noise.at(fx * 4.0 + plank * 4.0 + 0.5 * noise.fractal(u, v, 4, 3), v * 4.0 + shift, 16);
    const double grain = noise.at(u * 128.0, v * 8.0, 128);
    const double seam = smooth_step(0.0, 0.03, std::min(fx, 1.0 - fx));
    return {smooth_step(0.25, 0.8, fraction(ring * 5.0) * 0.6 + grain * 0.4),
            (0.45 + 0.55 * seam) * (0.9 + 0.15 * noise.at(plank, 2.5, 4))};
}

Texel bronze(const Noise& noise, double u, double v) {
    return {smooth_step(0.52, 0.78, noise.fractal(u, v, 6, 5)), 0.92 + 0.2 * (noise.fractal(u, v, 40, 2) - 0.5)};
}

Texel checker_glaze(const Noise& noise, double u, double v) {
    const double band = fraction(v * 4.0);
    const bool frieze = band > 0.7;
    const double diamond = std::abs(fraction(u * 12.0) - 0.5) + std::abs(fraction(v * 12.0) - 0.5);
    const double pattern =
        frieze ? 1.0 - smooth_step(0.3, 0.36, diamond) : 1.0 - smooth_step(0.02, 0.05, std::abs(band - 0.08));
    return {pattern, 0.95 + 0.12 * (noise.fractal(u, v, 24, 3) - 0.5)};
}

Texel damask(const Noise& noise, double u, double v) {
    const double x = u * 4.0;
    const double y = v * 6.0 + (std::fmod(std::floor(x), 2.0) == 0.0 ? 0.0 : 0.5);
    const double fx = fraction(x) - 0.5;
    const double fy = fraction(y) - 0.5;
    const double radius = std::sqrt(fx * fx * 1.6 + fy * fy);
    const double petals = 0.27 + 0.08 * cosine(radius * 3.0) + 0.1 * std::abs(fx * fy) * 8.0;
    const double border = 1.0 - smooth_step(0.01, 0.02, std::abs(std::abs(u - 0.5) - 0.46));
    const double weave = 0.94 + 0.06 * sine(u * 128.0) * sine(v * 128.0);
    const double ornament = 1.0 - smooth_step(0.02, 0.045, std::abs(radius - petals));
    return {std::max(ornament, border), weave + 0.05 * (noise.at(u * 32.0, v * 32.0, 32) - 0.5)};
}

Texel stripes(const Noise& noise, double u, double v) {
    const double stripe = fraction(u * 6.0);
    const double edge = smooth_step(0.3, 0.34, stripe) * (1.0 - smooth_step(0.66, 0.7, stripe));
    return {edge, 0.95 + 0.05 * sine(v * 96.0) + 0.05 * (noise.at(u * 32.0, v * 32.0, 32) - 0.5)};
}

Texel grass(const Noise& noise, double u, double v) {
    return {smooth_step(0.3, 0.75, noise.fractal(u, v, 5, 5)), 0.8 + 0.4 * noise.fractal(u, v, 64, 2)};
}

Texel texel(Pattern pattern, const Noise& noise, double u, double v) {
    switch (pattern) {
        case Pattern::kPlaster:
            return plaster(noise, u, v);
        case Pattern::kBricks:
            return bricks(noise, u, v);
        case Pattern::kMarble:
            return marble(noise, u, v);
        case Pattern::kLimestone:
            return limestone(noise, u, v);
        case Pattern::kWood:
            return wood(noise, u, v);
        case Pattern::kBronze:
            return bronze(noise, u, v);
        case Pattern::kCheckerGlaze:
            return checker_glaze(noise, u, v);
        case Pattern::kDamask:
            return damask(noise, u, v);
        case Pattern::kStripes:
            return stripes(noise, u, v);
        default:
            return grass(noise, u, v);
    }
}

}  // namespace

Image make_texture(const std::string& name, Pattern pattern, std::uint32_t size, std::uint32_t main,
                   std::uint32_t second, std::uint32_t seed) {
    Image image;
    image.name = name;
    image.mime_type = kRawImageType;
    image.width = size;
    image.height = size;
    image.bytes.resize(std::size_t{size} * size * 4);
    const Noise noise(seed);
    std::uint8_t* out = image.bytes.data();
    for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) {
            const Texel t = texel(pattern, noise, (x + 0.5) / size, (y + 0.5) / size);
            for (const std::uint32_t shift : {16U, 8U, 0U}) {
                const double a = main >> shift & 0xFFU;
                const double b = second >> shift & 0xFFU;
                *out++ = static_cast<std::uint8_t>(std::clamp(mix(a, b, t.second) * t.light + 0.5, 0.0, 255.0));
            }
            *out++ = 255;
        }
    }
    return image;
}

}  // namespace sublet::scene::builtin
