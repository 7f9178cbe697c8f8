// What can be set, one field each, and the one table through which the command line, the UI, the bench and
// JSON read and write them, so that none can lag behind another.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/settings/scene_facts.h"
#include "scene/environment_map.h"
#include "scene/scene.h"

namespace sublet::render {

// How things are drawn: what is culled where, and how what survives reaches the rasteriser (settings/backend_info.cpp).
enum class Backend : std::uint8_t {
    kDirect,
    kMdi,
    kCompact,
    kMeshIndirect,
    kMeshSublets,
    kTaskMesh,
    kTaskFlat,
    kTaskHierarchical,
    kRaster,
    kGenerated,
    kGraph,
    kGraphAmdx,
};

// What shaders that work on sublets read: the packed streams, or what the decode pass made of them.
enum class Payload : std::uint8_t { kEncoded, kDecoded };

// What two phases keep bits of: meshlets; for the backends that list sublets, those; where triangles are culled in
// compute, triangles.
enum class OcclusionDetail : std::uint8_t { kMeshlets, kSublets, kPrimitives };

// How the lanes of a sublet exchange what they know: by subgroups of this size, or by shared memory, right for any
// size.
enum class SubgroupPath : std::uint8_t { k32, k64, kGeneral };

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
    kPath,
    kDensity,
    kOverdraw,
    kHiz,
    kCulled,
    kBaseColor,
    kMetallicRoughness,
    kOcclusion,
    kEmission,
    kMotion,
    kLod,
    kLodError,
    kLodGroup,
    kShadowMaps,
    kShadowTexels,
    kShadowDepths,
    kBlendLayers,
    kResidency,
    kAge,
};

// Lines over the picture: bounds of what, and of which.
enum class Bounds : std::uint8_t { kOff, kSpheres, kBoxes, kCones };
enum class BoundsOf : std::uint8_t { kInstances, kMeshlets, kSublets, kPicked };

// How much of what a pixel shows is selected.
enum class SelectionLevel : std::uint8_t { kNone, kInstance, kMeshlet, kSublet, kTriangle };

// Where light comes from all around.
enum class EnvironmentKind : std::uint8_t { kSky, kNone, kPicture };

struct EnvironmentSource {
    EnvironmentKind kind = EnvironmentKind::kSky;
    std::string file = {};  // kPicture: an absolute path
    // kPicture: what was read from it. A setting's text only names the file: until whoever draws has read it, it is
    // null, and resolve() throws.
    std::shared_ptr<const scene::EnvironmentMap> picture = {};

    friend bool operator==(const EnvironmentSource&, const EnvironmentSource&) = default;
};

// One directional light: degrees above the horizon, and from +z towards +x.
struct Sun {
    bool on = true;
    float elevation = 53.0F;
    float azimuth = 48.0F;

    friend bool operator==(const Sun&, const Sun&) = default;
};

// How light becomes colours: shaders/shared/shade.h, kTone....
enum class Tone : std::uint8_t { kNone, kNeutral, kAces };

// What casts shadows.
enum class Shadows : std::uint8_t { kOff, kSun, kOn };

enum class Projection : std::uint8_t { kPerspective, kOrthographic };

struct CameraPose {
    glm::vec3 eye{0.0F};
    glm::vec3 target{0.0F, 0.0F, -1.0F};
    float fov_degrees = 45.0F;  // vertical
    // About the line of sight, from upright; positive is counter-clockwise as seen from behind the camera, so that what
    // it shows turns clockwise. A glTF node that is turned by so much about its z has it.
    float roll_degrees = 0.0F;

    bool operator==(const CameraPose&) const = default;
};

// Changing one needs a new device.
struct DeviceSettings {
    std::string name;  // its number or part of its name; empty: the best there is
    bool validation = false;
    bool shader_statistics = false;
    std::vector<std::string> without;  // features that the device is to be treated as lacking
};

// Changing one rebuilds the GPU copy of the scene, or the scene.
struct SceneSettings {
    scene::Grid grid;
    std::string variant = {};          // a material variant of the scene; empty: its meshes' own materials
    std::string hide = {};             // nodes that are not drawn, nor what is below them: scene::chosen_nodes()
    std::string isolate = {};          // nodes that are drawn alone, with what is below them; empty: all are
    std::string animation = "all";     // those that play: scene::chosen_animations()
    float stagger = 0.0F;              // seconds by which each place of a grid is ahead of the one before
    std::uint32_t lights_scatter = 0;  // lights that are placed at random
    std::uint32_t seed = 1;            // of the built-in scene, and of such lights
    // Bytes of geometry, its decoded vertices included, and of textures; 0: half of what the driver grants.
    std::uint64_t vram_budget = 0;
    // Bytes of these that textures may take; 0: half, or what geometry leaves where that is more.
    std::uint64_t texture_budget = 0;
    // Of geometry that has no room at once: frames wait for all that they show. Else it comes while they go on. None:
    // they wait where pictures are written or timed.
    std::optional<bool> stream_wait = {};
    // Bytes of the images that are being decoded; 0: a quarter of the machine's memory.
    std::uint64_t image_limit = 0;
    // Bytes of the list of survivors; 0: a 64th of the device's memory, 64 to 512 MiB, and 64 MiB where levels of
    // detail are chosen.
    std::uint64_t survivor_budget = 0;
    // Bytes for vertices of instances that deform; 0: a quarter of the device's memory.
    std::uint64_t deform_budget = 0;
};

inline constexpr std::uint32_t kMostBlendLayers = 8;
inline constexpr float kMostLodError = 1024.0F;
inline constexpr std::uint32_t kMostRasterLimit = 16384;  // a box less than 128 pixels to each side has no more

// What settings and the plan of a frame have alike.

struct CullSettings {
    bool cull_instances = true;
    bool cull_frustum = true;
    bool cull_cone = true;
    bool cull_sublets = true;
    bool cull_primitives = true;
    bool direct_meshlets = false;      // direct draws select meshlets, not whole instances
    std::int32_t freeze_culling = -1;  // cull from this frame's camera for the rest; -1: off

    friend bool operator==(const CullSettings&, const CullSettings&) = default;
};

// Which levels of detail are drawn.
struct LevelSettings {
    bool lod = true;         // those that are right to lod_error, where the scene has some; else the finest
    float lod_error = 1.0F;  // pixels
    // Where frames wait: more, and coarser textures, where what is seen has no room (--lod-error auto).
    bool lod_fits = false;

    friend bool operator==(const LevelSettings&, const LevelSettings&) = default;
};

// What is drawn as seen from lights.
struct ShadowSettings {
    Shadows shadows = Shadows::kOff;
    std::uint32_t shadow_resolution = 2048;       // texels along a side of each map of the sun; a power of two
    std::uint32_t shadow_light_resolution = 512;  // likewise, of point and spot lights
    std::uint64_t shadow_budget = 0;              // bytes of the depths of their maps; 0: 36 MiB
    float shadow_distance = 0.0F;  // units from the camera that shadows reach; 0: as far as the scene does
    float shadow_lod_bias = 0.0F;  // steps by which the error of levels of detail is doubled in shadows
    bool shadow_cache = true;      // maps are kept while nothing in them changes

    friend bool operator==(const ShadowSettings&, const ShadowSettings&) = default;
};

// What a picture shows, and how.
struct LookSettings : ShadowSettings {
    Show show = Show::kShaded;
    EnvironmentSource environment;
    float environment_turn = 0.0F;   // degrees about +y, from +z towards +x, by which a picture is turned
    float environment_blur = 0.0F;   // of what is seen behind the scene: as a surface of this roughness mirrors it
    float sun_strength = 1.0F;       // a factor of its light
    std::optional<float> ev = 0.0F;  // light is multiplied by 2^ev; none: by what the frame before measured
    Tone tone = Tone::kNeutral;
    bool lights = true;              // punctual lights shine
    bool ambient_occlusion = false;  // nearby surfaces take light from all around
    std::uint32_t blend_layers = 4;  // nearest surfaces that blend in a pixel, kept each; 0: they are drawn opaque
    std::uint32_t hiz_level = 0;     // that Show::kHiz shows
    bool wireframe = false;
    std::uint32_t group_tiling = 0;  // columns of workgroups in a strip of a full-screen pass; 0: off

    friend bool operator==(const LookSettings&, const LookSettings&) = default;
};

// What is drawn over it, as lines.
struct OverlaySettings {
    Bounds bounds = Bounds::kOff;
    BoundsOf bounds_of = BoundsOf::kMeshlets;
    bool frustum = false;  // of the frozen camera
    bool joints = false;   // of what deforms

    friend bool operator==(const OverlaySettings&, const OverlaySettings&) = default;
};

// Free to change at any frame. What is absent is decided by resolve(), or by default_view().
struct FrameSettings : CullSettings, LevelSettings, LookSettings, OverlaySettings {
    std::optional<Backend> backend;
    bool cull_occlusion = true;
    std::optional<OcclusionDetail> occlusion_detail;
    std::optional<Payload> payload;
    std::optional<ExpansionStrategy> expansion;
    std::optional<std::uint32_t> meshlet_workgroup;  // lanes of a mesh shader's workgroup: 32, 64, 128 or 256
    std::optional<SubgroupPath> subgroup;
    std::optional<bool> local_invocation_output;  // mesh shaders: lane i writes vertex i and primitive i
    std::optional<Sun> sun;                       // none: with a picture it is off, else where Sun has it
    std::optional<bool> taa;                      // temporal antialiasing; none: in windows (SceneFacts::in_window)
    // Bytes of what a compute pass leaves of triangles (indices, batches, masks); 0: a 32nd of the device's memory,
    // 64 MiB to 2 GiB. With raster, bytes of its list of medium triangles; 0: 32 MiB.
    std::uint64_t compact_budget = 0;
    std::uint64_t light_budget = 0;             // bytes of a view's lists of lights; 0: 16 MiB
    std::optional<std::uint32_t> raster_limit;  // pixels of the bounding box of a triangle that a lane rasterises
    std::optional<CameraPose> camera;           // none: the scene's first camera, else one that frames its bounds
    std::optional<float> near_plane;            // none: the camera's, else a thousandth of the scene's radius
    std::optional<Projection> projection;       // none: that of the scene's camera, where it is used, else perspective
    double time = 0;                            // of the animations, in seconds
    double speed = 1;                           // of it: animations' seconds in one of frames that follow one another
    bool count_ties = false;
    bool difference = false;         // show where the picture differs from direct draws without culling
    std::optional<glm::uvec2> pick;  // a pixel, whose triangle is told of; and how much around it is outlined
    SelectionLevel pick_level = SelectionLevel::kMeshlet;
    // Counting costs an atomic for each subgroup: timed runs go without. No setting of the command line: the bench
    // decides.
    bool collect_counters = true;
};

struct Settings {
    DeviceSettings device;
    SceneSettings scene;
    FrameSettings frame;
};

enum class SettingScope : std::uint8_t { kDevice, kScene, kFrame };
enum class SettingKind : std::uint8_t {
    kSwitch,
    kChoice,
    kInteger,
    kFrameNumber,  // from which frame on; nothing: from none
    kNumber,
    kText,
};

// In the order in which they are shown.
enum class SettingGroup : std::uint8_t {
    kEveryday,  // what most people come for
    kLight,
    kLooking,
    kCulling,
    kDrawing,
    kMemory,
    kCamera,
    kMeasuring,
    kScene,
    kDevice,
};
inline constexpr std::array kSettingGroups{SettingGroup::kEveryday, SettingGroup::kLight,     SettingGroup::kLooking,
                                           SettingGroup::kCulling,  SettingGroup::kDrawing,   SettingGroup::kMemory,
                                           SettingGroup::kCamera,   SettingGroup::kMeasuring, SettingGroup::kScene,
                                           SettingGroup::kDevice};

// A value, and what it means; empty where its name says it.
struct ChoiceGuide {
    std::string_view choice;
    std::string_view sentence;
};

struct FramePlan;
using Reason = std::optional<std::string>;
using NoEffect = Reason (*)(const Settings& chosen, const FramePlan& plan);

struct Setting {
    std::string_view name;   // "cull-cone": --cull-cone on the command line, this key in JSON
    std::string_view label;  // "Cone culling": in the UI
    std::string_view help;   // two short lines
    SettingKind kind = SettingKind::kText;
    SettingScope scope = SettingScope::kFrame;
    SettingGroup group = SettingGroup::kEveryday;
    std::string_view docs;                     // the file and the section that tell more; empty: the help says all
    std::string_view value;                    // what help calls its value: "XxYxZ"; empty: its choices, else N
    std::vector<std::string_view> choices;     // kChoice (and on/off for kSwitch)
    std::vector<ChoiceGuide> values;           // of its choices; of a setting without any: what its list may hold
    std::vector<std::string_view> extensions;  // kChoice: or a file whose name has one of these, ".hdr"
    // As the command line would write it; "" for an absent optional.
    std::function<std::string(const Settings&)> get;
    // Throws Error naming the setting, the value and what it may be.
    std::function<void(Settings&, std::string_view value)> set;
    // Why the setting changes nothing now; nothing when it does. Null: it always does.
    NoEffect no_effect = nullptr;
    // Why a choice can't be had on this device, for this scene; nothing when it can. Null: each can be had.
    std::optional<std::string> (*unavailable)(std::string_view choice, const gpu::Capabilities&,
                                              const SceneFacts&) = nullptr;
};

// All settings that work, those of a group side by side, in the order in which help and UI show them.
[[nodiscard]] std::span<const Setting> settings_table();

// Null when there is none of that name.
[[nodiscard]] const Setting* find_setting(std::string_view name);

// In the order of preference of a plan that may choose, on a GPU.
[[nodiscard]] std::span<const Backend> all_backends();
[[nodiscard]] std::string_view backend_name(Backend backend);

}  // namespace sublet::render
