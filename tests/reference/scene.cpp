#include "scene.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "mesh/mesh.h"

namespace sublet::reference {
namespace {

// KHR_texture_transform: scaled, turned counter-clockwise in a picture whose v points down, moved.
glm::dvec2 transform_uv(const scene::TextureRef& texture, const std::array<float, 2>& stored) {
    const glm::dvec2 scaled = glm::dvec2(stored[0], stored[1]) * glm::dvec2(texture.scale);
    const double c = std::cos(texture.rotation);
    const double s = std::sin(texture.rotation);
    return glm::dvec2(c * scaled.x + s * scaled.y, c * scaled.y - s * scaled.x) + glm::dvec2(texture.offset);
}

// Of all triangles of a mesh, whose sublets count from `first_sublet`, which moves on.
std::vector<std::uint32_t> triangle_ids(const mesh::MeshView& mesh, std::uint32_t& first_sublet) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t sublet = 0; sublet < mesh.header->sublet_count; ++sublet, ++first_sublet) {
        const std::uint32_t count = mesh::decode_sublet(mesh, sublet).triangle_count;
        for (std::uint32_t i = 0; i < count; ++i) ids.push_back(32 * first_sublet + i);
    }
    return ids;
}

void add_instance(const scene::EncodedScene& scene, const scene::Instance& instance, std::uint32_t number,
                  std::uint32_t& first_sublet, Scene& out) {
    const mesh::MeshView encoded = mesh::mesh_view(scene.geometry, instance.mesh);
    const mesh::MeshArrays mesh = mesh::decode(encoded, false);
    const std::vector<std::uint32_t> ids = triangle_ids(encoded, first_sublet);
    const scene::Material& material = scene.scene.materials[instance.material];
    const auto& uvs = material.base_color_texture.uv_set == 1 ? mesh.uv1 : mesh.uv0;
    const glm::dmat3 linear(glm::dmat4(instance.transform));
    const glm::dvec3 translation(instance.transform[3]);
    const glm::dmat3 normals = glm::transpose(glm::inverse(linear));  // planes stay planes
    for (std::size_t first = 0; first < mesh.indices.size(); first += 3) {
        Triangle triangle;
        triangle.id = ids.at(first / 3);
        triangle.instance = number;
        triangle.material = instance.material;
        triangle.mirrored = glm::determinant(linear) < 0.0;
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const std::uint32_t index = mesh.indices[first + corner];
            const auto& p = mesh.positions[index];
            const auto& n = mesh.normals.at(index);
            Vertex& vertex = triangle.corners[corner];
            const glm::dvec3 object(p[0], p[1], p[2]);
            vertex.position = linear * object + translation;
            vertex.normal = normals * glm::normalize(glm::dvec3(n[0], n[1], n[2]));
            vertex.uv = transform_uv(material.base_color_texture, uvs.empty() ? std::array<float, 2>{} : uvs[index]);
            if (!mesh.colors.empty()) {
                const auto& c = mesh.colors[index];
                vertex.color = {c[0], c[1], c[2], c[3]};
            }
            const double terms = glm::length(linear[0] * object.x) + glm::length(linear[1] * object.y) +
                                 glm::length(linear[2] * object.z) + glm::length(translation);
            triangle.magnitude = std::max(triangle.magnitude, terms);
        }
        out.triangles.push_back(triangle);
    }
}

// A node's light, which shines along its -z.
Light placed(const scene::Light& light, const glm::dmat4& world, double texels) {
    Light out;
    out.position = glm::dvec3(world[3]);
    out.color = glm::dvec3(light.color);
    out.intensity = light.intensity;
    out.range = light.range;
    out.spot = light.type == scene::LightType::kSpot;
    out.direction = -glm::normalize(glm::dvec3(world[2]));
    out.inner = light.inner_cone;
    out.outer = light.outer_cone;
    const bool one = out.spot && out.outer < 1.0;  // map; else six
    out.texel = 2.0 * (one ? std::tan(out.outer) : 1.0) / (texels - 7.0);
    return out;
}

}  // namespace

Scene gather(const scene::EncodedScene& scene, double shadow_texels) {
    Scene out;
    for (const scene::Material& material : scene.scene.materials) {
        const bool masked = material.alpha_mode == scene::AlphaMode::kMask;
        out.materials.push_back({glm::dvec4(material.base_color), material.base_color_texture.texture,
                                 masked ? material.alpha_cutoff : 0.0, material.alpha_mode == scene::AlphaMode::kBlend,
                                 material.double_sided, material.unlit});
    }
    for (const scene::Texture& texture : scene.scene.textures) {
        const auto sampler = static_cast<std::size_t>(texture.sampler);
        out.textures.emplace_back(scene.scene.images.at(static_cast<std::size_t>(texture.image)),
                                  texture.sampler < 0 ? scene::Sampler{} : scene.scene.samplers.at(sampler));
    }
    std::uint32_t number = 0;
    std::uint32_t first_sublet = 0;
    for (const scene::Instance& instance : scene::instances(scene.scene)) {
        add_instance(scene, instance, number++, first_sublet, out);
    }
    const std::vector<glm::mat4> world = scene::world_transforms(scene.scene);
    for (std::size_t i = 0; i < world.size(); ++i) {
        const int light = scene.scene.nodes[i].light;
        if (light < 0) continue;
        out.lights.push_back(
            placed(scene.scene.lights[static_cast<std::size_t>(light)], glm::dmat4(world[i]), shadow_texels));
    }
    return out;
}

}  // namespace sublet::reference
