// Meshes of the built-in scene: plain parametric shapes, in metres, +Y up, counter-clockwise fronts.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "mesh/vec3.h"
#include "scene/import.h"

namespace sublet::scene::builtin {

// Points and directions.
using Point = mesh::Vec3;
using mesh::cross, mesh::dot, mesh::minus, mesh::sum;

inline Point normalized(const Point& v) {
    const double length = std::sqrt(dot(v, v));
    return length > 0.0 ? Point{v[0] / length, v[1] / length, v[2] / length} : Point{0.0, 1.0, 0.0};
}

using Profile = std::vector<std::array<double, 2>>;  // radius, height: from bottom to top

// Collects the triangles of one mesh. Every vertex has a normal, texture coordinates and a tangent: the way that U
// grows, taken from the shape's own formula, so that it does not depend on a C library's functions.
class ShapeBuilder {
  public:
    explicit ShapeBuilder(std::uint32_t material) { mesh_.material = material; }

    // A patch of `columns` x `rows` quads over (u, v) in [0, 1]^2, seen from the side that du x dv points to. Normals
    // are the surface's own. Texture coordinates run to `tiles_u` and `tiles_v`.
    void surface(int columns, int rows, const std::function<Point(double, double)>& position, double tiles_u = 1.0,
                 double tiles_v = 1.0);

    // A box with bevelled edges. `size` is that of the whole; textures repeat every `tile` metres, from `shift` on.
    void box(const Point& center, const Point& size, double bevel, double tile = 1.0,
             const std::array<double, 2>& shift = {0.0, 0.0});

    // A profile turned about the Y axis; smooth. `flutes` grooves of relative depth `flute_depth` run along it.
    void lathe(const Profile& profile, int segments, double tiles_u = 1.0, double tiles_v = 1.0, int flutes = 0,
               double flute_depth = 0.0);

    // A flat polygon of three or four corners, counter-clockwise, with texture coordinates. It is lit as if its normal
    // were `normal` where that is given.
    void flat(const std::vector<Point>& corners, const std::vector<std::array<double, 2>>& uvs,
              const Point* normal = nullptr);

    // Gives every vertex a colour: grey, as much as `light` (0 to 1) says of its position. For what corners and
    // recesses get less of.
    void darken(const std::function<double(const Point&)>& light);

    [[nodiscard]] std::uint32_t material() const { return mesh_.material; }

    // The mesh. Without `with_tangents` it has none: they would cost bytes.
    [[nodiscard]] SourceMesh take(bool with_tangents);

  private:
    // `along_u`: the way that U grows; `up`: the way that V falls, which is upwards in a texture.
    std::uint32_t vertex(const Point& position, const Point& normal, const std::array<double, 2>& uv,
                         const Point& along_u, const Point& up);
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);

    SourceMesh mesh_;
};

// A round-headed opening in a wall: a door where `sill` is 0, else a window.
struct Opening {
    double center = 0.0;
    double radius = 1.0;  // half the width, and the arch's radius
    double sill = 0.0;
    double spring = 2.0;  // where the arch begins
};

// A wall along X, centred on the origin, `thickness` along Z, from y = `bottom` to `top`. Ends, top and bottom are
// open: piers, ceiling and floor cover them.
void add_wall(ShapeBuilder& shape, double length, double bottom, double top, double thickness,
              const std::vector<Opening>& openings, double tile);

// The roll moulding around an opening, on the wall's face at z.
void add_moulding(ShapeBuilder& shape, const Opening& opening, double z, double width, double depth);

// Smooth curve through the given points (Catmull-Rom), `per_span` segments between two of them.
[[nodiscard]] Profile smooth_profile(const Profile& points, int per_span);

}  // namespace sublet::scene::builtin
