#include "pairwise.h"

#include <algorithm>

#include "base/error.h"

namespace sublet::test {
namespace {

// Numbers every pair of values of two different axes.
class Pairs {
  public:
    explicit Pairs(const std::vector<std::size_t>& sizes) : sizes_(sizes) {
        for (std::size_t b = 1; b < sizes.size(); ++b) {
            for (std::size_t a = 0; a < b; ++a) {
                first_.push_back(count_);
                count_ += sizes[a] * sizes[b];
            }
        }
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    // a < b
    [[nodiscard]] std::size_t number(std::size_t a, std::size_t value_a, std::size_t b, std::size_t value_b) const {
        return first_[b * (b - 1) / 2 + a] + value_a * sizes_[b] + value_b;
    }
    template <class Visit>
    void of_row(const Row& row, const Visit& visit) const {
        for (std::size_t b = 1; b < row.size(); ++b) {
            for (std::size_t a = 0; a < b; ++a) {
                visit(number(a, row[a], b, row[b]));
            }
        }
    }

  private:
    std::vector<std::size_t> sizes_, first_;
    std::size_t count_ = 0;
};

// The next row in lexicographic order, the last axis fastest; false after the last.
bool advance(Row& row, const std::vector<std::size_t>& sizes) {
    for (std::size_t axis = row.size(); axis-- > 0;) {
        if (++row[axis] < sizes[axis]) {
            return true;
        }
        row[axis] = 0;
    }
    return false;
}

void check_product(const std::vector<std::size_t>& sizes) {
    std::size_t product = 1;
    for (const std::size_t size : sizes) {
        if (size == 0 || size > kMostProductRows / product) {
            throw Error("pairwise: the axes make no rows, or more than " + std::to_string(kMostProductRows));
        }
        product *= size;
    }
}

}  // namespace

PairwiseCover cover_pairs(const std::vector<std::size_t>& sizes, const Constraint& forbidden) {
    check_product(sizes);
    PairwiseCover out;
    if (sizes.empty()) {
        return out;
    }
    const Pairs pairs(sizes);
    enum State : std::uint8_t { kNowhere, kMissing, kCovered };
    std::vector<State> state(pairs.count(), kNowhere);
    std::vector<std::string> reasons(pairs.count());

    std::vector<Row> allowed;
    Row row(sizes.size(), 0);
    do {
        const std::optional<std::string> reason = forbidden(row);
        if (!reason) {
            allowed.push_back(row);
        }
        pairs.of_row(row, [&](std::size_t pair) {
            if (!reason) {
                state[pair] = kMissing;
            } else if (reasons[pair].empty()) {
                reasons[pair] = *reason;
            }
        });
    } while (advance(row, sizes));

    if (sizes.size() == 1) {
        out.rows = std::move(allowed);
        return out;
    }
    auto missing = static_cast<std::size_t>(std::count(state.begin(), state.end(), kMissing));
    out.pairs = missing;
    while (missing > 0) {
        const Row* best = nullptr;
        std::size_t most = 0;
        for (const Row& candidate : allowed) {
            std::size_t gain = 0;
            pairs.of_row(candidate, [&](std::size_t pair) { gain += state[pair] == kMissing ? 1 : 0; });
            if (gain > most) {
                most = gain;
                best = &candidate;
            }
        }
        // A missing pair is in some allowed row: there is always a best one.
        pairs.of_row(*best, [&](std::size_t pair) { state[pair] = kCovered; });
        missing -= most;
        out.rows.push_back(*best);
    }
    for (std::size_t b = 1; b < sizes.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
            for (std::size_t i = 0; i < sizes[a] * sizes[b]; ++i) {
                const std::size_t value_a = i / sizes[b];
                const std::size_t value_b = i % sizes[b];
                const std::size_t pair = pairs.number(a, value_a, b, value_b);
                if (state[pair] == kNowhere) {
                    out.impossible.push_back({a, value_a, b, value_b, reasons[pair]});
                }
            }
        }
    }
    return out;
}

}  // namespace sublet::test
