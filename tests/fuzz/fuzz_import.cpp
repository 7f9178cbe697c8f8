// glTF import of any bytes, and the encoder on what it makes of them: either a scene or an Error.
#include "base/error.h"
#include "base/thread_pool.h"
#include "memory_file.h"
#include "pose.h"
#include "scene/container.h"
#include "scene/import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sublet;
    if (size == 0) return 0;
    static ThreadPool pool(1);
    try {
        scene::ImportedScene scene = scene::import_gltf(fuzz::memory_file(data, size));
        std::size_t triangles = 0;
        for (const scene::SourceMeshGroup& group : scene.groups) {
            for (const scene::SourceMesh& mesh : group.meshes) triangles += mesh.indices.size() / 3;
        }
        constexpr std::size_t kQuickly = 2000;  // larger meshes would only slow the search down
        if (triangles > kQuickly) return 0;
        const scene::EncodedScene encoded = scene::encode_scene(std::move(scene), {}, pool);
        fuzz::pose(encoded);
        (void)scene::scene_stats(encoded);
    } catch (const Error&) {
    }
    return 0;
}
