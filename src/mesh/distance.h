// How far points lie from a surface of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sublet::mesh {

using Point = std::array<float, 3>;
using Corners = std::array<Point, 3>;

struct NearestTriangle {
    float squared = 0.0F;        // of the distance
    std::uint32_t triangle = 0;  // as the surface was given
};

// A tree of boxes over triangles.
class Surface {
  public:
    // At least one triangle, at most 2^28. Those from runs[i] on, up to the next run, lie near one another: large
    // surfaces whose triangles come in small runs are sorted sooner. The first run begins at 0.
    explicit Surface(std::span<const Corners> triangles, std::span<const std::uint32_t> runs = {});

    // The triangle nearest to a point; of several the first. Or some triangle whose squared distance is not more than
    // `enough`. Found sooner where `hint` is one that is near.
    [[nodiscard]] NearestTriangle nearest(const Point& point, std::uint32_t hint = 0, float enough = 0.0F) const;

  private:
    // Four children, each a node or a leaf, side by side for vectors of four floats. The last may be missing: their
    // boxes are infinitely far away.
    struct Node {
        std::array<std::array<float, 4>, 3> min, max;
        std::array<std::uint32_t, 4> child{};
    };
    // What is split: triangles from `first` on, or runs of them.
    struct Items {
        std::vector<Point> centers;       // of each, or three times that
        std::vector<std::uint32_t> runs;  // where they begin, and the last ends
        std::uint32_t first = 0;
        std::vector<std::uint64_t> keys;  // of a part that is halved
    };
    struct Box {
        Point min, max;
    };
    [[nodiscard]] std::vector<Point> centers(std::uint32_t begin, std::uint32_t end) const;
    std::uint32_t split(std::span<std::uint32_t> numbers, Items& items, Box& box);
    static std::size_t halve(std::span<std::uint32_t> numbers, Items& items);
    std::uint32_t make_leaf(std::span<const std::uint32_t> numbers, std::uint32_t first);

    std::vector<Corners> triangles_;     // as given
    std::vector<std::uint32_t> leaves_;  // numbers of triangles
    std::vector<Node> nodes_;
    std::uint32_t root_ = 0;
};

// The square of the distance between a point and a triangle, which may have no area. (Ericson, "Real-Time Collision
// Detection", 2005, section 5.1.5.)
[[nodiscard]] float squared_distance(const Point& point, const Corners& triangle);

// The weights of the corners at the point of a triangle above which a point lies, moved to its inside where that is
// outside; thirds where the triangle has no area.
[[nodiscard]] Point weights_at(const Point& point, const Corners& triangle);

}  // namespace sublet::mesh
