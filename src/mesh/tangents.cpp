#include "mesh/tangents.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "base/progress.h"
#include "mesh/first_equal.h"
#include "mesh/parallel.h"
#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

constexpr std::uint32_t kNoneFound = ~0U;

Vec3 unit_or_zero(const Vec3& v) {
    const double length = std::sqrt(dot(v, v));
    return length > 0.0 ? sum(v, 1.0 / length, {}, 0.0) : Vec3{};
}

// The direction of `v` within the plane at a right angle to the unit vector `normal`.
Vec3 within_plane(const Vec3& v, const Vec3& normal) {
    return unit_or_zero(sum(v, 1.0, normal, -dot(v, normal)));
}

// Some direction within that plane.
Vec3 any_within_plane(const Vec3& normal) {
    return within_plane(std::abs(normal[0]) < 0.9 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0}, normal);
}

// Corners are numbered as indices are: corner c belongs to triangle c / 3. The edge of corner c leads from it to the
// next corner of its triangle, and has its number.
std::uint32_t next_corner(std::uint32_t c) {
    return c % 3 == 2 ? c - 2 : c + 1;
}
std::uint32_t previous_corner(std::uint32_t c) {
    return c % 3 == 0 ? c + 2 : c - 1;
}

// Which way a triangle turns in the texture, seen from the side from which it turns counter-clockwise in space.
enum class Turn : std::uint8_t {
    kForward,   // by the sign of its area, U to the right and V upwards
    kBackward,  // mirrored
    kAny,       // it has no area in the texture: it turns as the first group that reaches it
    kPoint,     // two corners lie at one place: it has no neighbours
};

struct TriangleTangents {
    std::array<float, 3> direction{};  // the way that U grows: unit length, or 0 where there is none
    Turn turn = Turn::kAny;

    [[nodiscard]] bool has_direction() const { return direction != std::array<float, 3>{}; }
};

// What the steps share.
struct Work {
    const TangentInput& input;
    ThreadPool* pool;
    std::vector<std::uint32_t> places;  // of each vertex: the first that equals it in position, normal and UV
    std::vector<TriangleTangents> triangles;
    std::vector<std::uint32_t> opposites;  // of each edge: the edge of the triangle on its other side
    std::vector<std::uint32_t> groups;     // of each corner
    std::vector<std::uint32_t> members;    // the corners of all groups, one group after the other
    std::vector<std::uint32_t> begins;     // where each group begins in `members`, and where the last ends

    [[nodiscard]] std::uint32_t place(std::uint32_t corner) const { return places[input.indices[corner]]; }
    [[nodiscard]] Vec3 position(std::uint32_t corner) const {
        return to_double(input.positions[input.indices[corner]]);
    }
    [[nodiscard]] Vec3 normal(std::uint32_t corner) const { return to_double(input.normals[input.indices[corner]]); }
};

std::vector<std::uint32_t> find_places(const TangentInput& input, ThreadPool* pool) {
    const std::size_t count = input.positions.size();
    std::vector<std::uint32_t> hashes(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::array<std::uint32_t, 8> words{};
            std::size_t n = 0;
            const auto add = [&](float x) { words[n++] = std::bit_cast<std::uint32_t>(x + 0.0F); };  // -0 equals 0
            for (const float x : input.positions[i]) add(x);
            for (const float x : input.normals[i]) add(x);
            for (const float x : input.uv[i]) add(x);
            hashes[i] = hash_words(words.data(), words.size());
        }
    });
    const auto equal = [&](std::uint32_t a, std::uint32_t b) {
        return input.positions[a] == input.positions[b] && input.normals[a] == input.normals[b] &&
               input.uv[a] == input.uv[b];
    };
    return find_first_equal(
        hashes, equal, [](std::uint32_t) { return false; }, pool);
}

TriangleTangents measure(const TangentInput& input, std::uint32_t triangle) {
    const std::uint32_t* const v = input.indices.data() + std::size_t{3} * triangle;
    const auto& p = input.positions;
    if (p[v[0]] == p[v[1]] || p[v[1]] == p[v[2]] || p[v[2]] == p[v[0]]) return {{}, Turn::kPoint};
    const auto uv_edge = [&](std::uint32_t end, std::size_t i) {
        return static_cast<double>(input.uv[end][i]) - static_cast<double>(input.uv[v[0]][i]);
    };
    const Vec3 origin = to_double(p[v[0]]);
    const Vec3 a = sum(to_double(p[v[1]]), 1.0, origin, -1.0);
    const Vec3 b = sum(to_double(p[v[2]]), 1.0, origin, -1.0);
    const std::array<double, 2> a_uv{uv_edge(v[1], 0), uv_edge(v[1], 1)};
    const std::array<double, 2> b_uv{uv_edge(v[2], 0), uv_edge(v[2], 1)};
    const double area = a_uv[0] * b_uv[1] - b_uv[0] * a_uv[1];
    // The position's derivatives by U and by V, times the area.
    const Vec3 by_u = unit_or_zero(sum(a, b_uv[1], b, -a_uv[1]));
    const Vec3 by_v = unit_or_zero(sum(b, a_uv[0], a, -b_uv[0]));
    if (area == 0.0 || by_u == Vec3{} || by_v == Vec3{}) return {{}, Turn::kAny};
    const double sign = area > 0.0 ? 1.0 : -1.0;
    return {
        {static_cast<float>(by_u[0] * sign), static_cast<float>(by_u[1] * sign), static_cast<float>(by_u[2] * sign)},
        area > 0.0 ? Turn::kForward : Turn::kBackward};
}

// Finds the edge on the other side of each: between the same places, in the other direction. Where more than two
// triangles share an edge, each takes the first that is left.
void find_opposites(Work& work) {
    const auto corners = static_cast<std::uint32_t>(work.input.indices.size());
    const auto starts_low = [&](std::uint32_t c) { return work.place(c) < work.place(next_corner(c)); };
    const auto low = [&](std::uint32_t c) { return std::min(work.place(c), work.place(next_corner(c))); };
    const auto high = [&](std::uint32_t c) { return std::max(work.place(c), work.place(next_corner(c))); };
    const auto is_edge = [&](std::uint32_t c) { return work.triangles[c / 3].turn != Turn::kPoint; };

    // Edges by their lower place, in order.
    std::vector<std::uint32_t> begin(work.places.size() + 2);  // of each place, one further on
    for (std::uint32_t c = 0; c < corners; ++c) {
        if (is_edge(c)) ++begin[low(c) + 2];
    }
    for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::uint32_t> edges(begin.back());
    for (std::uint32_t c = 0; c < corners; ++c) {
        if (is_edge(c)) edges[begin[low(c) + 1]++] = c;
    }

    work.opposites.assign(corners, kNoneFound);
    for_ranges(work.pool, work.places.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<std::uint32_t> waiting;  // edges between two places, all of one direction
        for (std::size_t place = first; place < last; ++place) {
            const auto from = edges.begin() + begin[place];
            const auto to = edges.begin() + begin[place + 1];
            std::sort(from, to, [&](std::uint32_t a, std::uint32_t b) {
                const std::uint32_t x = high(a);
                const std::uint32_t y = high(b);
                return x != y ? x < y : a < b;
            });
            std::size_t served = 0;
            for (auto edge = from; edge != to; ++edge) {
                if (edge == from || high(*edge) != high(*(edge - 1))) {
                    waiting.clear();
                    served = 0;
                }
                if (served < waiting.size() && starts_low(waiting[served]) != starts_low(*edge)) {
                    work.opposites[*edge] = waiting[served];
                    work.opposites[waiting[served]] = *edge;
                    ++served;
                } else {
                    waiting.push_back(*edge);
                }
            }
        }
    });
}

// Groups the corners around each place: those of triangles that lie edge to edge and turn the same way. One after the
// other, since a triangle without area in the texture turns as the group that reaches it first.
void find_groups(Work& work) {
    const auto corners = static_cast<std::uint32_t>(work.input.indices.size());
    work.groups.assign(corners, kNoneFound);
    work.members.reserve(corners);
    // The corner at the same place across the edge that begins at the corner, or across the one that ends there.
    const auto across_begin = [&](std::uint32_t c) {
        const std::uint32_t edge = work.opposites[c];
        return edge == kNoneFound ? kNoneFound : next_corner(edge);
    };
    const auto across_end = [&](std::uint32_t c) { return work.opposites[previous_corner(c)]; };
    for (std::uint32_t start = 0; start < corners; ++start) {
        const Turn turn = work.triangles[start / 3].turn;
        if (work.groups[start] != kNoneFound || !work.triangles[start / 3].has_direction()) continue;
        const auto group = static_cast<std::uint32_t>(work.begins.size());
        work.begins.push_back(static_cast<std::uint32_t>(work.members.size()));
        const auto join = [&](std::uint32_t c) {
            if (c == kNoneFound || work.groups[c] != kNoneFound) return false;
            TriangleTangents& triangle = work.triangles[c / 3];
            if (triangle.turn == Turn::kAny) triangle.turn = turn;
            if (triangle.turn != turn) return false;
            work.groups[c] = group;
            work.members.push_back(c);
            return true;
        };
        join(start);
        for (std::uint32_t c = across_begin(start); join(c);) c = across_begin(c);
        for (std::uint32_t c = across_end(start); join(c);) c = across_end(c);
    }
    work.begins.push_back(static_cast<std::uint32_t>(work.members.size()));
}

// Corners of triangles that are no more than a point or a line belong to a group of their place.
void join_points(Work& work) {
    const auto is_point = [](const TriangleTangents& triangle) { return triangle.turn == Turn::kPoint; };
    if (std::ranges::none_of(work.triangles, is_point)) return;
    const auto corners = static_cast<std::uint32_t>(work.input.indices.size());
    std::vector<std::uint32_t> first(work.places.size(), kNoneFound);  // corner at a place, of triangles that are more
    for (std::uint32_t c = 0; c < corners; ++c) {
        if (!is_point(work.triangles[c / 3]) && first[work.place(c)] == kNoneFound) first[work.place(c)] = c;
    }
    for (std::uint32_t c = 0; c < corners; ++c) {
        const std::uint32_t other = first[work.place(c)];
        if (is_point(work.triangles[c / 3]) && other != kNoneFound) work.groups[c] = work.groups[other];
    }
}

std::array<float, 4> pack(const Vec3& tangent, Turn turn) {
    // A texture whose V points down is the mirror image of one whose V points up.
    return {static_cast<float>(tangent[0]), static_cast<float>(tangent[1]), static_cast<float>(tangent[2]),
            turn == Turn::kForward ? -1.0F : 1.0F};
}

// The sum of its triangles' directions, each weighed by the angle of its corner; both as seen along the normal.
std::array<float, 4> tangent_of_group(const Work& work, std::span<const std::uint32_t> members) {
    const Vec3 normal = work.normal(members[0]);
    Vec3 total{};
    for (const std::uint32_t c : members) {
        const TriangleTangents& triangle = work.triangles[c / 3];
        if (!triangle.has_direction()) continue;
        const auto edge_to = [&](std::uint32_t end) {
            return within_plane(sum(work.position(end), 1.0, work.position(c), -1.0), normal);
        };
        const double cosine = dot(edge_to(next_corner(c)), edge_to(previous_corner(c)));
        const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
        total = sum(total, 1.0, within_plane(to_double(triangle.direction), normal), angle);
    }
    const Vec3 tangent = unit_or_zero(total);
    return pack(tangent == Vec3{} ? any_within_plane(normal) : tangent, work.triangles[members[0] / 3].turn);
}

std::vector<std::array<float, 4>> tangents_of_groups(const Work& work) {
    std::vector<std::array<float, 4>> tangents(work.begins.size() - 1);
    for_ranges(work.pool, tangents.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) {
            tangents[g] = tangent_of_group(
                work, std::span(work.members).subspan(work.begins[g], work.begins[g + 1] - work.begins[g]));
        }
    });
    return tangents;
}

// Vertices for the tangents that their corners have.
TangentMesh split_vertices(const Work& work, const std::vector<std::array<float, 4>>& tangents) {
    const std::span<const std::uint32_t> indices = work.input.indices;
    const auto tangent_at = [&](std::uint32_t c) {
        const std::uint32_t group = work.groups[c];
        return group == kNoneFound ? pack(any_within_plane(work.normal(c)), Turn::kAny) : tangents[group];
    };
    const auto alike = [&](std::uint32_t a, std::uint32_t b) {
        return work.groups[a] == work.groups[b] || tangent_at(a) == tangent_at(b);
    };

    TangentMesh result;
    result.indices.resize(indices.size());
    const auto add_vertex = [&](std::uint32_t c) {
        result.indices[c] = static_cast<std::uint32_t>(result.sources.size());
        result.sources.push_back(indices[c]);
        result.tangents.push_back(tangent_at(c));
    };
    // Most corners have the tangent that the first corner of their vertex has.
    std::vector<std::uint32_t> first(work.places.size(), kNoneFound);
    std::vector<std::uint32_t> others;
    for (std::uint32_t c = 0; c < indices.size(); ++c) {
        std::uint32_t& first_corner = first[indices[c]];
        if (first_corner == kNoneFound) {
            first_corner = c;
            add_vertex(c);
        } else if (alike(first_corner, c)) {
            result.indices[c] = result.indices[first_corner];
        } else {
            others.push_back(c);
        }
    }

    std::vector<std::uint32_t> hashes(others.size());
    for_ranges(work.pool, others.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::array<std::uint32_t, 5> words{indices[others[i]]};
            const std::array<float, 4> tangent = tangent_at(others[i]);
            for (std::size_t k = 0; k < 4; ++k) words[k + 1] = std::bit_cast<std::uint32_t>(tangent[k] + 0.0F);
            hashes[i] = hash_words(words.data(), words.size());
        }
    });
    const auto equal = [&](std::uint32_t a, std::uint32_t b) {
        return indices[others[a]] == indices[others[b]] && alike(others[a], others[b]);
    };
    const std::vector<std::uint32_t> firsts = find_first_equal(
        hashes, equal, [](std::uint32_t) { return false; }, work.pool);
    for (std::uint32_t i = 0; i < others.size(); ++i) {
        if (firsts[i] == i) {
            add_vertex(others[i]);
        } else {
            result.indices[others[i]] = result.indices[others[firsts[i]]];
        }
    }
    return result;
}

}  // namespace

TangentMesh make_tangents(const TangentInput& input, ThreadPool* pool, Progress* progress) {
    const std::size_t count = input.indices.size() / 3;
    const auto step_done = [&] {
        if (progress != nullptr) progress->advance(count);
    };
    Work work{input, pool, find_places(input, pool), {}, {}, {}, {}, {}};
    work.triangles.resize(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            work.triangles[t] = measure(input, static_cast<std::uint32_t>(t));
        }
    });
    step_done();
    find_opposites(work);
    step_done();
    find_groups(work);
    work.opposites = {};
    join_points(work);
    step_done();
    const std::vector<std::array<float, 4>> tangents = tangents_of_groups(work);
    work.members = {};
    work.triangles = {};
    TangentMesh result = split_vertices(work, tangents);
    step_done();
    return result;
}

}  // namespace sublet::mesh
