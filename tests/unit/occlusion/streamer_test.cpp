// Which groups of levels of detail come into the pool, and which go.
#include "render/stream/streamer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "tests/unit/occlusion/ball.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kAll = UINT64_MAX;

class StreamerTest : public testing::Test {
  protected:
    // A pool for a part of all.
    [[nodiscard]] GroupSize pool(double part) const {
        const auto of = [&](std::uint32_t all, std::uint32_t roots, std::uint32_t largest) {
            return std::max(static_cast<std::uint32_t>(part * all), roots + 2 * largest);
        };
        const GroupSize &all = table_.all(), &roots = table_.roots(), &largest = table_.largest();
        return {of(all.sublets, roots.sublets, largest.sublets), of(all.vertices, roots.vertices, largest.vertices),
                of(all.payload, roots.payload, largest.payload)};
    }

    void load_roots(Streamer& streamer) {
        for (const GroupArrival& arrival : streamer.take_roots()) {
            EXPECT_TRUE(std::isinf(table_.group(arrival.group).error));
            EXPECT_TRUE(streamer.arrive(arrival));
            places_[arrival.group] = arrival.place;
        }
    }

    // Whether each group that is there lies in groups that are, and no two lie at the same place.
    void expect_sound(const Streamer& streamer, const GroupSize& size) {
        std::map<std::uint64_t, std::uint64_t> taken;
        for (std::uint32_t g = 0; g < table_.group_count(); ++g) {
            if (!streamer.is_resident(g)) continue;
            for (const std::uint32_t parent : table_.parents(g)) ASSERT_TRUE(streamer.is_resident(parent));
            taken[places_.at(g).payload.first] = places_.at(g).payload.first + table_.group(g).size.payload;
        }
        std::uint64_t end = 0;
        for (const auto& [first, behind] : taken) {
            ASSERT_GE(first, end);
            end = behind;
        }
        ASSERT_LE(end, size.payload);
    }

    static const mesh::Geometry& geometry() {
        static const mesh::Geometry made = make_ball(128);
        return made;
    }
    GroupTable table_{geometry().view()};
    std::map<std::uint32_t, GroupPlace> places_;
};

TEST_F(StreamerTest, WhatIsThereIsClosedAndApart) {
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same steps each time
    const GroupSize size = pool(0.4);
    Streamer streamer(table_, size);
    load_roots(streamer);
    std::vector<std::uint32_t> used(table_.group_count());
    std::vector<GroupArrival> open;
    std::size_t came = 0, went = 0, lost = 0;
    for (std::uint32_t stamp = 1; stamp < 4000; ++stamp) {
        std::vector<GroupWish> wishes;
        for (int i = 0; i < 5; ++i) {
            const auto group = static_cast<std::uint32_t>(random() % table_.group_count());
            if (streamer.is_resident(group)) {
                used[group] = stamp;
            } else {
                wishes.push_back({group, 1.0F + static_cast<float>(random() % 100)});
            }
        }
        const Streamer::Choice choice = streamer.choose(
            wishes, {.most_words = kAll, .stamp = stamp, .unused_since = stamp > 8 ? stamp - 8 : 0, .used = used});
        went += choice.evicted.size();
        for (const std::uint32_t group : choice.evicted) {
            EXPECT_LT(used[group] + 8, stamp + 1) << "it was used a moment ago";
            places_.erase(group);
        }
        for (const GroupArrival& arrival : choice.arrivals) {
            places_[arrival.group] = arrival.place;
            open.push_back(arrival);
        }
        // They are read in their order, some not at all.
        while (!open.empty() && random() % 4 != 0) {
            if (random() % 16 == 0) {
                streamer.fail(open.front(), stamp + 20);
                places_.erase(open.front().group);
            } else if (streamer.arrive(open.front())) {
                ++came;
            } else {
                ++lost;  // what it lies in was not read
                places_.erase(open.front().group);
            }
            open.erase(open.begin());
        }
        ASSERT_NO_FATAL_FAILURE(expect_sound(streamer, size));
    }
    EXPECT_GT(came, 300U);
    EXPECT_GT(went, 200U);
    EXPECT_GT(lost, 0U);
}

TEST_F(StreamerTest, ParentsComeFirst) {
    Streamer streamer(table_, table_.all());
    load_roots(streamer);
    std::vector<GroupWish> wishes;
    for (std::uint32_t g = 0; g < table_.group_count(); ++g) {
        if (!streamer.is_resident(g)) wishes.push_back({g, 100.0F - static_cast<float>(table_.group(g).level)});
    }
    const Streamer::Choice choice =
        streamer.choose(wishes, {.most_words = kAll, .stamp = 1, .unused_since = 0, .used = {}});
    EXPECT_FALSE(choice.lacks_room);
    EXPECT_EQ(choice.arrivals.size(), wishes.size());
    EXPECT_TRUE(choice.evicted.empty());
    for (const GroupArrival& arrival : choice.arrivals) ASSERT_TRUE(streamer.arrive(arrival));
    EXPECT_EQ(streamer.resident_groups(), table_.group_count());
    EXPECT_EQ(streamer.loading_groups(), 0U);
}

TEST_F(StreamerTest, WhatIsUsedStays) {
    Streamer streamer(table_, pool(0.3));
    load_roots(streamer);
    std::vector<GroupWish> wishes;
    for (std::uint32_t g = 0; g < table_.group_count(); ++g) {
        if (!streamer.is_resident(g)) wishes.push_back({g, table_.group(g).error});
    }
    std::vector<std::uint32_t> used(table_.group_count(), 10);
    const Streamer::Choice first =
        streamer.choose(wishes, {.most_words = kAll, .stamp = 10, .unused_since = 5, .used = used});
    EXPECT_TRUE(first.lacks_room);
    EXPECT_TRUE(first.evicted.empty());
    for (const GroupArrival& arrival : first.arrivals) ASSERT_TRUE(streamer.arrive(arrival));
    std::erase_if(wishes, [&](const GroupWish& wish) { return streamer.is_resident(wish.group); });
    ASSERT_FALSE(wishes.empty());
    const Streamer::Choice none =
        streamer.choose(wishes, {.most_words = kAll, .stamp = 11, .unused_since = 10, .used = used});
    EXPECT_TRUE(none.lacks_room);
    EXPECT_TRUE(none.evicted.empty());
    // Once it is not, what is finest goes, and never what others lie in.
    const Streamer::Choice some =
        streamer.choose({wishes.front()}, {.most_words = kAll, .stamp = 30, .unused_since = 20, .used = used});
    EXPECT_FALSE(some.lacks_room);
    ASSERT_FALSE(some.evicted.empty());
    for (const std::uint32_t group : some.evicted) {
        for (const std::uint32_t child : table_.children(group)) EXPECT_FALSE(streamer.is_resident(child));
    }
}

TEST_F(StreamerTest, NoMoreGoesThanMay) {
    Streamer streamer(table_, pool(0.3));
    load_roots(streamer);
    std::vector<GroupWish> wishes;
    for (std::uint32_t g = 0; g < table_.group_count(); ++g) {
        if (!streamer.is_resident(g)) wishes.push_back({g, table_.group(g).error});
    }
    const std::vector<std::uint32_t> unused(table_.group_count());
    const auto choose = [&](std::uint32_t stamp, std::uint32_t unused_since, std::size_t most) {
        return streamer.choose(
            wishes,
            {.most_words = kAll, .stamp = stamp, .unused_since = unused_since, .used = unused, .most_evicted = most});
    };
    for (const GroupArrival& arrival : choose(10, 0, SIZE_MAX).arrivals) ASSERT_TRUE(streamer.arrive(arrival));
    std::erase_if(wishes, [&](const GroupWish& wish) { return streamer.is_resident(wish.group); });
    ASSERT_FALSE(wishes.empty());
    const Streamer::Choice some = choose(30, 20, 3);
    EXPECT_EQ(some.evicted.size(), 3U);
    EXPECT_FALSE(some.lacks_room) << "there is room, once more may go";
    // What does not come now comes in frames to follow.
    std::size_t came = some.arrivals.size();
    for (std::uint32_t stamp = 31; stamp < 61; ++stamp) came += choose(stamp, 20, 3).arrivals.size();
    EXPECT_GT(came, 0U);
}

TEST_F(StreamerTest, WhatCanNotBeReadIsTriedLater) {
    Streamer streamer(table_, table_.all());
    load_roots(streamer);
    std::uint32_t leaf = 0;
    while (!table_.children(leaf).empty()) ++leaf;
    const auto choose = [&](std::uint32_t stamp) {
        return streamer.choose({{leaf, 2.0F}}, {.most_words = kAll, .stamp = stamp, .unused_since = 0, .used = {}});
    };
    const Streamer::Choice first = choose(1);
    ASSERT_GT(first.arrivals.size(), 1U);
    EXPECT_EQ(first.arrivals.back().group, leaf);
    streamer.fail(first.arrivals.front(), 50);
    for (std::size_t i = 1; i < first.arrivals.size(); ++i) {
        const auto parents = table_.parents(first.arrivals[i].group);
        const bool whole = std::ranges::all_of(parents, [&](std::uint32_t g) { return streamer.is_resident(g); });
        EXPECT_EQ(streamer.arrive(first.arrivals[i]), whole);
    }
    EXPECT_TRUE(choose(49).arrivals.empty());
    EXPECT_FALSE(choose(50).arrivals.empty());
}

TEST_F(StreamerTest, ReadsNoMoreThanItMay) {
    Streamer streamer(table_, table_.all());
    load_roots(streamer);
    std::vector<GroupWish> wishes;
    for (std::uint32_t g = 0; g < table_.group_count(); ++g) wishes.push_back({g, 2.0F});
    std::erase_if(wishes, [&](const GroupWish& wish) { return streamer.is_resident(wish.group); });
    const std::uint64_t most = 3 * table_.block_words(wishes.front().group);
    const Streamer::Choice choice =
        streamer.choose(wishes, {.most_words = most, .stamp = 1, .unused_since = 0, .used = {}});
    std::uint64_t words = 0, largest = 0;
    for (const GroupArrival& arrival : choice.arrivals) {
        words += table_.block_words(arrival.group);
        largest = std::max(largest, table_.block_words(arrival.group));
    }
    EXPECT_GE(words, most);
    EXPECT_LT(words, most + largest);
    EXPECT_FALSE(choice.lacks_room);
}

}  // namespace
}  // namespace sublet::render
