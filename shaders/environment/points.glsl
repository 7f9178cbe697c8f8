// Points that sample lobes: the same ones everywhere, so that pictures are the same every time.

// Hammersley's set: evenly spread over the unit square.
vec2 hammersley(uint index, uint count) {
    return vec2(float(index) / float(count), float(bitfieldReverse(index)) * (1.0 / 4294967296.0));
}

// A half vector that GGX's microfacets face, about z, as often as they do.
vec3 ggx_half_vector(vec2 point, float alpha) {
    float turn = 6.28318530718 * point.x;
    float cosine = sqrt((1.0 - point.y) / (1.0 + (alpha * alpha - 1.0) * point.y));
    float sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    return vec3(sine * cos(turn), sine * sin(turn), cosine);
}
