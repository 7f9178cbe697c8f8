#include "mesh/chunks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "mesh/parallel.h"

namespace sublet::mesh {
namespace {

// A triangle while it is sorted: its centroid in steps of the grid from the least corner that one can have.
struct Item {
    std::array<std::uint16_t, 3> centroid;
    std::uint32_t triangle;
};

using Key = std::array<std::uint16_t, 3>;

struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    Key least{0xffff, 0xffff, 0xffff};  // of the centroids
    Key greatest{};

    void add(const Item& item) {
        for (std::size_t k = 0; k < 3; ++k) {
            least[k] = std::min(least[k], item.centroid[k]);
            greatest[k] = std::max(greatest[k], item.centroid[k]);
        }
    }
};

// Moves the items of a range to `out`, the nearer half along the longest axis first.
std::pair<Range, Range> halve(std::span<const Item> items, std::span<Item> out, const Range& range) {
    const Key& least = range.least;
    const Key& greatest = range.greatest;
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        if (greatest[k] - least[k] > greatest[axis] - least[axis]) axis = k;
    }

    // The median by a histogram: exact to 1/512 of the extent or better, and triangles of one place stay together,
    // unless they are too many.
    constexpr std::uint32_t kBins = 1024;
    const auto extent = static_cast<std::uint32_t>(greatest[axis] - least[axis]);
    const int shift = std::max(0, static_cast<int>(std::bit_width(extent)) - 10);
    const auto bin_of = [&](const Item& item) {
        return static_cast<std::uint32_t>(item.centroid[axis] - least[axis]) >> shift;
    };
    std::array<std::uint32_t, kBins> bins{};
    for (std::uint32_t i = range.begin; i < range.end; ++i) ++bins[bin_of(items[i])];
    const std::uint32_t count = range.end - range.begin;
    std::uint32_t split = 0;
    std::uint32_t before = 0;  // items in bins below `split`
    while (before + bins[split] / 2 < count / 2) before += bins[split++];

    // One bin may hold too much: then by order of arrival.
    const bool by_order = before < count / 4 || before > count - count / 4;
    if (by_order) before = count / 2;
    Range low{range.begin, range.begin, {0xffff, 0xffff, 0xffff}, {}};
    Range high{range.begin + before, range.begin + before, {0xffff, 0xffff, 0xffff}, {}};
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        Range& half = (by_order ? i < range.begin + before : bin_of(items[i]) < split) ? low : high;
        out[half.end++] = items[i];
        half.add(items[i]);
    }
    return {low, high};
}

}  // namespace

Chunks split_into_chunks(std::span<const Triangle> triangles, const VertexTable& vertices, std::uint32_t limit,
                         ThreadPool* pool) {
    const auto count = static_cast<std::uint32_t>(triangles.size());
    std::vector<Item> items(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::array<std::int32_t, 3> sum{};
            for (const std::uint32_t vertex : triangles[i]) {
                const std::array<std::int16_t, 3> p = vertices.position(vertex);
                for (std::size_t k = 0; k < 3; ++k) sum[k] += p[k];
            }
            for (std::size_t k = 0; k < 3; ++k) {
                items[i].centroid[k] = static_cast<std::uint16_t>((sum[k] + 3 * 32768) / 3);
            }
            items[i].triangle = static_cast<std::uint32_t>(i);
        }
    });

    std::vector<Range> ranges(1);
    ranges[0].end = count;
    for (const Item& item : items) ranges[0].add(item);
    std::vector<Item> other(count > limit ? count : 0);
    while (std::ranges::any_of(ranges, [&](const Range& r) { return r.end - r.begin > limit; })) {
        std::vector<std::pair<Range, Range>> halves(ranges.size());
        for_ranges(pool, ranges.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = begin; r < end; ++r) {
                const Range& range = ranges[r];
                if (range.end - range.begin > limit) {
                    halves[r] = halve(items, other, range);
                } else {
                    std::copy(items.begin() + range.begin, items.begin() + range.end, other.begin() + range.begin);
                    halves[r].first = range;
                }
            }
        });
        items.swap(other);
        ranges.clear();
        for (const auto& [low, high] : halves) {
            ranges.push_back(low);
            if (high.begin < high.end) ranges.push_back(high);
        }
    }

    Chunks chunks;
    chunks.order.resize(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) chunks.order[i] = items[i].triangle;
    });
    for (const Range& range : ranges) chunks.ends.push_back(range.end);
    return chunks;
}

}  // namespace sublet::mesh
