// Primitive culling with one mistake at a time: what the proof must be able to see.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "render/view/primitive_cull.h"

namespace sublet::test {

enum class Mistake {
    None,                    // the copy that the mistakes are made in: it must agree with the original
    BoxNotWidened,           // pixel centres looked for between the vertices where we rounded them to
    BoxOneSided,             // widened on the low side alone
    BoxWithoutLowEnd,        // a pixel centre just at the low side forgotten
    BoxWithoutHighEnd,       // or just at the high one
    EdgesWithoutSlack,       // coverage tested for the vertices where we rounded them to
    EdgesHalfSlack,          // half the slack that an edge needs
    EdgesSlackOfOneEnd,      // one vertex of an edge taken as fixed
    CoverageIgnoresWinding,  // coverage tested as if every triangle were clockwise
    CoverageOfFirstSample,   // the other pixel centres of the box forgotten
    AreaWithoutSlack,        // facing decided by the sign of the area alone
    AreaHalfSlack,           // half the slack that the area needs
    AreaTakenAsExact,        // without the roundings of large products
    AreaOfBothSides,         // a double-sided triangle tested for facing
};
inline constexpr std::array kMistakes{Mistake::BoxNotWidened,         Mistake::BoxOneSided,
                                      Mistake::BoxWithoutLowEnd,      Mistake::BoxWithoutHighEnd,
                                      Mistake::EdgesWithoutSlack,     Mistake::EdgesHalfSlack,
                                      Mistake::EdgesSlackOfOneEnd,    Mistake::CoverageIgnoresWinding,
                                      Mistake::CoverageOfFirstSample, Mistake::AreaWithoutSlack,
                                      Mistake::AreaHalfSlack,         Mistake::AreaTakenAsExact,
                                      Mistake::AreaOfBothSides};
const char* mistake_name(Mistake mistake);

// window_triangle_visible() with the mistake.
bool mistaken_window_visible(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, uint32_t winding,
                             const render::primitive_cull::CullViewport& viewport, Mistake mistake);

enum class ClipMistake {
    None,
    CodesAfterDivision,  // planes tested in normalised device coordinates
    AnyCodeRejects,      // one vertex outside a plane is enough
    NearRejects,         // one vertex nearer than the near plane is enough
    BehindIgnored,       // window positions of vertices behind the eye taken seriously
    NearReversed,        // the near plane taken for the far one
};
inline constexpr std::array kClipMistakes{ClipMistake::CodesAfterDivision, ClipMistake::AnyCodeRejects,
                                          ClipMistake::NearRejects, ClipMistake::BehindIgnored,
                                          ClipMistake::NearReversed};
const char* clip_mistake_name(ClipMistake mistake);

// clip_code(), window_position() and primitive_visible() with the mistake.
bool mistaken_clip_visible(const std::array<glm::vec4, 3>& clip, uint32_t winding,
                           const render::primitive_cull::CullViewport& viewport, ClipMistake mistake);

}  // namespace sublet::test
