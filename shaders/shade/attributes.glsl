// What shading reads of a vertex, from the decoded buffers or the encoded streams. The includer has included
// sublet_geometry.glsl.

#include "shade/features.glsl"

const uint kAnyTangent = kFeatureNormalMap | kFeatureClearcoatNormalMap | kFeatureAnisotropy;

// The first attribute word of stream `type`, which the mesh has.
uint attribute_word(Sublet s, uint lane, uint type) {
    uint present = meshes[s.mesh].streams_present;
    if (kEncoded == kEncodedCompact) {
        return sublet_compact_words(s, lane, type).x;
    }
    if (kEncoded == kEncodedPlain) {
        return decode_words(streams[stream_of(s, type)], meshes[s.mesh].payload_offset, lane, present, type).x;
    }
    uint vertex = s.first_vertex + lane;
    uint first_word = meshes[s.mesh].first_attribute + vertex * meshes[s.mesh].attribute_stride;
    return attributes[first_word + attribute_offset(present, type)];
}

bool has_normals(Sublet s) {
    return stream_present(meshes[s.mesh].streams_present, kStreamNormalTangent);
}
bool has_tangents(Sublet s) {
    return (meshes[s.mesh].streams_present & kHasTangentBit) != 0u;
}

vec2 vertex_uv(Sublet s, uint lane, uint type) {
    if (!stream_present(meshes[s.mesh].streams_present, type)) {
        return vec2(0.0);
    }
    return unpack_uv(attribute_word(s, lane, type), meshes[s.mesh].aabb_max.w);
}
