#include "scene/unchecked_groups.h"

#include <algorithm>
#include <utility>

#include "base/open_file.h"
#include "base/thread_pool.h"
#include "mesh/view.h"
#include "scene/container.h"

namespace sublet::scene {

UncheckedGroups::UncheckedGroups(const mesh::GeometryView& geometry, std::string source,
                                 std::span<const format::ShortSubletBound> short_bounds, std::uint64_t bounds_offset,
                                 std::span<mesh::Bound> bounds)
    : geometry_(geometry),
      source_(std::move(source)),
      short_bounds_(short_bounds),
      bounds_offset_(bounds_offset),
      bounds_(bounds) {
    for (const mesh::MeshHeader& mesh : geometry.meshes) {
        left_.push_back(mesh::comes_in_groups(geometry, mesh) ? 1 : 0);
    }
}

void UncheckedGroups::check(std::uint32_t mesh, ThreadPool& pool) const {
    constexpr std::size_t kMeshlets = 1024;
    constexpr std::size_t kSublets = shared::kSubletsPerMeshlet;
    const mesh::MeshHeader& header = geometry_.meshes[mesh];
    pool.parallel_for(header.meshlet_count, kMeshlets, [&](std::size_t begin, std::size_t end) {
        const std::size_t first = header.first_sublet + begin * kSublets;
        const std::size_t count = std::min<std::size_t>(end * kSublets, header.sublet_count) - begin * kSublets;
        mesh::lengthen(geometry_.meshlet_bounds.subspan(header.first_meshlet + begin, end - begin),
                       short_bounds_.subspan(first, count), bounds_.subspan(first, count));
    });
    mesh::validate_groups(geometry_, mesh, source_, &pool);
    left_[mesh] = 0;
}

void UncheckedGroups::check(std::uint32_t mesh) const {
    const std::scoped_lock lock(mutex_);
    if (left_[mesh] == 0) return;
    ThreadPool pool;
    check(mesh, pool);
}

void UncheckedGroups::check_all() const {
    const std::scoped_lock lock(mutex_);
    ThreadPool pool;
    for (std::uint32_t mesh = 0; mesh < left_.size(); ++mesh) {
        if (left_[mesh] != 0) check(mesh, pool);
    }
}

void EncodedScene::check(std::uint32_t mesh) const {
    if (!unchecked) return;
    payload_file->require_unchanged();
    unchecked->check(mesh);
}

void EncodedScene::check_all() const {
    if (!unchecked) return;
    payload_file->require_unchanged();
    unchecked->check_all();
}

}  // namespace sublet::scene
