#include "render/plain_plan.h"

#include <algorithm>
#include <cstdint>

#include "render/measure/reference_plan.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {
namespace {

// Triangles over all instances.
constexpr std::uint64_t kMostPlainTriangles = 50'000'000, kMostPlainTrianglesOfCpu = 4'000'000;

}  // namespace

FramePlan plain_plan(const FramePlan& plan, const GpuScene& scene, const gpu::Capabilities& capabilities,
                     const TestHooks& hooks) {
    const bool cpu = capabilities.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const std::uint64_t most = cpu ? kMostPlainTrianglesOfCpu : kMostPlainTriangles;
    if (scene.drawable_triangles > std::min(most, hooks.most_plain_triangles)) return plan;
    FramePlan out = reference_plan(plan);
    out.cull_instances = out.cull_frustum = true;  // on the CPU
    out.blend_layers = 0;
    out.collect_counters = plan.collect_counters;
    return out;
}

}  // namespace sublet::render
