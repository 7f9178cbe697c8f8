// What options make of a picture, and of stderr.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "program_fixture.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class Drawn : public Render {};

TEST_F(Drawn, AGridIsSpacedInSizesOfItsMesh) {
    const std::vector<std::string> grid{"--size", "64x48", "--grid", "3x1x1", "--grid-spacing"};
    const auto spaced = [&](const std::string& name, const std::string& spacing) {
        std::vector<std::string> arguments = grid;
        arguments.push_back(spacing);
        return render(name, arguments)["settings"]["grid-spacing"];
    };
    EXPECT_EQ(spaced("sizes", "1.5x"), "1.5x");
    EXPECT_EQ(spaced("units", "3"), 3) << "the sphere has a diameter of 2";
    EXPECT_EQ(spaced("others", "1.5"), 1.5);
    EXPECT_EQ(picture("sizes").rgba, picture("units").rgba);
    EXPECT_NE(picture("sizes").rgba, picture("others").rgba);
}

// A sphere of this colour, which is the other one in the variant "night".
Json two_coloured(int material) {
    Json sphere = sphere_gltf(12);
    sphere["materials"] = {{{"pbrMetallicRoughness", {{"baseColorFactor", {1, 0, 0, 1}}}}},
                           {{"pbrMetallicRoughness", {{"baseColorFactor", {0, 0, 1, 1}}}}}};
    Json& primitive = sphere["meshes"][0]["primitives"][0];
    primitive["material"] = material;
    primitive["extensions"]["KHR_materials_variants"]["mappings"] = {{{"material", 1 - material}, {"variants", {0}}}};
    sphere["extensions"]["KHR_materials_variants"]["variants"] = {{{"name", "night"}}};
    return sphere;
}

TEST_F(Drawn, AVariantHasOtherMaterials) {
    write_text(folder_ / "blue.gltf", two_coloured(1).dump());
    write_text(folder_ / "sphere.gltf", two_coloured(0).dump());
    ASSERT_EQ(run({"encode", "sphere.gltf", "-o", "red.sublet"}).status, 0);
    const auto draw = [&](const std::string& scene, const std::string& name, std::vector<std::string> more) {
        more.insert(more.begin(), {"render", scene, "-o", name + ".png", "--size", "64x48"});
        return run(more);
    };
    ASSERT_EQ(draw("red.sublet", "own", {}).status, 0);
    ASSERT_EQ(draw("blue.gltf", "wanted", {}).status, 0);
    ASSERT_EQ(draw("red.sublet", "night", {"--variant", "night", "--json", "night.json"}).status, 0);
    EXPECT_EQ(picture("night").rgba, picture("wanted").rgba);
    EXPECT_NE(picture("night").rgba, picture("own").rgba);
    const Json night = read_json("night.json");
    EXPECT_EQ(night["settings"]["variant"], "night");
    EXPECT_NE(night["command"].get<std::string>().find("--variant night"), std::string::npos);
    EXPECT_EQ(render("grid", {"--size", "64x48", "--grid", "1x1x1", "--variant", "night"})["settings"]["variant"],
              "night");
    const ProcessResult wrong = draw("red.sublet", "wrong", {"--variant", "nigth"});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_EQ(wrong.error_lines(), (std::vector<std::string>{"error: the scene has no material variant 'nigth', but "
                                                             "these: night; did you mean 'night'?"}));
    const ProcessResult info = run({"info", "red.sublet", "--json", "info.json"});
    EXPECT_NE(info.out.find("material variants: night"), std::string::npos) << info.out;
    EXPECT_EQ(read_json("info.json")["variants"], Json({"night"}));
    EXPECT_EQ(run({"bench", "red.sublet", "--frames", "1", "--warmup", "0", "--vary", "variant=,night", "--json",
                   "bench.json"})
                  .status,
              0);
    EXPECT_EQ(read_json("bench.json")["runs"][1]["settings"]["variant"], "night");
}

// Without normals a triangle has that of its own plane, as the import gives it to meshes without: the same picture, but
// for what packing normals costs. Mirroring, and lighting from the right side, show in it too.
TEST_F(Drawn, WithoutNormalsTrianglesAreShadedFlat) {
    Json flat = sphere_gltf(12);
    flat["meshes"][0]["primitives"][0]["attributes"].erase("NORMAL");
    write_text(folder_ / "flat.gltf", flat.dump());
    for (const auto& [style, name] : {std::pair{"auto", "given"}, std::pair{"wireframe", "plane"}}) {
        const std::string file = std::string(name) + ".sublet";
        ASSERT_EQ(run({"encode", "flat.gltf", "-o", file, "--style", style}).status, 0);
        for (const char* view : {"shaded", "normals"}) {
            const std::string out = std::string(name) + "-" + view + ".png";
            const ProcessResult result = run({"render", file, "-o", out, "--size", "96x64", "--view", view});
            ASSERT_EQ(result.status, 0) << result.err;
        }
    }
    for (const char* view : {"shaded", "normals"}) {
        const app::ColorImage given = picture(std::string("given-") + view);
        const app::ColorImage plane = picture(std::string("plane-") + view);
        std::set<std::uint32_t> colors;
        int largest = 0;
        for (std::size_t i = 0; i < given.rgba.size(); i += 4) {
            for (std::size_t j = i; j < i + 3; ++j)
                largest = std::max(largest, std::abs(given.rgba[j] - plane.rgba[j]));
            colors.insert(plane.rgba[i] << 16U | plane.rgba[i + 1] << 8U | plane.rgba[i + 2]);
        }
        // Reflections tell more of a normal than its own colour does.
        EXPECT_LE(largest, std::string(view) == "normals" ? 3 : 12) << view;
        EXPECT_GT(colors.size(), 50U) << view << ": each plane has its own";
    }
}

TEST_F(Drawn, NotesSettingsThatChangeNothing) {
    const auto notes = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--size", "40x30"});
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        std::vector<std::string> found;
        std::istringstream lines(result.err);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("note: --")) found.push_back(line);
        }
        return found;
    };
    using Lines = std::vector<std::string>;
    EXPECT_EQ(notes({"render", "sphere.gltf", "-o", "a.png", "--backend", "direct"}), Lines{});
    const Lines direct = notes(
        {"render", "sphere.gltf", "-o", "a.png", "--backend", "direct", "--expansion", "max-n", "--hiz-level", "2"});
    ASSERT_EQ(direct.size(), 2U);
    EXPECT_TRUE(direct[0].starts_with("note: --hiz-level has no effect. ")) << direct[0];
    EXPECT_TRUE(direct[1].starts_with("note: --expansion has no effect. The backend direct")) << direct[1];
    EXPECT_EQ(notes({"render", "sphere.gltf", "-o", "a.png", "--freeze-culling", "1"}), Lines{});
    EXPECT_EQ(notes({"render", "sphere.gltf", "-o", "a.png", "--freeze-culling", "99"}).size(), 1U);
    EXPECT_EQ(notes({"render", "sphere.gltf", "-o", "a.png", "--seed", "2"}).size(), 1U);
    EXPECT_EQ(notes({"render", "-o", "a.png", "--seed", "2"}), Lines{});
    // Of many runs: once, and not where it matters in one of them.
    const Lines bench{"bench", "sphere.gltf", "--frames", "1", "--warmup", "0", "--expansion", "max-n"};
    Lines all = bench;
    all.insert(all.end(), {"--vary", "backend=direct", "--vary", "cull-frustum=on,off"});
    EXPECT_EQ(notes(all).size(), 1U);
    Lines some = bench;
    some.insert(some.end(), {"--vary", "backend=direct,mdi"});
    EXPECT_EQ(notes(some), Lines{});
}

TEST_F(Drawn, AnOlderNameOfABackendIsTakenWithANote) {
    const ProcessResult result = run({"bench", "sphere.gltf", "--size", "40x30", "--frames", "1", "--warmup", "0",
                                      "--vary", "backend=mdi,mdi-meshlets", "--json", "a.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::size_t note = result.err.find("note: the backend mdi-meshlets is now mdi with --cull-sublets off\n");
    ASSERT_NE(note, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("mdi-meshlets", note + 30), std::string::npos) << "once";
    const Json runs = read_json("a.json")["runs"];
    for (const Json& one : runs) EXPECT_EQ(one["settings"]["backend"], "mdi");
    EXPECT_EQ(runs[1]["settings"]["cull-sublets"], "off");
    EXPECT_TRUE(runs[1]["counters"]["funnel"]["sublets"].is_null());
}

}  // namespace
}  // namespace sublet::test
