#include "render/scene/survivor_plan.h"

#include <algorithm>
#include <numeric>

namespace sublet::render {

namespace {

using Classes = PerClass<std::uint64_t>;

std::uint64_t sum(const Classes& items) {
    return std::accumulate(items.begin(), items.end(), std::uint64_t{0});
}

Classes items_of_classes(const SurvivorDemand& demand) {
    Classes all{};
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        const auto of_class = demand.task_items.subspan(demand.first_task[c], demand.tasks[c]);
        all[c] = std::accumulate(of_class.begin(), of_class.end(), std::uint64_t{0});
    }
    return all;
}

// A round leaves less room than a task takes, so that so many items are enough for each.
Classes least_of_classes(const Classes& all, std::uint32_t most_of_task) {
    Classes least{};
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        least[c] = std::min(all[c], (all[c] + kMostAskedRounds - 1) / kMostAskedRounds + most_of_task);
    }
    return least;
}

// In proportion, so that all classes need about the same number of rounds, but `least` of each. In double: no product
// overflows.
Classes share_out(const Classes& all, const Classes& least, std::uint64_t items) {
    const double share = static_cast<double>(items) / static_cast<double>(sum(all));
    Classes out{};
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        const auto part = static_cast<std::uint64_t>(static_cast<double>(all[c]) * share);
        out[c] = std::min(all[c], std::max(part, least[c]));
    }
    return out;
}

}  // namespace

std::uint64_t least_survivors(const SurvivorDemand& demand) {
    return sum(least_of_classes(items_of_classes(demand), demand.most_of_task));
}

SurvivorPlan plan_survivors(const SurvivorDemand& demand, std::uint64_t asked_items, std::uint64_t device_items) {
    const Classes all = items_of_classes(demand);
    const std::uint64_t most_items = std::min(asked_items, device_items);
    Classes capacity = all;
    if (sum(all) > most_items) {
        capacity = share_out(all, least_of_classes(all, demand.most_of_task), most_items);
        if (sum(capacity) > device_items) {
            Classes task{};
            task.fill(demand.most_of_task);
            capacity = share_out(all, task, most_items);
        }
    }

    SurvivorPlan plan;
    plan.rounds.resize(1);
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        plan.capacity[c] = static_cast<std::uint32_t>(capacity[c]);
        plan.base[c] = static_cast<std::uint32_t>(plan.items);
        plan.items += capacity[c];

        std::size_t round = 0;
        std::uint64_t held = 0;
        const std::uint32_t end = demand.first_task[c] + demand.tasks[c];
        plan.rounds[0].first_task[c] = demand.first_task[c];
        for (std::uint32_t task = demand.first_task[c]; task < end; ++task) {
            if (held + demand.task_items[task] > capacity[c]) {
                ++round;
                held = 0;
                if (round == plan.rounds.size()) plan.rounds.emplace_back();
                plan.rounds[round].first_task[c] = task;
            }
            held += demand.task_items[task];
            ++plan.rounds[round].tasks[c];
        }
    }
    return plan;
}

}  // namespace sublet::render
