// Each bound as a sphere and as a box: where they project to, and whether they are occluded.
#version 460
#extension GL_GOOGLE_include_directive : require

float hiz_load(uint index);
#include "view/occlusion.glsl"

layout(local_size_x = 64) in;

struct Bound {
    vec4 transform[3];
    vec4 sphere;
    vec4 low;   // w: Instance::scale
    vec4 high;
};
struct Verdict {
    vec4 sphere;  // low, high
    vec4 box;
    vec2 depths;
    uint verdicts;  // bits: sphere projected, sphere occluded, box projected, box occluded
    uint reserved;
};
layout(std140, set = 0, binding = 0) uniform View { OcclusionView view; };
layout(std430, set = 0, binding = 1) readonly buffer Pyramid { float pyramid[]; };
layout(std430, set = 0, binding = 2) readonly buffer Bounds { Bound bounds[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Verdicts { Verdict verdicts[]; };
layout(push_constant) uniform Push { uint count; };

float hiz_load(uint index) { return pyramid[index]; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    Bound bound = bounds[i];
    vec4 sphere = world_sphere(bound.transform, bound.low.w, bound.sphere);
    ProjectedBound projected;
    Verdict verdict;
    verdict.reserved = 0u;
    verdict.verdicts = project_sphere(view, sphere.xyz, sphere.w, projected) ? 1u : 0u;
    verdict.verdicts |= sphere_occluded(view, sphere.xyz, sphere.w) ? 2u : 0u;
    verdict.sphere = vec4(projected.low, projected.high);
    verdict.depths.x = projected.depth;
    verdict.verdicts |= project_box(view, bound.transform, bound.low.xyz, bound.high.xyz, projected) ? 4u : 0u;
    verdict.verdicts |= box_occluded(view, bound.transform, bound.low.xyz, bound.high.xyz) ? 8u : 0u;
    verdict.box = vec4(projected.low, projected.high);
    verdict.depths.y = projected.depth;
    verdicts[i] = verdict;
}
