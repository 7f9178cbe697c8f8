// What hostile scenes take: memory in proportion to their files, or to the limit that was set.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../unit/scene/image_files.h"
#include "gltf_text.h"
#include "process.h"
#include "scene/container.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;
using scene::testing::deflated_zeros;
using scene::testing::png_file;
using scene::testing::png_raw_bytes;
using scene::testing::PngKind;

constexpr std::uint64_t kMiB = 1U << 20U;

// A sphere whose materials have these pictures, a glTF primitive each.
Json pictured(const std::vector<std::string>& pictures) {
    Json json = sphere_gltf(4);
    const Json primitive = json["meshes"][0]["primitives"][0];
    json["meshes"][0]["primitives"] = Json::array();
    json["materials"] = Json::array();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        json["images"].push_back({{"uri", "data:image/png;base64," + base64(pictures[i])}});
        json["textures"].push_back({{"source", i}});
        json["materials"].push_back({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", i}}}}}});
        json["meshes"][0]["primitives"].push_back(primitive);
        json["meshes"][0]["primitives"].back()["material"] = i;
    }
    return json;
}

std::string picture(const PngKind& kind, std::uint64_t more = 0) {
    return png_file(kind, deflated_zeros(png_raw_bytes(kind) + more));
}

class Memory : public ::testing::Test {
  protected:
    ProcessResult render(const std::string& scene, const std::vector<std::string>& more = {}, int status = 0) {
        std::vector<std::string> command{"render", scene,      "-o", "a.png",  "--size",
                                         "64x64",  "--frames", "1",  "--json", "a.json"};
        command.insert(command.end(), more.begin(), more.end());
        ProcessResult result = sublet(command, {.folder = folder_.path()});
        EXPECT_EQ(result.status, status) << result.err;
        return result;
    }

    [[nodiscard]] std::uint64_t scene_memory() const {
        return Json::parse(read_text(folder_ / "a.json"))["memory"]["scene"];
    }

    TemporaryFolder folder_;
};

TEST_F(Memory, APictureThatInflatesWithoutEndIsGivenUp) {
    write_text(folder_ / "plain.gltf", pictured({picture({16, 16})}).dump());
    write_text(folder_ / "bomb.gltf", pictured({picture({16, 16}, 500 * kMiB)}).dump());
    const ProcessResult plain = render("plain.gltf");
    const ProcessResult bomb = render("bomb.gltf");
    EXPECT_NE(bomb.err.find("more than its header says"), std::string::npos) << bomb.err;
    EXPECT_LT(bomb.peak_bytes, plain.peak_bytes + 100 * kMiB);
}

TEST_F(Memory, PicturesAreHeldToTheLimit) {
    std::vector<std::string> pictures;
    // Of different bytes each; 21 MiB each as a texture.
    for (std::uint64_t i = 0; i < 12; ++i) pictures.push_back(picture({2048, 2048}) + std::string(i, ' '));
    write_text(folder_ / "many.gltf", pictured(pictures).dump());
    const ProcessResult all = render("many.gltf");
    EXPECT_EQ(all.err, "");
    EXPECT_GT(scene_memory(), 250 * kMiB);
    EXPECT_TRUE(Json::parse(read_text(folder_ / "a.json"))["texture_streaming"].is_null());
    const std::string whole = read_text(folder_ / "a.png");
    const ProcessResult held = render("many.gltf", {"--texture-budget", "48"});
    EXPECT_LT(scene_memory(), 49 * kMiB);
    EXPECT_GT(scene_memory(), 40 * kMiB);
    EXPECT_EQ(held.err,
              "note: 12 images of 12 have no room at full size in the 48 MiB that textures may take (--vram-budget, "
              "--texture-budget): they are as fine as they are seen, as far as that goes\n");
    EXPECT_EQ(read_text(folder_ / "a.png"), whole) << "all that it samples came";
    const Json streaming = Json::parse(read_text(folder_ / "a.json"))["texture_streaming"];
    EXPECT_EQ(streaming["images"], 12);
    EXPECT_EQ(streaming["levels_coarser"], 0);
    EXPECT_EQ(streaming["failed_images"], 0);
    EXPECT_LE(streaming["bytes"], streaming["budget_bytes"]);
    EXPECT_LT(held.peak_bytes + 150 * kMiB, all.peak_bytes);
    // Geometry and textures share a budget.
    render("many.gltf", {"--vram-budget", "48"});
    EXPECT_EQ(read_text(folder_ / "a.png"), whole);
    const Json shared = Json::parse(read_text(folder_ / "a.json"));
    EXPECT_LE(shared["memory"]["scene"], 49 * kMiB);
    EXPECT_LT(shared["texture_streaming"]["budget_bytes"], 48 * kMiB);
    EXPECT_TRUE(shared["streaming"].is_null());
    // What has no room is an error, or drawn coarser.
    const ProcessResult tight = render("many.gltf", {"--texture-budget", "0.125"}, 1);
    EXPECT_NE(tight.err.find("--texture-budget: textures that are seen take 0.3 MiB, and have no room in the 0.2 MiB"),
              std::string::npos)
        << tight.err;
    const ProcessResult coarser = render("many.gltf", {"--texture-budget", "0.125", "--lod-error", "auto"});
    EXPECT_EQ(coarser.err.find("no effect"), std::string::npos) << coarser.err;
    EXPECT_NE(coarser.err.find("they are drawn 2 levels coarser"), std::string::npos) << coarser.err;
    // The same picture, whatever number of them is decoded at a time.
    const ProcessResult few = render("many.gltf", {"--image-limit", "70"});
    EXPECT_EQ(few.err, "");
    EXPECT_EQ(read_text(folder_ / "a.png"), whole);
    const ProcessResult white = render("many.gltf", {"--image-limit", "8"});
    EXPECT_NE(white.err.find("drawn white: 2048x2048 texels take up to"), std::string::npos) << white.err;
    EXPECT_LT(scene_memory(), kMiB);
}

TEST_F(Memory, LevelsOfDetailThatHaveNoRoomComeAsTheyAreSeen) {
    write_text(folder_ / "sphere.gltf", sphere_gltf(150).dump());
    for (const std::string coding : {"compact", "plain"}) {
        const ProcessResult encoded =
            sublet({"encode", "sphere.gltf", "-o", coding + ".sublet", "--coding", coding}, {.folder = folder_.path()});
        ASSERT_EQ(encoded.status, 0) << encoded.err;
    }
    const auto geometry = [&] {
        const Json memory = Json::parse(read_text(folder_ / "a.json"))["memory"];
        return memory["geometry"].get<std::uint64_t>() + memory["decoded"].get<std::uint64_t>();
    };
    const auto streaming = [&] { return Json::parse(read_text(folder_ / "a.json"))["streaming"]; };
    const std::vector<std::string> coarse{"--lod-error", "40"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), coarse.begin(), coarse.end());
        return more;
    };
    EXPECT_EQ(render("compact.sublet", coarse).err, "");
    EXPECT_GT(geometry(), kMiB * 3 / 2);
    EXPECT_TRUE(streaming().is_null());
    const std::string picture = read_text(folder_ / "a.png");
    const ProcessResult held = render("compact.sublet", with({"--vram-budget", "1"}));
    EXPECT_EQ(read_text(folder_ / "a.png"), picture) << "all that it shows came first";
    EXPECT_LT(geometry(), kMiB * 5 / 4);
    EXPECT_NE(held.err.find("has 1 MiB beside textures (--vram-budget): levels of detail come as they are seen"),
              std::string::npos)
        << held.err;
    EXPECT_EQ(Json::parse(read_text(folder_ / "a.json"))["notes"].size(), 1U);
    EXPECT_GT(streaming()["arrived_groups"], 0);
    EXPECT_LT(streaming()["resident_groups"], streaming()["groups"]);
    EXPECT_EQ(streaming()["wished_groups"], 0);
    EXPECT_EQ(streaming()["seen_error"], 40.0);
    // What has no room is an error, or drawn coarser.
    const ProcessResult finest = render("compact.sublet", {"--vram-budget", "1", "--lod", "off"}, 1);
    EXPECT_NE(finest.err.find("--vram-budget: geometry that is seen takes about "), std::string::npos) << finest.err;
    render("compact.sublet", {"--vram-budget", "1", "--lod", "off", "--stream-wait", "off"});
    EXPECT_EQ(streaming()["seen_errors"].size(), 3U);
    // What can't be left out is there, whatever the budget is.
    const ProcessResult whole = render("plain.sublet", {"--vram-budget", "1"});
    EXPECT_NE(whole.err.find("it has no levels of detail that can be left out"), std::string::npos) << whole.err;
    EXPECT_GT(geometry(), 2 * kMiB);
}

TEST_F(Memory, EqualPicturesAreUploadedOnce) {
    // A .sublet may hold what the import would have kept once.
    scene::EncodedScene encoded;
    write_text(folder_ / "plain.gltf", pictured(std::vector<std::string>(40, picture({512, 512}))).dump());
    ASSERT_EQ(sublet({"encode", "plain.gltf"}, {.folder = folder_.path()}).status, 0);
    encoded = scene::open_sublet(folder_ / "plain.sublet");
    ASSERT_EQ(encoded.scene.images.size(), 1U);
    ASSERT_EQ(encoded.scene.textures.size(), 40U);
    for (int i = 1; i < 40; ++i) {
        encoded.scene.images.push_back(encoded.scene.images[0]);
        encoded.scene.textures[static_cast<std::size_t>(i)].image = i;
    }
    scene::write_sublet(folder_ / "copies.sublet", encoded);
    render("plain.sublet");
    const std::uint64_t once = scene_memory();
    EXPECT_LT(once, 2 * kMiB);
    render("copies.sublet");
    EXPECT_EQ(scene_memory(), once);
}

TEST_F(Memory, GeometryOutOfAllProportionIsRefusedBeforeItIsRead) {
    Json json = sphere_gltf(100);
    const Json primitive = json["meshes"][0]["primitives"][0];
    json["materials"] = Json::array();
    for (int i = 0; i < 5000; ++i) {
        json["materials"].push_back(Json::object());
        json["meshes"][0]["primitives"][i] = primitive;
        json["meshes"][0]["primitives"][i]["material"] = i;
    }
    write_text(folder_ / "a.gltf", json.dump());
    const ProcessResult result = sublet({"encode", "a.gltf"}, {.folder = folder_.path()});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("out of all proportion"), std::string::npos) << result.err;
    EXPECT_LT(result.peak_bytes, 250 * kMiB);
    // The same glTF primitive over and over is one.
    for (Json& each : json["meshes"][0]["primitives"]) each["material"] = 0;
    write_text(folder_ / "b.gltf", json.dump());
    const ProcessResult one = sublet({"encode", "b.gltf"}, {.folder = folder_.path()});
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_LT(one.peak_bytes, 250 * kMiB);
}

}  // namespace
}  // namespace sublet::test
