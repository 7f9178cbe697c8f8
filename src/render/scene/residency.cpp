#include "render/scene/residency.h"

#include <algorithm>

#include "base/count_text.h"
#include "mesh/view.h"

namespace sublet::render {
namespace {

using mesh::GeometryView;
using shared::MeshHeader;

constexpr std::uint64_t kWord = sizeof(std::uint32_t);
constexpr std::uint64_t kSubletBytes = sizeof(shared::Bound) + sizeof(shared::SubletRecord);

std::uint64_t vertex_bytes(std::uint32_t attribute_stride, bool leads) {
    return (2 + attribute_stride + (leads ? 1U : 0U)) * kWord;
}

std::uint64_t bytes_of(const MeshHeader& mesh, bool leads) {
    return mesh.sublet_count * kSubletBytes + mesh.vertex_count * vertex_bytes(mesh.attribute_stride, leads) +
           mesh.payload_size * kWord;
}

// What is there beside meshes' sublets, vertices and payload.
std::uint64_t bytes_of_tables(const GeometryView& geometry) {
    return geometry.meshes.size_bytes() + geometry.streams.size_bytes() + geometry.morph_streams.size_bytes() +
           geometry.morph_payload.size_bytes() + geometry.lod_groups.size_bytes() +
           geometry.lod_meshlets.size() * sizeof(shared::CutPlace) +
           geometry.meshlet_bounds.size() * (sizeof(shared::Bound) + sizeof(shared::MeshletRange));
}

// As much of each as there is, in the part of it that has room; and what there has to be.
GroupSize pool_size(const GroupTable& groups, double part) {
    const auto of = [&](std::uint32_t GroupSize::*count) {
        const auto wanted = static_cast<std::uint32_t>(part * (groups.all().*count));
        const std::uint32_t least = groups.roots().*count + 2 * (groups.largest().*count);
        return std::min(std::max(wanted, least), groups.all().*count);
    };
    return {of(&GroupSize::sublets), of(&GroupSize::vertices), of(&GroupSize::payload)};
}

// Numbers what is always there, mesh by mesh, and the pool behind it.
void number_meshes(Residency& out, const GeometryView& geometry) {
    out.meshes.assign(geometry.meshes.begin(), geometry.meshes.end());
    out.first_sublet.reserve(geometry.meshlet_bounds.size());
    std::uint32_t stride = 0;
    for (MeshHeader& mesh : out.meshes) {
        const bool streamed = !out.whole() && mesh::comes_in_groups(geometry, mesh);
        for (std::uint32_t i = 0; i < mesh.meshlet_count; ++i) {
            const auto sublet = static_cast<std::uint32_t>(out.sublets) + i * shared::kSubletsPerMeshlet;
            out.first_sublet.push_back(streamed ? shared::kAbsent : sublet);
        }
        mesh.payload_offset = static_cast<std::uint32_t>(out.payload_words);
        mesh.first_sublet = static_cast<std::uint32_t>(out.sublets);
        mesh.first_vertex = static_cast<std::uint32_t>(out.vertices);
        mesh.first_attribute = static_cast<std::uint32_t>(out.attribute_words);
        if (streamed) {
            mesh.payload_size = head_words(mesh);
            stride = std::max(stride, mesh.attribute_stride);
        } else {
            out.sublets += mesh.sublet_count;
            out.vertices += mesh.vertex_count;
            out.attribute_words += std::uint64_t{mesh.vertex_count} * mesh.attribute_stride;
        }
        out.payload_words += mesh.payload_size;
    }
    if (out.whole()) return;
    PoolPlan& pool = out.pool;
    pool.first_sublet = static_cast<std::uint32_t>(out.sublets);
    pool.first_vertex = static_cast<std::uint32_t>(out.vertices);
    pool.first_payload = static_cast<std::uint32_t>(out.payload_words);
    for (std::size_t m = 0; m < out.meshes.size(); ++m) {
        if (!mesh::comes_in_groups(geometry, geometry.meshes[m])) continue;
        out.meshes[m].first_sublet = pool.first_sublet;
        out.meshes[m].first_vertex = pool.first_vertex;
        out.meshes[m].first_attribute = static_cast<std::uint32_t>(out.attribute_words);
        out.meshes[m].attribute_stride = stride;
    }
    out.sublets += pool.size.sublets;
    out.vertices += pool.size.vertices;
    out.attribute_words += std::uint64_t{pool.size.vertices} * stride;
    out.payload_words += pool.size.payload + 1;  // and padding
}

}  // namespace

Residency plan_residency(const GeometryView& geometry, const ResidencyOptions& options) {
    Residency out;
    const std::uint64_t tables = bytes_of_tables(geometry);
    std::uint64_t always = tables, streamed = 0;
    std::uint32_t stride = 0;
    for (const MeshHeader& mesh : geometry.meshes) {
        const std::uint64_t bytes = bytes_of(mesh, options.leads);
        out.whole_bytes += bytes;
        if (!mesh::comes_in_groups(geometry, mesh)) {
            always += bytes;
            continue;
        }
        streamed += bytes - head_words(mesh) * kWord;
        always += head_words(mesh) * kWord;
        stride = std::max(stride, mesh.attribute_stride);
    }
    out.bytes = out.whole_bytes += tables;
    if (out.whole_bytes > options.budget && streamed != 0) {
        auto groups = std::make_unique<GroupTable>(geometry);
        const GroupSize& all = groups->all();
        // Where strides differ, all vertices take the largest.
        const std::uint64_t vertex = vertex_bytes(stride, options.leads);
        const auto bytes = [&](const GroupSize& size) {
            return size.sublets * kSubletBytes + size.vertices * vertex + size.payload * kWord;
        };
        const std::uint64_t room = options.budget - std::min(options.budget, always);
        const GroupSize size = pool_size(*groups, static_cast<double>(room) / static_cast<double>(bytes(all)));
        if (always + bytes(size) < out.whole_bytes) {
            out.pool.size = size;
            out.pool.bytes = bytes(size);
            out.bytes = always + out.pool.bytes;
            out.groups = std::move(groups);
        }
    }
    number_meshes(out, geometry);
    return out;
}

std::optional<std::string> residency_note(const Residency& there, std::uint64_t budget) {
    if (there.whole_bytes <= budget) return std::nullopt;
    const auto mib = [](std::uint64_t bytes) { return grouped((bytes + (1U << 20U) - 1) >> 20U) + " MiB"; };
    std::string text =
        "geometry takes " + mib(there.whole_bytes) + ", and has " + mib(budget) + " beside textures (--vram-budget): ";
    if (there.whole()) return text + "it has no levels of detail that can be left out";
    text += "levels of detail come as they are seen, into " + mib(there.pool.bytes);
    if (there.bytes > budget) text += "; with what is always there that is " + mib(there.bytes);
    return text;
}

std::vector<shared::Bound> resident_sublet_bounds(const GeometryView& geometry) {
    std::vector<shared::Bound> out;
    for (const MeshHeader& mesh : geometry.meshes) {
        if (mesh::comes_in_groups(geometry, mesh)) continue;
        const auto bounds = geometry.sublet_bounds.subspan(mesh.first_sublet, mesh.sublet_count);
        out.insert(out.end(), bounds.begin(), bounds.end());
    }
    return out;
}

std::vector<std::uint32_t> resident_payload(const GeometryView& geometry) {
    std::vector<std::uint32_t> out;
    for (const MeshHeader& mesh : geometry.meshes) {
        const std::size_t words = mesh::comes_in_groups(geometry, mesh) ? head_words(mesh) : mesh.payload_size;
        const auto part = geometry.payload.subspan(mesh.payload_offset, words);
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

}  // namespace sublet::render
