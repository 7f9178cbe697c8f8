// What takes a shell, or limits that Linux has.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
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

// The disk is full after the first of two meshes, and then it is not.
TEST(Encode, GoesOnWhereTheDiskWasFull) {
    const TemporaryFolder folder;
    nlohmann::json gltf = sphere_gltf(60);
    write_text(folder / "one.gltf", gltf.dump());
    gltf["meshes"].push_back(gltf["meshes"][0]);
    gltf["nodes"][1]["mesh"] = 1;
    write_text(folder / "two.gltf", gltf.dump());
    const auto encode = [&](const std::string& arguments) {
        return run({"sh", "-c", arguments}, {.folder = folder.path()});
    };
    const std::string program = sublet_program() + " encode ";
    ASSERT_EQ(encode(program + "one.gltf").status, 0);
    ASSERT_EQ(encode(program + "two.gltf -o expected.sublet").status, 0);
    const std::string bounded = program + "two.gltf --encode-memory 1 --threads 1";
    // Most of a file is its payload: that of one mesh is smaller than the limit, and that of two is not.
    const std::uintmax_t blocks = std::filesystem::file_size(folder / "one.sublet") / 512;
    const ProcessResult full = encode("ulimit -f " + std::to_string(blocks) + "; exec " + bounded);
    EXPECT_EQ(full.status, 1);
    ASSERT_EQ(full.error_lines().size(), 1U) << full.err;
    EXPECT_TRUE(full.error_lines()[0].starts_with("error: two.sublet.partial/payload: cannot be written: "))
        << full.err;
    EXPECT_NE(full.err.find("note: two.sublet.partial keeps what is encoded so far"), std::string::npos) << full.err;
    const ProcessResult rest = encode(bounded);
    EXPECT_EQ(rest.status, 0) << rest.err;
    EXPECT_NE(rest.err.find("note: goes on after 1 mesh group that two.sublet.partial has"), std::string::npos);
    EXPECT_EQ(read_text(folder / "two.sublet"), read_text(folder / "expected.sublet"));
    EXPECT_FALSE(std::filesystem::exists(folder / "two.sublet.partial"));
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
