// What capture tools see: names and labels in a recording by gfxreconstruct, and frames that RenderDoc is told to
// capture, where a library of the test's stands in for RenderDoc.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/view/pass_guide.h"
#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class Capture : public ::testing::Test {
  protected:
    Capture() { write_text(folder_ / "sphere.gltf", sphere_gltf(24).dump()); }

    ProcessResult run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) const {
        return sublet(arguments, {.folder = folder_.path(), .environment = environment});
    }
    std::vector<std::string> with_renderdoc() const {
        return {std::string("LD_PRELOAD=") + SUBLET_RENDERDOC_STUB, "STUB_LOG=" + (folder_ / "log").string()};
    }

    TemporaryFolder folder_;
};

// Which argument of a function holds what it made.
const std::map<std::string, std::string> kMakers{{"vkCreateDevice", "pDevice"},
                                                 {"vkGetDeviceQueue", "pQueue"},
                                                 {"vkCreateBuffer", "pBuffer"},
                                                 {"vkCreateImage", "pImage"},
                                                 {"vkCreateImageView", "pView"},
                                                 {"vkCreateSampler", "pSampler"},
                                                 {"vkCreateShaderModule", "pShaderModule"},
                                                 {"vkCreateComputePipelines", "pPipelines"},
                                                 {"vkCreateGraphicsPipelines", "pPipelines"},
                                                 {"vkCreatePipelineLayout", "pPipelineLayout"},
                                                 {"vkCreatePipelineCache", "pPipelineCache"},
                                                 {"vkCreateDescriptorSetLayout", "pSetLayout"},
                                                 {"vkCreateDescriptorPool", "pDescriptorPool"},
                                                 {"vkCreateCommandPool", "pCommandPool"},
                                                 {"vkAllocateCommandBuffers", "pCommandBuffers"},
                                                 {"vkCreateQueryPool", "pQueryPool"},
                                                 {"vkCreateSemaphore", "pSemaphore"},
                                                 {"vkCreateInstance", ""}};  // has no name

// A recording, as far as it tells of names.
struct Recording {
    std::map<std::string, std::set<std::string>> names;  // by type: "BUFFER"
    std::vector<std::string> unnamed;                    // the functions that made them
    std::vector<std::vector<std::string>> frames;        // the labels of each, in order
    std::vector<std::string> queue;                      // submissions of frames, and labels around them
};

void note_label(const Json& arguments, Recording& out) {
    const auto label = arguments["pLabelInfo"]["pLabelName"].get<std::string>();
    if (label.starts_with("frame ")) {
        EXPECT_EQ(label, "frame " + std::to_string(out.frames.size()));
        out.frames.emplace_back();
    } else if (!out.frames.empty()) {
        out.frames.back().push_back(label);
    }
}

Recording read_recording(const std::string& lines) {
    Recording out;
    std::map<std::uint64_t, std::string> made;  // handles that have no name yet
    std::istringstream stream(lines);
    for (std::string line; std::getline(stream, line);) {
        // Whole numbers of a union are told of as floats too, and what is no number is no JSON.
        for (std::size_t at = 0; (at = line.find("-nan", at)) != std::string::npos;) line.replace(at, 4, "null");
        const Json call = Json::parse(line).value("vkFunc", Json::object());
        if (call.empty()) continue;
        const auto name = call["name"].get<std::string>();
        const Json& arguments = call["args"];
        const auto maker = kMakers.find(name);
        if (maker == kMakers.end()) {
            EXPECT_FALSE(name.starts_with("vkCreate")) << name << ": what it makes has to have a name";
        } else if (!maker->second.empty()) {
            const Json& handles = arguments[maker->second];
            for (const Json& handle : handles.is_array() ? handles : Json::array({handles})) {
                made[handle.get<std::uint64_t>()] = name;
            }
        }
        if (name == "vkSetDebugUtilsObjectNameEXT") {
            const Json& info = arguments["pNameInfo"];
            made.erase(info["objectHandle"].get<std::uint64_t>());
            const std::string type =
                info["objectType"].get<std::string>().substr(std::string("VK_OBJECT_TYPE_").size());
            out.names[type].insert(info["pObjectName"].get<std::string>());
        } else if (name == "vkCmdBeginDebugUtilsLabelEXT") {
            note_label(arguments, out);
        } else if (name == "vkQueueInsertDebugUtilsLabelEXT") {
            out.queue.push_back(arguments["pLabelInfo"]["pLabelName"].get<std::string>());
        } else if (name == "vkQueueSubmit2" && !out.queue.empty()) {
            out.queue.emplace_back("submit");
        }
    }
    for (const auto& [handle, maker] : made) out.unnamed.push_back(maker);
    return out;
}

TEST_F(Capture, ShowsEveryPassAndNamesEveryObjectWithEveryBackend) {
    if (!has_program("gfxrecon-convert")) GTEST_SKIP() << "gfxreconstruct is not installed";
    const ProcessResult devices = run({"devices", "--json", "-"}, {});
    ASSERT_EQ(devices.status, 0) << devices.err;
    std::size_t recorded = 0;
    const Json backends = Json::parse(devices.out)["devices"][0]["backends"];
    for (const auto& [backend, reason] : backends.items()) {
        // gfxreconstruct 0.9.18 knows nothing of generated commands, and crashes.
        if (!reason.is_null() || backend == "generated") continue;
        SCOPED_TRACE(backend);
        const std::string file = (folder_ / (backend + ".gfxr")).string();
        const ProcessResult render =
            run({"render", "sphere.gltf", "-o", "a.png", "--size", "32x32", "--frames", "2", "--device", "0",
                 "--backend", backend, "--json", "a.json"},
                {"VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct", "GFXRECON_MEMORY_TRACKING_MODE=unassisted",
                 "GFXRECON_CAPTURE_FILE=" + file, "GFXRECON_CAPTURE_FILE_TIMESTAMP=false"});
        ASSERT_EQ(render.status, 0) << render.err;
        const ProcessResult converted =
            test::run({"gfxrecon-convert", "--output", "a.jsonl", file}, {.folder = folder_.path()});
        ASSERT_EQ(converted.status, 0) << converted.err;
        const Recording recording = read_recording(read_text(folder_ / "a.jsonl"));
        ++recorded;

        std::vector<std::string> passes;
        for (const Json& pass : Json::parse(read_text(folder_ / "a.json"))["passes"]) {
            passes.push_back(pass["name"].get<std::string>());
            EXPECT_FALSE(app::pass_sentence(passes.back()).empty()) << passes.back();
        }
        ASSERT_EQ(recording.frames.size(), 2U);
        for (std::vector<std::string> labels : recording.frames) {
            std::erase_if(labels, [&](const std::string& label) {
                return std::find(passes.begin(), passes.end(), label) == passes.end();
            });
            EXPECT_EQ(labels, passes);
            std::erase(passes, "decode");  // in the first frame alone
        }
        EXPECT_EQ(recording.unnamed, std::vector<std::string>());
        const std::vector<std::string> queue{"AmdFrameBegin", "submit", "AmdFrameEnd",
                                             "AmdFrameBegin", "submit", "AmdFrameEnd"};
        ASSERT_GE(recording.queue.size(), queue.size());
        EXPECT_TRUE(std::equal(queue.begin(), queue.end(), recording.queue.begin()));
        // A draw's pipeline is called as its backend.
        const auto has = [&](const char* type, const std::string& name) {
            const auto found = recording.names.find(type);
            return found != recording.names.end() && found->second.count(name) != 0;
        };
        EXPECT_TRUE(has("PIPELINE", backend));
        for (const char* buffer : {"meshes", "payload", "instances", "frame data, slot 0", "cull states 1"}) {
            EXPECT_TRUE(has("BUFFER", buffer)) << buffer;
        }
        EXPECT_TRUE(has("IMAGE", "color"));
    }
    EXPECT_GT(recorded, 0U);
}

TEST_F(Capture, RenderDocIsToldOfEachFrame) {
    const ProcessResult render =
        run({"render", "sphere.gltf", "-o", "a.png", "--size", "32x32", "--frames", "5", "--capture", "1,2"},
            with_renderdoc());
    ASSERT_EQ(render.status, 0) << render.err;
    EXPECT_EQ(read_text(folder_ / "log"), "start\nend\nstart\nend\n");
    for (const char* frame : {"1", "2"}) {
        EXPECT_NE(render.err.find("note: RenderDoc captured frame " + std::string(frame) + ": /tmp/frame.rdc\n"),
                  std::string::npos)
            << render.err;
    }
}

TEST_F(Capture, OfEachRunOfABench) {
    const ProcessResult bench = run({"bench", "sphere.gltf", "--size", "32x32", "--frames", "2", "--warmup", "1",
                                     "--vary", "cull-cone=on,off", "--capture", "1"},
                                    with_renderdoc());
    ASSERT_EQ(bench.status, 0) << bench.err;
    EXPECT_EQ(read_text(folder_ / "log"), "start\nend\nstart\nend\n");
}

TEST_F(Capture, ThatFailsIsAWarning) {
    std::vector<std::string> environment = with_renderdoc();
    environment.emplace_back("STUB_FAILS=1");
    const ProcessResult render = run(
        {"render", "sphere.gltf", "-o", "a.png", "--size", "32x32", "--frames", "1", "--capture", "0"}, environment);
    EXPECT_EQ(render.status, 0);
    EXPECT_NE(render.err.find("warning: RenderDoc did not capture frame 0\n"), std::string::npos) << render.err;
}

TEST_F(Capture, WithoutRenderDocIsANote) {
    const ProcessResult render =
        run({"render", "sphere.gltf", "-o", "a.png", "--size", "32x32", "--frames", "1", "--capture", "0"}, {});
    EXPECT_EQ(render.status, 0);
    EXPECT_NE(render.err.find("note: --capture has no effect. RenderDoc is not loaded"), std::string::npos);
}

TEST_F(Capture, OfAFrameThatIsNotDrawnIsAnError) {
    const auto capture = [&](const std::string& frames) {
        return run({"render", "sphere.gltf", "-o", "a.png", "--frames", "3", "--capture", frames}, {});
    };
    for (const char* frames : {"3", "2,2", "0,4", "4294967295,4294967295"}) {
        const ProcessResult result = capture(frames);
        EXPECT_EQ(result.status, 2) << frames;
        EXPECT_NE(result.err.find("is not drawn: the last one is 2"), std::string::npos) << result.err;
    }
    for (const char* frames : {"", "-1", "1,0", "1,2,3", "1,", "one"}) {
        const ProcessResult result = capture(frames);
        EXPECT_EQ(result.status, 2) << frames;
        EXPECT_NE(result.err.find("--capture: '" + std::string(frames) + "'"), std::string::npos) << result.err;
    }
}

// Standard input is empty, so that nobody has to press anything.
TEST_F(Capture, ToolsCanWaitForTheProcess) {
    const ProcessResult render =
        run({"render", "sphere.gltf", "-o", "a.png", "--size", "32x32", "--frames", "1", "--wait-for-key"}, {});
    EXPECT_EQ(render.status, 0) << render.err;
    EXPECT_TRUE(render.err.starts_with("process ")) << render.err;
    EXPECT_NE(render.err.find(" waits for a tool: press Enter to go on\n"), std::string::npos) << render.err;
}

// It goes on for Enter, and not before.
TEST_F(Capture, EnterEndsTheWait) {
    const std::string command = std::string("{ sleep 1; test ! -e a.png && echo; } | ") + SUBLET_PROGRAM +
                                " render sphere.gltf -o a.png --size 32x32 --frames 1 --wait-for-key";
    const ProcessResult render = test::run({"bash", "-o", "pipefail", "-c", command}, {.folder = folder_.path()});
    EXPECT_EQ(render.status, 0) << render.err;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "a.png"));
}

}  // namespace
}  // namespace sublet::test
