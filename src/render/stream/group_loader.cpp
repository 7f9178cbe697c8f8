#include "render/stream/group_loader.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/open_file.h"
#include "mesh/short_bounds.h"
#include "mesh/view.h"
#include "shaders/shared/compact.h"
#include "shaders/shared/passes.h"
#include "shaders/shared/scene.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kMostBlocks = 32, kLeastBlocks = 4;
constexpr std::uint64_t kMostWords = (std::uint64_t{64} << 20U) / sizeof(std::uint32_t);  // of more than the least
// So small that a few wishes are read by several threads.
constexpr std::uint64_t kBlockWords = (std::uint64_t{512} << 10U) / sizeof(std::uint32_t);
constexpr std::uint64_t kLeastBlockWords = kBlockWords / 8;
constexpr std::uint32_t kMostThreads = 16;
// What is begun at once is divided among so many blocks, unless these would be smaller than that: it comes the sooner.
constexpr std::uint64_t kBlocksAtOnce = 4;
constexpr std::uint64_t kWorthABlock = (std::uint64_t{64} << 10U) / sizeof(std::uint32_t);
constexpr int kTries = 2;  // to read a group
constexpr std::uint32_t kCopyWords = sizeof(shared::BlockCopy) / sizeof(std::uint32_t);
constexpr std::uint32_t kBoundWords = sizeof(shared::Bound) / sizeof(std::uint32_t);

std::uint32_t copies_of(const GroupTable::Group& group) {
    return group.run_count * GroupTable::kRunCopies;
}

// A pool that is small has small blocks.
std::uint64_t words_of_block(const Residency& residency) {
    std::uint64_t largest = 0;
    for (std::uint32_t g = 0; g < residency.groups->group_count(); ++g) {
        largest = std::max(largest, residency.groups->block_words(g));
    }
    return std::max(largest,
                    std::clamp(residency.pool.bytes / sizeof(std::uint32_t) / 64, kLeastBlockWords, kBlockWords));
}

}  // namespace

GroupLoader::GroupLoader(gpu::Device& device, const scene::EncodedScene& scene, const Residency& residency)
    : scene_(scene),
      residency_(residency),
      meshes_(scene.geometry.meshes.begin(), scene.geometry.meshes.end()),
      unchecked_(residency.groups->group_count(), scene.unchecked ? 1 : 0),
      block_words_(words_of_block(residency)),
      blocks_(std::clamp(kMostWords / block_words_, kLeastBlocks, kMostBlocks)) {
    for (const shared::MeshHeader& mesh : meshes_) {
        const auto words = scene.geometry.payload.subspan(mesh.payload_offset, mesh.payload_size);
        const bool comes = mesh::comes_in_groups(scene.geometry, mesh);
        components_.emplace_back(words.begin(), words.begin() + (comes ? record_word(mesh, 0) : 0));
    }
    memory_ = gpu::Buffer(device, {.size = blocks_.size() * block_words_ * sizeof(std::uint32_t),
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                   .memory = gpu::Memory::kUpload,
                                   .name = "streamed geometry"});
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        blocks_[i].first = static_cast<std::uint32_t>(i * block_words_);
        free_.push_back(&blocks_[i]);
    }
    const std::uint32_t count = std::clamp(std::thread::hardware_concurrency() * 3 / 4, 1U, kMostThreads);
    try {
        for (std::uint32_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // those there are read all
        if (threads_.empty()) throw Error("renderer", "streaming", "the system grants no thread");
    }
}

GroupLoader::~GroupLoader() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void GroupLoader::begin(std::vector<GroupArrival>& groups, std::uint64_t step) {
    const GroupTable& table = *residency_.groups;
    std::size_t next = 0;
    std::uint64_t all = 0;
    for (const GroupArrival& group : groups) all += table.block_words(group.group);
    const std::uint64_t enough = std::max(all / kBlocksAtOnce, kWorthABlock);
    std::size_t begun = 0;
    std::unique_lock lock(mutex_);
    while (next < groups.size() && !free_.empty()) {
        LoadedBlock* const block = free_.back();
        free_.pop_back();
        block->groups.clear();
        block->failed.clear();
        block->copies = 0;
        block->read_bytes = 0;
        block->step = step;
        std::uint64_t words = 0;
        for (; next < groups.size(); ++next) {
            const std::uint32_t group = groups[next].group;
            if (words >= enough) break;
            words += table.block_words(group);
            if (words > block_words_) break;
            block->groups.push_back(groups[next]);
            block->copies += copies_of(table.group(group));
        }
        jobs_.push_back({block, false});
        waiting_.push_back(&jobs_.back());
        ++begun;
    }
    lock.unlock();
    // Waking a thread may take as long as those that were woken before wait for a core. Nobody waits for the lock then.
    for (; begun != 0; --begun) wake_.notify_one();
    groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(next));
}

LoadedBlock* GroupLoader::take(bool wait, std::uint64_t step) {
    std::unique_lock lock(mutex_);
    if (jobs_.empty() || jobs_.front().block->step > step) return nullptr;
    if (wait) done_.wait(lock, [this] { return jobs_.front().done; });
    if (!jobs_.front().done) return nullptr;
    LoadedBlock* const out = jobs_.front().block;
    jobs_.pop_front();
    return out;
}

std::uint64_t GroupLoader::ready_bytes(std::uint64_t step) {
    const std::scoped_lock lock(mutex_);
    std::uint64_t out = 0;
    for (auto job = jobs_.begin(); job != jobs_.end() && job->done && job->block->step <= step; ++job) {
        out += job->block->read_bytes;
    }
    return out;
}

std::uint64_t GroupLoader::free_words() {
    const std::scoped_lock lock(mutex_);
    return free_.size() * block_words_;
}

void GroupLoader::give_back(LoadedBlock* block) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(block);
}

void GroupLoader::set_gate(std::function<void()> gate) {
    const std::scoped_lock lock(mutex_);
    gate_ = std::move(gate);
}

void GroupLoader::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        Job* const job = waiting_.front();
        waiting_.pop_front();
        const auto gate = gate_;  // a copy: set_gate() may replace it meanwhile
        lock.unlock();
        if (gate) gate();
        fill(*job->block);
        lock.lock();
        job->done = true;
        done_.notify_all();
    }
}

void GroupLoader::fill(LoadedBlock& block) const {
    const auto words = memory_.mapped_as<std::uint32_t>();
    std::uint32_t copy = block.first, data = copy + block.copies * kCopyWords;
    for (const GroupArrival& group : block.groups) {
        const std::uint32_t began[] = {copy, data};
        for (int tries = 0;; ++tries) {
            try {
                read(group, copy, data);
                block.read_bytes += std::uint64_t{data - began[1]} * sizeof(std::uint32_t);
                break;
            } catch (const std::exception& error) {  // out of memory, too
                copy = began[0];
                data = began[1];
                if (tries + 1 < kTries) continue;
                if (block.failed.empty()) block.why = error.what();
                block.failed.push_back(group.group);
                // Nothing is copied.
                const std::uint32_t of_group = copies_of(residency_.groups->group(group.group)) * kCopyWords;
                std::fill_n(words.begin() + copy, of_group, 0U);
                copy += of_group;
                break;
            }
        }
    }
}

void GroupLoader::read_payload(const GroupTable::Run& run, bool check, std::span<std::uint32_t> to) const {
    const GroupTable& table = *residency_.groups;
    const shared::MeshHeader& mesh = meshes_[run.mesh];
    const std::uint32_t first = mesh.first_meshlet + run.first;
    const std::uint32_t begin = table.meshlet(first).payload;  // and the run's blocks lie side by side
    if (!scene_.payload_file) {
        std::memcpy(to.data(), scene_.geometry.payload.data() + begin, to.size_bytes());
        return;
    }
    const OpenFile& file = *scene_.payload_file;
    const std::uint64_t offset = scene_.payload_offset + begin * sizeof(std::uint32_t);
    if (!check) {
        file.read(std::as_writable_bytes(to), offset);
        return;
    }
    // It is checked where it is fast to read, which memory of the GPU is not.
    const std::vector<std::uint32_t>& components = components_[run.mesh];
    std::vector<std::uint32_t> words(components);
    words.resize(components.size() + to.size() + 1);
    const std::span<std::uint32_t> blocks = std::span(words).subspan(components.size(), to.size());
    file.read(std::as_writable_bytes(blocks), offset);
    auto at = static_cast<std::uint32_t>(components.size());
    for (std::uint32_t i = 0; i < run.count; ++i) {
        const GroupTable::Meshlet& of = table.meshlet(first + i);
        mesh::validate_block(mesh, run.mesh, scene_.unchecked->source(), words,
                             {.meshlet = run.first + i,
                              .sublets = of.size.sublets,
                              .vertices = of.size.vertices,
                              .triangles = of.triangles,
                              .block = at,
                              .words = of.size.payload});
        at += of.size.payload;
    }
    std::ranges::copy(blocks, to.begin());
}

void GroupLoader::read_bounds(const GroupTable::Run& run, std::span<std::uint32_t> to) const {
    const shared::MeshHeader& mesh = meshes_[run.mesh];
    const std::size_t first = mesh.first_sublet + std::size_t{run.first} * shared::kSubletsPerMeshlet;
    const std::size_t count = to.size() / kBoundWords;
    if (!scene_.unchecked) {
        std::memcpy(to.data(), scene_.geometry.sublet_bounds.data() + first, to.size_bytes());
        return;
    }
    std::vector<format::ShortSubletBound> bounds(count);
    scene_.payload_file->read(std::as_writable_bytes(std::span(bounds)), scene_.unchecked->bounds_offset(first));
    std::vector<shared::Bound> made(count);
    mesh::lengthen(scene_.geometry.meshlet_bounds.subspan(mesh.first_meshlet + run.first, run.count), bounds, made);
    mesh::validate_bounds(made, run.mesh, scene_.unchecked->source());
    std::memcpy(to.data(), made.data(), to.size_bytes());
}

void GroupLoader::read(const GroupArrival& group, std::uint32_t& copy, std::uint32_t& data) const {
    const auto words = memory_.mapped_as<std::uint32_t>();
    const GroupTable& table = *residency_.groups;
    const PoolPlan& pool = residency_.pool;
    const auto begin_copy = [&](std::uint32_t target, std::uint64_t to, std::uint32_t count) {
        words[copy++] = target;
        words[copy++] = static_cast<std::uint32_t>(to);
        words[copy++] = data;
        words[copy++] = count;
        const auto out = words.subspan(data, count);
        data += count;
        return out;
    };
    auto sublet = static_cast<std::uint32_t>(pool.first_sublet + group.place.sublets.first);
    auto vertex = static_cast<std::uint32_t>(group.place.vertices.first);
    auto word = static_cast<std::uint32_t>(pool.first_payload + group.place.payload.first);
    for (const GroupTable::Run& run : table.runs(group.group)) {
        const shared::MeshHeader& mesh = residency_.meshes[run.mesh];
        const std::uint32_t first = mesh.first_meshlet + run.first;
        GroupSize size;
        for (std::uint32_t i = 0; i < run.count; ++i) size += table.meshlet(first + i).size;
        read_payload(run, unchecked_[group.group] != 0, begin_copy(shared::kPatchPayload, word, size.payload));
        read_bounds(run, begin_copy(shared::kPatchSubletBounds, std::uint64_t{sublet} * kBoundWords,
                                    size.sublets * kBoundWords));
        const auto records = begin_copy(shared::kPatchPayload, mesh.payload_offset + record_word(mesh, run.first),
                                        run.count * shared::kCompactMeshletWords);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const GroupTable::Meshlet& of = table.meshlet(first + i);
            const std::uint32_t record[] = {word - mesh.payload_offset, vertex, of.first_triangle};
            std::memcpy(&records[std::size_t{i} * shared::kCompactMeshletWords], record, sizeof(record));
            word += of.size.payload;
            vertex += of.size.vertices;
            sublet += of.size.sublets;
        }
    }
    // What is written to the file since it was opened is not drawn.
    if (scene_.payload_file) scene_.payload_file->require_unchanged();
    unchecked_[group.group] = 0;
}

}  // namespace sublet::render
