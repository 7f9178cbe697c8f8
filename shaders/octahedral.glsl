// Octahedral unit vectors (Cigolle et al. 2014, "A Survey of Efficient Representations for Independent Unit Vectors").

// `e` in [-1, 1]^2 to a unit vector. Precise: every path must shade the same normal.
vec3 octahedral_decode(vec2 e) {
    precise vec3 v = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float t = max(-v.z, 0.0);
    v.x += v.x >= 0.0 ? -t : t;
    v.y += v.y >= 0.0 ? -t : t;
    precise float squared = v.x * v.x + v.y * v.y + v.z * v.z;
    precise vec3 unit = v * inversesqrt(squared);
    return unit;
}
