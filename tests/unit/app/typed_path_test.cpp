#include "app/view/typed_path.h"

#include <gtest/gtest.h>

#include <vector>

namespace sublet::app {
namespace {

namespace fs = std::filesystem;

TEST(TypedPath, IsReadAsAShellWould) {
    const fs::path folder = fs::current_path() / "scenes";
    const fs::path home = fs::current_path() / "home";
    const auto typed = [&](std::string_view text) { return typed_path(text, folder, home).lexically_normal(); };
    EXPECT_EQ(typed("a.glb"), folder / "a.glb");
    EXPECT_EQ(typed("../b/c d.glb\n"), fs::current_path() / "b" / "c d.glb");
    EXPECT_EQ(typed("~/x.glb"), home / "x.glb");
    EXPECT_EQ(typed("~").lexically_relative(home), ".");
    EXPECT_EQ(typed("~other"), folder / "~other") << "a name";
    EXPECT_EQ(typed(" '" + (home / "y.glb").generic_string() + "' "), home / "y.glb");
    EXPECT_EQ(typed("\"z.glb\""), folder / "z.glb");
    EXPECT_EQ(typed("'"), folder / "'");
    EXPECT_EQ(typed_path("~/x", folder, {}), folder / "~/x") << "nobody is at home";
}

TEST(TypedPath, ABeginningFindsTheFirstName) {
    const std::vector<std::string> names{"Alpha", "beta", "Äther", "BETAMAX"};
    EXPECT_EQ(first_beginning("b", names), 1U);
    EXPECT_EQ(first_beginning("BETAM", names), 3U);
    EXPECT_EQ(first_beginning("Ä", names), 2U);
    EXPECT_EQ(first_beginning("gamma", names), std::nullopt);
    EXPECT_EQ(first_beginning("alphabet", names), std::nullopt);
    EXPECT_EQ(first_beginning("", names), std::nullopt);
}

}  // namespace
}  // namespace sublet::app
