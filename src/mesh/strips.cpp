#include "mesh/strips.h"

#include <algorithm>
#include <array>
#include <bit>

#include "mesh/count_ones.h"

namespace sublet::mesh {
namespace {

using shared::kSubletSize;

// Paths that are tried from different triangles, and turns of a path's end that are tried where it is stuck.
constexpr std::uint32_t kMostStarts = 2;
constexpr std::uint32_t kMostTurns = 6;

// Triangles one after the other, neighbours all.
struct Path {
    std::array<std::uint8_t, kSubletSize> triangles{};
    std::uint32_t count = 0;

    void push(std::uint32_t t) { triangles[count++] = static_cast<std::uint8_t>(t); }
    void reverse(std::uint32_t begin) { std::reverse(triangles.begin() + begin, triangles.begin() + count); }
};

// Corner of a triangle that another lacks; 3 where it lacks none.
std::uint32_t corner_not_in(const LocalTriangle& triangle, const LocalTriangle& other) {
    for (std::uint32_t k = 0; k < 3; ++k) {
        if (std::ranges::find(other, triangle[k]) == other.end()) return k;
    }
    return 3;
}

// Which triangles share an edge, each going its own way along it: at most one at each edge, and not the same triangle
// turned over.
class Neighbors {
  public:
    explicit Neighbors(std::span<const LocalTriangle> triangles) {
        // The triangle at each directed edge: the first, of several.
        std::array<std::array<std::uint8_t, kSubletSize>, kSubletSize> at;
        for (const LocalTriangle& t : triangles) {
            for (std::size_t k = 0; k < 3; ++k) at[t[k]][t[(k + 1) % 3]] = at[t[(k + 1) % 3]][t[k]] = kNone;
        }
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const LocalTriangle& t = triangles[i];
            for (std::size_t k = 0; k < 3; ++k) {
                std::uint8_t& first = at[t[k]][t[(k + 1) % 3]];
                if (first == kNone) first = static_cast<std::uint8_t>(i);
            }
        }
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const LocalTriangle& t = triangles[i];
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t other = at[t[(k + 1) % 3]][t[k]];
                if (at[t[k]][t[(k + 1) % 3]] != i || other == kNone || other == i) continue;
                if (corner_not_in(t, triangles[other]) == 3) continue;
                of_[i] |= 1U << other;
                of_[other] |= 1U << i;
            }
        }
    }

    [[nodiscard]] std::uint32_t of(std::uint32_t triangle) const { return of_[triangle]; }

    // Of `candidates` (not empty) the one with fewest neighbours in `left`: it is the first to be cut off.
    [[nodiscard]] std::uint32_t scarcest(std::uint32_t candidates, std::uint32_t left) const {
        std::uint32_t best = 0;
        std::uint32_t fewest = 33;
        for (; candidates != 0; candidates &= candidates - 1) {
            const auto t = static_cast<std::uint32_t>(std::countr_zero(candidates));
            const std::uint32_t count = count_ones(of_[t] & left);
            if (count < fewest) {
                fewest = count;
                best = t;
            }
        }
        return best;
    }

  private:
    static constexpr std::uint8_t kNone = 0xff;
    std::array<std::uint32_t, kSubletSize> of_{};
};

// Appends triangles while there is one to go on to.
void extend(const Neighbors& neighbors, Path& path, std::uint32_t& left) {
    while (true) {
        const std::uint32_t next = neighbors.of(path.triangles[path.count - 1]) & left;
        if (next == 0) return;
        const std::uint32_t t = neighbors.scarcest(next, left);
        path.push(t);
        left &= ~(1U << t);
    }
}

// Gives a path that is stuck another end, from which it goes on: where the end has a neighbour inside the path, what
// follows that neighbour may be reversed (Pósa's rotation). False where no end that was tried has a way on.
bool turn_end(const Neighbors& neighbors, Path& path, std::uint32_t left) {
    std::array<Path, kMostTurns> tried;
    std::uint32_t count = 1;
    std::uint32_t ends = 1U << path.triangles[path.count - 1];
    tried[0] = path;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t around = neighbors.of(tried[i].triangles[path.count - 1]);
        for (std::uint32_t k = 0; k + 2 < path.count && count < kMostTurns; ++k) {
            if ((around >> tried[i].triangles[k] & 1U) == 0) continue;
            const std::uint32_t end = tried[i].triangles[k + 1];
            if ((ends >> end & 1U) != 0) continue;
            ends |= 1U << end;
            Path& turned = tried[count++];
            turned = tried[i];
            turned.reverse(k + 1);
            if ((neighbors.of(end) & left) == 0) continue;
            path = turned;
            return true;
        }
    }
    return false;
}

// A long path through `left`, which it takes its triangles from.
Path find_path(const Neighbors& neighbors, std::uint32_t start, std::uint32_t& left) {
    Path path;
    path.push(start);
    left &= ~(1U << start);
    extend(neighbors, path, left);
    path.reverse(0);
    do {
        extend(neighbors, path, left);
    } while (left != 0 && turn_end(neighbors, path, left));
    path.reverse(0);
    while (left != 0 && turn_end(neighbors, path, left)) extend(neighbors, path, left);
    return path;
}

struct Cover {
    std::array<Path, kSubletSize> paths;
    std::uint32_t count = 0;
};

// All triangles in paths, few of them.
Cover find_cover(const Neighbors& neighbors, std::uint32_t all) {
    Cover best;
    // A path has two ends: triangles of one neighbour are ends, those of none are paths.
    std::uint32_t ends = 0;
    for (std::uint32_t left = all; left != 0; left &= left - 1) {
        const std::uint32_t around = count_ones(neighbors.of(static_cast<std::uint32_t>(std::countr_zero(left))));
        if (around < 2) ends += 2 - around;
    }
    const std::uint32_t fewest = std::max((ends + 1) / 2, 1U);
    std::uint32_t starts = all;
    for (std::uint32_t i = 0; i < kMostStarts && starts != 0; ++i) {
        Cover cover;
        const std::uint32_t first = neighbors.scarcest(starts, all);
        starts &= ~(1U << first);
        for (std::uint32_t left = all; left != 0;) {
            const std::uint32_t start = left == all ? first : neighbors.scarcest(left, left);
            cover.paths[cover.count++] = find_path(neighbors, start, left);
        }
        if (best.count == 0 || cover.count < best.count) best = cover;
        if (best.count == fewest) break;
    }
    // As near to the order that they came in as strips allow.
    const auto paths = best.paths.begin();
    for (std::uint32_t i = 0; i < best.count; ++i) {
        if (paths[i].triangles[0] > paths[i].triangles[paths[i].count - 1]) paths[i].reverse(0);
    }
    std::sort(paths, paths + best.count, [](const Path& a, const Path& b) { return a.triangles[0] < b.triangles[0]; });
    return best;
}

// Turns a triangle so that its corner `first` comes first.
void lead_with(LocalTriangle& triangle, std::uint32_t first) {
    std::rotate(triangle.begin(), triangle.begin() + first, triangle.end());
}

// Which triangles vertices lead: two can be told apart by their second corners.
class Leads {
  public:
    // Whether a triangle of these first two corners would be one too many.
    [[nodiscard]] bool is_full(std::uint32_t first, std::uint32_t second) const {
        return count_[first] > 1 || (count_[first] == 1 && second_[first] == second);
    }
    void add(const LocalTriangle& triangle) {
        ++count_[triangle[0]];
        second_[triangle[0]] = triangle[1];
    }

  private:
    std::array<std::uint8_t, kSubletSize> count_{};
    std::array<std::uint8_t, kSubletSize> second_{};
};

}  // namespace

void order_as_strips(std::span<LocalTriangle> triangles, std::span<std::uint32_t> vertices) {
    const auto count = static_cast<std::uint32_t>(triangles.size());
    const Neighbors neighbors(triangles);
    const Cover cover = find_cover(neighbors, count == 32 ? ~0U : (1U << count) - 1U);
    std::array<LocalTriangle, kSubletSize> ordered;
    std::uint32_t done = 0;
    std::array<std::uint8_t, kSubletSize> number{};
    number.fill(0xff);
    std::uint32_t numbered = 0;
    const auto use = [&](std::uint32_t vertex) {
        if (number[vertex] == 0xff) number[vertex] = static_cast<std::uint8_t>(numbered++);
    };
    Leads leads;
    for (std::uint32_t p = 0; p < cover.count; ++p) {
        const Path& path = cover.paths[p];
        for (std::uint32_t i = 0; i < path.count; ++i) {
            LocalTriangle t = triangles[path.triangles[i]];
            if (i == 0) {
                // The corner that leads is of the edge to the next triangle, and so is the one before it.
                const std::uint32_t apart = path.count > 1 ? corner_not_in(t, triangles[path.triangles[1]]) : 0;
                lead_with(t, (apart + 2) % 3);
                use(t[1]);
                use(t[2]);
            } else {
                lead_with(t, corner_not_in(t, triangles[path.triangles[i - 1]]));
            }
            const std::uint8_t added = t[0];
            if (i > 0 && number[added] != 0xff && leads.is_full(t[0], t[1])) {
                LocalTriangle other = t;
                for (std::uint32_t turn = 1; turn < 3; ++turn) {
                    lead_with(other, 1);
                    if (leads.is_full(other[0], other[1])) continue;
                    t = other;
                    break;
                }
            }
            use(added);
            leads.add(t);
            ordered[done++] = t;
        }
    }
    for (std::uint32_t v = 0; v < vertices.size(); ++v) use(v);
    std::array<std::uint32_t, kSubletSize> renumbered;
    for (std::uint32_t v = 0; v < vertices.size(); ++v) renumbered[number[v]] = vertices[v];
    std::copy_n(renumbered.begin(), vertices.size(), vertices.begin());
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) triangles[i][k] = number[ordered[i][k]];
    }
}

}  // namespace sublet::mesh
