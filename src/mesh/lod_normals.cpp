#include "mesh/lod_normals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// Parts of so many errors may have other normals, by this much at most: the root of the mean square.
constexpr float kErrorsWide = 8.0F;
constexpr double kSameNormals = 0.2;
constexpr float kStep = 1.25F;  // from one error that is tried to the next

using Box = std::pair<std::uint64_t, std::uint32_t>;  // where, and a change in it

// How much the mean normals of boxes with this side changed.
double mean_change(std::span<const NormalChange> changes, float side, std::vector<Box>& boxes) {
    // Coordinates are integers of kMostPositionBits bits, and a side is 1 at least: numbers of boxes have as many.
    constexpr float kOffset = 32768.0F;
    constexpr std::int64_t kFirst = (std::int64_t{1} << (kMostPositionBits - 1)) - 32768;
    boxes.clear();
    for (std::uint32_t i = 0; i < changes.size(); ++i) {
        std::uint64_t box = 0;
        for (const float x : changes[i].at) {
            const auto along = static_cast<std::int64_t>(std::floor((x + kOffset) / side));
            box = box << kMostPositionBits | static_cast<std::uint64_t>(along + kFirst);
        }
        boxes.emplace_back(box, i);
    }
    std::sort(boxes.begin(), boxes.end());
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t i = 0; i < boxes.size();) {
        Point by{};
        float area = 0.0F;
        for (const std::uint64_t box = boxes[i].first; i < boxes.size() && boxes[i].first == box; ++i) {
            const NormalChange& change = changes[boxes[i].second];
            for (std::size_t k = 0; k < 3; ++k) by[k] += change.area * change.by[k];
            area += change.area;
        }
        sum += static_cast<double>(dot(by, by) / area);
        total += static_cast<double>(area);
    }
    return total > 0.0 ? std::sqrt(sum / total) : 0.0;
}

}  // namespace

float error_of_normals(std::span<const NormalChange> changes, float error, float radius) {
    std::vector<Box> boxes;
    // Of a flat surface the error is nothing, or next to it: boxes have a grid unit at least.
    const float first = std::max(error, 1.0F / kErrorsWide);
    float tried = first;
    while (kErrorsWide * tried < radius && mean_change(changes, kErrorsWide * tried, boxes) > kSameNormals) {
        tried *= kStep;
    }
    return tried > first ? tried : error;
}

}  // namespace sublet::mesh
