#include "app/view/docs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "temporary_folder.h"

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
    test::write_text(folder / "usr/share/doc/sublet/A.md", "installed");
    EXPECT_EQ(find_docs("A.md", folder / "source/docs", program), folder / "usr/share/doc/sublet/A.md");
    test::write_text(folder / "source/docs/A.md", "source");
    EXPECT_EQ(find_docs("A.md", folder / "source/docs", program), folder / "source/docs/A.md");
    EXPECT_TRUE(find_docs("CULLING.md")) << "of this very build";
}

// PATH is this folder alone while it lives.
class PathIs {
  public:
    explicit PathIs(const std::filesystem::path& folder) : before_(std::getenv("PATH")) { set(folder.string()); }
    ~PathIs() { set(before_); }
    PathIs(const PathIs&) = delete;
    PathIs& operator=(const PathIs&) = delete;

  private:
    static void set(const std::string& value) { ::setenv("PATH", value.c_str(), 1); }
    std::string before_;
};

TEST(Docs, TheOpenerTakesAnyNameAsItIs) {
    const test::TemporaryFolder folder;
    const PathIs path(folder.path());
    FileOpener opener;
    EXPECT_FALSE(opener.open("A.md")) << "there is none";
    // $0 lies in the folder, and what it writes too.
    test::write_text(folder / "xdg-open", "#!/bin/sh\necho said\nprintf '%s' \"$1\" >\"${0%/*}/got\"\nexit 3\n");
    std::filesystem::permissions(folder / "xdg-open", std::filesystem::perms::owner_all);
    const std::string name = "/no/a b'; touch \"$(echo x)\".md";
    ASSERT_TRUE(opener.open(name));
    std::optional<std::filesystem::path> failed;
    for (int i = 0; i < 500 && !failed; ++i) {
        failed = opener.take_failed();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(failed, name) << "it ended with a status that is not 0";
    EXPECT_EQ(test::read_text(folder / "got"), name);
    EXPECT_FALSE(opener.take_failed()) << "told once";
}

}  // namespace
}  // namespace sublet::app
