// A scene, and what lies outside of its folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/mapped_file.h"
#include "base/path_text.h"
#include "gltf_builder.h"
#include "scene/import.h"

namespace sublet::scene::testing {

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
            for (const std::string& part : {path_text(scene), field, std::string("leaves the folder of the scene"),
                                            std::string("--allow-outside")}) {
                EXPECT_NE(message.find(part), std::string::npos) << message;
            }
        }
    }

    GltfBuilder builder_ = GltfBuilder::triangle();
    fs::path folder_;
};

}  // namespace sublet::scene::testing
