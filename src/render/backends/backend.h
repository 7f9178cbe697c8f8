// The one small interface of all backends: the last step of a frame.
#pragma once

#include <memory>

#include "gpu/pipeline.h"
#include "render/record_context.h"

namespace sublet::render {

// What the CPU knows of a frame it recorded; the GPU's counters are added to it.
struct CpuCounters {
    std::uint32_t rounds = 1;          // of culling and drawing
    std::uint64_t compact_budget = 0;  // that a compute pass went by which culls triangles; 0: there was none
    std::uint64_t instances_visible = 0;
    std::uint64_t primitives_tested = 0, primitives_drawn = 0;
};

// What a backend is told before a frame's phases.
struct FrameContext {
    gpu::Frame& frame;
    const GpuScene& scene;
    const RenderSettings& settings;
};

class BackendBase {
  public:
    BackendBase() = default;
    virtual ~BackendBase() = default;
    BackendBase(const BackendBase&) = delete;
    BackendBase& operator=(const BackendBase&) = delete;

    // Records the transfers that passes of any of the frame's phases need done, for the renderer to order all of them
    // before all passes by one barrier: a transfer and its barrier between two passes cost more than many a pass.
    // `state`: what the cull state of each phase will start with, to add to.
    virtual void begin_frame(const FrameContext& /*context*/, shared::CullState& /*state*/) {}
    // Records culling and drawing of one frame, or of one of its two phases, with their passes. Writes GPU counters to
    // the cull state.
    virtual CpuCounters record(RecordContext& context) = 0;
    // Forgets what was made for a scene.
    virtual void scene_changed() = 0;
    // VRAM bytes beside the scene's own: of index buffers, and of survivor lists.
    [[nodiscard]] virtual std::uint64_t decoded_bytes() const { return 0; }
    [[nodiscard]] virtual std::uint64_t transient_bytes() const { return 0; }
};

// For the rows of table.cpp.
[[nodiscard]] std::unique_ptr<BackendBase> make_direct(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_mdi(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_mdi_meshlets(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_compact(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_mesh_sublets(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_task_mesh(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_task_flat(gpu::Device& device);
[[nodiscard]] std::unique_ptr<BackendBase> make_task_hierarchical(gpu::Device& device);

// Begins rendering to ids and depth; `clear` for the first time in a frame. Only depth is cleared: where it stays 0,
// nobody reads the id. Sets viewport and scissor.
void begin_rendering(VkCommandBuffer commands, const Targets& targets, bool clear);

// Dynamic front face and cull mode of a draw class (kClass...).
void set_draw_class(VkCommandBuffer commands, std::uint32_t draw_class);

// Where a fragment takes its id from: the variants of backends/id.frag.
enum class IdSource : std::uint8_t {
    kVertex,        // the vertex shader, the same for a triangle's three vertices
    kPrimitiveId,   // the vertex shader gives the draw's first; triangles of a draw are numbered
    kCorners,       // the triangle's leading vertex, and its corners where that leads several
    kList,          // a list of the draw's triangles
    kPerPrimitive,  // the mesh shader
};

// A pipeline that writes ids and depth. Either `vertex`, or [`task` and] `mesh`.
struct VisibilityStages {
    std::string name;
    gpu::Shader vertex, task, mesh;
    IdSource id = IdSource::kVertex;
    std::uint32_t storage_buffers = 0;  // bindings 6, 7, ..., beyond the decoded scene's
    std::uint32_t push_constant_bytes = 0;
};

// Bindings 0 to 5 as scene_bindings.glsl and decoded_bindings.glsl declare them, then the stages' own. Specialised to
// the width of `scene`'s ids: a pipeline is made for a scene.
[[nodiscard]] gpu::Pipeline make_visibility_pipeline(gpu::Device& device, const GpuScene& scene,
                                                     VisibilityStages stages);

// Descriptors 7 to 9, of vertices and fragments of IdSource::kCorners.
void add_corner_descriptors(std::vector<gpu::Descriptor>& descriptors, const GpuScene& scene);

// Whether fragments can number the triangles of a draw (gl_PrimitiveID). Elsewhere vertex shaders pull indices.
[[nodiscard]] inline bool numbers_triangles(const gpu::Device& device) {
    return device.capabilities().geometry_shader;
}

}  // namespace sublet::render
