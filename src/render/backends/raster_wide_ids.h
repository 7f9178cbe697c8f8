// Of the compute rasteriser's pixels in scenes with wide ids: which triangle each shows. Reads: Targets::pixels, where
// all phases have drawn. Writes: Targets::wide_ids.
#pragma once

#include "gpu/pipelines.h"
#include "render/view/view_context.h"

namespace sublet::render {

// The bits of a sublet's number that words of pixels keep.
[[nodiscard]] std::uint32_t raster_number_mask(const ViewContext& context);

// Pass "raster wide ids", where the targets have wide ids; else nothing. What it writes is not yet visible to those
// that read it.
void record_raster_wide_ids(const ViewContext& context);

// The pipeline of that, likewise.
void add_raster_wide_ids_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
