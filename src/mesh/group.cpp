#include "mesh/group.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

#include "mesh/parallel.h"
#include "shaders/shared/mesh_format.h"

namespace sublet::mesh {
namespace {

using shared::kSubletsPerMeshlet;

// How much normals weigh against positions: of features in which a meshlet's typical radius is 1.
constexpr float kNormalWeight = 1.5F;

// Sublets whose meshlets exchange members: the work for each is bounded, and threads share them out.
constexpr std::size_t kBlockSublets = 1024;
constexpr std::size_t kNeighborGroups = 6;
constexpr int kPasses = 4;

constexpr std::size_t kDimensions = 6;
using Feature = std::array<float, kDimensions>;

// Position and normal as one point, so that groups of small spread are compact and face one way.
std::vector<Feature> make_features(std::span<const SubletShape> shapes) {
    double area = 0.0;
    for (const SubletShape& shape : shapes) area += static_cast<double>(shape.area);
    const double radius = std::sqrt(area / static_cast<double>(shapes.size()) * kSubletsPerMeshlet / std::numbers::pi);
    const auto scale = static_cast<float>(radius > 0.0 ? 1.0 / radius : 1.0);
    std::vector<Feature> features;
    features.reserve(shapes.size());
    for (const SubletShape& s : shapes) {
        features.push_back({s.center[0] * scale, s.center[1] * scale, s.center[2] * scale, s.normal[0] * kNormalWeight,
                            s.normal[1] * kNormalWeight, s.normal[2] * kNormalWeight});
    }
    return features;
}

// The direction in which the features of `ids` vary most, by power iteration on their covariance.
Feature principal_axis(std::span<const std::uint32_t> ids, const std::vector<Feature>& features) {
    std::array<double, kDimensions> mean{};
    for (const std::uint32_t id : ids) {
        for (std::size_t k = 0; k < kDimensions; ++k) mean[k] += static_cast<double>(features[id][k]);
    }
    for (double& m : mean) m /= static_cast<double>(ids.size());
    std::array<std::array<double, kDimensions>, kDimensions> covariance{};
    for (const std::uint32_t id : ids) {
        std::array<double, kDimensions> d{};
        for (std::size_t k = 0; k < kDimensions; ++k) d[k] = static_cast<double>(features[id][k]) - mean[k];
        for (std::size_t a = 0; a < kDimensions; ++a) {
            for (std::size_t b = a; b < kDimensions; ++b) covariance[a][b] += d[a] * d[b];
        }
    }
    std::size_t widest = 0;
    for (std::size_t a = 0; a < kDimensions; ++a) {
        if (covariance[a][a] > covariance[widest][widest]) widest = a;
        for (std::size_t b = 0; b < a; ++b) covariance[a][b] = covariance[b][a];
    }
    std::array<double, kDimensions> axis = covariance[widest];
    for (int round = 0; round < 16; ++round) {
        std::array<double, kDimensions> next{};
        double squared = 0.0;
        for (std::size_t a = 0; a < kDimensions; ++a) {
            for (std::size_t b = 0; b < kDimensions; ++b) next[a] += covariance[a][b] * axis[b];
            squared += next[a] * next[a];
        }
        if (!(squared > 0.0)) break;
        const double inverse = 1.0 / std::sqrt(squared);
        for (std::size_t k = 0; k < kDimensions; ++k) axis[k] = next[k] * inverse;
    }
    Feature result{};
    for (std::size_t k = 0; k < kDimensions; ++k) result[k] = static_cast<float>(axis[k]);
    return result;
}

struct OrderRange {
    std::size_t begin;
    std::size_t end;
};

// Splits a range of `order` across its principal axis, at a multiple of eight; returns where.
std::size_t split(std::vector<std::uint32_t>& order, const OrderRange& range, const std::vector<Feature>& features) {
    const std::span ids(order.data() + range.begin, range.end - range.begin);
    const Feature axis = principal_axis(ids, features);
    std::vector<std::pair<float, std::uint32_t>> keys;
    keys.reserve(ids.size());
    for (const std::uint32_t id : ids)
        keys.emplace_back(std::inner_product(axis.begin(), axis.end(), features[id].begin(), 0.0F), id);
    const std::size_t groups = (ids.size() + kSubletsPerMeshlet - 1) / kSubletsPerMeshlet;
    const std::size_t middle = groups / 2 * kSubletsPerMeshlet;
    // Pairs are distinct: the halves are the same sets everywhere.
    std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(middle), keys.end());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = keys[i].second;
    return range.begin + middle;
}

// Exchanges members between neighbouring groups of eight while that lessens the sum of squared distances to their
// means.
class Refiner {
  public:
    Refiner(std::span<std::uint32_t> order, const std::vector<Feature>& features)
        : order_(order),
          group_count_((order.size() + kSubletsPerMeshlet - 1) / kSubletsPerMeshlet),
          sums_(group_count_) {
        points_.reserve(order.size());
        for (const std::uint32_t id : order_) points_.push_back(features[id]);
        for (std::size_t i = 0; i < points_.size(); ++i) {
            for (std::size_t k = 0; k < kDimensions; ++k) sums_[i / kSubletsPerMeshlet][k] += points_[i][k];
        }
    }

    void run() {
        // Means move too little to make new neighbours.
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t a = 0; a < group_count_; ++a) add_neighbors(a, pairs);
        std::ranges::sort(pairs);
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (int pass = 0; pass < kPasses; ++pass) {
            bool improved = false;
            for (const auto& [a, b] : pairs) improved = exchange(a, b) || improved;
            if (!improved) break;
        }
    }

  private:
    std::size_t size(std::size_t group) const {
        return std::min<std::size_t>(kSubletsPerMeshlet, order_.size() - group * kSubletsPerMeshlet);
    }

    Feature mean(std::size_t group) const {
        Feature m = sums_[group];
        for (float& x : m) x /= static_cast<float>(size(group));
        return m;
    }

    // Pairs of this group with those of the nearest means, the lower number first.
    void add_neighbors(std::size_t group, std::vector<std::pair<std::size_t, std::size_t>>& pairs) const {
        const Feature center = mean(group);
        std::vector<std::pair<float, std::size_t>> found;
        found.reserve(group_count_);
        for (std::size_t other = 0; other < group_count_; ++other) {
            if (other == group) continue;
            const Feature m = mean(other);
            float squared = 0.0F;
            for (std::size_t k = 0; k < kDimensions; ++k) squared += (m[k] - center[k]) * (m[k] - center[k]);
            found.emplace_back(squared, other);
        }
        const std::size_t count = std::min(kNeighborGroups, found.size());
        std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
        for (std::size_t i = 0; i < count; ++i) {
            pairs.emplace_back(std::min(group, found[i].second), std::max(group, found[i].second));
        }
    }

    // The best exchanges of one member each between two groups, as long as there are any.
    bool exchange(std::size_t a, std::size_t b) {
        bool improved = false;
        for (int round = 0; round < 4; ++round) {
            const std::size_t count_a = size(a);
            const std::size_t count_b = size(b);
            const float inverse_a = 1.0F / static_cast<float>(count_a);
            const float inverse_b = 1.0F / static_cast<float>(count_b);
            // With S the sum and n the size of a group, its spread is sum |x|^2 - |S|^2 / n. Exchanging x for y changes
            // it, over both groups, by -(2 <Sa, d> + |d|^2) / na - (-2 <Sb, d> + |d|^2) / nb, where d = y - x.
            Feature direction{};
            for (std::size_t k = 0; k < kDimensions; ++k) {
                direction[k] = 2.0F * (sums_[a][k] * inverse_a - sums_[b][k] * inverse_b);
            }
            float best = 1e-5F;
            std::size_t best_a = 0;
            std::size_t best_b = 0;
            for (std::size_t i = 0; i < count_a; ++i) {
                const Feature& x = points_[a * kSubletsPerMeshlet + i];
                for (std::size_t j = 0; j < count_b; ++j) {
                    const Feature& y = points_[b * kSubletsPerMeshlet + j];
                    float along = 0.0F;
                    float squared = 0.0F;
                    for (std::size_t k = 0; k < kDimensions; ++k) {
                        const float d = y[k] - x[k];
                        along += direction[k] * d;
                        squared += d * d;
                    }
                    const float gain = along + squared * (inverse_a + inverse_b);
                    if (gain > best) {
                        best = gain;
                        best_a = a * kSubletsPerMeshlet + i;
                        best_b = b * kSubletsPerMeshlet + j;
                    }
                }
            }
            if (best_a == best_b) break;
            for (std::size_t k = 0; k < kDimensions; ++k) {
                const float d = points_[best_b][k] - points_[best_a][k];
                sums_[a][k] += d;
                sums_[b][k] -= d;
            }
            std::swap(points_[best_a], points_[best_b]);
            std::swap(order_[best_a], order_[best_b]);
            improved = true;
        }
        return improved;
    }

    std::span<std::uint32_t> order_;
    std::size_t group_count_;
    std::vector<Feature> points_;  // in the order of order_
    std::vector<Feature> sums_;    // of each group
};

}  // namespace

std::vector<std::uint32_t> group_sublets(std::span<const SubletShape> shapes, ThreadPool* pool) {
    std::vector<std::uint32_t> order(shapes.size());
    std::iota(order.begin(), order.end(), 0U);
    if (shapes.size() <= kSubletsPerMeshlet) return order;
    const std::vector<Feature> features = make_features(shapes);

    std::vector<OrderRange> ranges{{0, order.size()}};
    std::vector<OrderRange> blocks;
    while (!ranges.empty()) {
        std::vector<std::size_t> middles(ranges.size());
        for_ranges(pool, ranges.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = begin; r < end; ++r) middles[r] = split(order, ranges[r], features);
        });
        std::vector<OrderRange> halves;
        for (std::size_t r = 0; r < ranges.size(); ++r) {
            for (const OrderRange& half :
                 {OrderRange{ranges[r].begin, middles[r]}, OrderRange{middles[r], ranges[r].end}}) {
                const std::size_t size = half.end - half.begin;
                const bool whole_was_large = ranges[r].end - ranges[r].begin > kBlockSublets;
                if (size <= kBlockSublets && whole_was_large) blocks.push_back(half);
                if (size > kSubletsPerMeshlet) halves.push_back(half);
            }
        }
        ranges = std::move(halves);
    }
    if (blocks.empty()) blocks.push_back({0, order.size()});

    for_ranges(pool, blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            Refiner(std::span(order).subspan(blocks[b].begin, blocks[b].end - blocks[b].begin), features).run();
        }
    });
    return order;
}

}  // namespace sublet::mesh
