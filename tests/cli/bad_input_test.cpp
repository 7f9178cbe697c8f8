// Whatever is wrong with an input: one line that says so, exit status 1, and nothing overwritten.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

// Replaces the first float of the buffer's data URI.
void set_first_float(Json& json, float value) {
    std::string& uri = json["buffers"][0]["uri"].get_ref<std::string&>();
    // Four bytes and the two after them are eight digits; the two are part of y, which may change too.
    std::string six(6, '\0');
    std::memcpy(six.data(), &value, sizeof(value));
    uri.replace(uri.find(',') + 1, 8, base64(six));
}

struct BadInput {
    std::string name;                   // of the file
    std::string contents;               // "" and missing: none is written
    std::vector<std::string> mentions;  // what the line must name
    bool missing = false;
};

template <typename Change>
BadInput changed(const std::string& name, std::vector<std::string> mentions, const Change& change) {
    Json json = sphere_gltf();
    change(json);
    mentions.push_back(name);
    return {name, json.dump(), std::move(mentions)};
}

std::vector<BadInput> bad_scenes() {
    const std::string glb = glb_of(sphere_gltf());
    std::vector<BadInput> inputs{
        {"missing.gltf", "", {"missing.gltf"}, true},
        {"missing.sublet", "", {"missing.sublet"}, true},
        {"empty.gltf", "", {"empty.gltf"}},
        {"empty.sublet", "", {"empty.sublet"}},
        {"text.gltf", "hello", {"text.gltf"}},
        {"truncated.glb", glb.substr(0, glb.size() / 2), {"truncated.glb"}},
        {"header.glb", glb.substr(0, 13), {"header.glb"}},
        {"foreign.sublet", glb, {"foreign.sublet"}},
        {"foreign.glb", std::string(200, 'x'), {"foreign.glb"}},
    };
    inputs.push_back(changed("indices.gltf", {"indices"}, [](Json& j) {
        j["accessors"][0]["count"] = 20;
        j["accessors"][1]["count"] = 20;
        j["accessors"][2]["count"] = 20;
    }));
    inputs.push_back(changed("lines.gltf", {"mode"}, [](Json& j) { j["meshes"][0]["primitives"][0]["mode"] = 1; }));
    inputs.push_back(changed("past.gltf", {"accessors[0]"}, [](Json& j) { j["accessors"][0]["count"] = 1000000; }));
    inputs.push_back(changed("huge.gltf", {"accessors"}, [](Json& j) {
        for (int i = 0; i < 3; ++i) j["accessors"][i]["count"] = 4000000000U;
    }));
    inputs.push_back(
        changed("nan.gltf", {}, [](Json& j) { set_first_float(j, std::numeric_limits<float>::quiet_NaN()); }));
    inputs.push_back(
        changed("infinite.gltf", {}, [](Json& j) { set_first_float(j, std::numeric_limits<float>::infinity()); }));
    inputs.push_back(changed("nothing.gltf", {}, [](Json& j) { j["scenes"][0]["nodes"] = Json::array(); }));
    inputs.push_back(changed("no-mesh.gltf", {}, [](Json& j) {
        j["nodes"] = Json::array({Json{{"name", "alone"}}});
        j["scenes"][0]["nodes"] = Json::array({0});
    }));
    inputs.push_back(changed("cycle.gltf", {"nodes"}, [](Json& j) {
        j["nodes"][0]["children"] = Json::array({1});
        j["nodes"][1]["children"] = Json::array({0});
    }));
    inputs.push_back(changed("extension.gltf", {"EXT_of_tomorrow"}, [](Json& j) {
        j["extensionsRequired"] = Json::array({"EXT_of_tomorrow"});
        j["extensionsUsed"] = Json::array({"EXT_of_tomorrow"});
    }));
    inputs.push_back(changed("buffer.gltf", {"nowhere.bin"}, [](Json& j) { j["buffers"][0]["uri"] = "nowhere.bin"; }));
    inputs.push_back(changed("version.gltf", {"version"}, [](Json& j) { j["asset"]["version"] = "1.0"; }));
    return inputs;
}

void expect_one_line(const ProcessResult& result, const std::vector<std::string>& mentions) {
    EXPECT_EQ(result.status, 1) << result.err;
    ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
    EXPECT_TRUE(result.error_lines()[0].starts_with("error: ")) << result.err;
    for (const std::string& mention : mentions)
        EXPECT_NE(result.err.find(mention), std::string::npos) << mention << " in: " << result.err;
    EXPECT_EQ(result.out, "");
}

TEST(BadInput, IsRefusedByEveryCommandThatReadsIt) {
    for (const BadInput& input : bad_scenes()) {
        SCOPED_TRACE(input.name);
        const TemporaryFolder folder;
        if (!input.missing) write_text(folder / input.name, input.contents);
        const std::vector<std::string> outputs{"old.png", "old.glb", "old.sublet", "old.json"};
        for (const std::string& output : outputs) write_text(folder / output, "old");
        const bool encoded = input.name.ends_with(".sublet");
        std::vector<std::vector<std::string>> commands{{"render", input.name, "-o", "old.png", "--json", "old.json"}};
        if (encoded) {
            commands.push_back({"info", input.name, "--json", "old.json"});
            commands.push_back({"decode", input.name, "-o", "old.glb"});
        } else {
            commands.push_back({"encode", input.name, "-o", "old.sublet"});
        }
        for (const std::vector<std::string>& command : commands) {
            SCOPED_TRACE(command[0]);
            expect_one_line(sublet(command, {.folder = folder.path(), .seconds = 30}), input.mentions);
            for (const std::string& output : outputs) EXPECT_EQ(read_text(folder / output), "old");
        }
        EXPECT_EQ(folder.entry_count(), input.missing ? 4 : 5) << "no temporary is left";
    }
}

TEST(BadInput, TheWrongKindOfFileSaysWhatToDo) {
    const TemporaryFolder folder;
    write_text(folder / "a.gltf", sphere_gltf(4).dump());
    write_text(folder / "notes.txt", "no scene");
    ASSERT_EQ(sublet({"encode", "a.gltf"}, {.folder = folder.path()}).status, 0);
    std::filesystem::create_directory(folder / "scenes");
    struct Case {
        std::vector<std::string> arguments;
        std::string advice;
    };
    const std::vector<Case> cases{
        {{"decode", "a.gltf", "-o", "b.glb"}, "first: sublet encode a.gltf -o a.sublet"},
        {{"encode", "a.sublet", "-o", "b.sublet"}, "is encoded already; 'sublet info a.sublet'"},
        {{"encode", "a.sublet", "-o", "b.sublet", "--lod", "on", "--style", "textured"},
         "is encoded already: --style is for .gltf and .glb files"},
        {{"encode", "a.sublet", "-o", "b.sublet", "--coding", "compact", "--textures", "bc"},
         "is encoded already: --textures is for .gltf and .glb files"},
        {{"info", "notes.txt"}, "notes.txt: this is no scene"},
        {{"encode", "notes.txt"}, "notes.txt: this is no scene"},
        {{"render", "notes.txt", "-o", "b.png"}, "notes.txt: this is no scene"},
        {{"info", "scenes"}, "scenes: this is a folder; name a .gltf, .glb or .sublet file in it"},
        {{"encode", "scenes"}, "scenes: this is a folder"},
        {{"render", "scenes", "-o", "b.png"}, "scenes: this is a folder"},
        {{"info", "missing.obj"}, "missing.obj: "},
    };
    for (const Case& one : cases) {
        const ProcessResult result = sublet(one.arguments, {.folder = folder.path()});
        EXPECT_EQ(result.status, 1) << result.err;
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_NE(result.err.find(one.advice), std::string::npos) << result.err;
    }
    // What a file is called does not matter where its bytes tell.
    std::filesystem::rename(folder / "a.sublet", folder / "encoded");
    EXPECT_EQ(sublet({"info", "encoded"}, {.folder = folder.path()}).status, 0);
}

TEST(BadInput, AFileOutsideOfTheScenesFolderIsReadWhenAllowedAlone) {
    const TemporaryFolder folder;
    const std::vector<std::vector<std::string>> commands{{"encode", "a.gltf", "-o", "a.sublet"},
                                                         {"render", "a.gltf", "-o", "a.png", "--size", "64x64"},
                                                         {"bench", "a.gltf", "--size", "64x64", "--frames", "1"}};
    Json json = sphere_gltf();
    const std::string uri = json["buffers"][0]["uri"];
    const std::string digits = uri.substr(uri.find(',') + 1);
    json["buffers"][0]["uri"] = "../shared.bin";
    write_text(folder / "scene/a.gltf", json.dump());
    write_text(folder / "shared.bin", from_base64(digits));
    for (std::vector<std::string> command : commands) {
        SCOPED_TRACE(command[0]);
        expect_one_line(sublet(command, {.folder = folder / "scene"}),
                        {"a.gltf", "buffers[0].uri", "../shared.bin", "--allow-outside"});
        command.emplace_back("--allow-outside");
        const ProcessResult result = sublet(command, {.folder = folder / "scene"});
        EXPECT_EQ(result.status, 0) << result.err;
    }
}

// Every byte of a small file, one after another, turned: an error or a success, never a crash or a hang.
TEST(BadInput, ACorruptSubletNeverCrashesTheReader) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(6).dump());
    ASSERT_EQ(sublet({"encode", "sphere.gltf"}, {.folder = folder.path()}).status, 0);
    const std::string good = read_text(folder / "sphere.sublet");
    int refused = 0;
    constexpr int kTries = 60;
    for (int i = 0; i < kTries; ++i) {
        std::string bad = good;
        const std::size_t at = static_cast<std::size_t>(i) * good.size() / kTries;
        bad[at] = static_cast<char>(~bad[at]);
        write_text(folder / "bad.sublet", bad);
        const ProcessResult result = sublet({"info", "bad.sublet"}, {.folder = folder.path(), .seconds = 30});
        EXPECT_TRUE(result.status == 0 || result.status == 1) << "byte " << at << ": " << result.status;
        if (result.status == 1) {
            EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
            ++refused;
        }
    }
    EXPECT_GT(refused, 0);
    for (const std::size_t length : {std::size_t{1}, std::size_t{17}, good.size() / 3, good.size() - 1}) {
        write_text(folder / "bad.sublet", good.substr(0, length));
        expect_one_line(sublet({"info", "bad.sublet"}, {.folder = folder.path()}), {"bad.sublet"});
    }
}

TEST(BadOutput, AMissingFolderIsNamedBeforeAnyWork) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf().dump());
    ASSERT_EQ(sublet({"encode", "sphere.gltf"}, {.folder = folder.path()}).status, 0);
    const std::vector<std::vector<std::string>> commands{
        {"encode", "sphere.gltf", "-o", "none/x.sublet"},
        {"encode", "sphere.gltf", "-o", "x.sublet", "--json", "none/x.json"},
        {"info", "sphere.sublet", "--json", "none/x.json"},
        {"decode", "sphere.sublet", "-o", "none/x.glb"},
        {"render", "sphere.sublet", "-o", "none/x.png"},
        {"render", "sphere.sublet", "-o", "x.png", "--depth", "none/x.exr"},
        {"bench", "sphere.sublet", "--json", "none/x.json"},
        {"devices", "--json", "none/x.json"},
    };
    for (const std::vector<std::string>& command : commands) {
        SCOPED_TRACE(command[0]);
        expect_one_line(sublet(command, {.folder = folder.path()}), {"none"});
    }
    EXPECT_EQ(folder.entry_count(), 2);
}

// Also of files that are not there yet, by whichever path.
TEST(BadOutput, TwoOptionsThatNameOneFileAreBothNamed) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf().dump());
    write_text(folder / "a.png", "");
    std::filesystem::create_directory(folder / "out");
    struct Case {
        std::vector<std::string> command;
        std::vector<std::string> options;
    };
    const std::vector<Case> cases{
        {{"render", "sphere.gltf", "-o", "x.exr", "--depth", "x.exr"}, {"--depth", "--output", "x.exr"}},
        {{"render", "sphere.gltf", "-o", "x.exr", "--depth", "out/../x.exr"}, {"--depth", "--output"}},
        {{"render", "sphere.gltf", "-o", "out/x.png", "--json", "./out/x.png"}, {"--json", "--output"}},
        {{"render", "sphere.gltf", "-o", "x.png", "--depth", "x.pfm", "--json", "x.pfm"}, {"--json", "--depth"}},
        {{"render", "sphere.gltf", "-o", "x.png", "--json", "sphere.gltf"}, {"--json", "SCENE"}},
        {{"encode", "sphere.gltf", "-o", "x.sublet", "--json", "x.sublet"}, {"--json", "--output"}},
        {{"bench", "sphere.gltf", "--csv", "x.csv", "--json", "x.csv"}, {"--json", "--csv"}},
        {{"compare", "a.png", "a.png", "-o", "d.png", "--json", "d.png"}, {"--json", "--output"}},
        {{"compare", "a.png", "b.png", "-o", "a.png"}, {"--output", "A"}},
    };
    for (const Case& one : cases) {
        expect_one_line(sublet(one.command, {.folder = folder.path()}), one.options);
    }
    EXPECT_EQ(folder.entry_count(), 3) << "nothing was written";
}

TEST(BadOutput, AFolderIsNoFile) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf().dump());
    std::filesystem::create_directory(folder / "out");
    expect_one_line(sublet({"encode", "sphere.gltf", "-o", "out"}, {.folder = folder.path()}), {"out"});
    EXPECT_TRUE(std::filesystem::is_directory(folder / "out"));
}

}  // namespace
}  // namespace sublet::test
