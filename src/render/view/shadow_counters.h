#pragma once

#include <cstdint>

namespace sublet::render {

// Of the shadow maps of a picture.
struct ShadowCounters {
    std::uint32_t maps = 0;    // that it reads
    std::uint32_t drawn = 0;   // of those, in this frame; the others were kept
    std::uint32_t lights = 0;  // point and spot lights that have some of them

    bool operator==(const ShadowCounters&) const = default;
};

}  // namespace sublet::render
