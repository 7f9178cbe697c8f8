// The vertices that the decode pass writes. A scene has them from the first frame on that reads them, and from its
// beginning where meshes deform. Where shaders unpack the payload themselves, they take no memory; what finds vertices
// in the compact coding then does.
#pragma once

#include <cstdint>

#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/settings/frame_plan.h"

namespace sublet::render {

struct GpuScene;

struct DecodedVertices {
    gpu::Buffer positions, attributes;
    gpu::Buffer leads;            // of each vertex, the first triangle that it leads; where DevicePlan::finds_corners
    gpu::Buffer compact_records;  // of each sublet

    // VRAM.
    [[nodiscard]] std::uint64_t bytes() const;
};

// Room for the vertices of `scene`. Throws Error when the device can't bind a buffer.
void make_vertices(gpu::Device& device, const GpuScene& scene);

// Whether a frame of this plan reads them. Poses of meshes that deform are made from them.
[[nodiscard]] bool reads_vertices(const FramePlan& plan, const GpuScene& scene);

// Makes what a frame of this plan reads, vertices or records, in a pass "decode" where no frame before it did. Comes
// before scene_descriptors(), which name the buffers.
void need_vertices(const FrameContext& context, const FramePlan& plan, const GpuScene& scene);

// Forgets what need_vertices() made: a frame that ended early may not have decoded it. Vertices of scenes with meshes
// that deform stay, since they were decoded with the scene.
void forget_vertices(gpu::Device& device, const GpuScene& scene);

}  // namespace sublet::render
