#include "app/view/environment_loader.h"

#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "app/environment_file.h"

namespace sublet::app {

namespace {

LoadedEnvironment load(render::Settings settings) {
    LoadedEnvironment loaded;
    try {
        read_environment(settings);
        loaded.source = std::move(settings.frame.environment);
    } catch (const std::bad_alloc&) {
        loaded.error = settings.frame.environment.file + ": out of memory";
    } catch (const std::exception& error) {
        loaded.error = error.what();
    }
    return loaded;
}

}  // namespace

bool EnvironmentLoader::read_new(render::Settings& settings, const render::EnvironmentSource& before) {
    wanted_.reset();
    render::EnvironmentSource& now = settings.frame.environment;
    if (now.kind != render::EnvironmentKind::kPicture || now.picture) return false;
    wanted_ = settings;
    if (!reading_.valid()) start();
    now = before;
    return true;
}

bool EnvironmentLoader::stop_within(double seconds) {
    wanted_.reset();
    return !reading_.valid() || reading_.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready;
}

void EnvironmentLoader::start() {
    reading_file_ = wanted_->frame.environment.file;
    reading_ = std::async(std::launch::async, load, *wanted_);
}

std::optional<LoadedEnvironment> EnvironmentLoader::take() {
    if (!reading_.valid() || reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        return std::nullopt;
    }
    LoadedEnvironment loaded = reading_.get();
    if (!wanted_) return std::nullopt;
    if (wanted_->frame.environment.file != reading_file_) {  // another one was asked for meanwhile
        start();
        return std::nullopt;
    }
    wanted_.reset();
    return loaded;
}

}  // namespace sublet::app
