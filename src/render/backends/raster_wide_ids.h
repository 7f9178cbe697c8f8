// Of the compute rasteriser's pixels in scenes with wide ids: which triangle each shows. Reads: Targets::pixels, where
// all phases have drawn. Writes: Targets::wide_ids.
#pragma once

#include "gpu/pipelines.h"
#include "render/view/view_context.h"

namespace sublet::render {

// The bits of a sublet's number that words of pixels keep.
[[nodiscard]] std::uint32_t raster_number_mask(const FramePlan& plan, const TestHooks& hooks);
// Whether those would not tell a scene's sublets apart: then numbers count what a frame may draw (CutNumbers).
[[nodiscard]] bool raster_counts_cut(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks);

// Pass "raster wide ids". What it writes is not yet visible to those that read it.
// `numbers`: for kBindCutNumbers.
void record_raster_wide_ids(const ViewContext& context, const gpu::Descriptor& numbers);
[[nodiscard]] gpu::ComputePipelineDesc raster_wide_ids_desc(const GpuScene& scene, const FramePlan& plan);

}  // namespace sublet::render
