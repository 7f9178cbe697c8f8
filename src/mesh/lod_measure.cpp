#include "mesh/lod_measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/mesh.h"
#include "mesh/stream.h"
#include "mesh/vec3.h"

namespace sublet::mesh {

AttributeReader::AttributeReader(std::span<const VertexTable> tables) : tables_(tables) {
    constexpr std::array<std::uint32_t, kMeasuredAttributes> kTypes{shared::kStreamUv, shared::kStreamUv1,
                                                                    shared::kStreamColor};
    for (const VertexTable& table : tables) {
        std::array<std::uint32_t, kMeasuredAttributes>& words = words_.emplace_back();
        for (std::size_t a = 0; a < kTypes.size(); ++a) {
            words[a] = has_stream(kTypes[a], table.streams_present)
                           ? 2 + attribute_offset(kTypes[a], table.streams_present)
                           : kNone;
            any_ = any_ || words[a] != kNone;
        }
        normal_words_.push_back(has_stream(shared::kStreamNormalTangent, table.streams_present)
                                    ? 2 + attribute_offset(shared::kStreamNormalTangent, table.streams_present)
                                    : kNone);
    }
}

AttributeReader::Values AttributeReader::at(std::uint32_t mesh, const std::array<std::uint32_t, 3>& triangle,
                                            const Point& weights) const {
    Values out{};
    for (std::size_t a = 0; a < kMeasuredAttributes; ++a) {
        if (!has(mesh, a)) continue;
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const std::uint32_t word = tables_[mesh].vertex(triangle[corner])[words_[mesh][a]];
            if (a < 2) {
                out[a][0] += weights[corner] * static_cast<float>(static_cast<std::int16_t>(word & 0xffffU));
                out[a][1] += weights[corner] * static_cast<float>(static_cast<std::int16_t>(word >> 16U));
                continue;
            }
            for (std::uint32_t k = 0; k < 3; ++k) {
                out[a][k] += weights[corner] * static_cast<float>(word >> (8 * k) & 0xffU);
            }
        }
    }
    return out;
}

Point AttributeReader::normal_at(std::uint32_t mesh, const std::array<std::uint32_t, 3>& triangle,
                                 const Point& weights) const {
    if (normal_words_[mesh] == kNone) return {};
    Point out{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
        if (weights[corner] == 0.0F) continue;
        const Point normal = decode_normal(tables_[mesh].vertex(triangle[corner])[normal_words_[mesh]]);
        for (std::size_t k = 0; k < 3; ++k) out[k] += weights[corner] * normal[k];
    }
    const float length = std::sqrt(dot(out, out));
    for (float& x : out) x = length > 0.0F ? x / length : 0.0F;
    return out;
}

float distance_beyond(std::vector<MeasuredDistance>& distances, double share) {
    std::sort(distances.begin(), distances.end(), [](const MeasuredDistance& a, const MeasuredDistance& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.area > b.area;
    });
    double left = 0.0;
    for (const MeasuredDistance& d : distances) left += static_cast<double>(d.area);
    left *= share;
    for (const MeasuredDistance& d : distances) {
        left -= static_cast<double>(d.area);
        if (left < 0.0) return d.distance;
    }
    return distances.empty() ? 0.0F : distances.back().distance;
}

float area_of(const Corners& t) {
    const Point a = minus(t[1], t[0]);
    const Point b = minus(t[2], t[0]);
    const Point n = cross(a, b);
    return 0.5F * std::sqrt(dot(n, n));
}

std::vector<Place> spread_places(std::span<const Corners> triangles, std::size_t count) {
    std::vector<double> until;
    until.reserve(triangles.size());
    double total = 0.0;
    for (const Corners& t : triangles) until.push_back(total += static_cast<double>(area_of(t)));
    std::vector<Place> out;
    out.reserve(count);
    std::uint32_t triangle = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double at = total * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        while (triangle + 1 < triangles.size() && until[triangle] < at) ++triangle;
        // The sequence of Roberts, folded into the triangle.
        double u = std::fmod(0.5 + 0.7548776662 * static_cast<double>(i), 1.0);
        double v = std::fmod(0.5 + 0.5698402910 * static_cast<double>(i), 1.0);
        if (u + v > 1.0) {
            u = 1.0 - u;
            v = 1.0 - v;
        }
        const auto x = static_cast<float>(u);
        const auto y = static_cast<float>(v);
        out.push_back({triangle, {1.0F - x - y, x, y}});
    }
    return out;
}

Point point_in(const Corners& c, const Point& weights) {
    Point out{};
    for (std::size_t k = 0; k < 3; ++k) out[k] = weights[0] * c[0][k] + weights[1] * c[1][k] + weights[2] * c[2][k];
    return out;
}

std::vector<Sample> sample(std::span<const GroupTriangle> triangles, std::span<const Corners> surface,
                           const AttributeReader& attributes, std::size_t count) {
    std::vector<Sample> out;
    float area = 0.0F;
    for (const Corners& c : surface) area += area_of(c);
    std::vector<Place> places = spread_places(surface, std::min(2 * triangles.size(), count));
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto& [number, weights] = places[i];
        // Every other one is a corner: corners are farthest from what is simpler.
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
        sample.normal = attributes.normal_at(triangle.mesh, triangle.vertices, weights);
        if (!attributes.any()) continue;
        sample.values = attributes.at(triangle.mesh, triangle.vertices, weights);
        std::array<AttributeReader::Values, 3> at_corners{};
        for (std::size_t c = 0; c < 3; ++c) {
            Point own{};
            own[c] = 1.0F;
            at_corners[c] = attributes.at(triangle.mesh, triangle.vertices, own);
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
    return out;
}

}  // namespace sublet::mesh
