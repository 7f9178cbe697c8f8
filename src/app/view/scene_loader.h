// Loads a scene in the background, so that the window stays alive.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "scene/container.h"

namespace sublet::app {

struct SceneRequest {
    std::filesystem::path path;  // empty: the built-in scene
    std::uint32_t seed = 1;
    scene::ImportOptions import = {};
};

// What came of a request: a scene, or what was wrong with it.
struct LoadedScene {
    SceneRequest request;
    std::unique_ptr<scene::EncodedScene> scene;  // null when there is an error
    std::string error;
    bool outside = false;  // the error is a URI that leaves the scene's folder
};

class SceneLoader {
  public:
    SceneLoader();
    // Waits for the load that is going on: one cannot be stopped half-way.
    ~SceneLoader();
    SceneLoader(const SceneLoader&) = delete;
    SceneLoader& operator=(const SceneLoader&) = delete;

    // Loads it once the one going on is finished; of requests that wait, the newest is kept.
    void request(SceneRequest request);
    // What is being loaded or waits for it; nothing when idle.
    [[nodiscard]] std::optional<SceneRequest> pending() const;
    // The newest result that was not taken yet.
    [[nodiscard]] std::optional<LoadedScene> take();

  private:
    void work();

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::optional<SceneRequest> waiting_, loading_;
    std::optional<LoadedScene> result_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace sublet::app
