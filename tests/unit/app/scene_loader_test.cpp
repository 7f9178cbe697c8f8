// The loader without a device: what a file comes to before one is needed. tests/gpu/loading has the rest.
#include "app/view/scene_loader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "temporary_folder.h"

namespace sublet::app {
namespace {

bool wait_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 6000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

constexpr const char* kTriangleGltf = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36,
        "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";

TEST(SceneLoader, AnErrorNeedsNoDevice) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "bad.gltf", "{");
    SceneLoader loader;
    EXPECT_FALSE(loader.status().has_value());
    loader.request({folder / "bad.gltf"}, {});
    std::optional<LoadedScene> bad;
    ASSERT_TRUE(wait_until([&] { return (bad = loader.take()).has_value(); }));
    EXPECT_EQ(bad->scene, nullptr);
    EXPECT_NE(bad->error.find("bad.gltf"), std::string::npos) << bad->error;
    EXPECT_FALSE(loader.status().has_value());
}

TEST(SceneLoader, WaitsForADeviceUntilItIsCancelled) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "triangle.gltf", kTriangleGltf);
    SceneLoader loader;
    loader.request({folder / "triangle.gltf"}, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ASSERT_TRUE(loader.status().has_value());
    EXPECT_EQ(loader.status()->path, folder / "triangle.gltf");
    EXPECT_FALSE(loader.take().has_value());
    loader.cancel();
    EXPECT_FALSE(loader.status().has_value());
    EXPECT_FALSE(loader.take().has_value());
}

TEST(LoadedScene, TakesThePlaceOfAnotherWhole) {
    LoadedScene loaded;
    loaded.error = "an error";
    loaded.outside = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    LoadedScene place;
    place = std::move(loaded);
    EXPECT_EQ(place.error, "an error");
    EXPECT_TRUE(place.outside);
    EXPECT_GE(place.since_read.milliseconds(), 20.0);
}

// One replaces the other, wherever it is; nothing of them is left (a sanitizer sees to that).
TEST(SceneLoader, TwentyRequestsLeaveNothingBehind) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "triangle.gltf", kTriangleGltf);
    SceneLoader loader;
    for (int i = 0; i < 20; ++i) {
        loader.request({folder / "triangle.gltf"}, {});
        std::this_thread::sleep_for(std::chrono::milliseconds(i % 4 * 7));
        if (i % 5 == 4) loader.request({}, {});  // the built-in scene, cancelled while it is encoded
    }
}

}  // namespace
}  // namespace sublet::app
