#include "mesh/lod.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "mesh/distance.h"
#include "mesh/lod_partition.h"
#include "mesh/lod_simplify.h"
#include "mesh/miniball.h"
#include "mesh/parallel.h"

namespace sublet::mesh {
namespace {

using shared::kMeshletSize;
using shared::kSubletsPerMeshlet;

constexpr std::uint32_t kGroupMeshlets = 8;
// Triangles that a meshlet of a simplified group holds when it is filled well.
constexpr std::size_t kFullMeshlet = 242;
// A group that keeps more of its triangles than this is not worth a level.
constexpr double kMostKept = 0.85;
// Points of the finest surface that a meshlet is measured by, and points of what a group was simplified to.
constexpr std::size_t kMostSamples = 64, kMostResultSamples = 384;
// Between samples a surface may be farther away than at them.
constexpr float kSamplingBound = 1.25F;
// Of a group's radius: where the error is more, other ways to simplify it are tried.
constexpr float kFairError = 0.1F;

// A meshlet that no group contains yet.
struct Cell {
    std::uint32_t meshlet = 0;  // of Lod::meshlets
    Neighbor neighbor;
    std::vector<Point> samples;  // of the finest surface, near it
};

// What became of a group.
struct Outcome {
    std::vector<GroupTriangle> triangles;  // empty: it can't be simplified
    float error = 0.0F;
    std::vector<std::pair<std::uint32_t, Clusters>> clusters;  // of each mesh that it has triangles of
    std::vector<Cell> cells;                                   // of these; `meshlet` is not known yet
};

class Builder {
  public:
    Builder(std::span<const VertexTable> tables, std::vector<Clusters> finest, ThreadPool* pool)
        : tables_(tables), pool_(pool) {
        lod_.clusters = std::move(finest);
        number_positions();
        locks_.resize(position_count_);
        std::vector<std::array<Point, 3>> surface;
        for (std::uint32_t mesh = 0; mesh < tables_.size(); ++mesh) {
            const auto count = static_cast<std::uint32_t>(lod_.clusters[mesh].sublets.size());
            for (std::uint32_t s = 0; s < count; s += kSubletsPerMeshlet) {
                lod_.meshlets.push_back({mesh, s, std::min(count - s, kSubletsPerMeshlet)});
                const std::vector<GroupTriangle> triangles = triangles_of(lod_.meshlets.back());
                for (const GroupTriangle& t : triangles) surface.push_back(corners(t));
                cells_.push_back(make_cell(triangles));
                cells_.back().meshlet = static_cast<std::uint32_t>(lod_.meshlets.size() - 1);
                sample_finest(triangles, cells_.back().samples);
            }
        }
        if (surface.empty()) return;
        find_open(surface.size());
        finest_.emplace(std::move(surface));
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
    void find_open(std::size_t triangle_count) {
        std::vector<GroupTriangle> all;
        all.reserve(triangle_count);
        for (const LodPart& meshlet : lod_.meshlets) {
            const std::vector<GroupTriangle> triangles = triangles_of(meshlet);
            all.insert(all.end(), triangles.begin(), triangles.end());
        }
        open_.resize(position_count_);
        for (const DirectedEdge& edge : boundary(meshes(), all)) open_[edge[0]] = open_[edge[1]] = 1;
    }

    [[nodiscard]] Point point(std::uint32_t mesh, std::uint32_t vertex) const {
        const std::array<std::int16_t, 3> p = tables_[mesh].position(vertex);
        return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
    }

    [[nodiscard]] std::array<Point, 3> corners(const GroupTriangle& t) const {
        return {point(t.mesh, t.vertices[0]), point(t.mesh, t.vertices[1]), point(t.mesh, t.vertices[2])};
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

    [[nodiscard]] Cell make_cell(std::span<const GroupTriangle> triangles) const {
        Cell cell;
        std::vector<std::uint32_t>& positions = cell.neighbor.positions;
        for (const GroupTriangle& t : triangles) {
            for (const std::uint32_t v : t.vertices) {
                positions.push_back(positions_[t.mesh][v]);
                const Point p = point(t.mesh, v);
                for (std::size_t k = 0; k < 3; ++k) cell.neighbor.center[k] += p[k];
            }
        }
        for (float& x : cell.neighbor.center) x /= static_cast<float>(3 * triangles.size());
        std::sort(positions.begin(), positions.end());
        positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
        return cell;
    }

    // Corners and centres of some of the triangles.
    void sample_finest(std::span<const GroupTriangle> triangles, std::vector<Point>& out) const {
        const std::size_t step = (2 * triangles.size() + kMostSamples - 1) / kMostSamples;
        for (std::size_t i = 0; i < triangles.size(); i += step) {
            const std::array<Point, 3> c = corners(triangles[i]);
            out.push_back(c[i % 3]);
            Point center{};
            for (std::size_t k = 0; k < 3; ++k) center[k] = (c[0][k] + c[1][k] + c[2][k]) / 3.0F;
            out.push_back(center);
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
            float& error = lod_.groups[group].error;
            error = outcomes[g].error;
            for (const std::uint32_t c : groups[g]) {
                const std::uint32_t from = lod_.meshlets[cells_[c].meshlet].simplified_from;
                if (from != shared::kNoLodGroup) error = std::max(error, lod_.groups[from].error);
            }
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
            for (const GroupTriangle& t : triangles_of(meshlet)) {
                for (const std::uint32_t v : t.vertices) points.push_back(point(t.mesh, v));
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
        std::vector<Point> samples;
        for (const std::uint32_t c : members) {
            const LodPart& meshlet = lod_.meshlets[cells_[c].meshlet];
            add_triangles(meshlet.mesh, lod_.clusters[meshlet.mesh], meshlet.first_sublet, meshlet.sublet_count,
                          before);
            samples.insert(samples.end(), cells_[c].samples.begin(), cells_[c].samples.end());
        }
        std::size_t target = std::max<std::size_t>(before.size() / 2, 1);
        if (target > kFullMeshlet) target = (target + kFullMeshlet / 2) / kFullMeshlet * kFullMeshlet;
        const std::vector<DirectedEdge> edges = boundary(meshes(), before);
        const auto most = static_cast<std::size_t>(static_cast<double>(before.size()) * kMostKept);
        const float radius = extent(before);

        Outcome best;
        std::vector<GroupTriangle> nearest;  // of the result, to each sample
        for (const Wedges wedges : {Wedges::kAlike, Wedges::kSmooth, Wedges::kAll}) {
            std::vector<GroupTriangle> after =
                simplify_group(meshes(), before, target, wedges, [&](std::uint32_t p) { return locks_[p] != 0; });
            drop_opposite_pairs(meshes(), after);
            if (after.empty() || after.size() > most || !keeps(edges, after)) continue;
            std::vector<std::uint32_t> found;
            const float error = measure(after, samples, found);
            if (!best.triangles.empty() && error >= best.error) continue;
            nearest.clear();
            for (const std::uint32_t t : found) nearest.push_back(after[t]);
            best.triangles = std::move(after);
            best.error = error;
            if (best.error <= kFairError * radius) break;
        }
        if (best.triangles.empty()) return {};
        split(best, samples, nearest);
        return best;
    }

    // Half of the longest side of the triangles' box.
    [[nodiscard]] float extent(std::span<const GroupTriangle> triangles) const {
        Point least = point(triangles[0].mesh, triangles[0].vertices[0]);
        Point greatest = least;
        for (const GroupTriangle& t : triangles) {
            for (const Point& p : corners(t)) {
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

    // How far what a group was simplified to lies from the finest surface, both ways, and its triangle nearest to each
    // sample of that.
    float measure(std::span<const GroupTriangle> after, std::span<const Point> samples,
                  std::vector<std::uint32_t>& nearest) const {
        std::vector<std::array<Point, 3>> triangles;
        triangles.reserve(after.size());
        for (const GroupTriangle& t : after) triangles.push_back(corners(t));
        const Surface surface(triangles);
        float squared = 0.0F;
        for (const Point& sample : samples) {
            const NearestTriangle found = surface.nearest(sample);
            squared = std::max(squared, found.squared);
            nearest.push_back(found.triangle);
        }
        // Of the result, whose corners lie on the finest surface: centres of triangles and the middles of their sides.
        const std::size_t step = (2 * triangles.size() + kMostResultSamples - 1) / kMostResultSamples;
        for (std::size_t i = 0; i < triangles.size(); i += step) {
            const std::array<Point, 3>& c = triangles[i];
            Point center{};
            Point middle{};
            for (std::size_t k = 0; k < 3; ++k) {
                center[k] = (c[0][k] + c[1][k] + c[2][k]) / 3.0F;
                middle[k] = (c[i % 3][k] + c[(i + 1) % 3][k]) / 2.0F;
            }
            squared = std::max({squared, finest_->nearest(center).squared, finest_->nearest(middle).squared});
        }
        return kSamplingBound * std::sqrt(squared);
    }

    // Meshlets of what a group was simplified to, with the samples that lie near them.
    void split(Outcome& outcome, std::span<const Point> samples, std::span<const GroupTriangle> nearest) const {
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
                add_triangles(mesh, clusters, s, std::min(count - s, kSubletsPerMeshlet), own);
                for (const GroupTriangle& t : own) {
                    cell_of.emplace_back(name_of(t), static_cast<std::uint32_t>(outcome.cells.size()));
                }
                outcome.cells.push_back(make_cell(own));
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
            if (count <= kMostSamples) continue;
            std::vector<Point> kept;
            for (std::size_t i = 0; i < kMostSamples; ++i) kept.push_back(cell.samples[i * count / kMostSamples]);
            cell.samples = std::move(kept);
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
    std::vector<char> open_, locks_;  // of each position
    std::optional<Surface> finest_;
    std::vector<Cell> cells_;
};

}  // namespace

Lod build_lod(std::span<const VertexTable> tables, std::vector<Clusters> finest, ThreadPool* pool) {
    return Builder(tables, std::move(finest), pool).build();
}

}  // namespace sublet::mesh
