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

// The way back, for a vector of any length; (0, 0) for one of none, or that is no number.
vec2 octahedral_coordinates(vec3 v) {
    precise float sum = abs(v.x) + abs(v.y) + abs(v.z);
    if (!(sum > 0.0 && sum < 1e38)) {
        return vec2(0.0);
    }
    precise vec2 e = v.xy / sum;
    precise vec2 folded = vec2(e.x >= 0.0 ? 1.0 - abs(e.y) : abs(e.y) - 1.0,  //
                               e.y >= 0.0 ? 1.0 - abs(e.x) : abs(e.x) - 1.0);
    return v.z < 0.0 ? folded : e;
}
