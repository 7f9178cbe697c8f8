// Backends that draw the triangles that compute left (cull/primitives.h). They differ in what it leaves and in how that
// is drawn.
#pragma once

#include <cstdint>
#include <memory>

#include "render/backends/backend.h"
#include "render/cull/primitives.h"

namespace sublet::render {

struct TriangleDraw {
    // Of what the pass over triangles leaves (PrimitivePass).
    std::uint32_t (*form)(const FramePlan& plan);
    GeometryStages (*stages)(const FramePlan& plan);
    // Draws one class of a round; the pipeline is bound.
    void (*draw)(const PhaseContext& context, const gpu::Pipeline& pipeline, const PrimitivePass& triangles,
                 std::uint32_t draw_class);
};

[[nodiscard]] std::unique_ptr<BackendBase> make_triangle_backend(gpu::Device& device, const TriangleDraw& draw);

}  // namespace sublet::render
