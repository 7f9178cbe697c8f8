// The product of a chain of local transforms (shared/animation.h). The includer declares `constants`.

layout(set = kPassSet, binding = kBindLocalTransforms, std430) readonly buffer Vectors { vec4 vectors[]; };
layout(set = kPassSet, binding = kBindLinks, std430) readonly buffer Links { uint links[]; };

struct Affine {
    vec4 rows[3];
};

// As scene::local_transform() has it, to the bit.
Affine local_transform(vec4 translation, vec4 q, vec4 scale) {
    precise float xx = q.x * q.x;
    precise float yy = q.y * q.y;
    precise float zz = q.z * q.z;
    precise float xy = q.x * q.y;
    precise float xz = q.x * q.z;
    precise float yz = q.y * q.z;
    precise float wx = q.w * q.x;
    precise float wy = q.w * q.y;
    precise float wz = q.w * q.z;
    precise Affine m;
    m.rows[0] = vec4((1.0 - 2.0 * (yy + zz)) * scale.x, (2.0 * (xy - wz)) * scale.y, (2.0 * (xz + wy)) * scale.z,
                     translation.x);
    m.rows[1] = vec4((2.0 * (xy + wz)) * scale.x, (1.0 - 2.0 * (xx + zz)) * scale.y, (2.0 * (yz - wx)) * scale.z,
                     translation.y);
    m.rows[2] = vec4((2.0 * (xz - wy)) * scale.x, (2.0 * (yz + wx)) * scale.y, (1.0 - 2.0 * (xx + yy)) * scale.z,
                     translation.z);
    return m;
}

// Not fused, as glm multiplies.
Affine product(Affine a, Affine b) {
    precise Affine m;
    for (int i = 0; i < 3; ++i) {
        m.rows[i] = a.rows[i].x * b.rows[0] + a.rows[i].y * b.rows[1] + a.rows[i].z * b.rows[2] +
                    vec4(0.0, 0.0, 0.0, a.rows[i].w);
    }
    return m;
}

// The product of a chain, and whether its determinant is negative: told by the signs of its scales, which no rounding
// turns.
Affine multiply_chain(MovedInstance of, uint copy, out bool mirrored) {
    Affine m;
    mirrored = false;
    for (uint i = 0u; i < of.link_count; ++i) {
        uint link = links[of.first_link + i];
        bool still = (link & kLinkMatrix) != 0u;
        uint at = (still ? 0u : constants.matrices + copy * constants.driven) + (link & kLinkMask);
        at *= kLinkVectors;
        Affine local = Affine(vec4[3](vectors[at], vectors[at + 1u], vectors[at + 2u]));
        if (!still) {
            vec4 scale = local.rows[2];
            mirrored = mirrored != (scale.x < 0.0) != (scale.y < 0.0) != (scale.z < 0.0);
            local = local_transform(local.rows[0], local.rows[1], scale);
        } else {
            mirrored = mirrored != ((link & kLinkMirrors) != 0u);
        }
        if (i == 0u) {
            m = local;
        } else {
            m = product(m, local);
        }
    }
    return m;
}

// Nothing of it where it is infinite or no number: nothing can be drawn by that.
Affine finite_or_zero(Affine m) {
    vec4 sums = abs(m.rows[0]) + abs(m.rows[1]) + abs(m.rows[2]);
    if (!(sums.x + sums.y + sums.z + sums.w < 1e30)) {
        return Affine(vec4[3](vec4(0.0), vec4(0.0), vec4(0.0)));
    }
    return m;
}
