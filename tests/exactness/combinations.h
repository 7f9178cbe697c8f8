// What the exactness contract is held to: which settings a backend uses, each of their values alone or
// several at once, and a pairwise covering set of all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/capabilities.h"
#include "render/settings/backend_info.h"
#include "render/settings/expansion_strategy.h"
#include "render/settings/frame_plan.h"
#include "render/settings/settings.h"

namespace sublet::test {

// One setting and the values it is tried with, as the command line writes them; the first is the plainest.
struct SettingAxis {
    std::string_view setting;
    std::vector<std::string> values;
};

// What the pass that culls triangles in compute leaves of a sublet for this backend, at most, in bytes.
[[nodiscard]] std::uint64_t sublet_output_bytes(render::Backend backend);

// `backend`: as it is on the device. What `auto` may become is tried by name, and `auto` by the combination of all
// defaults. `small_budget`: of mesh-indirect's batches, in bytes, few enough that a scene takes several rounds; the
// others get as many of them. 0 leaves that setting out.
[[nodiscard]] std::vector<SettingAxis> axes_of(const render::BackendInfo& backend, std::uint64_t small_budget);

struct Combination {
    std::string name;                 // "compact payload=encoded cull-cone=off"
    std::string group;                // "compact singles"
    render::Settings asked;           // with what the defaults leave to the device
    render::Settings running;         // resolved: what really runs
    std::vector<std::string> values;  // "compact payload=encoded", ... of each axis
};

struct Skipped {
    std::string name, reason;
};

struct CombinationPlan {
    std::vector<Combination> combinations;
    std::vector<Skipped> skipped;  // a single value, or a pair of them, that this device can't do
    std::size_t pairs = 0;         // that the pairwise sets cover
    std::size_t repeated = 0;      // rows left out because they run as another row does
};

struct PlanOptions {
    bool singles = true;
    bool pairwise = true;
    bool together = false;
    std::vector<render::Backend> backends;  // empty: all
    std::uint64_t small_budget = 0;
};

// Every combination that this device can do with sources of this demand, by resolve() and expansion_unavailable().
// Singles: for each backend its defaults, every axis' every value on top of them, and all culling off. Together: the
// same, but several values at once: each is tried once, and none hides another.
[[nodiscard]] CombinationPlan plan_combinations(const PlanOptions& options, const gpu::Capabilities& capabilities,
                                                const render::ExpansionDemand& demand);

}  // namespace sublet::test
