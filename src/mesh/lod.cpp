#include "mesh/lod.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "mesh/lod_error.h"
#include "mesh/lod_fit.h"
#include "mesh/lod_partition.h"
#include "mesh/lod_simplify.h"
#include "mesh/lod_vertices.h"
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
constexpr float kLeastError = 0.5F;  // of the grid: rounding
// Points of the finest surface that a meshlet is measured by.
constexpr std::size_t most_samples(std::uint32_t level) {
    return level + 1 < kCoarseLevel ? 24 : 128;
}
// Of levels of so few groups each is a large part of the mesh, and is what a view ends at.
constexpr std::size_t kFewGroups = 12;
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
    LodNode node;                          // of what was simplified
    std::vector<MovedPosition> moved;
    MeasuredGroup measured;
    std::vector<std::pair<std::uint32_t, Clusters>> clusters;  // of each mesh that it has triangles of
    std::vector<Cell> cells;                                   // of these; `meshlet` is not known yet
};

class Builder {
  public:
    Builder(std::vector<VertexTable> tables, std::vector<Clusters> finest, ThreadPool* pool)
        : pool_(pool),
          vertices_(std::move(tables), finest, pool),
          attributes_(vertices_.meshes().tables),
          simplified_(vertices_.meshes().tables),
          locks_(vertices_.position_count()) {
        lod_.clusters = std::move(finest);
        std::vector<GroupTriangle> all;
        std::vector<std::uint32_t> runs;
        for (std::uint32_t mesh = 0; mesh < lod_.clusters.size(); ++mesh) {
            const auto count = static_cast<std::uint32_t>(lod_.clusters[mesh].sublets.size());
            for (std::uint32_t s = 0; s < count; s += kSubletsPerMeshlet) {
                const std::uint32_t own_count = std::min(count - s, kSubletsPerMeshlet);
                lod_.meshlets.push_back({mesh, s, own_count});
                auto next = static_cast<std::uint32_t>(all.size());
                for (std::uint32_t i = 0; i < own_count; ++i) {
                    runs.push_back(next);
                    next += lod_.clusters[mesh].sublets[s + i].triangle_count;
                }
                const std::vector<GroupTriangle> triangles = triangles_of(lod_.meshlets.back());
                const std::vector<Corners> surface = vertices_.corners(triangles);
                all.insert(all.end(), triangles.begin(), triangles.end());
                cells_.push_back(make_cell(mesh, vertices_of(lod_.clusters[mesh], s, own_count), surface));
                cells_.back().meshlet = static_cast<std::uint32_t>(lod_.meshlets.size() - 1);
                cells_.back().covered.fill(1.0);
                cells_.back().samples = sample(triangles, surface, attributes_, most_samples(0));
            }
        }
        if (all.empty()) return;
        find_open();
        error_.emplace(vertices_, attributes_, all, runs);
    }

    Lod build() {
        for (std::uint32_t level = 0; level < shared::kMostLodLevel && !cells_.empty(); ++level) {
            if (!simplify_level()) break;
        }
        // What is left is drawn from however far away.
        if (!cells_.empty()) {
            for (const std::vector<std::uint32_t>& members : grouped(cells_)) {
                add_group(node_of(before(members), members), members);
            }
        }
        lod_.tables = vertices_.take_tables();
        return std::move(lod_);
    }

  private:
    // The places that the finest surface ends at.
    void find_open() {
        std::vector<DirectedEdge> edges;
        for (const LodPart& meshlet : lod_.meshlets) {
            const std::vector<DirectedEdge> own = boundary(vertices_.meshes(), triangles_of(meshlet));
            edges.insert(edges.end(), own.begin(), own.end());
        }
        open_.resize(vertices_.position_count());
        for (const DirectedEdge& edge : boundary(edges)) open_[edge[0]] = open_[edge[1]] = 1;
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
            positions.push_back(vertices_.position(mesh, v));
            const Point p = vertices_.point(mesh, v);
            for (std::size_t k = 0; k < 3; ++k) cell.neighbor.center[k] += p[k];
        }
        for (float& x : cell.neighbor.center) x /= static_cast<float>(vertices.size());
        std::sort(positions.begin(), positions.end());
        positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
        return cell;
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
        std::vector<std::uint32_t> owner(vertices_.position_count(), kFree);
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
            for (std::size_t g = begin; g < end; ++g) outcomes[g] = simplify(groups[g], groups.size() <= kFewGroups);
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
            const std::uint32_t group = add_group(outcomes[g].node, groups[g]);
            lod_.groups[group].error = outcomes[g].measured.error;
            take(outcomes[g], group, next);
        }
        cells_ = std::move(next);
        return simplified;
    }

    // What cells are as a group, which was not simplified yet.
    [[nodiscard]] LodNode node_of(const GroupBefore& group, const std::vector<std::uint32_t>& members) const {
        LodNode node;
        node.level = group.level;
        std::vector<Point> points;
        points.reserve(group.mesh.places.size());
        for (const std::uint32_t place : group.mesh.places) points.push_back(group.mesh.points[place]);
        const Ball ball = smallest_ball(points);
        for (std::size_t k = 0; k < 3; ++k) node.center[k] = static_cast<float>(ball.center[k]);
        double radius = 0.0;
        const auto hold = [&](const Point& p, float around) {
            double squared = 0.0;
            for (std::size_t k = 0; k < 3; ++k) {
                const double d = static_cast<double>(p[k]) - static_cast<double>(node.center[k]);
                squared += d * d;
            }
            radius = std::max(radius, std::sqrt(squared) + static_cast<double>(around));
        };
        for (const Point& p : points) hold(p, 0.0F);
        for (const std::uint32_t c : members) {
            const std::uint32_t from = lod_.meshlets[cells_[c].meshlet].simplified_from;
            if (from != shared::kNoLodGroup) hold(lod_.groups[from].center, lod_.groups[from].radius);
        }
        node.radius = static_cast<float>(radius * (1.0 + 1e-6));
        return node;
    }

    // Makes a group of cells. Returns its number.
    std::uint32_t add_group(const LodNode& node, const std::vector<std::uint32_t>& members) {
        const auto number = static_cast<std::uint32_t>(lod_.groups.size());
        for (const std::uint32_t c : members) lod_.meshlets[cells_[c].meshlet].group = number;
        lod_.groups.push_back(node);
        return number;
    }

    // Adds what a group was simplified to.
    void take(Outcome& outcome, std::uint32_t group, std::vector<Cell>& next) {
        move(outcome);
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

    // Makes vertices of what was moved.
    void move(Outcome& outcome) {
        if (outcome.moved.empty()) return;
        const auto found = [&](std::uint32_t position) {
            const auto at = std::lower_bound(outcome.moved.begin(), outcome.moved.end(), position,
                                             [](const MovedPosition& m, std::uint32_t p) { return m.position < p; });
            return at != outcome.moved.end() && at->position == position ? at - outcome.moved.begin() : -1;
        };
        const std::uint32_t first = vertices_.position_count();
        for (const MovedPosition& moved : outcome.moved) {
            vertices_.add_position();
            error_->add_position(moved.position);
            open_.push_back(0);
            locks_.push_back(0);
        }
        for (auto& [mesh, made] : outcome.clusters) {
            std::map<std::uint32_t, std::uint32_t> number;  // of those that moved
            for (std::uint32_t& v : made.vertices) {
                const auto which = found(vertices_.position(mesh, v));
                if (which < 0) continue;
                const auto [at, is_new] = number.try_emplace(v);
                if (is_new) {
                    at->second = vertices_.add_moved(mesh, v, outcome.moved[static_cast<std::size_t>(which)].to,
                                                     first + static_cast<std::uint32_t>(which));
                }
                v = at->second;
            }
        }
        for (Cell& cell : outcome.cells) {
            for (std::uint32_t& p : cell.neighbor.positions) {
                const auto which = found(p);
                if (which >= 0) p = first + static_cast<std::uint32_t>(which);
            }
            std::sort(cell.neighbor.positions.begin(), cell.neighbor.positions.end());
        }
    }

    [[nodiscard]] GroupBefore before(const std::vector<std::uint32_t>& members) const {
        GroupBefore out;
        out.least = kLeastError;
        GroupIndexer indexer;
        for (const std::uint32_t c : members) {
            const Cell& cell = cells_[c];
            const LodPart& meshlet = lod_.meshlets[cell.meshlet];
            const Clusters& clusters = lod_.clusters[meshlet.mesh];
            for (std::uint32_t s = meshlet.first_sublet; s < meshlet.first_sublet + meshlet.sublet_count; ++s) {
                const Sublet& sublet = clusters.sublets[s];
                indexer.add_sublet(meshlet.mesh,
                                   std::span(clusters.vertices).subspan(sublet.first_vertex, sublet.vertex_count),
                                   std::span(clusters.triangles).subspan(sublet.first_triangle, sublet.triangle_count));
            }
            out.samples.insert(out.samples.end(), cell.samples.begin(), cell.samples.end());
            for (std::size_t i = 0; i < kCoverageViews; ++i) {
                out.projected[i] += cell.projected[i];
                out.covered[i] += cell.projected[i] * cell.covered[i];
            }
            out.level = std::max(out.level, meshlet.level);
            if (meshlet.simplified_from != shared::kNoLodGroup) {
                out.least = std::max(out.least, lod_.groups[meshlet.simplified_from].error);
            }
        }
        for (std::size_t i = 0; i < kCoverageViews; ++i) {
            out.covered[i] = out.projected[i] > 0.0 ? out.covered[i] / out.projected[i] : 1.0;
        }
        out.mesh = std::move(indexer).index(vertices_.meshes());
        out.faces = out.mesh.faces(out.mesh.triangles);
        out.radius = extent(out.mesh.points);
        return out;
    }

    // Moves vertices where it `fits` what comes out.
    [[nodiscard]] Outcome simplify(const std::vector<std::uint32_t>& members, bool fits) const {
        GroupBefore group = before(members);
        const std::size_t count = group.faces.size();
        std::size_t target = std::max<std::size_t>(count / 2, 1);
        if (target > kFullMeshlet) target = (target + kMeshletSize / 2 - 1) / kMeshletSize * kFullMeshlet;
        const auto most = static_cast<std::size_t>(static_cast<double>(count) * kMostKept);
        std::vector<char> locked;
        std::vector<char> free;
        for (const std::uint32_t p : group.mesh.positions) {
            locked.push_back(locks_[p]);
            free.push_back(locks_[p] == 0 && open_[p] == 0 ? 1 : 0);
        }
        const EdgeBalance edges(group.mesh.positions.size(), group.faces);
        Simplifier simplifier(vertices_.meshes(), simplified_, group.mesh, locked);
        Outcome best;
        std::vector<Triangle> kept;  // of the best
        for (const Wedges wedges : {Wedges::kAlike, Wedges::kSmooth, Wedges::kAll}) {
            std::optional<std::vector<Triangle>> triangles = simplifier.simplify(target, wedges);
            if (!triangles) continue;
            drop_opposite_pairs(group.mesh, *triangles);
            if (triangles->empty() || triangles->size() > most) continue;
            const std::vector<Triangle> faces = group.mesh.faces(*triangles);
            if (!is_same_border(group.mesh, edges.different(faces))) continue;
            Outcome tried;
            if (fits && group.level >= kCoarseLevel) tried.moved = fit_group(vertices_, group, *triangles, free);
            const std::vector<Point> points = moved_points(group.mesh, tried.moved);
            tried.measured = error_->measure(group, {*triangles, {points, faces}});
            if (!kept.empty() && tried.measured.error >= best.measured.error) continue;
            best = std::move(tried);
            kept = std::move(*triangles);
            const bool tries_another = wedges == Wedges::kAlike && group.level >= kCoarseLevel;
            if (best.measured.error <= kFairError * group.radius && !tries_another) break;
        }
        if (kept.empty()) return best;
        for (const Triangle& t : kept) best.triangles.push_back(group.mesh.named(t));
        best.node = node_of(group, members);
        split(best, group);
        return best;
    }

    // Half of the longest side of the points' box.
    static float extent(std::span<const Point> points) {
        Point least = points[0];
        Point greatest = least;
        for (const Point& p : points) {
            for (std::size_t k = 0; k < 3; ++k) {
                least[k] = std::min(least[k], p[k]);
                greatest[k] = std::max(greatest[k], p[k]);
            }
        }
        return 0.5F * std::max({greatest[0] - least[0], greatest[1] - least[1], greatest[2] - least[2]});
    }

    // Whether the boundary with other groups stayed as it was, and no other came but along where the surface ends.
    [[nodiscard]] bool is_same_border(const IndexedGroup& group, const std::vector<DirectedEdge>& different) const {
        return std::all_of(different.begin(), different.end(), [&](const DirectedEdge& e) {
            const std::uint32_t a = group.positions[e[0]];
            const std::uint32_t b = group.positions[e[1]];
            return open_[a] != 0 && open_[b] != 0 && (locks_[a] == 0 || locks_[b] == 0);
        });
    }

    // Meshlets of what a group was simplified to, with the samples that lie near them.
    void split(Outcome& outcome, const GroupBefore& group) const {
        std::vector<std::array<std::uint32_t, 4>> nearest;
        for (const std::uint32_t t : outcome.measured.nearest) nearest.push_back(name_of(outcome.triangles[t]));
        std::stable_sort(outcome.triangles.begin(), outcome.triangles.end(),
                         [](const GroupTriangle& a, const GroupTriangle& b) { return a.mesh < b.mesh; });
        std::vector<std::pair<std::array<std::uint32_t, 4>, std::uint32_t>> cell_of;  // of each triangle
        for (auto begin = outcome.triangles.begin(); begin != outcome.triangles.end();) {
            const std::uint32_t mesh = begin->mesh;
            std::vector<Triangle> triangles;
            for (; begin != outcome.triangles.end() && begin->mesh == mesh; ++begin)
                triangles.push_back(begin->vertices);
            Clusters clusters = cluster_triangles(triangles, vertices_.meshes().tables[mesh], nullptr);
            const auto count = static_cast<std::uint32_t>(clusters.sublets.size());
            for (std::uint32_t s = 0; s < count; s += kSubletsPerMeshlet) {
                std::vector<GroupTriangle> own;
                const std::uint32_t own_count = std::min(count - s, kSubletsPerMeshlet);
                add_triangles(mesh, clusters, s, own_count, own);
                for (const GroupTriangle& t : own) {
                    cell_of.emplace_back(name_of(t), static_cast<std::uint32_t>(outcome.cells.size()));
                }
                outcome.cells.push_back(
                    make_cell(mesh, vertices_of(clusters, s, own_count), vertices_.corners(own, outcome.moved)));
                outcome.cells.back().covered = outcome.measured.covered;
            }
            outcome.clusters.emplace_back(mesh, std::move(clusters));
        }
        // Each sample goes to the cell with the triangle nearest to it; some are left out where they are many.
        std::sort(cell_of.begin(), cell_of.end());
        for (std::size_t i = 0; i < nearest.size(); ++i) {
            const auto found = std::lower_bound(cell_of.begin(), cell_of.end(), std::pair(nearest[i], 0U));
            outcome.cells[found->second].samples.push_back(group.samples[i]);
        }
        for (Cell& cell : outcome.cells) {
            const std::size_t count = cell.samples.size();
            const std::size_t most = most_samples(group.level);
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

    ThreadPool* pool_;
    LodVertices vertices_;
    AttributeReader attributes_;
    SimplifiedMeshes simplified_;
    std::optional<LodError> error_;
    std::vector<char> open_, locks_;  // of each position
    Lod lod_;
    std::vector<Cell> cells_;
};

}  // namespace

Lod build_lod(std::vector<VertexTable> tables, std::vector<Clusters> finest, ThreadPool* pool) {
    return Builder(std::move(tables), std::move(finest), pool).build();
}

}  // namespace sublet::mesh
