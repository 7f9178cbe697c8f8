// Which side of an instance's triangles is drawn.

#include "shared/scene.h"

// Of an instance with these flags: kClassCounterClockwise, kClassClockwise or kClassDoubleSided. As a number that is
// kWinding... of cull/primitive_cull.glsl.
uint instance_winding(uint flags) {
    return (flags & kInstanceDoubleSided) != 0u ? kClassDoubleSided
           : (flags & kInstanceMirrored) != 0u  ? kClassClockwise
                                                : kClassCounterClockwise;
}

// Whether surfaces of a draw class are tested for alpha, and may face either way.
bool is_alpha_tested(uint draw_class) { return draw_class >= kClassMasked; }

// The same of one that is known to be of a draw class.
uint class_winding(uint draw_class, uint flags) {
    return is_alpha_tested(draw_class) ? instance_winding(flags) : draw_class;
}
