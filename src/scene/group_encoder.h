// Mesh groups, encoded as they are read.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "mesh/encode.h"
#include "scene/container.h"
#include "scene/encode_store.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::scene {

[[nodiscard]] std::uint64_t triangles_of(const SourceMeshGroup& source);

// A mesh group that is done, but for its geometry.
struct DoneGroup {
    struct Mesh {
        std::uint32_t material = 0;
        std::vector<VariantMaterial> variants;
    };
    MeshGroup group;
    std::vector<Mesh> meshes;
    mesh::EncodeStats stats;
};

// Reads groups one at a time, and encodes as many at a time as the pool has threads and memory has room for. What is
// done goes to a store, or stays in memory, in the order of the scene, whichever is done first: the result depends on
// the groups and the options alone.
class GroupEncoder {
  public:
    GroupEncoder(GroupReader& reader, const mesh::EncodeOptions& options, ThreadPool& pool, const EncodeSpace& space);

    // All groups. Throws Error: of several groups that fail, the first one's.
    void run();

    [[nodiscard]] std::vector<DoneGroup>& groups() { return done_; }
    // Of all groups, without a store.
    [[nodiscard]] mesh::Geometry& geometry() { return geometry_; }
    // That reading took.
    [[nodiscard]] double reading_seconds() const { return reading_seconds_; }

  private:
    struct Source {
        std::size_t index = 0;
        SourceMeshGroup group;
        std::uint64_t triangles = 0;
        EncodeStore::SourceHash hash{};
    };
    struct Result {
        mesh::EncodedMeshes encoded;
        std::uint64_t bytes = 0;  // of memory, as it was counted
        EncodeStore::SourceHash hash{};
    };

    void work();
    [[nodiscard]] std::optional<Source> take();
    [[nodiscard]] std::optional<Source> read(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] mesh::EncodedMeshes encode(Source& source);
    void hand_in(std::size_t index, Result&& result);
    void keep(Result& result);
    void fail(std::size_t index);

    GroupReader& reader_;
    const mesh::EncodeOptions& options_;
    ThreadPool& pool_;
    const EncodeSpace& space_;
    EncodeStore* store_;       // null: what is done stays in memory
    std::size_t done_before_;  // groups of the store; 0 once one of them does not count
    std::uint64_t triangles_;  // of all groups
    Progress progress_;
    double reading_seconds_ = 0;

    std::mutex mutex_;
    std::condition_variable changed_;
    bool reading_ = false;                   // some thread does
    bool ended_ = false;                     // nothing is left to read, or something has failed
    std::uint64_t in_flight_ = 0;            // bytes of memory, from being read until it is kept
    std::map<std::size_t, Result> waiting_;  // for groups before them
    bool keeping_ = false;                   // some thread does
    std::vector<DoneGroup> done_;
    std::size_t kept_ = 0;  // of these
    mesh::Geometry geometry_;
    std::exception_ptr failure_;
    std::size_t failed_ = 0;  // the first group that has
};

}  // namespace sublet::scene
