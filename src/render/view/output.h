// What geometry writes: attachments, the fragment stage that fills them, and the rasteriser's state for each draw
// class. There are two kinds, visibility and visibility with an alpha test. Depth alone will be another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/pipeline.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"

namespace sublet::render {

inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

// What geometry of one view is written to: attachments, or words of the compute rasteriser.
// Shaders that read them declare both: of the kind that is not written there is one pixel, which nobody reads.
struct Targets {
    VkExtent2D extent{};
    bool in_compute = false;  // words are written
    gpu::Image ids;           // shaders/view/visibility_id.glsl; undefined where depth is 0
    gpu::Image depth;         // kDepthFormat, reversed Z
    // The same of transmissive surfaces, which hide none of what is in those; where the scene has some.
    gpu::Image transmissive_ids, transmissive_depth;
    gpu::Buffer pixels;  // shaders/backends/raster_pixels.glsl
    // Of those, where ids are wide (shaders/backends/raster_wide_ids.comp); undefined where depth is 0.
    gpu::Buffer wide_ids;
};

// For shade/seen.glsl, once the targets are closed. `texels`: a sampler of single texels.
[[nodiscard]] std::vector<gpu::Descriptor> seen_descriptors(const Targets& targets, const gpu::Sampler& texels);
// What of those a pipeline reads.
[[nodiscard]] gpu::Specialization seen_constant(bool in_compute);

// Where a fragment takes its id from: the variants of backends/id.frag.
enum class IdSource : std::uint8_t {
    kVertex,        // the vertex shader, the same for a triangle's three vertices
    kPrimitiveId,   // the vertex shader gives the draw's first; triangles of a draw are numbered
    kCorners,       // the triangle's leading vertex, and its corners where that leads several
    kList,          // a list of the draw's triangles
    kPerPrimitive,  // the mesh shader
};

// The stages before the fragment shader: either `vertex`, or [`task` and] `mesh`.
struct GeometryStages {
    std::string name;
    gpu::Shader vertex, task, mesh;
    IdSource id = IdSource::kVertex;
};

// Ids and depth: which triangle each pixel shows, and how far away it is.
class VisibilityOutput {
  public:
    // For pictures of `scene`: ids are as wide as it wants them. The plan's backend decides what is written to. Both
    // live longer.
    VisibilityOutput(const GpuScene& scene, const FramePlan& plan);

    [[nodiscard]] VkFormat id_format() const { return wide_ids_ ? VK_FORMAT_R32G32_UINT : VK_FORMAT_R32_UINT; }
    // Layers of pixels: 2 where the scene has transmissive surfaces.
    [[nodiscard]] std::uint32_t layers() const { return layers_ ? 2 : 1; }
    // Whether a compute shader rasterises: there are no attachments.
    [[nodiscard]] bool in_compute() const { return in_compute_; }
    // Whether these are such targets as make_targets() makes.
    [[nodiscard]] bool fits(const Targets& targets, VkExtent2D extent) const;
    // `extent` in pixels. Throws Error where the device can't bind them.
    [[nodiscard]] Targets make_targets(gpu::Device& device, VkExtent2D extent) const;
    [[nodiscard]] gpu::GraphicsPipelineDesc pipeline(const GeometryStages& stages) const;
    // The same for classes that are tested for alpha: it reads the scene's textures.
    [[nodiscard]] gpu::GraphicsPipelineDesc masked_pipeline(const GeometryStages& stages) const;
    // Those of them that the scene's classes want.
    void add_pipelines(const GeometryStages& stages, gpu::PipelineList& out) const;

    // Brings targets into the layouts that rendering wants; what they held is lost. Words are cleared by a transfer.
    static void open(VkCommandBuffer commands, const Targets& targets);
    // Begins rendering; `clear` for the first time in a frame. Only depth is cleared: where it stays 0, nobody reads
    // the id, but in a view of phases, which compares it with later ones. Sets viewport and scissor. Ends by
    // vkCmdEndRendering. `transmissive`: to the images of those surfaces.
    void begin(VkCommandBuffer commands, const Targets& targets, bool transmissive, bool clear) const;
    // Brings targets from those into the layouts that shaders read: SHADER_READ_ONLY_OPTIMAL and
    // DEPTH_READ_ONLY_OPTIMAL.
    static void close(VkCommandBuffer commands, const Targets& targets);

  private:
    const GpuScene& scene_;
    const FramePlan& plan_;
    bool wide_ids_;
    bool in_compute_;
    bool layers_;  // two: the second of transmissive surfaces
};

// An image for ids of this format, beside those of make_targets().
[[nodiscard]] gpu::Image make_ids(gpu::Device& device, VkExtent2D extent, VkFormat format, const char* name);

// Words for that many layers of pixels, or wide ids.
[[nodiscard]] gpu::Buffer make_pixels(gpu::Device& device, VkExtent2D extent, std::uint32_t layers, const char* name);

// Specializations of a shader that tests masks (shade/alpha_test.glsl).
void add_mask_constants(gpu::Shader& shader, const GpuScene& scene, const FramePlan& plan);

// Dynamic front face and cull mode of a draw class (kClass...).
void set_draw_class(VkCommandBuffer commands, std::uint32_t draw_class);

}  // namespace sublet::render
