#include "render/scene/group_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "mesh/compact_write.h"
#include "mesh/view.h"
#include "shaders/shared/compact.h"
#include "shaders/shared/passes.h"

namespace sublet::render {

using shared::kNoLodGroup;
using shared::MeshHeader;

std::uint32_t record_word(const MeshHeader& mesh, std::uint32_t meshlet) {
    return mesh::ComponentTable(mesh.streams_present).count + meshlet * shared::kCompactMeshletWords;
}

GroupTable::Lists GroupTable::lists_of(std::size_t count,
                                       const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries) {
    // Put to their lists, which are short, and then sorted there: in time linear in the entries.
    std::vector<std::uint32_t> ends(count + 1);
    for (const auto& [list, item] : entries) ++ends[list + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint32_t> next(ends.begin(), ends.end() - 1), items(entries.size());
    for (const auto& [list, item] : entries) items[next[list]++] = item;
    Lists out;
    out.first.reserve(count + 1);
    out.items.reserve(entries.size());
    for (std::size_t list = 0; list < count; ++list) {
        out.first.push_back(static_cast<std::uint32_t>(out.items.size()));
        const auto begin = items.begin() + ends[list], end = items.begin() + ends[list + 1];
        std::sort(begin, end);
        out.items.insert(out.items.end(), begin, std::unique(begin, end));
    }
    out.first.push_back(static_cast<std::uint32_t>(out.items.size()));
    return out;
}

// Nothing of what the payload says is trusted: a file may change once it was checked.
void GroupTable::read_mesh(const mesh::GeometryView& geometry, const MeshHeader& mesh) {
    const auto words = geometry.payload.subspan(mesh.payload_offset, mesh.payload_size);
    const std::uint32_t padding = mesh.payload_size - 1;
    const std::uint32_t table = record_word(mesh, 0);
    const auto record = [&](std::uint32_t meshlet, std::uint32_t word) {
        return words[table + meshlet * shared::kCompactMeshletWords + word];
    };
    for (std::uint32_t i = 0; i < mesh.meshlet_count; ++i) {
        const bool last = i + 1 == mesh.meshlet_count;
        const std::uint32_t block = std::min(record(i, 0), padding);
        const std::uint32_t end = last ? padding : std::min(record(i + 1, 0), padding);
        const std::uint32_t vertices = (last ? mesh.vertex_count : record(i + 1, 1)) - record(i, 1);
        const std::uint32_t triangles = (last ? mesh.triangle_count : record(i + 1, 2)) - record(i, 2);
        const std::uint32_t sublets = mesh.sublet_count - i * shared::kSubletsPerMeshlet;
        meshlets_[mesh.first_meshlet + i] = {
            .payload = mesh.payload_offset + block,
            .first_triangle = record(i, 2),
            .triangles = std::min(triangles, shared::kMeshletSize),
            .size = {std::min(sublets, shared::kSubletsPerMeshlet), std::min(vertices, shared::kMeshletSize),
                     std::max(block, end) - block}};
    }
}

GroupTable::GroupTable(const mesh::GeometryView& geometry) {
    groups_.resize(geometry.lod_groups.size());
    meshlets_.resize(geometry.meshlet_bounds.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        groups_[g].error = geometry.lod_groups[g].error;
        groups_[g].level = geometry.lod_groups[g].level;
    }
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    Pairs parents, children, meshes;
    // Meshlets of a group mostly lie side by side, and each adds up to two: what was just added is not again.
    const auto add = [](Pairs& to, std::uint32_t list, std::uint32_t item) {
        const std::pair made(list, item);
        if (std::find(to.end() - std::min<std::ptrdiff_t>(2, std::ssize(to)), to.end(), made) == to.end()) {
            to.push_back(made);
        }
    };
    std::vector<std::pair<std::uint32_t, Run>> runs;
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        const MeshHeader& mesh = geometry.meshes[m];
        const bool streamed = mesh::comes_in_groups(geometry, mesh);
        if (streamed) read_mesh(geometry, mesh);
        for (std::uint32_t i = 0; i < mesh.meshlet_count && !geometry.lod_meshlets.empty(); ++i) {
            const auto [group, from] = geometry.lod_meshlets[mesh.first_meshlet + i];
            if (group == kNoLodGroup) continue;
            add(meshes, group, m);
            if (from != kNoLodGroup) {
                add(meshes, from, m);
                add(parents, from, group);
                add(children, group, from);
            }
            if (!streamed) continue;
            groups_[group].size += meshlets_[mesh.first_meshlet + i].size;
            ++groups_[group].meshlets;
            Run* const open = runs.empty() ? nullptr : &runs.back().second;
            if (open != nullptr && runs.back().first == group && open->mesh == m && open->first + open->count == i) {
                ++open->count;
            } else {
                runs.push_back({group, {m, i, 1}});
                ++groups_[group].run_count;
            }
        }
    }
    std::uint32_t first_run = 0;
    for (Group& group : groups_) {
        group.first_run = first_run;
        first_run += std::exchange(group.run_count, 0);
    }
    runs_.resize(runs.size());
    for (const auto& [group, run] : runs) runs_[groups_[group].first_run + groups_[group].run_count++] = run;
    for (const Group& group : groups_) {
        all_ += group.size;
        if (std::isinf(group.error)) roots_ += group.size;
        largest_.sublets = std::max(largest_.sublets, group.size.sublets);
        largest_.vertices = std::max(largest_.vertices, group.size.vertices);
        largest_.payload = std::max(largest_.payload, group.size.payload);
    }
    parents_ = lists_of(groups_.size(), parents);
    children_ = lists_of(groups_.size(), children);
    Pairs of_mesh;
    of_mesh.reserve(meshes.size());
    for (const auto& [group, mesh] : meshes) of_mesh.emplace_back(mesh, group);
    meshes_ = lists_of(groups_.size(), meshes);
    of_mesh_ = lists_of(geometry.meshes.size(), of_mesh);
    for (std::size_t m = 0; m < geometry.meshes.size(); ++m) {
        const auto of = std::span(of_mesh_.items).subspan(of_mesh_.first[m], of_mesh_.first[m + 1] - of_mesh_.first[m]);
        std::ranges::sort(of, std::greater{}, [&](std::uint32_t g) { return groups_[g].error; });
    }
}

std::uint64_t GroupTable::block_words(std::uint32_t number) const {
    const Group& of = groups_[number];
    return std::uint64_t{of.run_count} * kRunCopies * (sizeof(shared::BlockCopy) / 4) +
           std::uint64_t{of.meshlets} * shared::kCompactMeshletWords + of.size.payload +
           of.size.sublets * (sizeof(shared::Bound) / 4);
}

}  // namespace sublet::render
