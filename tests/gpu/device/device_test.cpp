#include "gpu/device.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/log.h"
#include "gpu/pipeline.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

struct Outcome {
    int status = -1;
    std::string output;
};

// Runs the probe with these variables and arguments.
Outcome probe(const std::string& environment, const std::string& arguments) {
    Outcome outcome;
    FILE* pipe = popen(("env " + environment + " " SUBLET_PROBE " " + arguments + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr) return outcome;
    std::array<char, 4096> text{};
    while (std::fgets(text.data(), text.size(), pipe) != nullptr) outcome.output += text.data();
    const int status = pclose(pipe);
    if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
    return outcome;
}

TEST(NoVulkan, NoDriverIsOneClearLine) {
    const Outcome outcome = probe("VK_DRIVER_FILES=/nonexistent.json VK_ICD_FILENAMES=/nonexistent.json", "");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(mentions(outcome.output, "Vulkan: no driver on this machine: install"));
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
}

TEST(NoVulkan, NoLoaderIsOneClearLine) {
    // A library that cannot be loaded, found before the real one.
    const std::filesystem::path folder = std::filesystem::current_path() / "no-loader";
    std::filesystem::create_directories(folder);
    for (const char* name : {"libvulkan.so.1", "libvulkan.so"}) std::ofstream(folder / name) << "not a library";
    const Outcome outcome = probe("LD_LIBRARY_PATH='" + folder.string() + "'", "");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(mentions(outcome.output, "Vulkan: no loader (libvulkan.so.1)"));
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
}

TEST(NoVulkan, MissingValidationLayerSaysWhatToInstall) {
    // VK_LAYER_PATH replaces the folders that explicit layers are looked for in.
    const Outcome outcome = probe("VK_LAYER_PATH=/nonexistent", "--validation");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(mentions(outcome.output, "vulkan-validationlayers"));
}

using SelectTest = DeviceTest;

TEST_F(SelectTest, ByIndexAndByPartOfTheName) {
    const std::span<const DeviceInfo> devices = instance().devices();
    ASSERT_FALSE(devices.empty());
    EXPECT_FALSE(instance().select("").capabilities.name.empty());
    for (size_t i = 0; i < devices.size(); ++i) {
        if (!devices[i].capabilities.unusable.empty()) continue;
        EXPECT_EQ(&instance().select(std::to_string(i)), &devices[i]);
        std::string part = devices[i].capabilities.name.substr(0, 5);
        for (char& c : part) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        EXPECT_EQ(instance().select(part).capabilities.name.substr(0, 5), devices[i].capabilities.name.substr(0, 5));
    }
}

TEST_F(SelectTest, WhatIsNotThereIsListed) {
    for (const std::string selector : {"4711", "99999999999999999999999", "no such GPU"}) {
        const std::string message = error_of([&] { (void)instance().select(selector); });
        EXPECT_TRUE(mentions(message, "--device " + selector));
        EXPECT_TRUE(mentions(message, instance().devices()[0].capabilities.name));
    }
}

using ValidationTest = DeviceTest;

TEST_F(ValidationTest, LayerListens) {
    if (!validation_installed()) GTEST_SKIP() << "VK_LAYER_KHRONOS_validation is not installed";
    std::string logged;
    set_log_sink([&](LogLevel, std::string_view message) { logged += message; });
    EXPECT_EQ(instance().validation_messages(), 0U);
    device().provoke_validation_message();
    set_log_sink({});
    EXPECT_EQ(instance().validation_messages(), 1U);
    ASSERT_EQ(instance().validation_texts().size(), 1U);
    EXPECT_TRUE(mentions(instance().validation_texts()[0], "WRITE_AFTER_WRITE"));
    EXPECT_TRUE(mentions(instance().validation_texts()[0], "provoked hazard")) << "object names reach the layer";
    EXPECT_TRUE(mentions(logged, "WRITE_AFTER_WRITE"));
    expect_messages(1);
}

TEST(Validation, OffMeansNoMessages) {
    const DeviceOptions options;
    Instance instance(options);
    Device device(instance, options);
    device.provoke_validation_message();
    EXPECT_FALSE(instance.validation());
    EXPECT_EQ(instance.validation_messages(), 0U);
}

TEST(Check, PassesSuccessAndNamesErrors) {
    EXPECT_EQ(check(VK_SUCCESS, "doing"), VK_SUCCESS);
    EXPECT_EQ(check(VK_SUBOPTIMAL_KHR, "doing"), VK_SUBOPTIMAL_KHR);
    const std::string lost = error_of([] { check(VK_ERROR_DEVICE_LOST, "submitting frame 7"); });
    EXPECT_TRUE(mentions(lost, "submitting frame 7 failed: VK_ERROR_DEVICE_LOST"));
    const std::string memory = error_of([] { check(VK_ERROR_OUT_OF_DEVICE_MEMORY, "decoding"); });
    EXPECT_TRUE(mentions(memory, "decoding failed: VK_ERROR_OUT_OF_DEVICE_MEMORY"));
}

class PipelineCacheTest : public DeviceTest {
  protected:
    void SetUp() override { std::filesystem::remove_all(path_.parent_path()); }

    // Makes a device with the cache, a pipeline on it, and destroys both. Returns the file's bytes.
    std::string run() {
        DeviceOptions options;
        options.pipeline_cache = path_;
        {
            Instance instance(options);
            Device device(instance, options);
            const Pipeline pipeline(
                device, ComputePipelineDesc{.name = "scale", .shader = {.spirv = test_shaders().scale_comp}});
            EXPECT_TRUE(static_cast<bool>(pipeline));
        }
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::filesystem::path path_ = std::filesystem::current_path() / "cache" / "pipelines.bin";
};

TEST_F(PipelineCacheTest, IsKeptAndSurvivesDamage) {
    const std::string fresh = run();
    ASSERT_GT(fresh.size(), 32U);
    EXPECT_EQ(fresh.substr(0, 8), "SUBLETPC");
    run();  // with what was kept
    for (const std::string& damaged : {std::string(), std::string("SUBLETPC"), fresh.substr(0, fresh.size() / 2),
                                       fresh + "x", std::string(4096, '\xff')}) {
        std::ofstream(path_, std::ios::binary) << damaged;
        EXPECT_EQ(run().substr(0, 8), "SUBLETPC");
    }
    std::string flipped = fresh;
    flipped[flipped.size() - 1] = static_cast<char>(flipped.back() ^ 1);
    std::ofstream(path_, std::ios::binary) << flipped;
    EXPECT_NE(run(), flipped);
}

TEST_F(PipelineCacheTest, FolderThatCannotBeIsNoError) {
    path_ = "/proc/no/such/folder/pipelines.bin";
    std::string logged;
    set_log_sink([&](LogLevel, std::string_view message) { logged += message; });
    EXPECT_EQ(run(), "");
    set_log_sink({});
    EXPECT_TRUE(mentions(logged, "the pipeline cache was not kept"));
}

}  // namespace
}  // namespace sublet::gpu
