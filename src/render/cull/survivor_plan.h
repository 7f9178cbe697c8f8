// Where survivors of culling lie in their list, and what becomes of a scene that may have more than the list holds.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shaders/shared/scene.h"

namespace sublet::render {

// Of culling and drawing, at most: each is some commands that the CPU records.
inline constexpr std::uint32_t kMostCullRounds = 1024;

// A list with a region for each draw class. Where it can't hold every item of the scene, culling and drawing go in
// rounds, each over as many tasks of each class as are sure to fit: slower, never wrong.
struct SurvivorPlan {
    struct Round {
        std::array<std::uint32_t, shared::kDrawClasses> first_task{}, tasks{};  // within the scene's task list
    };

    std::array<std::uint32_t, shared::kDrawClasses> capacity{};  // items of each class's region
    std::array<std::uint32_t, shared::kDrawClasses> base{};      // running sum of these
    std::uint64_t items = 0;                                     // their sum
    std::vector<Round> rounds;                                   // at least one
};

// `task_items`: what each task can leave, at most `most_of_task`; the tasks of class c are
// [first_task[c], first_task[c] + tasks[c]). `most_items`: what the list may hold, at the least one task of each class.
[[nodiscard]] SurvivorPlan plan_survivors(std::span<const std::uint32_t> task_items,
                                          const std::array<std::uint32_t, shared::kDrawClasses>& first_task,
                                          const std::array<std::uint32_t, shared::kDrawClasses>& tasks,
                                          std::uint32_t most_of_task, std::uint64_t most_items);

}  // namespace sublet::render
