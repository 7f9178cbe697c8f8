#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "mesh/compact_write.h"
#include "mesh/count_ones.h"
#include "shaders/shared/compact.h"

namespace sublet::mesh {
namespace {

using shared::kSubletSize;
using Column = std::array<std::int32_t, kSubletSize>;

constexpr std::int32_t kMostSlope = (1 << (shared::kCompactSlopeBits - 1)) - 1;
constexpr std::int32_t kMostShift = (1 << shared::kCompactShiftBits) - 1;
// Of a draft.
constexpr std::uint32_t kDraftBaseBits = kWideLimits.base_bits;
constexpr std::uint32_t kDraftWidthBits = 5;
constexpr std::uint32_t kDraftKindBits = 2;
// Steps by which slopes are bettered.
constexpr int kFitSteps = 2;

struct ValueRange {
    std::int32_t least = 0;
    std::int32_t greatest = 0;

    // Predictions wrap: what is left of them may be anything.
    [[nodiscard]] std::uint32_t span() const {
        return static_cast<std::uint32_t>(greatest) - static_cast<std::uint32_t>(least);
    }
    [[nodiscard]] std::uint32_t width() const { return static_cast<std::uint32_t>(std::bit_width(span())); }
};

ValueRange range_of(const Column& values, std::size_t count) {
    const auto [least, greatest] =
        std::minmax_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    return {*least, *greatest};
}

// Whether a range that is a little smaller takes a bit less.
bool is_near_less(const ValueRange& range) {
    const std::uint32_t width = range.width();
    return width > 0 && width <= kMostPositionBits && range.span() < (1U << (width - 1)) + (1U << width) / 10;
}

// What is left of values once they are predicted.
ValueRange residuals(const Column& values, const Predictors& by, std::size_t count, std::uint32_t slopes) {
    ValueRange range{INT32_MAX, INT32_MIN};
    for (std::size_t i = 0; i < count; ++i) {
        const auto d = static_cast<std::int32_t>(static_cast<std::uint32_t>(values[i]) -
                                                 static_cast<std::uint32_t>(shared::compact_predicted(slopes, by[i])));
        range.least = std::min(range.least, d);
        range.greatest = std::max(range.greatest, d);
    }
    return range;
}

// Slopes as integers, and the shift.
struct Slopes {
    std::array<std::int32_t, 3> by{};
    std::int32_t shift = 0;

    [[nodiscard]] std::uint32_t packed() const {
        auto bits = static_cast<std::uint32_t>(shift);
        for (std::uint32_t k = 0; k < 3; ++k) {
            bits |= (static_cast<std::uint32_t>(by[k]) & ((1U << shared::kCompactSlopeBits) - 1U))
                    << (shared::kCompactShiftBits + k * shared::kCompactSlopeBits);
        }
        return bits;
    }
};

// Moments of the predictors of a sublet's vertices, which all components share.
class Moments {
  public:
    Moments(const Predictors& by, std::size_t count) : by_(by), count_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::array<double, 3> x = at(i);
            for (std::size_t k = 0; k < 3; ++k) mean_[k] += x[k];
        }
        for (double& m : mean_) m /= static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::array<double, 3> x = at(i);
            for (std::size_t j = 0; j < 3; ++j) {
                for (std::size_t k = j; k < 3; ++k) products_[j][k] += (x[j] - mean_[j]) * (x[k] - mean_[k]);
            }
        }
    }

    // Slopes by `terms` (2 or 3) predictors that leave little of the values: those of least squares, rounded, then
    // bettered step by step. All 0 where none help.
    [[nodiscard]] Slopes fit(const Column& values, std::size_t terms) const {
        std::array<std::array<double, 4>, 3> a{};
        for (std::size_t i = 0; i < count_; ++i) {
            const std::array<double, 3> x = at(i);
            for (std::size_t k = 0; k < terms; ++k) a[k][3] += (x[k] - mean_[k]) * values[i];
        }
        for (std::size_t j = 0; j < terms; ++j) {
            for (std::size_t k = 0; k < terms; ++k) a[j][k] = products_[std::min(j, k)][std::max(j, k)];
            // A little more than nothing keeps slopes small across vertices in a line.
            a[j][j] = a[j][j] * 1.0001 + 0.001;
        }
        // The matrix is positive definite: no pivots are needed.
        for (std::size_t j = 0; j < terms; ++j) {
            for (std::size_t row = 0; row < terms; ++row) {
                if (row == j) continue;
                const double factor = a[row][j] / a[j][j];
                for (std::size_t k = j; k < 4; ++k) a[row][k] -= factor * a[j][k];
            }
        }
        std::array<double, 3> exact{};
        double most = 0;
        for (std::size_t k = 0; k < terms; ++k) {
            exact[k] = a[k][3] / a[k][k];
            most = std::max(most, std::abs(exact[k]));
        }
        if (!(most > 0 && most < 1e9)) return {};
        constexpr int kScale = static_cast<int>(shared::kCompactSlopeScale);
        Slopes best;
        best.shift = std::min(std::ilogb(kMostSlope / most) + kScale, kMostShift);
        if (best.shift < 0) return {};
        for (std::size_t k = 0; k < terms; ++k) {
            best.by[k] = static_cast<std::int32_t>(std::lround(std::ldexp(exact[k], best.shift - kScale)));
        }
        ValueRange left = residuals(values, by_, count_, best.packed());
        // Only where a bit is near.
        for (int step = 0; step < kFitSteps && is_near_less(left); ++step) {
            const Slopes from = best;
            for (std::size_t k = 0; k < 2 * terms; ++k) {
                Slopes tried = from;
                tried.by[k / 2] += k % 2 == 0 ? -1 : 1;
                if (std::abs(tried.by[k / 2]) > kMostSlope) continue;
                const ValueRange range = residuals(values, by_, count_, tried.packed());
                if (range.span() >= left.span()) continue;
                left = range;
                best = tried;
            }
            if (best.by == from.by) break;
        }
        return best;
    }

    [[nodiscard]] const Predictors& by() const { return by_; }

  private:
    [[nodiscard]] std::array<double, 3> at(std::size_t i) const {
        return {static_cast<double>(by_[i].u), static_cast<double>(by_[i].v), static_cast<double>(by_[i].w)};
    }

    const Predictors& by_;
    std::size_t count_;
    std::array<double, 3> mean_{};
    std::array<std::array<double, 3>, 3> products_{};
};

// Plans a component the way that takes fewest bits for `stored` values: predicted by up to `terms` others (0, or 2 or
// 3), or in a palette if it `may_have_palette`. Returns the bits.
std::uint32_t plan_component(const Column& values, std::size_t count, std::uint32_t stored, const Moments* moments,
                             std::size_t terms, bool may_have_palette, const CompactLimits& limits,
                             ComponentPlan& plan) {
    const ValueRange plain = range_of(values, count);
    plan.base = plain.least;
    plan.width = plain.width();
    std::uint32_t fewest = plan.width * stored;
    if (may_have_palette && fewest > shared::kCompactIndexBits + plan.width) {
        std::array<std::uint32_t, kSubletSize> palette{};
        std::uint32_t size = 0;
        std::uint32_t bits = shared::kCompactIndexBits;
        for (std::size_t i = 0; i < count && bits < fewest; ++i) {
            const auto difference = static_cast<std::uint32_t>(values[i] - plain.least);
            if (std::find(palette.begin(), palette.begin() + size, difference) != palette.begin() + size) continue;
            palette[size++] = difference;
            bits = shared::kCompactIndexBits + size * plan.width +
                   static_cast<std::uint32_t>(std::bit_width(size - 1)) * stored;
        }
        if (bits < fewest) {
            fewest = bits;
            plan.kind = shared::kCompactPalette;
            plan.palette_size = size;
            plan.palette = palette;
        }
    }
    for (std::size_t t = 2; t <= terms; ++t) {
        const std::uint32_t slopes_bits = t == 2 ? shared::kCompactTwoSlopes : shared::kCompactThreeSlopes;
        if (fewest <= slopes_bits) break;
        const Slopes slopes = moments->fit(values, t);
        if (slopes.by == std::array<std::int32_t, 3>{}) continue;
        const ValueRange left = residuals(values, moments->by(), count, slopes.packed());
        const std::uint32_t bits = left.width() * stored + slopes_bits;
        if (bits >= fewest || left.width() > limits.width || left.least < limits.least_base ||
            left.least > limits.most_base) {
            continue;
        }
        fewest = bits;
        plan.kind = t == 2 ? shared::kCompactByTwo : shared::kCompactByThree;
        plan.base = left.least;
        plan.width = left.width();
        plan.slopes = slopes.packed();
    }
    return fewest;
}

// Which own vertices have a value that none before them has, or that the one before them has not.
struct Repeats {
    std::uint32_t first = 0;
    std::uint32_t runs = 0;
    std::array<std::uint8_t, kSubletSize> copy{};  // among the first
};

// `bits`: of a component. Of more than 16 three count.
Repeats find_repeats(std::span<const Components> values, std::uint32_t bits) {
    Repeats result;
    std::array<std::uint64_t, kSubletSize> first{};
    std::uint64_t last = 0;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint64_t key = 0;
        for (std::size_t c = 0; c < 64 / bits; ++c) {
            key = key << bits | low_bits(static_cast<std::uint32_t>(values[i][c]), bits);
        }
        if (i == 0 || key != last) result.runs |= 1U << i;
        last = key;
        const auto found =
            static_cast<std::uint32_t>(std::find(first.begin(), first.begin() + count, key) - first.begin());
        if (found == count) {
            result.first |= 1U << i;
            first[count++] = key;
        }
        result.copy[i] = static_cast<std::uint8_t>(found);
    }
    return result;
}

// What the mode takes beside the values, in bits; `stored` as it is then.
std::uint32_t mode_bits(std::uint32_t mode, const Repeats& repeats, std::uint32_t own, std::uint32_t& stored) {
    stored = mode == shared::kCompactEach   ? low_bits(~0U, own)
             : mode == shared::kCompactRuns ? repeats.runs
                                            : repeats.first;
    if (mode == shared::kCompactEach) return 0;
    const auto count = count_ones(stored);
    return own - 1 + (mode == shared::kCompactCopies ? (own - count) * shared::kCompactIndexBits : 0);
}

void set_mode(StreamPlan& plan, std::uint32_t mode, const Repeats& repeats) {
    plan.mode = mode;
    (void)mode_bits(mode, repeats, plan.own, plan.stored);
    plan.copy = repeats.copy;
}

// What is stored of all values.
void set_values(StreamPlan& plan, const std::array<Column, 4>& columns, const Predictors& by) {
    for (std::uint32_t i = 0; i < plan.own; ++i) {
        for (std::size_t c = 0; c < 4; ++c) {
            const ComponentPlan& component = plan.components[c];
            const std::int32_t predicted =
                component.slopes != 0 ? shared::compact_predicted(component.slopes, by[i]) : 0;
            auto value = static_cast<std::uint32_t>(columns[c][i] - predicted - component.base);
            if (component.kind == shared::kCompactPalette) {
                value =
                    static_cast<std::uint32_t>(std::ranges::find(component.palette, value) - component.palette.begin());
            }
            plan.values[i][c] = value;
        }
    }
}

std::array<Column, 4> columns_of(std::span<const Components> values) {
    std::array<Column, 4> columns{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t c = 0; c < 4; ++c) columns[c][i] = values[i][c];
    }
    return columns;
}

// Moves normals over the folded border of their square to where they are near one another, if that narrows them.
void unfold_normals(Column& x, Column& y, std::size_t count) {
    const std::uint32_t width_x = range_of(x, count).width();
    const std::uint32_t width_y = range_of(y, count).width();
    if (std::max(width_x, width_y) < 7) return;  // the border is far
    const Column folded_x = x;
    const Column folded_y = y;
    double mean_x = x[0];
    double mean_y = y[0];
    for (int pass = 0; pass < 2; ++pass) {
        double sum_x = 0;
        double sum_y = 0;
        for (std::size_t i = 0; i < count; ++i) {
            std::int32_t best_x = x[i];
            std::int32_t best_y = y[i];
            double nearest = 1e9;
            for (std::int32_t image = 0; image < 9; ++image) {
                const std::int32_t kx = image % 3 - 1;
                const std::int32_t ky = image / 3 - 1;
                shared::CompactValue folded{{x[i], y[i], 0, 0}};
                folded = shared::compact_fold_normal(folded);
                const std::int32_t flip = -((kx + ky) & 1);
                const std::int32_t px = (static_cast<std::int8_t>(folded.c[0]) ^ flip) + 256 * kx;
                const std::int32_t py = (static_cast<std::int8_t>(folded.c[1]) ^ flip) + 256 * ky;
                const double distance = std::max(std::abs(px - mean_x), std::abs(py - mean_y));
                if (distance >= nearest) continue;
                nearest = distance;
                best_x = px;
                best_y = py;
            }
            x[i] = best_x;
            y[i] = best_y;
            sum_x += best_x;
            sum_y += best_y;
        }
        mean_x = sum_x / static_cast<double>(count);
        mean_y = sum_y / static_cast<double>(count);
    }
    if (range_of(x, count).width() + range_of(y, count).width() < width_x + width_y) return;
    x = folded_x;
    y = folded_y;
}

}  // namespace

StreamPlan plan_positions(std::span<const Components> values, const CompactLimits& limits, Predictors& predictors) {
    const auto own = static_cast<std::uint32_t>(values.size());
    const std::array<Column, 4> columns = columns_of(values);
    const Repeats repeats = find_repeats(values, limits.width);
    std::uint32_t mode = shared::kCompactEach;
    std::uint32_t mode_cost = 0;
    std::uint32_t stored = 0;
    std::uint32_t width = 0;
    std::array<std::int32_t, 3> least{};
    for (std::size_t c = 0; c < 3; ++c) {
        const ValueRange range = range_of(columns[c], own);
        least[c] = range.least;
        width += range.width();
    }
    std::uint32_t fewest = UINT32_MAX;
    for (const std::uint32_t m : {shared::kCompactEach, shared::kCompactRuns, shared::kCompactCopies}) {
        const std::uint32_t bits = mode_bits(m, repeats, own, stored);
        const std::uint32_t all = bits + count_ones(stored) * width;
        if (all >= fewest) continue;
        fewest = all;
        mode = m;
        mode_cost = bits;
    }
    StreamPlan best;
    fewest = UINT32_MAX;
    StreamPlan plain;
    plain.own = own;
    set_mode(plain, mode, repeats);
    const auto count = count_ones(plain.stored);
    std::array<std::uint32_t, 3> plain_bits{};
    for (std::uint32_t c = 0; c < 3; ++c) {
        plain_bits[c] = plan_component(columns[c], own, count, nullptr, 0, true, limits, plain.components[c]);
    }
    for (std::uint32_t axis = 0; axis <= shared::kCompactNoAxis; ++axis) {
        StreamPlan plan = plain;
        plan.axis = axis;
        const std::uint32_t w = axis == shared::kCompactNoAxis ? 2 : axis;
        const std::uint32_t u = (w + 1) % 3;
        const std::uint32_t v = (w + 2) % 3;
        Predictors by{};
        for (std::uint32_t i = 0; i < own; ++i) by[i] = {columns[u][i] - least[u], columns[v][i] - least[v], 0};
        std::uint32_t bits = mode_cost + plain_bits[0] + plain_bits[1] + plain_bits[2];
        if (axis < 3) {
            plan.components[w] = {};
            const Moments moments(by, own);
            const std::uint32_t predicted =
                plan_component(columns[w], own, count, &moments, 2, false, limits, plan.components[w]);
            // An axis that predicts nothing is none.
            if (plan.components[w].kind != shared::kCompactByTwo) continue;
            bits += predicted - plain_bits[w];
        }
        if (bits >= fewest) continue;
        fewest = bits;
        for (std::uint32_t i = 0; i < own; ++i) {
            const ComponentPlan& component = plan.components[w];
            by[i].w = columns[w][i] - component.base;
            if (component.slopes != 0) by[i].w -= shared::compact_predicted(component.slopes, by[i]);
        }
        best = plan;
        predictors = by;
    }
    set_values(best, columns, predictors);
    return best;
}

StreamPlan plan_stream(std::span<const Components> values, const StreamLayout& layout, bool has_normal,
                       const Predictors& predictors) {
    const auto own = static_cast<std::uint32_t>(values.size());
    StreamPlan each;
    each.own = own;
    std::array<Components, kSubletSize> unsigned_values{};
    std::ranges::copy(values, unsigned_values.begin());
    if (layout.has_tangent_sign) each.sign = take_tangent_sign(std::span(unsigned_values.data(), own));
    std::array<Column, 4> columns = columns_of(std::span(unsigned_values.data(), own));
    if (has_normal) unfold_normals(columns[0], columns[1], own);
    const Repeats repeats = find_repeats(values, kNarrowLimits.width);
    const Moments moments(predictors, own);
    StreamPlan best = each;
    set_mode(best, shared::kCompactEach, repeats);
    std::uint32_t fewest = 0;
    std::uint32_t width = 0;
    for (std::uint32_t c = 0; c < layout.components; ++c) {
        width += range_of(columns[c], own).width();
        fewest += plan_component(columns[c], own, own, &moments, 3, true, kNarrowLimits, best.components[c]);
    }
    for (const std::uint32_t mode : {shared::kCompactRuns, shared::kCompactCopies}) {
        StreamPlan plan = each;
        std::uint32_t bits = mode_bits(mode, repeats, own, plan.stored);
        const auto count = count_ones(plan.stored);
        // Palettes spare half of it at most where a value is stored once.
        if (count == own || bits + count * width / 2 >= fewest) continue;
        for (std::uint32_t c = 0; c < layout.components; ++c) {
            bits += plan_component(columns[c], own, count, nullptr, 0, true, kNarrowLimits, plan.components[c]);
        }
        if (bits >= fewest) continue;
        fewest = bits;
        best = plan;
        set_mode(best, mode, repeats);
    }
    set_values(best, columns, predictors);
    return best;
}

void ComponentRange::add(const ComponentPlan& plan, bool is_axis) {
    least_base = std::min(least_base, plan.base);
    greatest_base = std::max(greatest_base, plan.base);
    least_width = std::min(least_width, plan.width);
    greatest_width = std::max(greatest_width, plan.width);
    has_kinds = has_kinds || (!is_axis && plan.kind != shared::kCompactPlain);
}

void ComponentRange::add(const ComponentRange& other) {
    least_base = std::min(least_base, other.least_base);
    greatest_base = std::max(greatest_base, other.greatest_base);
    least_width = std::min(least_width, other.least_width);
    greatest_width = std::max(greatest_width, other.greatest_width);
    has_kinds = has_kinds || other.has_kinds;
}

std::int32_t ComponentRange::base() const {
    if (least_base >= kNarrowLimits.least_base && least_base <= kNarrowLimits.most_base) return least_base;
    return least_base >> shared::kCompactCoarseShift << shared::kCompactCoarseShift;
}

std::uint32_t ComponentRange::base_bits() const {
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(greatest_base - base())));
}

std::uint32_t ComponentRange::width_bits() const {
    return static_cast<std::uint32_t>(std::bit_width(greatest_width - least_width));
}

std::uint32_t ComponentRange::word() const {
    if (least_width > greatest_width) return 0;  // no sublet has it
    const bool coarse = least_base < kNarrowLimits.least_base || least_base > kNarrowLimits.most_base;
    const std::int32_t steps = coarse ? base() >> shared::kCompactCoarseShift : base();
    return static_cast<std::uint32_t>(steps + static_cast<std::int32_t>(shared::kCompactBaseOffset)) |
           base_bits() << 17U | least_width << 22U | width_bits() << 27U | (has_kinds ? 1U << 30U : 0U) |
           (coarse ? shared::kCompactCoarseBit : 0U);
}

StreamDraft draft_stream(const StreamPlan& plan, std::uint32_t components, bool is_position, bool has_sign,
                         CountingWriter& writer) {
    StreamDraft draft;
    std::size_t begin = writer.bits();
    const auto took = [&] {
        const auto bits = static_cast<std::uint16_t>(writer.bits() - begin);
        begin = writer.bits();
        return bits;
    };
    writer.write(plan.mode, 2);
    if (plan.mode == shared::kCompactSame) {
        draft.head = took();
        return draft;
    }
    if (is_position) {
        writer.write(plan.axis, 2);
        writer.write(plan.own - 1, shared::kCompactIndexBits);
    }
    if (has_sign) writer.write(plan.sign, 2);
    if (plan.mode != shared::kCompactEach) {
        writer.write(plan.stored >> 1U, plan.own - 1);
        for (std::uint32_t i = 0; i < plan.own && plan.mode == shared::kCompactCopies; ++i) {
            if ((plan.stored >> i & 1U) == 0) writer.write(plan.copy[i], shared::kCompactIndexBits);
        }
    }
    draft.head = took();
    draft.components = static_cast<std::uint8_t>(components);
    draft.axis = static_cast<std::uint8_t>(plan.axis);
    for (std::uint32_t c = 0; c < components; ++c) {
        const ComponentPlan& component = plan.components[c];
        writer.write(static_cast<std::uint32_t>(component.base - kWideLimits.least_base), kDraftBaseBits);
        writer.write(component.width, kDraftWidthBits);
        writer.write(component.kind, kDraftKindBits);
    }
    (void)took();
    for (std::uint32_t c = 0; c < components; ++c) {
        const ComponentPlan& component = plan.components[c];
        if (component.kind == shared::kCompactPalette) {
            writer.write(component.palette_size - 1, shared::kCompactIndexBits);
            for (std::uint32_t i = 0; i < component.palette_size; ++i)
                writer.write(component.palette[i], component.width);
        } else if (component.kind != shared::kCompactPlain) {
            writer.write(component.slopes, component.kind == shared::kCompactByTwo ? shared::kCompactTwoSlopes
                                                                                   : shared::kCompactThreeSlopes);
        }
    }
    draft.tail = took();
    for (std::uint32_t i = 0; i < plan.own; ++i) {
        if ((plan.stored >> i & 1U) == 0) continue;
        for (std::size_t c = 0; c < 4; ++c) writer.write(plan.values[i][c], plan.components[c].value_width());
    }
    draft.value_bits = took();
    draft.tail = static_cast<std::uint16_t>(draft.tail + draft.value_bits);
    return draft;
}

std::uint32_t stream_bits(const StreamDraft& draft, std::span<const ComponentRange> ranges) {
    std::uint32_t bits = std::uint32_t{draft.head} + draft.tail;
    for (std::uint32_t c = 0; c < draft.components; ++c) {
        bits += ranges[c].base_bits() + ranges[c].width_bits() + (ranges[c].has_kinds ? 2 : 0);
    }
    return bits;
}

void write_stream(const StreamDraft& draft, std::span<const ComponentRange> ranges, bool is_position,
                  CountingReader& reader, CountingWriter& writer) {
    reader.copy(draft.head, writer);
    for (std::uint32_t c = 0; c < draft.components; ++c) {
        const ComponentRange& range = ranges[c];
        const std::int32_t base = static_cast<std::int32_t>(reader.read(kDraftBaseBits)) + kWideLimits.least_base;
        writer.write(static_cast<std::uint32_t>(base - range.base()), range.base_bits());
        writer.write(reader.read(kDraftWidthBits) - range.least_width, range.width_bits());
        const std::uint32_t kind = reader.read(kDraftKindBits);
        if (range.has_kinds && !(is_position && c == draft.axis)) writer.write(kind, is_position ? 1 : 2);
    }
    reader.copy(draft.tail, writer);
}

}  // namespace sublet::mesh
