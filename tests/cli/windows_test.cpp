// Paths as Windows has them, by the command line.
#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "base/path_text.h"
#include "program_fixture.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class WindowsPaths : public ProgramFixture {
  protected:
    WindowsPaths() { write_text(folder_ / "sphere.gltf", sphere_gltf(8).dump()); }

    void expect_written(const std::string& output) const {
        const ProcessResult result = run({"encode", "sphere.gltf", "-o", output});
        EXPECT_EQ(result.status, 0) << output << ": " << result.err;
        const ProcessResult info = run({"info", output});
        EXPECT_EQ(info.status, 0) << output << ": " << info.err;
    }
};

TEST_F(WindowsPaths, HaveDrivesAndEitherSeparator) {
    const std::string whole = path_text(absolute_path(folder_.path()));
    EXPECT_EQ(whole.substr(1, 2), ":\\");
    std::string forward = whole;
    for (char& c : forward) c = c == '\\' ? '/' : c;
    expect_written(whole + "\\a.sublet");
    expect_written(forward + "/b.sublet");
    expect_written(".\\c.sublet");
    expect_written(whole.substr(2) + "\\d.sublet");  // from the drive's root on
    expect_written("\\\\?\\" + whole + "\\e.sublet");
    EXPECT_EQ(folder_.entry_count(), 6);
}

// Options of Windows' own programs begin so; here it is a path.
TEST_F(WindowsPaths, BeginWithASlash) {
    write_text(absolute_path("sphere.gltf"), sphere_gltf(8).dump());
    std::string rooted = path_text(absolute_path("sphere.gltf")).substr(2);
    for (char& c : rooted) c = c == '\\' ? '/' : c;
    ASSERT_EQ(rooted.substr(0, 1), "/");
    EXPECT_EQ(sublet({"encode", rooted}).status, 0);
    EXPECT_EQ(sublet({"info", "sphere.sublet"}).status, 0);
    EXPECT_EQ(remove_file("sphere.gltf"), 0);
    EXPECT_EQ(remove_file("sphere.sublet"), 0);
    EXPECT_EQ(run({"encode", "/sphere.gltf"}).status, 1) << "a file that is not there, not a wrong option";
}

TEST_F(WindowsPaths, CanBeLong) {
    std::string folder = path_text(folder_.path());
    for (int i = 0; i < 8; ++i) folder += "\\" + std::string(40, static_cast<char>('a' + i));
    ASSERT_GT(folder.size(), 260U);
    ASSERT_EQ(create_folders(text_path(folder)), 0);
    expect_written(folder + "\\out.sublet");
    EXPECT_EQ(run({"decode", folder + "\\out.sublet", "-o", folder + "\\back.glb"}).status, 0);
    EXPECT_GT(size_of_file(text_path(folder + "\\back.glb")), 0U);
}

TEST_F(WindowsPaths, OfDevicesAreNoFiles) {
    const ProcessResult result = run({"encode", "NUL", "-o", "a.sublet"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "error: NUL: this is not a regular file\n");
    EXPECT_EQ(run({"encode", "sphere.gltf", "-o", "NUL"}).status, 0) << "written, and gone";
    EXPECT_EQ(run({"encode", "sphere.gltf", "-o", "a.sublet", "--json", "NUL"}).status, 0);
    EXPECT_EQ(folder_.entry_count(), 2);
}

TEST_F(WindowsPaths, LettersCaseIsNone) {
    const ProcessResult result = run({"encode", "sphere.gltf", "-o", "SPHERE.GLTF"});
    EXPECT_EQ(result.status, 1) << "it is the input";
    EXPECT_EQ(read_text(folder_ / "sphere.gltf"), sphere_gltf(8).dump());
    expect_written("A.SUBLET");
    EXPECT_EQ(run({"info", "a.Sublet"}).status, 0);
}

// Wine's own way to a device of Linux that is always full.
TEST_F(WindowsPaths, AFullDiskIsAnError) {
    if (!path_exists("Z:/dev/full")) GTEST_SKIP() << "only under wine";
    const ProcessResult result = run({"encode", "sphere.gltf", "-o", "a.sublet", "--json", "Z:/dev/full"});
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
    EXPECT_NE(result.err.find("cannot write"), std::string::npos) << result.err;
}

TEST_F(WindowsPaths, JsonHasLineEndsAsOnLinux) {
    const ProcessResult result = run({"encode", "sphere.gltf", "--json", "-"});
    ASSERT_EQ(result.status, 0);
    EXPECT_EQ(result.out.find('\r'), std::string::npos);
    EXPECT_EQ(result.err.find('\r'), std::string::npos);
    EXPECT_NE(result.out.find('\n'), std::string::npos);
    EXPECT_EQ(Json::parse(result.out)["encoding"]["source"], "sphere.gltf");
}

}  // namespace
}  // namespace sublet::test
