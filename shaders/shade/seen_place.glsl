// Where what a pixel sees lies. The includer has included scene/bindings.glsl, and declares `constants`, whose size is
// that of the picture.

// How far along the line of sight it lies.
float distance_of(float depth) {
    vec4 row = frame.view.clip[2];
    return frame.view.eye.w == 0.0 ? row.w / depth
                                   : (dot(row.xyz, frame.view.eye.xyz) + row.w - depth) / length(row.xyz);
}

// In the world. By the depth alone, which is the same to the bit in whatever way it was drawn.
vec3 position_of(ivec2 pixel, float distance) {
    vec2 shift = vec2(frame.across[0].w, frame.across[1].w);
    vec2 at = fma(vec2(pixel) + 0.5, 2.0 / vec2(constants.size), -shift - 1.0);
    vec3 beside = frame.across[0].xyz * at.x + frame.across[1].xyz * at.y;
    float times = frame.view.eye.w == 0.0 ? distance : 1.0;
    return frame.view.eye.xyz + frame.view.forward.xyz * distance + beside * times;
}
