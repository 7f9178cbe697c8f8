// The proof that the compute rasteriser leaves no crack in a mesh, and hits no pixel of it twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <numbers>
#include <vector>

#include "exact.h"
#include "mutants.h"
#include "shader.h"
#include "shapes.h"
#include "tests/unit/sanitizer.h"
#include "walks.h"

namespace sublet::test {
namespace {

using namespace glsl::fused;

constexpr int kWidth = 160;
constexpr int kHeight = 120;

// Vertices on the grid; triangles clockwise as seen, where vertices are where they should; its outline, clockwise.
struct Mesh {
    std::vector<Point> vertices;
    std::vector<std::array<std::size_t, 3>> triangles;
    std::vector<std::size_t> outline;

    [[nodiscard]] Triangle triangle(std::size_t i) const {
        return {vertices[triangles[i][0]], vertices[triangles[i][1]], vertices[triangles[i][2]]};
    }
    // Turns triangles around, so that an edge is not always the same one of both: they still wind the same way.
    void turn(Random& random) {
        for (auto& t : triangles) std::rotate(t.begin(), t.begin() + random.between(0, 2), t.end());
    }
};

// How often triangles of either winding cover the pixels of the window.
struct Hits {
    std::vector<int> clockwise = std::vector<int>(kWidth * kHeight);
    std::vector<int> counter_clockwise = std::vector<int>(kWidth * kHeight);
};

// By whichever walk the shaders would take, where they take the narrow one for up to a random number of pixels.
Hits draw(const Mesh& mesh, Random& random) {
    Hits hits;
    const ivec2 size(kWidth, kHeight);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (const uint32_t winding : {kWindingClockwise, kWindingCounterClockwise}) {
            RasterTriangle t;
            if (!make(mesh.triangle(i), {}, winding, size, t)) continue;
            std::vector<int>& times = winding == kWindingClockwise ? hits.clockwise : hits.counter_clockwise;
            const auto hit = [&](const ivec2& pixel, float, float) { ++times.at(pixel.y * kWidth + pixel.x); };
            if (is_small(t, static_cast<uint32_t>(random.between(0, 500)))) {
                walk_narrow(t, hit);
            } else {
                walk_wide(t, 0, kHeight - 1, hit);
            }
        }
    }
    return hits;
}

std::vector<int> windings(const Mesh& mesh) {
    Windings windings(kWidth, kHeight);
    for (std::size_t i = 0; i < mesh.outline.size(); ++i) {
        windings.add(mesh.vertices[mesh.outline[i]], mesh.vertices[mesh.outline[(i + 1) % mesh.outline.size()]]);
    }
    return windings.count();
}

// A grid of squares, each cut along a random diagonal. Vertices are moved by up to `jitter` of a square; some to the
// nearest pixel's centre, where those are much nearer to each other than vertices.
Mesh make_grid(Random& random, int64_t cells, int64_t cell, double jitter) {
    Mesh mesh;
    const Point origin{random.between(-cell * cells / 2, kWidth * 256 / 2),
                       random.between(-cell * cells / 2, kHeight * 256 / 2)};
    const auto reach = static_cast<int64_t>(static_cast<double>(cell) * jitter);
    const std::size_t side = static_cast<std::size_t>(cells) + 1;
    for (int64_t y = 0; y <= cells; ++y) {
        for (int64_t x = 0; x <= cells; ++x) {
            Point p{origin.x + x * cell + random.between(-reach, reach),
                    origin.y + y * cell + random.between(-reach, reach)};
            if (cell >= 2048 && random.one_in(3)) p = {p.x & ~int64_t{255}, p.y & ~int64_t{255}};
            mesh.vertices.push_back(p);
        }
    }
    for (std::size_t y = 0; y + 1 < side; ++y) {
        for (std::size_t x = 0; x + 1 < side; ++x) {
            const std::size_t a = y * side + x;
            const std::size_t b = a + 1;
            const std::size_t c = a + side + 1;
            const std::size_t d = a + side;
            if (random.one_in(2)) {
                mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
            } else {
                mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {b, c, d}});
            }
        }
    }
    for (std::size_t i = 0; i + 1 < side; ++i) mesh.outline.push_back(i);
    for (std::size_t i = 0; i + 1 < side; ++i) mesh.outline.push_back(i * side + side - 1);
    for (std::size_t i = side; i-- > 1;) mesh.outline.push_back((side - 1) * side + i);
    for (std::size_t i = side; i-- > 1;) mesh.outline.push_back(i * side);
    mesh.turn(random);
    return mesh;
}

// Triangles around a pixel's centre, to vertices of which half are on such centres too.
Mesh make_fan(Random& random) {
    Mesh mesh;
    mesh.vertices.push_back({random.between(0, kWidth - 1) * 256, random.between(0, kHeight - 1) * 256});
    const Point center = mesh.vertices[0];
    const auto spokes = static_cast<std::size_t>(random.between(4, 40));
    const double reach = random.log_uniform(300.0, 20000.0);
    for (std::size_t i = 0; i < spokes; ++i) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(spokes);
        const double length = random.uniform(0.3, 1.0) * reach;
        Point p{center.x + std::llround(length * std::cos(angle)), center.y + std::llround(length * std::sin(angle))};
        if (reach > 10000.0 && random.one_in(2)) p = {p.x & ~int64_t{255}, p.y & ~int64_t{255}};
        mesh.vertices.push_back(p);
        mesh.outline.push_back(i + 1);
        mesh.triangles.push_back({0, i + 1, (i + 1) % spokes + 1});
    }
    mesh.turn(random);
    return mesh;
}

// A sphere in perspective, its vertices rounded to the grid. Without an outline. `radius` and `center` in pixels.
Mesh make_sphere(Random& random, std::size_t rings, std::size_t segments, double radius, const glm::dvec2& center) {
    Mesh mesh;
    const double roll = random.uniform(0.0, 6.0);
    const double tilt = random.uniform(0.0, 6.0);
    const auto add = [&](double polar, double around) {
        const double x = std::sin(polar) * std::cos(around);
        const double y = std::cos(polar) * std::cos(tilt) - std::sin(polar) * std::sin(around) * std::sin(tilt);
        const double z = std::cos(polar) * std::sin(tilt) + std::sin(polar) * std::sin(around) * std::cos(tilt);
        const double scale = 256.0 * radius / (1.0 + 0.2 * z);
        mesh.vertices.push_back({std::llround(256.0 * center.x + scale * (x * std::cos(roll) - y * std::sin(roll))),
                                 std::llround(256.0 * center.y + scale * (x * std::sin(roll) + y * std::cos(roll)))});
    };
    const auto index = [&](std::size_t ring, std::size_t segment) {
        return ring == 0 ? 0 : ring == rings ? 1 : 2 + (ring - 1) * segments + segment % segments;
    };
    add(0.0, 0.0);
    add(std::numbers::pi, 0.0);
    for (std::size_t ring = 1; ring < rings; ++ring) {
        for (std::size_t s = 0; s < segments; ++s) {
            add(std::numbers::pi * static_cast<double>(ring) / static_cast<double>(rings),
                2.0 * std::numbers::pi * static_cast<double>(s) / static_cast<double>(segments));
        }
    }
    for (std::size_t ring = 0; ring < rings; ++ring) {
        for (std::size_t s = 0; s < segments; ++s) {
            if (ring != 0) mesh.triangles.push_back({index(ring, s), index(ring, s + 1), index(ring + 1, s)});
            if (ring + 1 != rings) {
                mesh.triangles.push_back({index(ring, s + 1), index(ring + 1, s + 1), index(ring + 1, s)});
            }
        }
    }
    mesh.turn(random);
    return mesh;
}

struct Tally {
    uint64_t meshes = 0, triangles = 0, covered = 0;
};

void print(const char* name, const Tally& tally) {
    std::printf("%-14s %4llu meshes, %7llu triangles, %9llu pixels\n", name,
                static_cast<unsigned long long>(tally.meshes), static_cast<unsigned long long>(tally.triangles),
                static_cast<unsigned long long>(tally.covered));
}

// Once where the outline winds around a pixel, by clockwise triangles, and not at all elsewhere.
void check_once(const Mesh& mesh, Random& random, Tally& tally) {
    const Hits hits = draw(mesh, random);
    const std::vector<int> expected = windings(mesh);
    ++tally.meshes;
    tally.triangles += mesh.triangles.size();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(hits.clockwise[i], expected[i]) << i % kWidth << " " << i / kWidth;
        ASSERT_EQ(hits.counter_clockwise[i], 0);
        ASSERT_TRUE(expected[i] == 0 || expected[i] == 1);
        tally.covered += static_cast<uint64_t>(expected[i]);
    }
}

TEST(RasterMesh, PlanarGridsAreCoveredOnce) {
    Random random(1);
    for (const int64_t cell : {40, 300, 700, 2048, 9000, 40000}) {
        Tally tally;
        for (std::size_t i = 0; i < 60 / kSanitizerDivisor; ++i) {
            check_once(make_grid(random, cell < 1000 ? 60 : 8, cell, cell >= 2048 ? 0.1 : 0.24), random, tally);
            if (HasFatalFailure()) return;
        }
        print("grids", tally);
        EXPECT_GE(tally.covered, 3000U / kSanitizerDivisor);
    }
}

TEST(RasterMesh, FansAroundCentresAreCoveredOnce) {
    Random random(2);
    Tally tally;
    for (std::size_t i = 0; i < 2000 / kSanitizerDivisor; ++i) {
        check_once(make_fan(random), random, tally);
        if (HasFatalFailure()) return;
    }
    print("fans", tally);
    EXPECT_GE(tally.covered, 10000U);
}

// Wherever vertices lie: triangles fold over each other, and how often they cover a pixel, those that are turned over
// counted negative, is how often their outline winds around it.
TEST(RasterMesh, FoldedGridsCoverAsTheirOutlineWinds) {
    Random random(3);
    uint64_t folded = 0;
    for (std::size_t i = 0; i < 300 / kSanitizerDivisor; ++i) {
        const Mesh mesh = make_grid(random, 10, random.between(20, 6000), 3.0);
        const Hits hits = draw(mesh, random);
        const std::vector<int> expected = windings(mesh);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            ASSERT_EQ(hits.clockwise[k] - hits.counter_clockwise[k], expected[k]);
            folded += hits.clockwise[k] > 1 ? 1 : 0;
        }
    }
    EXPECT_GE(folded, 100000U / kSanitizerDivisor);
}

// The side of a sphere that faces the eye covers the pixels that the other side does, each once.
TEST(RasterMesh, SpheresAreCoveredOnce) {
    Random random(4);
    Tally tally;
    for (std::size_t i = 0; i < 200 / kSanitizerDivisor; ++i) {
        const double radius = random.uniform(10.0, 50.0);
        const glm::dvec2 center(random.uniform(50.0, 110.0), random.uniform(40.0, 80.0));
        const Mesh mesh = make_sphere(random, 30, 40, radius, center);
        const Hits hits = draw(mesh, random);
        ++tally.meshes;
        tally.triangles += mesh.triangles.size();
        for (int y = 0; y < kHeight; ++y) {
            for (int x = 0; x < kWidth; ++x) {
                const int times = hits.clockwise[y * kWidth + x];
                ASSERT_EQ(times, hits.counter_clockwise[y * kWidth + x]);
                ASSERT_LE(times, 1) << "hit twice";
                // Faces and perspective take less than a twentieth from the silhouette's radius.
                const bool inside = glm::distance(center, glm::dvec2(x, y)) < 0.95 * radius - 1.0;
                ASSERT_TRUE(times == 1 || !inside) << "a crack";
                tally.covered += static_cast<uint64_t>(times);
            }
        }
    }
    print("spheres", tally);
    EXPECT_GE(tally.covered, tally.meshes * 1000);
}

// A fill rule that is wrong leaves cracks, or hits pixels twice.
TEST(RasterMesh, MistakesOfTheRuleAreNoticed) {
    for (const Mistake mistake : {Mistake::None, Mistake::RuleInclusive, Mistake::RuleExclusive,
                                  Mistake::RuleWithoutTop, Mistake::BoxWithoutLowEnd}) {
        Random random(5);
        uint64_t cracks = 0;
        uint64_t doubles = 0;
        for (std::size_t i = 0; i < 20; ++i) {
            const Mesh mesh = make_fan(random);
            std::vector<int> times(kWidth * kHeight);
            for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
                draw_mistaken(mesh.triangle(k), {}, ivec2(kWidth, kHeight), mistake,
                              [&](const ivec2& pixel, float) { ++times.at(pixel.y * kWidth + pixel.x); });
            }
            const std::vector<int> expected = windings(mesh);
            for (std::size_t k = 0; k < expected.size(); ++k) {
                cracks += times[k] < expected[k] ? 1 : 0;
                doubles += times[k] > expected[k] ? 1 : 0;
            }
        }
        std::printf("%-24s %4llu cracks, %4llu doubles\n", mistake_name(mistake),
                    static_cast<unsigned long long>(cracks), static_cast<unsigned long long>(doubles));
        EXPECT_EQ(cracks != 0, mistake != Mistake::None && mistake != Mistake::RuleInclusive);
        EXPECT_EQ(doubles != 0, mistake == Mistake::RuleInclusive);
    }
}

}  // namespace
}  // namespace sublet::test
