#include "scene/builtin/textures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/thread_pool.h"
#include "scene/builtin/numbers.h"

namespace sublet::scene::builtin {
namespace {

constexpr std::size_t kRowsAtOnce = 8;  // by one thread

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

// What a pattern says of a point.
struct Texel {
    double second = 0.0;  // how far its colour is towards the second one,
    double light = 1.0;   // and its brightness
    double height = 0.0;  // in parts of the width of the whole texture
    double roughness = 1.0;
    double metallic = 0.0;
    double red = 1.0;  // of the surface image: occlusion, or slip
    double alpha = 1.0;
};

double fraction(double x) {
    return x - std::floor(x);
}

// 1 on a line, 0 beyond `width` from it.
double line(double distance, double width) {
    return 1.0 - smooth_step(0.0, width, std::abs(distance));
}

// The distance to the nearest of points, one at random in each of `period` x `period` cells, in cells.
double nearest_point(const Noise& noise, double u, double v, int period) {
    const double x = u * period;
    const double y = v * period;
    const int cx = static_cast<int>(std::floor(x));
    const int cy = static_cast<int>(std::floor(y));
    double least = 8.0;
    for (int j = cy - 1; j <= cy + 1; ++j) {
        for (int i = cx - 1; i <= cx + 1; ++i) {
            const double dx = i + 0.2 + 0.6 * noise.cell(i, j, period) - x;
            const double dy = j + 0.2 + 0.6 * noise.cell(j + 7, i + 3, period) - y;
            least = std::min(least, dx * dx + dy * dy);
        }
    }
    return std::sqrt(least);
}

Texel plaster(const Noise& noise, double u, double v) {
    const double stain = noise.fractal(u, v, 3, 4);
    const double trowel = noise.fractal(u, v * 2.0, 8, 3);
    const double grain = noise.fractal(u, v, 64, 2);
    return {.second = smooth_step(0.45, 0.85, stain),
            .light = 0.97 + 0.06 * (grain - 0.5),
            .height = 0.006 * trowel + 0.0016 * grain};
}

Texel bricks(const Noise& noise, double u, double v) {
    constexpr int kAcross = 6;
    constexpr int kRows = 12;
    const double row = std::floor(v * kRows);
    const double x = u * kAcross + (std::fmod(row, 2.0) == 0.0 ? 0.0 : 0.5);
    const double fx = fraction(x);
    const double fy = fraction(v * kRows);
    const double wobble = 0.05 * (noise.fractal(u, v, 48, 2) - 0.5);
    const double edge = std::min(std::min(fx, 1.0 - fx) * 2.0, std::min(fy, 1.0 - fy)) + wobble;
    const double brick = smooth_step(0.05, 0.12, edge);
    const double tone = noise.cell(static_cast<int>(std::floor(x)) % kAcross, static_cast<int>(row), kRows) - 0.5;
    const double grain = noise.fractal(u, v, 64, 3) - 0.5;
    const double pits = smooth_step(0.62, 0.8, noise.at(u * 96.0, v * 96.0, 96));
    return {.second = 1.0 - brick,
            .light = mix(0.95, 0.95 + 0.5 * tone - 0.25 * pits, brick) + 0.25 * grain,
            .height = 0.0045 * smooth_step(0.03, 0.2, edge) + 0.0022 * grain + brick * (0.001 * tone - 0.0012 * pits),
            .roughness = mix(0.95, 0.72 + 0.3 * grain, brick),
            .red = mix(0.55, 1.0, smooth_step(0.0, 0.16, edge))};
}

Texel white_marble(const Noise& noise, double u, double v) {
    const double warp = noise.fractal(u, v, 3, 5);
    const double broad = sine(u + v + 1.3 * warp);
    const double fine = noise.fractal(v, u, 4, 5) - 0.5;
    const double clouds = noise.fractal(u, v, 2, 4);
    const double strength = smooth_step(0.3, 0.75, noise.at(u * 3.0, v * 3.0, 3));
    const double vein = std::max(line(broad, 0.30) * (0.25 + 0.6 * strength), 0.55 * line(fine, 0.018) * strength);
    return {.second = std::min(vein + 0.22 * smooth_step(0.45, 0.8, clouds), 1.0),
            .light = 0.99 + 0.03 * (noise.at(u * 96.0, v * 96.0, 96) - 0.5),
            .roughness = 0.07 + 0.10 * smooth_step(0.4, 0.8, clouds) + 0.16 * vein};
}

Texel dark_marble(const Noise& noise, double u, double v) {
    const double warp = noise.fractal(u, v, 4, 5);
    const double broad = sine(2.0 * u - v + 1.7 * warp);
    const double net = noise.fractal(v, u, 5, 5) - 0.5;
    const double faint = noise.fractal(u, v, 9, 3) - 0.5;
    const double vein = std::max({line(broad, 0.07), 0.8 * line(net, 0.02), 0.3 * line(faint, 0.03)});
    const double clouds = noise.fractal(u, v, 3, 4);
    return {.second = std::min(0.9 * vein + 0.16 * smooth_step(0.4, 0.7, clouds), 1.0),
            .light = 0.85 + 0.5 * smooth_step(0.3, 0.8, clouds),
            .roughness = 0.06 + 0.08 * smooth_step(0.4, 0.8, clouds) + 0.18 * vein};
}

Texel granite(const Noise& noise, double u, double v) {
    const double pale = smooth_step(0.5, 0.62, noise.fractal(u, v, 56, 2));
    const double mica = smooth_step(0.62, 0.72, noise.fractal(v, u, 64, 2));
    return {.second = pale,
            .light = (0.92 + 0.25 * (noise.at(u * 96.0, v * 96.0, 96) - 0.5)) * (1.0 - 0.75 * mica),
            .roughness = 0.08 + 0.12 * mica + 0.05 * pale};
}

Texel limestone(const Noise& noise, double u, double v) {
    const double beds = noise.at(u * 2.0, v * 16.0, 16) * 0.4 + noise.fractal(u, v, 6, 5) * 0.6;
    const double pores = smooth_step(0.66, 0.9, noise.fractal(u, v, 64, 2));
    const double chisel = noise.fractal(u, v, 18, 4);
    return {.second = 0.7 * smooth_step(0.3, 0.75, beds),
            .light = 1.0 - 0.22 * pores + 0.16 * (chisel - 0.5),
            .height = 0.011 * chisel - 0.003 * pores};
}

Texel timber(const Noise& noise, double u, double v) {
    constexpr int kPlanks = 4;
    const double fx = fraction(u * kPlanks);
    const int plank = static_cast<int>(std::floor(u * kPlanks));
    const double shift = noise.cell(plank, 1, kPlanks) * 7.0;
    const double ring = fx + 1.4 * noise.at(u * 8.0 + shift, v * 2.0, 8) + shift;
    const double grain = noise.at(u * 128.0, v * 8.0, 128);
    const double year = smooth_step(0.1, 0.9, fraction(ring * 5.0));
    const double seam = smooth_step(0.0, 0.035, std::min(fx, 1.0 - fx));
    return {.second = std::min(year * 0.55 + grain * 0.4, 1.0),
            .light = (0.4 + 0.6 * seam) * (0.88 + 0.28 * noise.cell(plank, 2, kPlanks)),
            .height = 0.006 * seam - 0.0012 * year - 0.0018 * grain,
            .roughness = 0.42 + 0.2 * year + 0.15 * grain + 0.2 * (1.0 - seam),
            .red = mix(0.6, 1.0, seam)};
}

Texel bronze(const Noise& noise, double u, double v) {
    const double stain = noise.fractal(u, v, 4, 5);
    const double patina = smooth_step(0.52, 0.66, stain);
    const double rim = line(stain - 0.52, 0.09);  // darker where patina begins
    const double grain = noise.fractal(u, v, 48, 2) - 0.5;
    return {.second = patina,
            .light = (1.0 - 0.5 * rim * (1.0 - patina)) * (1.0 + 0.35 * grain * patina),
            .height = patina * (0.001 + 0.003 * grain),
            .roughness = mix(0.2 + 0.25 * rim + 0.1 * grain, 0.75, patina),
            .metallic = 1.0 - patina};
}

// Fine grooves along U.
Texel brushed(const Noise& noise, double u, double v) {
    const double groove = noise.at(u * 3.0, v * 128.0, 128) - 0.5;
    const double tarnish = noise.fractal(u, v, 3, 4);
    return {.second = 0.7 * smooth_step(0.45, 0.8, tarnish),
            .light = 1.0 + 0.12 * groove,
            .roughness = 0.22 + 0.1 * groove + 0.2 * smooth_step(0.4, 0.8, tarnish),
            .metallic = 1.0};
}

Texel hammered(const Noise& noise, double u, double v) {
    const double away = std::min(nearest_point(noise, u, v, 12), 0.9);
    return {.height = 0.022 * away * away};
}

// A frieze of Greek keys: one key of 8 x 7 squares, row by row.
bool greek_key(double x, double y) {
    constexpr std::array<unsigned, 7> kRows{0b11111111, 0b00000000, 0b01111110, 0b01000010,
                                            0b01011010, 0b01010000, 0b11011111};
    const auto row = static_cast<std::size_t>(std::clamp(y * 7.0, 0.0, 6.0));
    const auto column = static_cast<unsigned>(std::clamp(x * 8.0, 0.0, 7.0));
    return (kRows[row] >> (7U - column) & 1U) != 0U;
}

// From the neck (V = 0) to the foot (V = 1) of a pot. Repeats along U alone.
Texel pottery(const Noise& noise, double u, double v) {
    const auto band = [&](double from, double to) { return v >= from && v < to; };
    const auto part = [&](double from, double to) { return (v - from) / (to - from); };
    double slip = 0.0;
    if (v < 0.36 || band(0.485, 0.497) || band(0.565, 0.575) || band(0.65, 0.66) || band(0.745, 0.765) || v >= 0.87) {
        slip = 1.0;
    } else if (band(0.37, 0.48) || band(0.667, 0.738)) {  // leaves on a stem
        const double from = v < 0.5 ? 0.37 : 0.667;
        const double x = fraction(u * 6.0) - 0.5;
        const double y = (v - from) / (v < 0.5 ? 0.11 : 0.071) - 0.5;
        const double along = x * 0.8 + y * 0.6;
        const double across = y * 0.8 - x * 0.6;
        const bool leaf = along * along / 0.16 + across * across / 0.02 < 1.0;
        slip = leaf || std::abs(y - 0.28 * sine(u * 6.0)) < 0.05 ? 1.0 : 0.0;
    } else if (band(0.503, 0.56)) {  // tongues
        const double x = fraction(u * 14.0) - 0.5;
        const double y = part(0.503, 0.56);
        slip = std::abs(x) < 0.36 * std::sqrt(std::max(1.0 - y * y, 0.0)) ? 1.0 : 0.0;
    } else if (band(0.582, 0.643)) {
        slip = greek_key(fraction(u * 7.0), part(0.582, 0.643)) ? 1.0 : 0.0;
    } else if (band(0.765, 0.87)) {  // rays from the foot
        const double x = std::abs(fraction(u * 8.0) - 0.5) * 2.0;
        slip = x < part(0.765, 0.87) * 0.75 ? 1.0 : 0.0;
    }
    const double grain = noise.fractal(u, v, 24, 3) - 0.5;
    return {.second = slip,
            .light = 0.97 + 0.2 * grain,
            .roughness = mix(0.75 + 0.2 * grain, 0.5, slip),
            .red = mix(0.12, 1.0, slip)};
}

Texel damask(const Noise& noise, double u, double v) {
    const double x = u * 4.0;
    const double y = v * 6.0 + (std::fmod(std::floor(x), 2.0) == 0.0 ? 0.0 : 0.5);
    const double fx = fraction(x) - 0.5;
    const double fy = fraction(y) - 0.5;
    const double radius = std::sqrt(fx * fx * 1.6 + fy * fy);
    const double petals = 0.27 + 0.08 * cosine(radius * 3.0) + 0.1 * std::abs(fx * fy) * 8.0;
    const double border = 1.0 - smooth_step(0.01, 0.02, std::abs(std::abs(u - 0.5) - 0.46));
    const double ornament = 1.0 - smooth_step(0.02, 0.045, std::abs(radius - petals));
    const double heart = 1.0 - smooth_step(0.05, 0.07, radius);
    return {.second = std::max({ornament, border, heart}), .light = 0.97 + 0.1 * (noise.fractal(u, v, 32, 2) - 0.5)};
}

Texel stripes(const Noise& noise, double u, double v) {
    const double stripe = fraction(u * 6.0);
    const double edge = smooth_step(0.3, 0.34, stripe) * (1.0 - smooth_step(0.66, 0.7, stripe));
    return {.second = edge, .light = 0.97 + 0.1 * (noise.fractal(u, v, 32, 2) - 0.5)};
}

// Threads over and under each other.
Texel weave(const Noise& noise, double u, double v) {
    constexpr int kThreads = 16;
    const int column = static_cast<int>(u * kThreads);
    const int row = static_cast<int>(v * kThreads);
    const bool warp_above = (column + row) % 2 == 0;
    const double x = fraction(u * kThreads);
    const double y = fraction(v * kThreads);
    const double across = warp_above ? x : y;
    const double along = warp_above ? y : x;
    const double round = sine(across / 2.0) * (0.6 + 0.4 * sine(along / 2.0));
    return {.height = 0.022 * round + 0.004 * noise.at(u * 64.0, v * 64.0, 64)};
}

Texel grass(const Noise& noise, double u, double v) {
    const double blades = noise.fractal(u, v, 64, 2);
    return {.second = smooth_step(0.3, 0.75, noise.fractal(u, v, 5, 5)),
            .light = 0.7 + 0.6 * blades,
            .height = 0.012 * blades + 0.03 * noise.fractal(u, v, 12, 2)};
}

// A twig that rises from the middle of the lower edge, a leaf at its end and pairs of leaves beside it.
Texel sprig(const Noise& noise, double u, double v) {
    constexpr int kPairs = 5;
    const double up = 1.0 - v;
    const double aside = u - 0.5;
    double inside = up < 0.8 ? 0.008 - std::abs(aside) : -1.0;  // how far within the outline
    double tone = 0.2;
    double rib = 0.0;
    for (int i = 0; i <= 2 * kPairs; ++i) {
        const int pair = i / 2;
        const bool end = pair == kPairs;
        const double at = end ? 0.70 : 0.06 + 0.135 * pair + 0.03 * (i % 2);
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        const double turn = end ? 0.0 : side * (0.155 + 0.03 * (noise.cell(i, 1, 16) - 0.5) - 0.008 * pair);
        const double length = end ? 0.29 : 0.40 - 0.025 * pair + 0.06 * (noise.cell(i, 2, 16) - 0.5);
        // Along the leaf from its stalk, and across it.
        const double a = (aside * sine(turn) + (up - at) * cosine(turn)) / length;
        const double b = (aside * cosine(turn) - (up - at) * sine(turn)) / length;
        if (a < 0.0 || a > 1.0) continue;
        const double leaf = (0.62 * a * (1.0 - a) * (1.25 - 0.5 * a) - std::abs(b)) * length;
        if (leaf <= inside) continue;
        inside = leaf;
        tone = noise.cell(i, 3, 16) + 0.3 * a;
        rib = std::max(line(b, 0.03), 0.5 * line(fraction(7.0 * (a - std::abs(b))) - 0.5, 0.2));
    }
    return {.second = std::clamp(tone, 0.0, 1.0),
            .light = 0.95 + 0.35 * rib + 0.25 * (noise.at(u * 24.0, v * 24.0, 24) - 0.5),
            .alpha = std::clamp(0.5 + inside * 128.0, 0.0, 1.0)};
}

// Panes around random points, each of a tone of its own.
Texel leaded(const Noise& noise, double u, double v) {
    constexpr int kPanes = 8;
    const double x = u * kPanes;
    const double y = v * kPanes;
    double nearest = 8.0;
    double second = 8.0;
    double tone = 0.0;
    for (int j = static_cast<int>(std::floor(y)) - 1; j <= static_cast<int>(std::floor(y)) + 1; ++j) {
        for (int i = static_cast<int>(std::floor(x)) - 1; i <= static_cast<int>(std::floor(x)) + 1; ++i) {
            const double dx = i + 0.2 + 0.6 * noise.cell(i, j, kPanes) - x;
            const double dy = j + 0.2 + 0.6 * noise.cell(j + 5, i + 2, kPanes) - y;
            const double distance = std::sqrt(dx * dx + dy * dy);
            if (distance < nearest) tone = noise.cell(i + 3, j + 1, kPanes);
            second = std::min(second, std::max(distance, nearest));
            nearest = std::min(nearest, distance);
        }
    }
    const double lead = line(second - nearest, 0.16);
    return {.second = tone < 0.35   ? 0.0
                      : tone > 0.65 ? 1.0
                                    : 0.5,
            .light = mix(0.8 + 0.4 * tone, 0.04, lead),
            .alpha = mix(0.42, 1.0, lead)};
}

using PatternFunction = Texel (*)(const Noise&, double, double);
constexpr std::array<PatternFunction, 17> kPatterns{plaster, bricks, white_marble, dark_marble, granite, limestone,
                                                    timber,  bronze, brushed,      hammered,    pottery, damask,
                                                    stripes, weave,  grass,        sprig,       leaded};

std::uint8_t as_byte(double value) {
    return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

Image blank(std::string name, std::uint32_t size) {
    Image image;
    image.name = std::move(name);
    image.mime_type = kRawImageType;
    image.width = size;
    image.height = size;
    image.bytes.resize(std::size_t{size} * size * 4, 255);
    return image;
}

Image color_image(const std::string& name, std::uint32_t size, const std::vector<Texel>& texels, std::uint32_t main,
                  std::uint32_t second) {
    Image image = blank(name, size);
    std::uint8_t* out = image.bytes.data();
    for (const Texel& t : texels) {
        for (const std::uint32_t shift : {16U, 8U, 0U}) {
            *out++ = as_byte(mix(main >> shift & 0xFFU, second >> shift & 0xFFU, t.second) * t.light);
        }
        *out++ = as_byte(255.0 * t.alpha);
    }
    return image;
}

// The normals of the heights, by differences of neighbours. Y points up in the image.
Image normal_image(const std::string& name, std::uint32_t size, const std::vector<Texel>& texels) {
    Image image = blank(name, size);
    std::uint8_t* out = image.bytes.data();
    const auto height = [&](std::uint32_t x, std::uint32_t y) {
        return texels[std::size_t{y % size} * size + x % size].height;
    };
    for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) {
            const double right = (height(x + 1, y) - height(x + size - 1, y)) * size / 2.0;
            const double up = (height(x, y + size - 1) - height(x, y + 1)) * size / 2.0;
            const double scale = 127.5 / std::sqrt(1.0 + right * right + up * up);
            *out++ = as_byte(127.5 - right * scale);
            *out++ = as_byte(127.5 - up * scale);
            *out++ = as_byte(127.5 + scale);
            ++out;
        }
    }
    return image;
}

Image surface_image(const std::string& name, std::uint32_t size, const std::vector<Texel>& texels) {
    Image image = blank(name, size / 2);
    std::uint8_t* out = image.bytes.data();
    for (std::uint32_t y = 0; y < size; y += 2) {
        for (std::uint32_t x = 0; x < size; x += 2) {
            const Texel* const t = &texels[std::size_t{y} * size + x];
            for (double Texel::*const member : {&Texel::red, &Texel::roughness, &Texel::metallic}) {
                const double sum = t[0].*member + t[1].*member + t[size].*member + t[size + 1].*member;
                *out++ = as_byte(255.0 / 4.0 * sum);
            }
            ++out;
        }
    }
    return image;
}

}  // namespace

std::vector<Image> make_textures(const std::string& name, Pattern pattern, std::uint32_t size, std::uint32_t main,
                                 std::uint32_t second, std::uint32_t seed, const Maps& maps, ThreadPool* pool) {
    const Noise noise(seed);
    const PatternFunction texel = kPatterns[static_cast<std::size_t>(pattern)];
    std::vector<Texel> texels(std::size_t{size} * size);
    const auto make_rows = [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y) {
            for (std::uint32_t x = 0; x < size; ++x) {
                texels[y * size + x] = texel(noise, (x + 0.5) / size, (static_cast<double>(y) + 0.5) / size);
            }
        }
    };
    if (pool != nullptr) {
        pool->parallel_for(size, kRowsAtOnce, make_rows);
    } else {
        make_rows(0, size);
    }
    std::vector<Image> images;
    if (maps.color) images.push_back(color_image(name, size, texels, main, second));
    if (maps.normal) images.push_back(normal_image(name + " normal", size, texels));
    if (maps.surface) images.push_back(surface_image(name + " surface", size, texels));
    return images;
}

}  // namespace sublet::scene::builtin
