// Animations by the commands: which play, when, and what becomes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "mesh/mesh.h"
#include "program_fixture.h"
#include "scene/container.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class Animation : public ProgramFixture {
  protected:
    Animation() { write_text(folder_ / "moving.gltf", moving_gltf().dump()); }

    Json render(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"render", "moving.gltf", "-o",     "a.png",  "--environment",
                                           "none",   "--size",      "160x90", "--json", "a.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? read_json("a.json") : Json();
    }
    std::vector<std::uint8_t> picture(const std::string& name = "a.png") const {
        return app::read_png(folder_ / name).rgba;
    }
    void expect_wrong(const std::vector<std::string>& more, int status, const std::string& part) const {
        std::vector<std::string> arguments{"render", "moving.gltf"};
        if (more.front() != "-o") arguments.insert(arguments.end(), {"-o", "a.png"});
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, status) << part;
        EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    }
};

bool has_pass(const Json& run, const std::string& name) {
    for (const Json& pass : run["passes"]) {
        if (pass["name"] == name) return true;
    }
    return false;
}

TEST_F(Animation, RenderShowsAMoment) {
    const Json still = render({"--animation", "none"});
    EXPECT_TRUE(still["animation"].is_null());
    EXPECT_FALSE(has_pass(still, "animate"));
    EXPECT_EQ(still["memory"]["purposes"]["animation"], 0);
    const auto of_still = picture();
    const Json moved = render({"--time", "1.5"});
    EXPECT_EQ(moved["settings"]["time"], 1.5);
    EXPECT_EQ(moved["settings"]["animation"], "all");
    EXPECT_EQ(moved["animation"]["playing"], Json::array({"slide", "animation 1"}));
    EXPECT_EQ(moved["animation"]["time"], 1.5);
    EXPECT_EQ(moved["animation"]["length"], 2.0);
    EXPECT_EQ(moved["animation"]["instances"], 1);
    EXPECT_GT(moved["memory"]["purposes"]["animation"], 0);
    EXPECT_TRUE(has_pass(moved, "animate"));
    EXPECT_NE(moved["command"].get<std::string>().find("--time 1.5"), std::string::npos);
    const auto of_moved = picture();
    EXPECT_NE(of_moved, of_still);
    render({"--time", "-0.5"});
    EXPECT_EQ(picture(), of_moved) << "two seconds, and loops of two and of one, before";
    render({"--time", "-0.5", "--animation", "slide"});
    const auto of_slide = picture();
    EXPECT_NE(of_slide, of_moved) << "the camera stands still";
    render({"--time", "1.5", "--animation", "0"});
    EXPECT_EQ(picture(), of_slide) << "loops; and a number is as good as a name";
    render({"--time", "2", "--animation", "slide"});
    EXPECT_EQ(picture(), of_still) << "the end is the start";
}

TEST_F(Animation, RenderWritesEveryFrame) {
    std::vector<std::string> arguments{"render", "moving.gltf", "-o",       "f-%03d.png", "--environment", "none",
                                       "--size", "160x90",      "--frames", "3",          "--fps",         "2"};
    arguments.insert(arguments.end(), {"--json", "f.json", "--speed", "0.5", "--time", "0.25"});
    const ProcessResult result = run(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(read_json("f.json")["animation"]["time"], 0.75);
    for (int i = 0; i < 3; ++i) {
        render({"--time", std::to_string(0.25 + 0.25 * i)});
        EXPECT_EQ(picture("f-00" + std::to_string(i) + ".png"), picture()) << i;
    }
    EXPECT_NE(picture("f-000.png"), picture("f-002.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "f-003.png"));
    const Json last = render({"--time", "0.25", "--fps", "2", "--frames", "3", "--speed", "0.5"});
    EXPECT_EQ(picture(), picture("f-002.png"));
    EXPECT_NE(last["command"].get<std::string>().find("--fps 2"), std::string::npos);
}

TEST_F(Animation, WrongOptionsSayWhatIsRight) {
    expect_wrong({"--animation", "slid"}, 1, "the scene has no animation 'slid', but these: 0 slide, 1 animation 1");
    expect_wrong({"--animation", "2"}, 1, "no animation '2'");
    expect_wrong({"--time", "soon"}, 2, "--time: 'soon' is not a number of seconds");
    expect_wrong({"--speed", "1e9"}, 2, "--speed");
    expect_wrong({"-o", "f-%d.png"}, 2, "--frames must say how many");
    expect_wrong({"-o", "f-%s.png"}, 2, "one like %04d");
    expect_wrong({"-o", "f-%d.png", "--frames", "2", "--samples", "4"}, 2, "--samples averages");
    expect_wrong({"-o", "f-%d.png", "--frames", "2", "--depth", "d.pfm"}, 2, "--depth writes one file");
    expect_wrong({"-o", "f-%d.png", "--frames", "2", "--pick", "1,1"}, 2, "--pick");
    const ProcessResult still = run({"render", "-o", "a.png", "--size", "8x8", "--time", "3", "--speed", "2"});
    EXPECT_EQ(still.status, 0);
    EXPECT_NE(still.err.find("--time has no effect. The scene has no animations."), std::string::npos) << still.err;
}

TEST_F(Animation, BenchCountsTimeByFrames) {
    const ProcessResult result = run({"bench", "moving.gltf", "--size", "64x36", "--frames", "7", "--warmup", "2",
                                      "--time", "1", "--speed", "3", "--json", "b.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json run = read_json("b.json")["runs"][0];
    EXPECT_NEAR(run["animation"]["time"].get<double>(), 1.0 + 3.0 * 6 / 60, 1e-12);
    EXPECT_TRUE(has_pass(run, "animate"));
}

TEST_F(Animation, InfoListsAndDecodeFreezes) {
    ASSERT_EQ(run({"encode", "moving.gltf", "-o", "moving.sublet"}).status, 0);
    const ProcessResult info = run({"info", "moving.sublet", "--json", "i.json"});
    ASSERT_EQ(info.status, 0) << info.err;
    EXPECT_NE(info.out.find("slide"), std::string::npos) << info.out;
    const Json listed = read_json("i.json")["animations"];
    ASSERT_EQ(listed.size(), 2U);
    EXPECT_EQ(listed[0], Json({{"name", "slide"}, {"length", 2.0}, {"channels", 1}}));
    EXPECT_EQ(listed[1]["name"], "animation 1");

    ASSERT_EQ(run({"decode", "moving.sublet", "-o", "pose.glb", "--time", "1.5"}).status, 0);
    render({"--time", "1.5"});
    const auto moving = picture();
    ASSERT_EQ(run({"render", "pose.glb", "-o", "p.png", "--environment", "none", "--size", "160x90"}).status, 0);
    std::size_t unlike = 0;
    const auto pose = picture("p.png");
    ASSERT_EQ(pose.size(), moving.size());
    for (std::size_t i = 0; i < pose.size(); i += 4) unlike += std::memcmp(&pose[i], &moving[i], 4) == 0 ? 0 : 1;
    EXPECT_LE(unlike, pose.size() / 400) << "at most one pixel of a hundred";
    const ProcessResult once = run({"render", "pose.glb", "-o", "p.png", "--json", "p.json", "--size", "16x9"});
    EXPECT_TRUE(read_json("p.json")["animation"].is_null()) << "it stands still";

    EXPECT_EQ(run({"decode", "moving.sublet", "-o", "q.glb", "--animation", "slide"}).status, 2) << "without a time";
    const ProcessResult wrong = run({"decode", "moving.sublet", "-o", "q.glb", "--time", "1", "--animation", "x"});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_NE(wrong.err.find("no animation 'x'"), std::string::npos) << wrong.err;
    EXPECT_NE(run({"decode", "moving.sublet", "-o", "q.glb", "--time", "x"}).status, 0);
}

// A sphere on one joint, which slides 3 units to the right in 2 s; the mesh's node is somewhere else.
scene::ImportedScene sliding_skin() {
    ThreadPool pool(1);
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(6).dump());
    scene::ImportedScene out = scene::import_gltf(folder / "sphere.gltf");
    scene::SourceMesh& mesh = out.groups.at(0).meshes.at(0);
    mesh.joints.assign(mesh.positions.size(), {0, 0, 0, 0});
    mesh.weights.assign(mesh.positions.size(), {1, 0, 0, 0});
    out.scene.nodes.assign(2, {});
    out.scene.nodes[0].mesh_group = 0;
    out.scene.nodes[0].skin = 0;
    out.scene.nodes[0].translation = {50, 0, 0};
    out.scene.skins.push_back({"bone", -1, {1}, {glm::mat4(1.0F)}});
    out.scene.animations.push_back(
        {"slide",
         {{1, scene::AnimationPath::kTranslation, scene::Interpolation::kLinear, {0, 2}, {0, 0, 0, 3, 0, 0}}}});
    return out;
}

TEST_F(Animation, DecodeKeepsSkinsOrBakesThem) {
    ThreadPool pool(1);
    const scene::EncodedScene encoded = scene::encode_scene(sliding_skin(), {}, pool);
    scene::write_sublet(folder_ / "skin.sublet", encoded);
    const ProcessResult info = run({"info", "skin.sublet", "--json", "i.json"});
    ASSERT_EQ(info.status, 0) << info.err;
    EXPECT_NE(info.out.find("slide"), std::string::npos);
    const Json streams = read_json("i.json")["streams"];
    EXPECT_EQ(streams["joint_weights"]["bytes"], 0) << "one joint takes all";
    EXPECT_EQ(streams["joint_weights1"]["bytes"], 0);

    ASSERT_EQ(run({"decode", "skin.sublet", "-o", "back.glb"}).status, 0);
    ASSERT_EQ(run({"encode", "back.glb", "-o", "again.sublet"}).status, 0);
    const scene::EncodedScene again = scene::open_sublet(folder_ / "again.sublet");
    EXPECT_TRUE(std::equal(again.geometry.payload.begin(), again.geometry.payload.end(),
                           encoded.geometry.payload.begin(), encoded.geometry.payload.end()));
    ASSERT_EQ(again.scene.skins.size(), 1U);
    EXPECT_EQ(again.scene.nodes.at(0).skin, 0);
    EXPECT_EQ(again.scene.animations.size(), 1U);

    ASSERT_EQ(run({"decode", "skin.sublet", "-o", "pose.glb", "--time", "1"}).status, 0);
    const scene::ImportedScene posed = scene::import_gltf(folder_ / "pose.glb");
    EXPECT_TRUE(posed.scene.skins.empty() && posed.scene.animations.empty());
    ASSERT_EQ(posed.groups.size(), 1U);
    const scene::SourceMesh& mesh = posed.groups[0].meshes.at(0);
    EXPECT_TRUE(mesh.joints.empty());
    const mesh::MeshArrays bind = mesh::decode(mesh::mesh_view(encoded.geometry, 0));
    ASSERT_EQ(mesh.positions.size(), bind.positions.size());
    for (std::size_t v = 0; v < bind.positions.size(); ++v) {
        EXPECT_EQ(mesh.positions[v][0], bind.positions[v][0] + 1.5F) << "where the joint is, not the node";
        EXPECT_EQ(mesh.positions[v][1], bind.positions[v][1]);
    }
}

TEST_F(Animation, DecodeKeepsMorphTargetsOrBakesThem) {
    write_text(folder_ / "sphere.gltf", sphere_gltf(16).dump());
    scene::ImportedScene source = scene::import_gltf(folder_ / "sphere.gltf");
    scene::SourceMeshGroup& group = source.groups.at(0);
    group.weights = {0, 0.5F};
    group.target_names = {"rise", "shrink"};
    for (scene::SourceMesh& mesh : group.meshes) {
        mesh.morphs.resize(2);
        mesh.morphs[0].positions.assign(mesh.positions.size(), {0, 2, 0});
        for (const auto& p : mesh.positions) {
            mesh.morphs[1].positions.push_back({-p[0] * std::abs(p[0]), -p[1], -p[2]});
        }
    }
    const int node = static_cast<int>(std::find_if(source.scene.nodes.begin(), source.scene.nodes.end(),
                                                   [](const scene::Node& n) { return n.mesh_group == 0; }) -
                                      source.scene.nodes.begin());
    source.scene.animations.push_back(
        {"morph", {{node, scene::AnimationPath::kWeights, scene::Interpolation::kLinear, {0, 2}, {0, 0, 1, 0}}}});
    ThreadPool pool(1);
    const scene::EncodedScene encoded = scene::encode_scene(std::move(source), {}, pool);
    scene::write_sublet(folder_ / "morph.sublet", encoded);

    const ProcessResult info = run({"info", "morph.sublet", "--json", "i.json"});
    ASSERT_EQ(info.status, 0) << info.err;
    for (const char* part : {"morph_positions", "rise, shrink"}) {
        EXPECT_NE(info.out.find(part), std::string::npos) << part;
    }
    const Json json = read_json("i.json");
    EXPECT_GT(json["streams"]["morph_positions"]["bytes"], 0);
    EXPECT_EQ(json["streams"]["morph_normals"]["bytes"], 0);
    EXPECT_EQ(json["meshes"][0]["morph_targets"][1]["name"], "shrink");
    EXPECT_EQ(json["meshes"][0]["morph_targets"][1]["weight"], 0.5);

    ASSERT_EQ(run({"decode", "morph.sublet", "-o", "back.glb"}).status, 0);
    ASSERT_EQ(run({"encode", "back.glb", "-o", "again.sublet"}).status, 0);
    const scene::EncodedScene again = scene::open_sublet(folder_ / "again.sublet");
    const auto& before = encoded.geometry.morph_payload;
    const auto& after = again.geometry.morph_payload;
    EXPECT_TRUE(std::equal(after.begin(), after.end(), before.begin(), before.end()));
    EXPECT_EQ(again.scene.mesh_groups.at(0).target_names, encoded.scene.mesh_groups.at(0).target_names);

    ASSERT_EQ(run({"decode", "morph.sublet", "-o", "pose.glb", "--time", "1"}).status, 0);
    const scene::ImportedScene posed = scene::import_gltf(folder_ / "pose.glb");
    EXPECT_TRUE(posed.scene.animations.empty() && posed.groups.at(0).weights.empty());
    const scene::SourceMesh& mesh = posed.groups.at(0).meshes.at(0);
    EXPECT_TRUE(mesh.morphs.empty());
    const mesh::MeshArrays bind = mesh::decode(mesh::mesh_view(encoded.geometry, 0));
    ASSERT_EQ(mesh.positions.size(), bind.positions.size());
    for (std::size_t v = 0; v < bind.positions.size(); ++v) {
        EXPECT_NEAR(mesh.positions[v][1], bind.positions[v][1] + 1.0F, 1e-3F) << "half of what it rises by";
        EXPECT_EQ(mesh.positions[v][0], bind.positions[v][0]);
    }
}

TEST_F(Animation, WhatIsVisibleAndWhatMaterialsAre) {
    write_text(folder_ / "sphere.gltf", sphere_gltf(16).dump());
    scene::ImportedScene source = scene::import_gltf(folder_ / "sphere.gltf");
    const int node = static_cast<int>(std::find_if(source.scene.nodes.begin(), source.scene.nodes.end(),
                                                   [](const scene::Node& n) { return n.mesh_group == 0; }) -
                                      source.scene.nodes.begin());
    for (scene::Node& other : source.scene.nodes) other.mesh_group = -1;
    source.scene.nodes[static_cast<std::size_t>(node)].mesh_group = 0;
    scene::AnimationChannel metal{.path = scene::AnimationPath::kMetallic, .times = {0, 2}, .values = {0, 1}};
    metal.material = static_cast<int>(source.groups.at(0).meshes.at(0).material);
    source.scene.animations.push_back(
        {"look",
         {{node, scene::AnimationPath::kVisibility, scene::Interpolation::kStep, {0, 0.5F, 1.5F}, {1, 0, 1}}, metal}});
    ThreadPool pool(1);
    scene::write_sublet(folder_ / "look.sublet", scene::encode_scene(std::move(source), {}, pool));

    ASSERT_EQ(run({"decode", "look.sublet", "-o", "pose.glb", "--time", "1"}).status, 0);
    const scene::Scene posed = scene::import_gltf(folder_ / "pose.glb").scene;
    EXPECT_TRUE(posed.animations.empty());
    EXPECT_EQ(std::count_if(posed.nodes.begin(), posed.nodes.end(), [](const scene::Node& n) { return !n.visible; }),
              1);
    EXPECT_EQ(posed.materials.at(static_cast<std::size_t>(metal.material)).metallic, 0.5F);

    for (const char* const time : {"1", "1.6"}) {
        const ProcessResult drawn = run({"render", "look.sublet", "-o", "look.png", "--size", "64x64", "--time", time,
                                         "--pick", "32,32", "--json", "r.json"});
        ASSERT_EQ(drawn.status, 0) << drawn.err;
        const Json json = read_json("r.json");
        EXPECT_EQ(json["animation"]["hiding"], 1);
        EXPECT_EQ(json["animation"]["materials"], 1);
        EXPECT_EQ(json["picked"].is_null(), std::string(time) == "1") << "nobody picks what is hidden";
    }
}

}  // namespace
}  // namespace sublet::test
