// A workgroup reads one sublet as it lies in the file: a triangle and a vertex for each lane.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/mesh_format.h"

layout(local_size_x = 32) in;
// The arrays of GeometryView, as they were uploaded.
layout(set = 0, binding = 0, std430) readonly buffer Meshes { MeshHeader meshes[]; };
layout(set = 0, binding = 1, std430) readonly buffer Streams { StreamHeader streams[]; };
layout(set = 0, binding = 2, std430) readonly buffer Payload { uint payload[]; };
layout(set = 0, binding = 3, std430) writeonly buffer Positions { vec4 positions[]; };
layout(set = 0, binding = 4, std430) writeonly buffer Normals { vec4 normals[]; };
layout(set = 0, binding = 5, std430) writeonly buffer Triangles { uvec4 triangles[]; };
layout(push_constant) uniform Push { uint mesh; };

#include "scene/decode.glsl"
#include "scene/unpack.glsl"

void main() {
    MeshHeader header = meshes[mesh];
    uint first_stream = header.first_stream + gl_WorkGroupID.x * header.stream_count;
    StreamHeader primitives = streams[first_stream];
    uint lane = gl_LocalInvocationID.x;
    // primitives.base_value: the sublet's first vertex and triangle in the mesh.
    if (lane < (primitives.bits & 0xffu)) {
        triangles[primitives.base_value[1] + lane] =
            uvec4(decode_triangle(primitives, header.payload_offset, lane) + primitives.base_value[0], 0u);
    }
    if (lane < ((primitives.bits >> 8u) & 0xffu)) {
        uint vertex = primitives.base_value[0] + lane;
        uint rank = stream_rank(header.streams_present, kStreamPosition);
        uvec2 packed = decode_position(streams[first_stream + rank], header.payload_offset, lane);
        positions[vertex] = vec4(object_position(packed, header.origin.xyz, header.aabb_min.w), 1.0);
        if (stream_present(header.streams_present, kStreamNormalTangent)) {
            rank = stream_rank(header.streams_present, kStreamNormalTangent);
            uvec2 words = decode_words(streams[first_stream + rank], header.payload_offset, lane,
                                       header.streams_present, kStreamNormalTangent);
            normals[vertex] = vec4(normalize(unpack_normal(words.x)), 0.0);
        }
    }
}
