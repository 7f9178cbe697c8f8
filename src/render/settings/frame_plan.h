// How a frame is drawn: what settings become for a device and a scene. Nothing in it is left open.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gpu/capabilities.h"
#include "render/settings/scene_facts.h"
#include "render/settings/settings.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// How a vertex of multi-draw-indirect learns which survivor it belongs to.
enum class MdiVertices : std::uint8_t {
    kDrawIndex,      // gl_DrawID
    kFirstInstance,  // the draw's first instance is the slot
    kInstanced,      // no multi-draw, or no numbers of a draw's triangles: survivors are instances of one draw of 256
                     // triangles, indices are read by the shader
};

// How a device is used: no setting asks for it.
struct DevicePlan {
    bool draw_count = false;    // indirect draws take their number from a buffer
    bool bindless = false;      // textures are indexed freely
    bool texture_taps = false;  // anisotropy along explicit gradients is made up for (shade/textures.glsl)
    // How fragments behind vertex shaders learn which triangle they show: gl_PrimitiveID numbers those of a draw, or
    // (`direct`, `mdi`) barycentric inputs tell its corners. Without either, vertex shaders pull indices.
    bool numbers_triangles = false;
    bool finds_corners = false;
    std::uint32_t narrow_index_bits = 16;      // of indices relative to a meshlet: 8 or 16
    std::uint32_t required_subgroup_size = 0;  // of stages that cull or pack triangles; 0: whatever the device picks
    bool full_subgroups = false;               // can be asked for
    bool packed_subgroups = false;             // packed.mesh by subgroup operations
    bool raster_words = false;                 // no 64-bit atomics: the compute rasteriser takes two passes of 32 bits
    bool peels_layers = false;                 // what blends is drawn once for each of its layers (view/peel.h)
    MdiVertices mdi_vertices = MdiVertices::kInstanced;
    bool mesh_tasks = false;  // `generated` and `graph` draw by mesh shaders; else by vertex shaders
    bool mdi_runs = false;    // `mdi` draws runs of surviving sublets where those are culled; else whole meshlets

    friend bool operator==(const DevicePlan&, const DevicePlan&) = default;
};

// A member that the backend has no use for has its default.
struct FramePlan : CullSettings, LevelSettings, LookSettings, OverlaySettings {
    Backend backend = Backend::kDirect;
    bool cull_occlusion = false;
    OcclusionDetail occlusion_detail = OcclusionDetail::kMeshlets;
    Payload payload = Payload::kDecoded;
    bool compact = false;  // SceneFacts::compact, and in_part: then levels are always chosen
    bool in_part = false;
    bool textures_in_part = false;
    ExpansionStrategy expansion = ExpansionStrategy::kTaskList;
    std::uint32_t meshlet_workgroup = 32;
    SubgroupPath subgroup = SubgroupPath::kGeneral;
    bool local_invocation_output = false;
    Sun sun;
    bool difference = false;  // FrameSettings::difference, compact_budget, raster_limit, collect_counters
    std::uint64_t compact_budget = 0;
    std::uint64_t light_budget = 0;  // FrameSettings::light_budget
    std::uint32_t raster_limit = 0;
    bool collect_counters = true;
    bool taa = false;         // frames are blended with those before them
    bool keep_light = false;  // as it is before tone mapping, in PictureState::light; no setting
    DevicePlan device;

    friend bool operator==(const FramePlan&, const FramePlan&) = default;
};

// kSpecEncoded of what draws by `plan`: kEncoded...
[[nodiscard]] inline std::uint32_t encoded_as(const FramePlan& plan) {
    if (plan.payload == Payload::kDecoded) return shared::kEncodedNot;
    return plan.compact ? shared::kEncodedCompact : shared::kEncodedPlain;
}

// `settings` with all decided that they leave open, for a device with these capabilities and for this scene; and
// without occlusion culling for a backend that takes no part in it, without sublet culling where `mdi` draws whole
// meshlets. Throws Error with the reason for a value that was asked for and can't be had. `scene`: Renderer::facts(),
// which choices go by, and what was asked for is held to.
[[nodiscard]] FramePlan resolve(const FrameSettings& settings, const gpu::Capabilities& capabilities,
                                const SceneFacts& scene = {});

// `settings` as they run by `plan`: with what was decided, where the backend has a use for it.
[[nodiscard]] FrameSettings as_planned(const FrameSettings& settings, const FramePlan& plan);

// Why what blends is drawn opaque on this device, or of this scene, by a backend or by all of them; nothing where it
// need not be.
[[nodiscard]] std::optional<std::string> blending_unavailable(const gpu::Capabilities& capabilities,
                                                              const SceneFacts& scene,
                                                              std::optional<Backend> backend = std::nullopt);
// What a user is told about that, or of layers that have nothing behind them: by whatever backend.
[[nodiscard]] std::optional<std::string> blending_note(const gpu::Capabilities& capabilities, const SceneFacts& scene);

// Of all pixels of a picture (shaders/view/layer_places.glsl), bytes.
[[nodiscard]] constexpr std::uint64_t blend_layer_bytes(std::uint64_t pixels, std::uint32_t layers) {
    const std::uint64_t blocks = (pixels + shared::kLayerBlock - 1) / shared::kLayerBlock;
    return blocks * shared::kLayerBlock * (layers + 2U) * sizeof(std::uint64_t);
}

// How `capabilities` are used, by whatever settings.
[[nodiscard]] DevicePlan plan_device(const gpu::Capabilities& capabilities);

}  // namespace sublet::render
