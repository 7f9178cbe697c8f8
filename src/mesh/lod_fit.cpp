#include "mesh/lod_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// Of what the finest surface is away from a corner, the share that it moves by. Around a ball the whole would keep the
// volume, and cover too much: edges stand out where a view ends.
constexpr float kShare = 0.6F;
// Another share is found where this one covers more or less than the finest surface does, by more than so much.
constexpr double kCoverNoise = 0.005;
constexpr float kShareStep = 0.5F, kMostShare = 1.5F;

struct Corner {
    bool free = false;
    GridPoint at{}, min{}, max{};      // where it is, and may be
    Point normal{};                    // unit length, or nothing
    float away = 0.0F, weight = 0.0F;  // sums of the samples around it
};

float length(const Point& v) {
    return std::sqrt(dot(v, v));
}

class Fit {
  public:
    Fit(const LodVertices& vertices, const GroupBefore& before, std::span<const Triangle> triangles,
        std::span<const Triangle> faces, std::span<const char> free)
        : group_(before.mesh), faces_(faces), surface_(corners_of(group_.points, faces)) {
        find_corners(vertices, triangles, free);
        find_normals();
        measure(before.samples);
    }

    // The corners moved by so much of what they are away.
    [[nodiscard]] std::vector<MovedPosition> moved(float share) const {
        std::vector<MovedPosition> out;
        std::vector<char> stays(corners_.size());
        for (bool again = true; again;) {
            again = false;
            out.clear();
            std::vector<Point> now;
            for (std::size_t c = 0; c < corners_.size(); ++c) {
                const Corner& corner = corners_[c];
                const GridPoint to = stays[c] != 0 ? corner.at : place(corner, share);
                now.push_back({static_cast<float>(to[0]), static_cast<float>(to[1]), static_cast<float>(to[2])});
                if (to != corner.at) out.push_back({group_.positions[c], to});
            }
            for (std::size_t t = 0; t < faces_.size(); ++t) {
                const auto& [a, b, c] = faces_[t];
                if (stays[a] != 0 && stays[b] != 0 && stays[c] != 0) continue;
                if (!turns({now[a], now[b], now[c]}, surface_[t])) continue;
                again = true;
                stays[a] = stays[b] = stays[c] = 1;
            }
        }
        return out;
    }

  private:
    void find_corners(const LodVertices& vertices, std::span<const Triangle> triangles, std::span<const char> free) {
        corners_.resize(group_.positions.size());
        for (std::size_t c = 0; c < corners_.size(); ++c) {
            Corner& corner = corners_[c];
            corner.free = free[c] != 0;
            corner.min.fill(INT32_MIN);
            corner.max.fill(INT32_MAX);
            for (std::size_t k = 0; k < 3; ++k) corner.at[k] = static_cast<std::int32_t>(group_.points[c][k]);
        }
        for (std::size_t t = 0; t < faces_.size(); ++t) {
            const LodVertices::Box& box = vertices.box(group_.vertices[triangles[t][0]].mesh);
            for (const std::uint32_t c : faces_[t]) {
                for (std::size_t k = 0; k < 3; ++k) {
                    corners_[c].min[k] = std::max(corners_[c].min[k], box.min[k]);
                    corners_[c].max[k] = std::min(corners_[c].max[k], box.max[k]);
                }
            }
        }
    }

    void find_normals() {
        for (std::size_t t = 0; t < faces_.size(); ++t) {
            const Point n = cross(minus(surface_[t][1], surface_[t][0]), minus(surface_[t][2], surface_[t][0]));
            for (const std::uint32_t c : faces_[t]) {
                for (std::size_t k = 0; k < 3; ++k) corners_[c].normal[k] += n[k];
            }
        }
        for (Corner& corner : corners_) {
            const float size = length(corner.normal);
            for (float& x : corner.normal) x = size > 0.0F ? x / size : 0.0F;
        }
    }

    void measure(std::span<const Sample> samples) {
        const Surface surface(surface_);
        std::uint32_t hint = 0;
        for (const Sample& sample : samples) {
            hint = surface.nearest(sample.at, hint).triangle;
            const Point weights = weights_at(sample.at, surface_[hint]);
            const Point from = minus(sample.at, point_in(surface_[hint], weights));
            Point normal{};
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 3; ++k) normal[k] += weights[i] * corners_[faces_[hint][i]].normal[k];
            }
            const float size = length(normal);
            if (!(size > 0.0F)) continue;
            const float away = dot(from, normal) / size;
            for (std::size_t i = 0; i < 3; ++i) {
                Corner& corner = corners_[faces_[hint][i]];
                corner.away += sample.area * weights[i] * away;
                corner.weight += sample.area * weights[i];
            }
        }
    }

    [[nodiscard]] static GridPoint place(const Corner& corner, float share) {
        GridPoint out = corner.at;
        if (!corner.free || !(corner.weight > 0.0F)) return out;
        const float by = share * corner.away / corner.weight;
        for (std::size_t k = 0; k < 3; ++k) {
            const float x = std::round(static_cast<float>(corner.at[k]) + by * corner.normal[k]);
            out[k] = static_cast<std::int32_t>(
                std::clamp(x, static_cast<float>(corner.min[k]), static_cast<float>(corner.max[k])));
        }
        return out;
    }

    // Whether a triangle faces elsewhere than it did, by more than 60 degrees.
    static bool turns(const Corners& now, const Corners& was) {
        const Point a = cross(minus(now[1], now[0]), minus(now[2], now[0]));
        const Point b = cross(minus(was[1], was[0]), minus(was[2], was[0]));
        return !(2.0F * dot(a, b) > length(a) * length(b));
    }

    const IndexedGroup& group_;
    std::span<const Triangle> faces_;
    std::vector<Corners> surface_;
    std::vector<Corner> corners_;  // of each position of the group, those that no face has too
};

}  // namespace

std::vector<MovedPosition> fit_group(const LodVertices& vertices, GroupBefore& before,
                                     std::span<const Triangle> triangles, std::span<const char> free) {
    const std::vector<Triangle> faces = before.mesh.faces(triangles);
    const Fit fit(vertices, before, triangles, faces, free);
    const auto covered = [&](const std::vector<MovedPosition>& moved) {
        const Coverage drawn = covered_area(before).ratio({moved_points(before.mesh, moved), faces});
        double sum = 0.0;
        for (std::size_t i = 0; i < kCoverageViews; ++i) sum += before.covered[i] * drawn[i];
        return sum / static_cast<double>(kCoverageViews);
    };
    std::vector<MovedPosition> moved = fit.moved(kShare);
    const double first = covered(moved);
    if (std::abs(first - 1.0) < kCoverNoise) return moved;
    const double by_step = first - covered(fit.moved(kShare - kShareStep));
    if (!(by_step > 0.0)) return moved;
    const double share = static_cast<double>(kShare) + (1.0 - first) / by_step * static_cast<double>(kShareStep);
    return fit.moved(std::clamp(static_cast<float>(share), 0.0F, kMostShare));
}

}  // namespace sublet::mesh
