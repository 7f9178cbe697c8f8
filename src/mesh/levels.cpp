#include "mesh/levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "mesh/compact_write.h"
#include "mesh/grid.h"
#include "mesh/lod.h"
#include "mesh/pack.h"
#include "mesh/recode.h"
#include "mesh/stream.h"
#include "mesh/view.h"

namespace sublet::mesh {
namespace {

// An encoded mesh as it was before it was packed.
struct Unpacked {
    VertexTable vertices;
    Clusters clusters;
};

Unpacked unpack(const MeshView& mesh, ThreadPool* pool) {
    Unpacked out;
    out.vertices.streams_present = mesh.header->streams_present;
    const std::uint32_t attribute_words = attribute_stride(mesh.header->streams_present);
    out.vertices.stride = 2 + attribute_words;
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
        const DecodedSublet sublet = decode_sublet(mesh, s);
        const Sublet made{static_cast<std::uint32_t>(out.clusters.vertices.size()),
                          static_cast<std::uint32_t>(out.clusters.triangles.size()), sublet.vertex_count,
                          sublet.triangle_count};
        out.clusters.sublets.push_back(made);
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            out.clusters.vertices.push_back(made.first_vertex + v);
            for (const std::uint32_t word : position_to_words(sublet.positions[v])) out.vertices.words.push_back(word);
            const auto words = sublet.attributes[v].begin();
            out.vertices.words.insert(out.vertices.words.end(), words, words + attribute_words);
        }
        const auto triangles = sublet.triangles.begin();
        out.clusters.triangles.insert(out.clusters.triangles.end(), triangles, triangles + sublet.triangle_count);
    }
    const std::vector<std::uint32_t> number =
        weld_vertices(out.vertices, std::vector<std::uint8_t>(out.clusters.vertices.size(), 1), pool);
    for (std::uint32_t& v : out.clusters.vertices) v = number[v];
    return out;
}

// The groups' numbers in the file: largest errors first. Of equal ones those that were made last come first: what a
// group's meshlets were simplified from follows it.
std::vector<std::uint32_t> numbers_of(const Lod& lod) {
    std::vector<std::uint32_t> order(lod.groups.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(lod.groups[a].error, a) > std::pair(lod.groups[b].error, b);
    });
    std::vector<std::uint32_t> number(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    return number;
}

// Coarser meshlets of one mesh, by groups. Each has eight sublets, of which the last may be empty.
struct Coarse {
    Clusters clusters;
    std::vector<LodMeshlet> meshlets;
};

Coarse coarse_of(const Lod& lod, const std::vector<std::uint32_t>& number, std::uint32_t mesh) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
    for (std::uint32_t i = 0; i < lod.meshlets.size(); ++i) {
        const LodPart& part = lod.meshlets[i];
        if (part.mesh == mesh && part.level != 0) order.emplace_back(number[part.group], i);
    }
    std::sort(order.begin(), order.end());
    const Clusters& from = lod.clusters[mesh];
    Coarse out;
    Clusters& to = out.clusters;
    for (const auto& [group, i] : order) {
        const LodPart& part = lod.meshlets[i];
        out.meshlets.push_back({group, number[part.simplified_from]});
        const auto add = [&](std::uint32_t vertex_count, std::uint32_t triangle_count) {
            to.sublets.push_back({static_cast<std::uint32_t>(to.vertices.size()),
                                  static_cast<std::uint32_t>(to.triangles.size()), vertex_count, triangle_count});
        };
        for (std::uint32_t s = part.first_sublet; s < part.first_sublet + part.sublet_count; ++s) {
            const Sublet& sublet = from.sublets[s];
            add(sublet.vertex_count, sublet.triangle_count);
            const auto vertices = from.vertices.begin() + sublet.first_vertex;
            to.vertices.insert(to.vertices.end(), vertices, vertices + sublet.vertex_count);
            const auto triangles = from.triangles.begin() + sublet.first_triangle;
            to.triangles.insert(to.triangles.end(), triangles, triangles + sublet.triangle_count);
        }
        while (to.sublets.size() % shared::kSubletsPerMeshlet != 0) add(0, 0);
    }
    return out;
}

// The groups in object space, by their numbers in the file. Spheres are rounded outwards, so that each holds those of
// the groups that its meshlets were simplified from.
std::vector<LodGroup> place_groups(const Lod& lod, const std::vector<std::uint32_t>& number, const PositionGrid& grid) {
    // What each must hold, by the numbers that they were made with: none holds one that was made later.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> within;
    for (const LodPart& part : lod.meshlets) {
        if (part.simplified_from != shared::kNoLodGroup) within.emplace_back(part.group, part.simplified_from);
    }
    std::sort(within.begin(), within.end());
    within.erase(std::unique(within.begin(), within.end()), within.end());

    const auto scale = static_cast<double>(grid.scale);
    std::vector<LodGroup> out(lod.groups.size());
    auto held = within.begin();
    for (std::uint32_t g = 0; g < lod.groups.size(); ++g) {
        const LodNode& node = lod.groups[g];
        LodGroup& group = out[number[g]];
        std::array<float, 3> center{};
        double moved = 0.0;  // by rounding, squared
        for (std::size_t k = 0; k < 3; ++k) {
            const double exact = static_cast<double>(grid.origin[k]) + scale * static_cast<double>(node.center[k]);
            center[k] = static_cast<float>(exact);
            moved += (static_cast<double>(center[k]) - exact) * (static_cast<double>(center[k]) - exact);
        }
        // Positions are rounded too as they decode: by as much as a coordinate of the origin's size can be.
        double radius = scale * static_cast<double>(node.radius) + 2.0 * std::sqrt(moved);
        for (const float x : center) radius += std::abs(static_cast<double>(x)) * 1.2e-7;
        for (; held != within.end() && held->first == g; ++held) {
            const shared::vec4& sphere = out[number[held->second]].sphere;
            const double x = static_cast<double>(sphere.x) - static_cast<double>(center[0]);
            const double y = static_cast<double>(sphere.y) - static_cast<double>(center[1]);
            const double z = static_cast<double>(sphere.z) - static_cast<double>(center[2]);
            radius = std::max(radius, std::sqrt(x * x + y * y + z * z) + static_cast<double>(sphere.w));
        }
        // Beyond what floats that compare the spheres may lose.
        group.sphere = {center[0], center[1], center[2], static_cast<float>(radius * (1.0 + 1e-6))};
        group.error = node.error * grid.scale;
        group.level = node.level;
    }
    return out;
}

template <typename T>
void append_array(std::vector<T>& to, std::span<const T> from) {
    to.insert(to.end(), from.begin(), from.end());
}

template <typename T>
T moved(T offset, std::int64_t by) {
    const std::int64_t sum = offset + by;
    if (sum > std::numeric_limits<T>::max()) {
        throw Error("geometry", "payload_offset",
                    std::to_string(sum) + " does not fit 32 bits: encode it without levels of detail");
    }
    return static_cast<T>(sum);
}

// Appends stream headers of a mesh whose words, vertices and triangles come after, or before, so many more.
void append_streams(std::vector<StreamHeader>& to, std::span<const StreamHeader> from, std::uint32_t stream_count,
                    std::int64_t words, std::int64_t vertices, std::int64_t triangles) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        StreamHeader& header = to.emplace_back(from[i]);
        header.offset_in_words = moved(header.offset_in_words, words);
        if (i % stream_count != 0) continue;  // those of primitives alone count what precedes them
        header.base_value[0] = moved(header.base_value[0], vertices);
        header.base_value[1] = moved(header.base_value[1], triangles);
    }
}

// A mesh with coarser meshlets in front.
Geometry join(const MeshView& coarse, const MeshView& finest) {
    Geometry out;
    MeshHeader& header = out.meshes.emplace_back(*finest.header);
    header.first_sublet = header.first_meshlet = header.first_stream = header.payload_offset = 0;
    header.first_vertex = header.first_triangle = header.first_attribute = 0;
    header.coarse_meshlets = coarse.header->meshlet_count;
    header.sublet_count += coarse.header->sublet_count;
    header.meshlet_count += coarse.header->meshlet_count;
    header.vertex_count = moved(header.vertex_count, coarse.header->vertex_count);
    header.triangle_count = moved(header.triangle_count, coarse.header->triangle_count);
    append_array(out.sublet_bounds, coarse.sublet_bounds);
    append_array(out.sublet_bounds, finest.sublet_bounds);
    append_array(out.meshlet_bounds, coarse.meshlet_bounds);
    append_array(out.meshlet_bounds, finest.meshlet_bounds);
    append_array(out.payload, coarse.payload);
    if (!out.payload.empty()) out.payload.pop_back();  // the word that a reader fetches beyond: the finest has one
    const auto words = static_cast<std::int64_t>(out.payload.size());
    append_array(out.payload, finest.payload);
    header.payload_size = moved(header.payload_size, words);
    append_streams(out.streams, coarse.streams, header.stream_count, 0, 0, 0);
    append_streams(out.streams, finest.streams, header.stream_count, words, coarse.header->vertex_count,
                   coarse.header->triangle_count);
    return out;
}

bool wanted(const GeometryView& geometry, Levels levels) {
    if (levels == Levels::kOff || !geometry.morphs.empty()) return false;
    std::uint64_t triangles = 0;
    for (const MeshHeader& mesh : geometry.meshes) {
        if (has_stream(shared::kStreamJointWeights, mesh.streams_present)) return false;
        triangles += mesh.triangle_count;
    }
    return levels == Levels::kOn || triangles >= kAutoLevelsTriangles;
}

}  // namespace

Geometry add_levels(Geometry&& finest, Levels levels, ThreadPool* pool) {
    const GeometryView view = finest.view();
    if (!wanted(view, levels)) return std::move(finest);
    std::vector<VertexTable> tables;
    std::vector<Clusters> clusters;
    for (std::uint32_t m = 0; m < view.meshes.size(); ++m) {
        Unpacked mesh = unpack(mesh_view(view, m), pool);
        tables.push_back(std::move(mesh.vertices));
        clusters.push_back(std::move(mesh.clusters));
    }
    const Lod lod = build_lod(std::move(tables), std::move(clusters), pool);
    if (std::none_of(lod.meshlets.begin(), lod.meshlets.end(), [](const LodPart& part) { return part.level != 0; })) {
        return std::move(finest);
    }
    const std::vector<std::uint32_t> number = numbers_of(lod);
    Geometry out;
    std::vector<LodMeshlet> meshlets;
    std::vector<std::vector<LodMeshlet>> leaves(view.meshes.size());
    for (const LodPart& part : lod.meshlets) {
        if (part.level == 0) leaves[part.mesh].push_back({number[part.group], shared::kNoLodGroup});
    }
    for (std::uint32_t m = 0; m < view.meshes.size(); ++m) {
        const MeshHeader& header = view.meshes[m];
        const PositionGrid grid{
            header.position_exponent, header.aabb_min.w, {header.origin.x, header.origin.y, header.origin.z}, false};
        const UvGrid uv_grid{header.uv_exponent, header.aabb_max.w};
        const Coarse coarse = coarse_of(lod, number, m);
        EncodeSeconds seconds;
        const Geometry packed = pack_mesh(coarse.clusters, lod.tables[m], header.style, grid, uv_grid,
                                          static_cast<int>(header.position_bits), seconds, pool);
        append(out, join(mesh_view(packed.view(), 0), mesh_view(view, m)).view());
        append_array(meshlets, std::span<const LodMeshlet>(coarse.meshlets));
        append_array(meshlets, std::span<const LodMeshlet>(leaves[m]));
        if (m == 0) out.lod_groups = place_groups(lod, number, grid);
    }
    out.lod_meshlets = std::move(meshlets);
    return out;
}

namespace {

// Of a mesh in the compact coding without morph targets: its last meshlets, by records that count from these.
Geometry finest_compact(const MeshView& mesh) {
    const std::uint32_t coarse = mesh.header->coarse_meshlets;
    const std::uint32_t meshlets = mesh.header->meshlet_count - coarse;
    const std::uint32_t sublets = coarse * shared::kSubletsPerMeshlet;
    Geometry part;
    MeshHeader& header = part.meshes.emplace_back(*mesh.header);
    header.first_sublet = header.first_meshlet = header.first_stream = header.payload_offset = 0;
    header.first_vertex = header.first_triangle = header.first_attribute = 0;
    append_array(part.sublet_bounds, mesh.sublet_bounds.subspan(sublets));
    append_array(part.meshlet_bounds, mesh.meshlet_bounds.subspan(coarse));
    constexpr std::size_t kRecord = shared::kCompactMeshletWords;
    const std::size_t table = ComponentTable(header.streams_present).count;
    const auto records = mesh.payload.subspan(table + coarse * kRecord, meshlets * kRecord);
    const std::array<std::uint32_t, kRecord> before{records[0] - static_cast<std::uint32_t>(table + records.size()),
                                                    records[1], records[2]};
    header.coarse_meshlets = 0;
    header.sublet_count -= sublets;
    header.meshlet_count = meshlets;
    header.vertex_count -= before[1];
    header.triangle_count -= before[2];
    append_array(part.payload, mesh.payload.first(table));
    for (std::size_t i = 0; i < records.size(); ++i) part.payload.push_back(records[i] - before[i % kRecord]);
    append_array(part.payload, mesh.payload.subspan(records[0]));
    header.payload_size = static_cast<std::uint32_t>(part.payload.size());
    return part;
}

// Of a mesh in the plain coding.
Geometry finest_plain(const MeshView& mesh) {
    const std::uint32_t meshlets = mesh.header->coarse_meshlets;
    const std::uint32_t sublets = meshlets * shared::kSubletsPerMeshlet;
    Geometry part;
    MeshHeader& header = part.meshes.emplace_back(*mesh.header);
    header.first_sublet = header.first_meshlet = header.first_stream = header.payload_offset = 0;
    header.first_vertex = header.first_triangle = header.first_attribute = 0;
    std::uint32_t words = 0;
    std::uint32_t vertices = 0;
    std::uint32_t triangles = 0;
    if (meshlets != 0) {
        const auto streams = mesh.streams.subspan(std::size_t{sublets} * header.stream_count);
        words = std::ranges::min_element(streams, {}, &StreamHeader::offset_in_words)->offset_in_words;
        const StreamHeader& stream = streams.front();
        vertices = stream.base_value[0];
        triangles = stream.base_value[1];
    }
    header.coarse_meshlets = 0;
    header.sublet_count -= sublets;
    header.meshlet_count -= meshlets;
    header.vertex_count -= vertices;
    header.triangle_count -= triangles;
    header.payload_size -= words;
    append_array(part.sublet_bounds, mesh.sublet_bounds.subspan(sublets));
    append_array(part.meshlet_bounds, mesh.meshlet_bounds.subspan(meshlets));
    append_array(part.payload, mesh.payload.subspan(words));
    append_streams(part.streams, mesh.streams.subspan(std::size_t{sublets} * header.stream_count), header.stream_count,
                   -std::int64_t{words}, -std::int64_t{vertices}, -std::int64_t{triangles});
    if (mesh.morph != nullptr) {
        MorphMesh& morph = part.morphs.emplace_back(*mesh.morph);
        morph.mesh = morph.first_mask = morph.payload_offset = 0;
        append_array(part.morph_masks, mesh.morph_masks);
        // Meshes are plain here.
        const std::uint32_t first_stream = mesh.morph_masks.front().first_stream;
        for (MorphMask& mask : part.morph_masks) mask.first_stream -= first_stream;
        append_array(part.morph_streams, mesh.morph_streams);
        append_array(part.morph_payload, mesh.morph_payload);
    }
    return part;
}

}  // namespace

Geometry finest_level(const GeometryView& geometry, std::uint32_t first, std::uint32_t count) {
    if (has_other_coding(geometry, Coding::kPlain)) {
        const Geometry plain = recode(geometry, Coding::kPlain);
        return recode(finest_level(plain.view(), first, count).view(), Coding::kCompact);
    }
    Geometry out;
    for (std::uint32_t m = first; m < first + count; ++m) append(out, finest_plain(mesh_view(geometry, m)).view());
    return out;
}

FinestMesh::FinestMesh(const GeometryView& geometry, std::uint32_t mesh) : mesh_(mesh_view(geometry, mesh)) {
    if (mesh_.header->coarse_meshlets == 0) return;
    copy_ = is_compact(*mesh_.header) ? finest_compact(mesh_) : finest_plain(mesh_);
    mesh_ = mesh_view(copy_.view(), 0);
}

}  // namespace sublet::mesh
