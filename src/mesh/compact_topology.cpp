#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "mesh/compact_write.h"
#include "shaders/shared/compact.h"

namespace sublet::mesh {
namespace {

using LocalCorners = std::array<std::uint8_t, 3>;

// The fields of shared::CompactTopology.
struct Strips {
    static constexpr std::uint32_t kMostOccurrences = 64;

    std::uint32_t starts = 0;
    std::uint32_t turns = 0;
    std::uint64_t fresh = 0;
    std::uint32_t occurrences = 0;
    std::uint32_t vertices = 0;  // that have occurred
    std::array<std::uint8_t, kMostOccurrences> reused{};
    std::array<std::uint8_t, kMostOccurrences> turned{};  // the triangles of these
    bool has_turned = false;
    std::uint32_t reused_count = 0;

    // False where the vertex is not the next in the order of first use, nor one that has occurred.
    bool occur(std::uint8_t vertex) {
        if (vertex > vertices || occurrences == kMostOccurrences) return false;
        if (vertex == vertices) {
            fresh |= std::uint64_t{1} << occurrences;
            ++vertices;
        } else {
            reused[reused_count++] = vertex;
        }
        ++occurrences;
        return true;
    }

    [[nodiscard]] std::uint32_t starts_bits(std::uint32_t triangles) const {
        const auto later = static_cast<std::uint32_t>(std::popcount(starts)) - 1;
        return later < shared::kCompactStartsMask ? later * shared::kCompactIndexBits : triangles - 1;
    }
    [[nodiscard]] std::uint32_t bits(std::uint32_t triangles) const {
        return starts_bits(triangles) + triangles - 1 + occurrences - 3 + reused_count * shared::kCompactIndexBits +
               (has_turned ? 2 * reused_count : 0);
    }
};

// A triangle of a strip, as the decoder makes it of its pivot and of its two newest occurrences, not turned.
LocalCorners corners_of(std::uint8_t p, std::uint8_t y, std::uint8_t z, bool odd) {
    return odd ? LocalCorners{z, y, p} : LocalCorners{z, p, y};
}

std::optional<Strips> find_strips(std::span<const LocalCorners> triangles, std::uint32_t vertices) {
    Strips s;
    std::uint8_t pivot = 0;
    std::uint8_t middle = 0;
    std::uint8_t newest = 0;
    bool odd = false;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const LocalCorners& t = triangles[i];
        bool found = false;
        for (std::uint32_t way = 0; way < 6 && i > 0 && !found; ++way) {
            const bool turns = way % 2 != 0;
            const std::uint32_t turned = way / 2;  // by this many corners
            const bool is_odd = odd != turns;
            const std::uint8_t p = turns ? middle : pivot;
            const std::uint8_t z = t[(3 - turned) % 3];
            LocalCorners made = corners_of(p, newest, z, is_odd);
            std::rotate(made.begin(), made.begin() + turned, made.end());
            if (made != t || (turned != 0 && z >= s.vertices)) continue;
            if (!s.occur(z)) return std::nullopt;
            if (turned != 0) {
                s.turned[s.reused_count - 1] = static_cast<std::uint8_t>(turned);
                s.has_turned = true;
            }
            s.turns |= static_cast<std::uint32_t>(turns) << i;
            odd = is_odd;
            pivot = p;
            middle = newest;
            newest = z;
            found = true;
        }
        if (found) continue;
        if (!s.occur(t[1]) || !s.occur(t[2]) || !s.occur(t[0])) return std::nullopt;
        s.starts |= 1U << i;
        odd = false;
        pivot = t[1];
        middle = t[2];
        newest = t[0];
    }
    if ((s.fresh & 7) != 7 || s.vertices != vertices) return std::nullopt;
    return s;
}

}  // namespace

Topology plan_topology(std::span<const LocalCorners> triangles, std::uint32_t vertices) {
    const auto count = static_cast<std::uint32_t>(triangles.size());
    const std::optional<Strips> strips = find_strips(triangles, vertices);
    Topology result;
    if (!strips || strips->bits(count) > count * kTriangleBits) {
        result.head = shared::kCompactRawBit;
        for (const LocalCorners& t : triangles) {
            result.fields.add(t[0] | static_cast<std::uint32_t>(t[1]) << kIndexBits |
                                  static_cast<std::uint32_t>(t[2]) << (2 * kIndexBits),
                              kTriangleBits);
        }
        return result;
    }
    const std::uint32_t later =
        std::min(static_cast<std::uint32_t>(std::popcount(strips->starts)) - 1U, shared::kCompactStartsMask);
    result.head = later | (strips->has_turned ? shared::kCompactTurnedBit : 0U);
    std::uint32_t starts = strips->starts >> 1U;
    if (later < shared::kCompactStartsMask) {
        starts = 0;
        std::uint32_t left = strips->starts & ~1U;
        for (std::uint32_t i = 0; left != 0; ++i, left &= left - 1) {
            starts |= static_cast<std::uint32_t>(std::countr_zero(left)) << (i * shared::kCompactIndexBits);
        }
    }
    result.fields.add(starts, strips->starts_bits(count));
    result.fields.add(strips->turns >> 1U, count - 1);
    const std::uint32_t low = std::min(strips->occurrences, 32U) - 3;
    result.fields.add(low_bits(strips->fresh >> 3U, low), low);
    if (strips->occurrences > 32) {
        result.fields.add(static_cast<std::uint32_t>(strips->fresh >> 32U), strips->occurrences - 32);
    }
    for (std::uint32_t i = 0; i < strips->reused_count; ++i) result.fields.add(strips->reused[i], kIndexBits);
    for (std::uint32_t i = 0; i < strips->reused_count && strips->has_turned; ++i)
        result.fields.add(strips->turned[i], 2);
    return result;
}

}  // namespace sublet::mesh
