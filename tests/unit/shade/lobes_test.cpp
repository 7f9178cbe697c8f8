// Single lobes of materials in double precision: anisotropic facets against their integrals, thin films against their
// specification.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "random.h"
#include "tests/shading_twin.h"

namespace sublet::test {
namespace {

namespace exact = twin::exact;
namespace single = twin::single;
using glm::dvec2;
using glm::dvec3;

exact::Surface surface(double roughness, double anisotropy) {
    exact::Surface s{};
    s.normal = {0.0, 0.0, 1.0};
    s.tangent = {1.0, 0.0, 0.0};
    s.f0 = s.f90 = dvec3(1.0);
    s.roughness = roughness;
    s.occlusion = s.sun = 1.0;
    s.anisotropy = anisotropy;
    return s;
}

double microfacets(const exact::Surface& s, const dvec3& l, const dvec3& v) {
    return exact::microfacets(s, l, v, glm::normalize(l + v), l.z, v.z);
}

TEST(Shading, LobesAreReciprocal) {
    Random random(10);
    for (int i = 0; i < 10000; ++i) {
        const exact::Surface s = surface(random.extreme(), random.extreme());
        const dvec3 l = random.above();
        const dvec3 v = random.above();
        const double there = microfacets(s, l, v);
        EXPECT_NEAR(there, microfacets(s, v, l), 1e-9 * (1.0 + there));
    }
}

// Of no strength it is the lobe that is the same all around.
TEST(Shading, AnisotropyGrowsFromNothing) {
    Random random(11);
    for (int i = 0; i < 10000; ++i) {
        const double roughness = random.extreme();
        const dvec3 l = random.above();
        const dvec3 v = random.above();
        const double even = microfacets(surface(roughness, 0.0), l, v);
        EXPECT_NEAR(microfacets(surface(roughness, 1e-6), l, v), even, 1e-4 * (1e-3 + even));
    }
}

constexpr std::array kRoughnesses{0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0};
constexpr std::array kStrengths{0.2, 0.4, 0.6, 0.8, 1.0};
constexpr std::array kCosines{0.1, 0.2, 0.4, 0.6, 0.8, 0.95};

dvec3 viewer(double n_v, double turn) {
    const double side = std::sqrt(1.0 - n_v * n_v);
    return {side * std::cos(turn), side * std::sin(turn), n_v};
}

// Calls add(l, v_h, weight) for half vectors spread as the surface's facets are: light from `l` that they reflect to
// the viewer at a reflectance of 1. The weights are those of a mean over all half vectors.
template <class Add>
void for_each_reflection(const exact::Surface& s, const dvec3& v, int rings, int spokes, const Add& add) {
    const dvec2 alpha = exact::anisotropic_alpha(s);
    for (int i = 0; i < rings * spokes; ++i) {
        const double part = (i / spokes + 0.5) / rings;
        const double slope = std::sqrt(part / (1.0 - part));
        const double turn = 2.0 * kPiExact * (i % spokes + 0.5) / spokes;
        const dvec3 h = glm::normalize(dvec3(alpha.x * slope * std::cos(turn), alpha.y * slope * std::sin(turn), 1.0));
        const double v_h = glm::dot(v, h);
        const dvec3 l = 2.0 * v_h * h - v;
        if (v_h <= 0.0 || l.z <= 0.0) continue;
        const double density = exact::distribution_ggx_anisotropic(h, alpha) * h.z / (4.0 * v_h);
        add(l, v_h, exact::microfacets(s, l, v, h, l.z, v.z) * l.z / (density * rings * spokes));
    }
}

TEST(Shading, AnisotropicFacetsCoverTheSurfaceOnce) {
    for (const double across : {0.05, 0.3, 1.0}) {
        for (const double along : {0.05, 0.5, 1.0}) {
            double sum = 0.0;
            constexpr int kSide = 2000;
            for (int i = 0; i < kSide * kSide; ++i) {
                // Denser towards the normal.
                const double x = (i / kSide + 0.5) / kSide;
                const double angle = 0.5 * kPiExact * x * x * x;
                const double turn = 2.0 * kPiExact * (i % kSide + 0.5) / kSide;
                const dvec3 h(std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn), std::cos(angle));
                sum += exact::distribution_ggx_anisotropic(h, {along, across}) * h.z * std::sin(angle) * 1.5 *
                       kPiExact * x * x * 2.0 * kPiExact / kSide / kSide;
            }
            EXPECT_NEAR(sum, 1.0, 1e-3) << along << ' ' << across;
        }
    }
}

// What a white metal reflects of a sun, over all directions that it may stand in: all of it where facets are spread
// evenly. Anisotropic ones are taken to reflect what even ones of another roughness do: that is what is off.
TEST(Shading, SunlightIsKept) {
    double squares = 0.0;
    double least = 1.0;
    double most = 1.0;
    int count = 0;
    for (const double roughness : kRoughnesses) {
        for (const double n_v : kCosines) {
            const auto kept = [&](double strength, double turn) {
                const exact::Surface s = surface(roughness, strength);
                const dvec3 v = viewer(n_v, turn);
                double reflected = 0.0;
                for_each_reflection(s, v, 200, 128, [&](const dvec3&, double, double weight) { reflected += weight; });
                const double even = strength == 0.0 ? roughness : exact::even_roughness(exact::anisotropic_alpha(s));
                dvec3 more;
                exact::reflected_share(s, v, even, dvec2(exact::reflectances_at(n_v, even)), more);
                return reflected * more.x;
            };
            EXPECT_NEAR(kept(0.0, 0.0), 1.0, 0.005) << roughness << ' ' << n_v;
            for (const double strength : kStrengths) {
                for (const double turn : {0.0, 0.25, 0.5, 0.75, 1.0}) {
                    const double sum = kept(strength, 0.5 * kPiExact * turn);
                    squares += (sum - 1.0) * (sum - 1.0);
                    least = std::min(least, sum);
                    most = std::max(most, sum);
                    ++count;
                }
            }
        }
    }
    EXPECT_LT(std::sqrt(squares / count), 0.05);
    EXPECT_GT(least, 0.62);
    EXPECT_LT(most, 1.13);
}

// Surroundings of hard and soft edges.
std::vector<std::function<double(const dvec3&)>> surroundings() {
    Random random(12);
    std::vector<std::function<double(const dvec3&)>> out;
    for (int i = 0; i < 6; ++i) {
        const dvec3 a = random.direction();
        const dvec3 b = random.above();
        out.emplace_back([a](const dvec3& d) { return glm::dot(a, d) > 0.0 ? 1.0 : 0.0; });
        out.emplace_back([b](const dvec3& d) { return glm::dot(b, d) > 0.95 ? 5.0 : 0.2; });
        out.emplace_back([a](const dvec3& d) { return 0.5 + 0.5 * glm::dot(a, d); });
    }
    return out;
}

// As environment/filter.comp makes a level of a cube.
double filtered(const std::function<double(const dvec3&)>& light, const dvec3& n, double roughness) {
    const double alpha = exact::ggx_alpha(roughness);
    const dvec3 right = glm::normalize(glm::cross(std::abs(n.y) < 0.9 ? dvec3(0, 1, 0) : dvec3(1, 0, 0), n));
    const dvec3 above = glm::cross(n, right);
    double sum = 0.0;
    double weights = 0.0;
    constexpr int kRings = 16;
    constexpr int kSpokes = 16;
    for (int i = 0; i < kRings * kSpokes; ++i) {
        const double part = (i / kSpokes + 0.5) / kRings;
        const double slope = alpha * std::sqrt(part / (1.0 - part));
        const double turn = 2.0 * kPiExact * (i % kSpokes + 0.5) / kSpokes;
        const dvec3 h = glm::normalize(n + slope * (std::cos(turn) * right + std::sin(turn) * above));
        const dvec3 l = 2.0 * glm::dot(h, n) * h - n;
        const double n_l = glm::dot(n, l);
        if (n_l <= 0.0) continue;
        sum += light(l) * n_l;
        weights += n_l;
    }
    return sum / weights;
}

// What is mirrored of all around, against the lobe's own integral: about as near as of facets that are spread evenly,
// and nearer than any one direction's light.
TEST(Shading, AnisotropicReflectionsAreNearTheirLobes) {
    const auto all = surroundings();
    double even = 0.0;
    double squares = 0.0;
    double one_direction = 0.0;
    int count = 0;
    for (const double roughness : {0.1, 0.25, 0.4, 0.6, 0.8}) {
        for (const double strength : {0.3, 0.6, 0.85, 1.0}) {
            for (const double n_v : {0.25, 0.5, 0.75, 0.98}) {
                for (const double turn : {0.0, 0.5, 1.0}) {
                    const exact::Surface s = surface(roughness, strength);
                    const dvec3 v = viewer(n_v, 0.5 * kPiExact * turn);
                    const double mean_roughness = exact::even_roughness(exact::anisotropic_alpha(s));
                    for (const auto& light : all) {
                        const auto lobe = [&](const exact::Surface& of, dvec3& mean) {
                            double sum = 0.0;
                            double weights = 0.0;
                            mean = dvec3(0.0);
                            for_each_reflection(of, v, 32, 48, [&](const dvec3& l, double, double weight) {
                                sum += weight * light(l);
                                weights += weight;
                                mean += weight * l;
                            });
                            return sum / weights;
                        };
                        exact::around = [&](const dvec3& d, double r) { return dvec3(filtered(light, d, r)); };
                        dvec3 mean;
                        const exact::Surface plain = surface(roughness, 0.0);
                        const double error_even = exact::mirrored_radiance(plain, v, n_v).x - lobe(plain, mean);
                        const double expected = lobe(s, mean);
                        const double error = exact::mirrored_radiance(s, v, n_v).x - expected;
                        const double error_one = filtered(light, glm::normalize(mean), mean_roughness) - expected;
                        even += error_even * error_even;
                        squares += error * error;
                        one_direction += error_one * error_one;
                        ++count;
                    }
                }
            }
        }
    }
    const auto root = [&](double sum) { return std::sqrt(sum / count); };
    EXPECT_LT(root(even), 0.06);
    EXPECT_LT(root(squares), 0.08);
    EXPECT_GT(root(one_direction), 0.1);
}

// KHR_materials_iridescence's own text, step by step, but that phases are of channels of sRGB and not of XYZ.
dvec3 film_as_specified(double cosine, const dvec3& f0, double ior, double thickness) {
    const auto schlick = [](double at_normal, double c) {
        return at_normal + (1.0 - at_normal) * std::pow(1.0 - c, 5);
    };
    const auto sensitivity = [](double path, double shift) {
        const double phase = 2.0 * kPiExact * path * 1.0e-9;
        const auto lobe = [&](double value, double position, double variance) {
            return value * std::sqrt(2.0 * kPiExact * variance) * std::cos(position * phase + shift) *
                   std::exp(-phase * phase * variance) / 1.0685e-7;
        };
        const dvec3 xyz(lobe(5.4856e-13, 1.6810e+06, 4.3278e+09) + lobe(9.7470e-14, 2.2399e+06, 4.5282e+09),
                        lobe(4.4201e-13, 1.7953e+06, 9.3046e+09), lobe(5.2481e-13, 2.2084e+06, 6.6121e+09));
        return dvec3(glm::dot(dvec3(3.2404542, -1.5371385, -0.4985314), xyz),
                     glm::dot(dvec3(-0.9692660, 1.8760108, 0.0415560), xyz),
                     glm::dot(dvec3(0.0556434, -0.2040259, 1.0572252), xyz));
    };
    const double cosine_within = std::sqrt(1.0 - (1.0 - cosine * cosine) / (ior * ior));
    const double r12 = schlick(std::pow((ior - 1.0) / (ior + 1.0), 2), cosine);
    const double t121 = 1.0 - r12;
    const double path = 2.0 * ior * thickness * cosine_within;
    dvec3 out;
    for (int c = 0; c < 3; ++c) {
        const double root = std::sqrt(std::min(f0[c], 0.9999999));
        const double base_ior = (1.0 + root) / (1.0 - root);
        const double r23 = schlick(std::pow((base_ior - ior) / (base_ior + ior), 2), cosine_within);
        const double phi = kPiExact + (base_ior < ior ? kPiExact : 0.0);
        const double r123 = std::min(r12 * r23, 0.99999999);
        const double rs = t121 * t121 * r23 / (1.0 - r123);
        double sum = r12 + rs;
        double factor = rs - t121;
        for (int m = 1; m <= 2; ++m) {
            factor *= std::sqrt(r123);
            sum += factor * 2.0 * sensitivity(m * path, m * phi)[c];
        }
        out[c] = std::clamp(sum, 0.0, 1.0);
    }
    return out;
}

TEST(ThinFilm, IsAsSpecified) {
    Random random(13);
    for (int i = 0; i < 100000; ++i) {
        const double cosine = random.extreme();
        const dvec3 f0 = random.color() * 0.999;
        const double ior = random.between(1.0, 3.0);
        const double thickness = random.between(0.0, 1500.0);
        const dvec3 expected = film_as_specified(cosine, f0, ior, thickness);
        const dvec3 got = exact::thin_film(cosine, f0, ior, thickness);
        const glm::vec3 in_floats = single::thin_film(static_cast<float>(cosine), glm::vec3(f0),
                                                      static_cast<float>(ior), static_cast<float>(thickness));
        for (int c = 0; c < 3; ++c) {
            EXPECT_NEAR(got[c], expected[c], 2e-5) << i;
            EXPECT_NEAR(in_floats[c], got[c], 5e-4) << i;
        }
    }
}

// Hostile numbers too give a reflectance.
TEST(ThinFilm, IsAReflectance) {
    constexpr float kMost = std::numeric_limits<float>::max();
    for (const float ior : {1.0F, 1.3F, 100.0F, 1e20F, kMost}) {
        for (const float thickness : {0.0F, 1e-30F, 400.0F, 1e20F, kMost}) {
            for (const float f0 : {0.0F, 0.04F, 1.0F}) {
                for (const float cosine : {0.0F, 1e-7F, 0.5F, 1.0F}) {
                    const glm::vec3 film = single::thin_film(cosine, glm::vec3(f0), ior, thickness);
                    EXPECT_TRUE(film.x >= 0.0F && film.x <= 1.0F) << ior << ' ' << thickness << ' ' << f0;
                }
            }
        }
    }
}

// Of a rough surface the film is seen at one angle for all facets: its colour, against the sum over them.
TEST(ThinFilm, IsSeenAtTheMeanAngle) {
    double squares = 0.0;
    double worst = 0.0;
    int count = 0;
    for (const double roughness : kRoughnesses) {
        for (const double n_v : kCosines) {
            for (const double thickness : {100.0, 250.0, 400.0, 700.0}) {
                for (const double f0 : {0.04, 0.8}) {
                    exact::Surface s = surface(roughness, 0.0);
                    s.f0 = dvec3(f0);
                    s.iridescence = 1.0;
                    s.film_ior = 1.8;
                    s.film_thickness = thickness;
                    const dvec3 v = viewer(n_v, 0.0);
                    dvec3 expected(0.0);
                    for_each_reflection(s, v, 200, 128, [&](const dvec3&, double v_h, double weight) {
                        expected += weight * exact::facet_reflectance(s, v_h);
                    });
                    dvec3 more;
                    const dvec2 sums(exact::reflectances_at(n_v, roughness));
                    const dvec3 got = exact::reflected_share(s, v, roughness, sums, more) / more;
                    for (int c = 0; c < 3; ++c) {
                        squares += std::pow(got[c] - expected[c], 2);
                        worst = std::max(worst, std::abs(got[c] - expected[c]));
                        ++count;
                    }
                }
            }
        }
    }
    EXPECT_LT(std::sqrt(squares / count), 0.02);
    EXPECT_LT(worst, 0.15);
}

}  // namespace
}  // namespace sublet::test
