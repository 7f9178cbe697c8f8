// Mips, held to a twin that follows the definition in double precision.
#include "scene/mips.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sublet::scene::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Texel = std::array<double, 4>;

// A level in the space in which its texels are summed up.
struct Sums {
    std::size_t width = 0, height = 0;
    std::vector<Texel> texels;
};

double to_linear(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double to_srgb(double value) {
    return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
}

// Colours weighed by alpha count the least bit where all is transparent.
constexpr double kLeast = 1e-6;

Texel decode(const std::uint8_t* rgba, const MipFilter& filter) {
    Texel out{};
    for (std::size_t c = 0; c < 4; ++c) out[c] = rgba[c] / 255.0;
    for (std::size_t c = 0; c < 3; ++c) {
        if (filter.use == TextureUse::kNormal) out[c] = out[c] * 2 - 1;
        if (filter.use == TextureUse::kColor)
            out[c] = to_linear(out[c]) * (filter.weigh_by_alpha ? out[3] + kLeast : 1);
    }
    if (filter.use == TextureUse::kNormal && rgba[2] == 0) {
        out[2] = std::sqrt(std::max(1 - out[0] * out[0] - out[1] * out[1], 0.0));
    }
    return out;
}

// Of 255, not rounded.
Texel encode(Texel texel, const MipFilter& filter) {
    const double length = std::hypot(texel[0], texel[1], texel[2]);
    for (std::size_t c = 0; c < 3; ++c) {
        if (filter.use == TextureUse::kNormal) texel[c] = texel[c] / length * 0.5 + 0.5;
        if (filter.use == TextureUse::kColor) {
            texel[c] = to_srgb(std::clamp(texel[c] / (filter.weigh_by_alpha ? texel[3] + kLeast : 1), 0.0, 1.0));
        }
    }
    for (double& value : texel) value *= 255;
    return texel;
}

// How much of texel `i` lies in box `j` when `from` texels become `to`: 0 to 1.
double overlap(std::size_t i, std::size_t j, std::size_t from, std::size_t to) {
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double low = std::max(static_cast<double>(j) * scale, static_cast<double>(i));
    const double high = std::min(static_cast<double>(j + 1) * scale, static_cast<double>(i + 1));
    return std::max(high - low, 0.0) / scale;
}

Sums half_of(const Sums& from) {
    Sums out{std::max<std::size_t>(from.width / 2, 1), std::max<std::size_t>(from.height / 2, 1), {}};
    for (std::size_t y = 0; y < out.height; ++y) {
        for (std::size_t x = 0; x < out.width; ++x) {
            Texel sum{};
            for (std::size_t v = 0; v < from.height; ++v) {
                const double rows = overlap(v, y, from.height, out.height);
                for (std::size_t u = 0; rows > 0 && u < from.width; ++u) {
                    const double weight = rows * overlap(u, x, from.width, out.width);
                    for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * from.texels[v * from.width + u][c];
                }
            }
            out.texels.push_back(sum);
        }
    }
    return out;
}

Bytes noise(std::size_t texels, unsigned seed) {
    std::mt19937 random(seed);
    Bytes out(texels * 4);
    for (std::uint8_t& value : out) value = static_cast<std::uint8_t>(random());
    return out;
}

std::uint8_t at(const TexelLevel& level, std::size_t i) {
    return level.data[static_cast<std::ptrdiff_t>(i)];
}

double share_above(std::span<const std::byte> rgba, int least) {
    std::size_t count = 0;
    for (std::size_t i = 3; i < rgba.size(); i += 4) count += std::to_integer<int>(rgba[i]) >= least ? 1U : 0U;
    return static_cast<double>(count) * 4 / static_cast<double>(rgba.size());
}

constexpr MipFilter kPlain{};
constexpr MipFilter kWeighed{.weigh_by_alpha = true};
constexpr MipFilter kNumbers{.use = TextureUse::kData};
constexpr MipFilter kNormals{.use = TextureUse::kNormal};

TEST(Mips, AreWhatTheDefinitionSays) {
    unsigned seed = 0;
    for (const auto& [width, height] : {std::pair<std::uint32_t, std::uint32_t>{64, 64},
                                        {31, 17},
                                        {1, 37},
                                        {50, 1},
                                        {2, 2},
                                        {3, 3},
                                        {7, 64},
                                        {33, 5}}) {
        for (const MipFilter& filter : {kPlain, kWeighed, kNumbers, kNormals}) {
            SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + ", use " +
                         std::to_string(static_cast<int>(filter.use)) + (filter.weigh_by_alpha ? ", weighed" : ""));
            const Bytes rgba = noise(std::size_t{width} * height, ++seed);
            Sums sums{width, height, {}};
            for (std::size_t i = 0; i < rgba.size(); i += 4) sums.texels.push_back(decode(&rgba[i], filter));
            const std::vector<TexelLevel> mips = make_mips(rgba, width, height, filter);
            ASSERT_EQ(mips.size() + 1, level_count(width, height));
            for (const TexelLevel& mip : mips) {
                sums = half_of(sums);
                ASSERT_EQ(mip.width, sums.width);
                ASSERT_EQ(mip.height, sums.height);
                for (std::size_t i = 0; i < sums.texels.size(); ++i) {
                    const Texel exact = encode(sums.texels[i], filter);
                    for (std::size_t c = 0; c < 4; ++c) {
                        // Rounded to the nearest, but for floats' last digits. Directions that nearly cancel each
                        // other out have few digits left.
                        const double slack = filter.use == TextureUse::kNormal ? 0.02 : 0.002;
                        ASSERT_NEAR(at(mip, 4 * i + c), exact[c], 0.5 + slack) << mip.width << ", texel " << i;
                    }
                }
            }
            EXPECT_EQ(mips.back().width * mips.back().height, 1U);
        }
    }
}

TEST(Mips, KeepEveryPlainTexel) {
    for (int value = 0; value < 256; ++value) {
        const auto v = static_cast<std::uint8_t>(value);
        const auto alpha = static_cast<std::uint8_t>(255 - value);
        Bytes rgba;
        for (int i = 0; i < 7 * 6; ++i) rgba.insert(rgba.end(), {v, alpha, 77, alpha});
        for (const MipFilter& filter : {kPlain, kWeighed, kNumbers}) {
            for (const TexelLevel& mip : make_mips(rgba, 7, 6, filter)) {
                for (std::size_t i = 0; i < mip.bytes().size(); ++i) ASSERT_EQ(at(mip, i), rgba[i]) << value;
            }
        }
    }
}

TEST(Mips, ShowNoColourThatNobodySees) {
    // A red texel among green ones that are transparent.
    const Bytes rgba{255, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0};
    const std::vector<TexelLevel> weighed = make_mips(rgba, 2, 2, kWeighed);
    EXPECT_EQ(at(weighed[0], 0), 255);
    EXPECT_EQ(at(weighed[0], 1), 0);
    EXPECT_EQ(at(weighed[0], 3), 64);
    const std::vector<TexelLevel> plain = make_mips(rgba, 2, 2, kPlain);
    EXPECT_EQ(at(plain[0], 0), 137) << "a quarter of the light";
    EXPECT_EQ(at(plain[0], 1), 225);
    // All transparent: the colour is a mean all the same, in case it is magnified beside another texel.
    const std::vector<TexelLevel> none = make_mips(Bytes{255, 0, 0, 0, 255, 0, 0, 0}, 2, 1, kWeighed);
    EXPECT_EQ(at(none[0], 0), 255);
    EXPECT_EQ(at(none[0], 3), 0);
}

TEST(Mips, OfNormalsAreDirections) {
    // Flat texels stay as they are, and one that leans to each side has a flat mean.
    EXPECT_EQ(at(make_mips(Bytes{128, 128, 255, 9, 128, 128, 255, 9}, 2, 1, kNormals)[0], 2), 255);
    const std::vector<TexelLevel> flat = make_mips(Bytes{218, 128, 217, 0, 37, 128, 217, 0}, 2, 1, kNormals);
    EXPECT_EQ(at(flat[0], 0), 128);
    EXPECT_EQ(at(flat[0], 2), 255) << "a mean of the bytes would be 217, and shorter";
    // Opposite ones leave no direction.
    const std::vector<TexelLevel> none = make_mips(Bytes{0, 0, 0, 0, 255, 255, 255, 0}, 2, 1, kNormals);
    EXPECT_EQ(at(none[0], 0), 128);
    EXPECT_EQ(at(none[0], 2), 255);
}

TEST(Mips, KeepTheCoverageOfMasks) {
    // Leaves: discs of alpha on nothing; and noise, which means would take below any cutoff.
    constexpr std::uint32_t kSide = 256;
    Bytes leaves(std::size_t{4} * kSide * kSide, 0);
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const double distance = std::hypot(x % 7 - 3.0, y % 9 - 4.0);
            leaves[4 * (std::size_t{y} * kSide + x) + 3] = distance < 2.1 ? 255 : 0;
        }
    }
    for (const Bytes& rgba : {leaves, noise(std::size_t{kSide} * kSide, 5)}) {
        for (const int least : {1, 100, 128, 200, 255}) {
            const double whole = share_above(std::as_bytes(std::span(rgba)), least);
            const MipFilter kept{.weigh_by_alpha = true, .least_alpha = static_cast<std::uint8_t>(least)};
            const std::vector<TexelLevel> means = make_mips(rgba, kSide, kSide, kWeighed);
            const std::vector<TexelLevel> mips = make_mips(rgba, kSide, kSide, kept);
            for (std::size_t i = 0; i < mips.size(); ++i) {
                SCOPED_TRACE("least " + std::to_string(least) + ", level " + std::to_string(i + 1));
                // No other border that scaling may move to the cutoff comes nearer.
                const double distance = std::abs(share_above(mips[i].bytes(), least) - whole);
                for (int border = 1; border < 256; ++border) {
                    EXPECT_LE(distance, std::abs(share_above(means[i].bytes(), border) - whole) + 1e-9) << border;
                }
                for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(at(mips[i], c), at(means[i], c));
            }
        }
    }
    // The discs' first level has shades enough for a tenth.
    const MipFilter kept{.weigh_by_alpha = true, .least_alpha = 200};
    const double whole = share_above(std::as_bytes(std::span(leaves)), 200);
    EXPECT_NEAR(share_above(make_mips(leaves, kSide, kSide, kept)[0].bytes(), 200), whole, whole / 10);
    EXPECT_LT(share_above(make_mips(leaves, kSide, kSide, kWeighed)[0].bytes(), 200), whole / 2);
}

TEST(Mips, MayBeginFurtherOn) {
    const Bytes rgba = noise(std::size_t{21} * 10, 3);
    const std::vector<TexelLevel> all = make_mips(rgba, 21, 10, kPlain);
    const std::vector<TexelLevel> last = make_mips(rgba, 21, 10, kPlain, 3);
    ASSERT_EQ(all.size(), 4U);
    ASSERT_EQ(last.size(), 2U);
    for (std::size_t i = 0; i < last.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal(last[i].bytes(), all[i + 2].bytes()));
    }
    EXPECT_TRUE(make_mips(rgba, 21, 10, kPlain, 5).empty());
    EXPECT_TRUE(make_mips(Bytes{1, 2, 3, 4}, 1, 1, kPlain).empty());
}

}  // namespace
}  // namespace sublet::scene::testing
