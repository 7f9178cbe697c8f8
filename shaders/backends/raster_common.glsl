// What the passes of the compute rasteriser read and write. After scene/bindings.glsl, with `constants` declared.

#include "backends/raster_triangle.glsl"
#include "scene/sublet_geometry.glsl"
#include "view/visibility_id.glsl"
#include "scene/seen_triangle.glsl"
#include "scene/winding.glsl"
#include "backends/raster_numbers.glsl"
#include "shade/attributes.glsl"
#include "shade/barycentric.glsl"
#include "shade/textures.glsl"
#include "shade/alpha_test.glsl"
#include "backends/raster_pixels.glsl"

layout(constant_id = kSpecMasked) const bool kMasked = false;

// What a pixel's word tells of who is seen: the triangle of its sublet, and the last bits of the sublet's number. They
// are 34 bits at most, low word first. Where ids are wide, raster_wide_ids.comp finds the other bits.
uvec2 pixel_id(uvec2 number, uint triangle) {
    uint kept = number.x & constants.number_mask;
    return uvec2(kept * kSubletSize + triangle, kept >> 27u);
}
uvec2 pixel_id(Seen seen) { return pixel_id(sublet_number(seen), seen.triangle); }

layout(set = kPassSet, binding = kBindSurvivors, std430) readonly buffer SurvivorList { uvec2 survivors[]; };
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };

// A block of the window: what a workgroup draws of a large triangle at a time.
const uvec2 kRasterBlock = uvec2(512u, 16u);
// Large triangles: uvec2(slot of the sublet in the list, triangle | row of blocks << 5 | column << 16). And the slots
// of sublets whose large triangles did not all fit. With kLayers each of those triangles by itself, as far as there is
// room: slot * kSubletSize + triangle.
const uint kNoSlot = 0xffffffffu;  // in the list: nothing
layout(set = kPassSet, binding = kBindLargeTriangles, std430) buffer LargeTriangles { uvec2 large[]; };
layout(set = kPassSet, binding = kBindLeftSublets, std430) buffer LeftSublets { uint left_sublets[]; };
