// Levels of detail of a whole scene: given and taken away; and its coding.
#include "mesh/levels.h"

#include <utility>

#include "mesh/recode.h"
#include "scene/container.h"

namespace sublet::scene {
namespace {

// Geometry of a scene's own, and what the scene had before: images are read where they lie in the file.
struct Storage {
    std::shared_ptr<const void> before;
    mesh::Geometry geometry;
};

EncodedScene with_geometry(EncodedScene scene, std::shared_ptr<Storage> storage) {
    storage->before = std::move(scene.storage);
    scene.geometry = storage->geometry.view();
    scene.storage = std::move(storage);
    scene.payload_file.reset();
    scene.unchecked.reset();
    return scene;
}

}  // namespace

EncodedScene with_levels(EncodedScene scene, mesh::Levels levels, ThreadPool* pool) {
    scene = with_coding(std::move(scene), mesh::Coding::kPlain, pool);
    auto storage = std::make_shared<Storage>();
    for (const MeshGroup& group : scene.scene.mesh_groups) {
        mesh::Geometry meshes = mesh::finest_level(scene.geometry, group.first_mesh, group.mesh_count);
        mesh::append(storage->geometry, mesh::add_levels(std::move(meshes), levels, pool).view());
    }
    return with_geometry(std::move(scene), std::move(storage));
}

EncodedScene with_coding(EncodedScene scene, mesh::Coding coding, ThreadPool* pool) {
    if (mesh::is_recoded(scene.geometry, coding)) return scene;
    scene.check_all();
    auto storage = std::make_shared<Storage>();
    storage->geometry = mesh::recode(scene.geometry, coding, pool);
    return with_geometry(std::move(scene), std::move(storage));
}

}  // namespace sublet::scene
