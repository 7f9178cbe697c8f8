// Vertices from the buffers that the decode pass wrote. The includer declares `meshes`, `instances`, `materials`,
// `positions`, `attributes` and `frame`.

#include "vertex.glsl"

// Words before that of stream `type` (normals or later, bone indices excepted) in a vertex's attributes.
uint attribute_rank(uint streams_present, uint type) {
    return bitCount(streams_present & ((1u << type) - 1u) & ~((1u << kStreamNormalTangent) - 1u));
}

vec4 decoded_clip_position(uint instance, uint vertex) {
    uint mesh = instances[instance].mesh;
    vec3 object = object_position(positions[vertex], meshes[mesh].origin.xyz, meshes[mesh].aabb_min.w);
    return clip_position(frame.view.clip, transform_point(instances[instance].transform, object));
}

ShadedVertex decoded_vertex(uint instance, uint vertex) {
    uint mesh = instances[instance].mesh;
    uint present = meshes[mesh].streams_present;
    uint word = meshes[mesh].first_attribute + (vertex - meshes[mesh].first_vertex) * meshes[mesh].attribute_stride;

    ShadedVertex result;
    result.clip = decoded_clip_position(instance, vertex);
    result.normal = vec3(0.0, 1.0, 0.0);
    if ((present & (1u << kStreamNormalTangent)) != 0u) {
        result.normal = transform_normal(instances[instance].transform, unpack_normal(attributes[word]),
                                         (instances[instance].flags & kInstanceMirrored) != 0u);
    }
    uint material = instances[instance].material;
    uint uv_stream = materials[material].base_color_uv_set == 0u ? kStreamUv : kStreamUv1;
    result.uv = vec2(0.0);
    if ((present & (1u << uv_stream)) != 0u) {
        result.uv = unpack_uv(attributes[word + attribute_rank(present, uv_stream)], meshes[mesh].aabb_max.w);
    }
    result.uv = transform_uv(materials[material].uv_rows, result.uv);
    result.color = vec4(1.0);
    if ((present & (1u << kStreamColor)) != 0u) {
        result.color = unpackUnorm4x8(attributes[word + attribute_rank(present, kStreamColor)]);
    }
    return result;
}
