// The cache of encoded scenes: what was made of a .gltf or .glb, or of the built-in scene, is kept as a .sublet file,
// so that loading the same again only maps and checks it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "scene/container.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::app {

// What a scene is known by: all that decides how it comes out of the encoder.
struct SceneKey {
    std::string name;                                                // 32 hexadecimal digits
    std::vector<std::pair<std::filesystem::path, FileStamp>> files;  // those it was read from, as they were
};

struct CacheUse {
    std::uint64_t scenes = 0;
    std::uint64_t bytes = 0;
};

// A folder of encoded scenes. Other processes may use it at the same time: entries appear whole, and one that is
// removed stays usable for whoever has it open. Nothing here throws but as noted: a cache that fails costs time alone.
// What goes wrong is noted on stderr, once.
class SceneCache {
  public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{8} << 30U;

    explicit SceneCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
    // That of this user; with an empty folder, which keeps nothing, where the user has no place for it.
    [[nodiscard]] static SceneCache of_user();

    // Reads all files of the scene. Nothing where there is nothing to cache (a .sublet file, no file), or where a file
    // can't be read: then loading will say why.
    [[nodiscard]] std::optional<SceneKey> key(const std::filesystem::path& path, const mesh::EncodeOptions& encoding,
                                              const scene::ImportOptions& import, ThreadPool& pool) const;
    // That of the built-in scene of a seed. Nothing where the program's own file can't be read.
    [[nodiscard]] std::optional<SceneKey> builtin_key(std::uint32_t seed, const mesh::EncodeOptions& encoding,
                                                      ThreadPool& pool) const;
    // The scene that was stored under that key: equal to what encoding would give. Its entry is the last now to leave.
    // A damaged one is removed.
    [[nodiscard]] std::optional<scene::EncodedScene> find(const SceneKey& key, ThreadPool& pool) const;
    // Keeps a scene that was loaded after its key was made, unless its files have changed since or it is larger than
    // the limit. Entries that were not used for longest leave until all fit the limit. May be called from any thread.
    void store(const SceneKey& key, const scene::EncodedScene& scene, ThreadPool& pool) const;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] CacheUse use() const;
    // Bytes. It is kept in the folder.
    [[nodiscard]] std::uint64_t limit() const;
    // Throws Error when it can't be written. Entries beyond it leave.
    void set_limit(std::uint64_t bytes) const;
    // Removes all entries. Throws Error when one can't be removed.
    void clear() const;

  private:
    std::filesystem::path folder_;
};

}  // namespace sublet::app
