#include "render/measure/reference_plan.h"

namespace sublet::render {

FramePlan reference_plan(const FramePlan& plan) {
    FramePlan out;
    out.device = plan.device;
    out.cull_instances = out.cull_frustum = out.cull_cone = false;
    static_cast<LevelSettings&>(out) = plan;
    static_cast<LookSettings&>(out) = plan;
    out.sun = plan.sun;
    out.collect_counters = false;
    return out;
}

}  // namespace sublet::render
