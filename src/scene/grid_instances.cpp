// The first mesh group on a grid.
#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>

#include "scene/container.h"
#include "scene/deform.h"

namespace sublet::scene {
namespace {

int skin_of(const EncodedScene& encoded, std::uint32_t mesh, std::uint32_t node) {
    if (node >= encoded.scene.nodes.size() || !mesh::deforms(encoded.geometry.meshes[mesh])) return -1;
    return encoded.scene.nodes[node].skin;
}

// That places the first mesh group; 0 where none does.
std::uint32_t first_node(const Scene& scene) {
    const auto found = std::ranges::find(scene.nodes, 0, &Node::mesh_group);
    return found == scene.nodes.end() ? 0 : static_cast<std::uint32_t>(found - scene.nodes.begin());
}

}  // namespace

float mesh_size(const EncodedScene& scene) {
    if (scene.scene.mesh_groups.empty()) return 0.0F;
    std::vector<glm::mat4> world;
    glm::vec3 low(std::numeric_limits<float>::max());
    glm::vec3 high(std::numeric_limits<float>::lowest());
    for (const Instance& instance : instances(scene, {glm::uvec3(1)})) {
        const mesh::MeshHeader& mesh = scene.geometry.meshes[instance.mesh];
        if (mesh.triangle_count == 0) continue;
        if (is_deformed(scene, instance)) {
            if (world.empty()) world = world_transforms(scene.scene);
            const PosedBounds posed = posed_bounds(scene, instance, world);
            low = glm::min(low, posed.low);
            high = glm::max(high, posed.high);
            continue;
        }
        low = glm::min(low, glm::vec3(mesh.aabb_min.x, mesh.aabb_min.y, mesh.aabb_min.z));
        high = glm::max(high, glm::vec3(mesh.aabb_max.x, mesh.aabb_max.y, mesh.aabb_max.z));
    }
    const glm::vec3 extent = high - low;
    return std::max({extent.x, extent.y, extent.z, 0.0F});
}

float grid_distance(const EncodedScene& scene, const Grid& grid) {
    return grid.in_sizes ? grid.spacing * mesh_size(scene) : grid.spacing;
}

std::vector<Instance> instances(const EncodedScene& encoded, const Grid& grid, std::string_view variant) {
    const Scene& scene = encoded.scene;
    const std::vector<std::uint32_t> materials = materials_of_variant(scene, variant);
    if (grid.empty()) {
        std::vector<Instance> placed = instances(scene);
        for (Instance& instance : placed) {
            instance.material = materials[instance.mesh];
            instance.skin = skin_of(encoded, instance.mesh, instance.node);
        }
        return placed;
    }
    const MeshGroup& group = scene.mesh_groups.at(0);
    const std::uint32_t node = first_node(scene);
    std::vector<Instance> out;
    out.reserve(std::size_t{grid.count.x} * grid.count.y * grid.count.z * group.mesh_count);
    const float distance = grid_distance(encoded, grid);
    const glm::vec3 middle = 0.5F * (glm::vec3(grid.count) - 1.0F);
    for (std::uint32_t z = 0; z < grid.count.z; ++z) {
        for (std::uint32_t y = 0; y < grid.count.y; ++y) {
            for (std::uint32_t x = 0; x < grid.count.x; ++x) {
                const glm::vec3 position = (glm::vec3(x, y, z) - middle) * distance;
                for (std::uint32_t i = 0; i < group.mesh_count; ++i) {
                    Instance instance;
                    instance.transform = glm::translate(glm::mat4(1.0F), position);
                    instance.mesh = group.first_mesh + i;
                    instance.material = materials.at(instance.mesh);
                    instance.node = node;
                    instance.skin = skin_of(encoded, instance.mesh, node);
                    out.push_back(instance);
                }
            }
        }
    }
    return out;
}

}  // namespace sublet::scene
