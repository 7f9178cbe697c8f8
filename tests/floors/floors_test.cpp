#include "floors.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "../unit/base/temporary_folder.h"

namespace sublet::test {
namespace {

TEST(Floors, TheTreeKeepsThem) {
    const char* const root = std::getenv("SUBLET_SOURCE_DIR");
    ASSERT_NE(root, nullptr) << "set SUBLET_SOURCE_DIR to the repository's root";
    const FloorsReport report = check_floors(root);
    EXPECT_GE(report.file_count, 10u);
    for (const std::string& violation : report.violations) ADD_FAILURE() << violation;
}

// From the ground up.
constexpr std::array kRooms{"settings", "passes",   "scene", "view",    "stream", "expansion",
                            "cull",     "backends", "shade", "inspect", "measure"};

// A tree that keeps every rule, to plant violations in.
class PlantedFloors : public testing::Test {
  protected:
    PlantedFloors() {
        for (const std::string name : {"base", "mesh", "scene", "gpu", "render", "app"}) {
            write_text(folder_ / ("src/" + name + "/thing.h"), "#pragma once\n#include <vector>\n");
            if (name == "render") continue;  // its folders are rooms
            write_text(folder_ / ("src/" + name + "/deep/thing.h"), "#include \"" + name + "/thing.h\"\n");
        }
        for (const char* const room : kRooms) {
            write_text(folder_ / ("src/render/" + std::string(room) + "/thing.h"), "");
        }
        write_text(folder_ / "shaders/shared/thing.h", "#include \"other.h\"\n");
        write_text(folder_ / "shaders/shared/other.h", "");
        write_text(folder_ / "shaders/thing.glsl", "");
    }

    // What is reported when `file` holds `text`.
    std::vector<std::string> violations(const std::string& file, const std::string& text) {
        write_text(folder_ / file, text);
        std::vector<std::string> found = check_floors(folder_.path()).violations;
        std::filesystem::remove(folder_ / file);
        return found;
    }

    TemporaryFolder folder_;
};

TEST_F(PlantedFloors, AreCleanToBeginWith) {
    const FloorsReport report = check_floors(folder_.path());
    EXPECT_EQ(report.file_count, 13u + kRooms.size());
    EXPECT_EQ(report.violations, std::vector<std::string>{});
}

TEST_F(PlantedFloors, LetAFloorUseThoseBelowIt) {
    // Row: who includes; column: what is included; x: forbidden.
    const std::vector<std::string> names{"base", "mesh", "scene", "gpu", "render", "app"};
    const std::vector<std::string> rows{".xxxxx", "..xxxx", "...xxx", ".xx.xx", ".....x", "......"};
    for (std::size_t from = 0; from < names.size(); ++from) {
        for (std::size_t to = 0; to < names.size(); ++to) {
            const bool caught =
                !violations("src/" + names[from] + "/planted.cpp", "#include \"" + names[to] + "/thing.h\"\n").empty();
            EXPECT_EQ(caught, rows[from][to] == 'x') << names[from] << " includes " << names[to];
        }
    }
}

TEST_F(PlantedFloors, LetARoomOfRenderUseThoseBelowIt) {
    for (std::size_t from = 0; from <= kRooms.size(); ++from) {
        const std::string file =
            from == kRooms.size() ? "src/render/planted.cpp" : "src/render/" + std::string(kRooms[from]) + "/planted.h";
        for (std::size_t to = 0; to < kRooms.size(); ++to) {
            const std::string include = "#include \"render/" + std::string(kRooms[to]) + "/thing.h\"\n";
            EXPECT_EQ(violations(file, include).size(), to > from ? 1U : 0U) << file << " includes " << kRooms[to];
        }
        EXPECT_EQ(violations(file, "#include \"render/thing.h\"\n").size(), from == kRooms.size() ? 0U : 1U) << file;
    }
    EXPECT_EQ(
        violations("src/render/view/planted.h", "\n#include \"render/cull/thing.h\"\n"),
        std::vector<std::string>{
            "src/render/view/planted.h:2: its room in render must not include render/cull/thing.h, which lies above"});
    EXPECT_EQ(violations("src/render/attic/planted.h", ""),
              std::vector<std::string>{"src/render/attic/planted.h: is in no room of render"});
}

TEST_F(PlantedFloors, ReportFileLineAndFloors) {
    EXPECT_EQ(violations("src/mesh/planted.h", "#pragma once\n\n#include \"gpu/thing.h\"\n"),
              std::vector<std::string>{"src/mesh/planted.h:3: mesh must not include gpu/thing.h (gpu)"});
    EXPECT_EQ(violations("src/base/planted.h", "#include \"app/not_written_yet.h\"\n"),
              std::vector<std::string>{"src/base/planted.h:1: base must not include app/not_written_yet.h (app)"});
    EXPECT_EQ(violations("src/utilities/planted.h", ""),
              std::vector<std::string>{"src/utilities/planted.h: is on no floor"});
}

TEST_F(PlantedFloors, SeeThroughWaysOfWriting) {
    for (const char* const line :
         {"#include \"../app/thing.h\"", "#include \"deep/../../app/thing.h\"", "#include <app/thing.h>",
          "  #  include   \"app/thing.h\"", "#include\"app/thing.h\"", "#include \"src/app/thing.h\""}) {
        EXPECT_EQ(violations("src/render/planted.cpp", line).size(), 1u) << line;
    }
    for (const char* const line :
         {"// #include \"app/thing.h\"", "#define include \"app/thing.h\"", "#include \"thing.h\""}) {
        EXPECT_EQ(violations("src/render/planted.cpp", line).size(), 0u) << line;
    }
}

TEST_F(PlantedFloors, KeepWhatDiffersBetweenSystemsInOnePlace) {
    for (const char* const line :
         {"#ifdef _WIN32", "#include <unistd.h>", "#include <sys/stat.h>", "name = path.string();",
          "std::ifstream file(path);", "if (fs::exists(path)) return;", "const char* home = std::getenv(\"HOME\");"}) {
        EXPECT_EQ(violations("src/app/planted.cpp", line).size(), 1U) << line;
        EXPECT_EQ(violations("src/base/planted.cpp", line).size(), 1U) << line;
        EXPECT_EQ(violations("src/base/posix/planted.cpp", line).size(), 0U) << line;
        EXPECT_EQ(violations("src/base/windows/planted.cpp", line).size(), 0U) << line;
    }
    EXPECT_EQ(violations("src/app/planted.cpp", "// as getenv() would").size(), 0U);
}

TEST_F(PlantedFloors, KeepVulkanAndGltfAndWindowsWhereTheyBelong) {
    const struct {
        const char* file;
        const char* include;
        bool allowed;
    } cases[] = {
        {"src/mesh/planted.h", "<vulkan/vulkan.h>", false},
        {"src/mesh/planted.h", "<volk.h>", false},
        {"src/mesh/planted.h", "\"tiny_gltf.h\"", false},
        {"src/scene/planted.h", "<tiny_gltf.h>", true},
        {"src/scene/planted.h", "<vulkan/vulkan.h>", false},
        {"src/scene/planted.h", "<vk_mem_alloc.h>", false},
        {"src/base/planted.h", "<volk.h>", false},
        {"src/gpu/planted.h", "<volk.h>", true},
        {"src/gpu/planted.h", "<tiny_gltf.h>", false},
        {"src/render/planted.h", "<vulkan/vulkan.h>", true},
        {"src/render/planted.h", "<GLFW/glfw3.h>", false},
        {"src/render/planted.h", "\"imgui.h\"", false},
        {"src/app/planted.h", "<GLFW/glfw3.h>", true},
        {"shaders/shared/planted.h", "<vulkan/vulkan.h>", false},
        {"shaders/shared/planted.h", "<tiny_gltf.h>", false},
        {"shaders/shared/planted.h", "<cstdint>", true},
        {"shaders/shared/planted.h", "\"mesh/thing.h\"", false},
        {"shaders/shared/planted.h", "\"../thing.glsl\"", false},
        {"src/mesh/planted.h", "\"shaders/shared/thing.h\"", true},
        {"src/mesh/planted.h", "\"shaders/thing.glsl\"", false},
        {"src/gpu/planted.h", "\"shaders/embedded.h\"", false},
        {"src/render/planted.h", "\"shaders/embedded.h\"", true},
    };
    for (const auto& [file, include, allowed] : cases) {
        EXPECT_EQ(violations(file, std::string("#include ") + include + "\n").empty(), allowed)
            << file << " " << include;
    }
}

}  // namespace
}  // namespace sublet::test
