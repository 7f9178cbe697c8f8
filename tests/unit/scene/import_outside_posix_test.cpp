// Links and pipes beside a scene, as POSIX has them.
#include <sys/stat.h>

#include <string>
#include <vector>

#include "import_outside.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

TEST_F(ImportOutside, ALinkLeadsOutside) {
    fs::create_symlink("../outside/secret.bin", folder_ / "link.bin");
    fs::create_symlink("../outside/secret.png", folder_ / "link.png");
    fs::create_symlink(test_path("outside/x").parent_path(), folder_ / "linked");
    fs::create_symlink("link.bin", folder_ / "twice.bin");
    for (const std::string stem : {"link", "linked/secret"}) {
        SCOPED_TRACE(stem);
        expect_outside(with_buffer(stem + ".bin"), "buffers[0].uri");
        EXPECT_EQ(import_gltf(folder_ / "a.gltf", {.allow_outside = true}).groups.size(), 1U);
        expect_outside(with_image(stem + ".png"), "images[0].uri");
        EXPECT_EQ(import_gltf(folder_ / "a.gltf", {.allow_outside = true}).scene.images.size(), 1U);
    }
    expect_outside(with_buffer("twice.bin"), "buffers[0].uri");
    fs::create_symlink("/dev/zero", folder_ / "zeros.bin");
    expect_outside(with_buffer("zeros.bin"), "buffers[0].uri");
}

TEST_F(ImportOutside, ALinkWithinTheFolderIsFollowed) {
    fs::create_symlink("sub/deep.bin", folder_ / "relative.bin");
    fs::create_symlink(folder_ / "sub/deep.bin", folder_ / "absolute.bin");
    fs::create_symlink("sub", folder_ / "other");
    for (const char* uri : {"relative.bin", "absolute.bin", "other/deep.bin"}) {
        EXPECT_EQ(import_gltf(with_buffer(uri)).groups.size(), 1U) << uri;
    }
}

TEST_F(ImportOutside, TheFolderIsThatOfTheFileThatALinkNames) {
    fs::create_symlink("scene/a.gltf", test_path("link.gltf"));
    with_buffer("inside.bin");
    EXPECT_EQ(import_gltf(test_path("link.gltf")).groups.size(), 1U);
    with_buffer("../outside/secret.bin");
    expect_outside(test_path("link.gltf"), "buffers[0].uri");
}

TEST_F(ImportOutside, SceneFilesListsNoLinkThatLeadsOutside) {
    using Files = std::vector<fs::path>;
    const fs::path scene = with_buffer("link.bin");
    fs::create_symlink("../outside/secret.bin", folder_ / "link.bin");
    EXPECT_EQ(scene_source(scene).files, Files{scene});
    EXPECT_EQ(scene_source(scene, {.allow_outside = true}).files.size(), 2U);
}

TEST_F(ImportOutside, APipeIsNoFileAndNobodyWaitsForAWriter) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    for (const bool allow_outside : {false, true}) {
        try {
            (void)import_gltf(with_buffer("pipe"), {.allow_outside = allow_outside});
            ADD_FAILURE() << "it was read";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("buffers[0].uri"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace sublet::scene::testing
