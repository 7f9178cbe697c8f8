#include "scene/builtin/foliage.h"

#include <cmath>
#include <utility>

#include "scene/builtin/materials.h"
#include "scene/builtin/numbers.h"

namespace sublet::scene::builtin {
namespace {

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

}  // namespace

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
    std::vector<ShapeBuilder> result;
    result.push_back(std::move(wood));
    result.push_back(std::move(leaves));
    return result;
}

std::vector<ShapeBuilder> bush() {
    ShapeBuilder wood(kBark);
    ShapeBuilder leaves(kLeaves);
    Random random(12);
    add_branch(wood, {0.0, -0.15, 0.0}, {0.02, 0.6, 0.0}, 0.035, 0.03, 7);
    add_crown(leaves, random, {{0.0, 0.66, 0.0}, {0.32, 0.32, 0.32}, 170, 0.2});
    std::vector<ShapeBuilder> result;
    result.push_back(std::move(wood));
    result.push_back(std::move(leaves));
    return result;
}

}  // namespace sublet::scene::builtin
