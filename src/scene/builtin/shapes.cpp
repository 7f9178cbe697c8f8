#include "scene/builtin/shapes.h"

#include <algorithm>
#include <cmath>

#include "scene/builtin/numbers.h"

namespace sublet::scene::builtin {
namespace {

float as_float(double value) {
    return static_cast<float>(value);
}

}  // namespace

std::uint32_t ShapeBuilder::vertex(const Point& position, const Point& normal, const std::array<double, 2>& uv,
                                   const Point& along_u, const Point& up) {
    mesh_.positions.push_back({as_float(position[0]), as_float(position[1]), as_float(position[2])});
    mesh_.normals.push_back({as_float(normal[0]), as_float(normal[1]), as_float(normal[2])});
    mesh_.uv0.push_back({as_float(uv[0]), as_float(uv[1])});
    const Point tangent = normalized(sum(along_u, 1.0, normal, -dot(along_u, normal)));
    mesh_.tangents.push_back({as_float(tangent[0]), as_float(tangent[1]), as_float(tangent[2]),
                              dot(cross(normal, tangent), up) < 0.0 ? -1.0F : 1.0F});
    return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
}

void ShapeBuilder::darken(const std::function<double(const Point&)>& light) {
    mesh_.colors.clear();
    for (const auto& p : mesh_.positions) {
        const float grey = as_float(light({p[0], p[1], p[2]}));
        mesh_.colors.push_back({grey, grey, grey, 1.0F});
    }
}

SourceMesh ShapeBuilder::take(bool with_tangents) {
    if (!with_tangents) mesh_.tangents.clear();
    return std::move(mesh_);
}

void ShapeBuilder::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
}

void ShapeBuilder::surface(int columns, int rows, const std::function<Point(double, double)>& position, double tiles_u,
                           double tiles_v) {
    constexpr double kStep = 1e-4;  // of the derivatives; kept off the borders, where a surface may have none
    const auto at = [&](double u, double v) { return position(u, v); };
    const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column <= columns; ++column) {
            const double u = static_cast<double>(column) / columns;
            const double v = static_cast<double>(row) / rows;
            const double mid_u = std::clamp(u, kStep, 1.0 - kStep);
            const double mid_v = std::clamp(v, kStep, 1.0 - kStep);
            const Point du = minus(at(mid_u + kStep, mid_v), at(mid_u - kStep, mid_v));
            const Point dv = minus(at(mid_u, mid_v + kStep), at(mid_u, mid_v - kStep));
            vertex(at(u, v), normalized(cross(du, dv)), {u * tiles_u, (1.0 - v) * tiles_v}, du, dv);
        }
    }
    const auto stride = static_cast<std::uint32_t>(columns + 1);
    for (std::uint32_t row = 0; row < static_cast<std::uint32_t>(rows); ++row) {
        for (std::uint32_t column = 0; column < static_cast<std::uint32_t>(columns); ++column) {
            const std::uint32_t a = first + row * stride + column;
            triangle(a, a + 1, a + stride + 1);
            triangle(a, a + stride + 1, a + stride);
        }
    }
}

void ShapeBuilder::flat(const std::vector<Point>& corners, const std::vector<std::array<double, 2>>& uvs,
                        const Point* normal) {
    const Point a = minus(corners[1], corners[0]);
    const Point b = minus(corners[2], corners[0]);
    const Point lit = normal != nullptr ? *normal : normalized(cross(a, b));
    // The derivatives of position by U and by -V, times the same factor.
    const double a_u = uvs[1][0] - uvs[0][0];
    const double a_v = uvs[1][1] - uvs[0][1];
    const double b_u = uvs[2][0] - uvs[0][0];
    const double b_v = uvs[2][1] - uvs[0][1];
    const double sign = a_u * b_v - b_u * a_v < 0.0 ? -1.0 : 1.0;
    const Point along_u = sum(a, sign * b_v, b, -sign * a_v);
    const Point up = sum(a, sign * b_u, b, -sign * a_u);
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < corners.size(); ++i) ids.push_back(vertex(corners[i], lit, uvs[i], along_u, up));
    for (std::size_t i = 2; i < ids.size(); ++i) triangle(ids[0], ids[i - 1], ids[i]);
}

void ShapeBuilder::box(const Point& center, const Point& size, double bevel, double tile,
                       const std::array<double, 2>& shift) {
    // Corner (sx, sy, sz) of the face across `axis`: the two other axes drawn in by the bevel.
    const auto corner = [&](int axis, const std::array<int, 3>& sign) {
        Point p{};
        for (int c = 0; c < 3; ++c) {
            const auto i = static_cast<std::size_t>(c);
            p[i] = center[i] + sign[i] * (size[i] / 2 - (c == axis ? 0.0 : bevel));
        }
        return p;
    };
    const auto uv = [&](int axis, const Point& p) -> std::array<double, 2> {
        if (axis == 0) return {p[2] / tile + shift[0], -p[1] / tile + shift[1]};
        if (axis == 1) return {p[0] / tile + shift[0], p[2] / tile + shift[1]};
        return {p[0] / tile + shift[0], -p[1] / tile + shift[1]};
    };
    const auto polygon = [&](int axis, std::vector<Point> corners, const Point& outward) {
        if (dot(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])), outward) < 0.0) {
            std::ranges::reverse(corners);
        }
        std::vector<std::array<double, 2>> uvs;
        for (const Point& p : corners) uvs.push_back(uv(axis, p));
        flat(corners, uvs);
    };
    for (int axis = 0; axis < 3; ++axis) {
        const int b = (axis + 1) % 3;
        const int c = (axis + 2) % 3;
        const auto signs = [&](int sa, int sb, int sc) {
            std::array<int, 3> s{};
            s[static_cast<std::size_t>(axis)] = sa;
            s[static_cast<std::size_t>(b)] = sb;
            s[static_cast<std::size_t>(c)] = sc;
            return s;
        };
        for (const int side : {-1, 1}) {
            Point outward{};
            outward[static_cast<std::size_t>(axis)] = side;
            polygon(axis,
                    {corner(axis, signs(side, -1, -1)), corner(axis, signs(side, 1, -1)),
                     corner(axis, signs(side, 1, 1)), corner(axis, signs(side, -1, 1))},
                    outward);
            if (bevel <= 0.0) continue;
            for (const int other : {-1, 1}) {  // the edge between the faces across `axis` and across b
                outward[static_cast<std::size_t>(b)] = other;
                polygon(axis,
                        {corner(axis, signs(side, other, -1)), corner(axis, signs(side, other, 1)),
                         corner(b, signs(side, other, 1)), corner(b, signs(side, other, -1))},
                        outward);
            }
        }
    }
    if (bevel <= 0.0) return;
    for (int i = 0; i < 8; ++i) {
        const std::array<int, 3> sign{(i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1};
        polygon(1, {corner(0, sign), corner(1, sign), corner(2, sign)},
                {static_cast<double>(sign[0]), static_cast<double>(sign[1]), static_cast<double>(sign[2])});
    }
}

void ShapeBuilder::lathe(const Profile& profile, int segments, double tiles_u, double tiles_v, int flutes,
                         double flute_depth) {
    const auto spans = static_cast<int>(profile.size()) - 1;
    const auto position = [&](double u, double v) -> Point {
        const double at = std::clamp(v, 0.0, 1.0) * spans;
        const int span = std::min(static_cast<int>(at), spans - 1);
        const auto i = static_cast<std::size_t>(span);
        const double t = at - span;
        const double groove = flutes == 0 ? 0.0 : 0.5 + 0.5 * cosine(u * flutes);
        const double radius = mix(profile[i][0], profile[i + 1][0], t) * (1.0 - flute_depth * groove);
        return {radius * cosine(-u), mix(profile[i][1], profile[i + 1][1], t), radius * sine(-u)};
    };
    surface(segments, spans, position, tiles_u, tiles_v);
}

void add_wall(ShapeBuilder& shape, double length, double bottom, double top, double thickness,
              const std::vector<Opening>& openings, double tile) {
    constexpr int kArchSegments = 20;
    // Rows and columns are shared by all parts of the wall, so that no vertex lies on another part's edge.
    std::vector<double> rows{bottom, top};
    for (const Opening& opening : openings) {
        if (opening.sill > bottom) rows.push_back(opening.sill);
        rows.push_back(opening.spring);
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::vector<double> fine;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const int parts = std::max(1, static_cast<int>(std::lround((rows[i + 1] - rows[i]) / 0.8)));
        for (int k = 0; k < parts; ++k) fine.push_back(mix(rows[i], rows[i + 1], static_cast<double>(k) / parts));
    }
    fine.push_back(top);
    rows = std::move(fine);

    const double half = thickness / 2;
    const auto faces = [&](double x0, double x1, const std::vector<double>& y0, const std::vector<double>& y1) {
        const auto uv = [&](double x, double y) -> std::array<double, 2> { return {x / tile, -y / tile}; };
        for (std::size_t i = 0; i + 1 < y0.size(); ++i) {
            shape.flat({{x0, y0[i], half}, {x1, y1[i], half}, {x1, y1[i + 1], half}, {x0, y0[i + 1], half}},
                       {uv(x0, y0[i]), uv(x1, y1[i]), uv(x1, y1[i + 1]), uv(x0, y0[i + 1])});
            shape.flat({{x1, y1[i], -half}, {x0, y0[i], -half}, {x0, y0[i + 1], -half}, {x1, y1[i + 1], -half}},
                       {uv(-x1, y1[i]), uv(-x0, y0[i]), uv(-x0, y0[i + 1]), uv(-x1, y1[i + 1])});
        }
    };
    const auto solid = [&](double x0, double x1) {
        const int parts = std::max(1, static_cast<int>(std::lround((x1 - x0) / 0.8)));
        for (int k = 0; k < parts; ++k) {
            faces(mix(x0, x1, static_cast<double>(k) / parts), mix(x0, x1, static_cast<double>(k + 1) / parts), rows,
                  rows);
        }
    };

    std::vector<Opening> sorted = openings;
    std::ranges::sort(sorted, {}, &Opening::center);
    double x = -length / 2;
    for (const Opening& opening : sorted) {
        const double left = opening.center - opening.radius;
        const double right = opening.center + opening.radius;
        solid(x, left);
        const double sill = std::max(opening.sill, bottom);
        std::vector<double> below;
        std::vector<double> above;
        for (const double y : rows) {
            if (y <= sill) below.push_back(y);
            if (y >= opening.spring) above.push_back(y);
        }
        const auto arch_x = [&](int k) {
            return k == 0               ? left
                   : k == kArchSegments ? right
                                        : opening.center - opening.radius * cosine(0.5 * k / kArchSegments);
        };
        const auto arch_y = [&](int k) {
            return k == 0 || k == kArchSegments ? opening.spring
                                                : opening.spring + opening.radius * sine(0.5 * k / kArchSegments);
        };
        const auto lifted = [&](double y) {  // the rows above the arch, drawn together over it
            std::vector<double> result;
            for (const double row : above) {
                result.push_back(top - (top - y) * (top - row) / (top - opening.spring));
            }
            return result;
        };
        for (int k = 0; k < kArchSegments; ++k) {
            faces(arch_x(k), arch_x(k + 1), lifted(arch_y(k)), lifted(arch_y(k + 1)));
            if (below.size() > 1) faces(arch_x(k), arch_x(k + 1), below, below);
        }
        // The reveal: jambs, the arch's underside, the sill.
        std::vector<double> beside;
        for (const double y : rows) {
            if (y >= sill && y <= opening.spring) beside.push_back(y);
        }
        for (std::size_t i = 0; i + 1 < beside.size(); ++i) {
            const double y0 = beside[i];
            const double y1 = beside[i + 1];
            const std::vector<std::array<double, 2>> uvs{
                {0.0, -y0 / tile}, {thickness / tile, -y0 / tile}, {thickness / tile, -y1 / tile}, {0.0, -y1 / tile}};
            shape.flat({{left, y0, half}, {left, y0, -half}, {left, y1, -half}, {left, y1, half}}, uvs);
            shape.flat({{right, y0, -half}, {right, y0, half}, {right, y1, half}, {right, y1, -half}}, uvs);
        }
        shape.surface(
            kArchSegments, 1,
            [&](double u, double v) -> Point {
                return {opening.center - opening.radius * cosine(0.5 * u),
                        opening.spring + opening.radius * sine(0.5 * u), mix(-half, half, v)};
            },
            opening.radius * 3.0 / tile, thickness / tile);
        for (int k = 0; k < kArchSegments && below.size() > 1; ++k) {
            const double x0 = arch_x(k);
            const double x1 = arch_x(k + 1);
            shape.flat(
                {{x0, sill, half}, {x1, sill, half}, {x1, sill, -half}, {x0, sill, -half}},
                {{x0 / tile, 0.0}, {x1 / tile, 0.0}, {x1 / tile, thickness / tile}, {x0 / tile, thickness / tile}});
        }
        x = right;
    }
    solid(x, length / 2);
}

void add_moulding(ShapeBuilder& shape, const Opening& opening, double z, double width, double depth) {
    const double rise = opening.spring - opening.sill;
    const double arc = 3.14159265358979 * opening.radius;
    const double length = 2.0 * rise + arc;
    const double out = z < 0.0 ? -1.0 : 1.0;
    const auto position = [&](double u, double v) -> Point {
        // Along the opening's edge, left jamb first; `side` and `up` point away from the opening.
        const double s = std::clamp(u, 0.0, 1.0) * length;
        double x = -opening.radius;
        double y = opening.sill + s;
        double side = -1.0;
        double up = 0.0;
        if (s > rise + arc) {
            x = opening.radius;
            y = opening.sill + (length - s);
            side = 1.0;
        } else if (s > rise) {
            const double turn = 0.5 * (s - rise) / arc;
            side = -cosine(turn);
            up = sine(turn);
            x = opening.radius * side;
            y = opening.spring + opening.radius * up;
        }
        // The roll: half an ellipse and a little more, so that it sinks into the wall.
        const double angle = mix(-0.03, 0.53, v);
        const double away = width * (0.45 + 0.5 * cosine(angle));
        const double forward = depth * sine(angle);
        return {opening.center + x + side * away, y + up * away, z + out * forward};
    };
    const auto oriented = [&](double u, double v) { return position(u, out > 0.0 ? 1.0 - v : v); };
    shape.surface(44, 8, oriented, length, 0.25);
}

Profile smooth_profile(const Profile& points, int per_span) {
    Profile result;
    const auto last = points.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
        const auto& p0 = points[i == 0 ? 0 : i - 1];
        const auto& p1 = points[i];
        const auto& p2 = points[i + 1];
        const auto& p3 = points[std::min(i + 2, last)];
        for (int k = 0; k < per_span; ++k) {
            const double t = static_cast<double>(k) / per_span;
            std::array<double, 2> p{};
            for (std::size_t c = 0; c < 2; ++c) {
                p[c] = 0.5 *
                       (2.0 * p1[c] + (p2[c] - p0[c]) * t + (2.0 * p0[c] - 5.0 * p1[c] + 4.0 * p2[c] - p3[c]) * t * t +
                        (3.0 * p1[c] - p0[c] - 3.0 * p2[c] + p3[c]) * t * t * t);
            }
            result.push_back(p);
        }
    }
    result.push_back(points[last]);
    return result;
}

}  // namespace sublet::scene::builtin
