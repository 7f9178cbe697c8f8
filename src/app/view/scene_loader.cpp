#include "app/view/scene_loader.h"

#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "app/keep/kept_settings.h"
#include "app/session.h"
#include "base/mapped_file.h"
#include "base/thread_pool.h"

namespace sublet::app {

namespace {

// Runs `step`; what it throws is told in `loaded`, which has no scene then.
template <typename Step>
void attempt(LoadedScene& loaded, const Step& step) {
    try {
        step();
        return;
    } catch (const Cancelled&) {
        throw;
    } catch (const OutsideFolder& error) {
        loaded.error = error.what();
        loaded.outside = true;
    } catch (const std::bad_alloc&) {
        loaded.error = scene_name(loaded.request.path) + ": out of memory";
    } catch (const std::exception& error) {
        loaded.error = error.what();
    }
    loaded.renderer.reset();
    loaded.scene.reset();
}

void read(LoadedScene& loaded) {
    attempt(loaded, [&] {
        SceneRequest& request = loaded.request;
        const Progress whole("read", 0);
        scene::SceneSource source = scene::scene_source(request.path, request.import);
        for (std::filesystem::path& file : source.files) loaded.files.push_back({file, file_stamp(file)});
        loaded.scenes = std::move(source.scenes);
        if (request.scene_kept && !loaded.scenes.find(request.import.scene)) request.import.scene.clear();
        ThreadPool pool;
        loaded.scene =
            std::make_unique<scene::EncodedScene>(load_scene(request.path, request.seed, pool, request.import));
        loaded.since_read.restart();
    });
}

void prepare(LoadedScene& loaded, const SceneUse& use, gpu::Device& device) {
    attempt(loaded, [&] {
        const Progress whole("make ready", 0);
        loaded.renderer = std::make_unique<render::Renderer>(device);
        loaded.asked = loaded.fitted = use.settings;
        loaded.dropped =
            fit_scene(loaded.fitted, loaded.scene->scene, use.typed, [&](const render::Settings& settings) {
                loaded.renderer->set_scene(*loaded.scene, settings.scene, use.textures);
            });
        render::SceneFacts facts = loaded.renderer->facts();
        facts.width = use.width;
        facts.height = use.height;
        facts.in_window = true;
        try {
            loaded.renderer->prepare(render::resolve(loaded.fitted.frame, device.capabilities(), facts), true,
                                     use.preparing);
        } catch (const Error&) {  // NOLINT(bugprone-empty-catch): who takes the scene finds settings that it can do
        }
    });
}

}  // namespace

LoadedScene& LoadedScene::operator=(LoadedScene&& other) noexcept {
    renderer = std::move(other.renderer);
    request = std::move(other.request);
    scene = std::move(other.scene);
    asked = std::move(other.asked);
    fitted = std::move(other.fitted);
    dropped = std::move(other.dropped);
    files = std::move(other.files);
    scenes = std::move(other.scenes);
    error = std::move(other.error);
    outside = other.outside;
    since_read = other.since_read;
    return *this;
}

SceneLoader::SceneLoader(ProgressWatch::Observer observer)
    : observer_(std::move(observer)), thread_([this] { work(); }) {}

SceneLoader::~SceneLoader() {
    cancel();
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void SceneLoader::request(SceneRequest request, SceneUse use) {
    cancel();
    auto job = std::make_shared<Job>(observer_);
    job->loaded.request = std::move(request);
    job->use = std::move(use);
    {
        const std::lock_guard lock(mutex_);
        waiting_ = std::move(job);
    }
    changed_.notify_all();
}

void SceneLoader::cancel() {
    {
        const std::lock_guard lock(mutex_);
        waiting_.reset();
        result_.reset();
        if (running_) {
            running_->reading.cancel();
            running_->preparing.cancel();
        }
    }
    changed_.notify_all();
}

bool SceneLoader::stop_within(double seconds) {
    cancel();
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !running_; });
}

std::optional<LoadStatus> SceneLoader::status() const {
    const std::lock_guard lock(mutex_);
    const Job* job = waiting_ ? waiting_.get() : running_.get();
    if (job == nullptr || job->reading.cancelled()) return std::nullopt;
    const ProgressState reading = job->reading.state();
    return LoadStatus{job->loaded.request.path, reading.stage.empty() ? job->preparing.state() : reading};
}

std::optional<LoadedScene> SceneLoader::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(result_, std::nullopt);
}

void SceneLoader::lend_device(gpu::Device& device) {
    {
        const std::lock_guard lock(mutex_);
        device_ = &device;
    }
    changed_.notify_all();
}

void SceneLoader::take_device_back() {
    std::unique_lock lock(mutex_);
    device_ = nullptr;
    if (using_device_) running_->preparing.cancel();
    changed_.wait(lock, [this] { return !using_device_; });
    if (result_) result_->renderer.reset();
}

void SceneLoader::run(const std::shared_ptr<Job>& job, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    {
        const ProgressWatch::Scope scope(job->reading);
        read(job->loaded);
    }
    lock.lock();
    const auto cancelled = [&] { return job->reading.cancelled(); };
    changed_.wait(lock, [&] { return device_ != nullptr || cancelled() || !job->loaded.scene; });
    if (cancelled() || !job->loaded.scene) return;
    gpu::Device& device = *device_;
    using_device_ = true;
    lock.unlock();
    try {
        const ProgressWatch::Scope scope(job->preparing);
        prepare(job->loaded, job->use, device);
    } catch (const Cancelled&) {  // the scene may still be wanted, on another device
        job->loaded.renderer.reset();
    }
    lock.lock();
    // Taken back, or not wanted any more, while its last step ran.
    if (device_ != &device || cancelled()) job->loaded.renderer.reset();
    using_device_ = false;
    changed_.notify_all();
}

void SceneLoader::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stopping_ || waiting_; });
        if (stopping_) return;
        running_ = std::exchange(waiting_, nullptr);
        const std::shared_ptr<Job> job = running_;
        try {
            run(job, lock);
        } catch (const Cancelled&) {
            if (!lock.owns_lock()) lock.lock();
        }
        if (!job->reading.cancelled()) {
            result_ = std::move(job->loaded);
        } else {
            // Its memory is given back without anybody waiting for that.
            lock.unlock();
            job->loaded = {};
            lock.lock();
        }
        running_.reset();
        changed_.notify_all();
    }
}

}  // namespace sublet::app
