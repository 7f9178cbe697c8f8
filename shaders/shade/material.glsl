// What leaves a point of a surface: a material evaluated from what was found out of that point, whoever did. The
// includer has included shade/textures.glsl.

#include "shade/light.glsl"

struct SurfacePoint {
    vec3 normal;  // unit length, towards the side that is seen
    vec3 color;   // of the vertices, linear
    vec2 uv;
    vec2 uv_dx;  // change over a pixel
    vec2 uv_dy;
};

// Linear.
vec3 base_color(Material material, SurfacePoint point) {
    vec3 color = material.base_color.rgb * point.color;
    if (material.base_color_texture != kNoTexture) {
        bool anisotropic = (material.flags & kMaterialIsotropic) == 0u;
        color *= sample_texture(material.base_color_texture, point.uv, point.uv_dx, point.uv_dy, anisotropic).rgb;
    }
    return color;
}

// Linear.
vec3 shade_material(FrameData frame, Material material, SurfacePoint point) {
    vec3 color = base_color(material, point);
    return (material.flags & kMaterialUnlit) != 0u ? color : shade(frame, color, point.normal);
}
