#include "exact.h"

#include <algorithm>
#include <cmath>

namespace sublet::test {
namespace {

// Twice the signed area of (s, a, b): not negative on the inner side of the edge from a to b of a clockwise triangle.
int64_t edge(const Point& a, const Point& b, const Point& s) {
    return (a.x - s.x) * (b.y - s.y) - (a.y - s.y) * (b.x - s.x);
}

// Of a clockwise triangle, y down: a top edge runs right, a left edge runs up.
bool is_top_left(const Point& a, const Point& b) {
    return (a.y == b.y && b.x > a.x) || b.y < a.y;
}

int64_t floor_divide(int64_t value, int64_t divisor) {
    const int64_t quotient = value / divisor;
    return quotient * divisor > value ? quotient - 1 : quotient;
}

// One edge of all variants: for each position of its first vertex, the positions of its second one (a bit each) for
// which the sample is inside or on it, and strictly inside it.
struct EdgeMasks {
    std::array<uint32_t, 25> inside{};
    std::array<uint32_t, 25> strictly{};
};

// Whether some choice of three positions has the sample inside all three edges: `area` with an area, `any` even
// without. The three edge functions sum up to twice the area, so that those without one have all three at zero.
struct Found {
    bool area = false;
    bool any = false;
};
Found search(const EdgeMasks& ab, const EdgeMasks& bc, const EdgeMasks& ca_from_a, uint32_t positions) {
    Found found;
    for (uint32_t i = 0; i < positions; ++i) {
        for (uint32_t j = 0; j < positions; ++j) {
            if ((ab.inside[i] >> j & 1) == 0) continue;
            const uint32_t both = bc.inside[j] & ca_from_a.inside[i];
            found.any = found.any || both != 0;
            const uint32_t with_area =
                (ab.strictly[i] >> j & 1) != 0 ? both : both & (bc.strictly[j] | ca_from_a.strictly[i]);
            if (with_area != 0) return {true, true};
        }
    }
    return found;
}

using Positions = std::array<Point, 25>;

// The edge from `from` to `to`; with sign -1 that of the triangle wound the other way. Indexed by the vertex `from`.
EdgeMasks masks(const Positions& from, const Positions& to, uint32_t positions, const Point& s, int64_t sign) {
    EdgeMasks result;
    for (uint32_t i = 0; i < positions; ++i) {
        for (uint32_t j = 0; j < positions; ++j) {
            const int64_t e = sign * edge(from[i], to[j], s);
            result.inside[i] |= static_cast<uint32_t>(e >= 0) << j;
            result.strictly[i] |= static_cast<uint32_t>(e > 0) << j;
        }
    }
    return result;
}

struct HomogeneousVertex {
    double x, y, z, w;
};

}  // namespace

int64_t twice_area(const Triangle& t) {
    return edge(t[1], t[2], t[0]);
}

bool covers(const Triangle& triangle, const Point& sample, EdgeRule rule) {
    Triangle t = triangle;
    int64_t area = twice_area(t);
    if (area < 0) {
        std::swap(t[1], t[2]);
        area = -area;
    }
    if (area == 0 && rule == EdgeRule::TopLeft) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        const Point& a = t[i];
        const Point& b = t[(i + 1) % 3];
        const int64_t e = edge(a, b, sample);
        if (e < 0 || (e == 0 && rule == EdgeRule::TopLeft && !is_top_left(a, b))) return false;
    }
    if (area > 0) return true;
    // On the line of a triangle without area: it must be within its ends.
    const auto [left, right] = std::minmax({t[0].x, t[1].x, t[2].x});
    const auto [top, bottom] = std::minmax({t[0].y, t[1].y, t[2].y});
    return left <= sample.x && sample.x <= right && top <= sample.y && sample.y <= bottom;
}

Variants examine(const Triangle& t, int64_t subpixels, int64_t margin, int64_t steps) {
    Variants variants;
    variants.faces[2] = true;

    // The area is linear in each coordinate: its extremes are at the corners of the squares.
    for (uint32_t corner = 0; corner < 64; ++corner) {
        Triangle moved = t;
        for (uint32_t i = 0; i < 3; ++i) {
            moved[i].x += (corner >> (2 * i) & 1) != 0 ? margin : -margin;
            moved[i].y += (corner >> (2 * i + 1) & 1) != 0 ? margin : -margin;
        }
        const int64_t area = twice_area(moved);
        variants.faces[0] = variants.faces[0] || area < 0;
        variants.faces[1] = variants.faces[1] || area > 0;
    }

    const auto [left, right] = std::minmax({t[0].x, t[1].x, t[2].x});
    const auto [top, bottom] = std::minmax({t[0].y, t[1].y, t[2].y});
    const Point first{-floor_divide(-(left - margin), subpixels), -floor_divide(-(top - margin), subpixels)};
    const Point last{floor_divide(right + margin, subpixels), floor_divide(bottom + margin, subpixels)};
    if (last.x < first.x || last.y < first.y) {
        variants.box_is_empty = true;
        return variants;
    }
    if ((last.x - first.x + 1) * (last.y - first.y + 1) > 64) {
        variants.exact = false;
        variants.covers = variants.faces;
        return variants;
    }

    std::array<Positions, 3> moved{};
    uint32_t positions = 0;
    for (int64_t y = -steps; y <= steps; ++y) {
        for (int64_t x = -steps; x <= steps; ++x) {
            for (std::size_t i = 0; i < 3; ++i) {
                moved[i][positions] = {t[i].x + x * margin / steps, t[i].y + y * margin / steps};
            }
            ++positions;
        }
    }
    for (int64_t y = first.y; y <= last.y; ++y) {
        for (int64_t x = first.x; x <= last.x; ++x) {
            const Point s{x * subpixels, y * subpixels};
            for (const int64_t sign : {int64_t{-1}, int64_t{1}}) {
                const std::size_t winding = sign < 0 ? 0 : 1;
                if (!variants.faces[winding] || variants.covers[winding]) continue;
                // The edge from c to a is that from a to c with its sign turned over.
                const Found found =
                    search(masks(moved[0], moved[1], positions, s, sign), masks(moved[1], moved[2], positions, s, sign),
                           masks(moved[0], moved[2], positions, s, -sign), positions);
                variants.covers[winding] = found.area;
                // A variant without area has all edge functions at zero, on its line even a little beyond its ends:
                // such a sample counts as covered too, which asks more of the culling.
                variants.covers[2] = variants.covers[2] || found.any;
            }
        }
    }
    return variants;
}

ClippedPolygon clip(const ClipTriangle& triangle, int width, int height) {
    std::array<HomogeneousVertex, 10> polygon{};
    std::size_t count = 3;
    for (std::size_t i = 0; i < 3; ++i) {
        const ClipPoint& p = triangle[i];
        polygon[i] = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z),
                      static_cast<double>(p.w)};
    }
    // Whole numbers of clip space below 2^16: what lies below the first plane is too thin to see.
    using Distance = double (*)(const HomogeneousVertex&);
    for (const Distance distance : {Distance([](const HomogeneousVertex& v) { return v.w - 0x1p-20; }),
                                    Distance([](const HomogeneousVertex& v) { return v.w + v.x; }),
                                    Distance([](const HomogeneousVertex& v) { return v.w - v.x; }),
                                    Distance([](const HomogeneousVertex& v) { return v.w + v.y; }),
                                    Distance([](const HomogeneousVertex& v) { return v.w - v.y; }),
                                    Distance([](const HomogeneousVertex& v) { return v.w - v.z; })}) {
        std::array<HomogeneousVertex, 10> kept{};
        std::size_t kept_count = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const HomogeneousVertex& a = polygon[i];
            const HomogeneousVertex& b = polygon[(i + 1) % count];
            const double da = distance(a);
            const double db = distance(b);
            if (da >= 0.0) kept[kept_count++] = a;
            if ((da >= 0.0) != (db >= 0.0)) {
                const double t = da / (da - db);
                kept[kept_count++] = {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t,
                                      a.w + (b.w - a.w) * t};
            }
        }
        polygon = kept;
        count = kept_count;
    }
    ClippedPolygon result;
    result.count = static_cast<int>(count);
    for (std::size_t i = 0; i < count; ++i) {
        result.vertices[i] = {(polygon[i].x / polygon[i].w + 1.0) * 0.5 * width,
                              (polygon[i].y / polygon[i].w + 1.0) * 0.5 * height};
    }
    return result;
}

double ClippedPolygon::area() const {
    double twice = 0.0;
    for (int i = 0; i < count; ++i) {
        const Vertex& a = vertices[static_cast<std::size_t>(i)];
        const Vertex& b = vertices[static_cast<std::size_t>((i + 1) % count)];
        twice += a.x * b.y - a.y * b.x;
    }
    return std::abs(twice) / 2.0;
}

bool ClippedPolygon::covers_pixel(int width, int height) const {
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int inner = 0;
            int outer = 0;
            for (int i = 0; i < count; ++i) {
                const Vertex& a = vertices[static_cast<std::size_t>(i)];
                const Vertex& b = vertices[static_cast<std::size_t>((i + 1) % count)];
                const double e = (a.x - (x + 0.5)) * (b.y - (y + 0.5)) - (a.y - (y + 0.5)) * (b.x - (x + 0.5));
                inner += static_cast<int>(e > 1e-9);
                outer += static_cast<int>(e < -1e-9);
            }
            // Strictly inside: vertices that clipping doubled have an edge without length.
            if ((inner >= 3 && outer == 0) || (outer >= 3 && inner == 0)) return true;
        }
    }
    return false;
}

int facing(const ClipTriangle& t) {
    const int64_t determinant = t[0].x * (t[1].y * t[2].w - t[2].y * t[1].w) -
                                t[0].y * (t[1].x * t[2].w - t[2].x * t[1].w) +
                                t[0].w * (t[1].x * t[2].y - t[2].x * t[1].y);
    return determinant > 0 ? 1 : determinant < 0 ? -1 : 0;
}

}  // namespace sublet::test
