// The combinations that a device is tried with: every value of every setting that a backend uses, and every pair.
#include "combinations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "render/settings/backend_info.h"

namespace sublet::test {
namespace {

using render::Backend;

// A device with everything, its subgroups of 32 lanes.
gpu::Capabilities full_device() {
    gpu::Capabilities out;
    out.limits.maxPerStageDescriptorStorageBuffers = 24;
    out.name = "test device";
    for (const gpu::Feature& feature : gpu::features()) {
        out.*feature.flag = true;
    }
    out.subgroup_size = out.min_subgroup_size = out.max_subgroup_size = 32;
    out.subgroup_stages = VK_SHADER_STAGE_ALL;
    out.subgroup_operations = 0x7FFFFFFF;
    out.limits.maxStorageBufferRange = 1U << 30U;
    out.limits.maxDrawIndirectCount = 1U << 30U;
    out.limits.maxComputeWorkGroupCount[0] = out.limits.maxComputeWorkGroupCount[1] = 65535;
    out.limits.maxComputeWorkGroupSize[0] = out.limits.maxComputeWorkGroupInvocations = 1024;
    out.max_buffer_size = out.max_allocation_size = std::uint64_t{1} << 32U;
    out.max_generated_sequences = 1U << 20U;
    out.mesh.maxMeshWorkGroupInvocations = out.mesh.maxMeshWorkGroupSize[0] = 256;
    out.mesh.maxMeshOutputVertices = out.mesh.maxMeshOutputPrimitives = 256;
    out.mesh.maxPreferredMeshWorkGroupInvocations = 32;
    return out;
}

render::ExpansionDemand small_demand() {
    render::ExpansionDemand out;
    for (const std::uint32_t meshlets : {3U, 40U, 7U}) {
        out.add(meshlets);
    }
    return out;
}

std::string axis_value(const Combination& combination, const SettingAxis& axis) {
    return render::find_setting(axis.setting)->get(combination.running);
}

// Runs with the value, or was asked for it where that is automatic.
bool has_value(const Combination& combination, const SettingAxis& axis, const std::string& value) {
    return axis_value(combination, axis) == value ||
           (value == "auto" && render::find_setting(axis.setting)->get(combination.asked) == value);
}

class Plans : public testing::TestWithParam<Backend> {};

TEST_P(Plans, CoverEveryPairOfValues) {
    PlanOptions options;
    options.backends = {GetParam()};
    options.small_budget = 20000;
    const gpu::Capabilities device = full_device();
    const CombinationPlan plan = plan_combinations(options, device, small_demand());
    const std::vector<SettingAxis> axes = axes_of(render::backend_info(GetParam()), 20000);
    ASSERT_GE(axes.size(), 2U);
    std::size_t missing = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        for (std::size_t b = a + 1; b < axes.size(); ++b) {
            for (const std::string& value_a : axes[a].values) {
                for (const std::string& value_b : axes[b].values) {
                    render::Settings alone;
                    alone.frame.backend = GetParam();
                    render::find_setting(axes[a].setting)->set(alone, value_a);
                    render::find_setting(axes[b].setting)->set(alone, value_b);
                    try {
                        static_cast<void>(render::resolve(alone.frame, device));
                    } catch (const Error&) {
                        continue;  // the device can't: nothing to cover
                    }
                    ++pairs;
                    missing += std::none_of(plan.combinations.begin(), plan.combinations.end(),
                                            [&](const Combination& combination) {
                                                return has_value(combination, axes[a], value_a) &&
                                                       has_value(combination, axes[b], value_b);
                                            })
                                   ? 1
                                   : 0;
                }
            }
        }
    }
    EXPECT_EQ(missing, 0U);
    EXPECT_EQ(plan.pairs, pairs);
    EXPECT_LE(plan.combinations.size(), 80U);
    for (const Combination& combination : plan.combinations) {
        EXPECT_EQ(combination.running.frame.backend, GetParam());
        EXPECT_FALSE(combination.name.empty());
    }
}

TEST_P(Plans, HaveEveryValueAlone) {
    PlanOptions options;
    options.pairwise = false;
    options.backends = {GetParam()};
    options.small_budget = 20000;
    const CombinationPlan plan = plan_combinations(options, full_device(), small_demand());
    const auto by_default = std::find_if(plan.combinations.begin(), plan.combinations.end(), [](const Combination& c) {
        return c.name == render::backend_name(c.running.frame.backend.value());
    });
    ASSERT_NE(by_default, plan.combinations.end());
    const std::vector<SettingAxis> axes = axes_of(render::backend_info(GetParam()), 20000);
    for (const SettingAxis& axis : axes) {
        for (const std::string& value : axis.values) {
            if (axis.setting == "subgroup" && value == "64") {
                continue;  // skipped, see below
            }
            // Bits of triangles are kept where triangles are culled.
            const bool without_bits = axis.setting == "cull-primitives" && value == "off";
            EXPECT_TRUE(std::any_of(plan.combinations.begin(), plan.combinations.end(),
                                    [&](const Combination& combination) {
                                        if (axis_value(combination, axis) != value) return false;
                                        return std::all_of(axes.begin(), axes.end(), [&](const SettingAxis& other) {
                                            return other.setting == axis.setting ||
                                                   (without_bits && other.setting == "occlusion-detail") ||
                                                   axis_value(combination, other) == axis_value(*by_default, other);
                                        });
                                    }))
                << axis.setting << "=" << value;
        }
    }
}

// Together, all values that are tried alone are tried, by fewer combinations.
TEST_P(Plans, HaveEveryValueTogether) {
    PlanOptions options;
    options.pairwise = false;
    options.backends = {GetParam()};
    options.small_budget = 20000;
    const CombinationPlan singles = plan_combinations(options, full_device(), small_demand());
    options.singles = false;
    options.together = true;
    const CombinationPlan together = plan_combinations(options, full_device(), small_demand());
    const auto values = [](const CombinationPlan& plan) {
        std::set<std::string> out;
        for (const Combination& made : plan.combinations) out.insert(made.values.begin(), made.values.end());
        return out;
    };
    EXPECT_EQ(values(together), values(singles));
    EXPECT_EQ(together.combinations.front().values, singles.combinations.front().values);
    EXPECT_EQ(together.combinations.back().values, singles.combinations.back().values);
    if (render::culls_on_gpu(render::backend_info(GetParam()))) {
        EXPECT_LT(together.combinations.size(), singles.combinations.size());
    }
    ASSERT_EQ(together.skipped.size(), singles.skipped.size());
    for (std::size_t i = 0; i < singles.skipped.size(); ++i) {
        EXPECT_EQ(together.skipped[i].name, singles.skipped[i].name);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Plans, testing::ValuesIn(render::all_backends().begin(), render::all_backends().end()),
                         [](const testing::TestParamInfo<Backend>& info) {
                             std::string name(render::backend_name(info.param));
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(CombinationPlans, SkipWhatTheDeviceCantDoWithItsReason) {
    gpu::Capabilities device = full_device();
    device.mesh_shader = device.task_shader = false;
    const CombinationPlan plan = plan_combinations({}, device, small_demand());
    std::map<std::string, int> skipped;
    for (const Skipped& skip : plan.skipped) {
        EXPECT_FALSE(skip.reason.empty()) << skip.name;
        ++skipped[skip.name];
    }
    for (const char* backend : {"mesh-indirect", "mesh-sublets", "task-mesh", "task-flat", "task-hierarchical"}) {
        EXPECT_EQ(skipped[backend], 1) << backend;
    }
    EXPECT_EQ(skipped["compact subgroup=64"], 1);
    EXPECT_GE(skipped["compact pair cull-cone=on subgroup=64"], 1);
    for (const Combination& combination : plan.combinations) {
        const render::FramePlan plan = render::resolve(combination.running.frame, device);
        EXPECT_FALSE(render::backend_info(plan).mesh_shader) << combination.name;
    }
}

TEST(CombinationPlans, RunNothingTwice) {
    PlanOptions options;
    options.small_budget = 20000;
    const CombinationPlan plan = plan_combinations(options, full_device(), small_demand());
    std::set<std::vector<std::string>> seen;
    for (const Combination& combination : plan.combinations) {
        EXPECT_TRUE(seen.insert(combination.values).second) << combination.name;
    }
    EXPECT_GT(plan.repeated, 0U);
}

}  // namespace
}  // namespace sublet::test
