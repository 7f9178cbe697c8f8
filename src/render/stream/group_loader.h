// Reads groups of levels of detail into blocks of memory that the GPU reads, on threads of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gpu/device.h"
#include "gpu/resources.h"
#include "render/scene/residency.h"
#include "render/stream/streamer.h"
#include "scene/container.h"

namespace sublet::render {

// Groups in one block: BlockCopy of them all, then what is copied.
struct LoadedBlock {
    std::uint32_t first = 0;  // word of GroupLoader::memory()
    std::vector<GroupArrival> groups;
    std::uint32_t copies = 0;
    std::vector<std::uint32_t> failed;  // that could not be read, in their order: copies of theirs have no words
    std::string why;                    // the first of them
    std::uint64_t read_bytes = 0;
    std::uint64_t step = 0;  // that began it
};

class GroupLoader {
  public:
    // What is given must live as long. Blocks hold the largest group at least. Throws Error where the system grants no
    // thread, or no memory for blocks.
    GroupLoader(gpu::Device& device, const scene::EncodedScene& scene, const Residency& residency);
    // Ends its threads, and waits for what they read.
    ~GroupLoader();
    GroupLoader(const GroupLoader&) = delete;
    GroupLoader& operator=(const GroupLoader&) = delete;

    // What all blocks lie in.
    [[nodiscard]] const gpu::Buffer& memory() const { return memory_; }
    // Words of the blocks that have nothing to do.
    [[nodiscard]] std::uint64_t free_words();

    // One thread may begin blocks while another takes them and gives them back.

    // Begins to read groups into blocks, in their order; what free blocks have no room for is left in the list. `step`:
    // not less than that of what was begun before.
    void begin(std::vector<GroupArrival>& groups, std::uint64_t step);
    // The oldest of those begun by that step, or before, once it is read, or null: blocks come in the order in which
    // they were begun. The caller has it until it gives it back. `wait`: until it is; null where none was begun.
    [[nodiscard]] LoadedBlock* take(bool wait, std::uint64_t step);
    // Bytes read into the blocks that take() would give now, one after the other.
    [[nodiscard]] std::uint64_t ready_bytes(std::uint64_t step);

    void give_back(LoadedBlock* block);

    // For tests: it is called before each block that is read, on the thread that reads it.
    void set_gate(std::function<void()> gate);

  private:
    struct Job {
        LoadedBlock* block = nullptr;
        bool done = false;
    };

    void work();
    void fill(LoadedBlock& block) const;
    // Into the memory's words: copies and data, each from its place on, which is moved.
    void read(const GroupArrival& group, std::uint32_t& copy, std::uint32_t& data) const;
    // Of a run of meshlets. `check`: what was not checked when the file was opened.
    void read_payload(const GroupTable::Run& run, bool check, std::span<std::uint32_t> to) const;
    void read_bounds(const GroupTable::Run& run, std::span<std::uint32_t> to) const;

    const scene::EncodedScene& scene_;
    const Residency& residency_;
    // Of the file, of whose mapping threads read nothing.
    std::vector<shared::MeshHeader> meshes_;
    std::vector<std::vector<std::uint32_t>> components_;  // what the payload of a mesh that comes in groups begins with
    mutable std::vector<char> unchecked_;                 // of each group; one is read by one thread at a time
    std::uint64_t block_words_ = 0;
    gpu::Buffer memory_;
    std::vector<LoadedBlock> blocks_;

    std::mutex mutex_;
    std::vector<LoadedBlock*> free_;
    std::condition_variable wake_, done_;
    std::list<Job> jobs_;       // begun, and not taken
    std::deque<Job*> waiting_;  // those of them that no thread has begun
    bool stopping_ = false;
    std::function<void()> gate_;
    std::vector<std::thread> threads_;
};

}  // namespace sublet::render
