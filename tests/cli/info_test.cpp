// What `info` tells of glTF before it is encoded.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class InfoOfGltf : public testing::Test {
  protected:
    ProcessResult info(const std::string& file, const std::vector<std::string>& more = {}) {
        std::vector<std::string> command{"info", file};
        command.insert(command.end(), more.begin(), more.end());
        return sublet(command, {.folder = folder_.path()});
    }
    Json json(const std::string& file) {
        const ProcessResult result = info(file, {"--json", "-"});
        EXPECT_EQ(result.status, 0) << result.err;
        return Json::parse(result.out);
    }

    TemporaryFolder folder_;
};

// One of each.
Json rich_gltf() {
    Json gltf = moving_gltf();
    gltf["asset"]["generator"] = "a test";
    gltf["scenes"].push_back({{"name", "empty"}, {"nodes", Json::array()}});
    Json mesh = gltf["meshes"][0];
    mesh["name"] = "more";
    Json lines = mesh["primitives"][0];
    lines["mode"] = 1;
    Json strip = mesh["primitives"][0];
    strip["mode"] = 5;
    mesh["primitives"].push_back(lines);
    mesh["primitives"].push_back(strip);
    for (Json& primitive : mesh["primitives"]) primitive["targets"][0]["POSITION"] = 0;
    mesh["extras"]["targetNames"][0] = "smile";
    gltf["meshes"].push_back(mesh);
    gltf["materials"][0] = {{"name", "leaf"}, {"alphaMode", "MASK"}, {"doubleSided", true}};
    gltf["materials"][1] = Json::object();
    gltf["skins"][0]["name"] = "rig";
    gltf["skins"][0]["joints"][0] = 0;
    gltf["extensionsUsed"] = {"KHR_lights_punctual", "KHR_materials_variants", "EXT_unheard_of", "KHR_xmp_json_ld"};
    gltf["extensions"]["KHR_lights_punctual"]["lights"][0] = {
        {"type", "spot"}, {"name", "lamp"}, {"spot", Json::object()}};
    gltf["extensions"]["KHR_materials_variants"]["variants"][0]["name"] = "night";
    return gltf;
}

TEST_F(InfoOfGltf, TellsOfGltfWhatItHolds) {
    const Json gltf = rich_gltf();
    write_text(folder_ / "rich.gltf", gltf.dump());
    write_text(folder_ / "rich.glb", glb_of(gltf));
    const Json told = json("rich.gltf");
    EXPECT_EQ(told["format"], "gltf");
    EXPECT_EQ(told["file"], "rich.gltf");
    EXPECT_EQ(told["file_bytes"], gltf.dump().size());
    EXPECT_EQ(told["asset"], (Json{{"version", "2.0"}, {"generator", "a test"}}));
    const std::uint64_t triangles = 2U * 16 * 15, vertices = 17U * 17;
    EXPECT_EQ(told["totals"], (Json{{"triangles", 2 * triangles + 3 * triangles - 2},
                                    {"vertices", 2 * vertices},
                                    {"primitives", 4},
                                    {"meshes", 2}}));
    EXPECT_EQ(told["scenes"].size(), 2U);
    EXPECT_EQ(told["scenes"][0]["drawn"], true);
    EXPECT_EQ(told["scenes"][1], (Json{{"name", "empty"}, {"roots", 0}, {"drawn", false}}));
    EXPECT_EQ(told["scene"]["instances"], 2);
    EXPECT_EQ(told["scene"]["materials"], 2);
    EXPECT_EQ(told["scene"]["skins"], 1);
    EXPECT_EQ(told["scene"]["animations"], 2);
    EXPECT_EQ(told["scene"]["cameras"], 1);
    EXPECT_EQ(told["meshes"][0]["triangles"], triangles);
    EXPECT_EQ(told["meshes"][0]["nodes"], 2);
    EXPECT_EQ(told["meshes"][1], (Json{{"name", "more"},
                                       {"primitives", 3},
                                       {"undrawn_primitives", 1},
                                       {"triangles", triangles + 3 * triangles - 2},
                                       {"vertices", vertices},
                                       {"nodes", 0},
                                       {"morph_targets", Json::array({"smile"})}}));
    EXPECT_EQ(
        told["materials"][0],
        (Json{{"name", "leaf"}, {"alpha_mode", "mask"}, {"double_sided", true}, {"unlit", false}, {"textures", 0}}));
    EXPECT_EQ(told["animations"][0]["name"], "slide");
    EXPECT_EQ(told["animations"][0]["length"], 2.0);
    EXPECT_EQ(told["variants"], Json({"night"}));
    EXPECT_EQ(told["skins"][0], (Json{{"name", "rig"}, {"joints", 1}}));
    EXPECT_EQ(told["lights"][0], (Json{{"name", "lamp"}, {"type", "spot"}, {"intensity", 1.0}}));
    EXPECT_EQ(told["cameras"][0]["projection"], "perspective");
    ASSERT_EQ(told["extensions"].size(), 4U);
    EXPECT_EQ(told["extensions"][0]["name"], "EXT_unheard_of");
    EXPECT_EQ(told["extensions"][0]["supported"], false);
    EXPECT_NE(told["extensions"][0]["note"].get<std::string>().find("ignored"), std::string::npos);
    EXPECT_EQ(told["extensions"][1],
              (Json{{"name", "KHR_lights_punctual"}, {"required", false}, {"supported", true}, {"note", nullptr}}));

    const ProcessResult human = info("rich.glb");
    EXPECT_EQ(human.status, 0) << human.err;
    for (const char* part : {"rich.glb: glTF 2.0, binary, by a test, not encoded yet", "more", "leaf", "slide", "night",
                             "lamp (spot)", "rig (1 joint)", "empty (0 roots)", "EXT_unheard_of", "not supported"}) {
        EXPECT_NE(human.out.find(part), std::string::npos) << part << " in: " << human.out;
    }
    EXPECT_NE(human.err.find("EXT_unheard_of is ignored"), std::string::npos) << human.err;
    Json glb = json("rich.glb");
    EXPECT_EQ(glb["format"], "glb");
    EXPECT_EQ(glb["meshes"], told["meshes"]);
    EXPECT_EQ(folder_.entry_count(), 2) << "nothing was written";
}

TEST_F(InfoOfGltf, TellsOnceItIsEncodedWhatDrawingTakes) {
    write_text(folder_ / "sphere.gltf", sphere_gltf().dump());
    ASSERT_EQ(sublet({"encode", "sphere.gltf"}, {.folder = folder_.path()}).status, 0);
    const Json told = json("sphere.sublet");
    EXPECT_GT(told["memory"]["geometry"], told["totals"]["payload_bytes"]);
    EXPECT_GT(told["memory"]["decoded"], 8 * told["totals"]["vertices"].get<std::uint64_t>());
    EXPECT_GT(told["memory"]["instances"], 0);
    EXPECT_NE(info("sphere.sublet").out.find("  drawing takes at least "), std::string::npos);
}

// `encode` refuses it.
TEST_F(InfoOfGltf, TellsOfAFileThatRequiresWhatIsNotSupported) {
    Json gltf = sphere_gltf();
    gltf["extensionsUsed"] = gltf["extensionsRequired"] = {"EXT_unheard_of", "KHR_mesh_quantization"};
    write_text(folder_ / "odd.gltf", gltf.dump());
    const Json told = json("odd.gltf");
    EXPECT_EQ(told["extensions"][0]["name"], "EXT_unheard_of");
    EXPECT_EQ(told["extensions"][0]["required"], true);
    EXPECT_EQ(told["extensions"][0]["supported"], false);
    EXPECT_EQ(told["extensions"][0]["note"], "the file requires it, and it is not supported: the file can't be drawn");
    EXPECT_EQ(told["extensions"][1]["supported"], true);
    EXPECT_EQ(sublet({"encode", "odd.gltf"}, {.folder = folder_.path()}).status, 1);
}

TEST_F(InfoOfGltf, OfBrokenGltfNamesFileFieldAndValue) {
    Json gltf = sphere_gltf();
    gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 77;
    write_text(folder_ / "broken.gltf", gltf.dump());
    const ProcessResult result = info("broken.gltf", {"--json", "old.json"});
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
    for (const char* part : {"broken.gltf", "meshes[0].primitives[0].attributes.POSITION", "77"}) {
        EXPECT_NE(result.err.find(part), std::string::npos) << part << " in: " << result.err;
    }
    // Counts of a hostile file are told as they are; nothing is read for them.
    gltf = sphere_gltf();
    for (Json& accessor : gltf["accessors"]) accessor["count"] = std::uint64_t{1} << 52U;
    write_text(folder_ / "large.gltf", gltf.dump());
    const Json large = json("large.gltf");
    EXPECT_EQ(large["totals"]["vertices"], std::uint64_t{1} << 52U);
}

}  // namespace
}  // namespace sublet::test
