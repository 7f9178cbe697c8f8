// Vertices unpacked from the encoded streams on the spot. The includer declares `streams` and `payload`, and has included
// decode.glsl and geometry.glsl.

// `first_stream`: the sublet's first stream header; `lane`: the vertex within the sublet.
uvec2 encoded_position(uint mesh, uint first_stream, uint lane) {
    uint rank = stream_rank(meshes[mesh].streams_present, kStreamPosition);
    return decode_position(streams[first_stream + rank], meshes[mesh].payload_offset, lane);
}

VertexWords encoded_words(uint instance, uint first_stream, uint lane) {
    uint mesh = instances[instance].mesh;
    uint present = meshes[mesh].streams_present;
    uint payload_offset = meshes[mesh].payload_offset;
    VertexWords words = VertexWords(0u, 0u, 0u);
    if (stream_present(present, kStreamNormalTangent)) {
        words.normal = decode_normal_tangent(streams[first_stream + stream_rank(present, kStreamNormalTangent)], payload_offset,
                                             lane, (present & kHasTangentBit) != 0u);
    }
    if (kHasUv && stream_present(present, material_uv_stream(instance))) {
        words.uv =
            decode_uv(streams[first_stream + stream_rank(present, material_uv_stream(instance))], payload_offset, lane);
    }
    if (kHasColor && stream_present(present, kStreamColor)) {
        words.color =
            decode_word_4x8(streams[first_stream + stream_rank(present, kStreamColor)], payload_offset, lane);
    }
    return words;
}
