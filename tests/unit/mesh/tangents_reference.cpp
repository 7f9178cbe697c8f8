#include "tangents_reference.h"

#include <cmath>
#include <cstddef>
#include <optional>

namespace sublet::mesh::test {
namespace {

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vector operator*(const Vector& a, double s) {
    return {a[0] * s, a[1] * s, a[2] * s};
}
Vector operator-(const Vector& a, const Vector& b) {
    return a + b * -1.0;
}
double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Vector& a) {
    return std::sqrt(dot(a, a));
}

struct Corner {
    std::size_t triangle = 0;
    Vector position, normal;
    std::array<double, 2> uv{};
    std::size_t next = 0, previous = 0;        // of its triangle
    std::optional<std::size_t> after, before;  // at the same place, across the edge that starts, or ends, here
    std::optional<int> group;

    [[nodiscard]] bool same_place(const Corner& other) const {
        return position == other.position && normal == other.normal && uv == other.uv;
    }
};

struct Face {
    bool point = false;
    Vector by_u{};               // 0 without area in the texture
    std::optional<bool> mirror;  // none until it is known
};

class Reference {
  public:
    explicit Reference(const TangentInput& mesh) {
        const auto vector = [](const std::array<float, 3>& v) { return Vector{v[0], v[1], v[2]}; };
        for (std::size_t c = 0; c < mesh.indices.size(); ++c) {
            const std::uint32_t v = mesh.indices[c];
            corners_.push_back({.triangle = c / 3,
                                .position = vector(mesh.positions[v]),
                                .normal = vector(mesh.normals[v]),
                                .uv = {mesh.uv[v][0], mesh.uv[v][1]},
                                .next = c / 3 * 3 + (c + 1) % 3,
                                .previous = c / 3 * 3 + (c + 2) % 3,
                                .after = {},
                                .before = {},
                                .group = {}});
        }
        for (std::size_t t = 0; t < mesh.indices.size() / 3; ++t) faces_.push_back(face(t));
        for (std::size_t c = 0; c < corners_.size(); ++c) connect(c);
    }

    std::vector<ReferenceTangent> run() {
        int groups = 0;
        for (std::size_t c = 0; c < corners_.size(); ++c) {
            const Face& own = faces_[corners_[c].triangle];
            if (!corners_[c].group && length(own.by_u) > 0) spread(c, *own.mirror, groups++);
        }
        for (Corner& corner : corners_) {
            if (!faces_[corner.triangle].point) continue;
            for (const Corner& other : corners_) {
                if (faces_[other.triangle].point || !corner.same_place(other)) continue;
                corner.group = other.group;
                break;
            }
        }
        std::vector<ReferenceTangent> result;
        for (const Corner& corner : corners_) {
            if (corner.group) {
                result.push_back(tangent(*corner.group));
            } else {
                result.emplace_back();
            }
        }
        return result;
    }

  private:
    [[nodiscard]] Face face(std::size_t t) const {
        const Corner& a = corners_[3 * t];
        const Corner& b = corners_[3 * t + 1];
        const Corner& c = corners_[3 * t + 2];
        if (a.position == b.position || b.position == c.position || c.position == a.position) return {true, {}, {}};
        // dP/du by Cramer's rule on P - Pa = (u - ua) dP/du + (v - va) dP/dv.
        const double determinant =
            (b.uv[0] - a.uv[0]) * (c.uv[1] - a.uv[1]) - (b.uv[1] - a.uv[1]) * (c.uv[0] - a.uv[0]);
        if (determinant == 0) return {};
        const Vector du =
            ((b.position - a.position) * (c.uv[1] - a.uv[1]) - (c.position - a.position) * (b.uv[1] - a.uv[1])) *
            (1 / determinant);
        const Vector dv =
            ((c.position - a.position) * (b.uv[0] - a.uv[0]) - (b.position - a.position) * (c.uv[0] - a.uv[0])) *
            (1 / determinant);
        if (length(du) == 0 || length(dv) == 0) return {};
        return {false, du * (1 / length(du)), determinant < 0};
    }

    // The edge from corner `c` to the next of its triangle, with the first free one in the other direction.
    void connect(std::size_t c) {
        Corner& start = corners_[c];
        Corner& end = corners_[start.next];
        if (faces_[start.triangle].point || start.after) return;
        for (std::size_t other = 3 * (start.triangle + 1); other < corners_.size(); ++other) {
            Corner& other_start = corners_[other];
            Corner& other_end = corners_[other_start.next];
            if (faces_[other_start.triangle].point || other_start.after) continue;
            if (!start.same_place(other_end) || !end.same_place(other_start)) continue;
            start.after = other_start.next;
            end.before = other;
            other_start.after = start.next;
            other_end.before = c;
            return;
        }
    }

    void spread(std::size_t from, bool mirror, int group) {
        std::vector<std::size_t> open{from};
        while (!open.empty()) {
            Corner& corner = corners_[open.back()];
            open.pop_back();
            Face& own = faces_[corner.triangle];
            if (corner.group) continue;
            if (!own.mirror) own.mirror = mirror;
            if (*own.mirror != mirror) continue;
            corner.group = group;
            if (corner.after) open.push_back(*corner.after);
            if (corner.before) open.push_back(*corner.before);
        }
    }

    [[nodiscard]] ReferenceTangent tangent(int group) const {
        Vector total{};
        double sign = 1;
        for (const Corner& corner : corners_) {
            const Face& own = faces_[corner.triangle];
            if (corner.group != group || own.point) continue;
            sign = *own.mirror ? 1.0 : -1.0;  // V points down
            const auto flat = [&](const Vector& v) { return v - corner.normal * dot(corner.normal, v); };
            const Vector direction = flat(own.by_u);
            const Vector x = flat(corners_[corner.next].position - corner.position);
            const Vector y = flat(corners_[corner.previous].position - corner.position);
            const double angle = std::atan2(length(cross(x, y)), dot(x, y));
            if (length(direction) > 0) total = total + direction * (angle / length(direction));
        }
        return {length(total) > 0 ? total * (1 / length(total)) : Vector{}, sign};
    }

    std::vector<Corner> corners_;
    std::vector<Face> faces_;
};

}  // namespace

std::vector<ReferenceTangent> reference_tangents(const TangentInput& mesh) {
    return Reference(mesh).run();
}

}  // namespace sublet::mesh::test
