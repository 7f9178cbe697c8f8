#pragma once

#include <cstdint>

#include "render/view/camera.h"

namespace sublet::render {

// One shadow map: what it is drawn by.
struct ShadowMapView {
    static constexpr std::uint32_t kOfSun = ~0U;

    View view;
    std::uint32_t size = 0;        // texels along a side
    std::uint32_t light = kOfSun;  // whose it is: the number of a punctual light
    std::uint32_t number = 0;      // among the maps of that light
    std::uint32_t layer = 0;       // its place among all maps of its kind
    float texel = 0.0F;            // its width, in units; in perspective at a distance of 1
    float depth = 0.0F;            // of the sun: units that depths from 0 to 1 are
    float cleared = 0.0F;          // the depth where nothing is nearer: behind it nothing casts a shadow

    friend bool operator==(const ShadowMapView&, const ShadowMapView&) = default;
};

}  // namespace sublet::render
