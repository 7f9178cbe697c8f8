// A vertex's place on its mesh's grid, from what the decode pass wrote. After scene/bindings.glsl.

#ifndef SUBLET_DECODED_POSITION_GLSL
#define SUBLET_DECODED_POSITION_GLSL

#include "scene/decode.glsl"

// `vertex` counts over the whole scene.
uvec2 decoded_position(uint mesh, uint vertex) {
    uvec2 packed = positions[vertex];
    if (kWidePositions) {
        if (meshes[mesh].position_bits > kNarrowPositionBits) {
            uint beyond = vertex - meshes[mesh].first_vertex + 1u;
            uint high = attributes[meshes[mesh].first_attribute + beyond * meshes[mesh].attribute_stride - 1u];
            packed.y = (packed.y & 0xffffu) | high << 16u;
        } else {
            packed = with_sign_bits(packed);
        }
    }
    return packed;
}

#endif
