#include "texture.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <stdexcept>

namespace sublet::reference {
namespace {

// A device's filter weighs texels by at least this fraction of a texel (VkPhysicalDeviceLimits::subTexelPrecisionBits
// of 8, which lavapipe and GPUs have).
constexpr double kWeightStep = 1.0 / 256.0;

// Steps, in texels, below which a device magnifies. By the formula they are those below 1, but it may take sums of a
// step's parts for its length, and, where it filters anisotropically, of two steps.
constexpr double kSurelyMagnified = 0.5;

// How far beyond the neighbours' places a filter reads: a texel of the level for the filter itself and another for the
// texels that this one was averaged of, and levels double from the one below the step's logarithm to the one above it.
constexpr double kFilterReach = 4.0;

long wrap(long i, long size, int mode) {
    switch (mode) {
        case 33071:  // clamp to edge
            return std::clamp(i, 0L, size - 1);
        case 33648: {  // mirrored repeat
            const long j = ((i % (2 * size)) + 2 * size) % (2 * size);
            return j < size ? j : 2 * size - 1 - j;
        }
        default:
            return ((i % size) + size) % size;
    }
}

void include(Range& range, const glm::dvec4& color) {
    range.low = glm::min(range.low, color);
    range.high = glm::max(range.high, color);
}

// The ends of an interval, and the centres of texels in it: between those a linear filter is monotone.
std::vector<double> turns(double low, double high) {
    std::vector<double> out{low, high};
    for (double centre = std::floor(low) + 0.5; centre < high; centre += 1.0) {
        if (centre > low) out.push_back(centre);
    }
    return out;
}

}  // namespace

double srgb_decode(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double srgb_encode(double linear) {
    const double c = std::clamp(linear, 0.0, 1.0);
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
}

Texture::Texture(const scene::Image& image, const scene::Sampler& sampler)
    : width_(image.width),
      height_(image.height),
      wrap_s_(sampler.wrap_s),
      wrap_t_(sampler.wrap_t),
      nearest_(sampler.mag_filter == 9728) {
    if (image.mime_type != scene::kRawImageType) throw std::invalid_argument("the reference reads raw images alone");
    for (std::size_t i = 0; i + 3 < image.bytes.size(); i += 4) {
        texels_.emplace_back(srgb_decode(image.bytes[i] / 255.0), srgb_decode(image.bytes[i + 1] / 255.0),
                             srgb_decode(image.bytes[i + 2] / 255.0), image.bytes[i + 3] / 255.0);
    }
    all_ = {texels_.at(0), texels_.at(0)};
    for (const glm::dvec4& color : texels_) include(all_, color);
}

const glm::dvec4& Texture::texel(long x, long y) const {
    return texels_[static_cast<std::size_t>(wrap(y, height_, wrap_t_) * width_ + wrap(x, width_, wrap_s_))];
}

glm::dvec4 Texture::linear(const glm::dvec2& place) const {
    const glm::dvec2 corner = glm::floor(place - 0.5);
    const glm::dvec2 f = place - 0.5 - corner;
    const auto x = static_cast<long>(corner.x);
    const auto y = static_cast<long>(corner.y);
    return glm::mix(glm::mix(texel(x, y), texel(x + 1, y), f.x), glm::mix(texel(x, y + 1), texel(x + 1, y + 1), f.x),
                    f.y);
}

Range Texture::touched(const glm::dvec2& low, const glm::dvec2& high) const {
    // Mirrored, the texels come round after twice the size.
    if (!(high.x - low.x < 2.0 * size().x && high.y - low.y < 2.0 * size().y)) return all_;
    const auto x0 = static_cast<long>(std::floor(low.x));
    const auto y0 = static_cast<long>(std::floor(low.y));
    Range out{texel(x0, y0), texel(x0, y0)};
    for (long y = y0; y <= static_cast<long>(std::floor(high.y)); ++y) {
        for (long x = x0; x <= static_cast<long>(std::floor(high.x)); ++x) include(out, texel(x, y));
    }
    return out;
}

Range Texture::interpolated(const glm::dvec2& low, const glm::dvec2& high) const {
    Range out{linear(low), linear(low)};
    for (const double y : turns(low.y, high.y)) {
        for (const double x : turns(low.x, high.x)) include(out, linear({x, y}));
    }
    return out;
}

bool Texture::magnified(const Lookup& lookup) {
    return lookup.longest < kSurelyMagnified;
}

Range Texture::sample(const Lookup& lookup) const {
    const glm::dvec2 slack = lookup.slack + (nearest_ ? 0.0 : kWeightStep);
    if (magnified(lookup)) {
        return nearest_ ? touched(lookup.place - slack, lookup.place + slack)
                        : interpolated(lookup.place - slack, lookup.place + slack);
    }
    if (!(lookup.longest < std::max(size().x, size().y))) return all_;
    const glm::dvec2 reach = lookup.footprint + slack + kFilterReach * lookup.longest;
    return touched(lookup.place - reach, lookup.place + reach);
}

}  // namespace sublet::reference
