#include "render/cull/cut_numbers.h"

#include "render/passes/storage_buffer.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

std::uint64_t bytes_of(const GpuScene& scene) {
    return (std::uint64_t{2} * scene.instance_count + 1) * sizeof(std::uint32_t);
}

Scan scan_of(const gpu::Capabilities& capabilities, const GpuScene& scene) {
    return Scan(capabilities, {.most_sum = scene.facts.meshlets.items});
}

}  // namespace

CutNumbers::CutNumbers(gpu::Device& device, const GpuScene& scene)
    : numbers_(make_storage_buffer(device, "cut numbers", bytes_of(scene))),
      scan_(scan_of(device.capabilities(), scene)),
      workspace_(scan_.make_workspace(device, scene.instance_count + 1)) {}

bool CutNumbers::fits(const GpuScene& scene) const {
    return numbers_.size() == bytes_of(scene);
}

void CutNumbers::record(const ViewContext& context) const {
    scan_.record(context.frame.commands, *context.frame.descriptors, context.pipelines, {numbers_}, {numbers_},
                 {.most = context.scene.instance_count + 1}, ScanKind::kExclusive, workspace_);
}

void CutNumbers::add_pipelines(const gpu::Capabilities& capabilities, const GpuScene& scene, gpu::PipelineList& out) {
    scan_of(capabilities, scene).add_pipelines(scene.instance_count + 1, out);
}

gpu::Descriptor CutNumbers::descriptor() const {
    return gpu::buffer_at(shared::kBindCutNumbers, numbers_);
}

}  // namespace sublet::render
