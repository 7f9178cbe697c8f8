#include "app/view/scene_loader.h"

#include <exception>
#include <new>
#include <utility>

#include "app/session.h"
#include "base/mapped_file.h"
#include "base/thread_pool.h"

namespace sublet::app {

namespace {

LoadedScene load(const SceneRequest& request) {
    LoadedScene loaded;
    loaded.request = request;
    try {
        ThreadPool pool;
        loaded.scene =
            std::make_unique<scene::EncodedScene>(load_scene(request.path, request.seed, pool, request.import));
    } catch (const OutsideFolder& error) {
        loaded.error = error.what();
        loaded.outside = true;
    } catch (const std::bad_alloc&) {
        loaded.error = scene_name(request.path) + ": out of memory";
    } catch (const std::exception& error) {
        loaded.error = error.what();
    }
    return loaded;
}

}  // namespace

SceneLoader::SceneLoader() : thread_([this] { work(); }) {}

SceneLoader::~SceneLoader() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void SceneLoader::request(SceneRequest request) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = std::move(request);
    }
    wake_.notify_all();
}

std::optional<SceneRequest> SceneLoader::pending() const {
    const std::lock_guard lock(mutex_);
    return waiting_ ? waiting_ : loading_;
}

std::optional<LoadedScene> SceneLoader::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(result_, std::nullopt);
}

void SceneLoader::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [this] { return stopping_ || waiting_; });
        if (stopping_) return;
        loading_ = std::exchange(waiting_, std::nullopt);
        const SceneRequest request = *loading_;
        lock.unlock();
        LoadedScene loaded = load(request);
        lock.lock();
        loading_.reset();
        result_ = std::move(loaded);
    }
}

}  // namespace sublet::app
