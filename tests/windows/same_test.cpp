// What the program for Windows writes and draws is what this machine's does.
#include <nlohmann/json.hpp>

#include "app/image_io.h"
#include "gltf_text.h"
#include "wine_program.h"

namespace sublet::test {
namespace {

namespace fs = std::filesystem;

class Same : public WineTest {
  protected:
    void expect_same_bytes(const std::string& a, const std::string& b) const {
        const std::string bytes = read_text(folder_ / a);
        EXPECT_GT(bytes.size(), 100U) << a;
        EXPECT_TRUE(bytes == read_text(folder_ / b)) << a << " and " << b << " differ";
    }

    // Encodes on both, and decodes what became of it.
    void expect_same_encoding(const std::string& scene, const std::vector<std::string>& options = {}) const {
        std::vector<std::string> here{"encode", scene, "-o", "here.sublet"};
        here.insert(here.end(), options.begin(), options.end());
        std::vector<std::string> there = here;
        there[3] = "there.sublet";
        here_done(here);
        wine_done(there);
        expect_same_bytes("here.sublet", "there.sublet");
        here_done({"decode", "here.sublet", "-o", "here.glb"});
        wine_done({"decode", "there.sublet", "-o", "there.glb"});
        expect_same_bytes("here.glb", "there.glb");
    }
};

TEST_F(Same, EncodedAndDecodedBytes) {
    write_text(folder_ / "spheres.gltf", sphere_gltf().dump());
    expect_same_encoding("spheres.gltf");
    expect_same_encoding("spheres.gltf", {"--style", "wireframe", "--position-bits", "16"});
    write_text(folder_ / "moving.gltf", moving_gltf().dump());
    expect_same_encoding("moving.gltf");
}

// Textures, skins and animations of files that this machine has.
TEST_F(Same, ModelsOfOthers) {
    int count = 0;
    std::error_code error;
    for (const char* const place : {"/usr/share/assimp/models/glTF2"}) {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(place, error)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".gltf" && extension != ".glb") continue;
            // What Sublet refuses here, it refuses there in the same words, but for the path.
            const ProcessResult here =
                sublet({"encode", entry.path().string(), "-o", "refused.sublet"}, {.folder = folder_.path()});
            if (here.status != 0) {
                const ProcessResult there = wine({"encode", windows_path(entry.path()), "-o", "refused.sublet"});
                EXPECT_EQ(there.status, here.status) << entry.path();
                continue;
            }
            const ProcessResult there = wine({"encode", windows_path(entry.path()), "-o", "x.sublet"});
            if (there.err.find("built without") != std::string::npos) continue;  // a library that it lacks
            SCOPED_TRACE(entry.path());
            expect_same_encoding(entry.path().string());
            ++count;
        }
    }
    if (count == 0) GTEST_SKIP() << "this machine has no models of others";
}

TEST_F(Same, PicturesAndDepthByEveryBackend) {
    write_text(folder_ / "moving.gltf", moving_gltf().dump());
    here_done({"encode", "moving.gltf", "-o", "scene.sublet"});
    const auto scene = [](const std::string& name, const std::string& backend) {
        return std::vector<std::string>{"render", "scene.sublet", "-o",        name + ".png", "--depth", name + ".pfm",
                                        "--size", "161x97",       "--backend", backend,       "--time",  "0.7"};
    };
    here_done(scene("direct", "direct"));
    const app::ColorImage expected = app::read_png(folder_ / "direct.png");
    const nlohmann::json devices = nlohmann::json::parse(wine_done({"devices", "--json", "-"}).out);
    int drawn = 0;
    for (const auto& [backend, lacks] : devices["devices"][0]["backends"].items()) {
        SCOPED_TRACE(backend);
        // Wine's Vulkan lets through the extensions that it knows: Debian 12's knows neither generated commands nor
        // execution graphs.
        if ((backend == "generated" || backend == "graph-amdx") && !lacks.is_null()) continue;
        ASSERT_TRUE(lacks.is_null()) << lacks;
        here_done(scene("here", backend));
        wine_done(scene("there", backend));
        EXPECT_EQ(app::read_png(folder_ / "there.png").rgba, app::read_png(folder_ / "here.png").rgba);
        EXPECT_EQ(app::read_png(folder_ / "there.png").rgba, expected.rgba);
        expect_same_bytes("there.pfm", "here.pfm");
        ++drawn;
    }
    EXPECT_GE(drawn, 5);
}

TEST_F(Same, TheViewerOpensAWindowAndDraws) {
    write_text(folder_ / "spheres.gltf", sphere_gltf().dump());
    const ProcessResult result =
        wine_done({"view", "spheres.gltf", "--frames-then-exit", "3", "--size", "400x300", "--json", "-"});
    const nlohmann::json shown = nlohmann::json::parse(result.out, nullptr, false);
    ASSERT_FALSE(shown.is_discarded()) << result.out;
    EXPECT_EQ(shown["scene"], "spheres.gltf");
}

}  // namespace
}  // namespace sublet::test
