// Bounds against the HiZ pyramid: is all that they can show behind what is drawn already?
//
// The including file defines `float hiz_load(uint index)` first: float `index` of the pyramid's buffer. HIZ_PIXELS: and
// `float depth_load(uvec2 pixel)`, of the depth image itself, the pyramid's level 0, for what is no larger than two
// pixels. C++ compiles this too (src/base/glsl.h), but for HIZ_PIXELS.
//
// Occluded means that the bound's nearest depth is STRICTLY farther (less, in reversed Z) than the farthest depth
// stored in a footprint that holds every pixel the bound can touch. An equal depth is kept: it may be the bound's own
// surface, drawn already.
//
// Precision of the comparison. The stored depths are exact, being the very ones that fragments are tested against; the
// bound's is not the depth that its fragments would get:
//   - its position: the bound has grown by more than vertices can stray from where it says (view/sphere_projection.glsl);
//   - clip.z / clip.w: a division and a conversion of a few units in the last place, 2^-21 of the value at most;
//   - interpolation: a device may evaluate a triangle's depth as a plane, and lose digits where that is steep, in
//     proportion to the slope and to the window's coordinates, since terms cancel. No limit is specified. Depths of an
//     edge-on triangle that changes by its whole depth over a pixel are off by 2^-24 * 2^12 = 2^-12 of it in a
//     4096-pixel window.
// kPerspectiveSlack gives all that 2^-12 of the value. With depth = near / z that is 1/4096 of the distance: a bound
// that lies just so little behind its occluder is drawn, which costs next to nothing. Orthographic depth is linear and
// near 1, and its range is far longer than the scene: 2^-18 of the range there.
//
// Precision of the footprint. A pixel counts when its centre is within view.magnitude.y of the projected bound, which
// is what vertices may be snapped and rounded by: pixel_slack() in render/view/occlusion.h. Single-sampled
// rasterisation at pixel centres is assumed.

#include "view/sphere_projection.glsl"

const float kPerspectiveSlack = 1.0 + 1.0 / 4096.0;
const float kOrthographicSlack = 1.0 / 262144.0;

// Pixels low.x to high.x, low.y to high.y, both included.
struct PixelRect {
    uvec2 low;
    uvec2 high;
};

// The pixels of the window from `low` to `high`. False when there are none (outside the window) or the numbers are
// none.
bool clamp_to_window(HizLayout hiz, vec2 low, vec2 high, SUBLET_OUT(PixelRect) rect) {
    vec2 last = vec2(hiz.width - 1u, hiz.height - 1u);
    if (!(high.x >= 0.0f && high.y >= 0.0f && low.x <= last.x && low.y <= last.y)) {
        rect.low = rect.high = uvec2(0u);
        return false;
    }
    rect.low = uvec2(clamp(low, vec2(0.0), last));
    rect.high = max(rect.low, uvec2(clamp(high, vec2(0.0), last)));
    return true;
}

// The first and the last pixel, in x and in y, whose centres the bound can reach: where last is less there is none.
vec2 first_pixel(OcclusionView view, ProjectedBound bound) {
    precise vec2 first = ceil(bound.low - (0.5f + view.magnitude.y));
    return first;
}
vec2 last_pixel(OcclusionView view, ProjectedBound bound) {
    precise vec2 last = floor(bound.high - (0.5f - view.magnitude.y));
    return last;
}

// True only when nothing that lies in the bound can cover a pixel's centre: it lies between them.
bool misses_centers(OcclusionView view, ProjectedBound bound) {
    vec2 first = first_pixel(view, bound);
    vec2 last = last_pixel(view, bound);
    return last.x < first.x || last.y < first.y;
}

// The pixels of the window whose centres the bound can reach. False when they are outside of it, or the bound is no
// number.
bool pixels_of(OcclusionView view, ProjectedBound bound, SUBLET_OUT(PixelRect) rect) {
    return clamp_to_window(view.hiz, first_pixel(view, bound), last_pixel(view, bound), rect);
}

// The finest stored level at which the rectangle touches at most 2x2 texels.
uint level_of(HizLayout hiz, PixelRect rect) {
    uvec2 span = rect.high - rect.low;
    uint longer = max(max(span.x, span.y), 1u);
    // ceil(log2): pixels at most 2^L apart are in the same or in neighbouring texels of level L. Rounded down, three
    // could be touched.
    uint level = clamp(uint(findMSB(longer - 1u) + 1), hiz.first_level, hiz.last_level);
    if (level > hiz.first_level) {
        // One finer when the rectangle happens to lie that way.
        uvec2 texels = (rect.high >> (level - 1u)) - (rect.low >> (level - 1u));
        level -= max(texels.x, texels.y) <= 1u ? 1u : 0u;
    }
    return level;
}

// The farthest depth stored for the rectangle's corners' texels at a level.
float farthest_depth(HizLayout hiz, PixelRect rect, uint level) {
    uvec2 low = rect.low >> level;
    uvec2 high = rect.high >> level;
    uint width = (hiz.width + (1u << level) - 1u) >> level;
    uint pitch = (width + 1u) & ~1u;
    uint first = hiz.offsets[level >> 2u][level & 3u];
    uint upper = first + low.y * pitch;
    uint lower = first + high.y * pitch;
    return min(min(hiz_load(upper + low.x), hiz_load(upper + high.x)),
               min(hiz_load(lower + low.x), hiz_load(lower + high.x)));
}

// The comparison. `farthest`: the least depth stored in the bound's footprint.
bool strictly_farther(OcclusionView view, float nearest, float farthest) {
    precise float limit = view.depth.w != 0.0f ? nearest + kOrthographicSlack : nearest * kPerspectiveSlack;
    return limit < farthest;
}

#ifdef HIZ_PIXELS
// The farthest depth of 2x2 pixels at most.
float farthest_of_pixels(PixelRect rect) {
    return min(min(depth_load(rect.low), depth_load(uvec2(rect.high.x, rect.low.y))),
               min(depth_load(uvec2(rect.low.x, rect.high.y)), depth_load(rect.high)));
}
#endif

// What lies in the pixels `first` to `last` and nowhere nearer than depth `nearest`: a triangle, whose vertices' own
// depths these are, and its pixels those of primitive_cull.glsl.
bool window_box_occluded(OcclusionView view, vec2 first, vec2 last, float nearest) {
    PixelRect rect;
    if (!clamp_to_window(view.hiz, first, last, rect)) {
        return false;  // what is outside the window is not for this test to judge
    }
#ifdef HIZ_PIXELS
    uvec2 span = rect.high - rect.low;
    if (max(span.x, span.y) <= 1u) {
        return strictly_farther(view, nearest, farthest_of_pixels(rect));
    }
#endif
    return strictly_farther(view, nearest, farthest_depth(view.hiz, rect, level_of(view.hiz, rect)));
}

bool bound_occluded(OcclusionView view, ProjectedBound bound) {
    PixelRect rect;
    if (!pixels_of(view, bound, rect)) {
        return false;  // what is outside the window is not for this test to judge
    }
    return strictly_farther(view, bound.depth, farthest_depth(view.hiz, rect, level_of(view.hiz, rect)));
}

// True only when no fragment of what lies in the sphere (world space, see world_sphere()) can pass a depth test against
// the image that the pyramid was made from. False at and inside the near plane, and outside the window.
bool sphere_occluded(OcclusionView view, vec3 center, float radius) {
    ProjectedBound bound;
    return project_sphere(view, center, radius, bound) && bound_occluded(view, bound);
}

// True only when nothing in the sphere can cover a pixel's centre. False at and inside the near plane.
bool sphere_misses_centers(OcclusionView view, vec3 center, float radius) {
    // Wider than a pixel each way, as nearly all are: no need to project it.
    float distance = view.depth.w != 0.0f ? 1.0f : max(view_position(view, center).z, 0.0f);
    if (2.0f * radius * min(view.window.x, view.window.y) > 2.0f * distance) {
        return false;
    }
    ProjectedBound bound;
    return project_sphere(view, center, radius, bound) && misses_centers(view, bound);
}

// The same of an object-space box under an instance's transform (rows of the affine object-to-world matrix).
bool box_occluded(OcclusionView view, const vec4 rows[3], vec3 low, vec3 high) {
    ProjectedBound bound;
    return project_box(view, rows, low, high, bound) && bound_occluded(view, bound);
}
