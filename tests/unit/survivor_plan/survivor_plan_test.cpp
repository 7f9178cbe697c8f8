// Lists of survivors: room for each class, and rounds that are enough however unlucky each of them ends.
#include "render/scene/survivor_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "render/view/round_count.h"

namespace sublet::render {
namespace {

using Counts = PerClass<std::uint64_t>;
constexpr std::uint64_t kAny = ~std::uint64_t{0};

// Rounds that items of one class take, in steps of up to `step` of them that go into the list together or not at all.
std::uint32_t rounds_taken(std::uint64_t items, std::uint32_t slots, std::uint32_t step, std::mt19937& random) {
    std::uint32_t rounds = 1;
    std::uint64_t used = 0;
    while (items != 0) {
        const std::uint64_t now = std::min<std::uint64_t>(items, random() % 4 == 0 ? 1 + random() % step : step);
        if (used + now > slots) {
            ++rounds;
            used = 0;
        }
        used += now;
        items -= now;
    }
    return rounds;
}

TEST(SurvivorPlan, RoundsAreEnoughAndNotManyMore) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 2000; ++trial) {
        Counts all{};
        for (std::uint64_t& of_class : all) of_class = random() % 3 == 0 ? 0 : random() % 5000;
        const std::uint32_t step = 1 + random() % 8;
        const std::uint64_t most = random() % 6000;
        const std::uint64_t most_of_class = random() % 2 == 0 ? kAny : random() % 3000;
        const SurvivorPlan plan = plan_survivors(all, most, most_of_class, step);
        std::uint64_t base = 0;
        std::uint64_t fewest = 1;
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            EXPECT_EQ(plan.base[c], base);
            base += plan.slots[c];
            EXPECT_LE(plan.slots[c], all[c]);
            EXPECT_GE(plan.slots[c], std::min<std::uint64_t>(all[c], step)) << "else nothing would ever go there";
            EXPECT_LE(plan.slots[c], std::max<std::uint64_t>(most_of_class, step));
            if (plan.slots[c] == 0) continue;
            EXPECT_LE(rounds_taken(all[c], plan.slots[c], step, random), plan.rounds);
            const std::uint64_t taken = plan.slots[c] == all[c] ? all[c] : plan.slots[c] - step + 1;
            fewest = std::max(fewest, (all[c] + taken - 1) / taken);
        }
        EXPECT_EQ(plan.items, base);
        EXPECT_LE(plan.items, most + std::uint64_t{shared::kDrawClasses} * step);
        EXPECT_EQ(plan.rounds, fewest);
    }
}

TEST(SurvivorPlan, AListForAllTakesOneRound) {
    const Counts all{1000, 0, 77};
    const SurvivorPlan plan = plan_survivors(all, 1077, kAny, 8);
    EXPECT_EQ(plan.items, 1077U);
    EXPECT_EQ(plan.rounds, 1U);
    EXPECT_GT(plan_survivors(all, 1076, kAny, 8).rounds, 1U);
    EXPECT_GT(plan_survivors(all, kAny, 999, 8).rounds, 1U);
}

TEST(SurvivorPlan, NothingToDrawIsOneRound) {
    const SurvivorPlan plan = plan_survivors({}, 100, kAny, 8);
    EXPECT_EQ(plan.rounds, 1U);
    EXPECT_EQ(plan.items, 0U);
}

TEST(SurvivorPlan, CountsBeyond32BitsOfAllClassesFit) {
    const Counts all{4'000'000'000, 200'000'000, 94'000'000};
    const SurvivorPlan plan = plan_survivors(all, 1U << 26U, 1U << 26U, 8);
    EXPECT_LE(plan.items, (1U << 26U) + 24U);
    EXPECT_GE(plan.rounds, 63U);
    EXPECT_LE(plan.rounds, 66U);
}

TEST(RoundCount, GoesByWhatFramesTook) {
    RoundCount count;
    FramePlan plan;
    EXPECT_EQ(count.next(plan, 1, true), 1U);
    EXPECT_EQ(count.next(plan, 40, true), 40U) << "nothing is known yet";
    count.note(40, 2.3);
    EXPECT_EQ(count.next(plan, 40, true), 7U);
    count.note(40, 30);
    EXPECT_EQ(count.next(plan, 40, true), 7U) << "that frame was recorded before";
    count.note(7, 6);
    EXPECT_EQ(count.next(plan, 40, true), 18U);
    count.note(18, 19);
    EXPECT_EQ(count.next(plan, 40, true), 40U) << "they were not enough";
    count.note(40, 1);
    EXPECT_EQ(count.next(plan, 40, true), 3U);
    count.note(3, 0.3);
    EXPECT_EQ(count.next(plan, 40, true), 1U);
    count.note(1, 0);
    EXPECT_EQ(count.next(plan, 40, true), 1U);
    count.note(1, 1);
    EXPECT_EQ(count.next(plan, 40, true), 3U);
    count.note(3, 20);
    EXPECT_EQ(count.next(plan, 40, true), 40U);
    // Where all of the scene may have to be drawn.
    EXPECT_EQ(count.next(plan, 40, false), 40U);
    count.note(40, 0.3);
    EXPECT_EQ(count.next(plan, 40, false), 5U);
    EXPECT_EQ(count.next(plan, 7, false), 7U);
    count.note(7, 1);
    EXPECT_EQ(count.next(plan, 7, false), 3U);
    plan.cull_occlusion = !plan.cull_occlusion;
    EXPECT_EQ(count.next(plan, 40, true), 40U) << "another plan";
    EXPECT_EQ(count.next(plan, 900, true), shared::kMostRounds);
    count.note(shared::kMostRounds, shared::kMostRounds + 1);
    EXPECT_EQ(count.next(plan, 900, true), shared::kMostRounds);
}

}  // namespace
}  // namespace sublet::render
