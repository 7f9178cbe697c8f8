// Transforms of texture coordinates (KHR_texture_transform), as the upload and the pass "animate" make them.
#ifndef SUBLET_SHARED_UV_TRANSFORM_H
#define SUBLET_SHARED_UV_TRANSFORM_H

#include "animation.h"
#include "scene.h"

SUBLET_SHARED_BEGIN

// translation * rotation * scale, the rotation counter-clockwise in a space whose v points down.
SUBLET_FUNCTION UvTransform uv_transform(vec2 offset, float rotation, vec2 scale) {
    vec2 turn = sine_and_cosine(rotation);
    SUBLET_PRECISE UvTransform r;
    r.rows[0].x = turn.y * scale.x;
    r.rows[0].y = turn.x * scale.y;
    r.rows[0].z = offset.x;
    r.rows[0].w = 0.0f;
    r.rows[1].x = -turn.x * scale.x;
    r.rows[1].y = turn.y * scale.y;
    r.rows[1].z = offset.y;
    r.rows[1].w = 0.0f;
    return r;
}

SUBLET_SHARED_END
#endif
