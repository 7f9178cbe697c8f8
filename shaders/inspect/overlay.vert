// Lines over the picture: bounds of instances, meshlets or sublets, an instance of the draw each; or the frustum of the
// camera that culls. Nothing comes from the CPU but counts.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/view_colors.h"
#include "scene/bindings.glsl"
#include "scene/bounds.glsl"
#include "scene/vertex.glsl"
#include "shade/false_color.glsl"

layout(constant_id = kSpecWideIds) const bool kWideIds = false;
#include "cull/cut.glsl"
#include "scene/seen_triangle.glsl"
layout(push_constant) uniform Push { OverlayConstants constants; };
layout(location = 0) flat out vec4 out_color;
layout(location = 1) flat out float out_hidden;  // how much of a line is left behind what the picture shows

const vec3 kNowhere = vec3(0.0);

// Whose bounds a line is of.
struct Item {
    bool there;
    uint instance;
    Bound bound;
    uint number;  // for its colour
};

Bound mesh_bound(uint mesh) { return Bound(meshes[mesh].sphere, vec4(0.0, 0.0, 1.0, 1.0)); }

Item meshlet_item(uint instance, uint meshlet, bool there) {
    Bound bound = meshlet_bound(instances[instance].mesh, there ? meshlet : 0u);
    return Item(there, instance, bound, meshlet_number(instance, meshlet));
}

Item sublet_item(uint instance, uint sublet) {
    return Item(meshlet_in_cut(instance, sublet / kSubletsPerMeshlet), instance,
                sublet_bound(instances[instance].mesh, sublet), first_of[instance].sublet + sublet);
}

Item find_item() {
    bool all = constants.instance == kAll;
    uint number = gl_InstanceIndex;
    if (constants.level == kLevelMeshlet) {
        if (!all) {
            return meshlet_item(constants.instance, constants.item, true);
        }
        // By their first sublets.
        uint instance = find_instance(number);
        uint sublet = number - first_of[instance].sublet;
        return meshlet_item(instance, sublet / kSubletsPerMeshlet, sublet % kSubletsPerMeshlet == 0u &&
                                              meshlet_in_cut(instance, sublet / kSubletsPerMeshlet));
    }
    if (constants.level == kLevelSublet) {
        uint instance = all ? find_instance(number) : constants.instance;
        return sublet_item(instance, all ? number - first_of[instance].sublet : constants.item);
    }
    uint instance = all ? number : constants.instance;
    return Item(true, instance, mesh_bound(instances[instance].mesh), instance);
}

// A point of a circle about `axis`, which is of unit length.
vec3 circle_point(vec3 center, vec3 axis, float radius, uint step) {
    vec3 aside = abs(axis.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 u = normalize(cross(axis, aside));
    vec3 v = cross(axis, u);
    float angle = 6.2831853 * float(step % kCircleLines) / float(kCircleLines);
    return center + radius * (cos(angle) * u + sin(angle) * v);
}

// The circle that is seen as the outline of a sphere; of no size from within.
vec3 silhouette_point(vec3 center, float radius, uint step) {
    if (frame.view.eye.w != 0.0) {
        return circle_point(center, frame.view.forward.xyz, radius, step);
    }
    vec3 to_center = center - frame.view.eye.xyz;
    float squared = dot(to_center, to_center);
    float share = radius * radius / max(squared, 1e-30);
    if (share >= 1.0) {
        return center;
    }
    return circle_point(center - share * to_center, to_center * inversesqrt(squared), radius * sqrt(1.0 - share), step);
}

vec3 sphere_point(vec3 center, float radius, uint line, uint end) {
    uint circle = line / kCircleLines;
    uint step = line % kCircleLines + end;
    if (circle == 0u) {
        return silhouette_point(center, radius, step);
    }
    out_color.a = 0.25;
    return circle_point(center, vec3(circle == 1u, circle == 2u, circle == 3u), radius, step);
}

// Corner and end of the lines of a box: four about its front, four about its back, four between.
uvec2 box_corner(uint line, uint end) {
    uint corner = line < 8u ? (line + end) % 4u : line % 4u;
    return uvec2(corner, line < 8u ? line / 4u : end);
}

vec3 box_point(uint instance, uint line, uint end) {
    uvec2 corner = box_corner(line, end);
    vec3 share = vec3(corner.x == 1u || corner.x == 2u, corner.x >= 2u, corner.y == 1u);
    uint mesh = instances[instance].mesh;
    return transform_point(instances[instance].transform,
                           mix(meshes[mesh].aabb_min.xyz, meshes[mesh].aabb_max.xyz, share));
}

// The cone of normals: its tip in the sphere's centre, its rim on the sphere. The cutoff is the sine of the angle
// between its axis and its side.
vec3 cone_point(Item item, vec3 center, float radius, uint line, uint end) {
    float sine = item.bound.cone.w;
    uint instance = item.instance;
    vec3 axis = normalize(vec3(dot(instances[instance].transform[0].xyz, item.bound.cone.xyz),
                               dot(instances[instance].transform[1].xyz, item.bound.cone.xyz),
                               dot(instances[instance].transform[2].xyz, item.bound.cone.xyz)));
    vec3 tip = center + axis * radius * sqrt(1.0 - sine * sine);
    if (line < kCircleLines) {
        return circle_point(tip, axis, radius * sine, line + end);
    }
    uint spoke = line - kCircleLines;
    if (end == 0u) {
        return center;
    }
    return spoke == 0u ? center + axis * radius
                       : circle_point(tip, axis, radius * sine, (spoke - 1u) * (kCircleLines / kConeSpokes));
}

// Where three planes meet.
vec3 meeting_point(vec4 a, vec4 b, vec4 c) {
    return -(a.w * cross(b.xyz, c.xyz) + b.w * cross(c.xyz, a.xyz) + c.w * cross(a.xyz, b.xyz)) /
           dot(a.xyz, cross(b.xyz, c.xyz));
}

// Of the frozen camera: from its near plane to the end of the scene, since it has no far plane.
vec3 frustum_point(uint line, uint end) {
    uvec2 corner = box_corner(line, end);
    vec4 aside = frame.cull.planes[corner.x == 1u || corner.x == 2u ? 1 : 0];
    vec4 upright = frame.cull.planes[corner.x >= 2u ? 3 : 2];
    vec3 near = meeting_point(aside, upright, frame.cull.planes[4]);
    vec3 along = cross(aside.xyz, upright.xyz);
    // Scaled so that a step goes one unit forward.
    along /= dot(along, frame.cull.forward.xyz);
    return corner.y == 1u ? near + along * constants.frustum_end : near;
}

// Where culling tests no cone, none is drawn.
bool has_cone(Item item) {
    return item.bound.cone.w < 1.0 && (instances[item.instance].flags & kInstanceConeTest) != 0u;
}

vec3 bound_point(Item item, uint line, uint end) {
    if (constants.shape == kShapeBox) {
        return box_point(item.instance, line, end);
    }
    vec3 center = transform_point(instances[item.instance].transform, item.bound.sphere.xyz);
    float radius = item.bound.sphere.w * instances[item.instance].scale;
    return constants.shape == kShapeSphere ? sphere_point(center, radius, line, end)
                                           : cone_point(item, center, radius, line, end);
}

void main() {
    uint line = gl_VertexIndex / 2u;
    uint end = gl_VertexIndex % 2u;
    out_color = vec4(named_color(kColorFrustum), 1.0);
    out_hidden = 0.3;
    vec3 position = kNowhere;
    if (constants.shape == kShapeFrustum) {
        position = frustum_point(line, end);
    } else {
        Item item = find_item();
        bool there = item.there && !instance_invisible(item.instance) &&
                     (constants.shape != kShapeCone || has_cone(item));
        // There are many of them, mostly behind what is seen.
        out_hidden = constants.instance == kAll ? 0.08 : out_hidden;
        out_color.rgb = constants.instance == kAll ? false_color(item.number) : named_color(kColorSelection);
        if (there) {
            position = bound_point(item, line, end);
        } else {
            out_color.a = 0.0;  // both ends are in one place: nothing is drawn
        }
    }
    gl_Position = clip_position(frame.view.clip, position);
}
