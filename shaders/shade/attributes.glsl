// What shading reads of a vertex, from the decoded buffers or the encoded streams. The includer has included
// sublet_geometry.glsl.

// Streams that the scene does not have cost nothing.
layout(constant_id = kSpecHasUv) const bool kHasUv = true;
layout(constant_id = kSpecHasColor) const bool kHasColor = true;

struct VertexAttributes {
    vec3 normal;  // world space, unit length
    vec2 uv;      // of the set that the base colour texture names
    vec4 color;
};

// The first attribute word of stream `type`, which the mesh has.
uint attribute_word(Sublet s, uint lane, uint type) {
    uint present = meshes[s.mesh].streams_present;
    if (kEncoded) {
        StreamHeader header = streams[s.first_stream + stream_rank(present, type)];
        return decode_words(header, meshes[s.mesh].payload_offset, lane, present, type).x;
    }
    uint vertex = s.primitives.base_value[0] + lane;
    uint first_word = meshes[s.mesh].first_attribute + vertex * meshes[s.mesh].attribute_stride;
    return attributes[first_word + attribute_offset(present, type)];
}

VertexAttributes vertex_attributes(Sublet s, Material material, uint lane) {
    uint uv_stream = material.base_color_uv_set == 0u ? kStreamUv : kStreamUv1;
    uint present = meshes[s.mesh].streams_present;
    VertexAttributes result = VertexAttributes(vec3(0.0, 1.0, 0.0), vec2(0.0), vec4(1.0));
    if (stream_present(present, kStreamNormalTangent)) {
        vec3 normal = unpack_normal(attribute_word(s, lane, kStreamNormalTangent));
        result.normal = transform_normal(instances[s.instance].transform, normal, instances[s.instance].flags);
    }
    if (kHasUv) {
        if (stream_present(present, uv_stream)) {
            result.uv = unpack_uv(attribute_word(s, lane, uv_stream), meshes[s.mesh].aabb_max.w);
        }
        result.uv = transform_uv(material.uv_rows, result.uv);
    }
    if (kHasColor && stream_present(present, kStreamColor)) {
        result.color = unpackUnorm4x8(attribute_word(s, lane, kStreamColor));
    }
    return result;
}
