// Positions unpacked from the encoded streams on the spot. The includer declares `streams` and `payload`, and has
// included decode.glsl and geometry.glsl.

// `first_stream`: the sublet's first stream header; `lane`: the vertex within the sublet.
uvec2 encoded_position(uint mesh, uint first_stream, uint lane) {
    uint rank = stream_rank(meshes[mesh].streams_present, kStreamPosition);
    return decode_position(streams[first_stream + rank], meshes[mesh].payload_offset, lane);
}
