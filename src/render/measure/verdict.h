// What is found out about a picture that is held to direct draws.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sublet::render {

// How the compute rasteriser's picture differs from a graphics pipeline's: shaders/raster_difference.comp.
struct RasterDifferences {
    std::uint64_t edge_pixels = 0;   // the device may have snapped an edge over the pixel's centre
    std::uint64_t depth_pixels = 0;  // two triangles whose depths are closer than the bounds of either
    std::uint64_t wrong_pixels = 0;  // neither explains it, or a depth is beyond its bound
};

// Pixels where two correct pictures may differ.
struct AmbiguousPixels {
    std::uint64_t depth_ties = 0;
    std::uint64_t snapped_faces = 0;
    std::optional<RasterDifferences> raster;  // where the picture is the compute rasteriser's
    // Per pixel, row by row: bit 0 a depth tie, bit 1 a snapped face, bits 2, 3 and 4 an edge, a depth, a wrong pixel
    // of the compute rasteriser's.
    std::vector<std::uint8_t> mask;
};

}  // namespace sublet::render
