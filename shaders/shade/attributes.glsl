// What shading reads of a vertex, from the decoded buffers or the encoded streams. The includer has included
// sublet_geometry.glsl.

// Streams that the scene does not have cost nothing.
layout(constant_id = 8) const bool kHasUv = true;
layout(constant_id = 9) const bool kHasColor = true;

struct VertexAttributes {
    vec3 normal;  // world space, unit length
    vec2 uv;      // of the set that the base colour texture names
    vec4 color;
};

// The decoded attribute words that shading reads; 0 where the mesh has no such stream.
struct VertexWords {
    uint normal;
    uint uv;
    uint color;
};

// Words before that of stream `type` (normals or later, bone indices excepted) in a vertex's attributes.
uint attribute_rank(uint streams_present, uint type) {
    return bitCount(streams_present & ((1u << type) - 1u) & ~((1u << kStreamNormalTangent) - 1u));
}

uint decoded_word(uint present, uint first_word, uint type) {
    return (present & (1u << type)) != 0u ? attributes[first_word + attribute_rank(present, type)] : 0u;
}

VertexWords decoded_words(Sublet s, uint uv_stream, uint lane) {
    uint present = meshes[s.mesh].streams_present;
    uint word = meshes[s.mesh].first_attribute + (s.primitives.base_value[0] + lane) * meshes[s.mesh].attribute_stride;
    VertexWords words;
    words.normal = decoded_word(present, word, kStreamNormalTangent);
    words.uv = kHasUv ? decoded_word(present, word, uv_stream) : 0u;
    words.color = kHasColor ? decoded_word(present, word, kStreamColor) : 0u;
    return words;
}

VertexWords encoded_words(Sublet s, uint uv_stream, uint lane) {
    uint present = meshes[s.mesh].streams_present;
    uint payload_offset = meshes[s.mesh].payload_offset;
    VertexWords words = VertexWords(0u, 0u, 0u);
    if (stream_present(present, kStreamNormalTangent)) {
        words.normal = decode_normal_tangent(streams[s.first_stream + stream_rank(present, kStreamNormalTangent)],
                                             payload_offset, lane, (present & kHasTangentBit) != 0u);
    }
    if (kHasUv && stream_present(present, uv_stream)) {
        words.uv = decode_uv(streams[s.first_stream + stream_rank(present, uv_stream)], payload_offset, lane);
    }
    if (kHasColor && stream_present(present, kStreamColor)) {
        words.color = decode_word_4x8(streams[s.first_stream + stream_rank(present, kStreamColor)], payload_offset, lane);
    }
    return words;
}

VertexAttributes vertex_attributes(Sublet s, Material material, uint lane) {
    uint uv_stream = material.base_color_uv_set == 0u ? kStreamUv : kStreamUv1;
    VertexWords words = kEncoded ? encoded_words(s, uv_stream, lane) : decoded_words(s, uv_stream, lane);
    uint present = meshes[s.mesh].streams_present;
    VertexAttributes result = VertexAttributes(vec3(0.0, 1.0, 0.0), vec2(0.0), vec4(1.0));
    if (stream_present(present, kStreamNormalTangent)) {
        result.normal = transform_normal(instances[s.instance].transform, unpack_normal(words.normal),
                                         instances[s.instance].flags);
    }
    if (kHasUv) {
        if (stream_present(present, uv_stream)) {
            result.uv = unpack_uv(words.uv, meshes[s.mesh].aabb_max.w);
        }
        result.uv = transform_uv(material.uv_rows, result.uv);
    }
    if (kHasColor && stream_present(present, kStreamColor)) {
        result.color = unpackUnorm4x8(words.color);
    }
    return result;
}
