// Every toggle of the renderer, one field each, and the one table through which the command line, the UI, the bench and
// JSON read and write them, so that none can lag behind another.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device.h"
#include "render/settings/scene_facts.h"

namespace sublet::render {

// How things are drawn: what is culled where, and how what survives reaches the rasteriser (settings/backend_info.cpp).
enum class Backend : std::uint8_t {
    kAuto,
    kDirect,
    kMdi,
    kMdiMeshlets,
    kCompact,
    kMeshIndirect,
    kMeshSublets,
    kTaskMesh,
    kTaskFlat,
    kTaskHierarchical,
};

// What shaders that work on sublets read: the packed streams, or what the decode pass made of them.
enum class Payload : std::uint8_t { kAuto, kEncoded, kDecoded };

// How far down occlusion culling goes: to meshlets (and sublets), or, where triangles are culled in compute, to those.
enum class OcclusionDetail : std::uint8_t { kAuto, kMeshlets, kPrimitives };

// How the lanes of a sublet exchange what they know: by subgroups of this size, or by shared memory, right for any
// size.
enum class SubgroupPath : std::uint8_t { kAuto, k32, k64, kGeneral };

// A switch that the device may decide.
enum class AutoSwitch : std::uint8_t { kAuto, kOn, kOff };

// What a picture shows: shaders/shared/shade.h, kShow....
enum class Show : std::uint8_t {
    kShaded,
    kDepth,
    kInstances,
    kMeshlets,
    kSublets,
    kTriangles,
    kNormals,
    kUv,
    kBarycentrics,
    kMaterials,
    kPhase,
};

// kAuto: the one of the scene's camera, where that is used, else perspective.
enum class Projection : std::uint8_t { kAuto, kPerspective, kOrthographic };

enum class Fault : std::uint8_t {
    kNone,
    kPyramidLevelTooFine,   // bounds are looked up in the finest level whatever their size
    kVisibilityNotCleared,  // bits of the last frames stay
};

struct CameraPose {
    glm::vec3 eye{0.0F};
    glm::vec3 target{0.0F, 0.0F, -1.0F};
    float fov_degrees = 45.0F;  // vertical
    // About the line of sight, from upright; positive is counter-clockwise as seen from behind the camera, so that what
    // it shows turns clockwise. A glTF node that is turned by so much about its z has it.
    float roll_degrees = 0.0F;
};

struct RenderSettings {
    // Device scope: changing one needs a new device.
    std::string device;  // index or part of a name; empty: the best there is
    bool validation = false;
    std::vector<std::string> without;  // features that the device is to be treated as lacking

    // Scene scope: changing one rebuilds the GPU copy of the scene.
    glm::uvec3 grid{0};  // 0: the scene as it is; else its first mesh, instanced
    float grid_spacing = 3.0F;
    std::uint64_t image_limit = 0;      // bytes of all textures, and of decoding an image; 0: a quarter of the memory
    std::uint64_t survivor_budget = 0;  // bytes of each list of survivors; 0: an eighth of the device's memory

    // Frame scope: free to change at any frame.
    Backend backend = Backend::kAuto;
    bool cull_instances = true;
    bool cull_frustum = true;
    bool cull_cone = true;
    bool cull_occlusion = true;
    bool cull_sublets = true;
    bool cull_primitives = true;
    OcclusionDetail occlusion_detail = OcclusionDetail::kAuto;
    Payload payload = Payload::kAuto;
    ExpansionStrategy expansion = ExpansionStrategy::kAuto;
    std::uint32_t meshlet_workgroup = 0;  // lanes of a mesh shader's workgroup: 32, 64, 128 or 256; 0: auto
    SubgroupPath subgroup = SubgroupPath::kAuto;
    AutoSwitch local_invocation_output = AutoSwitch::kAuto;  // mesh shaders: lane i writes vertex i and primitive i
    Show show = Show::kShaded;
    // Bytes of what a compute pass leaves of triangles (indices, batches, masks); 0: 1/32 of the device's memory
    std::uint64_t compact_budget = 0;
    std::uint32_t group_tiling = 0;    // columns of workgroups in a strip of a full-screen pass; 0: off
    std::optional<CameraPose> camera;  // none: the scene's first camera, else one that frames its bounds
    std::optional<float> near_plane;   // none: the camera's, else a thousandth of the scene's radius
    Projection projection = Projection::kAuto;
    bool count_ties = false;
    std::int32_t freeze_culling = -1;  // cull from this frame's camera for the rest; -1: off
    std::uint32_t seed = 1;

    // A mistake made on purpose, for tests that must notice it. No setting of the command line.
    Fault fault = Fault::kNone;

    // Counting costs an atomic for each subgroup: timed runs go without. No setting of the command line: the bench
    // decides.
    bool collect_counters = true;
    // Entries of an expansion's list at most, for tests of what happens when it is too short. No setting either.
    std::uint64_t most_expansion_entries = ~std::uint64_t{0};
    // Ids of two words in any scene (kNarrowIdSublets), for tests: of the scene's scope.
    bool wide_ids = false;
};

enum class SettingScope : std::uint8_t { kDevice, kScene, kFrame };
enum class SettingKind : std::uint8_t { kSwitch, kChoice, kInteger, kNumber, kText };

struct Setting {
    std::string_view name;   // "cull-cone": --cull-cone on the command line, this key in JSON
    std::string_view label;  // "Cone culling": in the UI
    std::string_view help;   // one sentence
    SettingKind kind;
    SettingScope scope;
    std::vector<std::string_view> choices;      // kChoice (and on/off for kSwitch)
    std::string (*get)(const RenderSettings&);  // as the command line would write it; "" for an absent optional
    // Throws Error naming the setting, the value and what it may be.
    void (*set)(RenderSettings&, std::string_view value);
};

// All settings that work, in the order in which help and UI show them.
[[nodiscard]] std::span<const Setting> settings_table();

// Null when there is none of that name.
[[nodiscard]] const Setting* find_setting(std::string_view name);

// All but kAuto, in the order of preference of `auto` on a GPU.
[[nodiscard]] std::span<const Backend> all_backends();
[[nodiscard]] std::string_view backend_name(Backend backend);

// Whether a stage can run in subgroups of exactly `size` lanes, with what the sublet shaders need of them.
[[nodiscard]] bool subgroups_of(std::uint32_t size, VkShaderStageFlagBits stage, const gpu::Capabilities& capabilities);

// Null when `backend` works on a device with these capabilities, and draws this scene; else one sentence that a user
// can act on. Without `scene` it is about the device alone.
[[nodiscard]] std::optional<std::string> backend_unavailable(Backend backend, const gpu::Capabilities& capabilities,
                                                             const SceneFacts& scene = {});

// `settings` with every `auto` replaced by what this device really runs (but the projection's, which default_view()
// knows), and occlusion culling off for `direct`, which takes no part in it. Throws Error with the reason for a value
// that was asked for and that the device can't do. `scene`: Renderer::facts(), which automatic choices go by, and
// what was asked for is held to. Without them a backend or an expansion that can't draw the scene is found when a frame
// is recorded.
[[nodiscard]] RenderSettings resolve(const RenderSettings& settings, const gpu::Capabilities& capabilities,
                                     const SceneFacts& scene = {});

}  // namespace sublet::render
