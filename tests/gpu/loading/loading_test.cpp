// The viewer's loader on a device: what comes of a request, and what is left of one that is cancelled.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "app/view/scene_loader.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "render/view/camera.h"
#include "temporary_folder.h"
#include "tests/gpu/validation.h"

namespace sublet::app {
namespace {

constexpr std::uint32_t kSize = 64;

// A wavy sheet of 2 * side * side triangles without normals, as .gltf and .bin.
std::filesystem::path write_sheet(const test::TemporaryFolder& folder, std::uint32_t side) {
    std::string bytes;
    const auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
    for (std::uint32_t y = 0; y <= side; ++y) {
        for (std::uint32_t x = 0; x <= side; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(side);
            const float v = static_cast<float>(y) / static_cast<float>(side);
            for (const float p : {u, v, 0.1F * std::sin(20.0F * u) * std::cos(17.0F * v)}) add(p);
        }
    }
    const std::size_t positions = bytes.size();
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t a = y * (side + 1) + x;
            for (const std::uint32_t i : {a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1}) add(i);
        }
    }
    test::write_text(folder / "sheet.bin", bytes);
    const nlohmann::json json{
        {"asset", {{"version", "2.0"}}},
        {"scenes", {{{"nodes", {0}}}}},
        {"nodes", {{{"mesh", 0}}}},
        {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
        {"accessors",
         {{{"bufferView", 0},
           {"componentType", 5126},
           {"count", (side + 1) * (side + 1)},
           {"type", "VEC3"},
           {"min", {0.0, 0.0, -0.1}},
           {"max", {1.0, 1.0, 0.1}}},
          {{"bufferView", 1}, {"componentType", 5125}, {"count", side * side * 6}, {"type", "SCALAR"}}}},
        {"bufferViews",
         {{{"buffer", 0}, {"byteLength", positions}},
          {{"buffer", 0}, {"byteOffset", positions}, {"byteLength", bytes.size() - positions}}}},
        {"buffers", {{{"uri", "sheet.bin"}, {"byteLength", bytes.size()}}}}};
    test::write_text(folder / "sheet.gltf", json.dump());
    return folder / "sheet.gltf";
}

// Holds the loader where a stage begins.
class Stop {
  public:
    void at(const std::string& stage) {
        const std::lock_guard lock(mutex_);
        stage_ = stage;
        held_ = false;
    }
    // Called by the loader's thread.
    void pass(const ProgressState& state) {
        std::unique_lock lock(mutex_);
        if (state.stage != stage_) return;
        held_ = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return stage_.empty(); });
    }
    [[nodiscard]] bool reached() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::minutes(2), [this] { return held_; });
    }
    void go_on() {
        const std::lock_guard lock(mutex_);
        stage_.clear();
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string stage_;
    bool held_ = false;
};

class Loading : public testing::Test {
  protected:
    void SetUp() override { open(); }
    void TearDown() override {
        stop_.go_on();
        loader_.reset();
        close();
        EXPECT_EQ(messages_, 0U);
    }

    void open() {
        gpu::DeviceOptions options;
        options.validation = test::validation_installed();
        instance_ = std::make_unique<gpu::Instance>(options);
        device_ = std::make_unique<gpu::Device>(*instance_, options);
        loader_->lend_device(*device_);
    }
    void close() {
        device_.reset();
        messages_ += instance_->validation_messages();
        instance_.reset();
    }

    // Without the cache of scenes, or the second request of a file is not encoded; and with all of the pipelines, since
    // plain pictures don't count their pixels.
    void request(const std::filesystem::path& path) {
        SceneRequest scene{path};
        scene.import.cache = false;
        loader_->request(std::move(scene),
                         {.settings = {}, .width = kSize, .height = kSize, .preparing = render::Preparing::kAll});
    }

    LoadedScene result() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        while (std::chrono::steady_clock::now() < end) {
            if (std::optional<LoadedScene> out = loader_->take()) return std::move(*out);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ADD_FAILURE() << "nothing came of the request";
        return {};
    }

    // Draws a frame with it; how many pixels something covers.
    std::uint64_t draw(const LoadedScene& loaded) {
        const render::Settings settings;
        render::SceneFacts facts = loaded.renderer->facts();
        facts.width = facts.height = kSize;
        const render::FramePlan plan = render::resolve(settings.frame, device_->capabilities(), facts);
        const render::DefaultView start = render::default_view(*loaded.scene, {}, settings.frame, 1.0F);
        gpu::FrameRing ring(*device_);
        for (int i = 0; i < 2; ++i) {
            loaded.renderer->begin(ring.begin());
            loaded.renderer->draw(render::make_view(start.pose, start.near_plane, start.projection, 1.0F), plan, kSize,
                                  kSize);
            loaded.renderer->end();
            ring.submit();
        }
        loaded.renderer->finish();
        return loaded.renderer->counters().funnel->pixels.covered;
    }

    test::TemporaryFolder folder_;
    std::unique_ptr<gpu::Instance> instance_;
    std::unique_ptr<gpu::Device> device_;
    std::uint64_t messages_ = 0;
    Stop stop_;
    std::unique_ptr<SceneLoader> loader_ =
        std::make_unique<SceneLoader>([this](const ProgressState& state) { stop_.pass(state); });
};

TEST_F(Loading, GivesARendererThatDrawsAtOnce) {
    request(write_sheet(folder_, 40));
    const LoadedScene loaded = result();
    ASSERT_NE(loaded.renderer, nullptr) << loaded.error;
    const std::uint64_t made = device_->made_pipelines();
    EXPECT_GT(draw(loaded), 300U);
    EXPECT_EQ(device_->made_pipelines(), made) << "pipelines were left for frames to make";
    EXPECT_FALSE(loader_->status().has_value());
}

// Frames of one scene while others are made ready.
TEST_F(Loading, GoesOnBesideFrames) {
    const std::filesystem::path sheet = write_sheet(folder_, 100);
    request(sheet);
    const LoadedScene shown = result();
    ASSERT_NE(shown.renderer, nullptr) << shown.error;
    request(sheet);
    int frames = 0;
    std::optional<LoadedScene> next;
    while (!(next = loader_->take()) && frames < 10'000) {
        EXPECT_GT(draw(shown), 300U);
        ++frames;
    }
    ASSERT_TRUE(next.has_value());
    ASSERT_NE(next->renderer, nullptr) << next->error;
    EXPECT_GE(frames, 2);
    EXPECT_GT(draw(*next), 300U);
}

TEST_F(Loading, CanBeCancelledAtEveryStage) {
    const std::filesystem::path sheet = write_sheet(folder_, 150);
    for (const std::string stage : {"encode", "upload", "compile"}) {
        SCOPED_TRACE(stage);
        stop_.at(stage);
        request(sheet);
        ASSERT_TRUE(stop_.reached());
        ASSERT_TRUE(loader_->status().has_value());
        EXPECT_EQ(loader_->status()->progress.stage, stage);
        loader_->cancel();
        EXPECT_FALSE(loader_->status().has_value());
        stop_.go_on();
        EXPECT_TRUE(loader_->stop_within(60.0));
        EXPECT_FALSE(loader_->take().has_value());
    }
    // The last one is let through, and nothing of the others comes in its place.
    request(write_sheet(folder_, 30));
    const LoadedScene loaded = result();
    ASSERT_NE(loaded.scene, nullptr) << loaded.error;
    EXPECT_EQ(loaded.scene->scene.mesh_groups[0].source_triangles, 1800U);
    EXPECT_FALSE(loader_->take().has_value());
}

TEST_F(Loading, ProgressRisesWithinOneMesh) {
    std::mutex mutex;
    std::set<std::string> stages;
    std::set<int> percents;
    loader_ = std::make_unique<SceneLoader>([&](const ProgressState& state) {
        const std::lock_guard lock(mutex);
        stages.insert(state.stage);
        if (state.stage == "encode") percents.insert(static_cast<int>(state.fraction * 100));
    });
    loader_->lend_device(*device_);
    request(write_sheet(folder_, 250));
    EXPECT_NE(result().renderer, nullptr);
    loader_.reset();
    EXPECT_TRUE(stages.contains("encode"));
    EXPECT_GE(percents.size(), 5U) << "one mesh moves too";
}

// What a sanitizer can't see, the device tells: how much of its memory is in use.
TEST_F(Loading, ManyScenesLeaveNothingBehind) {
    const std::filesystem::path sheet = write_sheet(folder_, 30);
    std::uint64_t used = 0;
    for (int i = 0; i < 8; ++i) {
        SCOPED_TRACE(i);
        if (i % 4 == 3) stop_.at("encode");
        request(sheet);
        if (i % 4 == 3) {
            ASSERT_TRUE(stop_.reached());
            loader_->cancel();
            stop_.go_on();
            continue;
        }
        LoadedScene loaded = result();
        ASSERT_NE(loaded.renderer, nullptr) << loaded.error;
        EXPECT_GT(draw(loaded), 300U);
        loaded = {};
        device_->wait_idle();
        const std::uint64_t now = device_->memory_usage().used;
        if (i == 0) used = now;
        EXPECT_EQ(now, used) << "bytes of the device's memory";
    }
}

TEST_F(Loading, OutlivesItsDevice) {
    const std::filesystem::path sheet = write_sheet(folder_, 150);
    for (const std::string stage : {"encode", "upload", "compile"}) {
        SCOPED_TRACE(stage);
        stop_.at(stage);
        request(sheet);
        ASSERT_TRUE(stop_.reached());
        // What uses the device has to go on to give it back.
        std::thread owner([this] { loader_->take_device_back(); });
        if (stage == "encode") owner.join();
        stop_.go_on();
        if (owner.joinable()) owner.join();
        close();
        open();
        const LoadedScene loaded = result();
        ASSERT_NE(loaded.scene, nullptr) << loaded.error;
        if (stage == "encode") {
            EXPECT_NE(loaded.renderer, nullptr) << "the new device was there in time";
        }
        if (loaded.renderer) {
            EXPECT_GT(draw(loaded), 300U);
        }
    }
}

}  // namespace
}  // namespace sublet::app
