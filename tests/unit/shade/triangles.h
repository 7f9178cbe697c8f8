// Random triangles about a pixel, the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <random>

namespace sublet::test {

// What barycentrics() is asked.
struct Question {
    std::array<glm::vec3, 3> corners{};  // clip x, y and w
    glm::vec2 pixel{0.0F};               // normalised device coordinates
    glm::vec2 step{0.0F};
};

enum class Family : std::uint8_t {
    kOrdinary,     // before the eye, pixels to hundreds of pixels from corner to corner
    kNear,         // one or two corners behind the eye
    kSliver,       // much longer than high
    kTiny,         // within a pixel
    kHuge,         // up to a million pixels
    kJustOutside,  // the pixel's centre lies beyond an edge
    kEdgeOn,       // its plane goes through the eye, but for rounding
};
inline constexpr std::size_t kFamilies = 7;
const char* family_name(Family family);

// Triangles around the centres of pixels of a window, wound either way. The centre lies inside, but for kJustOutside
// and kEdgeOn.
class TriangleMaker {
  public:
    explicit TriangleMaker(std::uint64_t seed) : engine_(seed) {}
    Question make(Family family);
    // Corners of any floats at all, infinities and no numbers among them.
    Question make_wild();

  private:
    double uniform(double low, double high);
    double log_uniform(double low, double high);
    glm::dvec2 offset(double low, double high);  // of so many pixels, in any direction
    float wild();

    // The standard's distributions differ between libraries.
    std::mt19937_64 engine_;
};

}  // namespace sublet::test
