// A material evaluated at a point of a surface, from what was found out of that point, whoever did. The includer has
// included shade/textures.glsl and shade/light.glsl.
//
// C++ compiles this too (tests/shading_twin.h).

struct SurfacePoint {
    vec3 normal;   // unit length, of the side that counts as the front
    vec4 tangent;  // unit length; w: the sign of the bitangent
    bool behind;   // the back is seen
    vec4 color;    // of the vertices, linear
    vec2 uv[2];
    vec2 uv_dx[2];  // change over a pixel
    vec2 uv_dy[2];
    vec3 clip;      // x, y and w in clip space
    float scale;    // from the mesh's units to the world's
    vec3 position;  // Surface::position
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
    if (has_texture(slot, feature) && p.tangent.w != 0.0f) {
        vec3 color = vec3(sample_slot(slot, p));
        vec3 texel = color * vec3(2.0f) - vec3(1.0f);
        // Textures of two channels read 0 as blue, which no direction out of the surface has.
        if (color.z == 0.0f) {
            texel.z = sqrt(max(1.0f - texel.x * texel.x - texel.y * texel.y, 0.0f));
        }
        texel.x *= scale;
        texel.y *= scale;
        vec3 bitangent = cross(p.normal, vec3(p.tangent)) * p.tangent.w;
        normal = unit_normal(vec3(p.tangent) * texel.x + bitangent * texel.y + p.normal * texel.z);
    }
    return p.behind ? -normal : normal;
}
vec3 shading_normal(Material material, SurfacePoint p) {
    return mapped_normal(material.normal_texture, kFeatureNormalMap, material.normal_scale, p);
}

vec3 emission(Material material, SurfacePoint p) {
    if (!has_feature(kFeatureEmission)) {
        return vec3(0.0f);
    }
    vec3 color = vec3(material.emissive);
    if (has_texture(material.emissive_texture, kFeatureEmissiveMap)) {
        color *= vec3(sample_slot(material.emissive_texture, p));
    }
    return color;
}

// x: metallic, y: roughness.
vec2 metallic_roughness(Material material, SurfacePoint p) {
    vec2 factors = vec2(material.metallic, material.roughness);
    if (has_texture(material.metallic_roughness_texture, kFeatureMetallicRoughnessMap)) {
        vec4 texel = sample_slot(material.metallic_roughness_texture, p);
        factors *= vec2(texel.b, texel.g);
    }
    return factors;
}

// The share of light from all around that arrives.
float occlusion(Material material, SurfacePoint p) {
    if (!has_texture(material.occlusion_texture, kFeatureOcclusionMap)) {
        return 1.0f;
    }
    return 1.0f + material.occlusion_strength * (sample_slot(material.occlusion_texture, p).r - 1.0f);
}

// KHR_materials_ior and KHR_materials_specular. `color`: the base colour.
void add_specular(SUBLET_INOUT(Surface) s, MaterialLobes m, SurfacePoint p, float metallic, vec3 color) {
    float factor = m.specular.w;
    vec3 tint = vec3(m.specular);
    if (has_texture(m.specular_texture, kFeatureSpecularMap)) {
        factor *= sample_slot(m.specular_texture, p).a;
    }
    if (has_texture(m.specular_color_texture, kFeatureSpecularColorMap)) {
        tint *= vec3(sample_slot(m.specular_color_texture, p));
    }
    s.f0 = mix(min(m.reflectance * tint, vec3(1.0f)) * factor, color, metallic);
    s.f90 = vec3(mix(factor, 1.0f, metallic));
}

void add_clearcoat(SUBLET_INOUT(Surface) s, MaterialLobes m, SurfacePoint p) {
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

void add_sheen(SUBLET_INOUT(Surface) s, MaterialLobes m, SurfacePoint p) {
    s.sheen = vec3(m.sheen);
    s.sheen_roughness = m.sheen.w;
    if (has_texture(m.sheen_color_texture, kFeatureSheenColorMap)) {
        s.sheen *= vec3(sample_slot(m.sheen_color_texture, p));
    }
    if (has_texture(m.sheen_roughness_texture, kFeatureSheenRoughnessMap)) {
        s.sheen_roughness *= sample_slot(m.sheen_roughness_texture, p).a;
    }
}

// KHR_materials_transmission, _volume and _dispersion.
void add_transmission(SUBLET_INOUT(Surface) s, MaterialLobes m, SurfacePoint p) {
    s.transmission.share = m.transmission;
    s.transmission.thickness = m.thickness * p.scale;
    s.transmission.ior = m.ior;
    s.transmission.spread = m.absorption.w;
    s.transmission.absorption = vec3(m.absorption);
    s.transmission.clip = p.clip;
    if (has_texture(m.transmission_texture, kFeatureTransmissionMap)) {
        s.transmission.share *= sample_slot(m.transmission_texture, p).x;
    }
    if (has_texture(m.thickness_texture, kFeatureThicknessMap)) {
        s.transmission.thickness *= sample_slot(m.thickness_texture, p).y;
    }
}

// KHR_materials_anisotropy.
void add_anisotropy(SUBLET_INOUT(Surface) s, MaterialLobes m, SurfacePoint p) {
    vec2 direction = m.anisotropy_direction;
    s.anisotropy = m.anisotropy;
    if (has_texture(m.anisotropy_texture, kFeatureAnisotropyMap)) {
        vec3 texel = vec3(sample_slot(m.anisotropy_texture, p));
        vec2 drawn = vec2(texel.r, texel.g) * vec2(2.0f) - vec2(1.0f);
        direction = vec2(drawn.x * direction.x - drawn.y * direction.y, drawn.x * direction.y + drawn.y * direction.x);
        s.anisotropy *= texel.b;
    }
    vec3 bitangent = cross(p.normal, vec3(p.tangent)) * p.tangent.w;
    vec3 along = vec3(p.tangent) * direction.x + bitangent * direction.y;
    along -= s.normal * dot(s.normal, along);
    float squared = dot(along, along);
    // Without a direction it is the same all around.
    if (p.tangent.w == 0.0f || squared < 1e-8f) {
        s.anisotropy = 0.0f;
        return;
    }
    s.tangent = along * inversesqrt(squared);
}

// KHR_materials_iridescence.
void add_iridescence(SUBLET_INOUT(Surface) s, MaterialLobes m, SurfacePoint p) {
    s.iridescence = m.iridescence;
    s.film_ior = m.film_ior;
    s.film_thickness = m.film_thickness_maximum;
    if (has_texture(m.iridescence_texture, kFeatureIridescenceMap)) {
        s.iridescence *= sample_slot(m.iridescence_texture, p).r;
    }
    if (has_texture(m.film_thickness_texture, kFeatureIridescenceThicknessMap)) {
        float part = sample_slot(m.film_thickness_texture, p).g;
        s.film_thickness = mix(m.film_thickness_minimum, m.film_thickness_maximum, part);
    }
}

// `color`: the base colour; `factors`: metallic_roughness().
Surface surface_at(Material material, SurfacePoint p, vec3 color, vec2 factors) {
    Surface s;
    s.position = p.position;
    s.normal = shading_normal(material, p);
    s.diffuse = color * (1.0f - factors.x);
    s.f0 = mix(vec3(0.04f), color, factors.x);
    s.f90 = vec3(1.0f);
    s.emission = emission(material, p);
    s.roughness = factors.y;
    s.occlusion = occlusion(material, p);
    s.sun = 1.0f;
    s.clearcoat = 0.0f;
    s.sheen = vec3(0.0f);
    s.transmission.share = 0.0f;
    s.anisotropy = 0.0f;
    s.iridescence = 0.0f;
    const uint kAnyLobe = kFeatureSpecular | kFeatureClearcoat | kFeatureSheen | kFeatureTransmission |
                          kFeatureAnisotropy | kFeatureIridescence;
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
        if (has_feature(kFeatureTransmission)) {
            add_transmission(s, m, p);
        }
        if (has_feature(kFeatureAnisotropy)) {
            add_anisotropy(s, m, p);
        }
        if (has_feature(kFeatureIridescence)) {
            add_iridescence(s, m, p);
        }
    }
    return s;
}

bool is_unlit(Material material) { return !has_feature(kFeatureLit) || (material.flags & kMaterialUnlit) != 0u; }

// Radiance towards `v`.
vec3 shade_material(FrameData frame, Material material, SurfacePoint p, vec3 v) {
    vec3 color = vec3(base_color(material, p));
    if (is_unlit(material)) {
        return color;
    }
    return shade_surface(frame, surface_at(material, p, color, metallic_roughness(material, p)), v);
}
