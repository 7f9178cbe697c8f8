#include "render/scene/residency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/count_text.h"
#include "base/number_text.h"
#include "mesh/compact_write.h"
#include "shaders/shared/compact.h"

namespace sublet::render {
namespace {

using mesh::GeometryView;
using shared::MeshHeader;

// Of one meshlet, or of several.
struct Sizes {
    std::uint64_t sublets = 0, vertices = 0, payload = 0;  // words

    Sizes& operator+=(const Sizes& other) {
        sublets += other.sublets;
        vertices += other.vertices;
        payload += other.payload;
        return *this;
    }
};

// A mesh of which meshlets may be left out.
class PagedMesh {
  public:
    [[nodiscard]] static bool is(const GeometryView& geometry, const MeshHeader& mesh) {
        return mesh.meshlet_count != 0 && !geometry.lod_meshlets.empty() && mesh::is_compact(mesh) &&
               !mesh::deforms(mesh) && !mesh::morphs(mesh) &&
               geometry.lod_meshlets[mesh.first_meshlet].group != shared::kNoLodGroup;
    }

    PagedMesh(const GeometryView& geometry, const MeshHeader& mesh)
        : mesh_(mesh),
          words_(geometry.payload.subspan(mesh.payload_offset, mesh.payload_size)),
          table_words_(mesh::ComponentTable(mesh.streams_present).count) {}

    // Words before the first block: the table of components, and a record of each meshlet.
    [[nodiscard]] std::uint64_t head() const {
        return table_words_ + std::uint64_t{mesh_.meshlet_count} * shared::kCompactMeshletWords;
    }
    // Of a record.
    [[nodiscard]] std::size_t record(std::uint32_t meshlet) const {
        return table_words_ + std::size_t{meshlet} * shared::kCompactMeshletWords;
    }
    // Where its block begins. Nothing of what the payload says is trusted: a file may change once it was checked.
    [[nodiscard]] std::uint32_t block(std::uint32_t meshlet) const {
        const std::uint32_t padding = mesh_.payload_size - 1;
        return meshlet < mesh_.meshlet_count ? std::min(words_[record(meshlet)], padding) : padding;
    }
    [[nodiscard]] Sizes sizes(std::uint32_t meshlet) const {
        const std::uint32_t behind = meshlet + 1;
        const bool last = behind == mesh_.meshlet_count;
        const std::uint32_t vertices =
            (last ? mesh_.vertex_count : words_[record(behind) + 1]) - words_[record(meshlet) + 1];
        const std::uint32_t sublets = mesh_.sublet_count - meshlet * shared::kSubletsPerMeshlet;
        return {
            std::min(sublets, shared::kSubletsPerMeshlet),
            std::min(vertices, shared::kMeshletSize),
            std::max(block(behind), block(meshlet)) - block(meshlet),
        };
    }
    [[nodiscard]] std::span<const std::uint32_t> words() const { return words_; }

  private:
    const MeshHeader& mesh_;
    std::span<const std::uint32_t> words_;
    std::uint32_t table_words_ = 0;
};

std::uint64_t bytes_of(const Sizes& sizes, const MeshHeader& mesh, bool leads) {
    const std::uint64_t vertex_words = 2 + mesh.attribute_stride + (leads ? 1 : 0);
    return sizes.sublets * (sizeof(shared::Bound) + sizeof(shared::SubletRecord)) +
           (sizes.vertices * vertex_words + sizes.payload) * sizeof(std::uint32_t);
}

// What a group takes, and what is wrong where it is left out: infinite where it can't be.
struct Group {
    std::uint64_t bytes = 0;
    float error = 0.0F;
};

struct Demand {
    std::vector<Group> groups;
    std::uint64_t always = 0, all = 0;  // bytes
};

Demand find_demand(const GeometryView& geometry, const ResidencyOptions& options) {
    Demand out;
    out.groups.resize(geometry.lod_groups.size());
    out.always = geometry.meshes.size_bytes() + geometry.streams.size_bytes() + geometry.morph_streams.size_bytes() +
                 geometry.morph_payload.size_bytes() + geometry.lod_groups.size_bytes() +
                 geometry.lod_meshlets.size() * sizeof(shared::CutPlace) +
                 geometry.meshlet_bounds.size() * (sizeof(shared::Bound) + sizeof(shared::MeshletRange));
    for (std::size_t m = 0; m < geometry.meshes.size(); ++m) {
        const MeshHeader& mesh = geometry.meshes[m];
        if (!PagedMesh::is(geometry, mesh)) {
            out.always += bytes_of({mesh.sublet_count, mesh.vertex_count, mesh.payload_size}, mesh, options.leads);
            continue;
        }
        const PagedMesh paged(geometry, mesh);
        out.always += (paged.head() + 1) * sizeof(std::uint32_t);
        for (std::uint32_t i = 0; i < mesh.meshlet_count; ++i) {
            const std::uint32_t number = geometry.lod_meshlets[mesh.first_meshlet + i].group;
            Group& group = out.groups[number];
            group.bytes += bytes_of(paged.sizes(i), mesh, options.leads);
            const float error = geometry.lod_groups[number].error;
            const float scale = options.scales.empty() ? 1.0F : options.scales[m];
            group.error = std::max(group.error, std::isinf(error) ? error : error * scale);
        }
    }
    out.all = out.always;
    for (Group& group : out.groups) {
        out.all += group.bytes;
        if (group.bytes == 0) group.error = std::numeric_limits<float>::infinity();  // of meshes that are always there
    }
    return out;
}

// Leaves out groups, those of the least errors first, until the rest has room. What lies in a group that stays is then
// in groups that stay: their errors are no less, and their levels are higher.
void choose_groups(Residency& out, const GeometryView& geometry, const Demand& demand, std::uint64_t budget) {
    std::vector<std::uint32_t> order(demand.groups.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const float errors[] = {demand.groups[a].error, demand.groups[b].error};
        if (errors[0] != errors[1]) return errors[0] > errors[1];
        const std::uint32_t levels[] = {geometry.lod_groups[a].level, geometry.lod_groups[b].level};
        return levels[0] != levels[1] ? levels[0] > levels[1] : a < b;
    });
    out.absent_groups.assign(order.size(), 1);
    for (const std::uint32_t g : order) {
        const Group& group = demand.groups[g];
        if (!std::isinf(group.error) && out.bytes + group.bytes > budget) {
            out.error = group.error;
            break;
        }
        out.bytes += group.bytes;
        out.absent_groups[g] = 0;
        ++out.resident_groups;
    }
}

// Numbers what is there, mesh by mesh.
void number_meshes(Residency& out, const GeometryView& geometry) {
    out.meshes.assign(geometry.meshes.begin(), geometry.meshes.end());
    out.first_sublet.reserve(geometry.meshlet_bounds.size());
    for (MeshHeader& mesh : out.meshes) {
        const MeshHeader file = mesh;
        Sizes there{file.sublet_count, file.vertex_count, file.payload_size};
        const bool paged = !out.whole() && PagedMesh::is(geometry, file);
        if (paged) {
            const PagedMesh of(geometry, file);
            there = {0, 0, of.head() + 1};
            for (std::uint32_t i = 0; i < file.meshlet_count; ++i) {
                const bool absent = out.absent_groups[geometry.lod_meshlets[file.first_meshlet + i].group] != 0;
                out.first_sublet.push_back(absent ? shared::kAbsent
                                                  : static_cast<std::uint32_t>(out.sublets + there.sublets));
                if (!absent) there += of.sizes(i);
            }
        } else {
            for (std::uint32_t i = 0; i < file.meshlet_count; ++i) {
                out.first_sublet.push_back(static_cast<std::uint32_t>(out.sublets) + i * shared::kSubletsPerMeshlet);
            }
        }
        mesh.first_sublet = static_cast<std::uint32_t>(out.sublets);
        mesh.first_vertex = static_cast<std::uint32_t>(out.vertices);
        mesh.first_attribute = static_cast<std::uint32_t>(out.attribute_words);
        mesh.payload_offset = static_cast<std::uint32_t>(out.payload_words);
        mesh.payload_size = static_cast<std::uint32_t>(there.payload);
        out.sublets += there.sublets;
        out.vertices += there.vertices;
        out.attribute_words += there.vertices * mesh.attribute_stride;
        out.payload_words += there.payload;
    }
}

}  // namespace

std::vector<float> mesh_scales(std::size_t meshes, std::span<const shared::Instance> instances) {
    std::vector<float> out(meshes, 0.0F);
    for (const shared::Instance& instance : instances)
        out[instance.mesh] = std::max(out[instance.mesh], instance.scale);
    return out;
}

Residency plan_residency(const GeometryView& geometry, const ResidencyOptions& options) {
    const Demand demand = find_demand(geometry, options);
    Residency out;
    out.whole_bytes = demand.all;
    out.groups = out.resident_groups = static_cast<std::uint32_t>(geometry.lod_groups.size());
    if (demand.all <= options.budget) {
        out.bytes = demand.all;
    } else {
        out.bytes = demand.always;
        out.resident_groups = 0;
        choose_groups(out, geometry, demand, options.budget);
        if (out.resident_groups == out.groups) out.absent_groups.clear();  // no group can be left out
    }
    number_meshes(out, geometry);
    return out;
}

std::optional<std::string> residency_note(const Residency& there, std::uint64_t budget) {
    if (there.whole_bytes <= budget) return std::nullopt;
    const auto mib = [](std::uint64_t bytes) { return grouped((bytes + (1U << 20U) - 1) >> 20U) + " MiB"; };
    std::string text = "geometry takes " + mib(there.whole_bytes) + ", and has " + mib(budget) + " (--vram-budget): ";
    if (there.whole()) return text + "it has no levels of detail that can be left out";
    text += grouped(there.groups - there.resident_groups) + " of " + grouped(there.groups) +
            " groups of levels of detail are left out, which is wrong by " + number_text(there.error) +
            " units at most";
    if (there.bytes > budget) text += "; what is always there takes " + mib(there.bytes);
    return text;
}

std::vector<shared::Bound> resident_sublet_bounds(const GeometryView& geometry, const Residency& residency) {
    std::vector<shared::Bound> out;
    out.reserve(residency.sublets);
    for (const MeshHeader& mesh : geometry.meshes) {
        const auto bounds = geometry.sublet_bounds.subspan(mesh.first_sublet, mesh.sublet_count);
        for (std::uint32_t i = 0; i < mesh.meshlet_count; ++i) {
            if (residency.first_sublet[mesh.first_meshlet + i] == shared::kAbsent) continue;
            const std::uint32_t first = i * shared::kSubletsPerMeshlet;
            const auto part =
                bounds.subspan(first, std::min<std::size_t>(bounds.size() - first, shared::kSubletsPerMeshlet));
            out.insert(out.end(), part.begin(), part.end());
        }
    }
    return out;
}

std::vector<std::uint32_t> resident_payload(const GeometryView& geometry, const Residency& residency) {
    std::vector<std::uint32_t> out;
    out.reserve(residency.payload_words);
    for (const MeshHeader& mesh : geometry.meshes) {
        const std::span<const std::uint32_t> words = geometry.payload.subspan(mesh.payload_offset, mesh.payload_size);
        if (!PagedMesh::is(geometry, mesh)) {
            out.insert(out.end(), words.begin(), words.end());
            continue;
        }
        const PagedMesh paged(geometry, mesh);
        const std::size_t from = out.size();
        out.insert(out.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(paged.head()));
        std::uint32_t vertices = 0;
        for (std::uint32_t i = 0; i < mesh.meshlet_count; ++i) {
            if (residency.first_sublet[mesh.first_meshlet + i] == shared::kAbsent) continue;
            const Sizes sizes = paged.sizes(i);
            const std::size_t record = from + paged.record(i);
            out[record] = static_cast<std::uint32_t>(out.size() - from);
            out[record + 1] = vertices;
            vertices += static_cast<std::uint32_t>(sizes.vertices);
            const auto block = words.subspan(paged.block(i), sizes.payload);
            out.insert(out.end(), block.begin(), block.end());
        }
        out.push_back(0);  // padding
    }
    return out;
}

}  // namespace sublet::render
