#include "app/view/docs.h"

#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "this_system.h"

namespace sublet::app {
namespace {

TEST(Docs, PlacesAreFilesAndSections) {
    EXPECT_EQ(docs_place("docs/DRAWING.md").file, "DRAWING.md");
    EXPECT_EQ(docs_place("docs/DRAWING.md").section, "");
    EXPECT_EQ(docs_place("docs/CULLING.md, \"Two phases\"").file, "CULLING.md");
    EXPECT_EQ(docs_place("docs/CULLING.md, \"Two phases\"").section, "Two phases");
}

TEST(Docs, AreFoundWhereTheyWereBuiltOrInstalled) {
    const test::TemporaryFolder folder;
    const std::filesystem::path program = folder / "usr/bin/sublet";
    EXPECT_FALSE(find_docs("A.md", folder / "source/docs", program));
    test::write_text(folder / "usr/share/doc/sublet/docs/A.md", "installed");
    EXPECT_EQ(find_docs("A.md", folder / "source/docs", program), folder / "usr/share/doc/sublet/docs/A.md");
    test::write_text(folder / "source/docs/A.md", "source");
    EXPECT_EQ(find_docs("A.md", folder / "source/docs", program), folder / "source/docs/A.md");
    EXPECT_EQ(find_docs("CULLING.md").has_value(), !test::kWindows) << "of this very build, which Windows has none of";
}

TEST(Docs, AreFoundBesideTheProgram) {
    const test::TemporaryFolder folder;
    const std::filesystem::path program = folder / "é漢字/sublet.exe";
    EXPECT_FALSE(find_docs("A.md", {}, program));
    test::write_text(folder / "é漢字/docs/A.md", "beside it");
    EXPECT_EQ(find_docs("A.md", {}, program), folder / "é漢字" / "docs" / "A.md");
    EXPECT_FALSE(find_docs("B.md", {}, program));
}

}  // namespace
}  // namespace sublet::app
