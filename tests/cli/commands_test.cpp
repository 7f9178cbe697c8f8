// The commands that need no device.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "app/image_io.h"
#include "base/path_text.h"
#include "gltf_text.h"
#include "process.h"
#include "render/shade/shade.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

// Checks that `json` has each key, written as a path: "totals.triangles".
void expect_keys(const Json& json, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        std::string pointer = "/" + path;
        for (char& c : pointer) c = c == '.' ? '/' : c;
        EXPECT_TRUE(json.contains(Json::json_pointer(pointer))) << path;
    }
}

const std::vector<std::string> kFigures{"totals.triangles",
                                        "totals.vertices",
                                        "totals.encoded_vertices",
                                        "totals.sublets",
                                        "totals.meshlets",
                                        "totals.bytes",
                                        "totals.payload_bytes",
                                        "totals.stream_header_bytes",
                                        "totals.bounds_bytes",
                                        "totals.uncompressed_bytes",
                                        "totals.bytes_per_triangle",
                                        "streams.primitives.bytes",
                                        "streams.position.bytes",
                                        "streams.normal_tangent.bytes",
                                        "streams.normal_tangent.tangent_bytes",
                                        "streams.uv.bytes",
                                        "streams.bone_indices.bytes",
                                        "streams.bone_weights.bytes",
                                        "streams.joint_weights.bytes",
                                        "streams.joint_indices1.bytes",
                                        "streams.joint_weights1.bytes",
                                        "quality.sublet_radius_mean",
                                        "quality.sublet_cone_cutoff_mean",
                                        "quality.meshlet_radius_mean",
                                        "quality.meshlet_cone_cutoff_mean",
                                        "error.position_max",
                                        "error.position_rms",
                                        "error.position_max_relative"};

// Everything that `part` says, `whole` says too; it may say more.
void expect_holds(const Json& whole, const Json& part, const std::string& path) {
    if (!part.is_structured()) {
        EXPECT_EQ(whole, part) << path;
        return;
    }
    ASSERT_EQ(whole.type(), part.type()) << path;
    const Json flat_whole = whole.flatten();
    const Json flat_part = part.flatten();
    for (const auto& [pointer, value] : flat_part.items()) {
        ASSERT_TRUE(flat_whole.contains(pointer)) << path << pointer;
        EXPECT_EQ(flat_whole[pointer], value) << path << pointer;
    }
}

// A machine without any Vulkan: the loader is there in name only. Windows looks for it beside the program first.
class WithoutVulkan : public ::testing::Test {
  protected:
    WithoutVulkan() {
        for (const char* name : {"lib/libvulkan.so.1", "lib/libvulkan.so", "lib/vulkan-1.dll"}) {
            write_text(folder_ / name, "");
        }
        if (kWindows) std::filesystem::copy_file(text_path(sublet_program()), folder_ / "lib/sublet.exe");
        write_text(folder_ / "sphere.gltf", sphere_gltf().dump());
        app::write_png(folder_ / "a.png", 2, 2, std::vector<std::uint8_t>(16, 1));
    }

    ProcessResult run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), kWindows ? path_text(folder_ / "lib/sublet.exe") : sublet_program());
        return test::run(arguments, {.folder = folder_.path(),
                                     .environment = {"LD_LIBRARY_PATH=" + path_text(folder_ / "lib"), "DISPLAY",
                                                     "WAYLAND_DISPLAY"}});
    }

    TemporaryFolder folder_;
};

const std::vector<std::vector<std::string>> kDrawing{
    {"devices"}, {"render", "sphere.gltf", "-o", "x.png"}, {"bench", "sphere.gltf"}, {"view", "sphere.gltf"}};

// A file of two scenes, the second of one sphere.
TEST(Encode, TakesTheSceneThatIsAskedFor) {
    const TemporaryFolder folder;
    Json gltf = sphere_gltf(20);
    gltf["scenes"].push_back({{"name", "one"}, {"nodes", {0}}});
    write_text(folder / "two.gltf", gltf.dump());
    const auto encode = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"encode", "two.gltf", "-o", "out.sublet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return sublet(arguments, {.folder = folder.path()});
    };
    const auto instances = [&] {
        const ProcessResult info = sublet({"info", "out.sublet", "--json", "-"}, {.folder = folder.path()});
        return Json::parse(info.out)["scene"]["instances"];
    };
    EXPECT_EQ(encode({}).status, 0);
    EXPECT_EQ(instances(), 2);
    for (const char* scene : {"one", "1"}) {
        EXPECT_EQ(encode({"--scene", scene}).status, 0);
        EXPECT_EQ(instances(), 1) << scene;
    }
    const ProcessResult refused = encode({"--scene", "on"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.err,
              "error: two.gltf: scenes: there is no scene 'on', but these: 0, 1 one; did you mean 'one'?\n");
    EXPECT_EQ(sublet({"render", "out.sublet", "--scene", "1", "-o", "a.png"}, {.folder = folder.path()}).err,
              "error: out.sublet: has one scene: --scene '1' is for the scenes of .gltf and .glb files\n");
    EXPECT_EQ(sublet({"render", "--scene", "1", "-o", "a.png"}, {.folder = folder.path()}).err,
              "error: built-in scene: has one scene: --scene '1' is for the scenes of .gltf and .glb files\n");
}

TEST(Encode, WritesTheFileAndItsFigures) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(40).dump());
    const ProcessResult result = sublet(
        {"encode", "sphere.gltf", "-o", "out.sublet", "--json", "out.json", "--position-bits", "12", "--threads", "2"},
        {.folder = folder.path()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.error_lines().size(), 0U) << result.err;
    EXPECT_NE(result.out.find("out.sublet"), std::string::npos);
    const Json json = Json::parse(read_text(folder / "out.json"));
    expect_keys(json, kFigures);
    expect_keys(json,
                {"program", "version", "seconds.import", "seconds.cluster", "seconds.pack", "seconds.bounds",
                 "seconds.write", "seconds.total", "triangles_per_second", "threads", "peak_bytes", "meshes", "notes"});
    const auto triangles = json["totals"]["triangles"].get<std::uint64_t>();
    EXPECT_EQ(triangles, 2U * 40 * 39);
    EXPECT_EQ(json["threads"], 2);
    EXPECT_GT(json["peak_bytes"], 1 << 20);
    EXPECT_GT(json["triangles_per_second"], 0.0);
    EXPECT_GE(json["totals"]["sublets"].get<std::uint64_t>(), triangles / 32);
    EXPECT_GT(json["error"]["position_max"], 0.0);
    EXPECT_LT(json["error"]["position_max"], 1e-3);
    EXPECT_NEAR(json["totals"]["bytes_per_triangle"].get<double>(),
                json["totals"]["bytes"].get<double>() / static_cast<double>(triangles), 1e-9);
    ASSERT_EQ(json["meshes"].size(), 1U);
    expect_keys(json["meshes"][0], kFigures);
    EXPECT_EQ(json["meshes"][0]["name"], "sphere");
    EXPECT_EQ(json["encoding"]["position_bits"], 12);
    EXPECT_EQ(json["encoding"]["source"], "sphere.gltf");
    EXPECT_EQ(folder.entry_count(), 3) << "no temporary is left";
}

TEST(Encode, SaysWhatTheGridLost) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(40).dump());
    const ProcessResult coarse =
        sublet({"encode", "sphere.gltf", "-o", "out.sublet", "--json", "out.json", "--position-bits", "5"},
               {.folder = folder.path()});
    ASSERT_EQ(coarse.status, 0) << coarse.err;
    EXPECT_NE(coarse.err.find("note: the grid of 5-bit positions is too coarse for "), std::string::npos) << coarse.err;
    EXPECT_NE(coarse.err.find("--position-bits"), std::string::npos);
    const Json json = Json::parse(read_text(folder / "out.json"));
    const auto lost = json["totals"]["dropped_by_grid"].get<std::uint64_t>();
    EXPECT_GT(lost, 0U);
    EXPECT_EQ(json["meshes"][0]["totals"]["dropped_by_grid"], lost);
    EXPECT_EQ(json["totals"]["dropped_degenerate"], lost);
    const char* const text = " of them only on the grid)";
    EXPECT_NE(coarse.out.find(text), std::string::npos) << coarse.out;
    const ProcessResult info = sublet({"info", "out.sublet", "--json", "info.json"}, {.folder = folder.path()});
    ASSERT_EQ(info.status, 0) << info.err;
    EXPECT_NE(info.out.find(text), std::string::npos) << info.out;
    EXPECT_EQ(Json::parse(read_text(folder / "info.json"))["totals"]["dropped_by_grid"], lost);
}

TEST(Encode, KeepsItsNotesInTheFile) {
    const TemporaryFolder folder;
    Json gltf = sphere_gltf();
    gltf["extensionsUsed"] = {"EXT_unheard_of"};
    write_text(folder / "noted.gltf", gltf.dump());
    const auto notes = [&folder](const std::vector<std::string>& arguments) {
        std::vector<std::string> with_json = arguments;
        with_json.insert(with_json.end(), {"--json", "-"});
        const ProcessResult result = sublet(with_json, {.folder = folder.path()});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_NE(result.err.find("note: "), std::string::npos) << "stderr has them too";
        return Json::parse(result.out)["notes"];
    };
    const Json encoded = notes({"encode", "noted.gltf", "-o", "noted.sublet"});
    ASSERT_EQ(encoded.size(), 1U);
    EXPECT_NE(encoded[0].get<std::string>().find("EXT_unheard_of"), std::string::npos) << encoded;
    EXPECT_EQ(notes({"info", "noted.sublet"}), encoded);
    EXPECT_EQ(notes({"decode", "noted.sublet", "-o", "back.glb"}), encoded);
}

TEST(Encode, NamesItsOutputAfterItsInput) {
    const TemporaryFolder folder;
    write_text(folder / "models" / "sphere.v2.gltf", sphere_gltf().dump());
    std::filesystem::create_directory(folder / "here");
    const ProcessResult result = sublet({"encode", "../models/sphere.v2.gltf"}, {.folder = folder / "here"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "here" / "sphere.v2.sublet"));
    EXPECT_NE(result.out.find("sphere.v2.sublet"), std::string::npos) << "it says where";
}

TEST(Encode, TakesUnicodePathsAndGlb) {
    const TemporaryFolder folder;
    write_text(folder / "Bücher 本/кот.glb", glb_of(sphere_gltf()));
    const ProcessResult result =
        sublet({"encode", "Bücher 本/кот.glb", "-o", "Bücher 本/猫.sublet", "--json", "Bücher 本/猫.json"},
               {.folder = folder.path()});
    ASSERT_EQ(result.status, 0) << result.err;
    const ProcessResult info = sublet({"info", "Bücher 本/猫.sublet", "--json", "-"}, {.folder = folder.path()});
    ASSERT_EQ(info.status, 0) << info.err;
    EXPECT_EQ(Json::parse(info.out)["encoding"]["source"], "кот.glb");
}

TEST(Encode, GivesTheSameBytesWhateverTheThreadsAndTheMemory) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(60).dump());
    const auto encode = [&](const std::string& threads, const std::string& mebibytes) {
        const ProcessResult result =
            sublet({"encode", "sphere.gltf", "-o", "out.sublet", "--threads", threads, "--encode-memory", mebibytes},
                   {.folder = folder.path()});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(folder.entry_count(), 2) << "nothing else is left";
        return read_text(folder / "out.sublet");
    };
    const std::string expected = encode("1", "2048");
    EXPECT_EQ(encode("3", "2048"), expected);
    EXPECT_EQ(encode("3", "1"), expected) << "by files";
    const ProcessResult again =
        sublet({"encode", "out.sublet", "-o", "other.sublet", "--lod", "off", "--encode-memory", "1"},
               {.folder = folder.path()});
    EXPECT_EQ(again.status, 1);
    EXPECT_NE(again.err.find("--encode-memory is for .gltf and .glb files"), std::string::npos) << again.err;
}

TEST(Encode, JsonOnStdoutIsNothingElse) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf().dump());
    const ProcessResult result = sublet({"encode", "sphere.gltf", "--json", "-"}, {.folder = folder.path()});
    ASSERT_EQ(result.status, 0);
    expect_keys(Json::parse(result.out), kFigures);
    EXPECT_NE(result.err.find("triangles"), std::string::npos) << "people read it on stderr then";
    EXPECT_EQ(result.err.find('\x1b'), std::string::npos) << "no progress bar where there is no terminal";
    EXPECT_EQ(result.err.find('\r'), std::string::npos);
}

TEST(Encode, NeverOverwritesItsInput) {
    const TemporaryFolder folder;
    const std::string text = sphere_gltf().dump();
    write_text(folder / "sphere.gltf", text);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"encode", "sphere.gltf", "-o", "./sphere.gltf"},
          std::vector<std::string>{"encode", "sphere.gltf", "-o", "a.sublet", "--json", "sphere.gltf"}}) {
        const ProcessResult result = sublet(arguments, {.folder = folder.path()});
        EXPECT_EQ(result.status, 1);
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
    }
    EXPECT_EQ(read_text(folder / "sphere.gltf"), text);
}

TEST(Info, TellsWhatEncodeTold) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(30).dump());
    ASSERT_EQ(sublet({"encode", "sphere.gltf", "--json", "encode.json"}, {.folder = folder.path()}).status, 0);
    const ProcessResult result = sublet({"info", "sphere.sublet", "--json", "info.json"}, {.folder = folder.path()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("sphere"), std::string::npos);
    const Json encoded = Json::parse(read_text(folder / "encode.json"));
    const Json info = Json::parse(read_text(folder / "info.json"));
    expect_keys(info, kFigures);
    for (const char* key : {"totals", "streams", "quality", "error", "meshes", "encoding"}) {
        expect_holds(info[key], encoded[key], key);
    }
    EXPECT_EQ(info["file_bytes"], std::filesystem::file_size(folder / "sphere.sublet"));
}

TEST(Decode, GivesAGlbThatEncodesAgain) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(30).dump());
    ASSERT_EQ(sublet({"encode", "sphere.gltf", "--json", "1.json"}, {.folder = folder.path()}).status, 0);
    const ProcessResult decoded =
        sublet({"decode", "sphere.sublet", "-o", "back.glb", "--json", "decode.json"}, {.folder = folder.path()});
    ASSERT_EQ(decoded.status, 0) << decoded.err;
    EXPECT_EQ(read_text(folder / "back.glb").substr(0, 4), "glTF");
    EXPECT_EQ(Json::parse(read_text(folder / "decode.json"))["bytes"], std::filesystem::file_size(folder / "back.glb"));
    ASSERT_EQ(sublet({"encode", "back.glb", "--json", "2.json"}, {.folder = folder.path()}).status, 0);
    EXPECT_EQ(Json::parse(read_text(folder / "1.json"))["totals"]["triangles"],
              Json::parse(read_text(folder / "2.json"))["totals"]["triangles"]);
}

TEST(Compare, CountsWhatDiffers) {
    const TemporaryFolder folder;
    std::vector<std::uint8_t> pixels(4 * 6 * 4, 50);
    for (int i = 0; i < 3; ++i) std::copy_n(render::kBackgroundColor, 4, pixels.begin() + 4 * i);
    app::write_png(folder / "a.png", 6, 4, pixels);
    pixels[4 * 10] = 57;
    pixels[4 * 11 + 3] = 20;
    app::write_png(folder / "b.png", 6, 4, pixels);

    const ProcessResult same = sublet({"compare", "a.png", "a.png", "--json", "-"}, {.folder = folder.path()});
    EXPECT_EQ(same.status, 0) << same.err;
    EXPECT_EQ(Json::parse(same.out)["differing_pixels"], 0);
    EXPECT_EQ(Json::parse(same.out)["max_difference"], 0);

    const ProcessResult differing =
        sublet({"compare", "a.png", "b.png", "-o", "diff.png", "--json", "diff.json"}, {.folder = folder.path()});
    EXPECT_EQ(differing.status, 1);
    const Json json = Json::parse(read_text(folder / "diff.json"));
    EXPECT_EQ(json["differing_pixels"], 2);
    EXPECT_EQ(json["max_difference"], 30);
    EXPECT_EQ(json["background_pixels"], 3);
    const app::ColorImage diff = app::read_png(folder / "diff.png");
    ASSERT_EQ(diff.rgba.size(), pixels.size());
    for (std::size_t i = 0; i < 24; ++i) {
        const bool red = diff.rgba[4 * i] > 100 && diff.rgba[4 * i + 1] == 0;
        EXPECT_EQ(red, i == 10 || i == 11) << i;
    }
}

TEST(Compare, RefusesOtherSizesAndOtherFiles) {
    const TemporaryFolder folder;
    app::write_png(folder / "a.png", 2, 2, std::vector<std::uint8_t>(16, 1));
    app::write_png(folder / "b.png", 2, 3, std::vector<std::uint8_t>(24, 1));
    write_text(folder / "text.png", "text");
    for (const char* other : {"b.png", "text.png", "missing.png"}) {
        const ProcessResult result = sublet({"compare", "a.png", other}, {.folder = folder.path()});
        EXPECT_EQ(result.status, 1);
        ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_NE(result.err.find(other), std::string::npos) << result.err;
    }
}

TEST_F(WithoutVulkan, EncodeInfoDecodeAndCompareWork) {
    EXPECT_EQ(run({"encode", "sphere.gltf"}).status, 0);
    EXPECT_EQ(run({"info", "sphere.sublet"}).status, 0);
    EXPECT_EQ(run({"decode", "sphere.sublet", "-o", "back.glb"}).status, 0);
    EXPECT_EQ(run({"compare", "a.png", "a.png"}).status, 0);
    EXPECT_EQ(run({"help"}).status, 0);
}

void expect_no_vulkan(const ProcessResult& result, const std::string& what) {
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
    EXPECT_NE(result.err.find("Vulkan"), std::string::npos) << result.err;
    EXPECT_EQ(result.err, what) << "all in the same words";
}

TEST_F(WithoutVulkan, TheOthersSayWhatIsMissing) {
    const std::string what = run({"devices"}).err;
    for (const std::vector<std::string>& arguments : kDrawing) expect_no_vulkan(run(arguments), what);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.png"));
}

TEST_F(WithoutVulkan, SoDoTheyWhereTheLoaderFindsNoDriver) {
    if (kWindows) GTEST_SKIP() << "drivers are in the registry";
    const ProcessOptions options{.folder = folder_.path(),
                                 .environment = {"VK_DRIVER_FILES=/no/driver.json", "VK_ICD_FILENAMES=/no/driver.json",
                                                 "DISPLAY", "WAYLAND_DISPLAY"}};
    const std::string what = sublet({"devices"}, options).err;
    for (const std::vector<std::string>& arguments : kDrawing) expect_no_vulkan(sublet(arguments, options), what);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.png"));
}

}  // namespace
}  // namespace sublet::test
