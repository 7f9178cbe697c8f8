#include <gtest/gtest.h>

#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "app/output.h"
#include "process.h"
#include "render/settings/setting_guide.h"
#include "render/settings/settings.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

const std::vector<std::string> kCommands{"encode",  "info",  "decode",  "view", "render",
                                         "compare", "bench", "devices", "cache"};

TEST(Usage, HelpIsOnStdoutAndNamesEveryCommand) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{}, std::vector<std::string>{"help"}, std::vector<std::string>{"--help"},
          std::vector<std::string>{"-h"}}) {
        const ProcessResult result = sublet(arguments);
        EXPECT_EQ(result.status, 0);
        EXPECT_EQ(result.err, "");
        for (const std::string& command : kCommands)
            EXPECT_NE(result.out.find("\n  " + command), std::string::npos) << command;
    }
}

TEST(Usage, EveryCommandExplainsItself) {
    for (const std::string& command : kCommands) {
        const ProcessResult flag = sublet({command, "--help"});
        EXPECT_EQ(flag.status, 0) << command;
        EXPECT_NE(flag.out.find("sublet " + command), std::string::npos) << flag.out;
        EXPECT_NE(flag.out.find("--json"), std::string::npos) << command;
        EXPECT_EQ(sublet({"help", command}).out, flag.out);
    }
}

TEST(Usage, HelpShowsEverySettingAndItsDefault) {
    for (const char* command : {"render", "bench", "view"}) {
        const std::string help = sublet({command, "--help"}).out;
        for (const render::Setting& setting : render::settings_table()) {
            const std::size_t at = help.find("\n  --" + std::string(setting.name) + " ");
            ASSERT_NE(at, std::string::npos) << command << " " << setting.name;
            const std::string value = setting.get({});
            if (value.empty()) continue;
            const std::string line = help.substr(at + 1, help.find('\n', at + 1) - at);
            EXPECT_NE(line.find("[" + value + "]"), std::string::npos) << line;
        }
    }
}

TEST(Usage, HelpFitsALineAndNamesEveryChoice) {
    for (const std::string& command : kCommands) {
        std::istringstream help(sublet({command, "--help"}).out);
        for (std::string line; std::getline(help, line);) EXPECT_LE(line.size(), 120U) << line;
    }
    const std::string help = sublet({"render", "--help"}).out;
    for (const render::Setting& setting : render::settings_table()) {
        const std::size_t at = help.find("\n  --" + std::string(setting.name) + " ");
        ASSERT_NE(at, std::string::npos) << setting.name;
        const std::string text = help.substr(at, help.find("\n  --", at + 1) - at);
        for (const std::string_view choice : setting.choices) {
            const std::regex word("[| ]" + std::string(choice) + "[| :]");
            EXPECT_TRUE(std::regex_search(text, word)) << setting.name << " " << choice;
        }
    }
}

TEST(Usage, HelpStandsInGroupsWithExamples) {
    for (const std::string& command : kCommands) {
        const std::string help = sublet({command, "--help"}).out;
        EXPECT_NE(help.find("\nExamples:\n  sublet " + command), std::string::npos) << help;
        EXPECT_NE(help.find("\nInput and output:\n"), std::string::npos) << help;
        for (const char* noise : {"UINT", "INT", "Excludes", "TEXT"}) {
            EXPECT_EQ(help.find(noise), std::string::npos) << command << " " << noise;
        }
    }
    const std::string help = sublet({"render", "--help"}).out;
    for (const render::Setting& setting : render::settings_table()) {
        const std::string title(render::group_title(setting.group));
        const std::size_t group = help.find("\n" + title + ":\n");
        ASSERT_NE(group, std::string::npos) << title;
        const std::size_t option = help.find("\n  --" + std::string(setting.name) + " ", group);
        EXPECT_LT(option, help.find("\n\n", group)) << setting.name << " stands under " << title;
    }
}

// Each example's words are options and values that there are.
TEST(Usage, ExamplesCanBeTyped) {
    for (const std::string& command : kCommands) {
        std::istringstream help(sublet({command, "--help"}).out);
        int examples = 0;
        for (std::string line; std::getline(help, line);) {
            if (!line.starts_with("  sublet ")) continue;
            ++examples;
            std::istringstream text(line.substr(0, line.find(" #")));
            std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
            words.erase(words.begin());
            words.emplace_back("--help");  // it is parsed, and nothing is done
            const ProcessResult result = sublet(words);
            EXPECT_EQ(result.status, 0) << line << result.err;
        }
        EXPECT_GT(examples, 0) << command;
    }
}

TEST(Usage, HelpExplainsAnOption) {
    for (const std::vector<std::string>& topic :
         {std::vector<std::string>{"help", "backend"}, std::vector<std::string>{"help", "--backend"}}) {
        const ProcessResult result = sublet(topic);
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_TRUE(result.out.starts_with("sublet view, render, bench:\n  --backend NAME [auto] ")) << result.out;
        for (const char* name : {" auto: ", " raster: ", " mdi: ", " generated: ", " graph: "}) {
            EXPECT_NE(result.out.find(name), std::string::npos) << name;
        }
        EXPECT_NE(result.out.find("More in docs/DRAWING.md"), std::string::npos);
    }
    const std::string path = sublet({"help", "camera-path"}).out;
    for (const char* key : {"frames", "keys", "frame", "eye", "target", "fov", "roll", "cut"}) {
        EXPECT_NE(path.find("\"" + std::string(key) + "\""), std::string::npos) << key;
    }
    EXPECT_EQ(sublet({"help", "render", "bench"}).status, 2);
}

TEST(Usage, AMistypedNameIsSuggested) {
    struct Case {
        std::vector<std::string> arguments;
        std::string suggestion;
    };
    const std::vector<Case> cases{
        {{"rendr"}, "did you mean 'render'?"},
        {{"help", "rendr"}, "did you mean 'render'?"},
        {{"help", "backnd"}, "did you mean 'backend'?"},
        {{"--verson"}, "did you mean '--version'?"},
        {{"render", "--bakend", "mdi", "-o", "x.png"}, "did you mean '--backend'?"},
        {{"render", "--bakend=mdi"}, "did you mean '--backend'?"},
        {{"render", "-o", "x.png", "--backend", "compct"}, "did you mean 'compact'?"},
        {{"render", "-o", "x.png", "--cull-cone", "ON"}, "did you mean 'on'?"},
        {{"render", "-o", "x.png", "--without", "mesh-shadr"}, "did you mean 'mesh-shader'?"},
        {{"encode", "a.glb", "--style", "wirefame"}, "did you mean 'wireframe'?"},
        {{"bench", "--micro", "scann"}, "did you mean 'scan'?"},
        {{"bench", "--vary", "bakend=mdi"}, "did you mean 'backend'?"},
        {{"bench", "--vary", "backend=mdi,copact"}, "did you mean 'compact'?"},
    };
    for (const Case& one : cases) {
        const ProcessResult result = sublet(one.arguments);
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_NE(result.err.find(one.suggestion), std::string::npos) << result.err;
    }
    EXPECT_EQ(sublet({"frobnicate"}).err.find("did you mean"), std::string::npos);
    const ProcessResult vary = sublet({"bench", "--vary", "bogus=1,2"});
    EXPECT_EQ(vary.err, "error: --vary: there is no setting 'bogus' ('sublet bench --help' shows all)\n");
}

TEST(Usage, ASceneInThePlaceOfACommandIsForTheViewer) {
    const TemporaryFolder folder;
    for (const char* name : {"kitten.glb", "notes.txt", "render"}) write_text(folder / name, "");
    std::filesystem::create_directory(folder / "models");
    const auto in_folder = [&](const std::vector<std::string>& arguments) {
        return sublet(arguments, {.folder = folder.path()});
    };
    const std::string help = sublet({"view", "--help"}).out;
    EXPECT_EQ(in_folder({"kitten.glb", "--help"}).out, help);
    EXPECT_EQ(in_folder({"models", "--backend", "mdi", "--help"}).out, help);
    EXPECT_EQ(in_folder({"render", "--help"}).out, sublet({"render", "--help"}).out) << "a command's name is a command";
    EXPECT_NE(sublet({"--help"}).out.find("\n       sublet SCENE [OPTIONS]"), std::string::npos);
    struct Case {
        std::vector<std::string> arguments;
        int status;
        std::string message;
    };
    const std::vector<Case> cases{
        {{"kitten.glb", "--bakend", "mdi"}, 2, "sublet view has no option '--bakend'; did you mean '--backend'?"},
        {{"kitten.glb", "two.glb", "three.glb"}, 2, "one word too many for sublet view"},
        {{"models"}, 1, "is a folder without a .gltf, .glb or .sublet file"},
        {{"kiten.glb"}, 1, "kiten.glb: there is no such file; did you mean 'kitten.glb'?"},
        {{"view", "kiten.glb"}, 1, "kiten.glb: there is no such file; did you mean 'kitten.glb'?"},
        {{"render", "kiten.glb", "-o", "x.png"}, 1, "there is no such file; did you mean 'kitten.glb'?"},
        {{"kitten.obj"}, 2, "'kitten.obj' is neither a command nor a scene: those are .gltf, .glb and .sublet files"},
        {{"kittn.gbl"}, 2, "files; did you mean 'kitten.glb'?"},
        {{"notes.txt"}, 2, "'notes.txt' is neither a command nor a scene"},
        {{"kiten"}, 2, "there is no command 'kiten'"},
        {{"rendr"}, 2, "there is no command 'rendr'; did you mean 'render'?"},
    };
    for (const Case& one : cases) {
        const ProcessResult result = in_folder(one.arguments);
        EXPECT_EQ(result.status, one.status) << result.err;
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_NE(result.err.find(one.message), std::string::npos) << result.err;
    }
}

TEST(Usage, Version) {
    const ProcessResult result = sublet({"--version"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out, std::string("sublet ") + app::kVersion + "\n");
}

TEST(Usage, AWrongCommandLineExitsWith2AndOneLine) {
    const TemporaryFolder folder;
    const std::vector<std::vector<std::string>> wrong{
        {"frobnicate"},
        {"--frobnicate"},
        {"help", "frobnicate"},
        {"encode"},
        {"encode", "a.glb", "b.glb"},
        {"encode", "a.glb", "--style", "baroque"},
        {"encode", "a.glb", "--position-bits", "3"},
        {"encode", "a.glb", "--position-bits", "22"},
        {"encode", "a.glb", "--position-bits", "twelve"},
        {"encode", "a.glb", "--threads", "-1"},
        {"encode", "a.glb", "--backend", "mdi"},
        {"info"},
        {"decode", "a.sublet"},
        {"compare", "a.png"},
        {"devices", "extra"},
        {"render"},
        {"render", "a.glb"},
        {"render", "a.glb", "b.glb", "-o", "x.png"},
        {"render", "-o", "x.png", "--size", "640"},
        {"render", "-o", "x.png", "--size", "0x480"},
        {"render", "-o", "x.png", "--size", "640x480x2"},
        {"render", "-o", "x.png", "--size", "99999x4"},
        {"render", "-o", "x.png", "--frames", "0"},
        {"render", "-o", "x.png", "--depth", "x.jpg"},
        {"render", "-o", "x.png", "--backend", "foo"},
        {"render", "-o", "x.png", "--cull-cone", "maybe"},
        {"render", "-o", "x.png", "--without", "everything"},
        {"render", "-o", "x.png", "--grid", "3x3"},
        {"render", "-o", "x.png", "--camera", "1,2,3"},
        {"render", "-o", "x.png", "--near", "0"},
        {"render", "-o", "x.png", "--no-such-setting", "1"},
        {"bench", "--vary", "backend"},
        {"bench", "--vary", "no-such-setting=1"},
        {"bench", "--vary", "backend=mdi,foo"},
        {"bench", "--warmup", "-1"},
        {"bench", "--micro", "nothing"},
        {"bench", "--micro", ""},
        {"bench", "a.glb", "--micro", "scan"},
        {"bench", "--micro", "scan", "--vary", "backend=mdi"},
        {"view", "--frames", "many"},
        {"view", "--frames-then-exit", "many"},
        {"bench", "--micro", "scan", "--capture", "1"},
        {"bench", "--micro", "scan", "--wait-for-key"},
        {"view", ""},
        {"render", "", "-o", "x.png"},
        {"bench", ""},
        {"encode", ""},
        {"info", ""},
        {"decode", "", "-o", "x.glb"},
        {"compare", "", "b.png"},
        {"render", "-o", ""},
        {"render", "-o", "x.png", "--depth", ""},
        {"render", "-o", "x.png", "--camera-path", ""},
        {"devices", "--json", ""},
        {"render", "-o", "x.jpg"},
        {"render", "-o", "x"},
        {"render", "-o", "-"},
        {"render", "-o", "x.png", "--depth", "-"},
        {"compare", "a.png", "b.png", "-o", "x.jpg"},
        {"compare", "a.png", "b.png", "-o", "-"},
        {"encode", "a.glb", "-o", "-"},
        {"decode", "a.sublet", "-o", "-"},
        {"decode", "a.sublet", "-o", "x.gltf"},
    };
    for (const std::vector<std::string>& arguments : wrong) {
        std::string command;
        for (const std::string& argument : arguments) command += " " + argument;
        SCOPED_TRACE("sublet" + command);
        const ProcessResult result = sublet(arguments, {.folder = folder.path()});
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_TRUE(result.err.starts_with("error: ")) << result.err;
        EXPECT_EQ(result.out, "");
    }
    EXPECT_EQ(folder.entry_count(), 0);
}

TEST(Usage, AWrongExtensionNamesTheRightOne) {
    EXPECT_NE(sublet({"render", "-o", "x.jpg"}).err.find("'x.jpg' does not end in .png"), std::string::npos);
    EXPECT_NE(sublet({"compare", "a", "b", "-o", "x.jpg"}).err.find("does not end in .png"), std::string::npos);
    EXPECT_NE(sublet({"decode", "a.sublet", "-o", "-"}).err.find("name a .glb file"), std::string::npos);
    EXPECT_NE(sublet({"render", ""}).err.find("SCENE: an empty name"), std::string::npos);
}

}  // namespace
}  // namespace sublet::test
