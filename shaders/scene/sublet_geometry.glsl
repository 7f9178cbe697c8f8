// One sublet, behind the same functions whether its vertices are read encoded or decoded. After scene/bindings.glsl.

#include "scene/compact_records.glsl"
#include "scene/geometry_decoded.glsl"
#include "scene/sublet_records.glsl"

layout(constant_id = kSpecEncoded) const uint kEncoded = kEncodedPlain;

struct Sublet {
    uint instance;
    uint mesh;
    uint number;  // within the mesh
    uint triangle_count;
    uint vertex_count;
    uint first_vertex;  // within the mesh
    uint resident;      // resident_sublet()
};

// `record`: of sublet_record(); zeros are those of a sublet without triangles.
Sublet make_sublet(uint instance, uint mesh, uint number, uvec3 record) {
    return Sublet(instance, mesh, number, record.y & 0xffu, record.y >> 8u & 0xffu, record.x, record.z);
}

uvec3 record_of(Sublet s) {
    return uvec3(s.first_vertex, s.triangle_count | s.vertex_count << 8u, s.resident);
}

uint stream_of(Sublet s, uint type) {
    uint first = meshes[s.mesh].first_stream + s.number * meshes[s.mesh].stream_count;
    return first + stream_rank(meshes[s.mesh].streams_present, type);
}

// `sublet` counts within the instance's mesh.
Sublet load_sublet(uint instance, uint sublet) {
    uint mesh = instances[instance].mesh;
    return make_sublet(instance, mesh, sublet, sublet_record(mesh, sublet));
}

Sublet no_sublet() {
    return make_sublet(0u, 0u, 0u, uvec3(0u));
}

// Sublet-local vertex indices of triangle `index` (< triangle_count).
uvec3 sublet_triangle(Sublet s, uint index) {
    return recorded_triangle(s.resident, index);
}

// The scene-wide decoded vertex of a sublet-local one.
uint sublet_vertex(Sublet s, uint lane) {
    return meshes[s.mesh].first_vertex + s.first_vertex + lane;
}

// `position`: on its mesh's grid.
CompactVertex sublet_compact_vertex(Sublet s, uint lane, out uvec2 position) {
    uint in_meshlet = s.number % kSubletsPerMeshlet;
    uint first = s.resident - in_meshlet;  // of the meshlet
    CompactRecord record = compact_records[first + in_meshlet];
    CompactPlace place = recorded_place(record, in_meshlet, lane);
    if (place.number != in_meshlet) {
        record = compact_records[first + place.number];
    }
    uint from = meshes[s.mesh].payload_offset;
    return begin_compact_vertex(from, record.bases.w - from, place.index, recorded_positions(record), position);
}

// A vertex's place on its mesh's grid, where that is found by the vertex's number: in any but the compact coding.
uvec2 sublet_indexed_position(Sublet s, uint lane) {
    if (kEncoded == kEncodedPlain) {
        return decode_position(streams[stream_of(s, kStreamPosition)], meshes[s.mesh].payload_offset, lane);
    }
    return decoded_position(s.mesh, sublet_vertex(s, lane));
}

// In any coding.
uvec2 sublet_grid_position(Sublet s, uint lane) {
    if (kEncoded == kEncodedCompact) {
        uvec2 position;
        sublet_compact_vertex(s, lane, position);
        return position;
    }
    return sublet_indexed_position(s, lane);
}

// A vertex in the instance's space, and where it is seen.
vec3 sublet_position(Sublet s, uint lane) {
    return vertex_position(s.mesh, s.first_vertex + lane, sublet_grid_position(s, lane));
}
vec4 sublet_clip(Sublet s, uint lane) {
    return vertex_clip(s.instance, s.mesh, s.first_vertex + lane, sublet_grid_position(s, lane));
}
