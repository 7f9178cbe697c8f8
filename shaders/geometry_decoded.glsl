// Vertices from the buffers that the decode pass wrote (decoded_bindings.glsl). `vertex` counts over the whole scene.

#include "geometry.glsl"

// Words before that of stream `type` (normals or later, bone indices excepted) in a vertex's attributes.
uint attribute_rank(uint streams_present, uint type) {
    return bitCount(streams_present & ((1u << type) - 1u) & ~((1u << kStreamNormalTangent) - 1u));
}

uint decoded_word(uint present, uint first_word, uint type) {
    return (present & (1u << type)) != 0u ? attributes[first_word + attribute_rank(present, type)] : 0u;
}

VertexWords decoded_words(uint instance, uint vertex) {
    uint mesh = instances[instance].mesh;
    uint present = meshes[mesh].streams_present;
    uint word = meshes[mesh].first_attribute + (vertex - meshes[mesh].first_vertex) * meshes[mesh].attribute_stride;
    VertexWords words;
    words.normal = decoded_word(present, word, kStreamNormalTangent);
    words.uv = kHasUv ? decoded_word(present, word, material_uv_stream(instance)) : 0u;
    words.color = kHasColor ? decoded_word(present, word, kStreamColor) : 0u;
    return words;
}

vec4 decoded_clip_position(uint instance, uint vertex) {
    return vertex_clip(instance, positions[vertex]);
}

ShadedVertex decoded_vertex(uint instance, uint vertex) {
    return shade_vertex(instance, decoded_clip_position(instance, vertex), decoded_words(instance, vertex));
}
