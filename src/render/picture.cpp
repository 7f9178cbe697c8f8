#include "render/picture.h"

#include <cstddef>

#include "render/inspect/overlay.h"
#include "render/inspect/rejects.h"
#include "render/shade/ambient.h"
#include "shaders/shared/exposure.h"
#include "shaders/shared/lights.h"

namespace sublet::render {
namespace {

void prepare_state(const ViewContext& context, PictureState& picture) {
    picture.prepare(context.geometry.targets.extent, context.plan, context.scene.has_transmissive(),
                    context.scene.drawable_sublets);
}

// `selection`, if there is such a thing in the scene; else nothing.
Selection in_scene(const Selection& selection, const GpuScene& scene) {
    const bool known = selection.instance < scene.instance_count &&
                       selection.sublet < scene.mesh_headers[scene.instance_data[selection.instance].mesh].sublet_count;
    return known ? selection : Selection{};
}

}  // namespace

void PicturePasses::shade(const ViewContext& context, PictureState& picture, const Inspection& inspection,
                          const std::vector<float>& times_before) {
    const View& view = context.geometry.view;
    prepare_state(context, picture);
    Inspection asked = inspection;
    asked.selection = in_scene(asked.selection, context.scene);
    picture.inspector.begin(context.frame, asked, view, context.geometry.targets.extent);
    record_verdicts(context, picture);
    environment_.record(context, context.plan);
    motion_.record(context, picture, times_before);
    lights_.record(context, picture, context.geometry.targets.extent);
    record_ambient(context, picture);
    shade_.record(context, picture, environment_, asked);
    if (context.plan.taa && !view.repeated) {
        if (!temporal_) temporal_.emplace(device_);
        temporal_->record(context, picture);
    }
    record_culled(context, picture);
    record_overlay(context, picture, asked);
    if (view.averaged != 0) {
        if (!average_) average_.emplace(device_);
        average_->record(context, picture.color, view.averaged, view.repeated);
    }
    picture.last = view;
}

void PicturePasses::read_back(const ViewContext& context, const PictureState& picture) {
    if (!context.plan.ev) {
        const VkBufferCopy copy{offsetof(shared::ExposureState, exposure), 0, sizeof(float)};
        vkCmdCopyBuffer(context.frame.commands, picture.exposure.handle(),
                        picture.exposures[context.frame.slot].handle(), 1, &copy);
    }
    if (picture.lights.clusters) {
        const VkBufferCopy copy{0, 0, sizeof(shared::ClusterState)};
        vkCmdCopyBuffer(context.frame.commands, picture.lights.clusters.handle(),
                        picture.light_counts[context.frame.slot].handle(), 1, &copy);
    }
    picture.inspector.end(context.frame);
}

void PicturePasses::shade_plain(const ViewContext& context, PictureState& picture) const {
    prepare_state(context, picture);
    picture.inspector.begin(context.frame, {}, context.geometry.view, context.geometry.targets.extent);
    shade_.record_plain(context, picture);
    picture.last = context.geometry.view;
}

void PicturePasses::add_pipelines(const GpuScene& scene, const FramePlan& plan, bool inspected,
                                  gpu::PipelineList& out) const {
    shade_.add_pipelines(scene, plan, inspected, out);
    Environment::add_pipelines(plan, out);
    lights_.add_pipelines(scene, plan, out);
    add_rejects_pipelines(plan, out);
    add_motion_pipelines(scene, plan, out);
    add_ambient_pipelines(scene, plan, out);
    TemporalPass::add_pipelines(plan, out);
    add_overlay_pipelines(scene, plan, out);
}

}  // namespace sublet::render
