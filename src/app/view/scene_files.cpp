#include "app/view/scene_files.h"

#include <algorithm>
#include <utility>

#include "app/file_options.h"
#include "base/error.h"
#include "base/path_text.h"
#include "base/suggest.h"

namespace sublet::app {

namespace fs = std::filesystem;

namespace {

constexpr double kLookEverySeconds = 1.0;

bool same(const std::vector<SceneWatch::File>& a, const std::vector<SceneWatch::File>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.stamp == y.stamp; });
}

}  // namespace

void SceneWatch::follow(std::vector<File> files) {
    files_ = std::move(files);
    latest_ = files_;
}

bool SceneWatch::changed(double now) {
    if (files_.empty() || now < looked_at_ + kLookEverySeconds) return false;
    looked_at_ = now;
    std::vector<File> seen = files_;
    for (File& file : seen) file.stamp = file_stamp(file.path);
    const bool settled = same(seen, latest_);
    latest_ = seen;
    // Saved by way of another name: the new one is not there yet.
    const bool there = seen.front().stamp != FileStamp{};
    if (!settled || !there || same(seen, files_)) return false;
    files_ = std::move(seen);
    return true;
}

bool named_as_scene(const fs::path& file) {
    const std::string extension = lower_extension(file);
    return extension == ".gltf" || extension == ".glb" || extension == ".sublet";
}

std::vector<fs::path> scenes_in(const fs::path& folder) {
    std::vector<fs::path> scenes;
    std::vector<fs::path> folders;
    const auto list = [&](const fs::path& in, bool deeper) {
        std::vector<ListedFile> listed;
        static_cast<void>(list_folder(in, listed));
        for (const ListedFile& file : listed) {
            if (file.kind == PathKind::kFile && named_as_scene(file.path)) scenes.push_back(file.path);
            if (deeper && file.kind == PathKind::kFolder) folders.push_back(file.path);
        }
    };
    list(folder, true);
    if (scenes.empty()) {
        for (const fs::path& inner : folders) list(inner, false);
    }
    std::sort(scenes.begin(), scenes.end());
    return scenes;
}

std::string similar_scene(const fs::path& file) {
    std::vector<std::string> names;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    for (const fs::path& scene : scenes_in(folder)) {
        if (scene.parent_path() == folder) names.push_back(path_text(scene.filename()));
    }
    return did_you_mean(path_text(file.filename()), std::vector<std::string_view>(names.begin(), names.end()));
}

void require_scene_there(const fs::path& file) {
    int error = 0;
    if (path_kind(file, &error) == PathKind::kNone && error == 0) {
        throw Error(path_text(file), "", "there is no such file" + similar_scene(file));
    }
}

}  // namespace sublet::app
