// Looking inside, for the shading pass: how large triangles are, their edges, what is selected, and what single pixels
// show. The includer has included seen.glsl, seen_triangle.glsl, barycentric.glsl and false_color.glsl.

// Pixels that the triangle would cover if all of it were as it is here. The weights of two corners are coordinates in
// which it has an area of a half.
float triangle_pixels(Barycentrics at) {
    float scale = abs(at.dx.x * at.dy.y - at.dx.y * at.dy.x);
    return scale > 0.0 ? 0.5 / scale : 0.0;  // one without an area has no gradients
}

// Below 1/4, 1, 4, 16, 64, and more.
uint density_step(float pixels) {
    uint step = 0u;
    for (float limit = 0.25; step + 1u < kDensitySteps && pixels >= limit; limit *= 4.0) {
        ++step;
    }
    return step;
}

// 1, 2, 3 to 4, 5 to 8 ...
uint overdraw_step(uint triangles) { return min(uint(findMSB(triangles - 1u) + 1), kOverdrawSteps - 1u); }

// Of a motion in pixels, y down. By logarithms, so that one pixel shows as well as many.
vec3 motion_color(vec2 motion) {
    float pixels = length(motion);
    float strength = min(log2(1.0 + pixels) / log2(1.0 + kMostMotion), 1.0);
    vec2 way = pixels > 0.0 ? motion / pixels * strength : vec2(0.0);
    return vec3(0.5 + 0.5 * way.x, 0.5 - 0.5 * way.y, 0.5);
}

// Edges of triangles, a pixel wide where two meet. Where triangles are a few pixels they would hide all else: there
// they fade.
vec3 with_edges(vec3 color, Barycentrics at) {
    vec3 slope = max(sqrt(at.dx * at.dx + at.dy * at.dy), vec3(1e-30));
    vec3 distance = at.weights / slope;
    float edge = clamp(1.0 - min(distance.x, min(distance.y, distance.z)), 0.0, 1.0);
    float strength = 0.8 * clamp(triangle_pixels(at) / 24.0, 0.15, 1.0);
    vec3 line = dot(color, vec3(0.3, 0.6, 0.1)) > 0.35 ? vec3(0.0) : vec3(1.0);
    return mix(color, line, edge * strength);
}

bool is_selected(ivec2 pixel) {
    if (depth_seen(pixel) == 0.0) {
        return false;
    }
    uvec2 id = id_seen(pixel);
    return id.x - constants.selected_first < constants.selected_count &&
           (!kWideIds || id.y - constants.selected_instance < constants.selected_instances);
}

// An outline two pixels wide, one to each side, and a light tint within.
vec3 with_selection(vec3 color, ivec2 pixel) {
    if (constants.selected_count == 0u) {
        return color;
    }
    bool selected = is_selected(pixel);
    bool border = false;
    ivec2 last = ivec2(constants.size) - 1;
    for (int i = 0; i < 4; ++i) {
        ivec2 step = ivec2(i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0);
        border = border || is_selected(clamp(pixel + step, ivec2(0), last)) != selected;
    }
    return mix(color, named_color(kColorSelection), border ? 1.0 : selected ? 0.25 : 0.0);
}

// The group that contains a meshlet; kNoLodGroup: none.
uint lod_group(Seen seen) {
    uint mesh = instances[seen.instance].mesh;
    if (!has_cut(mesh)) {
        return kNoLodGroup;
    }
    return cut_places[meshes[mesh].first_meshlet + place_of(mesh, seen.sublet / kSubletsPerMeshlet)].group;
}

// Its number, for a false colour; where there is none, that of its instance.
uint lod_group_number(Seen seen) { return meshlet_number(seen.instance, lod_group(seen)); }

// Of kAgeColors.
uint age_step(Seen seen) {
    uint group = lod_group(seen);
    uint came = group == kNoLodGroup ? 0u : group_came(group);
    if (came == 0u) {
        return 0u;
    }
    uint frames = frame.stream.x - came;
    return frames <= 4u ? 1u : frames <= 32u ? 2u : frames <= 256u ? 3u : 4u;
}

uint lod_level(Seen seen) { return level_of(instances[seen.instance].mesh, seen.sublet / kSubletsPerMeshlet); }

// Of what the cut allows, as it sees it.
float lod_error(Seen seen) {
    uint from = simplified_from(instances[seen.instance].mesh, seen.sublet / kSubletsPerMeshlet);
    if (from == kNoLodGroup) {
        return 0.0;
    }
    LodGroup group = lod_groups[from];
    float error = instances[seen.instance].scale * (frame.cut_scale * group.error);
    if (frame.cut_eye.w != 0.0) {
        return error;
    }
    vec4 sphere = vec4(group.sphere);
    vec3 center = transform_point(instances[seen.instance].transform, sphere.xyz);
    return error / max(distance(center, frame.cut_eye.xyz) - instances[seen.instance].scale * sphere.w, 1e-30);
}

// Of kResidencyColors.
uint residency_step(Seen seen) {
    uint from = simplified_from(instances[seen.instance].mesh, seen.sublet / kSubletsPerMeshlet);
    if (from == kNoLodGroup || !refines(from, instances[seen.instance], 0.0)) {
        return 0u;
    }
    float times = lod_error(seen);
    return times <= 2.0 ? 1u : times <= 4.0 ? 2u : times <= 16.0 ? 3u : 4u;
}

void inspect_pixel(ivec2 pixel, float depth) {
    if ((constants.inspect & kInspectNearest) != 0u) {
        // Bits of positive floats sort as they do. Few pixels are nearer than all before them: reading is cheap.
        uint bits = floatBitsToUint(depth);
        if (bits > inspected.nearest) {
            atomicMax(inspected.nearest, bits);
        }
    }
    if ((constants.inspect & kInspectProbes) == 0u || depth == 0.0) {
        return;
    }
    for (uint i = 0u; i < kMostProbes; ++i) {
        if (constants.probes[i] != (uint(pixel.x) | uint(pixel.y) << 16u)) {
            continue;
        }
        uvec2 id = id_seen(pixel);
        if (kWideIds && id.y == kNoTriangle) {
            continue;
        }
        Seen seen = seen_triangle(id);
        inspected.probes[i] = InspectedPixel(floatBitsToUint(depth), seen.instance, seen.sublet, seen.triangle,
                                             lod_level(seen), floatBitsToUint(lod_error(seen)));
    }
}
