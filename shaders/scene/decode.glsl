// Unpacks one value of one stream of a sublet: the GPU's half of mesh/decode.cpp, equal to it to the bit.
// The includer declares `payload[]` (uints) before.

#ifndef SUBLET_DECODE_GLSL
#define SUBLET_DECODE_GLSL

#include "shared/mesh_format.h"

uint stream_rank(uint streams_present, uint type) {
    return bitCount(streams_present & ((1u << type) - 1u));
}

bool stream_present(uint streams_present, uint type) {
    return (streams_present & (1u << type)) != 0u;
}

// Words before those of stream `type` (normals or later) in a vertex's attributes.
uint attribute_offset(uint streams_present, uint type) {
    uint before = streams_present & ((1u << type) - 1u) & ~((1u << kStreamNormalTangent) - 1u);
    return bitCount(before) + bitCount(before & kTwoWordStreams);
}

// The low bits of the 64-bit number high:low shifted right by `shift` (0 to 31).
uint funnel_shift(uint low, uint high, uint shift) {
    return (low >> shift) | ((high << 1u) << (31u - shift));
}

// The low `width` bits (0 to 31) of each.
uvec4 low_bits(uvec4 bits, uvec4 width) {
    return bits & ~(uvec4(~0u) << width);
}

// The vertex indices of a triangle, 5 bits each.
uvec3 unpack_triangle(uint packed) {
    return uvec3(packed & 31u, packed >> 5u & 31u, packed >> 10u & 31u);
}

// The three sublet-local vertex indices of triangle `index`. `payload_offset` is the mesh's.
uvec3 decode_triangle(StreamHeader header, uint payload_offset, uint index) {
    uint bit = index * 15u;
    uint word = payload_offset + header.offset_in_words + (bit >> 5u);
    return unpack_triangle(funnel_shift(payload[word], payload[word + 1u], bit & 31u));
}

// The four components of value `index` of any other stream, 16 bits each (absent ones are their base, 0), not
// sign-extended. Two loads at most: the encoder sees to it that no value touches a third word.
uvec4 decode_value(StreamHeader header, uint payload_offset, uint index) {
    uvec4 width = (uvec4(header.bits) >> uvec4(0u, 5u, 10u, 15u)) & 31u;
    uint second = width.x + width.y;  // where the third component starts
    uint total = second + width.z + width.w;
    uvec4 value = uvec4(header.base_value[0], header.base_value[0] >> 16u, header.base_value[1],
                        header.base_value[1] >> 16u);
    if (total != 0u) {
        uint bit = index * total;
        uint word = payload_offset + header.offset_in_words + (bit >> 5u);
        uint low = payload[word];
        uint high = payload[word + 1u];
        bit &= 31u;
        // 32 bits hold the first two components, and 32 more bits the others: none has more than 16.
        uint xy = funnel_shift(low, high, bit);
        bit += second;
        bool beyond = bit >= 32u;
        uint zw = funnel_shift(beyond ? high : low, beyond ? 0u : high, bit & 31u);
        value += low_bits(uvec4(xy, xy >> width.x, zw, zw >> width.z), width);
    }
    return value & 0xffffu;
}

// A position of 16 bits a component as one of more is packed: shared/mesh_format.h, SUBLET_WIDE_POSITIONS.
uvec2 with_sign_bits(uvec2 packed) {
    int z = bitfieldExtract(int(packed.y), 0, 16);
    uint high = high_position_bits(bitfieldExtract(int(packed.x), 0, 16), int(packed.x) >> 16, z);
    return uvec2(packed.x, (packed.y & 0xffffu) | high << 16u);
}

// Grid integers of a position, packed as the decoded buffer holds them: x | y << 16, z.
uvec2 decode_position(StreamHeader header, uint payload_offset, uint index) {
    uvec4 value = decode_value(header, payload_offset, index);
    uvec2 packed = uvec2(value.x | (value.y << 16u), value.z);
    return SUBLET_WIDE_POSITIONS ? with_sign_bits(packed) : packed;
}

// The attribute words of a stream of type `type`. The second counts in types of two (kTwoWordStreams). A tangent's
// sign, where the sublet left it out, is put back.
uvec2 decode_words(StreamHeader header, uint payload_offset, uint index, uint streams_present, uint type) {
    uvec4 value = decode_value(header, payload_offset, index);
    if ((kByteStreams & (1u << type)) == 0u) {
        return uvec2(value.x | (value.y << 16u), value.z | (value.w << 16u));
    }
    uint mode = (header.bits >> 20u) & 3u;
    if (type == kStreamNormalTangent && (streams_present & kHasTangentBit) != 0u && mode != kTangentSignInLowBit) {
        value.w = (value.w << 1u) | mode;
    }
    value &= 0xffu;
    return uvec2(value.x | (value.y << 8u) | (value.z << 16u) | (value.w << 24u), 0u);
}

#endif
