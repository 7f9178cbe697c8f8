#include "render/measure/reference_plan.h"

namespace sublet::render {

FramePlan reference_plan(const FramePlan& plan) {
    FramePlan out;
    out.device = plan.device;
    out.cull_instances = out.cull_frustum = out.cull_cone = false;
    out.show = plan.show;
    out.environment = plan.environment;
    out.environment_turn = plan.environment_turn;
    out.environment_blur = plan.environment_blur;
    out.sun = plan.sun;
    out.sun_strength = plan.sun_strength;
    out.ev = plan.ev;
    out.tone = plan.tone;
    out.hiz_level = plan.hiz_level;
    out.wireframe = plan.wireframe;
    out.group_tiling = plan.group_tiling;
    out.collect_counters = false;
    return out;
}

}  // namespace sublet::render
