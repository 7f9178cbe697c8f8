// How far points lie from a surface of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sublet::mesh {

using Point = std::array<float, 3>;

struct NearestTriangle {
    float squared = 0.0F;        // of the distance
    std::uint32_t triangle = 0;  // as the surface was given
};

// A tree of boxes over triangles.
class Surface {
  public:
    // Corners of triangles, three for each; at least one triangle.
    explicit Surface(std::vector<std::array<Point, 3>> triangles);

    // The triangle nearest to a point; of several one, always the same.
    [[nodiscard]] NearestTriangle nearest(const Point& point) const;

  private:
    struct Node {
        Point min{}, max{};
        std::uint32_t first = 0;  // of its triangles in order_, or of its two children, which follow one another
        std::uint32_t count = 0;  // of triangles; 0: it has children
    };
    void split(std::uint32_t node, std::uint32_t first, std::uint32_t count);

    std::vector<std::array<Point, 3>> triangles_;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

// The square of the distance between a point and a triangle, which may have no area. (Ericson, "Real-Time Collision
// Detection", 2005, section 5.1.5.)
[[nodiscard]] float squared_distance(const Point& point, const std::array<Point, 3>& triangle);

}  // namespace sublet::mesh
