// URIs that leave the folder of the scene, and files that are none.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "base/mapped_file.h"
#include "gltf_builder.h"
#include "scene/container.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

namespace fs = std::filesystem;

// A folder with a scene in it, and beside the folder the very files that the scene needs.
class ImportOutside : public ::testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(test_path("x").parent_path());
        folder_ = test_path("scene/x").parent_path();
        write_bytes(test_path("outside/secret.bin"), builder_.binary);
        write_bytes(test_path("outside/secret.png"), read_bytes(write_png()));
        write_bytes(folder_ / "inside.bin", builder_.binary);
        fs::create_directory(folder_ / "sub");
        write_bytes(folder_ / "sub/deep.bin", builder_.binary);
    }

    fs::path write_png() {
        // No picture, but what the import knows one by.
        write_text(test_path("any.png"), "\x89PNG\r\n\x1A\n and so on");
        return test_path("any.png");
    }

    // The scene with its buffer there.
    fs::path with_buffer(const std::string& uri) {
        json root = builder_.root;
        root["buffers"][0]["uri"] = uri;
        write_text(folder_ / "a.gltf", root.dump());
        return folder_ / "a.gltf";
    }

    // The scene with its buffer inside, and its picture there.
    fs::path with_image(const std::string& uri) {
        json root = builder_.root;
        root["buffers"][0]["uri"] = "inside.bin";
        root["images"] = json::array({{{"uri", uri}}});
        root["textures"] = json::array({{{"source", 0}}});
        root["materials"] = json::array({{{"emissiveTexture", {{"index", 0}}}}});
        write_text(folder_ / "a.gltf", root.dump());
        return folder_ / "a.gltf";
    }

    static void expect_outside(const fs::path& scene, const std::string& field) {
        try {
            (void)import_gltf(scene);
            ADD_FAILURE() << "it was read";
        } catch (const OutsideFolder& error) {
            const std::string message = error.what();
            for (const std::string& part : {scene.string(), field, std::string("leaves the folder of the scene"),
                                            std::string("--allow-outside")}) {
                EXPECT_NE(message.find(part), std::string::npos) << message;
            }
        }
    }

    GltfBuilder builder_ = GltfBuilder::triangle();
    fs::path folder_;
};

TEST_F(ImportOutside, IsRefusedHoweverItIsWritten) {
    fs::create_symlink("../outside/secret.bin", folder_ / "link.bin");
    fs::create_symlink("../outside/secret.png", folder_ / "link.png");
    fs::create_symlink(test_path("outside/x").parent_path(), folder_ / "linked");
    fs::create_symlink("link.bin", folder_ / "twice.bin");
    const std::string absolute = test_path("outside/secret").string();
    for (const std::string& stem :
         {std::string("../outside/secret"), std::string("%2e%2e/outside/secret"), std::string("..%2Foutside%2fsecret"),
          std::string("sub/../../outside/secret"), std::string("./.././outside/secret"), absolute,
          "%2F" + absolute.substr(1), std::string("link"), std::string("linked/secret")}) {
        SCOPED_TRACE(stem);
        expect_outside(with_buffer(stem + ".bin"), "buffers[0].uri");
        EXPECT_EQ(import_gltf(folder_ / "a.gltf", {.allow_outside = true}).groups.size(), 1U);
        expect_outside(with_image(stem + ".png"), "images[0].uri");
        EXPECT_EQ(import_gltf(folder_ / "a.gltf", {.allow_outside = true}).scene.images.size(), 1U);
    }
    expect_outside(with_buffer("twice.bin"), "buffers[0].uri");
    expect_outside(with_buffer("../nowhere.bin"), "buffers[0].uri");
    fs::create_symlink("/dev/zero", folder_ / "zeros.bin");
    expect_outside(with_buffer("zeros.bin"), "buffers[0].uri");
}

// A folder whose name begins as the scene's does is another one.
TEST_F(ImportOutside, AFoldersNameCountsAsAWhole) {
    write_bytes(test_path("scenery/secret.bin"), builder_.binary);
    expect_outside(with_buffer("../scenery/secret.bin"), "buffers[0].uri");
}

TEST_F(ImportOutside, WhatStaysInTheFolderIsRead) {
    fs::create_symlink("sub/deep.bin", folder_ / "relative.bin");
    fs::create_symlink(folder_ / "sub/deep.bin", folder_ / "absolute.bin");
    fs::create_symlink("sub", folder_ / "other");
    for (const char* uri : {"inside.bin", "sub/deep.bin", "sub/../inside.bin", "../scene/inside.bin", "relative.bin",
                            "absolute.bin", "other/deep.bin", "%69nside.bin"}) {
        EXPECT_EQ(import_gltf(with_buffer(uri)).groups.size(), 1U) << uri;
    }
}

TEST_F(ImportOutside, TheFolderIsThatOfTheFileThatALinkNames) {
    fs::create_symlink("scene/a.gltf", test_path("link.gltf"));
    with_buffer("inside.bin");
    EXPECT_EQ(import_gltf(test_path("link.gltf")).groups.size(), 1U);
    with_buffer("../outside/secret.bin");
    expect_outside(test_path("link.gltf"), "buffers[0].uri");
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    with_buffer("inside.bin");
    EXPECT_EQ(import_gltf("a.gltf").groups.size(), 1U) << "a relative path";
    fs::current_path(before);
}

// What is listed is what may be read.
TEST_F(ImportOutside, SceneFilesListsTheRest) {
    using Files = std::vector<fs::path>;
    const fs::path scene = folder_ / "a.gltf";
    const fs::path real = fs::canonical(folder_);
    EXPECT_EQ(scene_files(with_buffer("sub/deep.bin")), (Files{scene, real / "sub/deep.bin"}));
    EXPECT_EQ(scene_files(with_buffer("to%20come.bin")), (Files{scene, real / "to come.bin"})) << "it may come";
    fs::create_symlink("../outside/secret.bin", folder_ / "link.bin");
    const std::string absolute = test_path("outside/secret.bin").string();
    for (const std::string& uri :
         {std::string("../outside/secret.bin"), std::string("../nowhere.bin"), std::string("link.bin"), absolute}) {
        EXPECT_EQ(scene_files(with_buffer(uri)), Files{scene}) << uri;
        EXPECT_EQ(scene_files(with_buffer(uri), {.allow_outside = true}).size(), 2U) << uri;
    }
    for (const std::string& uri : {std::string("file:///etc/passwd"), std::string("a%00.bin"), std::string("data:,")}) {
        EXPECT_EQ(scene_files(with_buffer(uri), {.allow_outside = true}), Files{scene}) << uri;
    }
    EXPECT_EQ(scene_files({}), Files{});
    write_text(folder_ / "bad.gltf", "{");
    EXPECT_THROW((void)scene_files(folder_ / "bad.gltf"), Error);
    write_text(folder_ / "deep.gltf", std::string(1'000'000, '['));
    EXPECT_THROW((void)scene_files(folder_ / "deep.gltf"), Error);
    write_text(folder_ / "any.sublet", "no scene");
    EXPECT_EQ(scene_files(folder_ / "any.sublet"), Files{folder_ / "any.sublet"});
}

TEST_F(ImportOutside, WhatIsNoPathOrNoFileIsRefused) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    const std::string file_uri = "file://" + (folder_ / "inside.bin").string();
    for (const bool allow_outside : {false, true}) {
        for (const std::string& uri :
             {file_uri, std::string("inside.bin%00"), std::string("inside\0.bin", 11), std::string("C:\\inside.bin"),
              std::string("sub\\deep.bin"), std::string("..\\outside\\secret.bin"), std::string("pipe"),
              std::string("sub"), std::string("."), std::string("inside.bin/x"), std::string(100'000, 'a')}) {
            SCOPED_TRACE(uri.substr(0, 80));
            try {
                (void)import_gltf(with_buffer(uri), {.allow_outside = allow_outside});
                ADD_FAILURE() << "it was read";
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find("buffers[0].uri"), std::string::npos) << error.what();
            }
        }
    }
}

TEST_F(ImportOutside, AFileThatSeveralUrisNameIsReadOnce) {
    with_buffer("inside.bin");
    json root = json::parse(std::string(reinterpret_cast<const char*>(read_bytes(folder_ / "a.gltf").data()),
                                        fs::file_size(folder_ / "a.gltf")));
    root["buffers"].push_back(root["buffers"][0]);
    root["buffers"][1]["uri"] = "sub/../inside.bin";
    root["bufferViews"][1]["buffer"] = 1;
    write_text(folder_ / "a.gltf", root.dump());
    EXPECT_EQ(import_gltf(folder_ / "a.gltf").source_bytes, fs::file_size(folder_ / "a.gltf") + builder_.binary.size());
}

}  // namespace
}  // namespace sublet::scene::testing
