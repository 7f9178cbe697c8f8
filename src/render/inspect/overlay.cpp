#include "render/inspect/overlay.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "render/inspect/draw_over.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/inspect.h"

namespace sublet::render {
namespace {

// A draw: so many lines of so many instances.
struct Lines {
    const char* name = "";  // in captures
    shared::OverlayConstants constants{};
    std::uint32_t lines = 0;
    std::uint32_t instances = 1;
    bool joints = false;
};

gpu::GraphicsPipelineDesc overlay_desc(const GpuScene& scene, const FramePlan& plan, bool joints) {
    gpu::GraphicsPipelineDesc desc;
    desc.name = joints ? "joints" : "overlay";
    // Sublets are counted over all instances: ids are not looked up.
    desc.vertex = {.spirv = shaders::overlay_vert, .specialization = {{shared::kSpecWideIds, 0U}}};
    if (joints) desc.vertex = {.spirv = shaders::joints_vert};
    desc.fragment = {.spirv = shaders::overlay_frag,
                     .specialization = {layers_constant(plan),
                                        {shared::kSpecWideIds, scene.wide_ids ? 1U : 0U},
                                        {shared::kSpecFeatures, scene.features}}};
    desc.colors = {{.format = kColorFormat, .blend = gpu::Blend::kAlpha}};
    desc.lines = true;
    return desc;
}

std::uint32_t level_of(BoundsOf of) {
    return of == BoundsOf::kSublets    ? shared::kLevelSublet
           : of == BoundsOf::kMeshlets ? shared::kLevelMeshlet
                                       : shared::kLevelInstance;
}

std::uint32_t level_of(SelectionLevel level) {
    return level == SelectionLevel::kInstance  ? shared::kLevelInstance
           : level == SelectionLevel::kMeshlet ? shared::kLevelMeshlet
                                               : shared::kLevelSublet;
}

// Items of a level that are looked at: of meshlets, all sublets. No more than a draw has instances.
std::uint32_t count_of(std::uint32_t level, const GpuScene& scene) {
    if (level == shared::kLevelInstance) return scene.instance_count;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(scene.drawable_sublets, kMost));
}

Lines bounds_lines(const GpuScene& scene, Bounds bounds, std::uint32_t level) {
    Lines out{.name = "bounds"};
    if (bounds == Bounds::kSpheres) {
        out.constants.shape = shared::kShapeSphere;
        out.lines = shared::kCircleLines;   // the silhouette alone: many spheres would be a tangle
    } else if (bounds == Bounds::kBoxes) {  // of meshes alone
        out.constants.shape = shared::kShapeBox;
        out.lines = shared::kBoxLines;
        level = shared::kLevelInstance;
    } else {  // meshes have no cone
        out.constants.shape = shared::kShapeCone;
        out.lines = shared::kCircleLines + 1 + shared::kConeSpokes;
        level = std::max(level, shared::kLevelMeshlet);
    }
    out.constants.level = level;
    out.constants.instance = shared::kAll;
    out.instances = count_of(level, scene);
    return out;
}

Lines picked_lines(const GpuScene& scene, Bounds bounds, const Selection& picked) {
    Lines out = bounds_lines(scene, bounds, level_of(picked.level));
    if (bounds == Bounds::kSpheres) out.lines = shared::kCircleLines * shared::kSphereCircles;
    out.instances = 1;
    out.constants.instance = picked.instance;
    out.constants.item =
        out.constants.level == shared::kLevelMeshlet ? picked.sublet / shared::kSubletsPerMeshlet : picked.sublet;
    return out;
}

// To the far end of the scene.
Lines frustum_lines(const glm::vec4& bounds, const View& frozen) {
    Lines out{.name = "frozen frustum"};
    out.constants.shape = shared::kShapeFrustum;
    const float center = glm::dot(glm::vec3(bounds) - frozen.eye, frozen.forward);
    out.constants.frustum_end = std::max(center + bounds.w, 10.0F * frozen.near_plane);
    out.lines = shared::kBoxLines;
    return out;
}

std::vector<Lines> lines_of(const GpuScene& scene, const FramePlan& plan, const Inspection& inspection,
                            const View* frozen) {
    const Selection& picked = inspection.selection;
    std::vector<Lines> out;
    if (plan.bounds != Bounds::kOff) {
        if (plan.bounds_of != BoundsOf::kPicked) {
            out.push_back(bounds_lines(scene, plan.bounds, level_of(plan.bounds_of)));
        } else if (picked.level != SelectionLevel::kNone) {
            out.push_back(picked_lines(scene, plan.bounds, picked));
        }
    }
    if (plan.frustum && frozen != nullptr)
        out.push_back(frustum_lines(inspection.frozen_bounds.value_or(scene.bounds), *frozen));
    if (plan.joints && scene.skeletons.count != 0) {
        out.push_back({.name = "joints",
                       .lines = scene.skeletons.most_joints * shared::kJointLines,
                       .instances = scene.skeletons.count,
                       .joints = true});
    }
    return out;
}

}  // namespace

void record_overlay(const ViewContext& context, const PictureState& picture, const Inspection& inspection) {
    const std::optional<View>& frozen = context.geometry.frozen;
    const std::vector<Lines> draws = lines_of(context.scene, context.plan, inspection, frozen ? &*frozen : nullptr);
    if (draws.empty()) return;
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("overlay");
    const Targets& targets = context.geometry.targets;
    draw_over(commands, picture.color, nullptr, [&] {
        for (Lines draw : draws) {
            const gpu::DebugLabel label = context.profiler.label(commands, draw.name);
            std::vector<gpu::Descriptor> set = seen_descriptors(targets, picture.texel_sampler);
            if (draw.joints) {
                set.push_back(gpu::buffer_at(shared::kBindSkeletons, context.scene.skeletons.skeletons));
                set.push_back(gpu::buffer_at(shared::kBindJointPlaces, context.scene.skeletons.places));
            }
            const gpu::Pipeline& pipeline = context.bind(overlay_desc(context.scene, context.plan, draw.joints), set);
            vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
            vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
            draw.constants.size = {targets.extent.width, targets.extent.height};
            draw.constants.in_compute = targets.in_compute ? 1 : 0;
            pipeline.push(commands, draw.constants);
            vkCmdDraw(commands, draw.lines * 2, draw.instances, 0, 0);
        }
    });
}

void add_overlay_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) {
    if (plan.bounds != Bounds::kOff || plan.frustum) out.add(overlay_desc(scene, plan, false));
    if (plan.joints && scene.skeletons.count != 0) out.add(overlay_desc(scene, plan, true));
}

}  // namespace sublet::render
