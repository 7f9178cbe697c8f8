#include "app/keep/scene_cache.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <system_error>

#include "app/keep/user_folders.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "scene/file_kind.h"

namespace sublet::app {

namespace {

namespace fs = std::filesystem;

// An entry is named KEY-HASH.sublet, where HASH is that of its bytes: damage shows, even where the file is valid still.
// While it is written it has another name, which begins the same.
constexpr std::string_view kEnding = ".sublet";
constexpr std::size_t kHashDigits = 32;
constexpr const char* kLimitFile = "limit";  // bytes, as text

struct Entry {
    fs::path path;
    std::uint64_t bytes = 0;
    fs::file_time_type used;
};

bool is_hexadecimal(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_entry_name(std::string_view name) {
    return name.size() > kHashDigits && is_hexadecimal(name.substr(0, kHashDigits)) &&
           name.find(kEnding) != std::string_view::npos;
}

// Entries, and what a process that was killed left of one. They may vanish at any time.
std::vector<Entry> entries(const fs::path& folder) {
    std::vector<Entry> found;
    std::error_code error;
    for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator(); it.increment(error)) {
        if (!is_entry_name(it->path().filename().string())) continue;
        std::error_code gone;
        Entry entry{it->path(), it->file_size(gone), {}};
        if (!gone) entry.used = it->last_write_time(gone);
        if (!gone) found.push_back(std::move(entry));
    }
    return found;
}

std::uint64_t total(const std::vector<Entry>& entries) {
    std::uint64_t bytes = 0;
    for (const Entry& entry : entries) bytes += entry.bytes;
    return bytes;
}

// Removes those that were not used for longest until all take at most `limit` bytes.
void evict(const fs::path& folder, std::uint64_t limit) {
    std::vector<Entry> all = entries(folder);
    std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    std::uint64_t bytes = total(all);
    for (const Entry& entry : all) {
        if (bytes <= limit) return;
        std::error_code error;
        fs::remove(entry.path, error);
        if (!error) bytes -= entry.bytes;
    }
}

// What encodes: these very bytes of the program. A version number would have to be raised by hand whenever the encoder
// or the import changes, and whoever forgets it draws old scenes. Another build of the same source encodes anew, which
// costs a little time.
const std::string& program_hash(ThreadPool& pool) {
    static const std::string hash = hash_file("/proc/self/exe", pool);
    return hash;
}

// One line of the text that a key is the hash of.
std::string line(std::string_view name, std::string_view value) {
    return std::string(name) + " " + std::to_string(value.size()) + " " + std::string(value) + "\n";
}

std::string content(const fs::path& file, ThreadPool& pool) {
    try {
        return hash_file(file, pool);
    } catch (const Error& error) {
        return error.what();  // an image that is not there is noted, and drawn white
    }
}

void note_unusable(const char* what) {
    note_once("the cache of scenes can't be used, so that scenes are encoded again each time: " + std::string(what));
}

}  // namespace

SceneCache SceneCache::of_user() {
    const fs::path folder = user_cache_folder();
    return SceneCache(folder.empty() ? folder : folder / "scenes");
}

std::optional<SceneKey> SceneCache::key(const fs::path& path, const mesh::EncodeOptions& encoding,
                                        const scene::ImportOptions& import, ThreadPool& pool) const {
    if (folder_.empty() || path.empty()) return std::nullopt;
    try {
        if (scene::file_kind(path) == scene::FileKind::kSublet) return std::nullopt;
        SceneKey key;
        // Notes name files by where they lie, so a copy of a scene in another folder is another scene.
        std::string text = line("scene", fs::canonical(path).string()) + line("name", path.filename().string());
        text += line("program", program_hash(pool));
        for (const int option : {static_cast<int>(encoding.style), encoding.position_bits, encoding.uv_bits}) {
            text += line("encoding", std::to_string(option));
        }
        text += line("allow-outside", import.allow_outside ? "on" : "off");
        for (const fs::path& file : scene::scene_files(path, import)) {
            key.files.emplace_back(file, file_stamp(file));
            text += line("file", file.filename().string()) + line("content", content(file, pool));
        }
        key.name = hash_text(text);
        return key;
    } catch (const std::exception&) {  // whatever it is, loading says it better
        return std::nullopt;
    }
}

std::optional<scene::EncodedScene> SceneCache::find(const SceneKey& key, ThreadPool& pool) const {
    for (const Entry& entry : entries(folder_)) {
        const std::string name = entry.path.filename().string();
        if (!name.starts_with(key.name + "-") || !name.ends_with(kEnding)) continue;
        try {
            if (name != key.name + "-" + hash_file(entry.path, pool) + std::string(kEnding)) {
                throw Error("its bytes are not those that were written");
            }
            scene::EncodedScene scene = scene::open_sublet(entry.path, &pool);
            scene.file_bytes = 0;  // as when it is encoded: the user has no such file
            std::error_code error;
            fs::last_write_time(entry.path, fs::file_time_type::clock::now(), error);
            return scene;
        } catch (const Error& error) {
            std::error_code ignored;
            if (!fs::remove(entry.path, ignored)) continue;  // another process was faster
            note_once("a damaged scene in the cache was removed, and is encoded again: " + std::string(error.what()));
        }
    }
    return std::nullopt;
}

void SceneCache::store(const SceneKey& key, const scene::EncodedScene& scene, ThreadPool& pool) const {
    const auto changed = [](const auto& file) { return file_stamp(file.first) != file.second; };
    if (std::any_of(key.files.begin(), key.files.end(), changed)) return;
    try {
        const std::uint64_t most = limit();
        if (most == 0) return;
        fs::create_directories(folder_);
        const fs::path unfinished = folder_ / (key.name + std::string(kEnding) + "." + std::to_string(::getpid()) +
                                               "." + std::to_string(std::random_device{}()));
        scene::write_sublet(unfinished, scene);
        try {
            if (fs::file_size(unfinished) > most) {
                fs::remove(unfinished);
                return;
            }
            fs::rename(unfinished, folder_ / (key.name + "-" + hash_file(unfinished, pool) + std::string(kEnding)));
        } catch (...) {
            std::error_code ignored;
            fs::remove(unfinished, ignored);
            throw;
        }
        evict(folder_, most);
    } catch (const std::exception& error) {
        note_unusable(error.what());
    }
}

CacheUse SceneCache::use() const {
    const std::vector<Entry> all = entries(folder_);
    return {all.size(), total(all)};
}

std::uint64_t SceneCache::limit() const {
    std::ifstream file(folder_ / kLimitFile);
    std::uint64_t bytes = 0;
    return file >> bytes ? bytes : kDefaultLimit;
}

void SceneCache::set_limit(std::uint64_t bytes) const {
    std::error_code error;
    fs::create_directories(folder_, error);
    write_file(folder_ / kLimitFile, std::to_string(bytes) + "\n");
    evict(folder_, bytes);
}

void SceneCache::clear() const {
    for (const Entry& entry : entries(folder_)) {
        std::error_code error;
        fs::remove(entry.path, error);
        if (error) throw Error(entry.path.string(), "cannot remove", error.message());
    }
}

}  // namespace sublet::app
