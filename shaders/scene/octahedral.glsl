// Octahedral unit vectors (Cigolle et al. 2014, "A Survey of Efficient Representations for Independent Unit Vectors").

// `e` in [-1, 1]^2 to a vector of the unit vector's direction, 0.57 to 1 long: what follows normalises. Precise: every
// path must shade the same normal.
vec3 octahedral_direction(vec2 e) {
    precise vec3 v = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float t = max(-v.z, 0.0);
    v.x += v.x >= 0.0 ? -t : t;
    v.y += v.y >= 0.0 ? -t : t;
    return v;
}
