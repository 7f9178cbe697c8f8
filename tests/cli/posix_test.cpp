// What takes a shell, or limits that Linux has.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

TEST(Usage, AFullStdoutIsAnError) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    const ProcessResult result = run({"sh", "-c", sublet_program() + " help > /dev/full"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
}

TEST(BadOutput, AFullDiskLeavesWhatWasThere) {
    const TemporaryFolder folder;
    write_text(folder / "sphere.gltf", sphere_gltf(60).dump());
    write_text(folder / "out.sublet", "old");
    // A limit on the size of files, of 8 blocks of 512 bytes, stands for a full disk.
    const ProcessResult result =
        run({"sh", "-c", "ulimit -f 8; exec " + sublet_program() + " encode sphere.gltf -o out.sublet"},
            {.folder = folder.path()});
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
    EXPECT_TRUE(result.error_lines()[0].starts_with("error: out.sublet: cannot write: ")) << result.err;
    EXPECT_EQ(read_text(folder / "out.sublet"), "old");
    EXPECT_EQ(folder.entry_count(), 2) << "no temporary is left";
}

TEST(BadInput, ADisplayThatIsNotThereIsNamed) {
    const TemporaryFolder folder;
    const auto error = [](const std::vector<std::string>& environment) {
        const ProcessResult result = sublet({"view", "--frames", "1"}, {.environment = environment});
        EXPECT_EQ(result.status, 1) << result.err;
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
        return result.err;
    };
    const std::string none = error({"DISPLAY", "WAYLAND_DISPLAY"});  // and what draws without one
    for (const char* part : {"Wayland: WAYLAND_DISPLAY is not set", "X11: DISPLAY is not set", "sublet render"}) {
        EXPECT_NE(none.find(part), std::string::npos) << none;
    }
    const std::string wrong =
        error({"DISPLAY=:4077", "WAYLAND_DISPLAY=none", "XDG_RUNTIME_DIR=" + folder.path().string()});
    for (const char* part :
         {"WAYLAND_DISPLAY is 'none', where none answers", "DISPLAY is ':4077', where none answers"}) {
        EXPECT_NE(wrong.find(part), std::string::npos) << wrong;
    }
}

}  // namespace
}  // namespace sublet::test
