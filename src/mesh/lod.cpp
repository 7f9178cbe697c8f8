#include "mesh/lod.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "mesh/distance.h"
#include "mesh/lod_coverage.h"
#include "mesh/lod_measure.h"
#include "mesh/lod_partition.h"
#include "mesh/lod_simplify.h"
#include "mesh/miniball.h"
#include "mesh/parallel.h"
#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

using shared::kMeshletSize;
using shared::kSubletsPerMeshlet;

constexpr std::uint32_t kGroupMeshlets = 8;
// Triangles that a meshlet of a simplified group holds when it is filled well.
constexpr std::size_t kFullMeshlet = 242;
// A group that keeps more of its triangles than this is not worth a level.
constexpr double kMostKept = 0.85;
// The error of a group is a distance. Of the finest surface, and of what it became, no more than these shares lie
// farther from the other than so many times the error. (A pixel of error so leaves 99.9 % of the pixels within one and
// a half, and all within four: few groups of a picture are as far off as they may be.)
struct Allowed {
    double share;
    float times;
};
constexpr std::array kAllowed{Allowed{0.02, 1.0F}, Allowed{0.001, 1.5F}, Allowed{0.0, 4.0F}};
// Texture coordinates and colours count by how far they are shifted on the surface: all but this share no farther than
// the error. (Beside a seam nearest points have the texture's other side.) Normals do not count: the simplifier weighs
// them, and what they show is finer than the error, or is the shape.
constexpr double kShiftedBeyond = 0.1;
constexpr float kLeastError = 0.5F;  // of the grid: rounding
constexpr float kSameValue = 2.5F;   // of their integers: rounding
// Points of the finest surface that a meshlet is measured by, and points of what a group was simplified to. There are
// more for coarse levels, of which a picture may show one group alone.
constexpr std::uint32_t kCoarseLevel = 3;
constexpr std::size_t most_samples(std::uint32_t level) {
    return level < kCoarseLevel ? 24 : 128;
}
constexpr std::size_t most_result_samples(std::uint32_t level) {
    return level < kCoarseLevel ? 128 : 768;
}
// Where a view covers more or less than the finest meshlets do by more than this share, the error is such that the
// difference is a square of that side: a distance does not say what loose and thin parts cover.
constexpr double kSameCover = 0.02;
// Of a group's radius: where the error is more, other ways to simplify it are tried. Of coarse levels two always are.
constexpr float kFairError = 0.05F;

// A meshlet that no group contains yet.
struct Cell {
    std::uint32_t meshlet = 0;  // of Lod::meshlets
    Neighbor neighbor;
    std::vector<Sample> samples;  // of the finest surface, near it
    Coverage projected{};         // its area
    Coverage covered{};           // what is covered over what the finest meshlets cover
};

// What became of a group.
struct Outcome {
    std::vector<GroupTriangle> triangles;  // empty: it can't be simplified
    std::uint32_t level = 0;               // of what was simplified, at most
    float error = 0.0F;
    Coverage covered{};
    std::vector<std::pair<std::uint32_t, Clusters>> clusters;  // of each mesh that it has triangles of
    std::vector<Cell> cells;                                   // of these; `meshlet` is not known yet
};

class Builder {
  public:
    Builder(std::span<const VertexTable> tables, std::vector<Clusters> finest, ThreadPool* pool)
        : tables_(tables), pool_(pool), attributes_(tables) {
        lod_.clusters = std::move(finest);
        number_positions();
        a_triangle_.resize(position_count_);
        for (std::uint32_t mesh = 0; mesh < tables_.size(); ++mesh) {
            for (std::size_t a = 0; a < kMeasuredAttributes; ++a) {
                measures_attributes_ = measures_attributes_ || attributes_.has(mesh, a);
            }
        }
        locks_.resize(position_count_);
        std::vector<Corners> surface;
        std::vector<std::uint32_t> runs;
        for (std::uint32_t mesh = 0; mesh < tables_.size(); ++mesh) {
            const auto count = static_cast<std::uint32_t>(lod_.clusters[mesh].sublets.size());
            for (std::uint32_t s = 0; s < count; s += kSubletsPerMeshlet) {
                lod_.meshlets.push_back({mesh, s, std::min(count - s, kSubletsPerMeshlet)});
                const std::vector<GroupTriangle> triangles = triangles_of(lod_.meshlets.back());
                const std::vector<Corners> own = corners(triangles);
                for (std::uint32_t i = 0, next = 0; i < lod_.meshlets.back().sublet_count; ++i) {
                    runs.push_back(static_cast<std::uint32_t>(surface.size()) + next);
                    next += lod_.clusters[mesh].sublets[s + i].triangle_count;
                }
                for (std::uint32_t i = 0; i < triangles.size(); ++i) {
                    for (const std::uint32_t v : triangles[i].vertices) {
                        a_triangle_[positions_[mesh][v]] = static_cast<std::uint32_t>(surface.size()) + i;
                    }
                }
                surface.insert(surface.end(), own.begin(), own.end());
                const LodPart& part = lod_.meshlets.back();
                cells_.push_back(make_cell(mesh, vertices_of(lod_.clusters[mesh], s, part.sublet_count), own));
                cells_.back().meshlet = static_cast<std::uint32_t>(lod_.meshlets.size() - 1);
                cells_.back().covered.fill(1.0);
                sample_finest(triangles, own, cells_.back().samples);
            }
        }
        if (surface.empty()) return;
        find_open();
        finest_.emplace(surface, runs);
    }

    Lod build() {
        for (std::uint32_t level = 0; level < shared::kMostLodLevel && !cells_.empty(); ++level) {
            if (!simplify_level()) break;
        }
        // What is left is drawn from however far away.
        if (!cells_.empty()) {
            for (const std::vector<std::uint32_t>& members : grouped(cells_)) add_group(members);
        }
        return std::move(lod_);
    }

  private:
    [[nodiscard]] GroupMeshes meshes() const { return {tables_, positions_}; }

    // One number for each place that a vertex of any mesh lies at.
    void number_positions() {
        const auto key = [](const std::array<std::int16_t, 3>& p) {
            std::uint64_t out = 0;
            for (const std::int16_t x : p) out = out << 16U | static_cast<std::uint16_t>(x + 32768);
            return out;
        };
        std::vector<std::uint64_t> places;
        for (const VertexTable& table : tables_) {
            for (std::uint32_t v = 0; v < table.count(); ++v) places.push_back(key(table.position(v)));
        }
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        for (const VertexTable& table : tables_) {
            std::vector<std::uint32_t>& out = positions_.emplace_back(table.count());
            for_ranges(pool_, table.count(), kGrain, [&](std::size_t begin, std::size_t end) {
                for (std::size_t v = begin; v < end; ++v) {
                    const auto at = std::lower_bound(places.begin(), places.end(),
                                                     key(table.position(static_cast<std::uint32_t>(v))));
                    out[v] = static_cast<std::uint32_t>(at - places.begin());
                }
            });
        }
        position_count_ = places.size();
    }

    // The places that the finest surface ends at.
    void find_open() {
        std::vector<DirectedEdge> edges;
        for (const LodPart& meshlet : lod_.meshlets) {
            const std::vector<DirectedEdge> own = boundary(meshes(), triangles_of(meshlet));
            edges.insert(edges.end(), own.begin(), own.end());
        }
        open_.resize(position_count_);
        for (const DirectedEdge& edge : boundary(edges)) open_[edge[0]] = open_[edge[1]] = 1;
    }

    [[nodiscard]] Point point(std::uint32_t mesh, std::uint32_t vertex) const {
        const std::array<std::int16_t, 3> p = tables_[mesh].position(vertex);
        return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
    }

    [[nodiscard]] std::vector<Corners> corners(std::span<const GroupTriangle> triangles) const {
        std::vector<Corners> out;
        out.reserve(triangles.size());
        for (const GroupTriangle& t : triangles) {
            out.push_back({point(t.mesh, t.vertices[0]), point(t.mesh, t.vertices[1]), point(t.mesh, t.vertices[2])});
        }
        return out;
    }

    static void add_triangles(std::uint32_t mesh, const Clusters& clusters, std::uint32_t first_sublet,
                              std::uint32_t sublet_count, std::vector<GroupTriangle>& out) {
        for (std::uint32_t s = first_sublet; s < first_sublet + sublet_count; ++s) {
            const Sublet& sublet = clusters.sublets[s];
            const std::uint32_t* vertices = clusters.vertices.data() + sublet.first_vertex;
            for (std::uint32_t i = 0; i < sublet.triangle_count; ++i) {
                const LocalTriangle& t = clusters.triangles[sublet.first_triangle + i];
                out.push_back({mesh, {vertices[t[0]], vertices[t[1]], vertices[t[2]]}});
            }
        }
    }

    [[nodiscard]] std::vector<GroupTriangle> triangles_of(const LodPart& meshlet) const {
        std::vector<GroupTriangle> out;
        add_triangles(meshlet.mesh, lod_.clusters[meshlet.mesh], meshlet.first_sublet, meshlet.sublet_count, out);
        return out;
    }

    // The vertices of sublets, once for each sublet that has them.
    static std::span<const std::uint32_t> vertices_of(const Clusters& clusters, std::uint32_t first_sublet,
                                                      std::uint32_t sublet_count) {
        const std::uint32_t first = clusters.sublets[first_sublet].first_vertex;
        const Sublet& last = clusters.sublets[first_sublet + sublet_count - 1];
        return std::span(clusters.vertices).subspan(first, last.first_vertex + last.vertex_count - first);
    }

    // Of sublets whose triangles `surface` has.
    [[nodiscard]] Cell make_cell(std::uint32_t mesh, std::span<const std::uint32_t> vertices,
                                 std::span<const Corners> surface) const {
        Cell cell;
        cell.projected = projected_areas(surface);
        std::vector<std::uint32_t>& positions = cell.neighbor.positions;
        for (const std::uint32_t v : vertices) {
            positions.push_back(positions_[mesh][v]);
            const Point p = point(mesh, v);
            for (std::size_t k = 0; k < 3; ++k) cell.neighbor.center[k] += p[k];
        }
        for (float& x : cell.neighbor.center) x /= static_cast<float>(vertices.size());
        std::sort(positions.begin(), positions.end());
        positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
        return cell;
    }

    static Point point_in(const Corners& c, const Point& weights) {
        Point out{};
        for (std::size_t k = 0; k < 3; ++k) out[k] = weights[0] * c[0][k] + weights[1] * c[1][k] + weights[2] * c[2][k];
        return out;
    }

    // Points of the finest surface, every other one a corner: corners are farthest from what is simpler.
    void sample_finest(std::span<const GroupTriangle> triangles, std::span<const Corners> surface,
                       std::vector<Sample>& out) const {
        float area = 0.0F;
        for (const Corners& c : surface) area += area_of(c);
        std::vector<Place> places = spread_places(surface, std::min(2 * triangles.size(), most_samples(0)));
        for (std::size_t i = 0; i < places.size(); ++i) {
            auto& [number, weights] = places[i];
            if (i % 2 == 0) {
                const auto corner = std::max_element(weights.begin(), weights.end()) - weights.begin();
                weights = {};
                weights[static_cast<std::size_t>(corner)] = 1.0F;
            }
            const GroupTriangle& triangle = triangles[number];
            Sample& sample = out.emplace_back();
            sample.at = point_in(surface[number], weights);
            sample.area = area / static_cast<float>(places.size());
            sample.mesh = triangle.mesh;
            if (!measures_attributes_) continue;
            sample.values = attributes_.at(triangle.mesh, triangle.vertices, weights);
            std::array<AttributeReader::Values, 3> at_corners{};
            for (std::size_t c = 0; c < 3; ++c) {
                Point own{};
                own[c] = 1.0F;
                at_corners[c] = attributes_.at(triangle.mesh, triangle.vertices, own);
            }
            for (std::size_t a = 0; a < kMeasuredAttributes; ++a) {
                float length = 0.0F;
                float change = 0.0F;
                for (std::size_t c = 0; c < 3; ++c) {
                    const Point side = minus(surface[number][(c + 1) % 3], surface[number][c]);
                    const Point step = minus(at_corners[(c + 1) % 3][a], at_corners[c][a]);
                    length += std::sqrt(dot(side, side));
                    change += std::sqrt(dot(step, step));
                }
                // Where it does not change nearby, no place nearby has another value.
                sample.distance_per_value[a] = change > 0.0F ? length / change : std::numeric_limits<float>::max();
            }
        }
    }

    // Cells by groups.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> grouped(const std::vector<Cell>& cells) const {
        std::vector<Neighbor> neighbors;
        neighbors.reserve(cells.size());
        for (const Cell& cell : cells) neighbors.push_back(cell.neighbor);
        const std::vector<std::uint32_t> group_of = partition_meshlets(neighbors, kGroupMeshlets);
        std::vector<std::vector<std::uint32_t>> members(*std::max_element(group_of.begin(), group_of.end()) + 1);
        for (std::uint32_t i = 0; i < group_of.size(); ++i) members[group_of[i]].push_back(i);
        return members;
    }

    // Whether some group could be simplified.
    bool simplify_level() {
        const std::vector<std::vector<std::uint32_t>> groups = grouped(cells_);
        // Places that several groups share stay.
        constexpr std::uint32_t kFree = ~0U;
        std::vector<std::uint32_t> owner(position_count_, kFree);
        for (std::uint32_t g = 0; g < groups.size(); ++g) {
            for (const std::uint32_t c : groups[g]) {
                for (const std::uint32_t p : cells_[c].neighbor.positions) {
                    if (owner[p] != kFree && owner[p] != g) locks_[p] = 1;
                    owner[p] = g;
                }
            }
        }
        std::vector<Outcome> outcomes(groups.size());
        for_ranges(pool_, groups.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) outcomes[g] = simplify(groups[g]);
        });
        for (const std::vector<std::uint32_t>& members : groups) {
            for (const std::uint32_t c : members) {
                for (const std::uint32_t p : cells_[c].neighbor.positions) locks_[p] = 0;
            }
        }
        std::vector<Cell> next;
        bool simplified = false;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (outcomes[g].triangles.empty()) {
                for (const std::uint32_t c : groups[g]) next.push_back(std::move(cells_[c]));
                continue;
            }
            simplified = true;
            const std::uint32_t group = add_group(groups[g]);
            lod_.groups[group].error = outcomes[g].error;
            take(outcomes[g], group, next);
        }
        cells_ = std::move(next);
        return simplified;
    }

    // Makes a group of cells. Returns its number.
    std::uint32_t add_group(const std::vector<std::uint32_t>& members) {
        const auto number = static_cast<std::uint32_t>(lod_.groups.size());
        LodNode group;
        std::vector<Point> points;
        std::vector<std::uint32_t> from;
        for (const std::uint32_t c : members) {
            LodPart& meshlet = lod_.meshlets[cells_[c].meshlet];
            meshlet.group = number;
            group.level = std::max(group.level, meshlet.level);
            if (meshlet.simplified_from != shared::kNoLodGroup) from.push_back(meshlet.simplified_from);
            for (const std::uint32_t v :
                 vertices_of(lod_.clusters[meshlet.mesh], meshlet.first_sublet, meshlet.sublet_count)) {
                points.push_back(point(meshlet.mesh, v));
            }
        }
        const Ball ball = smallest_ball(points);
        for (std::size_t k = 0; k < 3; ++k) group.center[k] = static_cast<float>(ball.center[k]);
        double radius = 0.0;
        const auto hold = [&](const Point& p, float around) {
            double squared = 0.0;
            for (std::size_t k = 0; k < 3; ++k) {
                const double d = static_cast<double>(p[k]) - static_cast<double>(group.center[k]);
                squared += d * d;
            }
            radius = std::max(radius, std::sqrt(squared) + static_cast<double>(around));
        };
        for (const Point& p : points) hold(p, 0.0F);
        for (const std::uint32_t g : from) hold(lod_.groups[g].center, lod_.groups[g].radius);
        group.radius = static_cast<float>(radius * (1.0 + 1e-6));
        lod_.groups.push_back(group);
        return number;
    }

    // Adds what a group was simplified to.
    void take(Outcome& outcome, std::uint32_t group, std::vector<Cell>& next) {
        std::size_t cell = 0;
        for (const auto& [mesh, made] : outcome.clusters) {
            Clusters& all = lod_.clusters[mesh];
            const auto first = static_cast<std::uint32_t>(all.sublets.size());
            const auto vertices = static_cast<std::uint32_t>(all.vertices.size());
            const auto triangles = static_cast<std::uint32_t>(all.triangles.size());
            for (Sublet sublet : made.sublets) {
                sublet.first_vertex += vertices;
                sublet.first_triangle += triangles;
                all.sublets.push_back(sublet);
            }
            all.vertices.insert(all.vertices.end(), made.vertices.begin(), made.vertices.end());
            all.triangles.insert(all.triangles.end(), made.triangles.begin(), made.triangles.end());
            const auto count = static_cast<std::uint32_t>(made.sublets.size());
            for (std::uint32_t s = 0; s < count; s += kSubletsPerMeshlet) {
                Cell& made_cell = outcome.cells[cell++];
                made_cell.meshlet = static_cast<std::uint32_t>(lod_.meshlets.size());
                lod_.meshlets.push_back({mesh, first + s, std::min(count - s, kSubletsPerMeshlet), shared::kNoLodGroup,
                                         group, lod_.groups[group].level + 1});
                next.push_back(std::move(made_cell));
            }
        }
    }

    Outcome simplify(const std::vector<std::uint32_t>& members) const {
        std::vector<GroupTriangle> before;
        std::vector<Sample> samples;
        for (const std::uint32_t c : members) {
            const LodPart& meshlet = lod_.meshlets[cells_[c].meshlet];
            add_triangles(meshlet.mesh, lod_.clusters[meshlet.mesh], meshlet.first_sublet, meshlet.sublet_count,
                          before);
            samples.insert(samples.end(), cells_[c].samples.begin(), cells_[c].samples.end());
        }
        std::size_t target = std::max<std::size_t>(before.size() / 2, 1);
        if (target > kFullMeshlet) target = (target + kMeshletSize / 2 - 1) / kMeshletSize * kFullMeshlet;
        const std::vector<DirectedEdge> edges = boundary(meshes(), before);
        const auto most = static_cast<std::size_t>(static_cast<double>(before.size()) * kMostKept);
        const std::vector<Corners> surface = corners(before);
        const float radius = extent(surface);

        float least = kLeastError;
        std::uint32_t level = 0;
        for (const std::uint32_t c : members) {
            level = std::max(level, lod_.meshlets[cells_[c].meshlet].level);
            const std::uint32_t from = lod_.meshlets[cells_[c].meshlet].simplified_from;
            if (from != shared::kNoLodGroup) least = std::max(least, lod_.groups[from].error);
        }
        Outcome best;
        std::vector<GroupTriangle> nearest;  // of the result, to each sample
        for (const Wedges wedges : {Wedges::kAlike, Wedges::kSmooth, Wedges::kAll}) {
            Outcome tried;
            tried.level = level;
            tried.triangles =
                simplify_group(meshes(), before, target, wedges, [&](std::uint32_t p) { return locks_[p] != 0; });
            drop_opposite_pairs(meshes(), tried.triangles);
            if (tried.triangles.empty() || tried.triangles.size() > most || !keeps(edges, tried.triangles)) continue;
            const std::vector<Corners> after = corners(tried.triangles);
            std::vector<std::uint32_t> found;
            tried.error = measure(tried, members, after, samples, radius, least, found);
            cover(tried, members, surface, after);
            if (!best.triangles.empty() && tried.error >= best.error) continue;
            nearest.clear();
            for (const std::uint32_t t : found) nearest.push_back(tried.triangles[t]);
            best = std::move(tried);
            const bool tries_another = wedges == Wedges::kAlike && level >= kCoarseLevel;
            if (best.error <= kFairError * radius && !tries_another) break;
        }
        if (best.triangles.empty()) return {};
        split(best, samples, nearest);
        return best;
    }

    // Half of the longest side of the triangles' box.
    static float extent(std::span<const Corners> triangles) {
        Point least = triangles[0][0];
        Point greatest = least;
        for (const Corners& t : triangles) {
            for (const Point& p : t) {
                for (std::size_t k = 0; k < 3; ++k) {
                    least[k] = std::min(least[k], p[k]);
                    greatest[k] = std::max(greatest[k], p[k]);
                }
            }
        }
        return 0.5F * std::max({greatest[0] - least[0], greatest[1] - least[1], greatest[2] - least[2]});
    }

    // Whether the boundary with other groups stayed as it was, and no other came but along where the surface ends.
    [[nodiscard]] bool keeps(const std::vector<DirectedEdge>& before, std::span<const GroupTriangle> after) const {
        const std::vector<DirectedEdge> edges = boundary(meshes(), after);
        std::vector<DirectedEdge> different;
        std::set_symmetric_difference(before.begin(), before.end(), edges.begin(), edges.end(),
                                      std::back_inserter(different));
        return std::all_of(different.begin(), different.end(), [&](const DirectedEdge& e) {
            return open_[e[0]] != 0 && open_[e[1]] != 0 && (locks_[e[0]] == 0 || locks_[e[1]] == 0);
        });
    }

    // The error of what a group was simplified to, `least` or more, and its triangle nearest to each sample of the
    // finest surface.
    float measure(const Outcome& tried, const std::vector<std::uint32_t>& members,
                  std::span<const Corners> surface_after, std::span<const Sample> samples, float radius, float least,
                  std::vector<std::uint32_t>& nearest) const {
        const std::vector<GroupTriangle>& after = tried.triangles;
        const Surface surface(surface_after);
        std::vector<MeasuredDistance> distances;
        std::vector<MeasuredDistance> shifts;
        for (const Sample& sample : samples) {
            const NearestTriangle found =
                surface.nearest(sample.at, nearest.empty() ? 0 : nearest.back(), least * least);
            nearest.push_back(found.triangle);
            distances.push_back({std::sqrt(found.squared), sample.area});
            if (!measures_attributes_) continue;
            const float shift = shift_of(sample, after[found.triangle], surface_after[found.triangle]);
            shifts.push_back({std::min(shift, radius), sample.area});
        }
        float error = std::max({least, worst(distances), distance_beyond(shifts, kShiftedBeyond)});
        distances.clear();
        for (const Place& place :
             spread_places(surface_after, std::min(4 * after.size(), most_result_samples(tried.level)))) {
            const std::uint32_t at = positions_[after[place.triangle].mesh][after[place.triangle].vertices[0]];
            const Point p = point_in(surface_after[place.triangle], place.weights);
            distances.push_back({std::sqrt(finest_->nearest(p, a_triangle_[at], error * error).squared), 1.0F});
        }
        error = std::max(error, worst(distances));
        // A spike is seldom a sample: every place that a vertex was simplified away from lies near enough.
        constexpr float kFarthest = kAllowed.back().times;
        std::uint32_t hint = 0;
        for (const Point& place : places_left(members, after)) {
            const float enough = kFarthest * error;
            const NearestTriangle found = surface.nearest(place, hint, enough * enough);
            hint = found.triangle;
            error = std::max(error, std::sqrt(found.squared) / kFarthest);
        }
        return error;
    }

    // Places where vertices of cells lie, but none of the triangles.
    [[nodiscard]] std::vector<Point> places_left(const std::vector<std::uint32_t>& members,
                                                 std::span<const GroupTriangle> triangles) const {
        std::vector<std::uint32_t> kept;
        for (const GroupTriangle& t : triangles) {
            for (const std::uint32_t v : t.vertices) kept.push_back(positions_[t.mesh][v]);
        }
        std::sort(kept.begin(), kept.end());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> left;  // position, which of those found
        std::vector<Point> found;
        for (const std::uint32_t c : members) {
            const LodPart& part = lod_.meshlets[cells_[c].meshlet];
            for (const std::uint32_t v : vertices_of(lod_.clusters[part.mesh], part.first_sublet, part.sublet_count)) {
                const std::uint32_t position = positions_[part.mesh][v];
                if (std::binary_search(kept.begin(), kept.end(), position)) continue;
                left.emplace_back(position, static_cast<std::uint32_t>(found.size()));
                found.push_back(point(part.mesh, v));
            }
        }
        // Each once, neighbours still side by side.
        std::sort(left.begin(), left.end());
        const auto same = [](const auto& x, const auto& y) { return x.first == y.first; };
        left.erase(std::unique(left.begin(), left.end(), same), left.end());
        std::sort(left.begin(), left.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
        std::vector<Point> out;
        for (const auto& [position, which] : left) out.push_back(found[which]);
        return out;
    }

    static float worst(std::vector<MeasuredDistance>& distances) {
        float error = 0.0F;
        for (const auto& [share, times] : kAllowed) error = std::max(error, distance_beyond(distances, share) / times);
        return error;
    }

    // How far attributes that a sample has lie from it on the surface of a triangle, by how fast they change around it.
    [[nodiscard]] float shift_of(const Sample& sample, const GroupTriangle& triangle, const Corners& at) const {
        if (triangle.mesh != sample.mesh) return 0.0F;
        const AttributeReader::Values values =
            attributes_.at(triangle.mesh, triangle.vertices, weights_at(sample.at, at));
        float most = 0.0F;
        for (std::size_t a = 0; a < kMeasuredAttributes; ++a) {
            const Point step = minus(values[a], sample.values[a]);
            const float difference = std::sqrt(dot(step, step));
            if (difference > kSameValue) most = std::max(most, difference * sample.distance_per_value[a]);
        }
        return most;
    }

    // What is covered of the picture, over what the finest surface covers, after all that was simplified. Raises the
    // error where that is too much or too little.
    void cover(Outcome& outcome, const std::vector<std::uint32_t>& members, std::span<const Corners> before,
               std::span<const Corners> after) const {
        Coverage areas{};
        Coverage kept{};
        for (const std::uint32_t c : members) {
            for (std::size_t i = 0; i < kCoverageViews; ++i) {
                areas[i] += cells_[c].projected[i];
                kept[i] += cells_[c].projected[i] * cells_[c].covered[i];
            }
        }
        const Coverage now = projected_areas(after);
        bool same = true;
        for (std::size_t i = 0; i < kCoverageViews; ++i) {
            kept[i] = areas[i] > 0.0 ? kept[i] / areas[i] : 1.0;
            outcome.covered[i] = areas[i] > 0.0 ? kept[i] * now[i] / areas[i] : 1.0;
            same = same && std::abs(outcome.covered[i] - 1.0) <= kSameCover;
        }
        if (same) return;
        // What hides itself covers less than the sum of its parts, and loose parts are too small for a picture of few
        // pixels: the better of both counts.
        const CoverageRatio drawn = covered_ratio(after, before);
        for (std::size_t i = 0; i < kCoverageViews; ++i) {
            double& covered = outcome.covered[i];
            if (std::abs(kept[i] * drawn.ratio[i] - 1.0) < std::abs(covered - 1.0)) covered = kept[i] * drawn.ratio[i];
            const double other = std::abs(covered - 1.0);
            if (other <= kSameCover) continue;
            outcome.error = std::max(outcome.error, static_cast<float>(std::sqrt(other * drawn.area[i])));
        }
    }

    // Meshlets of what a group was simplified to, with the samples that lie near them.
    void split(Outcome& outcome, std::span<const Sample> samples, std::span<const GroupTriangle> nearest) const {
        std::stable_sort(outcome.triangles.begin(), outcome.triangles.end(),
                         [](const GroupTriangle& a, const GroupTriangle& b) { return a.mesh < b.mesh; });
        std::vector<std::pair<std::array<std::uint32_t, 4>, std::uint32_t>> cell_of;  // of each triangle
        for (auto begin = outcome.triangles.begin(); begin != outcome.triangles.end();) {
            const std::uint32_t mesh = begin->mesh;
            std::vector<Triangle> triangles;
            for (; begin != outcome.triangles.end() && begin->mesh == mesh; ++begin)
                triangles.push_back(begin->vertices);
            Clusters clusters = cluster_triangles(triangles, tables_[mesh], nullptr);
            const auto count = static_cast<std::uint32_t>(clusters.sublets.size());
            for (std::uint32_t s = 0; s < count; s += kSubletsPerMeshlet) {
                std::vector<GroupTriangle> own;
                const std::uint32_t own_count = std::min(count - s, kSubletsPerMeshlet);
                add_triangles(mesh, clusters, s, own_count, own);
                for (const GroupTriangle& t : own) {
                    cell_of.emplace_back(name_of(t), static_cast<std::uint32_t>(outcome.cells.size()));
                }
                outcome.cells.push_back(make_cell(mesh, vertices_of(clusters, s, own_count), corners(own)));
                outcome.cells.back().covered = outcome.covered;
            }
            outcome.clusters.emplace_back(mesh, std::move(clusters));
        }
        // Each sample goes to the cell with the triangle nearest to it; some are left out where they are many.
        std::sort(cell_of.begin(), cell_of.end());
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const auto found = std::lower_bound(cell_of.begin(), cell_of.end(), std::pair(name_of(nearest[i]), 0U));
            outcome.cells[found->second].samples.push_back(samples[i]);
        }
        for (Cell& cell : outcome.cells) {
            const std::size_t count = cell.samples.size();
            const std::size_t most = most_samples(outcome.level);
            if (count <= most) continue;
            for (std::size_t i = 0; i < most; ++i) {
                cell.samples[i] = cell.samples[i * count / most];
                cell.samples[i].area *= static_cast<float>(count) / static_cast<float>(most);
            }
            cell.samples.resize(most);
        }
    }

    // Its mesh and vertices, whichever of them comes first.
    static std::array<std::uint32_t, 4> name_of(const GroupTriangle& t) {
        Triangle v = t.vertices;
        std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
        return {t.mesh, v[0], v[1], v[2]};
    }

    std::span<const VertexTable> tables_;
    ThreadPool* pool_;
    Lod lod_;
    std::vector<std::vector<std::uint32_t>> positions_;
    std::size_t position_count_ = 0;
    std::vector<char> open_, locks_;         // of each position
    std::vector<std::uint32_t> a_triangle_;  // of the finest, that has a corner at each position
    AttributeReader attributes_;
    bool measures_attributes_ = false;  // some mesh has some
    std::optional<Surface> finest_;
    std::vector<Cell> cells_;
};

}  // namespace

Lod build_lod(std::span<const VertexTable> tables, std::vector<Clusters> finest, ThreadPool* pool) {
    return Builder(tables, std::move(finest), pool).build();
}

}  // namespace sublet::mesh
