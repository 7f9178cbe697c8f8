#include "render/cull/survivor_plan.h"

#include <algorithm>
#include <numeric>

namespace sublet::render {

SurvivorPlan plan_survivors(std::span<const std::uint32_t> task_items,
                            const std::array<std::uint32_t, shared::kDrawClasses>& first_task,
                            const std::array<std::uint32_t, shared::kDrawClasses>& tasks, std::uint32_t most_of_task,
                            std::uint64_t most_items) {
    std::array<std::uint64_t, shared::kDrawClasses> all{};
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        const auto of_class = task_items.subspan(first_task[c], tasks[c]);
        all[c] = std::accumulate(of_class.begin(), of_class.end(), std::uint64_t{0});
    }
    const std::uint64_t total = std::accumulate(all.begin(), all.end(), std::uint64_t{0});

    SurvivorPlan plan;
    plan.rounds.resize(1);
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        std::uint64_t capacity = all[c];
        if (total > most_items) {
            // In proportion, so that all classes need about the same number of rounds. In double: no product overflows.
            const double share = static_cast<double>(most_items) / static_cast<double>(total);
            capacity = std::min(
                all[c],
                std::max<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(all[c]) * share), most_of_task));
        }
        plan.capacity[c] = static_cast<std::uint32_t>(capacity);
        plan.base[c] = static_cast<std::uint32_t>(plan.items);
        plan.items += capacity;

        std::size_t round = 0;
        std::uint64_t held = 0;
        const std::uint32_t end = first_task[c] + tasks[c];
        plan.rounds[0].first_task[c] = first_task[c];
        for (std::uint32_t task = first_task[c]; task < end; ++task) {
            if (held + task_items[task] > capacity) {
                ++round;
                held = 0;
                if (round == plan.rounds.size()) plan.rounds.emplace_back();
                plan.rounds[round].first_task[c] = task;
            }
            held += task_items[task];
            ++plan.rounds[round].tasks[c];
        }
    }
    return plan;
}

}  // namespace sublet::render
