// What geometry of a view writes: targets, their clears, and what fills them.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/pipeline.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"
#include "render/passes/passes.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/view/peel.h"
#include "shaders/shared/passes.h"

namespace sublet::render {

inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

// A texel in DEPTH_READ_ONLY_OPTIMAL, undefined: for a shader that declares a depth image, where it is specialised not
// to read one.
[[nodiscard]] gpu::Image make_unread_depth(gpu::Device& device, gpu::Commands commands);

// Attachments, or words of the compute rasteriser. What an output does not write is empty, but for a pixel of what
// shaders declare all the same.
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
    gpu::Buffer layers;  // of what blends, where something does: shaders/view/layers.glsl
    PeelTargets peel;    // of that, where layers are peeled
    // What the first of two phases left of these, while Show::kPhase asks for it.
    gpu::Image ids_of_phase_1, transmissive_ids_of_phase_1;
    gpu::Buffer pixels_of_phase_1;

    // What shaders find at kBindWideIds: wide ids, or layers, which never come together; else any buffer.
    [[nodiscard]] const gpu::Buffer& wide_ids_or_layers() const {
        return layers ? layers : wide_ids ? wide_ids : pixels;
    }
    // Words of the compute rasteriser for each pixel, of which the last is its depth; 0 where it does not write.
    [[nodiscard]] std::uint32_t pixel_words() const { return !in_compute ? 0 : ids ? 2 : 1; }
    // VRAM bytes, but for those of layers.
    [[nodiscard]] std::uint64_t bytes() const;
};

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
    bool generated = false;  // draws are generated commands
};

// Surfaces that the same stages draw by different pipelines.
enum class Surfaces : std::uint8_t { kPlain, kMasked, kBlended };

// Draws of all classes by the same stages.
struct GeometryDraws {
    const GeometryStages& stages;
    bool clear = false;                              // the first of a frame
    bool blended = false;                            // of what blends, once all else is drawn; else of all else
    const PerClass<std::uint32_t>& counts;           // a class without any is not drawn
    std::function<void(const gpu::Pipeline&)> bind;  // binds a pipeline and its sets, but for textures
    std::function<void(const gpu::Pipeline&, std::uint32_t draw_class)> draw;  // by the pipeline that is bound
};

// What the words of the compute rasteriser hold: shaders/shared/passes.h.
enum class RasterWords : std::uint8_t {
    kPixels = shared::kWordsPixels,
    kDepths = shared::kWordsDepths,
    kIds = shared::kWordsIds,
    kDepth = shared::kWordsDepth,
    kLayers = shared::kWordsLayers,
};

// Whether frames by this plan are rasterised by a compute shader.
[[nodiscard]] bool rasters_in_compute(const FramePlan& plan);

class Output {
  public:
    // Of pictures of `scene`. Whether a compute shader rasterises is up to the plan's backend. Both live longer.
    Output(const GpuScene& scene, const FramePlan& plan);
    virtual ~Output() = default;
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    // Whether a compute shader rasterises: there are no attachments.
    [[nodiscard]] bool in_compute() const { return in_compute_; }
    // Whether these are such targets as make_targets() makes.
    [[nodiscard]] virtual bool fits(const Targets& targets, VkExtent2D extent) const = 0;
    // `extent` in pixels. Throws Error where the device can't bind them.
    [[nodiscard]] virtual Targets make_targets(gpu::Device& device, VkExtent2D extent) const = 0;
    // Whether what blends is drawn apart, once all else is. If not, it is drawn with that.
    [[nodiscard]] virtual bool blends() const { return false; }
    // Whether it is drawn once for each of its layers.
    [[nodiscard]] bool peels() const { return blends() && plan_.device.peels_layers && !in_compute_; }
    // The pipelines of draw().
    void add_pipelines(const GeometryStages& stages, bool blended, gpu::PipelineList& out) const;
    // Draws into the targets, with a debug label around each class. Outside of rendering.
    void draw(const FrameContext& context, const Targets& targets, const GeometryDraws& draws) const;
    // For each set of attachments the draw classes that are drawn to it, a bit each, what blends apart excepted.
    [[nodiscard]] virtual std::vector<std::uint32_t> renderings() const { return {kAllClasses}; }
    // Begins rendering to the attachments of one of these.
    virtual void begin(gpu::Commands commands, const Targets& targets, std::uint32_t classes, bool clear) const = 0;
    // The pipelines of draw() as nodes of an execution graph: by draw class, each for its own alone.
    [[nodiscard]] std::vector<gpu::GraphicsPipelineDesc> node_pipelines(const GeometryStages& stages) const;
    // Targets::pixel_words() of its targets.
    [[nodiscard]] virtual std::uint32_t pixel_words() const = 0;
    // The passes that the compute rasteriser makes over its triangles, in this order; `blended`: over what blends.
    [[nodiscard]] virtual std::vector<RasterWords> raster_words(bool blended) const = 0;
    // After the first of two phases.
    virtual void end_first_phase(gpu::Commands /*commands*/, const Targets& /*targets*/) const {}

    // Brings targets into the layouts that rendering wants; what they held is lost, but for layers. Words are cleared
    // by a transfer.
    void open(gpu::Commands commands, const Targets& targets) const;
    // Brings targets from those into the layouts that shaders read: SHADER_READ_ONLY_OPTIMAL and
    // DEPTH_READ_ONLY_OPTIMAL.
    static void close(gpu::Commands commands, const Targets& targets);

  protected:
    [[nodiscard]] const GpuScene& scene() const { return scene_; }
    [[nodiscard]] const FramePlan& plan() const { return plan_; }
    // By these stages. All but plain surfaces read the scene's textures.
    [[nodiscard]] virtual gpu::GraphicsPipelineDesc pipeline(const GeometryStages& stages, Surfaces surfaces) const;
    // What words are cleared to.
    [[nodiscard]] virtual std::uint32_t cleared() const { return 0; }
    // What blends, where it is drawn apart.
    virtual void draw_blended(const FrameContext& /*context*/, const Targets& /*targets*/,
                              const GeometryDraws& /*draws*/) const {}
    // Those of `classes` that these draws are of, within rendering.
    void draw_classes(const FrameContext& context, const GeometryDraws& draws, std::uint32_t classes) const;

  private:
    const GpuScene& scene_;
    const FramePlan& plan_;
    bool in_compute_;
};

// Ids and depth: which triangle each pixel shows, and how far away it is. Transmissive surfaces have images of their
// own, and what blends has layers, if the plan says so.
class VisibilityOutput final : public Output {
  public:
    VisibilityOutput(const GpuScene& scene, const FramePlan& plan);

    [[nodiscard]] bool fits(const Targets& targets, VkExtent2D extent) const override;
    [[nodiscard]] Targets make_targets(gpu::Device& device, VkExtent2D extent) const override;
    [[nodiscard]] bool blends() const override { return plan().blend_layers != 0; }
    [[nodiscard]] std::uint32_t pixel_words() const override { return in_compute() ? 2 : 0; }
    // What is transmissive has a set of its own.
    [[nodiscard]] std::vector<std::uint32_t> renderings() const override;
    // Only depth is cleared: where it stays 0, nobody reads the id, but in a view of phases, which compares it with
    // later ones.
    void begin(gpu::Commands commands, const Targets& targets, std::uint32_t classes, bool clear) const override;
    [[nodiscard]] std::vector<RasterWords> raster_words(bool blended) const override;
    // Keeps what Show::kPhase asks for.
    void end_first_phase(gpu::Commands commands, const Targets& targets) const override;

  private:
    [[nodiscard]] VkFormat id_format() const { return wide_ids_ ? VK_FORMAT_R32G32_UINT : VK_FORMAT_R32_UINT; }
    // Layers of pixels: 2 where the scene has transmissive surfaces.
    [[nodiscard]] std::uint32_t layers() const { return layers_ ? 2 : 1; }
    [[nodiscard]] std::uint64_t layer_bytes(VkExtent2D extent) const;
    [[nodiscard]] bool keeps_phase_1() const { return plan().show == Show::kPhase && plan().cull_occlusion; }
    [[nodiscard]] gpu::GraphicsPipelineDesc pipeline(const GeometryStages& stages, Surfaces surfaces) const override;
    void draw_blended(const FrameContext& context, const Targets& targets, const GeometryDraws& draws) const override;

    bool wide_ids_;
    bool layers_;  // two: the second of transmissive surfaces
};

// Depth alone, of all surfaces, what masks leave out of them excepted.
class DepthOutput final : public Output {
  public:
    // `farthest`: the depth where nothing is drawn, which hides what lies behind it.
    DepthOutput(const GpuScene& scene, const FramePlan& plan, float farthest = 0.0F)
        : Output(scene, plan), farthest_(farthest) {}

    [[nodiscard]] bool fits(const Targets& targets, VkExtent2D extent) const override;
    [[nodiscard]] Targets make_targets(gpu::Device& device, VkExtent2D extent) const override;
    void begin(gpu::Commands commands, const Targets& targets, std::uint32_t classes, bool clear) const override;
    [[nodiscard]] std::uint32_t pixel_words() const override { return in_compute() ? 1 : 0; }
    [[nodiscard]] std::vector<RasterWords> raster_words(bool /*blended*/) const override {
        return {RasterWords::kDepth};
    }

  private:
    [[nodiscard]] gpu::GraphicsPipelineDesc pipeline(const GeometryStages& stages, Surfaces surfaces) const override;
    [[nodiscard]] std::uint32_t cleared() const override { return std::bit_cast<std::uint32_t>(farthest_); }

    float farthest_;
};

// For shade/seen.glsl, once the targets are closed. `texels`: a sampler of single texels.
[[nodiscard]] std::vector<gpu::Descriptor> seen_descriptors(const Targets& targets, const gpu::Sampler& texels);
// Whether a pipeline finds layers among those.
[[nodiscard]] gpu::Specialization layers_constant(const FramePlan& plan);

// Specializations of a shader that tests masks (shade/alpha_test.glsl).
void add_mask_constants(gpu::Shader& shader, const GpuScene& scene, const FramePlan& plan);

// Front face and cull mode of a draw class (kClass...), and where these are dynamic.
[[nodiscard]] gpu::Faces faces_of(std::uint32_t draw_class);
void set_draw_class(gpu::Commands commands, std::uint32_t draw_class);

}  // namespace sublet::render
