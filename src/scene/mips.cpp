#include "scene/mips.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sublet::scene {
namespace {

using Histogram = std::array<std::uint64_t, 256>;

// Where all of a box is transparent, texels count alike: this keeps weights above 0, and is nothing beside an alpha.
constexpr float kLeastWeight = 1e-6F;

// Brightness of the 256 values of sRGB, and the way back to the nearest.
class SrgbTables {
  public:
    SrgbTables() {
        const auto decode = [](double value) {
            return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
        };
        for (std::size_t i = 0; i < 256; ++i) {
            linear_[i] = static_cast<float>(decode(static_cast<double>(i) / 255.0));
            until_[i] = static_cast<float>(decode((static_cast<double>(i) + 0.5) / 255.0));
        }
        until_[255] = 2.0F;  // nothing is brighter
        std::size_t value = 0;
        for (std::size_t cell = 0; cell <= kCells; ++cell) {
            while (until_[value] <= static_cast<float>(cell) / kCells) ++value;
            guess_[cell] = static_cast<std::uint8_t>(value);
        }
    }

    [[nodiscard]] float decode(std::uint8_t value) const { return linear_[value]; }

    // `brightness` from 0 to 1, and a rounding error more.
    [[nodiscard]] std::uint8_t encode(float brightness) const {
        const std::uint8_t value = guess_[static_cast<std::size_t>(std::min(brightness, 1.0F) * kCells)];
        return static_cast<std::uint8_t>(value + (brightness >= until_[value] ? 1 : 0));
    }

  private:
    static constexpr std::size_t kCells = 4096;  // none holds two borders between values

    std::array<float, 256> linear_{};
    std::array<float, 256> until_{};  // the brightness from which on the next value is nearer
    std::array<std::uint8_t, kCells + 1> guess_{};
};

const SrgbTables& srgb() {
    static const SrgbTables tables;
    return tables;
}

std::uint8_t rounded(float value) {
    return static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F));
}

// Texels as they are summed up: four floats each.
struct LinearLight {
    static void decode(const std::uint8_t* from, float* to) {
        for (int c = 0; c < 3; ++c) to[c] = srgb().decode(from[c]);
        to[3] = from[3];
    }
    static void encode(const float* from, std::uint8_t* to) {
        for (int c = 0; c < 3; ++c) to[c] = srgb().encode(from[c]);
        to[3] = rounded(from[3]);
    }
};

struct WeighedLight {
    static void decode(const std::uint8_t* from, float* to) {
        const float weight = static_cast<float>(from[3]) / 255.0F + kLeastWeight;
        for (int c = 0; c < 3; ++c) to[c] = srgb().decode(from[c]) * weight;
        to[3] = weight;
    }
    static void encode(const float* from, std::uint8_t* to) {
        for (int c = 0; c < 3; ++c) to[c] = srgb().encode(from[c] / from[3]);
        to[3] = rounded((from[3] - kLeastWeight) * 255.0F);
    }
};

struct Numbers {
    static void decode(const std::uint8_t* from, float* to) {
        for (int c = 0; c < 4; ++c) to[c] = from[c];
    }
    static void encode(const float* from, std::uint8_t* to) {
        for (int c = 0; c < 4; ++c) to[c] = rounded(from[c]);
    }
};

// What X and Y leave of a unit length.
float missing_z(float x, float y) {
    return std::sqrt(std::max(1.0F - x * x - y * y, 0.0F));
}

struct Directions {
    static void decode(const std::uint8_t* from, float* to) {
        for (int c = 0; c < 3; ++c) to[c] = static_cast<float>(from[c]) / 127.5F - 1.0F;
        if (from[2] == 0) to[2] = missing_z(to[0], to[1]);
        to[3] = from[3];
    }
    static void encode(const float* from, std::uint8_t* to) {
        constexpr float kNone = 1e-4F;  // directions that cancel each other out: the surface as it is
        const float length = std::sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
        const std::array<float, 3> up{0.0F, 0.0F, 1.0F};
        const float* const direction = length > kNone ? from : up.data();
        const float scale = 127.5F / (length > kNone ? length : 1.0F);
        for (int c = 0; c < 3; ++c) to[c] = rounded(direction[c] * scale + 127.5F);
        to[3] = rounded(from[3]);
    }
};

// Halves a level that comes row by row. A side of 2n texels becomes one of n by means of two. Of a side of 2n + 1, the
// i-th covers its texels 2i, 2i + 1 and 2i + 2 by n - i, n and i + 1 parts of 2n + 1.
class Halver {
  public:
    Halver(std::uint32_t width, std::uint32_t height)
        : from_width_(width),
          from_height_(height),
          width_(halved(width, 1)),
          height_(halved(height, 1)),
          narrow_(std::size_t{4} * width_),
          row_(narrow_.size()) {}

    [[nodiscard]] std::uint32_t width() const { return width_; }
    [[nodiscard]] std::uint32_t height() const { return height_; }

    // Calls emit(row) for each row of the result that this one completes.
    template <class Emit>
    void push(const float* row, const Emit& emit) {
        narrow(row);
        const std::uint32_t y = rows_++;
        if (from_height_ == 1) {
            add(1.0F, true);
            emit(row_.data());
        } else if (from_height_ % 2 == 0) {
            add(0.5F, y % 2 == 0);
            if (y % 2 == 1) emit(row_.data());
        } else if (y % 2 == 1) {
            add(part(height_, from_height_), false);
        } else {
            const std::uint32_t i = y / 2;
            if (i > 0) {
                add(part(i, from_height_), false);
                emit(row_.data());
            }
            if (i < height_) add(part(height_ - i, from_height_), true);
        }
    }

  private:
    static float part(std::uint32_t parts, std::uint32_t of) {
        return static_cast<float>(parts) / static_cast<float>(of);
    }

    void narrow(const float* row) {
        float* to = narrow_.data();
        if (from_width_ == 1) {
            std::copy_n(row, 4, to);
        } else if (from_width_ % 2 == 0) {
            for (std::uint32_t x = 0; x < width_; ++x, row += 8, to += 4) {
                for (int c = 0; c < 4; ++c) to[c] = 0.5F * (row[c] + row[4 + c]);
            }
        } else {
            const float middle = part(width_, from_width_);
            for (std::uint32_t x = 0; x < width_; ++x, row += 8, to += 4) {
                const float left = part(width_ - x, from_width_);
                const float right = part(x + 1, from_width_);
                for (int c = 0; c < 4; ++c) to[c] = left * row[c] + middle * row[4 + c] + right * row[8 + c];
            }
        }
    }

    void add(float weight, bool anew) {
        for (std::size_t i = 0; i < row_.size(); ++i) row_[i] = (anew ? 0.0F : row_[i]) + weight * narrow_[i];
    }

    std::uint32_t from_width_, from_height_, width_, height_;
    std::uint32_t rows_ = 0;           // that have come
    std::vector<float> narrow_, row_;  // the last one halved in width; what is summed up
};

// All levels at a time, of which each keeps a row: no level is there as floats.
template <class Texel>
class Pyramid {
  public:
    Pyramid(std::uint32_t width, std::uint32_t height, unsigned first) {
        const unsigned count = level_count(width, height);
        for (unsigned level = 1; level < count; ++level) {
            halvers_.emplace_back(halved(width, level - 1), halved(height, level - 1));
            outputs_.emplace_back();
            if (level < first) continue;
            levels_.push_back(allocate_level(halvers_.back().width(), halvers_.back().height()));
            outputs_.back() = levels_.back().data.get();
        }
    }

    std::vector<TexelLevel> run(std::span<const std::uint8_t> rgba, std::uint32_t width) {
        std::vector<float> row(std::size_t{4} * width);
        for (std::size_t at = 0; at < rgba.size(); at += row.size()) {
            for (std::size_t i = 0; i < row.size(); i += 4) Texel::decode(&rgba[at + i], &row[i]);
            push(0, row.data());
        }
        return std::move(levels_);
    }

  private:
    void push(std::size_t level, const float* row) {  // as deep as there are levels
        if (level == halvers_.size()) return;
        Halver& halver = halvers_[level];
        halver.push(row, [&](const float* half) {
            if (std::uint8_t*& to = outputs_[level]; to != nullptr) {
                for (std::uint32_t x = 0; x < halver.width(); ++x, to += 4) Texel::encode(half + 4U * x, to);
            }
            push(level + 1, half);
        });
    }

    std::vector<Halver> halvers_;         // the first one makes level 1
    std::vector<std::uint8_t*> outputs_;  // where its next row goes; null: nobody wants it
    std::vector<TexelLevel> levels_;
};

Histogram alphas_of(std::span<const std::uint8_t> rgba) {
    Histogram count{};
    for (std::size_t i = 3; i < rgba.size(); i += 4) ++count[rgba[i]];
    return count;
}

// The share of texels that an alpha of at least `least` has.
double coverage(const Histogram& alphas, unsigned least, double texels) {
    std::uint64_t passing = 0;
    for (unsigned alpha = least; alpha < alphas.size(); ++alpha) passing += alphas[alpha];
    return static_cast<double>(passing) / texels;
}

// Scales alpha so that the share of texels that passes is as near to `wanted` as any scale makes it; of equally near
// ones the scale nearest to 1.
void keep_coverage(TexelLevel& level, unsigned least, double wanted) {
    const std::span<std::uint8_t> rgba = level.span();
    const Histogram alphas = alphas_of(rgba);
    const double texels = static_cast<double>(level.width) * level.height;
    const auto distance = [&](unsigned border) { return std::abs(coverage(alphas, border, texels) - wanted); };
    unsigned best = least;
    for (unsigned away = 1; away < alphas.size(); ++away) {
        if (least > away && distance(least - away) < distance(best)) best = least - away;
        if (least + away < alphas.size() && distance(least + away) < distance(best)) best = least + away;
    }
    if (best == least) return;
    // It takes what is between `best` - 1 and `best` to what is between `least` - 1 and `least`.
    const float scale = (static_cast<float>(least) - 0.5F) / (static_cast<float>(best) - 0.5F);
    for (std::size_t i = 3; i < rgba.size(); i += 4) rgba[i] = rounded(static_cast<float>(rgba[i]) * scale);
}

}  // namespace

std::vector<TexelLevel> make_mips(std::span<const std::uint8_t> rgba, std::uint32_t width, std::uint32_t height,
                                  const MipFilter& filter, unsigned first) {
    const auto run = [&]<class Texel>(Texel) { return Pyramid<Texel>(width, height, first).run(rgba, width); };
    if (filter.use == TextureUse::kData) return run(Numbers{});
    if (filter.use == TextureUse::kNormal) return run(Directions{});
    std::vector<TexelLevel> levels = filter.weigh_by_alpha ? run(WeighedLight{}) : run(LinearLight{});
    if (filter.least_alpha == 0) return levels;
    const double wanted =
        coverage(alphas_of(rgba), filter.least_alpha, static_cast<double>(width) * static_cast<double>(height));
    for (TexelLevel& level : levels) keep_coverage(level, filter.least_alpha, wanted);
    return levels;
}

void complete_normals(std::span<std::uint8_t> rgba) {
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        if (rgba[i + 2] != 0) continue;
        const float x = static_cast<float>(rgba[i]) / 127.5F - 1.0F;
        const float y = static_cast<float>(rgba[i + 1]) / 127.5F - 1.0F;
        rgba[i + 2] = rounded(missing_z(x, y) * 127.5F + 127.5F);
    }
}

}  // namespace sublet::scene
