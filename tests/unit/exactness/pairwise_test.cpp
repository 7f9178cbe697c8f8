// By enumeration: the chosen rows have every pair that any allowed row has, and no row that is forbidden.
#include "pairwise.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "base/error.h"

namespace sublet::test {
namespace {

using Pair = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

std::set<Pair> pairs_of(const std::vector<Row>& rows) {
    std::set<Pair> out;
    for (const Row& row : rows) {
        for (std::size_t a = 0; a < row.size(); ++a) {
            for (std::size_t b = a + 1; b < row.size(); ++b) {
                out.insert({a, row[a], b, row[b]});
            }
        }
    }
    return out;
}

// Every row of the product, by counting in mixed radix.
std::vector<Row> product(const std::vector<std::size_t>& sizes) {
    std::size_t count = 1;
    for (const std::size_t size : sizes) {
        count *= size;
    }
    std::vector<Row> out;
    for (std::size_t number = 0; number < count; ++number) {
        std::size_t rest = number;
        Row row;
        for (const std::size_t size : sizes) {
            row.push_back(rest % size);
            rest /= size;
        }
        out.push_back(row);
    }
    return out;
}

void expect_covers(const std::vector<std::size_t>& sizes, const Constraint& forbidden) {
    const PairwiseCover cover = cover_pairs(sizes, forbidden);
    std::vector<Row> allowed;
    const std::vector<Row> all = product(sizes);
    for (const Row& row : all) {
        if (!forbidden(row)) {
            allowed.push_back(row);
        }
    }
    const std::set<Pair> possible = pairs_of(allowed);
    EXPECT_EQ(pairs_of(cover.rows), possible);
    EXPECT_EQ(cover.pairs, possible.size());
    for (const Row& row : cover.rows) {
        EXPECT_FALSE(forbidden(row));
    }
    std::set<Pair> impossible;
    for (const ImpossiblePair& pair : cover.impossible) {
        EXPECT_FALSE(pair.reason.empty());
        impossible.insert({pair.axis_a, pair.value_a, pair.axis_b, pair.value_b});
    }
    EXPECT_EQ(impossible.size(), cover.impossible.size());
    std::set<Pair> rest = pairs_of(all);
    for (const Pair& pair : possible) {
        rest.erase(pair);
    }
    EXPECT_EQ(impossible, rest);
    EXPECT_EQ(cover_pairs(sizes, forbidden).rows, cover.rows) << "not deterministic";
}

const Constraint kAnything = [](const Row&) { return std::nullopt; };

TEST(Pairwise, CoversEveryPair) {
    expect_covers({2, 2}, kAnything);
    expect_covers({3, 1, 2}, kAnything);
    expect_covers({2, 2, 2, 2, 7, 2, 2, 3, 4, 2}, kAnything);
}

TEST(Pairwise, IsMuchSmallerThanTheProduct) {
    const PairwiseCover cover = cover_pairs({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, kAnything);
    EXPECT_LE(cover.rows.size(), 10U);
    EXPECT_GE(cover_pairs({5, 4, 2}, kAnything).rows.size(), 20U);
    EXPECT_LE(cover_pairs({5, 4, 2}, kAnything).rows.size(), 24U);
}

TEST(Pairwise, KeepsConstraintsOfTwoAndMoreAxes) {
    expect_covers({2, 3, 4}, [](const Row& row) -> std::optional<std::string> {
        if (row[1] == 2) return "no such value";
        if (row[0] == 1 && row[2] == 3) return "no such pair";
        return std::nullopt;
    });
    // A pair that nothing forbids by itself, and that no third value completes.
    expect_covers({2, 2, 2}, [](const Row& row) -> std::optional<std::string> {
        if (row[0] == 1 && row[2] == 0) return "a";
        if (row[1] == 1 && row[2] == 1) return "b";
        return std::nullopt;
    });
}

TEST(Pairwise, CoversUnderRandomConstraints) {
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        std::vector<std::size_t> sizes(2 + random() % 4);
        for (std::size_t& size : sizes) {
            size = 1 + random() % 4;
        }
        const std::size_t rows = product(sizes).size();
        std::vector<bool> bad(rows);
        const std::uint32_t percent = random() % 90;
        for (std::size_t i = 0; i < rows; ++i) {
            bad[i] = random() % 100 < percent;
        }
        SCOPED_TRACE(round);
        expect_covers(sizes, [&](const Row& row) -> std::optional<std::string> {
            std::size_t number = 0;
            for (std::size_t axis = sizes.size(); axis-- > 0;) {
                number = number * sizes[axis] + row[axis];
            }
            return bad[number] ? std::optional<std::string>("drawn by lot") : std::nullopt;
        });
    }
}

TEST(Pairwise, FewAxes) {
    EXPECT_TRUE(cover_pairs({}, kAnything).rows.empty());
    EXPECT_EQ(cover_pairs({3}, kAnything).rows, (std::vector<Row>{{0}, {1}, {2}}));
    EXPECT_THROW(static_cast<void>(cover_pairs({2, 0}, kAnything)), Error);
    EXPECT_THROW(static_cast<void>(cover_pairs({2048, 2048}, kAnything)), Error);
}

}  // namespace
}  // namespace sublet::test
