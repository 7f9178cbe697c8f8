#include "mesh/lod_error.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mesh/lod_normals.h"
#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// The error of a group is a distance. Of the finest surface, and of what it became, no more than these shares lie
// farther from the other than so many times the error. (A pixel of error so leaves 99.9 % of the pixels within one and
// a half, and all within four: few groups of a picture are as far off as they may be.)
struct Allowed {
    double share;
    float times;
};
constexpr std::array kAllowed{Allowed{0.02, 1.0F}, Allowed{0.001, 1.5F}, Allowed{0.0, 4.0F}};
// Texture coordinates and colours count by how far they are shifted on the surface: all but this share no farther than
// the error. (Beside a seam nearest points have the texture's other side.)
constexpr double kShiftedBeyond = 0.1;
constexpr float kSameValue = 2.5F;  // of their integers: rounding
// Where a view covers more or less than the finest meshlets do by more than this share, the error is such that the
// difference is a square of that side: a distance does not say what loose and thin parts cover.
constexpr double kSameCover = 0.02;

// Points of what a group was simplified to.
constexpr std::size_t most_result_samples(std::uint32_t level) {
    return level < kCoarseLevel ? 128 : 768;
}

float worst(std::vector<MeasuredDistance>& distances) {
    float error = 0.0F;
    for (const auto& [share, times] : kAllowed) error = std::max(error, distance_beyond(distances, share) / times);
    return error;
}

// How far attributes that a sample has lie from it on the surface of a triangle, by how fast they change around it.
float shift_of(const AttributeReader& attributes, const Sample& sample, const GroupTriangle& triangle,
               const Point& weights) {
    if (triangle.mesh != sample.mesh) return 0.0F;
    const AttributeReader::Values values = attributes.at(triangle.mesh, triangle.vertices, weights);
    float most = 0.0F;
    for (std::size_t a = 0; a < kMeasuredAttributes; ++a) {
        const Point step = minus(values[a], sample.values[a]);
        const float difference = std::sqrt(dot(step, step));
        if (difference > kSameValue) most = std::max(most, difference * sample.distance_per_value[a]);
    }
    return most;
}

// What is covered of the picture, over what the finest surface covers, after all that was simplified. Raises the error
// where that is too much or too little.
void cover(GroupBefore& before, const IndexedFaces& after, std::span<const Corners> surface, MeasuredGroup& out) {
    const Coverage now = projected_areas(surface);
    bool same = true;
    for (std::size_t i = 0; i < kCoverageViews; ++i) {
        out.covered[i] = before.projected[i] > 0.0 ? before.covered[i] * now[i] / before.projected[i] : 1.0;
        same = same && std::abs(out.covered[i] - 1.0) <= kSameCover;
    }
    if (same) return;
    // What hides itself covers less than the sum of its parts, and loose parts are too small for a picture of few
    // pixels: the better of both counts. Far levels, where little is left, look at all views, so that what was missed
    // does not add up.
    CoveredArea& pictures = covered_area(before);
    for (std::size_t i = 0; i < kCoverageViews; ++i) {
        double& covered = out.covered[i];
        if (before.level < kCoarseLevel && std::abs(covered - 1.0) <= kSameCover) continue;
        const double seen = before.covered[i] * pictures.ratio(i, after);
        if (std::abs(seen - 1.0) < std::abs(covered - 1.0)) covered = seen;
        const double other = std::abs(covered - 1.0);
        if (other <= kSameCover) continue;
        out.error = std::max(out.error, static_cast<float>(std::sqrt(other * pictures.area(i))));
    }
}

}  // namespace

CoveredArea& covered_area(GroupBefore& group) {
    if (!group.covered_area) group.covered_area.emplace(IndexedFaces{group.mesh.points, group.faces});
    return *group.covered_area;
}

LodError::LodError(const LodVertices& vertices, const AttributeReader& attributes,
                   std::span<const GroupTriangle> finest, std::span<const std::uint32_t> runs)
    : attributes_(&attributes), finest_(vertices.corners(finest), runs), a_triangle_(vertices.position_count()) {
    for (std::uint32_t i = 0; i < finest.size(); ++i) {
        for (const std::uint32_t v : finest[i].vertices) a_triangle_[vertices.position(finest[i].mesh, v)] = i;
    }
}

MeasuredGroup LodError::measure(GroupBefore& before, const GroupAfter& after) const {
    MeasuredGroup out;
    const IndexedGroup& group = before.mesh;
    const std::vector<Corners> corners = corners_of(after.faces.points, after.faces.faces);
    const Surface surface(corners);
    std::vector<MeasuredDistance> distances;
    std::vector<MeasuredDistance> shifts;
    std::vector<NormalChange> normals;
    out.nearest.reserve(before.samples.size());
    distances.reserve(before.samples.size());
    for (const Sample& sample : before.samples) {
        const NearestTriangle found =
            surface.nearest(sample.at, out.nearest.empty() ? 0 : out.nearest.back(), before.least * before.least);
        out.nearest.push_back(found.triangle);
        distances.push_back({std::sqrt(found.squared), sample.area});
        const GroupTriangle triangle = group.named(after.triangles[found.triangle]);
        const Point weights = weights_at(sample.at, corners[found.triangle]);
        if (sample.area > 0.0F && attributes_->has_normals(sample.mesh) && triangle.mesh == sample.mesh) {
            const Point normal = attributes_->normal_at(triangle.mesh, triangle.vertices, weights);
            normals.push_back({sample.at, minus(normal, sample.normal), sample.area});
        }
        if (!attributes_->any()) continue;
        const float shift = shift_of(*attributes_, sample, triangle, weights);
        shifts.push_back({std::min(shift, before.radius), sample.area});
    }
    float error = std::max({before.least, worst(distances), distance_beyond(shifts, kShiftedBeyond)});
    distances.clear();
    for (const Place& place : spread_places(corners, std::min(4 * corners.size(), most_result_samples(before.level)))) {
        const Triangle& face = after.faces.faces[place.triangle];
        const Point p = point_in(corners[place.triangle], place.weights);
        const auto corner = std::max_element(place.weights.begin(), place.weights.end()) - place.weights.begin();
        const std::uint32_t near = a_triangle_[group.positions[face[static_cast<std::size_t>(corner)]]];
        distances.push_back({std::sqrt(finest_.nearest(p, near, error * error).squared), 1.0F});
    }
    error = std::max(error, worst(distances));
    // A spike is seldom a sample: every place that a vertex was simplified away from lies near enough.
    constexpr float kFarthest = kAllowed.back().times;
    std::uint32_t hint = 0;
    std::vector<char> kept(group.positions.size());
    for (const Triangle& face : after.faces.faces) kept[face[0]] = kept[face[1]] = kept[face[2]] = 1;
    for (const std::uint32_t position : group.places) {
        if (kept[position] != 0) continue;
        const float enough = kFarthest * error;
        const NearestTriangle found = surface.nearest(group.points[position], hint, enough * enough);
        hint = found.triangle;
        error = std::max(error, std::sqrt(found.squared) / kFarthest);
    }
    out.error = error_of_normals(normals, error, before.radius);
    cover(before, after.faces, corners, out);
    return out;
}

}  // namespace sublet::mesh
