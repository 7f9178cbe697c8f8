// Shades a pixel of any backend's triangles.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_nonuniform_qualifier : require

#include "scene_bindings.glsl"
#include "shade.glsl"

layout(set = 1, binding = 0) uniform sampler2D textures[];

layout(location = 0) in vec3 in_normal;
layout(location = 1) in vec2 in_uv;
layout(location = 2) in vec4 in_color;
layout(location = 3) flat in uint in_instance;

layout(location = 0) out vec4 out_color;

layout(constant_id = 8) const bool kHasUv = true;
layout(constant_id = 9) const bool kHasColor = true;

void main() {
    uint flags = instances[in_instance].flags;
    Material material = materials[instances[in_instance].material];
    vec3 albedo = material.base_color.rgb;
    if (kHasColor) {
        albedo *= in_color.rgb;
    }
    if (kHasUv && material.base_color_texture != kNoTexture) {
        albedo *= texture(textures[nonuniformEXT(material.base_color_texture)], in_uv).rgb;
    }
    if ((material.flags & kMaterialUnlit) != 0u) {
        out_color = vec4(srgb_encode(albedo), 1.0);
        return;
    }
    vec3 n = normalize(in_normal);
    if ((flags & kInstanceClassMask) == kClassDoubleSided) {
        // The rasteriser's front is counter-clockwise; a mirrored instance's own front is the other one.
        bool front = gl_FrontFacing != ((flags & kInstanceMirrored) != 0u);
        n = front ? n : -n;
    }
    out_color = vec4(srgb_encode(shade(frame, albedo, n)), 1.0);
}
