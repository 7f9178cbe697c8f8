#include "ids.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "mesh/sizes.h"

namespace sublet::test {

IdReader::IdReader(const scene::EncodedScene& scene, const scene::Grid& grid) : scene_(scene) {
    first_sublets_.push_back(0);
    for (const scene::Instance& instance : scene::instances(scene, grid)) {
        const mesh::MeshHeader& mesh = scene.geometry.meshes[instance.mesh];
        if (mesh.sublet_count == 0) continue;
        instances_.push_back(instance);
        first_sublets_.push_back(first_sublets_.back() + mesh.sublet_count);
    }
}

SeenTriangle IdReader::read(std::uint32_t id) const {
    const std::uint32_t sublet = id / shared::kSubletSize;
    const auto after = std::upper_bound(first_sublets_.begin(), first_sublets_.end(), sublet);
    const auto instance = static_cast<std::uint32_t>(after - first_sublets_.begin()) - 1;
    const SeenTriangle seen{instance, sublet - first_sublets_[instance], id % shared::kSubletSize};
    check(seen);
    return seen;
}

SeenTriangle IdReader::read(std::uint32_t triangle, std::uint32_t instance) const {
    const SeenTriangle seen{instance, triangle / shared::kSubletSize, triangle % shared::kSubletSize};
    check(seen);
    return seen;
}

std::uint32_t IdReader::narrow(const SeenTriangle& seen) const {
    return (first_sublets_.at(seen.instance) + seen.sublet) * shared::kSubletSize + seen.triangle;
}

render::Picture IdReader::narrowed(render::Picture picture) const {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < picture.depth.size(); ++i) {
        ids.push_back(picture.depth[i] == 0.0F ? 0 : narrow(read(picture.ids[2 * i], picture.ids[2 * i + 1])));
    }
    picture.ids = std::move(ids);
    return picture;
}

void IdReader::check(const SeenTriangle& seen) const {
    const mesh::MeshView mesh = mesh::mesh_view(scene_.geometry, instances_.at(seen.instance).mesh);
    if (seen.sublet >= mesh.header->sublet_count || seen.triangle >= mesh::sublet_counts(mesh, seen.sublet).triangles) {
        throw std::out_of_range("no triangle " + std::to_string(seen.triangle) + " of sublet " +
                                std::to_string(seen.sublet) + " of instance " + std::to_string(seen.instance));
    }
}

}  // namespace sublet::test
