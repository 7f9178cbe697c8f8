// Holds a device's picture to the reference's drawing.
#pragma once

#include <cstddef>
#include <string>

#include "draw.h"
#include "render/renderer.h"

namespace sublet::reference {

struct Report {
    std::size_t sure = 0;     // pixels that were compared
    std::size_t covered = 0;  // of those: that a triangle covers
    std::size_t wrong_depth = 0;
    std::size_t wrong_color = 0;
    std::size_t wrong_id = 0;
    double worst_depth = 0.0;  // in slacks: 1 is what may be
    double worst_color = 0.0;  // how far out of its range, in 255ths
    std::string first;         // the first wrong pixel, in words
};

Report compare(const Drawing& drawing, const render::Picture& picture);

}  // namespace sublet::reference
