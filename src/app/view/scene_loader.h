// Loads scenes beside the window: from the file to a renderer that is ready to draw, while another scene is shown.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/keep/load_options.h"
#include "app/view/scene_files.h"
#include "base/progress.h"
#include "base/stopwatch.h"
#include "render/renderer.h"
#include "render/settings/settings.h"
#include "scene/container.h"

namespace sublet::app {

struct SceneRequest {
    std::filesystem::path path;  // empty: the built-in scene
    std::uint32_t seed = 1;
    LoadOptions import = {};
    bool reload = false;      // of what is shown: camera and all else stay
    bool scene_kept = false;  // import.scene is of an earlier run: the file may have it no more
};

// What a scene is made ready for.
struct SceneUse {
    render::Settings settings;
    std::uint32_t width = 0, height = 0;  // of the window
    render::TextureLoading textures = render::TextureLoading::kWithFrames;
    render::Preparing preparing = render::Preparing::kPlainFirst;
    std::vector<const render::Setting*> typed =
        {};  // of the settings: the user's own words, which hold or are an error
};

// What came of a request: a scene, or what was wrong with it. The renderer may still read the scene: what takes the
// place of one ends it first.
struct LoadedScene {
    LoadedScene() = default;
    LoadedScene(LoadedScene&&) = default;
    LoadedScene& operator=(LoadedScene&& other) noexcept;
    ~LoadedScene() = default;

    SceneRequest request;
    std::unique_ptr<scene::EncodedScene> scene;  // null when there is an error
    // With the scene, and the pipelines for its use, or those of a plain picture of it; null where the device was taken
    // back meanwhile.
    std::unique_ptr<render::Renderer> renderer;
    render::Settings asked;               // those of its use
    render::Settings fitted;              // the same without what the scene can't have: fit_scene()
    std::vector<std::string> dropped;     // what that was
    std::vector<SceneWatch::File> files;  // that it was read from
    scene::FileScenes scenes;             // of which one was read
    std::string error;
    bool outside = false;  // the error is a URI that leaves the scene's folder
    Stopwatch since_read;  // the time since its files were read
};

struct LoadStatus {
    std::filesystem::path path;
    ProgressState progress;
};

class SceneLoader {
  public:
    // `observer` follows the progress of all requests: ProgressWatch.
    explicit SceneLoader(ProgressWatch::Observer observer = {});
    // Cancels what is going on, and waits for its end.
    ~SceneLoader();
    SceneLoader(const SceneLoader&) = delete;
    SceneLoader& operator=(const SceneLoader&) = delete;

    // Loads a scene. What was asked for before is cancelled: nothing comes of it.
    void request(SceneRequest request, SceneUse use);
    void cancel();
    // Cancels what is going on. Whether it ended within so many seconds: a read from a file system that does not answer
    // can't be stopped.
    [[nodiscard]] bool stop_within(double seconds);
    // What is going on; nothing when idle.
    [[nodiscard]] std::optional<LoadStatus> status() const;
    // The newest result that was not taken yet.
    [[nodiscard]] std::optional<LoadedScene> take();

    // Scenes wait for a device to be made ready on.
    void lend_device(gpu::Device& device);
    // Waits until the loader has let go of everything that it made on the device.
    void take_device_back();

  private:
    // One request on its way.
    struct Job {
        explicit Job(const ProgressWatch::Observer& observer) : reading(observer), preparing(observer) {}

        LoadedScene loaded;
        SceneUse use;
        ProgressWatch reading, preparing;  // the latter ends with the device too
    };

    void work();
    void run(const std::shared_ptr<Job>& job, std::unique_lock<std::mutex>& lock);

    const ProgressWatch::Observer observer_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<Job> waiting_, running_;
    std::optional<LoadedScene> result_;
    gpu::Device* device_ = nullptr;
    bool using_device_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace sublet::app
