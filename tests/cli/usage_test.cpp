#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "app/output.h"
#include "process.h"
#include "render/settings/settings.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

const std::vector<std::string> kCommands{"encode", "info", "decode", "view", "render", "compare", "bench", "devices"};

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
        {"encode", "a.glb", "--position-bits", "17"},
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

TEST(Usage, AFullStdoutIsAnError) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    const ProcessResult result = run({"sh", "-c", std::string(SUBLET_PROGRAM) + " help > /dev/full"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sublet::test
