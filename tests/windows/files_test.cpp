// Files and streams of the program for Windows.
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "gltf_text.h"
#include "wine_program.h"

namespace sublet::test {
namespace {

namespace fs = std::filesystem;

class Files : public WineTest {
  protected:
    void SetUp() override {
        WineTest::SetUp();
        write_text(folder_ / "spheres.gltf", sphere_gltf().dump());
    }
};

TEST_F(Files, TheZipNeedsNothingButWindows) {
    for (const char* const file : {"README.md", "LICENSE.txt", "docs/CAPTURING.md", "licences/imgui.txt"}) {
        EXPECT_TRUE(fs::exists(unpacked() / file)) << file;
    }
    const ProcessResult listed = run({"x86_64-w64-mingw32-objdump", "-p", program().string()});
    if (listed.status != 0) GTEST_SKIP() << "there is no objdump for Windows' programs";
    const std::set<std::string> known{"ADVAPI32.dll", "COMDLG32.dll", "GDI32.dll",   "KERNEL32.dll",
                                      "MSVCRT.dll",   "OLE32.dll",    "SHELL32.dll", "USER32.dll"};
    std::istringstream lines(listed.out);
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find("DLL Name: ");
        if (at == std::string::npos) continue;
        std::string name = line.substr(at + 10);
        for (char& c : name) c = c == '.' ? c : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        name = name.substr(0, name.find('.')) + ".dll";
        EXPECT_TRUE(known.contains(name)) << name;
        ++count;
    }
    EXPECT_GE(count, 3);
}

TEST_F(Files, NamesMayBeAnyUnicode) {
    const std::string name = "é漢字 Ω😀";
    fs::create_directories(folder_ / name);
    // A buffer of the same name, once as it is in the URI, once encoded.
    nlohmann::json scene = sphere_gltf();
    const std::string data = scene["buffers"][0]["uri"];
    write_text(folder_ / name / (name + ".bin"), from_base64(data.substr(data.find(',') + 1)));
    for (const std::string& uri : {name + ".bin", std::string("%C3%A9%E6%BC%A2%E5%AD%97%20%CE%A9%F0%9F%98%80.bin")}) {
        scene["buffers"][0]["uri"] = uri;
        write_text(folder_ / name / "scene.gltf", scene.dump());
        const std::string scene_name = windows_path(folder_ / name / "scene.gltf");
        const ProcessResult result = wine_done(
            {"encode", scene_name, "-o", name + "/" + name + ".sublet", "--json", name + "/" + name + ".json"});
        EXPECT_NE(result.out.find(name + ".sublet"), std::string::npos) << result.out;
        EXPECT_TRUE(fs::exists(folder_ / name / (name + ".sublet")));
        const auto json = nlohmann::json::parse(read_text(folder_ / name / (name + ".json")));
        EXPECT_EQ(json["file"], name + "/" + name + ".sublet");
        fs::remove(folder_ / name / (name + ".sublet"));
    }
    const ProcessResult missing = wine({"info", name + ".sublet"});
    EXPECT_EQ(missing.status, 1);
    EXPECT_NE(missing.err.find(name + ".sublet: cannot open: "), std::string::npos) << missing.err;
}

TEST_F(Files, PathsMayBeLong) {
    fs::path place;
    while (place.native().size() < 400) place /= "a folder whose name is as long as people like them";
    fs::create_directories(folder_ / place);
    fs::copy_file(folder_ / "spheres.gltf", folder_ / place / "spheres.gltf");
    const std::string absolute = windows_path(folder_ / place / "spheres.gltf");
    const std::string relative = (place / "spheres.sublet").string();
    wine_done({"encode", absolute, "-o", relative});
    wine_done({"decode", windows_path(folder_ / place / "spheres.sublet"), "-o", (place / "back.glb").string()});
    EXPECT_GT(fs::file_size(folder_ / place / "back.glb"), 1000U);
    const ProcessResult refused = wine({"encode", absolute, "-o", (place / "none" / "x.sublet").string()});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("does not exist; create it first"), std::string::npos) << refused.err;
}

TEST_F(Files, ASlashBeginsAPathAndNoOption) {
    const ProcessResult result = wine({"info", "/folder/x.sublet"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err.find("has no option"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("/folder/x.sublet"), std::string::npos) << result.err;
}

// A scene names files of its folder, by whatever Windows understands.
TEST_F(Files, AScenesFilesStayInItsFolder) {
    fs::create_directories(folder_ / "inner");
    write_text(folder_ / "secret.bin", std::string(100'000, 'x'));
    nlohmann::json scene = sphere_gltf();
    for (const std::string& uri :
         {std::string("../secret.bin"), std::string("..\\\\secret.bin"), std::string("C:/windows/win.ini"),
          windows_path(folder_ / "secret.bin"), std::string("\\\\\\\\server\\\\share\\\\x"), std::string("NUL"),
          std::string("CON"), std::string("sub/../../secret.bin")}) {
        scene["buffers"][0]["uri"] = uri;
        write_text(folder_ / "inner" / "scene.gltf", scene.dump());
        const ProcessResult result = wine({"encode", "inner/scene.gltf", "-o", "x.sublet"});
        EXPECT_EQ(result.status, 1) << uri;
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_FALSE(fs::exists(folder_ / "x.sublet"));
    }
}

TEST_F(Files, JsonHasNoCarriageReturns) {
    const ProcessResult result = wine_done({"encode", "spheres.gltf", "-o", "x.sublet", "--json", "-"});
    EXPECT_EQ(result.out.find('\r'), std::string::npos);
    EXPECT_GT(nlohmann::json::parse(result.out).size(), 3U);
    EXPECT_EQ(wine_done({"--help"}).out.find('\r'), std::string::npos);
    EXPECT_EQ(wine({"inf"}).err.find('\r'), std::string::npos);
}

TEST_F(Files, AFullDiskIsAnError) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    const ProcessResult result = wine({"encode", "spheres.gltf", "-o", "Z:\\dev\\full"});
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
    EXPECT_NE(result.err.find("Z:\\dev\\full: cannot write: "), std::string::npos) << result.err;
    // Redirected output.
    std::string command = "exec wine '" + program().string() + "' help >/dev/full";
    const ProcessResult full = run({"sh", "-c", command}, {.folder = folder_.path(), .environment = environment()});
    EXPECT_EQ(full.status, 1);
    EXPECT_NE(full.err.find("standard output: cannot be written"), std::string::npos) << full.err;
}

// A picture of one texel, with so many bytes behind it that nobody looks at: a scene of it takes long to write.
std::string long_png(std::size_t bytes) {
    const std::string png =
        from_base64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=");
    constexpr std::size_t kBehindHeader = 33;
    std::string chunk(12 + bytes, '\0');
    for (std::size_t i = 0; i < 4; ++i) chunk[i] = static_cast<char>(bytes >> (24 - 8 * i) & 255U);
    chunk.replace(4, 4, "suBl");
    return png.substr(0, kBehindHeader) + chunk + png.substr(kBehindHeader);
}

// Ctrl-C while a file is written: it leaves nothing, and what was there before stays.
TEST_F(Files, AnInterruptedRunLeavesNothing) {
    nlohmann::json scene = sphere_gltf();
    scene["images"] = {{{"uri", "long.png"}}};
    scene["textures"] = {{{"source", 0}}};
    scene["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
    for (nlohmann::json& mesh : scene["meshes"]) mesh["primitives"][0]["material"] = 0;
    write_text(folder_ / "spheres.gltf", scene.dump());
    write_text(folder_ / "long.png", long_png(400'000'000));
    write_text(folder_ / "old.sublet", "as it was");
    // Where the signal comes too late, the file is whole: again.
    int interrupted = 0;
    for (int i = 0; i < 5 && interrupted < 1; ++i) {
        Process process({"wine", program().string(), "encode", "spheres.gltf", "-o", "old.sublet"},
                        {.folder = folder_.path(), .environment = environment()});
        while (process.running() && folder_.entry_count() == 3)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        process.interrupt();
        process.wait();  // wine's status of an interrupted program is 0, where Windows' is not
        EXPECT_EQ(folder_.entry_count(), 3);
        if (read_text(folder_ / "old.sublet") == "as it was") {
            ++interrupted;
        } else {
            write_text(folder_ / "old.sublet", "as it was");
        }
    }
    EXPECT_EQ(interrupted, 1);
}

}  // namespace
}  // namespace sublet::test
