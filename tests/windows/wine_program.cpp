#include "wine_program.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace sublet::test {
namespace {

namespace fs = std::filesystem;

// What all cases share.
struct Installation {
    TemporaryFolder folder;
    fs::path unpacked;  // empty: there is none
    std::string missing;
    std::unique_ptr<Process> display;
    std::string display_name;
};
std::unique_ptr<Installation> installation;

std::optional<fs::path> find_zip() {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(SUBLET_WINDOWS_BUILD, error)) {
        if (entry.path().extension() == ".zip") return entry.path();
    }
    return std::nullopt;
}

// Wine has no Vulkan without a display.
void start_display(Installation& out) {
    ProcessOptions options;
    options.seconds = 1200;
    out.display = std::make_unique<Process>(
        std::vector<std::string>{"Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"},
        options);
    for (int i = 0; i < 300 && out.display_name.empty() && out.display->running(); ++i) {
        const std::string said = out.display->out_so_far();
        if (said.find('\n') != std::string::npos) out.display_name = ":" + said.substr(0, said.find('\n'));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

}  // namespace

void WineTest::SetUpTestSuite() {
    if (installation) return;
    installation = std::make_unique<Installation>();
    const std::optional<fs::path> zip = find_zip();
    if (!has_program("wine")) {
        installation->missing = "wine is not installed";
    } else if (!has_program("Xvfb")) {
        installation->missing = "Xvfb is not installed";
    } else if (!zip) {
        installation->missing = "there is no zip for Windows: scripts/build_windows.sh makes it";
    }
    if (!installation->missing.empty()) return;
    // It has to run from anywhere.
    const fs::path place = installation->folder / "é 漢字 (%d) & more";
    fs::create_directories(place);
    const ProcessResult unpacked = run({SUBLET_CMAKE, "-E", "tar", "xf", zip->string()}, {.folder = place});
    ASSERT_EQ(unpacked.status, 0) << unpacked.err;
    installation->unpacked = place / zip->stem();
    ASSERT_TRUE(fs::exists(installation->unpacked / "sublet.exe"));
    start_display(*installation);
    ASSERT_FALSE(installation->display_name.empty());
}

// Suites share it: it goes with the process.
void WineTest::TearDownTestSuite() {}

void WineTest::SetUp() {
    if (!installation->missing.empty()) GTEST_SKIP() << installation->missing;
}

const fs::path& WineTest::unpacked() {
    return installation->unpacked;
}

std::vector<std::string> WineTest::environment() {
    return {"DISPLAY=" + installation->display_name, std::string("WINEPREFIX=") + SUBLET_WINDOWS_BUILD + "/wine"};
}

ProcessResult WineTest::wine(std::vector<std::string> arguments, ProcessOptions options) const {
    arguments.insert(arguments.begin(), {SUBLET_WINE, program().string()});
    const std::vector<std::string> needed = environment();
    options.environment.insert(options.environment.end(), needed.begin(), needed.end());
    if (options.folder.empty()) options.folder = folder_.path();
    return run(arguments, options);
}

ProcessResult WineTest::wine_done(const std::vector<std::string>& arguments) const {
    ProcessResult result = wine(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
}

ProcessResult WineTest::here_done(std::vector<std::string> arguments) const {
    ProcessResult result = sublet(std::move(arguments), {.folder = folder_.path()});
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
}

std::string windows_path(const fs::path& path) {
    std::string text = "Z:" + path.string();
    std::replace(text.begin(), text.end(), '/', '\\');
    return text;
}

}  // namespace sublet::test
