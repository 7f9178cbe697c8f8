#include "scene/group_encoder.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/allocator.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "mesh/arrays.h"
#include "mesh/view.h"

namespace sublet::scene {
namespace {

constexpr std::uint64_t kSteps = 1 + mesh::kEncodeSteps;  // the first: reading

std::uint64_t uncompressed_bytes(const SourceMesh& mesh) {
    std::uint64_t bytes = mesh.indices.size() * sizeof(mesh.indices[0]);
    const auto add = [&](const mesh::Attribute&, const auto& values) { bytes += values.size() * sizeof(values[0]); };
    mesh::for_each_attribute(add, mesh);
    for (const mesh::MorphArrays& morph : mesh.morphs) {
        bytes += (morph.positions.size() + morph.normals.size() + morph.tangents.size()) * sizeof(morph.positions[0]);
    }
    return bytes;
}

// What is known before it is encoded.
DoneGroup describe(const SourceMeshGroup& source) {
    DoneGroup out;
    out.group.name = source.name;
    out.group.mesh_count = static_cast<std::uint32_t>(source.meshes.size());
    for (const SourceMesh& mesh : source.meshes) {
        out.group.uncompressed_bytes += uncompressed_bytes(mesh);
        out.meshes.push_back({mesh.material, mesh.variants});
    }
    out.group.weights = source.weights;
    out.group.target_names = source.target_names;
    return out;
}

void set_stats(DoneGroup& out, const mesh::EncodeStats& stats) {
    out.stats = stats;
    out.group.source_triangles = stats.source_triangles;
    out.group.source_vertices = stats.source_vertices;
    out.group.dropped_degenerate = stats.dropped_degenerate;
    out.group.dropped_by_grid = stats.dropped_by_grid;
    out.group.dropped_duplicate = stats.dropped_duplicate;
    out.group.error_position_max = stats.error.position_max;
    out.group.error_position_rms = stats.error.position_rms;
    out.group.error_position_max_relative = stats.error.position_max_relative;
}

}  // namespace

std::uint64_t triangles_of(const SourceMeshGroup& source) {
    std::uint64_t triangles = 0;
    for (const SourceMesh& mesh : source.meshes) triangles += mesh.indices.size() / 3;
    return triangles;
}

GroupEncoder::GroupEncoder(GroupReader& reader, const mesh::EncodeOptions& options, ThreadPool& pool,
                           const EncodeSpace& space)
    : reader_(reader),
      options_(options),
      pool_(pool),
      space_(space),
      store_(space.store.get()),
      done_before_(store_ != nullptr ? store_->groups() : 0),
      triangles_(reader.triangles()),
      progress_("encode", triangles_, "triangles", kSteps) {}

// By threads of its own: those of the pool work at groups that share it, while these wait for room.
void GroupEncoder::run() {
    std::vector<std::thread> threads;
    threads.reserve(pool_.thread_count());
    ProgressWatch* const watch = ProgressWatch::current();
    const auto work_beside = [this, watch] {
        std::optional<ProgressWatch::Scope> scope;
        if (watch != nullptr) scope.emplace(*watch);
        work();
    };
    try {
        while (threads.size() + 1 < pool_.thread_count()) threads.emplace_back(work_beside);
    } catch (const std::system_error&) {
        // The system grants no more: those there are do the work.
    }
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
}

// Encodes groups until none is left.
void GroupEncoder::work() {
    std::size_t index = 0;
    try {
        for (;;) {
            index = SIZE_MAX;  // what fails in reading comes after what fails in encoding
            std::optional<Source> source = take();
            if (!source) return;
            index = source->index;
            Result result{{}, source->triangles * kEncodeBytesPerTriangle, source->hash};
            result.encoded = encode(*source);
            hand_in(index, std::move(result));
        }
    } catch (...) {
        fail(index);
    }
}

// The next group that is to be encoded, once there is room for it; nothing after the last one.
std::optional<GroupEncoder::Source> GroupEncoder::take() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] {
            return ended_ ||
                   (!reading_ && (in_flight_ == 0 ||
                                  in_flight_ + reader_.next_triangles() * kEncodeBytesPerTriangle <= space_.memory));
        });
        if (ended_) return std::nullopt;
        std::optional<Source> source = read(lock);
        if (!source) return std::nullopt;
        // What was done before comes first: until it is through, no thread encodes anything.
        std::optional<mesh::EncodeStats> kept;
        if (source->index < done_before_) kept = store_->find(source->index, source->hash);
        if (!kept) {
            done_before_ = 0;
            in_flight_ += source->triangles * kEncodeBytesPerTriangle;
            return source;
        }
        kept->seconds = {};  // it took none now
        set_stats(done_[source->index], *kept);
        ++kept_;  // as those before it are
        lock.unlock();
        progress_.advance(source->triangles * mesh::kEncodeSteps);
        lock.lock();
    }
}

std::optional<GroupEncoder::Source> GroupEncoder::read(std::unique_lock<std::mutex>& lock) {
    reading_ = true;
    lock.unlock();
    const Stopwatch watch;
    std::optional<SourceMeshGroup> group = reader_.next(&progress_);
    Source source;
    std::optional<DoneGroup> description;
    if (group) {
        source.triangles = triangles_of(*group);
        if (store_ != nullptr) source.hash = EncodeStore::hash_of(*group);
        description = describe(*group);
        source.group = std::move(*group);
    }
    lock.lock();
    reading_seconds_ += watch.seconds();
    reading_ = false;
    changed_.notify_all();
    if (!description) {
        ended_ = true;
        return std::nullopt;
    }
    source.index = done_.size();
    done_.push_back(std::move(*description));
    return source;
}

mesh::EncodedMeshes GroupEncoder::encode(Source& source) {
    std::vector<mesh::MeshInput> inputs;
    inputs.reserve(source.group.meshes.size());
    for (const SourceMesh& mesh : source.group.meshes) inputs.push_back(mesh.view());
    std::string name = "mesh group " + std::to_string(source.index);
    if (!source.group.name.empty()) name += " (" + source.group.name + ")";
    // Threads that each have a group of their own do not wait for one another. All of them share one that takes as long
    // as half of what each has to do, or so much memory that there can't be as many.
    const bool is_large = source.triangles * pool_.thread_count() * 2 > triangles_ ||
                          source.triangles * pool_.thread_count() > space_.memory / kEncodeBytesPerTriangle;
    mesh::EncodedMeshes encoded = mesh::encode(inputs, options_, name, is_large ? &pool_ : nullptr, &progress_);
    source.group = {};
    if (store_ != nullptr) release_freed_memory();
    return encoded;
}

void GroupEncoder::hand_in(std::size_t index, Result&& result) {
    std::unique_lock lock(mutex_);
    waiting_.emplace(index, std::move(result));
    if (keeping_) return;
    keeping_ = true;
    for (auto next = waiting_.find(kept_); next != waiting_.end(); next = waiting_.find(kept_)) {
        Result first = std::move(next->second);
        waiting_.erase(next);
        lock.unlock();
        keep(first);
        lock.lock();
        set_stats(done_[kept_], first.encoded.stats);
        ++kept_;
        in_flight_ -= first.bytes;
        changed_.notify_all();
    }
    keeping_ = false;
}

void GroupEncoder::keep(Result& result) {
    mesh::Geometry& geometry = result.encoded.geometry;
    if (store_ != nullptr) {
        store_->append(geometry.view(), result.encoded.stats, result.hash);
    } else if (geometry_.meshes.empty()) {
        geometry_ = std::move(geometry);
    } else {
        mesh::append(geometry_, geometry.view());
    }
    geometry = {};
}

// In a handler.
void GroupEncoder::fail(std::size_t index) {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
    if (failure_ && index >= failed_) return;
    failed_ = index;
    failure_ = std::current_exception();
}

}  // namespace sublet::scene
