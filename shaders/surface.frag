// Shades a pixel of any backend's triangles. HAS_UV, HAS_COLOR: 0 or 1, whether the scene has these streams. Mesh shaders pay for every
// output they declare, so an input that no scene fills is not declared.
//
// UNIFORM_SURFACE: all instances of the scene have the same surface_key(): a constant, and one attribute less to interpolate.
//
// FETCHED: the stages before hand on no attributes but the numbers of their decoded vertices; the three of a triangle are fetched here, and
// interpolated by the rasteriser's barycentric coordinates.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef FETCHED
#extension GL_EXT_fragment_shader_barycentric : require
#endif
#ifndef FEW_TEXTURES
#extension GL_EXT_nonuniform_qualifier : require
#endif

#include "scene_bindings.glsl"
#include "shade.glsl"
#ifdef FETCHED
#include "decoded_bindings.glsl"
#include "geometry_decoded.glsl"
#endif

#ifdef FEW_TEXTURES
// A device without descriptor indexing: constant indices alone, and explicit gradients, since a switch is no uniform control flow.
layout(set = 1, binding = 0) uniform sampler2D textures[16];
vec4 sample_texture(uint index, vec2 uv) {
    vec2 dx = dFdx(uv);
    vec2 dy = dFdy(uv);
    switch (index) {
#define CASE(n) \
    case n: return textureGrad(textures[n], uv, dx, dy);
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)
    }
    return vec4(1.0);
}
#else
layout(set = 1, binding = 0) uniform sampler2D textures[];
vec4 sample_texture(uint index, vec2 uv) {
    vec4 texel = texture(textures[nonuniformEXT(index)], uv);
    // Where all gradients are zero (a triangle has one texture coordinate) lavapipe's anisotropic filter divides zero by
    // zero: NaN, stored as black. By specification the level is 0 there and the filter that of magnification, so on
    // every other device this is the same texel. Explicit gradients lavapipe samples without anisotropy.
    return fwidth(uv) == vec2(0.0) ? textureLod(textures[nonuniformEXT(index)], uv, 0.0) : texel;
}
#endif

#ifdef FETCHED
layout(location = 0) pervertexEXT in uint in_vertex[];
layout(location = 3) flat in uint in_instance;
#else
layout(location = 0) in vec3 in_normal;
#ifdef UNIFORM_SURFACE
layout(constant_id = 10) const uint kSurface = 0u;
#else
layout(location = 3) flat in uint in_surface;
#endif
#if HAS_UV
layout(location = 1) in vec2 in_uv;
#endif
#if HAS_COLOR
layout(location = 2) in vec4 in_color;
#endif
#endif

layout(location = 0) out vec4 out_color;

#ifdef FETCHED
// What the other variants get from interpolation, under the same names.
vec3 in_normal;
vec2 in_uv;
vec4 in_color;

void fetch_attributes() {
    in_normal = vec3(0.0);
    in_uv = vec2(0.0);
    in_color = vec4(0.0);
    for (uint corner = 0u; corner < 3u; ++corner) {
        ShadedVertex vertex = shade_vertex(in_instance, vec4(0.0), decoded_words(in_instance, in_vertex[corner]));
        float weight = gl_BaryCoordEXT[corner];
        in_normal += weight * vertex.normal;
        in_uv += weight * vertex.uv;
        in_color += weight * vertex.color;
    }
}
#endif

void main() {
#ifdef FETCHED
    fetch_attributes();
    uint surface = surface_key(in_instance);
#elif defined(UNIFORM_SURFACE)
    uint surface = kSurface;
#else
    uint surface = in_surface;
#endif
    Material material = materials[surface >> kSurfaceMaterialShift];
    vec3 albedo = material.base_color.rgb;
#if HAS_COLOR
    albedo *= in_color.rgb;
#endif
#if HAS_UV
    if (material.base_color_texture != kNoTexture) {
        albedo *= sample_texture(material.base_color_texture, in_uv).rgb;
    }
#endif
    if ((material.flags & kMaterialUnlit) != 0u) {
        out_color = vec4(srgb_encode(albedo), 1.0);
        return;
    }
    vec3 n = normalize(in_normal);
    if ((surface & kSurfaceDoubleSided) != 0u) {
        // The rasteriser's front is counter-clockwise; a mirrored instance's own front is the other one.
        bool front = gl_FrontFacing != ((surface & kSurfaceMirrored) != 0u);
        n = front ? n : -n;
    }
    out_color = vec4(srgb_encode(shade(frame, albedo, n)), 1.0);
}
