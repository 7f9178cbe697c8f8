// Levels of detail: whatever is drawn of them is whole, and lies where it says.
#include "mesh/lod.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "base/thread_pool.h"
#include "mesh/distance.h"
#include "mesh/lod_coverage.h"
#include "mesh/lod_group.h"
#include "mesh/lod_measure.h"
#include "mesh/lod_normals.h"
#include "mesh/stream.h"
#include "mesh/triangles.h"
#include "tests/unit/sanitizer.h"

namespace sublet::mesh {
namespace {

// Meshes of one group, on the grid.
struct Source {
    std::vector<VertexTable> tables;
    std::vector<std::vector<Triangle>> triangles;
};

void add_vertex(VertexTable& table, double x, double y, double z) {
    const auto rounded = [](double v) { return static_cast<std::int32_t>(std::lround(v)); };
    for (const std::uint32_t word : position_to_words({rounded(x), rounded(y), rounded(z)})) {
        table.words.push_back(word);
    }
}

VertexTable positions_alone() {
    VertexTable table;
    table.streams_present = 1U << shared::kStreamPrimitive | 1U << shared::kStreamPosition;
    return table;
}

// A ball with bumps; every vertex is there once but at the poles.
Source make_ball(std::uint32_t side, double radius) {
    Source source;
    VertexTable table = positions_alone();
    const std::uint32_t columns = 2 * side;
    for (std::uint32_t row = 0; row <= side; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            const double v = std::numbers::pi * row / side;
            const double u = 2.0 * std::numbers::pi * column / columns;
            const double r = radius * (1.0 + 0.06 * std::sin(5.0 * u) * std::sin(4.0 * v) * std::sin(v));
            add_vertex(table, r * std::sin(v) * std::cos(u), r * std::sin(v) * std::sin(u), r * std::cos(v));
        }
    }
    std::vector<Triangle> triangles;
    for (std::uint32_t row = 0; row < side; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::uint32_t next = (column + 1) % columns;
            // One vertex at each pole.
            const auto at = [&](std::uint32_t r, std::uint32_t c) {
                return r == 0 || r == side ? r * columns : r * columns + c;
            };
            const Triangle upper{at(row, column), at(row + 1, column), at(row, next)};
            const Triangle lower{at(row, next), at(row + 1, column), at(row + 1, next)};
            if (row != 0) triangles.push_back(upper);
            if (row + 1 != side) triangles.push_back(lower);
        }
    }
    source.tables.push_back(std::move(table));
    source.triangles.push_back(std::move(triangles));
    return source;
}

// A wavy sheet, which ends at its four sides.
Source make_sheet(std::uint32_t side) {
    Source source;
    VertexTable table = positions_alone();
    for (std::uint32_t y = 0; y <= side; ++y) {
        for (std::uint32_t x = 0; x <= side; ++x) {
            const double u = 8000.0 * x / side;
            const double v = 8000.0 * y / side;
            add_vertex(table, u, v, 300.0 * std::sin(u / 600.0) * std::cos(v / 900.0));
        }
    }
    std::vector<Triangle> triangles;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t a = y * (side + 1) + x;
            triangles.push_back({a, a + 1, a + side + 1});
            triangles.push_back({a + 1, a + side + 2, a + side + 1});
        }
    }
    source.tables.push_back(std::move(table));
    source.triangles.push_back(std::move(triangles));
    return source;
}

// Every third triangle's material differs from its neighbours', in patches: meshes that meet along their borders.
Source in_patches(const Source& whole, std::size_t meshes) {
    Source source;
    source.triangles.resize(meshes);
    source.tables.assign(meshes, whole.tables[0]);
    for (const Triangle& t : whole.triangles[0]) {
        const GridPoint p = whole.tables[0].position(t[0]);
        const auto cell =
            static_cast<std::size_t>((p[0] + 32768) / 1500 + (p[1] + 32768) / 1700 + (p[2] + 32768) / 2500);
        source.triangles[cell % meshes].push_back(t);
    }
    return source;
}

// Balls that do not touch.
Source make_pieces(std::uint32_t count) {
    Source source;
    VertexTable table = positions_alone();
    std::vector<Triangle> triangles;
    std::minstd_rand random(5);
    const Source ball = make_ball(6, 200.0);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t first = table.count();
        std::array<double, 3> at{};
        for (double& x : at) x = static_cast<double>(random() % 16000) - 8000.0;
        for (std::uint32_t v = 0; v < ball.tables[0].count(); ++v) {
            const GridPoint p = ball.tables[0].position(v);
            add_vertex(table, at[0] + p[0], at[1] + p[1], at[2] + p[2]);
        }
        for (const Triangle& t : ball.triangles[0]) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    source.tables.push_back(std::move(table));
    source.triangles.push_back(std::move(triangles));
    return source;
}

// A source with its levels.
struct LeveledSource {
    Source source;                             // its vertices, and behind them those that moved
    std::vector<std::uint32_t> vertex_counts;  // of each mesh, without those that moved
    std::vector<std::vector<std::uint32_t>> positions;
    Lod lod;

    explicit LeveledSource(Source given, ThreadPool* pool = nullptr) : source(std::move(given)) {
        std::vector<Clusters> finest;
        for (std::size_t m = 0; m < source.tables.size(); ++m) {
            finest.push_back(cluster_triangles(source.triangles[m], source.tables[m], pool));
        }
        vertex_counts = counts_of(source.tables);
        lod = build_lod(source.tables, std::move(finest), pool);
        source.tables = lod.tables;
        std::vector<GridPoint> places;
        for (const VertexTable& table : source.tables) {
            for (std::uint32_t v = 0; v < table.count(); ++v) places.push_back(table.position(v));
        }
        std::sort(places.begin(), places.end());
        for (const VertexTable& table : source.tables) {
            std::vector<std::uint32_t>& out = positions.emplace_back();
            for (std::uint32_t v = 0; v < table.count(); ++v) {
                out.push_back(static_cast<std::uint32_t>(
                    std::lower_bound(places.begin(), places.end(), table.position(v)) - places.begin()));
            }
        }
    }

    static std::vector<std::uint32_t> counts_of(const std::vector<VertexTable>& tables) {
        std::vector<std::uint32_t> out;
        for (const VertexTable& table : tables) out.push_back(table.count());
        return out;
    }

    [[nodiscard]] GroupMeshes meshes() const { return {source.tables, positions}; }

    void add(const LodPart& meshlet, std::vector<GroupTriangle>& out) const {
        const Clusters& clusters = lod.clusters[meshlet.mesh];
        for (std::uint32_t s = meshlet.first_sublet; s < meshlet.first_sublet + meshlet.sublet_count; ++s) {
            const Sublet& sublet = clusters.sublets[s];
            for (std::uint32_t i = 0; i < sublet.triangle_count; ++i) {
                const LocalTriangle& t = clusters.triangles[sublet.first_triangle + i];
                const std::uint32_t* v = clusters.vertices.data() + sublet.first_vertex;
                out.push_back({meshlet.mesh, {v[t[0]], v[t[1]], v[t[2]]}});
            }
        }
    }

    template <typename Refine>
    [[nodiscard]] std::vector<GroupTriangle> cut(const Refine& refine) const {
        std::vector<GroupTriangle> out;
        for (const LodPart& meshlet : lod.meshlets) {
            if (refine(lod.groups[meshlet.group]) &&
                (meshlet.simplified_from == shared::kNoLodGroup || !refine(lod.groups[meshlet.simplified_from]))) {
                add(meshlet, out);
            }
        }
        return out;
    }

    // What has this error at most.
    [[nodiscard]] std::vector<GroupTriangle> cut_at(float error) const {
        return cut([error](const LodNode& group) { return group.error > error; });
    }

    [[nodiscard]] std::vector<GroupTriangle> finest() const {
        return cut([](const LodNode&) { return true; });
    }
};

// Positions that the source ends at.
std::vector<char> ends_of(const LeveledSource& levels) {
    std::vector<GroupTriangle> all;
    for (std::uint32_t m = 0; m < levels.source.tables.size(); ++m) {
        for (const Triangle& t : levels.source.triangles[m]) all.push_back({m, t});
    }
    std::vector<char> ends(1U << 20U);
    for (const DirectedEdge& e : boundary(levels.meshes(), all)) ends[e[0]] = ends[e[1]] = 1;
    return ends;
}

// Cuts from random eyes at random errors; how many triangles the smallest has.
std::size_t expect_whole(const LeveledSource& levels, int cuts) {
    const std::vector<char> ends = ends_of(levels);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::size_t least = ~std::size_t{0};
    for (int i = 0; i < cuts; ++i) {
        std::array<double, 3> eye{};
        for (double& x : eye) x = (unit(random) - 0.5) * 60000.0;
        const double error = std::pow(10.0, -5.0 + 6.0 * unit(random));
        const auto refine = [&](const LodNode& group) {
            double squared = 0.0;
            for (std::size_t k = 0; k < 3; ++k) {
                squared +=
                    (eye[k] - static_cast<double>(group.center[k])) * (eye[k] - static_cast<double>(group.center[k]));
            }
            const double distance = std::max(std::sqrt(squared) - static_cast<double>(group.radius), 0.0);
            return static_cast<double>(group.error) > error * distance;
        };
        const std::vector<GroupTriangle> drawn = levels.cut(refine);
        EXPECT_GT(drawn.size(), 0U);
        least = std::min(least, drawn.size());
        const std::vector<DirectedEdge> open = boundary(levels.meshes(), drawn);
        const auto cracks = std::count_if(open.begin(), open.end(),
                                          [&](const DirectedEdge& e) { return ends[e[0]] == 0 || ends[e[1]] == 0; });
        EXPECT_EQ(cracks, 0) << "error " << error;
    }
    return least;
}

TEST(Lod, ErrorsAndSpheresGrow) {
    const LeveledSource levels(in_patches(make_ball(60, 8000.0), 3));
    ASSERT_FALSE(levels.lod.groups.empty());
    for (const LodPart& meshlet : levels.lod.meshlets) {
        ASSERT_LT(meshlet.group, levels.lod.groups.size());
        if (meshlet.simplified_from == shared::kNoLodGroup) continue;
        const LodNode& above = levels.lod.groups[meshlet.group];
        const LodNode& below = levels.lod.groups[meshlet.simplified_from];
        EXPECT_GE(above.error, below.error);
        double squared = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double d = static_cast<double>(above.center[k]) - static_cast<double>(below.center[k]);
            squared += d * d;
        }
        EXPECT_LE(std::sqrt(squared) + static_cast<double>(below.radius), static_cast<double>(above.radius));
    }
}

// What a group was simplified to ends where the group does, but for where the surface ends.
void expect_same_borders(const LeveledSource& levels) {
    const std::vector<char> ends = ends_of(levels);
    std::vector<std::vector<GroupTriangle>> before(levels.lod.groups.size());
    std::vector<std::vector<GroupTriangle>> after(levels.lod.groups.size());
    for (const LodPart& meshlet : levels.lod.meshlets) {
        levels.add(meshlet, before[meshlet.group]);
        if (meshlet.simplified_from != shared::kNoLodGroup) levels.add(meshlet, after[meshlet.simplified_from]);
    }
    for (std::size_t g = 0; g < before.size(); ++g) {
        ASSERT_EQ(after[g].empty(), std::isinf(levels.lod.groups[g].error)) << g;
        if (after[g].empty()) continue;
        const std::vector<DirectedEdge> a = boundary(levels.meshes(), before[g]);
        const std::vector<DirectedEdge> b = boundary(levels.meshes(), after[g]);
        std::vector<DirectedEdge> different;
        std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(different));
        for (const DirectedEdge& e : different) EXPECT_TRUE(ends[e[0]] != 0 && ends[e[1]] != 0) << g;
    }
}

// Cuts that no eye would make, but that are legal: whatever is refined, so are those above it.
void expect_random_cuts_whole(const LeveledSource& levels, std::size_t cuts) {
    const std::vector<char> ends = ends_of(levels);
    std::minstd_rand random(11);
    std::vector<std::uint32_t> chosen(levels.lod.groups.size());
    for (std::size_t i = 0; i < cuts; ++i) {
        // Few at random, or the coarsest levels would nearly always be refined.
        for (std::uint32_t& value : chosen) value = random() % 8 == 0 ? random() % 1000 : 0;
        for (const LodPart& meshlet : levels.lod.meshlets) {  // finer ones come first
            if (meshlet.simplified_from == shared::kNoLodGroup) continue;
            chosen[meshlet.group] = std::max(chosen[meshlet.group], chosen[meshlet.simplified_from]);
        }
        const std::uint32_t least = random() % 1000;
        const auto refine = [&](const LodNode& group) {
            return std::isinf(group.error) ||
                   chosen[static_cast<std::size_t>(&group - levels.lod.groups.data())] > least;
        };
        for (const DirectedEdge& e : boundary(levels.meshes(), levels.cut(refine))) {
            ASSERT_TRUE(ends[e[0]] != 0 && ends[e[1]] != 0) << "cut " << i;
        }
    }
}

TEST(Lod, GroupsKeepTheirBorders) {
    expect_same_borders(LeveledSource(make_ball(60, 8000.0)));
    expect_same_borders(LeveledSource(in_patches(make_ball(60, 8000.0), 4)));
    expect_same_borders(LeveledSource(make_sheet(90)));
    expect_same_borders(LeveledSource(in_patches(make_sheet(60), 3)));
    expect_same_borders(LeveledSource(make_pieces(120)));
}

TEST(Lod, RandomCutsAreWhole) {
    expect_random_cuts_whole(LeveledSource(make_ball(24, 8000.0)), 20000 / sublet::test::kSanitizerDivisor);
    expect_random_cuts_whole(LeveledSource(in_patches(make_ball(36, 8000.0), 3)),
                             10000 / sublet::test::kSanitizerDivisor);
    expect_random_cuts_whole(LeveledSource(make_sheet(36)), 10000 / sublet::test::kSanitizerDivisor);
    expect_random_cuts_whole(LeveledSource(make_pieces(40)), 5000 / sublet::test::kSanitizerDivisor);
}

TEST(Lod, CutsOfAClosedSurfaceAreClosed) {
    const LeveledSource levels(make_ball(60, 8000.0));
    EXPECT_LE(expect_whole(levels, 400), 24U);
}

TEST(Lod, CutsOverSeveralMaterialsAreClosed) {
    const LeveledSource levels(in_patches(make_ball(60, 8000.0), 4));
    EXPECT_LE(expect_whole(levels, 400), 700U);
}

TEST(Lod, CutsOfASheetEndWhereItDoes) {
    const LeveledSource levels(make_sheet(90));
    EXPECT_LE(expect_whole(levels, 400), 64U);
}

TEST(Lod, LoosePiecesBecomeFewer) {
    const LeveledSource levels(make_pieces(120));
    EXPECT_LE(expect_whole(levels, 200), 2000U);
}

TEST(Lod, TheFinestLevelIsTheSource) {
    const LeveledSource levels(in_patches(make_sheet(40), 2));
    std::size_t triangles = 0;
    for (const std::vector<Triangle>& mesh : levels.source.triangles) triangles += mesh.size();
    EXPECT_EQ(levels.finest().size(), triangles);
}

std::vector<Corners> surface_of(const LeveledSource& levels, const std::vector<GroupTriangle>& triangles) {
    std::vector<Corners> out;
    for (const GroupTriangle& t : triangles) {
        Corners& c = out.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            const GridPoint p = levels.source.tables[t.mesh].position(t.vertices[i]);
            for (std::size_t k = 0; k < 3; ++k) c[i][k] = static_cast<float>(p[k]);
        }
    }
    return out;
}

// Points of both surfaces and their distances from the other: of 1000 all but one lie within one and a half of the
// error that the cut may make, and all within four.
void expect_within(std::span<const Corners> source, std::span<const Corners> drawn, float error) {
    const Surface finest(source);
    const Surface coarse(drawn);
    std::size_t beyond = 0;
    float farthest = 0.0F;
    constexpr std::size_t kPoints = 20000;
    for (const auto& [from, to] : {std::pair(source, &coarse), std::pair(drawn, &finest)}) {
        for (const Place& place : spread_places(from, kPoints)) {
            Point p{};
            for (std::size_t k = 0; k < 3; ++k) {
                for (std::size_t c = 0; c < 3; ++c) p[k] += place.weights[c] * from[place.triangle][c][k];
            }
            const float distance = std::sqrt(to->nearest(p).squared);
            farthest = std::max(farthest, distance);
            beyond += distance > 1.5F * error ? 1 : 0;
        }
    }
    EXPECT_LE(beyond, 2 * kPoints / 1000) << error;
    EXPECT_LE(farthest, 4.0F * error);
}

void expect_errors_hold(const LeveledSource& levels) {
    const std::vector<Corners> source = surface_of(levels, levels.finest());
    int tried = 0;
    for (const float error : {5.0F, 20.0F, 80.0F, 320.0F, 1280.0F, 2560.0F}) {
        const std::vector<Corners> drawn = surface_of(levels, levels.cut_at(error));
        if (drawn.size() == source.size()) continue;
        ++tried;
        expect_within(source, drawn, error);
    }
    EXPECT_GE(tried, 2);
}

TEST(Lod, ErrorsHoldOfABall) {
    expect_errors_hold(LeveledSource(make_ball(60, 8000.0)));
}

TEST(Lod, ErrorsHoldOfASheet) {
    expect_errors_hold(LeveledSource(make_sheet(90)));
}

TEST(Lod, ErrorsHoldOverSeveralMaterials) {
    expect_errors_hold(LeveledSource(in_patches(make_ball(60, 8000.0), 4)));
}

TEST(Lod, ErrorsHoldOfLoosePieces) {
    expect_errors_hold(LeveledSource(make_pieces(120)));
}

// Loose pieces seen from afar cover what they did: an error is not only a distance.
TEST(Lod, LoosePiecesKeepWhatTheyCover) {
    const LeveledSource levels(make_pieces(97));
    const std::vector<Corners> source = surface_of(levels, levels.finest());
    // From where a piece is less than a pixel, its group loses up to one square of its error.
    for (const auto& [pixels, most] : {std::pair(200.0F, 0.02), std::pair(60.0F, 0.02), std::pair(30.0F, 0.08)}) {
        const float error = 16000.0F / pixels;
        const std::vector<Corners> drawn = surface_of(levels, levels.cut_at(error));
        const Coverage before = projected_areas(source);  // few hide another
        const Coverage after = projected_areas(drawn);
        for (std::size_t i = 0; i < before.size(); ++i) {
            EXPECT_NEAR(after[i] / before[i], 1.0, most) << pixels << " pixels, " << drawn.size();
        }
    }
}

// What surfaces cover, one over the other.
Coverage covered_ratio(const std::vector<Corners>& before, const std::vector<Corners>& after) {
    std::array<std::vector<Point>, 2> points;
    std::array<std::vector<Triangle>, 2> faces;
    for (std::size_t i = 0; i < 2; ++i) {
        for (const Corners& c : i == 0 ? before : after) {
            const auto first = static_cast<std::uint32_t>(points[i].size());
            points[i].insert(points[i].end(), c.begin(), c.end());
            faces[i].push_back({first, first + 1, first + 2});
        }
    }
    return CoveredArea({points[0], faces[0]}).ratio({points[1], faces[1]});
}

// A ball far away is as large as it was, of few triangles: their corners lie outside of it.
TEST(Lod, FarLevelsCoverWhatTheSourceDoes) {
    const LeveledSource levels(make_ball(60, 8000.0));
    const std::vector<Corners> source = surface_of(levels, levels.finest());
    for (const auto& [pixels, most] : {std::pair(10.0F, 150U), std::pair(20.0F, 500U), std::pair(40.0F, 500U)}) {
        const float error = 16000.0F / pixels;
        const std::vector<Corners> drawn = surface_of(levels, levels.cut_at(error));
        EXPECT_LE(drawn.size(), most) << pixels << " pixels";
        const Coverage covered = covered_ratio(source, drawn);
        double sum = 0.0;
        for (const double ratio : covered) {
            EXPECT_NEAR(ratio, 1.0, 0.02) << pixels << " pixels, " << drawn.size();
            sum += ratio;
        }
        EXPECT_NEAR(sum / static_cast<double>(kCoverageViews), 1.0, 0.01) << pixels << " pixels, " << drawn.size();
    }
}

// A flat sheet, 8000 units wide, with the normals of waves so long.
Source make_shaded_sheet(std::uint32_t side, double wave) {
    Source source = make_sheet(side);
    VertexTable& flat = source.tables[0];
    VertexTable table;
    table.streams_present = flat.streams_present | 1U << shared::kStreamNormalTangent;
    table.stride = 3;
    for (std::uint32_t v = 0; v < flat.count(); ++v) {
        const GridPoint p = flat.position(v);
        add_vertex(table, p[0], p[1], 0.0);
        const double turn = 2.0 * std::numbers::pi / wave;
        const double slope =
            1.5 * std::sin(turn * static_cast<double>(p[0])) * std::cos(turn * static_cast<double>(p[1]));
        const double length = std::sqrt(1.0 + slope * slope);
        table.words.push_back(
            quantize_normal({static_cast<float>(slope / length), 0.0F, static_cast<float>(1.0 / length)}));
    }
    flat = std::move(table);
    return source;
}

// Normals that a picture shows are kept, though the surface is flat; those that cancel out within a pixel are not.
TEST(Lod, NormalsCountByTheirMeans) {
    const LeveledSource flat(make_shaded_sheet(90, 1e9));
    const LeveledSource wide(make_shaded_sheet(90, 1600.0));
    const LeveledSource narrow(make_shaded_sheet(90, 180.0));  // two squares
    EXPECT_LE(flat.cut_at(20.0F).size(), 20U);
    EXPECT_GE(wide.cut_at(150.0F).size(), 500U);
    EXPECT_LE(wide.cut_at(1600.0F).size(), 50U);
    EXPECT_LE(narrow.cut_at(220.0F).size(), 300U);
}

TEST(Lod, NormalsOfAFlatSurfaceHaveAnError) {
    std::vector<NormalChange> changes;
    for (int i = 0; i < 100; ++i) changes.push_back({.at = {static_cast<float>(i), 0, 0}, .by = {1, 0, 0}, .area = 1});
    EXPECT_GT(error_of_normals(changes, 0.0F, 1000.0F), 100.0F);
    for (NormalChange& change : changes) change.by = {};
    EXPECT_EQ(error_of_normals(changes, 0.0F, 1000.0F), 0.0F);
}

// The bounds of a mesh are those of its finest level, and hold the coarser ones.
TEST(Lod, MovedVerticesStayInTheBoxOfTheirMesh) {
    const LeveledSource levels(in_patches(make_ball(60, 8000.0), 3));
    std::size_t moved = 0;
    for (std::size_t m = 0; m < levels.source.tables.size(); ++m) {
        const VertexTable& table = levels.source.tables[m];
        GridPoint min{INT32_MAX, INT32_MAX, INT32_MAX};
        GridPoint max{INT32_MIN, INT32_MIN, INT32_MIN};
        for (const Triangle& t : levels.source.triangles[m]) {
            for (const std::uint32_t v : t) {
                for (std::size_t k = 0; k < 3; ++k) {
                    min[k] = std::min(min[k], table.position(v)[k]);
                    max[k] = std::max(max[k], table.position(v)[k]);
                }
            }
        }
        for (std::uint32_t v = levels.vertex_counts[m]; v < table.count(); ++v, ++moved) {
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_GE(table.position(v)[k], min[k]);
                EXPECT_LE(table.position(v)[k], max[k]);
            }
        }
    }
    EXPECT_GT(moved, 0U);
}

TEST(Lod, IsTheSameOnManyThreads) {
    ThreadPool pool(4);
    const LeveledSource one(in_patches(make_ball(40, 8000.0), 3));
    const LeveledSource many(in_patches(make_ball(40, 8000.0), 3), &pool);
    ASSERT_EQ(one.lod.meshlets.size(), many.lod.meshlets.size());
    for (std::size_t m = 0; m < one.lod.clusters.size(); ++m) {
        EXPECT_EQ(one.lod.clusters[m].triangles, many.lod.clusters[m].triangles);
        EXPECT_EQ(one.lod.clusters[m].vertices, many.lod.clusters[m].vertices);
    }
    for (std::size_t m = 0; m < one.lod.tables.size(); ++m) {
        EXPECT_EQ(one.lod.tables[m].words, many.lod.tables[m].words);
    }
    for (std::size_t g = 0; g < one.lod.groups.size(); ++g) {
        EXPECT_EQ(one.lod.groups[g].error, many.lod.groups[g].error);
        EXPECT_EQ(one.lod.groups[g].radius, many.lod.groups[g].radius);
    }
}

}  // namespace
}  // namespace sublet::mesh
