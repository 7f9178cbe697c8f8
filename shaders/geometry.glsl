// From the words of one vertex, wherever they come from, to what the rasteriser gets. The includer declares `meshes`, `instances`,
// `materials` and `frame` (scene_bindings.glsl).

#include "vertex.glsl"

// Streams that the scene does not have cost nothing: no backend hands on what no fragment reads. Mesh shaders, which pay for declared
// outputs, are compiled for each case; the others are specialised.
#ifdef HAS_UV
const bool kHasUv = HAS_UV != 0;
const bool kHasColor = HAS_COLOR != 0;
#else
layout(constant_id = 8) const bool kHasUv = true;
layout(constant_id = 9) const bool kHasColor = true;
#endif

// The decoded attribute words that shading reads; 0 where the mesh has no such stream.
struct VertexWords {
    uint normal;
    uint uv;  // of the set that the material's base colour texture names
    uint color;
};

// What fragments need to know of an instance, in one number (kSurface...).
uint surface_key(uint instance) {
    uint flags = instances[instance].flags;
    return (instances[instance].material << kSurfaceMaterialShift) |
           ((flags & kInstanceClassMask) == kClassDoubleSided ? kSurfaceDoubleSided : 0u) |
           ((flags & kInstanceMirrored) != 0u ? kSurfaceMirrored : 0u);
}

vec4 vertex_clip(uint instance, uvec2 packed) {
    uint mesh = instances[instance].mesh;
    vec3 object = object_position(packed, meshes[mesh].origin.xyz, meshes[mesh].aabb_min.w);
    return clip_position(frame.view.clip, transform_point(instances[instance].transform, object));
}

// The UV stream that the instance's material reads.
uint material_uv_stream(uint instance) {
    return materials[instances[instance].material].base_color_uv_set == 0u ? kStreamUv : kStreamUv1;
}

ShadedVertex shade_vertex(uint instance, vec4 clip, VertexWords words) {
    uint mesh = instances[instance].mesh;
    uint present = meshes[mesh].streams_present;
    ShadedVertex result;
    result.clip = clip;
    result.surface = surface_key(instance);
    result.normal = vec3(0.0, 1.0, 0.0);
    if ((present & (1u << kStreamNormalTangent)) != 0u) {
        result.normal = transform_normal(instances[instance].transform, unpack_normal(words.normal), instances[instance].flags);
    }
    result.uv = vec2(0.0);
    if (kHasUv) {
        if ((present & (1u << material_uv_stream(instance))) != 0u) {
            result.uv = unpack_uv(words.uv, meshes[mesh].aabb_max.w);
        }
        result.uv = transform_uv(materials[instances[instance].material].uv_rows, result.uv);
    }
    result.color = vec4(1.0);
    if (kHasColor && (present & (1u << kStreamColor)) != 0u) {
        result.color = unpackUnorm4x8(words.color);
    }
    return result;
}
