// A material evaluated at a point of a surface, from what was found out of that point, whoever did. The includer has
// included shade/textures.glsl and shade/light.glsl.

struct SurfacePoint {
    vec3 normal;   // unit length, of the side that counts as the front
    vec4 tangent;  // unit length; w: the sign of the bitangent
    bool behind;   // the back is seen
    vec4 color;    // of the vertices, linear
    vec2 uv[2];
    vec2 uv_dx[2];  // change over a pixel
    vec2 uv_dy[2];
};

vec4 sample_slot(TextureSlot slot, SurfacePoint p) {
    uint set = has_feature(kFeatureSecondUv) ? slot.place & kPlaceSecondSet : 0u;
    return sample_placed(slot, p.uv[set], p.uv_dx[set], p.uv_dy[set]);
}

bool has_texture(TextureSlot slot, uint feature) {
    return has_feature(feature) && slot.texture != kNoTexture;
}

// Linear.
vec4 base_color(Material material, SurfacePoint p) {
    vec4 color = material.base_color * p.color;
    if (has_texture(material.base_color_texture, kFeatureBaseColorMap)) {
        color *= sample_slot(material.base_color_texture, p);
    }
    return color;
}

// By a normal map where there is one. Of unit length, towards the side that is seen.
vec3 mapped_normal(TextureSlot slot, uint feature, float scale, SurfacePoint p) {
    vec3 normal = p.normal;
    if (has_texture(slot, feature) && p.tangent.w != 0.0) {
        vec3 texel = sample_slot(slot, p).xyz * 2.0 - 1.0;
        texel.xy *= scale;
        vec3 bitangent = cross(p.normal, p.tangent.xyz) * p.tangent.w;
        normal = unit_normal(p.tangent.xyz * texel.x + bitangent * texel.y + p.normal * texel.z);
    }
    return p.behind ? -normal : normal;
}
vec3 shading_normal(Material material, SurfacePoint p) {
    return mapped_normal(material.normal_texture, kFeatureNormalMap, material.normal_scale, p);
}

vec3 emission(Material material, SurfacePoint p) {
    if (!has_feature(kFeatureEmission)) {
        return vec3(0.0);
    }
    vec3 color = material.emissive.rgb;
    if (has_texture(material.emissive_texture, kFeatureEmissiveMap)) {
        color *= sample_slot(material.emissive_texture, p).rgb;
    }
    return color;
}

// x: metallic, y: roughness.
vec2 metallic_roughness(Material material, SurfacePoint p) {
    vec2 factors = vec2(material.metallic, material.roughness);
    if (has_texture(material.metallic_roughness_texture, kFeatureMetallicRoughnessMap)) {
        factors *= sample_slot(material.metallic_roughness_texture, p).bg;
    }
    return factors;
}

// The share of light from all around that arrives.
float occlusion(Material material, SurfacePoint p) {
    if (!has_texture(material.occlusion_texture, kFeatureOcclusionMap)) {
        return 1.0;
    }
    return 1.0 + material.occlusion_strength * (sample_slot(material.occlusion_texture, p).r - 1.0);
}

// KHR_materials_ior and KHR_materials_specular. `color`: the base colour.
void add_specular(inout Surface s, MaterialLobes m, SurfacePoint p, float metallic, vec3 color) {
    float factor = m.specular.w;
    vec3 tint = m.specular.rgb;
    if (has_texture(m.specular_texture, kFeatureSpecularMap)) {
        factor *= sample_slot(m.specular_texture, p).a;
    }
    if (has_texture(m.specular_color_texture, kFeatureSpecularColorMap)) {
        tint *= sample_slot(m.specular_color_texture, p).rgb;
    }
    s.f0 = mix(min(m.reflectance * tint, vec3(1.0)) * factor, color, metallic);
    s.f90 = vec3(mix(factor, 1.0, metallic));
}

void add_clearcoat(inout Surface s, MaterialLobes m, SurfacePoint p) {
    s.clearcoat = m.clearcoat;
    s.clearcoat_roughness = m.clearcoat_roughness;
    if (has_texture(m.clearcoat_texture, kFeatureClearcoatMap)) {
        s.clearcoat *= sample_slot(m.clearcoat_texture, p).r;
    }
    if (has_texture(m.clearcoat_roughness_texture, kFeatureClearcoatRoughnessMap)) {
        s.clearcoat_roughness *= sample_slot(m.clearcoat_roughness_texture, p).g;
    }
    s.clearcoat_normal =
        mapped_normal(m.clearcoat_normal_texture, kFeatureClearcoatNormalMap, m.clearcoat_normal_scale, p);
}

void add_sheen(inout Surface s, MaterialLobes m, SurfacePoint p) {
    s.sheen = m.sheen.rgb;
    s.sheen_roughness = m.sheen.w;
    if (has_texture(m.sheen_color_texture, kFeatureSheenColorMap)) {
        s.sheen *= sample_slot(m.sheen_color_texture, p).rgb;
    }
    if (has_texture(m.sheen_roughness_texture, kFeatureSheenRoughnessMap)) {
        s.sheen_roughness *= sample_slot(m.sheen_roughness_texture, p).a;
    }
}

Surface surface_at(Material material, SurfacePoint p) {
    Surface s;
    vec3 color = base_color(material, p).rgb;
    vec2 factors = metallic_roughness(material, p);
    s.normal = shading_normal(material, p);
    s.diffuse = color * (1.0 - factors.x);
    s.f0 = mix(vec3(0.04), color, factors.x);
    s.f90 = vec3(1.0);
    s.emission = emission(material, p);
    s.roughness = factors.y;
    s.occlusion = occlusion(material, p);
    s.clearcoat = 0.0;
    s.sheen = vec3(0.0);
    const uint kAnyLobe = kFeatureSpecular | kFeatureClearcoat | kFeatureSheen;
    if (has_feature(kAnyLobe) && material.lobes != kNoLobes) {
        MaterialLobes m = lobes[material.lobes];
        if (has_feature(kFeatureSpecular)) {
            add_specular(s, m, p, factors.x, color);
        }
        if (has_feature(kFeatureClearcoat)) {
            add_clearcoat(s, m, p);
        }
        if (has_feature(kFeatureSheen)) {
            add_sheen(s, m, p);
        }
    }
    return s;
}

// Radiance towards `v`.
vec3 shade_material(FrameData frame, Material material, SurfacePoint p, vec3 v) {
    if (!has_feature(kFeatureLit) || (material.flags & kMaterialUnlit) != 0u) {
        return base_color(material, p).rgb;
    }
    return shade_surface(frame, surface_at(material, p), v);
}
