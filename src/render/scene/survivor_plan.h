// Where survivors of culling lie in their list, and what becomes of a scene that may have more than the list holds.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/passes/passes.h"
#include "render/settings/scene_facts.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// A list with a region for each draw class. Where it can't hold every item of the scene, culling and drawing go in
// rounds, each over as many tasks of each class as are sure to fit: slower, never wrong.
struct SurvivorPlan {
    struct Round {
        PerClass<std::uint32_t> first_task{}, tasks{};  // within the scene's task list
    };

    PerClass<std::uint32_t> capacity{};  // items of each class's region
    PerClass<std::uint32_t> base{};      // running sum of these
    std::uint64_t items = 0;             // their sum
    std::vector<Round> rounds;           // at least one
};

// What the tasks of a scene can leave in a list.
struct SurvivorDemand {
    std::span<const std::uint32_t> task_items;  // of each task, at most most_of_task
    PerClass<std::uint32_t> first_task{};       // the tasks of class c are
    PerClass<std::uint32_t> tasks{};            // [first_task[c], first_task[c] + tasks[c])
    std::uint32_t most_of_task = 0;
};

// Items for which a list takes kMostAskedRounds or less.
[[nodiscard]] std::uint64_t least_survivors(const SurvivorDemand& demand);

// `asked_items`, at least least_survivors() of them: what the list is to hold, at the least one task of each class.
// `device_items`: what the device binds of it; where that is less than kMostAskedRounds need, there are more rounds.
[[nodiscard]] SurvivorPlan plan_survivors(const SurvivorDemand& demand, std::uint64_t asked_items,
                                          std::uint64_t device_items);

}  // namespace sublet::render
