// Numbers of bindings and of specialisation constants stand once.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

namespace sublet::test {
namespace {

TEST(Bindings, HaveNumbersOfTheirOwn) {
    const char* const root = std::getenv("SUBLET_SOURCE_DIR");
    ASSERT_NE(root, nullptr) << "set SUBLET_SOURCE_DIR to the repository's root";
    std::ifstream file(std::filesystem::path(root) / "shaders/shared/bindings.h");
    const std::regex set("^// Set (kSceneSet|kPassSet)\\..*");
    const std::regex constant("^SUBLET_CONST uint (kBind|kSpec)(\\w+) = (\\d+)u;.*");
    std::map<std::string, std::string> names;  // by set or kind, and number
    std::string of;
    for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (std::regex_match(line, match, set)) of = match[1];
        if (!std::regex_match(line, match, constant)) continue;
        const std::string kind = match[1] == "kSpec" ? "specialisation" : of;
        const auto [named, is_new] = names.emplace(kind + " " + match[3].str(), match[2]);
        EXPECT_TRUE(is_new) << kind << " " << match[3] << ": " << named->second << " and " << match[2];
    }
    EXPECT_GT(names.size(), 100U);
}

}  // namespace
}  // namespace sublet::test
