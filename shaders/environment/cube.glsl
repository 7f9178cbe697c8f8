// Texels of a cube's faces and directions. Faces are in Vulkan's order: +x, -x, +y, -y, +z, -z.

// Towards the middle of a texel; not of unit length.
vec3 cube_direction(uvec3 texel, uint size) {
    vec2 at = (vec2(texel.xy) + 0.5) * (2.0 / float(size)) - 1.0;
    switch (texel.z) {
        case 0u: return vec3(1.0, -at.y, -at.x);
        case 1u: return vec3(-1.0, -at.y, at.x);
        case 2u: return vec3(at.x, 1.0, at.y);
        case 3u: return vec3(at.x, -1.0, -at.y);
        case 4u: return vec3(at.x, -at.y, 1.0);
        default: return vec3(-at.x, -at.y, -1.0);
    }
}

// Steradians of a texel, about: its area over the cube of its distance.
float cube_solid_angle(vec3 direction, uint size) {
    float squared = dot(direction, direction);
    return 4.0 / (float(size * size) * squared * sqrt(squared));
}
