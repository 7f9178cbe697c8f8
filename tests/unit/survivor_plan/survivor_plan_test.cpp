// Rounds of culling: every task is in exactly one, and none can overfill a region of the list.
#include "render/scene/survivor_plan.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace sublet::render {
namespace {

using Classes = std::array<std::uint32_t, shared::kDrawClasses>;

constexpr std::uint32_t kMostOfTask = 256;

void check(const std::vector<std::uint32_t>& items, const Classes& first, const Classes& tasks, std::uint64_t most) {
    const SurvivorPlan plan = plan_survivors({items, first, tasks, kMostOfTask}, ~std::uint64_t{0}, most);
    ASSERT_FALSE(plan.rounds.empty());
    std::vector<int> seen(items.size(), 0);
    std::uint64_t base = 0;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        EXPECT_EQ(plan.base[c], base);
        base += plan.capacity[c];
        for (const SurvivorPlan::Round& round : plan.rounds) {
            std::uint64_t held = 0;
            for (std::uint32_t i = 0; i < round.tasks[c]; ++i) {
                const std::uint32_t task = round.first_task[c] + i;
                ASSERT_GE(task, first[c]);
                ASSERT_LT(task, first[c] + tasks[c]);
                ++seen[task];
                held += items[task];
            }
            EXPECT_LE(held, plan.capacity[c]);
        }
    }
    EXPECT_EQ(plan.items, base);
    for (const int times : seen) EXPECT_EQ(times, 1);
    const std::uint64_t total = std::accumulate(items.begin(), items.end(), std::uint64_t{0});
    EXPECT_LE(plan.items, std::max<std::uint64_t>(most, std::uint64_t{shared::kDrawClasses} * kMostOfTask) +
                              std::uint64_t{shared::kDrawClasses} * kMostOfTask);
    if (total <= most) {
        EXPECT_EQ(plan.rounds.size(), 1U);
        EXPECT_EQ(plan.items, total);
    }
}

TEST(SurvivorPlan, EveryTaskOnceAndNoneTooMany) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
        Classes first{};
        Classes tasks{};
        std::vector<std::uint32_t> items;
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            first[c] = static_cast<std::uint32_t>(items.size());
            tasks[c] = trial % 5 == 0 && c == 1 ? 0 : random() % 200;
            for (std::uint32_t i = 0; i < tasks[c]; ++i) {
                items.push_back(trial % 3 == 0 ? kMostOfTask : 1 + random() % kMostOfTask);
            }
        }
        for (const std::uint64_t most :
             {std::uint64_t{1}, std::uint64_t{300}, std::uint64_t{5000}, std::uint64_t{1} << 40U}) {
            check(items, first, tasks, most);
        }
    }
}

TEST(SurvivorPlan, WhateverIsAskedForRoundsAreFew) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 200; ++trial) {
        Classes first{};
        Classes tasks{};
        std::vector<std::uint32_t> items;
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            first[c] = static_cast<std::uint32_t>(items.size());
            tasks[c] = trial % 5 == 0 && c == 1 ? 0 : random() % 3000;
            for (std::uint32_t i = 0; i < tasks[c]; ++i) items.push_back(1 + random() % kMostOfTask);
        }
        const SurvivorDemand demand{items, first, tasks, kMostOfTask};
        const std::uint64_t least = least_survivors(demand);
        for (const std::uint64_t asked : {std::uint64_t{1}, least, 2 * least}) {
            const SurvivorPlan plan = plan_survivors(demand, asked, ~std::uint64_t{0});
            EXPECT_LE(plan.rounds.size(), kMostAskedRounds);
            EXPECT_LE(plan.items, asked + least) << "no more than that takes";
        }
        // What the device binds comes first.
        const SurvivorPlan bound = plan_survivors(demand, 1, 2000);
        EXPECT_LE(bound.items, 2000U + std::uint64_t{shared::kDrawClasses} * kMostOfTask);
    }
    const std::vector<std::uint32_t> many(100'000, kMostOfTask);
    const SurvivorDemand demand{many, {}, {100'000}, kMostOfTask};
    EXPECT_GT(plan_survivors(demand, 1, 100'000).rounds.size(), kMostAskedRounds);
    EXPECT_GT(plan_survivors(demand, 1, ~std::uint64_t{0}).rounds.size(), 32U) << "and not far fewer either";
}

TEST(SurvivorPlan, NothingToDrawIsOneRound) {
    const SurvivorPlan plan = plan_survivors({{}, {}, {}, kMostOfTask}, 100, 100);
    EXPECT_EQ(plan.rounds.size(), 1U);
    EXPECT_EQ(plan.items, 0U);
}

}  // namespace
}  // namespace sublet::render
