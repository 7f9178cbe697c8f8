#include "app/view/pass_guide.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "temporary_folder.h"

namespace sublet::app {
namespace {

constexpr std::array kPasses{"between passes",
                             "cull instances 1",
                             "cull meshlets 1",
                             "cull primitives 1",
                             "draw 1",
                             "hiz",
                             "cull instances 2",
                             "cull meshlets 2",
                             "cull primitives 2",
                             "draw 2",
                             "raster 1",
                             "raster large 1",
                             "raster 2",
                             "raster large 2",
                             "shade",
                             "user interface",
                             "overlay",
                             "verdicts",
                             "overdraw",
                             "culled",
                             "difference",
                             "motion"};

TEST(PassGuide, TellsOfPassesWhateverTheirPhase) {
    for (const std::string pass : kPasses) EXPECT_FALSE(pass_sentence(pass).empty()) << pass;
    EXPECT_EQ(pass_sentence("draw"), pass_sentence("draw 2"));
    EXPECT_EQ(pass_sentence("reference: draw"), pass_sentence("reference: shade"));
    EXPECT_EQ(pass_sentence("B: draw 1"), pass_sentence("B: reference: shade"));
    EXPECT_NE(pass_sentence("B: draw 1"), pass_sentence("draw 1"));
    EXPECT_TRUE(pass_sentence("no such pass").empty());
}

// Whether a line of a source calls pass() or pass_name(), of whatever object.
bool starts_pass(const std::string& line) {
    for (const char* call : {"pass(", "pass_name("}) {
        for (std::size_t at = line.find(call); at != std::string::npos; at = line.find(call, at + 1)) {
            if (at == 0) return true;
            const char before = line[at - 1];
            if (before != '_' && std::isalnum(static_cast<unsigned char>(before)) == 0) return true;
        }
    }
    return false;
}

// Names in quotes on a line that starts a pass.
std::set<std::string> passes_of_sources() {
    std::set<std::string> names;
    const std::filesystem::path sources = std::filesystem::path(std::getenv("SUBLET_SOURCE_DIR")) / "src";
    for (const char* folder : {"render", "app/view"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(sources / folder)) {
            if (entry.path().extension() != ".cpp") continue;
            std::istringstream text(test::read_text(entry.path()));
            for (std::string line; std::getline(text, line);) {
                if (!starts_pass(line)) continue;
                std::istringstream parts(line);
                std::string part;
                for (bool quoted = false; std::getline(parts, part, '"'); quoted = !quoted) {
                    if (quoted && !part.empty()) names.insert(part);
                }
            }
        }
    }
    return names;
}

TEST(PassGuide, HasEveryPassOfTheProgramAndNoOther) {
    const std::vector<std::string_view> known = pass_names();
    EXPECT_EQ(std::set<std::string>(known.begin(), known.end()), passes_of_sources());
}

TEST(PassGuide, CapturingTellsOfEveryPass) {
    const std::string text =
        test::read_text(std::filesystem::path(std::getenv("SUBLET_SOURCE_DIR")) / "docs/CAPTURING.md");
    for (const std::string_view pass : pass_names()) {
        EXPECT_NE(text.find("\n| `" + std::string(pass) + "` | "), std::string::npos) << pass;
    }
}

TEST(PassGuide, ColoursTellPassesApart) {
    for (const std::string a : kPasses) {
        for (const std::string b : kPasses) {
            if (a == b) continue;
            const std::uint32_t x = pass_color(a);
            const std::uint32_t y = pass_color(b);
            int apart = 0;
            for (unsigned shift = 0; shift < 24; shift += 8) {
                apart += std::abs(static_cast<int>(x >> shift & 0xffU) - static_cast<int>(y >> shift & 0xffU));
            }
            EXPECT_GT(apart, 12) << a << " and " << b;
        }
    }
}

}  // namespace
}  // namespace sublet::app
