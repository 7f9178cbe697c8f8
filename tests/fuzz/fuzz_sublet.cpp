// The .sublet reader on any bytes, and all that a user would read of what it lets through.
#include <cstdlib>

#include "base/error.h"
#include "memory_file.h"
#include "mesh/mesh.h"
#include "mesh/view.h"
#include "pose.h"
#include "scene/container.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sublet;
    if (size == 0) return 0;
    const auto opens = [&](mesh::Validate what) {
        try {
            scene::open_sublet(fuzz::memory_file(data, size), nullptr, what).check_all();
            return true;
        } catch (const Error&) {
            return false;
        }
    };
    // What is left unchecked at first comes to the same.
    if (opens(mesh::Validate::kAll) != opens(mesh::Validate::kTables)) std::abort();
    try {
        const scene::EncodedScene scene = scene::open_sublet(fuzz::memory_file(data, size));
        (void)scene::scene_stats(scene);
        if (scene::instance_count(scene.scene) < 100'000) fuzz::pose(scene);
        (void)scene::scene_stats(scene::with_levels(scene, mesh::Levels::kOff));
        const scene::EncodedScene compact = scene::with_coding(scene, mesh::Coding::kCompact);
        mesh::validate(scene::with_coding(compact, mesh::Coding::kPlain).geometry, "recoded");
        (void)scene::image_stats(scene.scene);
        for (const scene::Variant& variant : scene.scene.variants) {
            (void)scene::materials_of_variant(scene.scene, variant.name);
        }
        for (std::uint32_t m = 0; m < scene.geometry.meshes.size(); ++m) {
            (void)mesh::decode(mesh::mesh_view(scene.geometry, m));
        }
    } catch (const Error&) {
    }
    return 0;
}
