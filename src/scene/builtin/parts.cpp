#include "scene/builtin/parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scene/builtin/materials.h"
#include "scene/builtin/numbers.h"
#include "scene/builtin/shapes.h"
#include "scene/weld.h"

namespace sublet::scene::builtin {
namespace {

constexpr double kWallBottom = -0.2;  // below the floor and above the ceiling's underside: nothing is coplanar
constexpr double kWallTop = 6.1;
constexpr double kWallThickness = 0.5;

void set_part(ImportedScene& scene, PartId part, std::string name, std::vector<ShapeBuilder> shapes) {
    SourceMeshGroup& group = scene.groups[static_cast<std::size_t>(part)];
    group.name = std::move(name);
    for (ShapeBuilder& shape : shapes) {
        const Material& material = scene.scene.materials[shape.material()];
        group.meshes.push_back(shape.take(material.normal_texture.texture >= 0 || material.anisotropy.strength > 0.0F));
        weld(group.meshes.back());
    }
}

template <typename... Shapes>
std::vector<ShapeBuilder> list(Shapes&&... shapes) {
    std::vector<ShapeBuilder> result;
    (result.push_back(std::forward<Shapes>(shapes)), ...);
    return result;
}

struct Crown {
    Point center;
    Point radii;
    int cards;
    double card_size;
};

// Cards all over an ellipsoid and some way into it, fronts outwards. They are lit as the ellipsoid would be, so that a
// crown has a light and a dark side.
void add_crown(ShapeBuilder& shape, Random& random, const Crown& crown) {
    for (int i = 0; i < crown.cards; ++i) {
        const double y = random.between(-0.85, 1.0);
        const double turn = random.between(0.0, 1.0);
        const double flat = std::sqrt(1.0 - y * y);
        const Point out{flat * cosine(turn), y, flat * sine(turn)};
        const double depth = random.between(0.6, 1.0);
        Point foot{};
        for (std::size_t c = 0; c < 3; ++c) foot[c] = crown.center[c] + crown.radii[c] * depth * out[c];
        // The twig leads outwards, a little up, and any way aside; the card faces outwards as far as it can.
        const Point any{random.between(-1.0, 1.0), random.between(-0.2, 1.2), random.between(-1.0, 1.0)};
        const Point along = normalized(sum(out, 0.6, any, 1.0));
        const Point facing =
            normalized(sum(out, 1.0, {random.between(-0.5, 0.5), 0.2, random.between(-0.5, 0.5)}, 1.0));
        const Point aside = normalized(cross(along, facing));
        const Point front = cross(aside, along);
        const double size = crown.card_size * random.between(0.8, 1.2);
        const Point left = sum(foot, 1.0, aside, -size / 2);
        const Point right = sum(foot, 1.0, aside, size / 2);
        const Point lit = normalized(sum(out, 1.0, front, 0.7));
        shape.flat({left, right, sum(right, 1.0, along, size), sum(left, 1.0, along, size)},
                   {{0.0, 1.0}, {1.0, 1.0}, {1.0, 0.0}, {0.0, 0.0}}, &lit);
    }
}

// A bent tube from one point to another, thinner towards its end.
void add_branch(ShapeBuilder& shape, const Point& from, const Point& to, double radius, double bend, int sides) {
    shape.surface(
        sides, 5,
        [&](double u, double v) -> Point {
            const double r = radius * (1.0 - 0.65 * v);
            const double sway = bend * sine(0.5 * v);
            return {mix(from[0], to[0], v) + sway + r * cosine(-u), mix(from[1], to[1], v),
                    mix(from[2], to[2], v) - 0.7 * sway + r * sine(-u)};
        },
        1.0, 2.0);
}

// Plants: leaves are cards that an alpha mask cuts out. 4.6 m high, its foot at the origin.
std::vector<ShapeBuilder> tree() {
    ShapeBuilder wood(kBark);
    ShapeBuilder leaves(kLeaves);
    Random random(11);
    add_branch(wood, {0.0, -0.1, 0.0}, {0.1, 3.2, 0.0}, 0.17, 0.12, 9);
    const Point fork{0.12, 1.3, -0.08};
    for (const Point& end : {Point{0.9, 2.5, 0.3}, Point{-0.7, 2.7, 0.5}, Point{-0.1, 2.6, -0.9}}) {
        add_branch(wood, fork, end, 0.08, -0.08, 6);
    }
    add_crown(leaves, random, {{0.05, 3.1, 0.0}, {0.95, 1.0, 0.95}, 190, 0.5});
    add_crown(leaves, random, {{0.75, 2.5, 0.25}, {0.62, 0.55, 0.62}, 70, 0.46});
    add_crown(leaves, random, {{-0.65, 2.65, 0.4}, {0.62, 0.55, 0.62}, 70, 0.46});
    add_crown(leaves, random, {{-0.05, 2.45, -0.75}, {0.62, 0.55, 0.62}, 70, 0.46});
    return list(std::move(wood), std::move(leaves));
}

// A clipped bush on a bare stem, 1.1 m high.
std::vector<ShapeBuilder> bush() {
    ShapeBuilder wood(kBark);
    ShapeBuilder leaves(kLeaves);
    Random random(12);
    add_branch(wood, {0.0, -0.15, 0.0}, {0.02, 0.6, 0.0}, 0.035, 0.03, 7);
    add_crown(leaves, random, {{0.0, 0.66, 0.0}, {0.32, 0.32, 0.32}, 170, 0.2});
    return list(std::move(wood), std::move(leaves));
}

// Bevelled tiles of one metre in two materials, each cut from another place of its stone.
std::vector<ShapeBuilder> floor_tiles(int columns, int rows, MaterialId first, MaterialId second) {
    std::array<ShapeBuilder, 2> shapes{ShapeBuilder(first), ShapeBuilder(second)};
    Random random(1);
    for (int z = 0; z < rows; ++z) {
        for (int x = 0; x < columns; ++x) {
            const double shift_u = random.between(0.0, 1.0);
            shapes[(x + z) % 2 == 0 ? 0 : 1].box({x - columns / 2.0 + 0.5, -0.055, z - rows / 2.0 + 0.5},
                                                 {0.985, 0.11, 0.985}, 0.012, 1.8, {shift_u, random.between(0.0, 1.0)});
        }
    }
    for (ShapeBuilder& shape : shapes) {
        shape.darken([&](const Point& p) {
            return mix(0.55, 1.0, smooth_step(-0.4, 1.6, columns / 2.0 - std::abs(p[0]))) *
                   mix(0.6, 1.0, smooth_step(-0.4, 1.6, rows / 2.0 - std::abs(p[2])));
        });
    }
    return list(std::move(shapes[0]), std::move(shapes[1]));
}

std::vector<ShapeBuilder> wall(std::uint32_t material, double length, const std::vector<Opening>& openings,
                               double tile) {
    ShapeBuilder masonry(material);
    add_wall(masonry, length, kWallBottom, kWallTop, kWallThickness, openings, tile);
    masonry.darken([&](const Point& p) {
        return mix(0.6, 1.0, smooth_step(-0.4, 1.2, p[1])) * mix(0.45, 1.0, smooth_step(-0.3, 1.8, 6.0 - p[1])) *
               mix(0.6, 1.0, smooth_step(-0.2, 1.5, length / 2 - std::abs(p[0])));
    });
    ShapeBuilder mouldings(kStone);
    for (Opening opening : openings) {
        opening.sill = std::max(opening.sill, -0.1);
        for (const double side : {-1.0, 1.0}) add_moulding(mouldings, opening, side * kWallThickness / 2, 0.3, 0.09);
    }
    return list(std::move(masonry), std::move(mouldings));
}

// Coloured panes in the middle of a wall's openings. Their corners lie within the masonry.
ShapeBuilder glazing(const std::vector<Opening>& openings) {
    ShapeBuilder glass(kStainedGlass);
    for (const Opening& opening : openings) {
        const double low = opening.sill - 0.05;
        const double high = opening.spring + opening.radius + 0.05;
        const double half = opening.radius + 0.05;
        const double tiles = (high - low) / (2.0 * half);
        glass.flat({{opening.center - half, low, 0.0},
                    {opening.center + half, low, 0.0},
                    {opening.center + half, high, 0.0},
                    {opening.center - half, high, 0.0}},
                   {{{0.0, tiles}}, {{1.0, tiles}}, {{1.0, 0.0}}, {{0.0, 0.0}}});
    }
    return glass;
}

// Four slabs round the skylight, their joints hidden behind the beams of its kerb.
std::vector<ShapeBuilder> skylight_ceiling() {
    ShapeBuilder slab(kPlaster);
    slab.box({0.0, 6.2, 4.49}, {12.48, 0.4, 3.5}, 0.0, 2.0);
    slab.box({0.0, 6.2, -4.49}, {12.48, 0.4, 3.5}, 0.0, 2.0);
    slab.box({4.4875, 6.2, 0.0}, {3.495, 0.38, 5.6}, 0.0, 2.0);
    slab.box({-4.4875, 6.2, 0.0}, {3.495, 0.38, 5.6}, 0.0, 2.0);
    // Its underside gets light from the skylight's edge, less towards the walls.
    slab.darken([](const Point& p) {
        const double away = std::max(std::abs(p[0]), std::abs(p[2]));
        return p[1] > 6.2 ? 1.0 : mix(0.75, 0.4, smooth_step(2.6, 6.2, away));
    });
    ShapeBuilder kerb(kTimber);
    for (const double side : {-1.0, 1.0}) {
        kerb.box({0.0, 6.13, side * 2.72}, {12.3, 0.66, 0.24}, 0.03, 1.0);
        kerb.box({side * 2.72, 6.115, 0.0}, {0.22, 0.58, 5.7}, 0.03, 1.0);
    }
    for (const double at : {-0.9, 0.9}) {  // glazing bars
        kerb.box({0.0, 6.352, at}, {5.4, 0.09, 0.09}, 0.015, 1.0);
        kerb.box({at, 6.37, 0.0}, {0.08, 0.08, 5.4}, 0.015, 1.0);
    }
    return list(std::move(slab), std::move(kerb));
}

ShapeBuilder column() {
    ShapeBuilder shape(kStone);
    shape.box({0.0, 0.08, 0.0}, {1.16, 0.3, 1.16}, 0.02);
    shape.lathe(smooth_profile({{0.50, 0.20},
                                {0.56, 0.27},
                                {0.54, 0.34},
                                {0.47, 0.37},
                                {0.46, 0.41},
                                {0.51, 0.45},
                                {0.50, 0.51},
                                {0.44, 0.54}},
                               3),
                36, 3.0, 0.4);
    Profile shaft;
    for (int i = 0; i <= 16; ++i) {
        const double t = i / 16.0;
        shaft.push_back({0.43 - 0.07 * t * t, 0.53 + t * 4.62});
    }
    shape.lathe(shaft, 72, 3.0, 4.6, 18, 0.07);
    shape.lathe(smooth_profile({{0.34, 5.10},
                                {0.40, 5.15},
                                {0.38, 5.20},
                                {0.37, 5.28},
                                {0.42, 5.40},
                                {0.54, 5.58},
                                {0.60, 5.66},
                                {0.58, 5.74}},
                               3),
                36, 3.0, 0.6);
    shape.box({0.0, 5.90, 0.0}, {1.26, 0.36, 1.26}, 0.03);
    shape.darken([](const Point& p) {
        return mix(0.6, 1.0, smooth_step(-0.1, 0.7, p[1])) * mix(0.6, 1.0, smooth_step(0.0, 1.2, 6.0 - p[1]));
    });
    return shape;
}

ShapeBuilder knot() {
    ShapeBuilder shape(kBronze);
    // A tube round the (2, 3) torus knot, its frame made from the curve's tangent and the direction outwards.
    const auto curve = [](double t) -> Point {
        const double r = 0.55 + 0.22 * cosine(3.0 * t);
        return {r * cosine(2.0 * t), 0.24 * sine(3.0 * t) + 0.04 * cosine(2.0 * t), r * sine(2.0 * t)};
    };
    const auto position = [&](double u, double v) -> Point {
        constexpr double kStep = 1e-3;
        const Point p = curve(u);
        const Point a = curve(u - kStep);
        const Point b = curve(u + kStep);
        Point along{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        Point out{p[0] * 0.2, 1.0, p[2] * 0.2};
        const auto normalize = [](Point& q) {
            const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
            for (double& c : q) c /= length;
        };
        normalize(along);
        const double dot = along[0] * out[0] + along[1] * out[1] + along[2] * out[2];
        for (std::size_t c = 0; c < 3; ++c) out[c] -= dot * along[c];
        normalize(out);
        const Point side{out[1] * along[2] - out[2] * along[1], out[2] * along[0] - out[0] * along[2],
                         out[0] * along[1] - out[1] * along[0]};
        const double radius = 0.125 + 0.012 * cosine(8.0 * v + 12.0 * u);
        const double x = radius * cosine(v);
        const double y = radius * sine(v);
        return {p[0] + x * out[0] + y * side[0], p[1] + x * out[1] + y * side[1], p[2] + x * out[2] + y * side[2]};
    };
    shape.surface(280, 26, position, 12.0, 1.0);
    return shape;
}

// Of radius 1.
ShapeBuilder sphere(MaterialId material, int segments, double tiles_u, double tiles_v) {
    ShapeBuilder shape(material);
    const int rings = segments / 2;
    Profile profile;
    for (int i = 0; i <= rings; ++i) {
        const double turn = -0.25 + 0.5 * i / rings;
        profile.push_back({std::max(cosine(turn), 0.0), sine(turn)});
    }
    shape.lathe(profile, segments, tiles_u, tiles_v);
    return shape;
}

// A ring that a ball of radius 1 rests in, as wide as 0.6 of it.
ShapeBuilder stand() {
    ShapeBuilder shape(kBrass);
    shape.lathe({{0.75, -1.13}, {0.77, -1.02}, {0.70, -0.78}, {0.62, -0.76}, {0.60, -0.90}}, 24, 6.0, 1.0);
    return shape;
}

// Three steps with a slab on each.
std::vector<ShapeBuilder> shelf() {
    ShapeBuilder stone(kStone);
    ShapeBuilder slab(kDarkMarble);
    for (int i = 0; i < 3; ++i) {
        const double height = 0.5 + 0.3 * i;
        const double z = 0.46 * (1 - i);
        stone.box({0.0, height / 2 - 0.03, z}, {2.6, height + 0.02, 0.46 - 0.004 * i}, 0.015, 1.5);
        slab.box({0.0, height + 0.01, z + 0.02}, {2.7 - 0.006 * i, 0.07, 0.50}, 0.015, 1.5, {0.3 * i, 0.37 * i});
    }
    return list(std::move(stone), std::move(slab));
}

ShapeBuilder amphora() {
    ShapeBuilder shape(kGlaze);
    // Out and up, over the lip, and down inside.
    shape.lathe(smooth_profile({{0.13, 0.00},
                                {0.15, 0.04},
                                {0.09, 0.10},
                                {0.20, 0.26},
                                {0.33, 0.48},
                                {0.36, 0.66},
                                {0.30, 0.84},
                                {0.16, 0.96},
                                {0.12, 1.06},
                                {0.15, 1.20},
                                {0.20, 1.24},
                                {0.17, 1.24},
                                {0.11, 1.16},
                                {0.09, 1.04},
                                {0.14, 0.90}},
                               2),
                36, 2.0, 1.0);
    for (const double side : {-1.0, 1.0}) {  // handles
        shape.surface(
            18, 8,
            [side](double u, double v) -> Point {
                const double turn = mix(-0.22, 0.27, u);
                const double x = 0.15 + 0.16 * cosine(turn);
                const double y = 1.0 + 0.19 * sine(turn);
                const double r = 0.028 * cosine(v);
                return {side * (x + r * cosine(turn)), y + r * sine(turn), side * 0.035 * sine(v)};
            },
            1.0, 0.2);
    }
    return shape;
}

ShapeBuilder jar() {
    ShapeBuilder shape(kGlaze);
    shape.lathe(smooth_profile({{0.16, 0.00},
                                {0.18, 0.03},
                                {0.30, 0.16},
                                {0.38, 0.34},
                                {0.36, 0.52},
                                {0.26, 0.64},
                                {0.25, 0.68},
                                {0.30, 0.73},
                                {0.29, 0.76},
                                {0.22, 0.72},
                                {0.21, 0.60}},
                               3),
                36, 2.0, 1.0);
    return shape;
}

// Planks in a frame.
ShapeBuilder crate() {
    ShapeBuilder shape(kTimber);
    for (int i = 0; i < 5; ++i) {
        const double x = -0.36 + 0.18 * i;
        shape.box({x, 0.5, 0.0}, {0.17, 0.90, 0.90}, 0.012, 1.0);
    }
    constexpr double kFar = 0.46;
    for (const double a : {-kFar, kFar}) {
        for (const double b : {-kFar, kFar}) {
            shape.box({a, 0.5, b}, {0.09, 0.985, 0.09}, 0.012, 1.0);
            shape.box({a, 0.5 + b, 0.0}, {0.10, 0.10, 0.86}, 0.012, 1.0);
            shape.box({0.0, 0.5 + a, b}, {0.86, 0.095, 0.095}, 0.012, 1.0);
        }
    }
    return shape;
}

// A sheet 1.4 m wide that hangs 3.4 m down from the origin in soft folds, with its rod.
std::vector<ShapeBuilder> banner(std::uint32_t material) {
    ShapeBuilder cloth(material);
    cloth.surface(
        28, 40,
        [](double u, double v) -> Point {
            const double down = 1.0 - v;
            const double x = (u - 0.5) * (1.4 - 0.10 * down);
            const double tail = 0.30 * smooth_step(0.8, 1.0, down) * (1.0 - 2.0 * std::abs(u - 0.5));
            const double fold = 0.02 + 0.07 * down;
            return {x, -(3.4 - tail) * down, fold * (sine(2.5 * u + 0.35 * down) + 0.4 * sine(1.3 * down + 1.7 * u))};
        },
        1.0, 1.0);
    ShapeBuilder rod(kBrass);
    rod.surface(2, 12, [](double u, double v) -> Point {
        return {mix(-0.8, 0.8, u), 0.02 + 0.025 * sine(v), 0.025 * cosine(v)};
    });
    for (const double x : {-0.82, 0.82}) rod.box({x, 0.02, 0.0}, {0.07, 0.07, 0.07}, 0.02);
    return list(std::move(cloth), std::move(rod));
}

std::vector<ShapeBuilder> stairs() {
    ShapeBuilder shape(kLightMarble);
    ShapeBuilder rails(kBrass);
    for (int i = 0; i < 8; ++i) {  // each step reaches the ground behind the one before it
        const double height = 0.2 * (i + 1);
        shape.box({0.0, height / 2 - 0.05 - 0.002 * i, -0.32 * i}, {3.0 - 0.01 * i, height + 0.1 + 0.004 * i, 0.36},
                  0.02, 1.5);
    }
    shape.box({0.0, 0.795, -3.72}, {5.2, 1.69, 2.7}, 0.03, 1.5);
    for (const double x : {-1.62, 1.62}) {
        for (int i = 0; i < 5; ++i) {
            shape.box({x, 0.55 + 0.2 * i, -0.05 - 0.55 * i}, {0.2, 1.2 + 0.4 * i, 0.2}, 0.03, 1.0);
        }
        rails.surface(10, 6, [x](double u, double v) -> Point {
            return {x + 0.05 * cosine(-u), mix(1.03, 2.88, v) + 0.05 * sine(-u), mix(0.17, -2.37, v)};
        });
    }
    return list(std::move(shape), std::move(rails));
}

std::vector<ShapeBuilder> lamp() {
    ShapeBuilder shape(kBrass);
    ShapeBuilder flames(kFlame);
    const auto ring = [&shape](double radius, double height, double tube) {
        shape.surface(64, 10, [=](double u, double v) -> Point {
            const double r = radius + tube * cosine(v);
            return {r * cosine(-u), height + tube * sine(v), r * sine(-u)};
        });
    };
    ring(0.8, 0.0, 0.045);
    ring(0.5, 0.35, 0.03);
    for (int i = 0; i < 8; ++i) {
        const double x = 0.8 * cosine(i / 8.0);
        const double z = 0.8 * sine(i / 8.0);
        shape.box({x, 0.1, z}, {0.10, 0.16, 0.10}, 0.03);
        flames.surface(8, 6, [=](double u, double v) -> Point {
            const double r = 0.028 * sine(0.5 * v) * (1.3 - 0.9 * v);
            return {x + r * cosine(-u), 0.185 + 0.13 * v, z + r * sine(-u)};
        });
    }
    shape.box({0.0, 1.0, 0.0}, {0.035, 1.9, 0.035}, 0.005);
    shape.box({0.0, 0.345, 0.0}, {1.0, 0.03, 0.03}, 0.005);
    shape.box({0.0, 0.35, 0.0}, {0.032, 0.032, 1.0}, 0.005);
    shape.box({0.0, -0.004, 0.0}, {1.6, 0.03, 0.03}, 0.005);
    shape.box({0.0, 0.0, 0.0}, {0.032, 0.032, 1.6}, 0.005);
    return list(std::move(shape), std::move(flames));
}

ShapeBuilder land() {
    ShapeBuilder shape(kMeadow);
    shape.surface(
        64, 64,
        [](double u, double v) -> Point {
            const double x = mix(-110.0, 110.0, u);
            const double z = mix(85.0, -135.0, v);
            return {x, land_height(x, z), z};
        },
        48.0, 48.0);
    return shape;
}

ShapeBuilder rock() {
    ShapeBuilder shape(kStone);
    const auto position = [](double u, double v) -> Point {
        const double turn = mix(-0.2495, 0.2495, v);
        const double r = 1.0 + 0.13 * sine(2.0 * u + 0.7 * v) * cosine(turn) + 0.09 * sine(3.0 * v + 0.3) +
                         0.06 * sine(5.0 * u) * sine(4.0 * v) * cosine(turn);
        return {r * cosine(turn) * cosine(-u), 0.7 * r * sine(turn), r * cosine(turn) * sine(-u)};
    };
    shape.surface(28, 16, position, 3.0, 2.0);
    return shape;
}

}  // namespace

double land_height(double x, double z) {
    // Distance from the building's footprint, which the land leaves flat.
    const double dx = std::max(std::abs(x) - 17.0, 0.0);
    const double dz = std::max(std::max(z - 4.0, -54.0 - z), 0.0);
    const double away = smooth_step(0.0, 60.0, std::sqrt(dx * dx + dz * dz));
    const double hills = 5.0 * sine(x * 0.017 + 0.2) * sine(z * 0.013) + 2.0 * sine(x * 0.041 + z * 0.023);
    return -0.55 + away * (4.5 + hills);
}

void make_parts(ImportedScene& scene, std::uint32_t seed, ThreadPool* pool) {
    make_materials(scene, seed, pool);
    scene.groups.resize(kPartCount);
    set_part(scene, kNaveFloor, "nave floor", floor_tiles(12, 12, kLightMarble, kDarkMarble));
    set_part(scene, kAisleFloor, "aisle floor", floor_tiles(8, 12, kStone, kGranite));
    set_part(scene, kNaveWall, "nave wall", wall(kPlaster, 12.0, {{0.0, 1.7, -0.2, 2.6}}, 1.5));
    set_part(scene, kNaveSideWall, "nave side wall",
             wall(kPlaster, 12.0, {{-2.9, 1.1, -0.2, 2.4}, {2.9, 1.1, -0.2, 2.4}}, 1.5));
    set_part(scene, kAisleWall, "aisle wall", wall(kBrick, 8.0, {{0.0, 1.2, -0.2, 2.2}}, 1.5));
    const std::vector<Opening> windows{{-3.0, 0.9, 1.2, 3.2}, {3.0, 0.9, 1.2, 3.2}};
    std::vector<ShapeBuilder> outer = wall(kBrick, 12.0, windows, 1.5);
    outer.push_back(glazing(windows));
    set_part(scene, kOuterWall, "outer wall", std::move(outer));
    set_part(scene, kNaveCeiling, "nave ceiling", skylight_ceiling());
    ShapeBuilder ceiling(kPlaster);
    ceiling.box({0.0, 6.2, 0.0}, {8.48, 0.4, 12.48}, 0.0, 2.0);
    ceiling.darken([](const Point& p) { return p[1] > 6.2 ? 1.0 : 0.55; });
    set_part(scene, kAisleCeiling, "aisle ceiling", list(std::move(ceiling)));
    ShapeBuilder pier(kStone);
    pier.box({0.0, 2.95, 0.0}, {0.86, 6.36, 0.86}, 0.05, 1.5);
    pier.box({0.0, 0.12, 0.0}, {1.02, 0.5, 1.02}, 0.04, 1.5);
    pier.box({0.0, 5.62, 0.0}, {1.04, 0.24, 1.04}, 0.04, 1.5);
    set_part(scene, kPier, "pier", list(std::move(pier)));
    set_part(scene, kColumn, "column", list(column()));
    ShapeBuilder beam(kTimber);
    beam.box({0.0, 5.86, 0.0}, {8.3, 0.36, 0.3}, 0.03, 1.0);
    for (const double x : {-3.6, 3.6}) beam.box({x, 5.6, 0.0}, {0.5, 0.26, 0.22}, 0.05, 1.0);
    set_part(scene, kBeam, "beam", list(std::move(beam)));
    ShapeBuilder plinth(kStone);
    plinth.surface(
        31, 53,
        [](double u, double v) -> Point {
            return {mix(-15.6, 15.6, u), -0.03, mix(1.1, -51.1, v)};
        },
        15.6, 26.1);
    plinth.box({0.0, -0.47, -25.0}, {32.2, 0.7, 53.2}, 0.06, 2.0);
    set_part(scene, kPlinth, "plinth", list(std::move(plinth)));
    ShapeBuilder pedestal(kDarkMarble);
    pedestal.box({0.0, 0.08, 0.0}, {1.3, 0.24, 1.3}, 0.03, 1.0);
    pedestal.box({0.0, 0.6, 0.0}, {0.94, 0.96, 0.94}, 0.03, 1.0);
    pedestal.box({0.0, 1.12, 0.0}, {1.14, 0.16, 1.14}, 0.03, 1.0);
    set_part(scene, kPedestal, "pedestal", list(std::move(pedestal)));
    set_part(scene, kKnot, "knot", list(knot()));
    set_part(scene, kSphere, "sphere", list(sphere(kGold, 48, 4.0, 2.0)));
    set_part(scene, kAmphora, "amphora", list(amphora()));
    set_part(scene, kJar, "jar", list(jar()));
    set_part(scene, kCrate, "crate", list(crate()));
    set_part(scene, kBanner, "banner", banner(kRedCloth));
    set_part(scene, kBlueBanner, "blue banner", banner(kBlueCloth));
    set_part(scene, kStairs, "stairs", stairs());
    set_part(scene, kLamp, "lamp", lamp());
    set_part(scene, kLand, "land", list(land()));
    set_part(scene, kTree, "tree", tree());
    set_part(scene, kBush, "bush", bush());
    set_part(scene, kRock, "rock", list(rock()));
    set_part(scene, kShelf, "shelf", shelf());
    set_part(scene, kStand, "stand", list(stand()));
    for (std::size_t i = 0; i < kBallMaterials.size(); ++i) {
        const MaterialId material = kBallMaterials[i];
        set_part(scene, static_cast<PartId>(kBalls + i), "ball of " + scene.scene.materials[material].name,
                 list(sphere(material, 32, 2.0, 1.0)));
    }
}

}  // namespace sublet::scene::builtin
