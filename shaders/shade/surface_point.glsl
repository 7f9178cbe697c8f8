// What is known of a point of a triangle, where a pixel sees it: place, normal, tangent, texture coordinates, colour,
// interpolated from the corners. The includer has included seen_point.glsl and material.glsl.

// An attribute's words at the corners: read side by side, since one read after the other waits three times.
uvec3 corner_words(SeenPoint p, uint type) {
    return uvec3(vertex_word(p.sublet, p.corners.x, p.vertices[0], type),
                 vertex_word(p.sublet, p.corners.y, p.vertices[1], type),
                 vertex_word(p.sublet, p.corners.z, p.vertices[2], type));
}

// Edges of a triangle, from its first corner, in object space. Where the mesh does not deform they are differences on
// the grid, so they are exact. The grid's scale is left out of those.
struct TriangleEdges {
    vec3 to_second;
    vec3 to_third;
};
TriangleEdges triangle_edges(SeenPoint p) {
    if (mesh_deforms(p.sublet.mesh)) {
        return TriangleEdges(p.vertices[1].place - p.vertices[0].place, p.vertices[2].place - p.vertices[0].place);
    }
    vec3 first = unpack_position(p.vertices[0].grid);
    return TriangleEdges(unpack_position(p.vertices[1].grid) - first, unpack_position(p.vertices[2].grid) - first);
}

// Across the plane that it lies in, in the world: of any length, and to either side.
vec3 seen_plane(SeenPoint p) {
    vec4 transform[3] = instances[p.seen.instance].transform;
    return cross(transform_direction(transform, p.vertices[1].place - p.vertices[0].place),
                 transform_direction(transform, p.vertices[2].place - p.vertices[0].place));
}

// For a mesh without normals: that of the triangle's own plane.
vec3 plane_normal(SeenPoint p) {
    TriangleEdges edges = triangle_edges(p);
    precise vec3 a = edges.to_second;
    precise vec3 b = edges.to_third;
    precise vec3 normal = a.yzx * b.zxy - a.zxy * b.yzx;
    return transform_normal(instances[p.seen.instance].transform, normal, instances[p.seen.instance].flags);
}

bool has_stream(SeenPoint p, uint type) { return stream_present(meshes[p.sublet.mesh].streams_present, type); }

// By differences: what is equal at the corners is exact, and its gradients are zero.
vec3 interpolate(vec3 weights, vec3 first, vec3 second, vec3 third) {
    return first + weights.y * (second - first) + weights.z * (third - first);
}
vec4 interpolate(vec3 weights, vec4 first, vec4 second, vec4 third) {
    return first + weights.y * (second - first) + weights.z * (third - first);
}

// Texture coordinates of the corners, and along two edges; 0 where the mesh has none.
struct CornerUv {
    vec2 first;
    vec2 to_second;
    vec2 to_third;
};

CornerUv corner_uv(SeenPoint p, uint type) {
    if (!has_stream(p, type)) {
        return CornerUv(vec2(0.0), vec2(0.0), vec2(0.0));
    }
    uvec3 words = corner_words(p, type);
    float scale = meshes[p.sublet.mesh].aabb_max.w;
    vec2 first = unpack_uv(words.x, scale);
    return CornerUv(first, unpack_uv(words.y, scale) - first, unpack_uv(words.z, scale) - first);
}

void place_uv(inout SurfacePoint point, uint set, CornerUv uv, Barycentrics at) {
    point.uv[set] = uv.first + at.weights.y * uv.to_second + at.weights.z * uv.to_third;
    point.uv_dx[set] = at.dx.y * uv.to_second + at.dx.z * uv.to_third;
    point.uv_dy[set] = at.dy.y * uv.to_second + at.dy.z * uv.to_third;
}

// Of a mesh without tangents: where the texture's u grows.
vec4 triangle_tangent(SeenPoint p, vec3 normal, CornerUv uv) {
    TriangleEdges edges = triangle_edges(p);
    vec3 along = edges.to_second * uv.to_third.y - edges.to_third * uv.to_second.y;
    float turned = uv.to_second.x * uv.to_third.y - uv.to_second.y * uv.to_third.x;
    vec3 tangent = transform_direction(instances[p.seen.instance].transform, turned < 0.0 ? -along : along);
    tangent -= normal * dot(normal, tangent);
    float squared = dot(tangent, tangent);
    if (turned == 0.0 || squared == 0.0) {
        return vec4(0.0);
    }
    bool mirrored = (instances[p.seen.instance].flags & kInstanceMirrored) != 0u;
    return vec4(tangent * inversesqrt(squared), (turned < 0.0) != mirrored ? 1.0 : -1.0);
}

// The set of texture coordinates that a material's tangents follow: its normal maps', which glTF wants to share one, or
// its anisotropy's.
uint tangent_set(Material material) {
    TextureSlot slot = material.normal_texture;
    const uint kOthers = kFeatureClearcoatNormalMap | kFeatureAnisotropyMap;
    if (has_feature(kOthers) && slot.texture == kNoTexture && material.lobes != kNoLobes) {
        slot = lobes[material.lobes].clearcoat_normal_texture;
        if (slot.texture == kNoTexture) {
            slot = lobes[material.lobes].anisotropy_texture;
        }
    }
    return slot.place & kPlaceSecondSet;
}

// Normals and tangents are interpolated in the mesh's space and turned into the world after that: once for a pixel, not
// for each corner.
void place_normal(inout SurfacePoint point, SeenPoint p, CornerUv along) {
    vec4 transform[3] = instances[p.seen.instance].transform;
    uint flags = instances[p.seen.instance].flags;
    uvec3 words = uvec3(0u);
    if (has_normals(p.sublet)) {
        words = corner_words(p, kStreamNormalTangent);
        vec3 normal = interpolate(p.at.weights, unit_direction(unpack_normal(words.x)),
                                  unit_direction(unpack_normal(words.y)), unit_direction(unpack_normal(words.z)));
        point.normal = transform_normal(transform, normal, flags);
    } else {
        point.normal = plane_normal(p);
    }
    if (!has_feature(kAnyTangent)) {
        return;
    }
    if (has_tangents(p.sublet)) {
        vec4 first = unpack_tangent(words.x);
        vec3 tangent = interpolate(p.at.weights, unit_direction(first.xyz), unit_direction(unpack_tangent(words.y).xyz),
                                   unit_direction(unpack_tangent(words.z).xyz));
        // A mirrored instance turns the cross product around.
        bool turned = (flags & kInstanceMirrored) != 0u;
        point.tangent =
            vec4(unit_normal(transform_direction(transform, tangent)), turned ? -first.w : first.w);
    } else {
        point.tangent = triangle_tangent(p, point.normal, along);
    }
}

// What it reads of the corners (seen_point()).
uint surface_attributes() {
    uint streams = 1u << kStreamNormalTangent;
    streams |= has_feature(kFeatureUv) ? 1u << kStreamUv : 0u;
    streams |= has_feature(kFeatureSecondUv) ? 1u << kStreamUv1 : 0u;
    return streams | (has_feature(kFeatureColor) ? 1u << kStreamColor : 0u);
}

SurfacePoint surface_point(SeenPoint p, Material material) {
    vec2 zeros[2] = vec2[2](vec2(0.0), vec2(0.0));
    SurfacePoint point = SurfacePoint(vec3(0.0), vec4(0.0), false, vec4(1.0), zeros, zeros, zeros,
                                      interpolate(p.at.weights, p.clip[0].xyw, p.clip[1].xyw, p.clip[2].xyw),
                                      instances[p.seen.instance].scale, vec3(0.0));
    CornerUv along = CornerUv(vec2(0.0), vec2(0.0), vec2(0.0));  // that tangents follow
    if (has_feature(kFeatureUv)) {
        along = corner_uv(p, kStreamUv);
        place_uv(point, 0u, along, p.at);
    }
    if (has_feature(kFeatureSecondUv)) {
        CornerUv uv = corner_uv(p, kStreamUv1);
        place_uv(point, 1u, uv, p.at);
        if (tangent_set(material) != 0u) {
            along = uv;
        }
    }
    if (has_feature(kFeatureColor) && has_stream(p, kStreamColor)) {
        uvec3 words = corner_words(p, kStreamColor);
        point.color = interpolate(p.at.weights, unpackUnorm4x8(words.x), unpackUnorm4x8(words.y),
                                  unpackUnorm4x8(words.z));
    }
    place_normal(point, p, along);
    uint flags = instances[p.seen.instance].flags;
    // Counter-clockwise as seen is the front; a mirrored instance's own front is the other one.
    point.behind = (flags & kInstanceDoubleSided) != 0u && (p.at.area < 0.0) == ((flags & kInstanceMirrored) != 0u);
    return point;
}
