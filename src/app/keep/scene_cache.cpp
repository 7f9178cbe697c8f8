#include "app/keep/scene_cache.h"

#include <algorithm>
#include <charconv>
#include <random>
#include <system_error>

#include "app/keep/file_hash.h"
#include "app/keep/user_folders.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "base/system.h"
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

bool is_hexadecimal(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_entry_name(std::string_view name) {
    return name.size() > kHashDigits && is_hexadecimal(name.substr(0, kHashDigits)) &&
           name.find(kEnding) != std::string_view::npos;
}

// Entries, and what a process that was killed left of one. They may vanish at any time.
std::vector<ListedFile> entries(const fs::path& folder) {
    std::vector<ListedFile> found;
    static_cast<void>(list_folder(folder, found));
    std::erase_if(found, [](const ListedFile& file) {
        return file.kind != PathKind::kFile || !is_entry_name(path_text(file.path.filename()));
    });
    return found;
}

std::uint64_t total(const std::vector<ListedFile>& entries) {
    std::uint64_t bytes = 0;
    for (const ListedFile& entry : entries) bytes += entry.bytes;
    return bytes;
}

// Removes those that were not used for longest until all take at most `limit` bytes.
void evict(const fs::path& folder, std::uint64_t limit) {
    std::vector<ListedFile> all = entries(folder);
    std::ranges::sort(all, {}, &ListedFile::modified_ns);
    std::uint64_t bytes = total(all);
    for (const ListedFile& entry : all) {
        if (bytes <= limit) return;
        if (remove_file(entry.path) == 0) bytes -= entry.bytes;
    }
}

// What encodes: these very bytes of the program. A version number would have to be raised by hand whenever the encoder
// or the import changes, and whoever forgets it draws old scenes. Another build of the same source encodes anew, which
// costs a little time.
const std::string& program_hash(ThreadPool& pool) {
    static const std::string hash = hash_file(executable_bytes_path(), pool);
    return hash;
}

// One line of the text that a key is the hash of.
std::string line(std::string_view name, std::string_view value) {
    return std::string(name) + " " + std::to_string(value.size()) + " " + std::string(value) + "\n";
}

// Those of what encodes.
std::string encoder_lines(const mesh::EncodeOptions& encoding, ThreadPool& pool) {
    std::string text = line("program", program_hash(pool));
    for (const int option : {static_cast<int>(encoding.style), encoding.position_bits, encoding.uv_bits}) {
        text += line("encoding", std::to_string(option));
    }
    return text;
}

std::string content(const fs::path& file, ThreadPool& pool) {
    try {
        return hash_file(file, pool);
    } catch (const Error& error) {
        return error.what();  // an image that is not there is noted, and drawn white
    }
}

void make_folder(const fs::path& folder) {
    if (const int error = create_folders(folder); error != 0) throw_system(folder, "cannot make the folder", error);
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
        std::string text = line("scene", path_text(real_path(path).value())) + line("name", path_text(path.filename()));
        text += encoder_lines(encoding, pool);
        text += line("allow-outside", import.allow_outside ? "on" : "off");
        text += line("scene-of-file", import.scene);
        for (const fs::path& file : scene::scene_source(path, import).files) {
            key.files.emplace_back(file, file_stamp(file));
            text += line("file", path_text(file.filename())) + line("content", content(file, pool));
        }
        key.name = hash_text(text);
        return key;
    } catch (const std::exception&) {  // whatever it is, loading says it better
        return std::nullopt;
    }
}

std::optional<SceneKey> SceneCache::builtin_key(std::uint32_t seed, const mesh::EncodeOptions& encoding,
                                                ThreadPool& pool) const {
    if (folder_.empty()) return std::nullopt;
    try {
        return SceneKey{hash_text(line("built-in", std::to_string(seed)) + encoder_lines(encoding, pool)), {}};
    } catch (const std::exception&) {  // the program's own file can't be read
        return std::nullopt;
    }
}

std::optional<scene::EncodedScene> SceneCache::find(const SceneKey& key, ThreadPool& pool) const {
    for (const ListedFile& entry : entries(folder_)) {
        const std::string name = path_text(entry.path.filename());
        if (!name.starts_with(key.name + "-") || !name.ends_with(kEnding)) continue;
        try {
            if (name != key.name + "-" + hash_file(entry.path, pool) + std::string(kEnding)) {
                throw Error("its bytes are not those that were written");
            }
            scene::EncodedScene scene = scene::open_sublet(entry.path, &pool);
            scene.file_bytes = 0;  // as when it is encoded: the user has no such file
            touch_file(entry.path);
            return scene;
        } catch (const Error& error) {
            if (remove_file(entry.path) != 0) continue;  // another process was faster
            note_once("a damaged scene in the cache was removed, and is encoded again: " + std::string(error.what()));
        }
    }
    return std::nullopt;
}

void SceneCache::store(const SceneKey& key, const scene::EncodedScene& scene, ThreadPool& pool) const {
    const auto changed = [](const auto& file) { return file_stamp(file.first) != file.second; };
    if (std::ranges::any_of(key.files, changed)) return;
    try {
        const std::uint64_t most = limit();
        if (most == 0) return;
        make_folder(folder_);
        const fs::path unfinished =
            folder_ / text_path(key.name + std::string(kEnding) + "." + std::to_string(process_number()) + "." +
                                std::to_string(std::random_device{}()));
        scene::write_sublet(unfinished, scene);
        try {
            if (size_of_file(unfinished) > most) {
                static_cast<void>(remove_file(unfinished));
                return;
            }
            const fs::path named =
                folder_ / text_path(key.name + "-" + hash_file(unfinished, pool) + std::string(kEnding));
            if (const int error = replace_file(unfinished, named); error != 0) {
                throw_system(named, "cannot put it in place", error);
            }
        } catch (...) {
            static_cast<void>(remove_file(unfinished));
            throw;
        }
        evict(folder_, most);
    } catch (const std::exception& error) {
        note_once("the cache of scenes can't be used, so that scenes are encoded again each time: " +
                  std::string(error.what()));
    }
}

CacheUse SceneCache::use() const {
    const std::vector<ListedFile> all = entries(folder_);
    return {all.size(), total(all)};
}

std::uint64_t SceneCache::limit() const {
    try {
        const MappedFile file(folder_ / kLimitFile);
        const std::string text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
        std::uint64_t bytes = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
        return error == std::errc() ? bytes : kDefaultLimit;
    } catch (const Error&) {  // it was never set
        return kDefaultLimit;
    }
}

void SceneCache::set_limit(std::uint64_t bytes) const {
    make_folder(folder_);
    write_file(folder_ / kLimitFile, std::to_string(bytes) + "\n");
    evict(folder_, bytes);
}

void SceneCache::clear() const {
    int error = 0;
    fs::path kept;
    for (const ListedFile& entry : entries(folder_)) {
        if (const int failed = remove_file(entry.path); failed != 0) {  // Windows keeps what is in use
            error = failed;
            kept = entry.path;
        }
    }
    if (error != 0) throw_system(kept, "cannot remove", error);
}

}  // namespace sublet::app
