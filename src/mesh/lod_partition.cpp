#include "mesh/lod_partition.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace sublet::mesh {
namespace {

constexpr std::uint32_t kNone = ~0U;
// Meshlets around one position that count as neighbours: a fan's centre may have thousands.
constexpr std::size_t kMostAround = 16;
constexpr int kExchanges = 4;  // passes

// An undirected edge between two parts, the lower one first, and how many positions they share.
struct Edge {
    std::uint32_t a = 0, b = 0, weight = 0;
};

// Sums the weights of equal edges; sorts them by their ends.
void merge_equal(std::vector<Edge>& edges) {
    std::sort(edges.begin(), edges.end(),
              [](const Edge& x, const Edge& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (kept > 0 && edges[kept - 1].a == edges[i].a && edges[kept - 1].b == edges[i].b) {
            edges[kept - 1].weight += edges[i].weight;
        } else {
            edges[kept++] = edges[i];
        }
    }
    edges.resize(kept);
}

std::vector<Edge> edges_between(std::span<const Neighbor> meshlets) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;  // position, meshlet
    for (std::uint32_t m = 0; m < meshlets.size(); ++m) {
        for (const std::uint32_t position : meshlets[m].positions) uses.emplace_back(position, m);
    }
    std::sort(uses.begin(), uses.end());
    std::vector<Edge> edges;
    for (std::size_t begin = 0; begin < uses.size();) {
        std::size_t end = begin;
        while (end < uses.size() && uses[end].first == uses[begin].first) ++end;
        const std::size_t last = std::min(end, begin + kMostAround);
        for (std::size_t i = begin; i < last; ++i) {
            for (std::size_t j = i + 1; j < last; ++j) edges.push_back({uses[i].second, uses[j].second, 1});
        }
        begin = end;
    }
    merge_equal(edges);
    return edges;
}

// The edges of each part, from both of its ends.
class Adjacency {
  public:
    Adjacency(std::span<const Edge> edges, std::size_t parts) : begin_(parts + 1) {
        for (const Edge& e : edges) {
            ++begin_[e.a + 1];
            ++begin_[e.b + 1];
        }
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        to_.resize(2 * edges.size());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (const Edge& e : edges) {
            to_[next[e.a]++] = {e.b, e.weight};
            to_[next[e.b]++] = {e.a, e.weight};
        }
    }
    using Link = std::pair<std::uint32_t, std::uint32_t>;  // other part, weight
    [[nodiscard]] std::span<const Link> of(std::uint32_t part) const {
        return std::span(to_).subspan(begin_[part], begin_[part + 1] - begin_[part]);
    }

  private:
    std::vector<std::size_t> begin_;
    std::vector<Link> to_;
};

// Parts that are joined again and again, each with how many meshlets it holds.
class Parts {
  public:
    explicit Parts(std::size_t count) : part_of_(count), sizes_(count, 1) {
        std::iota(part_of_.begin(), part_of_.end(), 0U);
    }

    [[nodiscard]] std::uint32_t size(std::uint32_t part) const { return sizes_[part]; }
    [[nodiscard]] std::size_t count() const { return sizes_.size(); }
    [[nodiscard]] const std::vector<std::uint32_t>& part_of() const { return part_of_; }

    // Part p becomes a part of into[p] (itself or another that stays); numbers close up, and edges follow.
    void join(const std::vector<std::uint32_t>& into, std::vector<Edge>& edges) {
        std::vector<std::uint32_t> number(sizes_.size(), kNone);
        std::vector<std::uint32_t> sizes;
        for (std::uint32_t p = 0; p < sizes_.size(); ++p) {
            std::uint32_t& n = number[into[p]];
            if (n == kNone) {
                n = static_cast<std::uint32_t>(sizes.size());
                sizes.push_back(0);
            }
            sizes[n] += sizes_[p];
        }
        for (std::uint32_t& part : part_of_) part = number[into[part]];
        std::vector<Edge> kept;
        for (const Edge& e : edges) {
            const std::uint32_t a = number[into[e.a]];
            const std::uint32_t b = number[into[e.b]];
            if (a != b) kept.push_back({std::min(a, b), std::max(a, b), e.weight});
        }
        merge_equal(kept);
        edges = std::move(kept);
        sizes_ = std::move(sizes);
    }

  private:
    std::vector<std::uint32_t> part_of_;  // of each meshlet
    std::vector<std::uint32_t> sizes_;    // of each part
};

// Joins parts in pairs, those first that share the most for their sizes, where both together hold no more than `most`.
bool match(Parts& parts, std::vector<Edge>& edges, std::uint32_t most) {
    struct Candidate {
        float score;
        std::uint32_t edge;
    };
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
        const Edge& e = edges[i];
        const std::uint32_t together = parts.size(e.a) + parts.size(e.b);
        if (together > most) continue;
        candidates.push_back({static_cast<float>(e.weight) / static_cast<float>(together), i});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
        return x.score != y.score ? x.score > y.score : x.edge < y.edge;
    });
    std::vector<std::uint32_t> into(parts.count());
    std::iota(into.begin(), into.end(), 0U);
    std::vector<char> taken(parts.count());
    bool joined = false;
    for (const Candidate& candidate : candidates) {
        const Edge& e = edges[candidate.edge];
        if (taken[e.a] != 0 || taken[e.b] != 0) continue;
        taken[e.a] = taken[e.b] = 1;
        into[e.b] = e.a;
        joined = true;
    }
    if (joined) parts.join(into, edges);
    return joined;
}

// Joins what has no neighbours with others that have none, in the order in which they lie along a curve.
void join_islands(Parts& parts, std::vector<Edge>& edges, std::span<const Neighbor> meshlets, std::uint32_t size) {
    std::vector<char> has_neighbor(parts.count());
    for (const Edge& e : edges) has_neighbor[e.a] = has_neighbor[e.b] = 1;
    std::array<float, 3> least{};
    std::array<float, 3> most{};
    for (std::size_t m = 0; m < meshlets.size(); ++m) {
        for (std::size_t k = 0; k < 3; ++k) {
            least[k] = m == 0 ? meshlets[m].center[k] : std::min(least[k], meshlets[m].center[k]);
            most[k] = m == 0 ? meshlets[m].center[k] : std::max(most[k], meshlets[m].center[k]);
        }
    }
    const float extent = std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2], 1e-30F});
    std::vector<std::pair<std::uint64_t, std::uint32_t>> islands;  // along the curve of Morton
    std::vector<char> listed(parts.count());
    for (std::size_t m = 0; m < meshlets.size(); ++m) {
        const std::uint32_t part = parts.part_of()[m];
        if (has_neighbor[part] != 0 || parts.size(part) >= size || listed[part] != 0) continue;
        listed[part] = 1;
        std::uint64_t code = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto cell = static_cast<std::uint64_t>((meshlets[m].center[k] - least[k]) / extent * 1023.0F);
            for (unsigned bit = 0; bit < 10; ++bit) code |= (cell >> bit & 1U) << (3 * bit + k);
        }
        islands.emplace_back(code, part);
    }
    std::sort(islands.begin(), islands.end());
    std::vector<std::uint32_t> into(parts.count());
    std::iota(into.begin(), into.end(), 0U);
    std::uint32_t first = 0;
    std::uint32_t together = size;
    for (const auto& [code, part] : islands) {
        if (together + parts.size(part) > size) {
            first = part;
            together = 0;
        }
        together += parts.size(part);
        into[part] = first;
    }
    parts.join(into, edges);
}

}  // namespace

std::vector<std::uint32_t> partition_meshlets(std::span<const Neighbor> meshlets, std::uint32_t size) {
    const std::vector<Edge> all = edges_between(meshlets);
    std::vector<Edge> edges = all;
    Parts parts(meshlets.size());
    for (std::uint32_t most = 2; most < 2 * size; most *= 2) {
        while (match(parts, edges, std::min(most, size))) {
        }
    }
    // What stayed small goes to a neighbour, beyond its size if it must.
    for (const std::uint32_t most : {size + size / 4, size + size / 2}) {
        std::vector<std::uint32_t> into(parts.count());
        std::iota(into.begin(), into.end(), 0U);
        std::vector<std::uint32_t> sizes(parts.count());
        for (std::uint32_t p = 0; p < parts.count(); ++p) sizes[p] = parts.size(p);
        const Adjacency adjacency(edges, parts.count());
        std::vector<char> fixed(parts.count());
        for (std::uint32_t p = 0; p < parts.count(); ++p) {
            if (parts.size(p) > size / 2 || fixed[p] != 0) continue;
            std::uint32_t best = kNone;
            std::uint32_t shared = 0;
            for (const auto& [other, weight] : adjacency.of(p)) {
                if (into[other] != other || sizes[other] + parts.size(p) > most || weight <= shared) continue;
                best = other;
                shared = weight;
            }
            if (best == kNone) continue;
            into[p] = best;
            sizes[best] += parts.size(p);
            fixed[best] = 1;
        }
        parts.join(into, edges);
    }
    join_islands(parts, edges, meshlets, size);

    // Meshlets change to a group with which they share more.
    std::vector<std::uint32_t> group = parts.part_of();
    std::vector<std::uint32_t> sizes(parts.count());
    for (const std::uint32_t g : group) ++sizes[g];
    const Adjacency adjacency(all, meshlets.size());
    std::vector<std::uint32_t> weights(parts.count());
    for (int pass = 0; pass < kExchanges; ++pass) {
        bool moved = false;
        for (std::uint32_t m = 0; m < meshlets.size(); ++m) {
            const std::uint32_t own = group[m];
            if (sizes[own] <= size / 2 + 1) continue;
            std::uint32_t best = own;
            for (const auto& [other, weight] : adjacency.of(m)) weights[group[other]] += weight;
            for (const auto& [other, weight] : adjacency.of(m)) {
                const std::uint32_t g = group[other];
                if (g != own && sizes[g] >= size + size / 4) continue;
                if (weights[g] > weights[best] || (weights[g] == weights[best] && g < best && best != own)) best = g;
            }
            for (const auto& [other, weight] : adjacency.of(m)) weights[group[other]] = 0;
            if (best == own) continue;
            --sizes[own];
            ++sizes[best];
            group[m] = best;
            moved = true;
        }
        if (!moved) break;
    }
    std::vector<std::uint32_t> number(parts.count(), kNone);
    std::uint32_t numbers = 0;
    for (std::uint32_t& g : group) {
        if (number[g] == kNone) number[g] = numbers++;
        g = number[g];
    }
    return group;
}

}  // namespace sublet::mesh
