// Textures by their definition: what a filter may give, as a range of colours.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "scene/scene.h"

namespace sublet::reference {

// Linear colours and alpha, each channel on its own.
struct Range {
    glm::dvec4 low{0.0};
    glm::dvec4 high{0.0};
};

// What is known of the place that a pixel looks up, in texels of level 0, the first texel covering 0 to 1.
struct Lookup {
    glm::dvec2 place{0.0};
    glm::dvec2 slack{0.0};      // how far off a device's place may be
    glm::dvec2 footprint{0.0};  // how far from the place the neighbouring pixels' places are
    double longest = 0.0;       // the longest of the steps between neighbouring pixels; infinite where none is known
};

class Texture {
  public:
    // Of an image of kRawImageType, whose bytes are sRGB-encoded.
    Texture(const scene::Image& image, const scene::Sampler& sampler);

    // A device magnifies: it looks at the image itself.
    [[nodiscard]] static bool magnified(const Lookup& lookup);
    // Magnified: the filter's own result, as exactly as the place is known. Else a filter averages texels of the
    // footprint, in one level or another: anything between the least and the greatest of them.
    [[nodiscard]] Range sample(const Lookup& lookup) const;

    [[nodiscard]] glm::dvec2 size() const { return {width_, height_}; }

  private:
    [[nodiscard]] const glm::dvec4& texel(long x, long y) const;
    [[nodiscard]] glm::dvec4 linear(const glm::dvec2& place) const;
    // Of all texels that a rectangle touches.
    [[nodiscard]] Range touched(const glm::dvec2& low, const glm::dvec2& high) const;
    [[nodiscard]] Range interpolated(const glm::dvec2& low, const glm::dvec2& high) const;

    long width_, height_;
    int wrap_s_, wrap_t_;
    bool nearest_;
    std::vector<glm::dvec4> texels_;
    Range all_;
};

// IEC 61966-2-1, both from 0 to 1.
double srgb_decode(double encoded);
double srgb_encode(double linear);

}  // namespace sublet::reference
