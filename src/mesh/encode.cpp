#include "mesh/encode.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/progress.h"
#include "base/stopwatch.h"
#include "mesh/arrays.h"
#include "mesh/cluster.h"
#include "mesh/grid.h"
#include "mesh/levels.h"
#include "mesh/morphs.h"
#include "mesh/pack.h"
#include "mesh/parallel.h"
#include "mesh/position_bits.h"
#include "mesh/recode.h"
#include "mesh/stream.h"
#include "mesh/triangles.h"
#include "mesh/vertices.h"
#include "mesh/view.h"

namespace sublet::mesh {
namespace {

std::string element(const std::string& field, const char* attribute, std::size_t index) {
    return field + "." + attribute + "[" + std::to_string(index) + "]";
}

void check_options(const EncodeOptions& options, const std::string& name) {
    const auto check = [&](const char* field, int value, int most) {
        if (value >= 4 && value <= most) return;
        const char* const plain = value > most && value <= kMostPositionBits ? " in the plain coding" : "";
        throw Error(name, field, std::to_string(value) + ": must be 4 to " + std::to_string(most) + plain);
    };
    const int most = most_position_bits(options.coding);
    if (options.position_bits != kAutoPositionBits) check("position_bits", options.position_bits, most);
    if (options.uv_bits < 4 || options.uv_bits > 16) {
        throw Error(name, "uv_bits", std::to_string(options.uv_bits) + ": must be 4 to 16");
    }
}

void check_lengths(const MeshInput& mesh, const std::string& name, const std::string& field) {
    const std::size_t count = mesh.positions.size();
    if (count >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error(name, field + ".positions", std::to_string(count) + " vertices: at most 2^32 - 2 are supported");
    }
    const auto check = [&](const Attribute& attribute, const auto& values) {
        if (!values.empty() && values.size() != count) {
            throw Error(name, field + "." + attribute.name,
                        std::to_string(values.size()) + " elements for " + std::to_string(count) +
                            " positions: must be as many or none");
        }
    };
    for_each_attribute(check, mesh);
    for (std::size_t t = 0; t < mesh.morphs.size(); ++t) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            const auto values = morph_values(mesh.morphs[t], a);
            if (values.empty() || values.size() == count) continue;
            throw Error(name, field + "." + morph_field(t, a),
                        std::to_string(values.size()) + " elements for " + std::to_string(count) +
                            " positions: must be as many or none");
        }
    }
    if (mesh.joints.empty() != mesh.weights.empty()) {
        throw Error(name, field + (mesh.joints.empty() ? ".joints" : ".weights"),
                    "missing: joints and weights come together");
    }
    if (mesh.joints1.empty() != mesh.weights1.empty()) {
        throw Error(name, field + (mesh.joints1.empty() ? ".joints1" : ".weights1"),
                    "missing: joints1 and weights1 come together");
    }
    if (!mesh.joints1.empty() && mesh.joints.empty()) {
        throw Error(name, field + ".joints", "missing: joints1 are those beyond the first four");
    }
    if (mesh.indices.size() % 3 != 0) {
        throw Error(name, field + ".indices",
                    std::to_string(mesh.indices.size()) + " indices: must be three per triangle");
    }
    if (mesh.indices.size() / 3 > std::numeric_limits<std::uint32_t>::max() / 3) {
        throw Error(name, field + ".indices",
                    std::to_string(mesh.indices.size() / 3) + " triangles: split the mesh, at most 1431655765 fit");
    }
}

// One mesh on its way: what is known before the grids of its group are.
struct Prepared {
    MeshInput input;  // as given, or spans over `gathered`
    MeshArrays gathered;
    std::string field;
    std::uint32_t style = 0;
    std::uint32_t streams_present = 0;
    std::vector<std::uint8_t> used;  // 1 for each vertex that a triangle uses
    std::uint64_t used_count = 0;
    FloatBox box;
    float uv_min = std::numeric_limits<float>::infinity();
    float uv_max = -std::numeric_limits<float>::infinity();
    MorphSizes morph_sizes{};
};

void check_indices(const MeshInput& mesh, const std::string& name, const std::string& field, ThreadPool* pool) {
    const std::size_t count = mesh.positions.size();
    for_ranges(pool, mesh.indices.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (mesh.indices[i] >= count) {
                throw Error(name, element(field, "indices", i),
                            std::to_string(mesh.indices[i]) + " is out of range: there are " + std::to_string(count) +
                                " vertices");
            }
        }
    });
}

std::string coordinate_fault(float value) {
    return std::isnan(value)   ? "NaN: must be finite"
           : std::isinf(value) ? "an infinite value: must be finite"
                               : std::to_string(value) + ": must be at most 2^104 in size";
}

void check_coordinate(float value, const std::string& name, const std::string& field, const char* attribute,
                      std::size_t i) {
    if (!(std::abs(value) <= kMaxCoordinate)) throw Error(name, element(field, attribute, i), coordinate_fault(value));
}

// Attribute `a` of what target `t` adds to vertex `i`.
void check_delta(const std::array<float, 3>& delta, const std::string& name, const std::string& field, std::size_t t,
                 std::uint32_t a, std::size_t i) {
    for (const float x : delta) {
        if (!(std::abs(x) <= kMaxCoordinate)) {
            throw Error(name, element(field, morph_field(t, a).c_str(), i), coordinate_fault(x));
        }
    }
}

// Forgets the attributes that the style leaves out.
void drop_unused_streams(Prepared& p) {
    const auto drop = [&](const Attribute& attribute, auto& span) {
        if ((p.streams_present & attribute.bit) == 0) span = {};
    };
    for_each_attribute(drop, p.input);
    for (MorphInput& morph : p.input.morphs) {
        if (p.input.normals.empty()) morph.normals = {};
        if (p.input.tangents.empty()) morph.tangents = {};
    }
}

// Copies the vertices that are used, when they are few among many: meshes that share one large vertex buffer then
// cost what they use of it, not its size.
void gather_used(Prepared& prepared, const std::string& name) {
    MeshInput& input = prepared.input;
    if (input.positions.size() / 4 <= input.indices.size()) return;
    MeshArrays& gathered = prepared.gathered;
    std::vector<std::uint32_t> ids(input.indices.begin(), input.indices.end());
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    gathered.indices.reserve(input.indices.size());
    for (const std::uint32_t index : input.indices) {
        gathered.indices.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(ids, index) - ids.begin()));
    }
    input.indices = gathered.indices;
    // Checked here too, while vertices still have the numbers by which their owner knows them.
    const auto gather = [&](const Attribute& attribute, auto& span, auto& storage) {
        if (span.empty()) return;
        storage.reserve(ids.size());
        for (const std::uint32_t id : ids) {
            if constexpr (std::is_same_v<typename std::decay_t<decltype(span[0])>::value_type, float>) {
                for (const float x : span[id]) check_coordinate(x, name, prepared.field, attribute.name, id);
            }
            storage.push_back(span[id]);
        }
        span = storage;
    };
    for_each_attribute(gather, input, gathered);
    gathered.morphs.resize(input.morphs.size());
    for (std::size_t t = 0; t < input.morphs.size(); ++t) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            const auto values = morph_values(input.morphs[t], a);
            if (values.empty()) continue;
            auto& storage = morph_values(gathered.morphs[t], a);
            storage.reserve(ids.size());
            for (const std::uint32_t id : ids) {
                check_delta(values[id], name, prepared.field, t, a, id);
                storage.push_back(values[id]);
            }
        }
        input.morphs[t] = gathered.morphs[t].view();
    }
}

// Marks the vertices in use, checks their positions and texture coordinates, and measures both.
void measure(Prepared& prepared, const std::string& name, ThreadPool* pool) {
    const MeshInput& input = prepared.input;
    prepared.used.assign(input.positions.size(), 0);
    for (const std::uint32_t index : input.indices) prepared.used[index] = 1;

    struct Part {
        FloatBox box;
        std::uint64_t used = 0;
        float uv_min = std::numeric_limits<float>::infinity();
        float uv_max = -std::numeric_limits<float>::infinity();
        MorphSizes morph_sizes{};
    };
    std::vector<Part> parts((input.positions.size() + kGrain - 1) / kGrain);
    for_ranges(pool, input.positions.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        Part part;
        const auto add_uv = [&](const std::array<float, 2>& uv, const char* attribute, std::size_t i) {
            for (const float x : uv) {
                check_coordinate(x, name, prepared.field, attribute, i);
                part.uv_min = std::min(part.uv_min, x);
                part.uv_max = std::max(part.uv_max, x);
            }
        };
        for (std::size_t i = begin; i < end; ++i) {
            if (prepared.used[i] == 0) continue;
            ++part.used;
            for (const float x : input.positions[i]) check_coordinate(x, name, prepared.field, "positions", i);
            part.box.add(input.positions[i]);
            if (!input.uv0.empty()) add_uv(input.uv0[i], "uv0", i);
            if (!input.uv1.empty()) add_uv(input.uv1[i], "uv1", i);
            for (std::size_t t = 0; t < input.morphs.size(); ++t) {
                for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
                    const auto values = morph_values(input.morphs[t], a);
                    if (values.empty()) continue;
                    check_delta(values[i], name, prepared.field, t, a, i);
                    for (const float x : values[i]) part.morph_sizes[a] = std::max(part.morph_sizes[a], std::abs(x));
                }
            }
        }
        parts[begin / kGrain] = part;
    });
    for (const Part& part : parts) {
        prepared.box.add(part.box);
        prepared.used_count += part.used;
        prepared.uv_min = std::min(prepared.uv_min, part.uv_min);
        prepared.uv_max = std::max(prepared.uv_max, part.uv_max);
        prepared.morph_sizes = largest(prepared.morph_sizes, part.morph_sizes);
    }
}

struct ErrorSums {
    double max_squared = 0;
    double sum_squared = 0;
};

// Distances between source vertices and what they decode to.
ErrorSums measure_error(const Prepared& prepared, const PositionGrid& grid, ThreadPool* pool) {
    const MeshInput& input = prepared.input;
    std::vector<ErrorSums> parts((input.positions.size() + kGrain - 1) / kGrain);
    for_ranges(pool, input.positions.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        ErrorSums sums;
        for (std::size_t i = begin; i < end; ++i) {
            if (prepared.used[i] == 0) continue;
            const std::array<float, 3> decoded = grid.dequantize(grid.quantize(input.positions[i]));
            double squared = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const double d = static_cast<double>(decoded[k]) - static_cast<double>(input.positions[i][k]);
                squared += d * d;
            }
            sums.max_squared = std::max(sums.max_squared, squared);
            sums.sum_squared += squared;
        }
        parts[begin / kGrain] = sums;
    });
    ErrorSums total;
    for (const ErrorSums& part : parts) {
        total.max_squared = std::max(total.max_squared, part.max_squared);
        total.sum_squared += part.sum_squared;
    }
    return total;
}

double diagonal(const FloatBox& box) {
    double squared = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double d = static_cast<double>(box.max[i]) - static_cast<double>(box.min[i]);
        squared += d * d;
    }
    return std::sqrt(squared);
}

// Whether more than four joints move a vertex in use.
bool has_many_influences(const Prepared& p, ThreadPool* pool) {
    std::atomic<bool> found = false;
    for_ranges(pool, p.used.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && !found; ++i) {
            if (p.used[i] != 0 && quantize_influences(p.input, i).parts[4] > 0) found = true;
        }
    });
    return found;
}

Prepared prepare(const MeshInput& input, std::size_t index, Style style, const std::string& name, ThreadPool* pool) {
    Prepared p;
    p.input = input;
    p.field = "meshes[" + std::to_string(index) + "]";
    check_lengths(p.input, name, p.field);
    check_indices(p.input, name, p.field, pool);
    p.style = choose_style(p.input, style);
    p.streams_present = choose_streams(p.input, p.style);
    drop_unused_streams(p);
    gather_used(p, name);
    measure(p, name, pool);
    if (has_stream(shared::kStreamJointWeights1, p.streams_present) && !has_many_influences(p, pool)) {
        p.streams_present &= ~(1U << shared::kStreamJointIndices1 | 1U << shared::kStreamJointWeights1);
    }
    return p;
}

// One mesh, done.
struct Encoded {
    Geometry geometry;
    ErrorSums error;
    std::uint64_t dropped_degenerate = 0;
    std::uint64_t dropped_by_grid = 0;
    std::uint64_t dropped_duplicate = 0;
    EncodeSeconds seconds;
};

// Encodes a mesh, and lets go of what preparing it took.
Encoded encode_mesh(Prepared& p, const PositionGrid& grid, const UvGrid& uv_grid, const MorphExponents& exponents,
                    int position_bits, const std::string& name, ThreadPool* pool, Progress* progress) {
    Encoded result;
    Stopwatch watch;
    result.error = measure_error(p, grid, pool);
    const MorphLayout morphs(p.input.morphs.size(), p.morph_sizes, exponents);
    VertexTable vertices =
        quantize_vertices(p.input, p.used, p.streams_present, grid, uv_grid, morphs, name, p.field, pool);
    CleanTriangles clean;
    {
        const std::vector<std::uint32_t> remap = weld_vertices(vertices, p.used, pool);
        clean = clean_triangles(p.input.indices, p.input.positions, remap, vertices, pool);
    }
    p.used = {};
    p.gathered = {};
    result.dropped_degenerate = clean.dropped_degenerate;
    result.dropped_by_grid = clean.dropped_by_grid;
    result.dropped_duplicate = clean.dropped_duplicate;
    result.seconds.pack = watch.restart();

    if (progress != nullptr) progress->advance((clean.dropped_degenerate + clean.dropped_duplicate) * kEncodeSteps);
    const Clusters clusters = cluster_triangles(clean.triangles, vertices, pool, progress);
    clean = {};
    result.seconds.cluster = watch.restart();
    result.geometry =
        pack_mesh(clusters, vertices, p.style, grid, uv_grid, position_bits, result.seconds, pool, progress);
    Stopwatch morph_watch;
    pack_morphs(clusters, vertices, result.geometry, pool);
    result.seconds.pack += morph_watch.seconds();
    return result;
}

}  // namespace

EncodedMeshes encode(std::span<const MeshInput> meshes, const EncodeOptions& options, const std::string& name,
                     ThreadPool* pool, Progress* progress) {
    check_options(options, name);

    const Stopwatch watch;
    EncodedMeshes result;
    EncodeStats& stats = result.stats;
    std::vector<Prepared> prepared(meshes.size());
    for_ranges(pool, meshes.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) prepared[i] = prepare(meshes[i], i, options.style, name, pool);
    });
    FloatBox box;
    float uv_min = std::numeric_limits<float>::infinity();
    float uv_max = -std::numeric_limits<float>::infinity();
    MorphSizes morph_sizes{};
    for (const Prepared& p : prepared) {
        box.add(p.box);
        uv_min = std::min(uv_min, p.uv_min);
        uv_max = std::max(uv_max, p.uv_max);
        morph_sizes = largest(morph_sizes, p.morph_sizes);
        stats.source_triangles += p.input.indices.size() / 3;
        stats.source_vertices += p.used_count;
    }
    const int most_bits = most_position_bits(options.coding);
    stats.position_bits = options.position_bits;
    if (options.position_bits == kAutoPositionBits) {
        const PositionBits chosen = choose_position_bits(meshes, box, most_bits, pool);
        stats.position_bits = chosen.bits;
        stats.lost_by_default_bits = chosen.lost_by_default;
    }
    const PositionGrid grid = choose_position_grid(box.min, box.max, stats.position_bits);
    const UvGrid uv_grid =
        uv_min <= uv_max ? choose_uv_grid(uv_min, uv_max, options.uv_bits) : choose_uv_grid(0.5F, 0.5F, 16);
    // A single point has a grid of any exponent: what moves it alone decides then.
    const MorphExponents exponents =
        choose_morph_exponents(morph_sizes, diagonal(box) > 0 ? grid.exponent : kMinExponent);
    stats.seconds.pack += watch.seconds();

    std::vector<Encoded> encoded(prepared.size());
    for_ranges(pool, prepared.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            encoded[i] = encode_mesh(prepared[i], grid, uv_grid, exponents, stats.position_bits, name, pool, progress);
        }
    });

    ErrorSums error;
    for (Encoded& e : encoded) {
        error.max_squared = std::max(error.max_squared, e.error.max_squared);
        error.sum_squared += e.error.sum_squared;
        stats.dropped_degenerate += e.dropped_degenerate;
        stats.dropped_by_grid += e.dropped_by_grid;
        stats.dropped_duplicate += e.dropped_duplicate;
        stats.seconds.cluster += e.seconds.cluster;
        stats.seconds.pack += e.seconds.pack;
        stats.seconds.bounds += e.seconds.bounds;
        if (encoded.size() == 1) {
            result.geometry = std::move(e.geometry);
        } else {
            append(result.geometry, e.geometry.view());
            e.geometry = {};
        }
    }
    Stopwatch late;
    result.geometry = add_levels(std::move(result.geometry), options.levels, pool);
    stats.seconds.levels = late.restart();
    if (options.coding == Coding::kCompact) result.geometry = recode(result.geometry.view(), options.coding, pool);
    stats.seconds.pack += late.seconds();
    if (stats.position_bits < most_bits && is_too_coarse(stats.dropped_by_grid, stats.source_triangles)) {
        const Stopwatch counting;
        const PositionGrid finest = choose_position_grid(box.min, box.max, most_bits);
        stats.lost_by_most_bits = count_lost(meshes, finest, pool);
        stats.seconds.pack += counting.seconds();
    }
    stats.error.position_max = std::sqrt(error.max_squared);
    if (stats.source_vertices > 0) {
        stats.error.position_rms = std::sqrt(error.sum_squared / static_cast<double>(stats.source_vertices));
    }
    const double size = diagonal(box);
    if (size > 0) stats.error.position_max_relative = stats.error.position_max / size;
    return result;
}

}  // namespace sublet::mesh
