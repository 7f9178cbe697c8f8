#include "render/scene/survivor_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sublet::render {

SurvivorPlan plan_survivors(const PerClass<std::uint64_t>& all, std::uint64_t most_slots, std::uint64_t most_of_class,
                            std::uint32_t step) {
    const std::uint64_t sum = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    // In proportion, so that all classes need about the same number of rounds. In double: no product overflows.
    const double share =
        std::min(static_cast<double>(most_slots) / static_cast<double>(std::max<std::uint64_t>(sum, 1)), 1.0);
    SurvivorPlan plan;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        auto slots = share < 1.0 ? static_cast<std::uint64_t>(static_cast<double>(all[c]) * share) : all[c];
        slots = std::min(all[c], std::max<std::uint64_t>(std::min(slots, most_of_class), step));
        plan.slots[c] = static_cast<std::uint32_t>(slots);
        plan.base[c] = static_cast<std::uint32_t>(plan.items);
        plan.items += slots;
        if (slots == all[c]) continue;
        // A round may leave less room than a step takes.
        const std::uint64_t taken = slots - step + 1;
        plan.rounds = static_cast<std::uint32_t>(std::clamp<std::uint64_t>((all[c] + taken - 1) / taken, plan.rounds,
                                                                           std::numeric_limits<std::uint32_t>::max()));
    }
    return plan;
}

}  // namespace sublet::render
