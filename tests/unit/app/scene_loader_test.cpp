#include "app/view/scene_loader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "temporary_folder.h"

namespace sublet::app {
namespace {

LoadedScene wait_for(SceneLoader& loader) {
    for (int i = 0; i < 6000; ++i) {
        if (auto loaded = loader.take()) return std::move(*loaded);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "nothing was loaded in a minute";
    return {};
}

constexpr const char* kTriangle = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36,
        "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";

TEST(SceneLoader, LoadsInTheBackground) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "triangle.gltf", kTriangle);
    SceneLoader loader;
    EXPECT_FALSE(loader.pending().has_value());
    loader.request({folder / "triangle.gltf", 1});
    const LoadedScene loaded = wait_for(loader);
    EXPECT_EQ(loaded.error, "");
    ASSERT_NE(loaded.scene, nullptr);
    EXPECT_EQ(loaded.scene->geometry.meshes.size(), 1U);
    EXPECT_EQ(loaded.request.path, folder / "triangle.gltf");
}

TEST(SceneLoader, AnErrorIsAResultAndTheNextRequestWorks) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "bad.gltf", "{");
    test::write_text(folder / "triangle.gltf", kTriangle);
    SceneLoader loader;
    loader.request({folder / "bad.gltf", 1});
    const LoadedScene bad = wait_for(loader);
    EXPECT_EQ(bad.scene, nullptr);
    EXPECT_NE(bad.error.find("bad.gltf"), std::string::npos) << bad.error;
    loader.request({folder / "triangle.gltf", 1});
    EXPECT_NE(wait_for(loader).scene, nullptr);
    EXPECT_FALSE(loader.pending().has_value());
}

TEST(SceneLoader, EndsWithAnythingStillWaiting) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "triangle.gltf", kTriangle);
    SceneLoader loader;
    for (int i = 0; i < 20; ++i) loader.request({folder / "triangle.gltf", 1});
}

}  // namespace
}  // namespace sublet::app
