// What shading reads of a vertex, from the decoded buffers or the encoded streams. The includer has included
// sublet_geometry.glsl.

#include "shade/features.glsl"

const uint kAnyTangent = kFeatureNormalMap | kFeatureClearcoatNormalMap | kFeatureAnisotropy;

// The first attribute word of stream `type`, which the mesh has.
uint attribute_word(Sublet s, uint lane, uint type) {
    uint present = meshes[s.mesh].streams_present;
    if (type == kStreamNormalTangent && mesh_deforms(s.mesh)) {
        return deformed_vertex(s.mesh, s.primitives.base_value[0] + lane).w;
    }
    if (kEncoded) {
        StreamHeader header = streams[s.first_stream + stream_rank(present, type)];
        return decode_words(header, meshes[s.mesh].payload_offset, lane, present, type).x;
    }
    uint vertex = s.primitives.base_value[0] + lane;
    uint first_word = meshes[s.mesh].first_attribute + vertex * meshes[s.mesh].attribute_stride;
    return attributes[first_word + attribute_offset(present, type)];
}

bool has_normals(Sublet s) {
    return stream_present(meshes[s.mesh].streams_present, kStreamNormalTangent);
}
bool has_tangents(Sublet s) {
    return (meshes[s.mesh].streams_present & kHasTangentBit) != 0u;
}

// Edges of a triangle, from its first corner, in object space. Where the mesh does not deform they are differences on the
// grid, so they are exact, but for the grid's scale, which is left out.
struct TriangleEdges {
    vec3 to_second;
    vec3 to_third;
};
TriangleEdges triangle_edges(Sublet s, uvec3 corners) {
    if (mesh_deforms(s.mesh)) {
        vec3 first = sublet_position(s, corners.x);
        return TriangleEdges(sublet_position(s, corners.y) - first, sublet_position(s, corners.z) - first);
    }
    vec3 origin = unpack_position(sublet_grid_position(s, corners.x));
    return TriangleEdges(unpack_position(sublet_grid_position(s, corners.y)) - origin,
                         unpack_position(sublet_grid_position(s, corners.z)) - origin);
}

// For a mesh without normals: that of the triangle's own plane.
vec3 plane_normal(Sublet s, uvec3 corners) {
    TriangleEdges edges = triangle_edges(s, corners);
    precise vec3 a = edges.to_second;
    precise vec3 b = edges.to_third;
    precise vec3 normal = a.yzx * b.zxy - a.zxy * b.yzx;
    return transform_normal(instances[s.instance].transform, normal, instances[s.instance].flags);
}

vec2 vertex_uv(Sublet s, uint lane, uint type) {
    if (!stream_present(meshes[s.mesh].streams_present, type)) {
        return vec2(0.0);
    }
    return unpack_uv(attribute_word(s, lane, type), meshes[s.mesh].aabb_max.w);
}
