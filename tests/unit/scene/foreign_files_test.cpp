// Files made by others: those that Debian's assimp-testmodels installs, malformed ones among them.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/error.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "scene/container.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

constexpr const char* kFolder = "/usr/share/assimp/models";

TEST(ForeignFiles, NeitherCrashNorHang) {
    if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << "the package assimp-testmodels is not installed";
    std::map<std::string, std::string> outcomes;  // by path: "" or the error
    ThreadPool pool(2);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder)) {
        const std::filesystem::path& path = entry.path();
        if (path.extension() != ".gltf" && path.extension() != ".glb") continue;
        const Stopwatch clock;
        std::string& outcome = outcomes[path.lexically_relative(kFolder).string()];
        try {
            const EncodedScene scene = encode_scene(import_gltf(path), {}, pool);
            EXPECT_GT(scene_stats(scene).total.triangles, 0U) << path;
        } catch (const Error& error) {
            outcome = error.what();
            EXPECT_NE(outcome.find(path.string()), std::string::npos) << outcome;
            EXPECT_EQ(outcome.find('\n'), std::string::npos) << outcome;
        }
        EXPECT_LT(clock.seconds(), 60.0) << path;
    }
    EXPECT_GT(outcomes.size(), 30U);
    const auto expect = [&](const char* path, const char* part) {
        const auto found = outcomes.find(path);
        if (found == outcomes.end()) return;  // another version of the package
        if (*part == '\0') {
            EXPECT_EQ(found->second, "") << path;
        } else {
            EXPECT_NE(found->second.find(part), std::string::npos) << path << ": " << found->second;
        }
    };
    expect("glTF2/BoxTextured-glTF/BoxTextured.gltf", "");
    expect("glTF2/BoxTextured-glTF-Binary/BoxTextured.glb", "");
    expect("glTF2/BoxTextured-glTF-Embedded/BoxTextured.gltf", "");
    expect("glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb", "");
    expect("glTF2/simple_skin/simple_skin.gltf", "");
    expect("glTF2/textureTransform/TextureTransformTest.gltf", "");
    expect("glTF2/BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb", "is infinite");
    expect("glTF2/IndexOutOfRange/IndexOutOfRange.gltf", "POSITION has 24 vertices");
    expect("glTF2/RecursiveNodes/RecursiveNodes.gltf", "cycle");
    expect("glTF2/MissingBin/BoxTextured.gltf", "buffers[0].uri");
    expect("glTF2/SchemaFailures/sceneWrongType.gltf", "scene");
#ifdef SUBLET_DRACO
    expect("glTF2/draco/2CylinderEngine.gltf", "");
#else
    expect("glTF2/draco/2CylinderEngine.gltf", "KHR_draco_mesh_compression");
#endif
    expect("glTF2/wrongTypes/badArray.gltf", "must be an array");
    expect("glTF/BoxTextured-glTF/BoxTextured.gltf", "only glTF 2 is read");
}

}  // namespace
}  // namespace sublet::scene::testing
