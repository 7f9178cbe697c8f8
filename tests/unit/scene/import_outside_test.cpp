// URIs that leave the folder of the scene, and files that are none.
#include "import_outside.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../base/this_system.h"
#include "base/error.h"
#include "base/files.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

// An absolute path as a URI may have it.
std::string uri_of(const fs::path& path) {
    return path.generic_string();
}

TEST_F(ImportOutside, IsRefusedHoweverItIsWritten) {
    std::vector<std::string> stems{"../outside/secret", "%2e%2e/outside/secret", "..%2Foutside%2fsecret",
                                   "sub/../../outside/secret", "./.././outside/secret"};
    const std::string absolute = uri_of(test_path("outside/secret"));
    // On Windows a path from the root of the drive on; one with a drive is no URI's.
    const std::string rooted = absolute.substr(absolute.find('/'));
    stems.insert(stems.end(), {rooted, "%2F" + rooted.substr(1)});
    for (const std::string& stem : stems) {
        SCOPED_TRACE(stem);
        expect_outside(with_buffer(stem + ".bin"), "buffers[0].uri");
        EXPECT_EQ(import_gltf(folder_ / "a.gltf", {.allow_outside = true}).groups.size(), 1U);
        expect_outside(with_image(stem + ".png"), "images[0].uri");
        EXPECT_EQ(import_gltf(folder_ / "a.gltf", {.allow_outside = true}).scene.images.size(), 1U);
    }
    expect_outside(with_buffer("../nowhere.bin"), "buffers[0].uri");
}

// A folder whose name begins as the scene's does is another one.
TEST_F(ImportOutside, AFoldersNameCountsAsAWhole) {
    write_bytes(test_path("scenery/secret.bin"), builder_.binary);
    expect_outside(with_buffer("../scenery/secret.bin"), "buffers[0].uri");
}

TEST_F(ImportOutside, WhatStaysInTheFolderIsRead) {
    for (const char* uri : {"inside.bin", "sub/deep.bin", "sub/../inside.bin", "../scene/inside.bin", "%69nside.bin"}) {
        EXPECT_EQ(import_gltf(with_buffer(uri)).groups.size(), 1U) << uri;
    }
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    with_buffer("inside.bin");
    EXPECT_EQ(import_gltf("a.gltf").groups.size(), 1U) << "a relative path";
    fs::current_path(before);
}

// What a file claims is held to the bytes of all files that it names, before any of them is read.
TEST_F(ImportOutside, FilesCountBeforeTheyAreRead) {
    const std::vector<std::uint32_t> list(30000, 1);
    const int indices = builder_.view(std::as_bytes(std::span(list)));
    json copy = builder_.root["meshes"][0]["primitives"][0];
    for (int i = 0; i < 800; ++i) {
        copy["indices"] = builder_.accessor_over(indices, 0, list.size(), 1, 5125);
        builder_.root["meshes"][0]["primitives"].push_back(copy);
    }
    write_bytes(folder_ / "small.bin", builder_.binary);
    EXPECT_THROW(static_cast<void>(read_gltf(with_buffer("small.bin"))), Error);
    builder_.binary.resize(std::size_t{1} << 20U);
    write_bytes(folder_ / "large.bin", builder_.binary);
    EXPECT_EQ(read_gltf(with_buffer("large.bin"))->triangles(), 800U * 10000U + 1U);
}

TEST_F(ImportOutside, NamesAreUtf8) {
    write_bytes(folder_ / text_path("é漢字.bin"), builder_.binary);
    for (const char* uri : {"é漢字.bin", "%C3%A9%E6%BC%A2%E5%AD%97.bin"}) {
        EXPECT_EQ(import_gltf(with_buffer(uri)).groups.size(), 1U) << uri;
    }
    fs::rename(with_buffer("inside.bin"), folder_ / text_path("漢.gltf"));
    EXPECT_EQ(import_gltf(folder_ / text_path("漢.gltf")).source, "漢.gltf");
}

// What is listed is what may be read.
TEST_F(ImportOutside, SceneFilesListsTheRest) {
    using Files = std::vector<fs::path>;
    const fs::path scene = folder_ / "a.gltf";
    const fs::path real = real_path(folder_).value();
    EXPECT_EQ(scene_source(with_buffer("sub/deep.bin")).files, (Files{scene, real / "sub/deep.bin"}));
    EXPECT_EQ(scene_source(with_buffer("to%20come.bin")).files, (Files{scene, real / "to come.bin"})) << "it may come";
    const std::string absolute = uri_of(test_path("outside/secret.bin"));
    for (const std::string& uri :
         {std::string("../outside/secret.bin"), std::string("../nowhere.bin"), absolute.substr(absolute.find('/'))}) {
        EXPECT_EQ(scene_source(with_buffer(uri)).files, Files{scene}) << uri;
        EXPECT_EQ(scene_source(with_buffer(uri), {.allow_outside = true}).files.size(), 2U) << uri;
    }
    for (const std::string& uri : {std::string("file:///etc/passwd"), std::string("a%00.bin"), std::string("data:,")}) {
        EXPECT_EQ(scene_source(with_buffer(uri), {.allow_outside = true}).files, Files{scene}) << uri;
    }
    EXPECT_EQ(scene_source({}).files, Files{});
    write_text(folder_ / "bad.gltf", "{");
    EXPECT_THROW((void)scene_source(folder_ / "bad.gltf").files, Error);
    write_text(folder_ / "deep.gltf", std::string(1'000'000, '['));
    EXPECT_THROW((void)scene_source(folder_ / "deep.gltf").files, Error);
    write_text(folder_ / "any.sublet", "no scene");
    EXPECT_EQ(scene_source(folder_ / "any.sublet").files, Files{folder_ / "any.sublet"});
}

TEST_F(ImportOutside, WhatIsNoPathOrNoFileIsRefused) {
    const std::string file_uri = "file://" + uri_of(folder_ / "inside.bin");
    for (const bool allow_outside : {false, true}) {
        for (const std::string& uri : {file_uri, std::string("inside.bin%00"), std::string("inside\0.bin", 11),
                                       std::string("C:\\inside.bin"), std::string("C:/inside.bin"), std::string("sub"),
                                       std::string("."), std::string("inside.bin/x"), std::string(100'000, 'a')}) {
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

// No separator on Linux; on Windows no way out either.
TEST_F(ImportOutside, ABackslashLeadsNowhereElse) {
    if (test::kWindows) {
        EXPECT_EQ(import_gltf(with_buffer("sub\\deep.bin")).groups.size(), 1U);
        for (const char* uri : {"..\\outside\\secret.bin", "sub\\..\\..\\outside\\secret.bin",
                                "..%5Coutside%5Csecret.bin", "\\outside.bin"}) {
            expect_outside(with_buffer(uri), "buffers[0].uri");
        }
    } else {
        for (const char* uri : {"sub\\deep.bin", "..\\outside\\secret.bin", "..%5Coutside%5Csecret.bin"}) {
            EXPECT_THROW((void)import_gltf(with_buffer(uri)), Error) << uri;
        }
    }
}

// What Windows takes for something else than a file's name: a device, another drive, a stream of a file's, a share.
TEST_F(ImportOutside, WhatIsNoNameOnWindowsIsReadNowhere) {
    for (const char* uri : {"NUL", "CON", "COM1", "aux.bin", "inside.bin:stream", "inside.bin::$DATA", "C:inside.bin",
                            "//server/share/x.bin", "//./NUL", "//%3F/C:/x.bin"}) {
        SCOPED_TRACE(uri);
        EXPECT_THROW((void)import_gltf(with_buffer(uri)), Error);
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
