// The manual and the completions, as the programs that read them take them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/command_model.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

const std::filesystem::path kShare = SUBLET_SHARE;
const std::filesystem::path kManual = kShare / "man/man1/sublet.1";
const std::filesystem::path kBash = kShare / "bash-completion/completions/sublet";
const std::filesystem::path kZsh = kShare / "zsh/vendor-completions/_sublet";
const std::filesystem::path kFish = kShare / "fish/vendor_completions.d/sublet.fish";

// Every command, option and value of the program's table.
std::set<std::string> all_words() {
    std::set<std::string> words;
    for (const app::CommandModel& command : app::program_model().commands) {
        words.insert(command.name);
        for (const app::OptionModel& option : command.options) {
            if (!option.flags.empty()) words.insert(option.name());
            for (const app::ChoiceModel& choice : option.choices) words.insert(choice.name);
        }
    }
    return words;
}

std::string without_backslashes(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());
    return text;
}

TEST(Generated, NamesEveryCommandOptionAndValue) {
    const std::set<std::string> words = all_words();
    EXPECT_GT(words.size(), 100U);
    for (const std::filesystem::path& file : {kManual, kBash, kZsh, kFish}) {
        const std::string text = without_backslashes(read_text(file));
        for (std::string word : words) {
            if (file == kFish && word.starts_with("--")) word = "-l " + word.substr(2);
            EXPECT_NE(text.find(word), std::string::npos) << file << " " << word;
        }
    }
}

TEST(Generated, TheManualHasNoFaults) {
    bool checked = false;
    if (has_program("groff")) {
        const ProcessResult groff = run({"groff", "-man", "-ww", "-Tutf8", "-z", kManual.string()});
        EXPECT_EQ(groff.status, 0);
        EXPECT_EQ(groff.err, "");
        checked = true;
    }
    if (has_program("mandoc")) {
        const ProcessResult mandoc = run({"mandoc", "-Tlint", "-Werror", kManual.string()});
        EXPECT_EQ(mandoc.status, 0) << mandoc.out;
        checked = true;
    }
    if (!checked) GTEST_SKIP() << "neither groff nor mandoc is there";
}

// What bash offers when Tab is pressed behind the last word.
std::vector<std::string> offered(const std::vector<std::string>& words, const std::filesystem::path& folder = {}) {
    std::string line;
    for (const std::string& word : words) line += "'" + word + "' ";
    const std::string script = "source '" + kBash.string() + "'; COMP_WORDS=(" + line +
                               "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                               "; _sublet; printf '%s\\n' \"${COMPREPLY[@]}\"";
    const ProcessResult result = run({"bash", "--norc", "-c", script}, {.folder = folder});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    std::vector<std::string> lines;
    std::istringstream text(result.out);
    for (std::string one; std::getline(text, one);) {
        if (!one.empty()) lines.push_back(one);
    }
    return lines;
}

using Words = std::vector<std::string>;

TEST(Generated, BashCompletes) {
    if (!has_program("bash")) GTEST_SKIP() << "bash is not there";
    EXPECT_EQ(offered({"sublet", "ren"}), Words{"render"});
    EXPECT_EQ(offered({"sublet", "render", "--cull-c"}), Words{"--cull-cone"});
    EXPECT_EQ(offered({"sublet", "encode", "--cull-c"}), Words{}) << "it has none";
    EXPECT_EQ(offered({"sublet", "render", "--backend", "mdi"}), Words{"mdi"});
    EXPECT_EQ(offered({"sublet", "render", "--cull-cone", "="}), (Words{"on", "off"}));
    EXPECT_EQ(offered({"sublet", "render", "--backend", "=", "comp"}), Words{"compact"});
    EXPECT_EQ(offered({"sublet", "encode", "--style", "w"}), Words{"wireframe"});
    EXPECT_EQ(offered({"sublet", "bench", "--micro", "sc"}), Words{"scan"});
    EXPECT_EQ(offered({"sublet", "bench", "--vary", "back"}), Words{"backend="});
    EXPECT_EQ(offered({"sublet", "bench", "--vary", "backend", "=", "mdi,dir"}), Words{"mdi,direct"});
    EXPECT_EQ(offered({"sublet", "render", "--without", "draw-count,mesh-s"}), Words{"draw-count,mesh-shader"});
    EXPECT_EQ(offered({"sublet", "render", "--size", ""}), Words{}) << "free text";
    EXPECT_EQ(offered({"sublet", "help", "backe"}), Words{"backend"});
}

TEST(Generated, BashCompletesFilesByWhatACommandTakes) {
    if (!has_program("bash")) GTEST_SKIP() << "bash is not there";
    const TemporaryFolder folder;
    for (const char* name : {"a b.glb", "c.gltf", "d.sublet", "e.png", "f.txt"}) write_text(folder / name, "");
    std::filesystem::create_directory(folder / "more");
    const auto sorted = [&](const Words& words) {
        Words found = offered(words, folder.path());
        std::sort(found.begin(), found.end());
        return found;
    };
    EXPECT_EQ(sorted({"sublet", "view", ""}), (Words{"a b.glb", "c.gltf", "d.sublet", "more"}));
    EXPECT_EQ(sorted({"sublet", "b"}), Words{"bench"});
    EXPECT_EQ(sorted({"sublet", "c"}), (Words{"c.gltf", "cache", "compare"})) << "for the viewer";
    EXPECT_EQ(sorted({"sublet", "c.gltf", "--fres"}), Words{"--fresh"}) << "the viewer's options";
    EXPECT_EQ(sorted({"sublet", "encode", ""}), (Words{"a b.glb", "c.gltf", "d.sublet", "more"}));
    EXPECT_EQ(sorted({"sublet", "info", ""}), (Words{"a b.glb", "c.gltf", "d.sublet", "more"}));
    EXPECT_EQ(sorted({"sublet", "decode", ""}), (Words{"d.sublet", "more"}));
    EXPECT_EQ(sorted({"sublet", "compare", "e.png", ""}), (Words{"e.png", "more"}));
    EXPECT_EQ(sorted({"sublet", "render", "d.sublet", "-o", ""}), (Words{"e.png", "more"}));
    EXPECT_EQ(sorted({"sublet", "devices", "--json", "f"}), Words{"f.txt"});
}

TEST(Generated, OtherShellsCanReadTheirs) {
    bool checked = false;
    for (const auto& [shell, file] : {std::pair{"zsh", kZsh}, std::pair{"fish", kFish}}) {
        if (!has_program(shell)) continue;
        const ProcessResult result = run({shell, "-n", file.string()});
        EXPECT_EQ(result.status, 0) << shell;
        EXPECT_EQ(result.err, "") << shell;
        checked = true;
    }
    if (!checked) GTEST_SKIP() << "neither zsh nor fish is there";
}

TEST(Generated, FishCompletes) {
    if (!has_program("fish")) GTEST_SKIP() << "fish is not there";
    const auto offers = [](const std::string& line) {
        const ProcessResult result =
            run({"fish", "--no-config", "-c", "source '" + kFish.string() + "'; complete -C '" + line + "'"});
        EXPECT_EQ(result.status, 0) << result.err;
        return result.out;
    };
    EXPECT_NE(offers("sublet ren").find("render"), std::string::npos);
    EXPECT_NE(offers("sublet render --backend comp").find("compact"), std::string::npos);
    EXPECT_NE(offers("sublet bench --vary backend=com").find("backend=compact"), std::string::npos);
    EXPECT_NE(offers("sublet render --without draw-count,mesh").find("mesh-shader"), std::string::npos);
    EXPECT_NE(offers("sublet a.glb --backend comp").find("compact"), std::string::npos);
    EXPECT_EQ(offers("sublet encode --backe").find("backend"), std::string::npos);
}

}  // namespace
}  // namespace sublet::test
