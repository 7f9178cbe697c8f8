#include "render/settings/settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "base/path_text.h"
#include "base/suggest.h"
#include "render/settings/backend_info.h"
#include "render/settings/camera_text.h"
#include "render/settings/setting_text.h"
#include "render/settings/shows.h"
#include "render/settings/value_text.h"
#include "scene/animation.h"

namespace sublet::render {

namespace {

// Levels of the pyramid of the largest window.
constexpr std::uint32_t kMostHizLevel = 15;

// Of animations: more than this and a frame is anywhere in them.
constexpr double kMostSpeed = 1000.0;
constexpr float kMostStagger = 1e6F;  // seconds

constexpr float kMostSunStrength = 1000.0F;
constexpr float kMostTurn = 360.0F;  // degrees

// Every device dispatches so many workgroups side by side.
constexpr std::uint32_t kMaxGroupTiling = 65535;

// A named value of an enumeration.
template <class T>
struct Choice {
    T value;
    std::string_view name;
};

constexpr std::array kPayloads{Choice<Payload>{Payload::kEncoded, "encoded"},
                               Choice<Payload>{Payload::kDecoded, "decoded"}};
constexpr std::array kSubgroupPaths{Choice<SubgroupPath>{SubgroupPath::k32, "32"},
                                    Choice<SubgroupPath>{SubgroupPath::k64, "64"},
                                    Choice<SubgroupPath>{SubgroupPath::kGeneral, "general"}};

constexpr std::array kBounds{Choice<Bounds>{Bounds::kOff, "off"}, Choice<Bounds>{Bounds::kSpheres, "spheres"},
                             Choice<Bounds>{Bounds::kBoxes, "boxes"}, Choice<Bounds>{Bounds::kCones, "cones"}};
constexpr std::array kBoundsOf{
    Choice<BoundsOf>{BoundsOf::kInstances, "instances"}, Choice<BoundsOf>{BoundsOf::kMeshlets, "meshlets"},
    Choice<BoundsOf>{BoundsOf::kSublets, "sublets"}, Choice<BoundsOf>{BoundsOf::kPicked, "picked"}};
constexpr std::array kPickLevels{Choice<SelectionLevel>{SelectionLevel::kInstance, "instance"},
                                 Choice<SelectionLevel>{SelectionLevel::kMeshlet, "meshlet"},
                                 Choice<SelectionLevel>{SelectionLevel::kSublet, "sublet"},
                                 Choice<SelectionLevel>{SelectionLevel::kTriangle, "triangle"}};

constexpr std::array kOcclusionDetails{Choice<OcclusionDetail>{OcclusionDetail::kMeshlets, "meshlets"},
                                       Choice<OcclusionDetail>{OcclusionDetail::kSublets, "sublets"},
                                       Choice<OcclusionDetail>{OcclusionDetail::kPrimitives, "primitives"}};

constexpr std::array kEnvironments{Choice<EnvironmentKind>{EnvironmentKind::kSky, "sky"},
                                   Choice<EnvironmentKind>{EnvironmentKind::kNone, "none"}};
constexpr std::array kTones{Choice<Tone>{Tone::kNeutral, "neutral"}, Choice<Tone>{Tone::kAces, "aces"},
                            Choice<Tone>{Tone::kNone, "none"}};

constexpr std::array kProjections{Choice<Projection>{Projection::kPerspective, "perspective"},
                                  Choice<Projection>{Projection::kOrthographic, "orthographic"}};

constexpr std::array kSwitch{Choice<bool>{true, "on"}, Choice<bool>{false, "off"}};
constexpr std::array kWorkgroups{Choice<std::uint32_t>{32, "32"}, Choice<std::uint32_t>{64, "64"},
                                 Choice<std::uint32_t>{128, "128"}, Choice<std::uint32_t>{256, "256"}};

const std::vector<Choice<Backend>>& backend_choices() {
    static const std::vector<Choice<Backend>> choices = [] {
        std::vector<Choice<Backend>> out;
        for (const BackendInfo& info : backend_table()) out.push_back({info.backend, info.name});
        return out;
    }();
    return choices;
}

const std::vector<Choice<ExpansionStrategy>>& expansion_choices() {
    static const std::vector<Choice<ExpansionStrategy>> choices = [] {
        std::vector<Choice<ExpansionStrategy>> out;
        for (const ExpansionStrategy strategy : all_expansions()) out.push_back({strategy, expansion_name(strategy)});
        return out;
    }();
    return choices;
}

constexpr std::string_view kAuto = "auto";  // nothing: resolve() decides

template <class Choices>
std::vector<std::string_view> names(const Choices& choices) {
    std::vector<std::string_view> out;
    for (const auto& choice : choices) out.push_back(choice.name);
    return out;
}

template <class Choices>
std::vector<std::string_view> names_or_auto(const Choices& choices) {
    std::vector<std::string_view> out = names(choices);
    out.insert(out.begin(), kAuto);
    return out;
}

template <class Choices, class T>
std::string choice_text(const Choices& choices, const T& value) {
    for (const auto& choice : choices) {
        if (choice.value == value) return std::string(choice.name);
    }
    return std::string(kAuto);
}

template <class Choices>
auto parse_choice(std::string_view setting, const Choices& choices, std::string_view value, bool or_auto = false) {
    for (const auto& choice : choices) {
        if (choice.name == value) return choice.value;
    }
    const std::vector<std::string_view> known = or_auto ? names_or_auto(choices) : names(choices);
    std::string all;
    for (const std::string_view name : known) all += (all.empty() ? "" : ", ") + std::string(name);
    reject(setting, value, "one of " + all + did_you_mean(value, known));
}

template <class Choices>
auto parse_choice_or_auto(std::string_view setting, const Choices& choices, std::string_view value) {
    using T = decltype(parse_choice(setting, choices, value));
    return value == kAuto ? std::optional<T>() : parse_choice(setting, choices, value, true);
}

float parse_within(std::string_view setting, std::string_view value, float low, float high) {
    const auto number = parse_number<float>(value);
    if (!number || !(*number >= low && *number <= high)) {
        reject(setting, value, "a number from " + number_text(low) + " to " + number_text(high));
    }
    return *number;
}

EnvironmentSource parse_environment(const EnvironmentSource& now, std::string_view value) {
    for (const auto& choice : kEnvironments) {
        if (choice.name == value) return {.kind = choice.value};
    }
    if (!scene::named_as_environment(text_path(value))) {
        reject("environment", value,
               "sky, none or a file whose name ends in .hdr or .exr" + did_you_mean(value, names(kEnvironments)));
    }
    EnvironmentSource named{.kind = EnvironmentKind::kPicture, .file = path_text(absolute_path(text_path(value)))};
    if (named.file == now.file) named.picture = now.picture;
    return named;
}

std::string environment_text(const EnvironmentSource& source) {
    return source.kind == EnvironmentKind::kPicture ? source.file : choice_text(kEnvironments, source.kind);
}

std::vector<Setting> make_table() {
    using S = Settings;
    using V = std::string_view;
    std::vector<Setting> table;
    const auto add = [&table](V name, V label, V help, SettingKind kind, SettingScope scope,
                              std::vector<std::string_view> choices, std::string (*get)(const S&), void (*set)(S&, V)) {
        table.push_back({name, label, help, kind, scope, std::move(choices), {}, get, set});
    };

    add(
        "device", "Device",
        "The Vulkan device that draws: part of its name, or its number in 'sublet devices'.\n"
        "By default the best there is.",
        SettingKind::kText, SettingScope::kDevice, {}, [](const S& s) { return s.device.name; },
        [](S& s, V v) { s.device.name = v; });
    add(
        "validation", "Validation",
        "Validation layer with synchronization checks: finds misuse of Vulkan, and slows frames.\n"
        "Any message makes the exit status 1.",
        SettingKind::kSwitch, SettingScope::kDevice, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.device.validation); },
        [](S& s, V v) { s.device.validation = parse_choice("validation", kSwitch, v); });
    add(
        "shader-statistics", "Shader statistics",
        "Note what the driver says of each shader: registers, spills, occupancy and more.\n"
        "For finding out what bounds a pass. Not every driver tells.",
        SettingKind::kSwitch, SettingScope::kDevice, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.device.shader_statistics); },
        [](S& s, V v) { s.device.shader_statistics = parse_choice("shader-statistics", kSwitch, v); });
    add(
        "without", "Without",
        "Pretend that the device lacks these features (a list with commas).\n"
        "For trying on this device what replaces them on another.",
        SettingKind::kText, SettingScope::kDevice, {}, [](const S& s) { return without_text(s.device.without); },
        [](S& s, V v) { s.device.without = parse_without(v); });
    add(
        "backend", "Backend", "How things are drawn: the picture is the same by each, the speed is not.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(backend_choices()),
        [](const S& s) { return choice_text(backend_choices(), s.frame.backend); },
        [](S& s, V v) { s.frame.backend = parse_choice_or_auto("backend", backend_choices(), v); });
    table.back().unavailable = [](V v, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
        const auto backend = parse_choice_or_auto("backend", backend_choices(), v);
        return backend ? backend_unavailable(*backend, capabilities, scene) : std::nullopt;
    };
    add(
        "view", "View", "What the picture shows, by every backend alike but for phase and path.", SettingKind::kChoice,
        SettingScope::kFrame, names(all_shows()), [](const S& s) { return choice_text(all_shows(), s.frame.show); },
        [](S& s, V v) { s.frame.show = parse_choice("view", all_shows(), v); });
    table.back().unavailable = [](V v, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
        return view_unavailable(parse_choice("view", all_shows(), v), capabilities, scene);
    };
    add(
        "hiz-level", "Pyramid level",
        "Level of the depth pyramid that --view hiz shows: a texel of level N covers 2^N pixels\n"
        "each way. Levels start at 1 and end where one texel is left: the nearest one is taken.",
        SettingKind::kInteger, SettingScope::kFrame, {}, [](const S& s) { return number_text(s.frame.hiz_level); },
        [](S& s, V v) {
            const auto number = parse_number<std::uint32_t>(v);
            if (!number || *number > kMostHizLevel) {
                reject("hiz-level", v, "a whole number from 0 to " + number_text(kMostHizLevel));
            }
            s.frame.hiz_level = *number;
        });
    add(
        "environment", "Environment",
        "Light from all around: a clear sky with the sun in it, none, or a picture: an\n"
        "equirectangular .hdr or .exr. It lights the scene and is what is seen behind it.",
        SettingKind::kChoice, SettingScope::kFrame, names(kEnvironments),
        [](const S& s) { return environment_text(s.frame.environment); },
        [](S& s, V v) { s.frame.environment = parse_environment(s.frame.environment, v); });
    table.back().extensions = {".hdr", ".exr"};
    add(
        "environment-turn", "Environment's turn",
        "Degrees by which a picture of light is turned about the upward axis, from +z towards +x:\n"
        "its light, what mirrors it and what is seen of it turn together.",
        SettingKind::kNumber, SettingScope::kFrame, {},
        [](const S& s) { return number_text(s.frame.environment_turn); },
        [](S& s, V v) { s.frame.environment_turn = parse_within("environment-turn", v, -kMostTurn, kMostTurn); });
    add(
        "environment-blur", "Background blur",
        "How blurred the environment is where it is seen behind the scene: 0 is sharp, 1 as a\n"
        "surface of roughness 1 mirrors it. What it lights stays the same.",
        SettingKind::kNumber, SettingScope::kFrame, {},
        [](const S& s) { return number_text(s.frame.environment_blur); },
        [](S& s, V v) { s.frame.environment_blur = parse_within("environment-blur", v, 0.0F, 1.0F); });
    add(
        "sun", "Sun",
        "ELEVATION,AZIMUTH: where the sun stands, in degrees: above the horizon, and from +z\n"
        "towards +x. Or off. By default 53,48; with a picture for an environment, off.",
        SettingKind::kText, SettingScope::kFrame, {}, [](const S& s) { return sun_text(s.frame.sun); },
        [](S& s, V v) { s.frame.sun = parse_sun(v); });
    add(
        "sun-strength", "Sun's strength",
        "A factor of the sun's light: 2 is twice as bright, 0 none.\n"
        "The light from all around, the sky's too, stays what it is.",
        SettingKind::kNumber, SettingScope::kFrame, {}, [](const S& s) { return number_text(s.frame.sun_strength); },
        [](S& s, V v) { s.frame.sun_strength = parse_within("sun-strength", v, 0.0F, kMostSunStrength); });
    add(
        "ev", "Exposure",
        "Stops of exposure: one more doubles the light. Or auto: each frame is exposed by the light\n"
        "of the one before, whose mean becomes middle grey.",
        SettingKind::kText, SettingScope::kFrame, {},
        [](const S& s) { return s.frame.ev ? number_text(*s.frame.ev) : std::string("auto"); },
        [](S& s, V v) { s.frame.ev = parse_ev(v); });
    add(
        "tone", "Tone mapping",
        "How light brighter than white becomes a colour: neutral keeps the colours of materials,\n"
        "aces is that of films, none cuts it off.",
        SettingKind::kChoice, SettingScope::kFrame, names(kTones),
        [](const S& s) { return choice_text(kTones, s.frame.tone); },
        [](S& s, V v) { s.frame.tone = parse_choice("tone", kTones, v); });
    add(
        "wireframe", "Wireframe",
        "Draw the edges of triangles over the picture.\n"
        "They fade where triangles are a few pixels.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.wireframe); },
        [](S& s, V v) { s.frame.wireframe = parse_choice("wireframe", kSwitch, v); });
    add(
        "bounds", "Bounds",
        "Draw what culling tests as lines over the picture; what is hidden is faint.\n"
        "Boxes are of instances alone, cones of meshlets or sublets where culling tests them.",
        SettingKind::kChoice, SettingScope::kFrame, names(kBounds),
        [](const S& s) { return choice_text(kBounds, s.frame.bounds); },
        [](S& s, V v) { s.frame.bounds = parse_choice("bounds", kBounds, v); });
    add(
        "bounds-of", "Bounds of",
        "Whose bounds are drawn: those of all there are, or of what is picked.\n"
        "Many of them are slow.",
        SettingKind::kChoice, SettingScope::kFrame, names(kBoundsOf),
        [](const S& s) { return choice_text(kBoundsOf, s.frame.bounds_of); },
        [](S& s, V v) { s.frame.bounds_of = parse_choice("bounds-of", kBoundsOf, v); });
    add(
        "frustum", "Frozen frustum",
        "Draw what the frozen camera sees as lines (--freeze-culling).\n"
        "Without a frozen camera there are none.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.frustum); },
        [](S& s, V v) { s.frame.frustum = parse_choice("frustum", kSwitch, v); });
    add(
        "joints", "Joints",
        "Draw the joints of what deforms over the picture, and lines to those that they hang on.\n"
        "They are seen through what they move.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.joints); },
        [](S& s, V v) { s.frame.joints = parse_choice("joints", kSwitch, v); });
    add(
        "pick", "Pick",
        "X,Y: tell what this pixel of the last frame shows, and outline it.\n"
        "0,0 is the upper left. In the viewer a click picks.",
        SettingKind::kText, SettingScope::kFrame, {}, [](const S& s) { return pixel_text(s.frame.pick); },
        [](S& s, V v) { s.frame.pick = parse_pixel(v); });
    add(
        "pick-level", "Pick level", "How much of what was picked is outlined.\nWhat is told is the same.",
        SettingKind::kChoice, SettingScope::kFrame, names(kPickLevels),
        [](const S& s) { return choice_text(kPickLevels, s.frame.pick_level); },
        [](S& s, V v) { s.frame.pick_level = parse_choice("pick-level", kPickLevels, v); });
    add(
        "cull-instances", "Instance culling",
        "Test whole instances first, so that nothing else is tested of those that fail.\n"
        "Off is for comparing: all their meshlets are tested.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.cull_instances); },
        [](S& s, V v) { s.frame.cull_instances = parse_choice("cull-instances", kSwitch, v); });
    add(
        "cull-frustum", "Frustum culling",
        "Reject what lies outside of the view, or between pixel centres, at every level.\n"
        "Off is for comparing: what nobody sees is drawn.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.cull_frustum); },
        [](S& s, V v) { s.frame.cull_frustum = parse_choice("cull-frustum", kSwitch, v); });
    add(
        "cull-cone", "Cone culling",
        "Reject what faces away as a whole, by its normal cone.\n"
        "Off is for comparing: later tests and the rasteriser reject it a triangle at a time.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.cull_cone); },
        [](S& s, V v) { s.frame.cull_cone = parse_choice("cull-cone", kSwitch, v); });
    add(
        "cull-occlusion", "Occlusion culling",
        "Reject what lies behind what is drawn, in two phases; direct draws take no part.\n"
        "It pays where much is hidden, and costs a depth pyramid and a second round of tests.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.cull_occlusion); },
        [](S& s, V v) { s.frame.cull_occlusion = parse_choice("cull-occlusion", kSwitch, v); });
    add(
        "cull-sublets", "Sublet culling",
        "Test single sublets too, where the backend works on sublets or runs of them.\n"
        "Off spares the tests, which took out a fifth of the sublets in a grid of kittens.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.cull_sublets); },
        [](S& s, V v) { s.frame.cull_sublets = parse_choice("cull-sublets", kSwitch, v); });
    add(
        "cull-primitives", "Primitive culling",
        "Reject single triangles in the shader; off leaves them to the rasteriser.\n"
        "Off, compact took twice as long on an H200: a dense scene, no occlusion culling.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.cull_primitives); },
        [](S& s, V v) { s.frame.cull_primitives = parse_choice("cull-primitives", kSwitch, v); });
    add(
        "occlusion-detail", "Occlusion detail",
        "What is remembered of the last frame: visible meshlets, sublets or single triangles.\n"
        "Measured: the finest that a backend has is the fastest on an H200, sublets are on a CPU.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(kOcclusionDetails),
        [](const S& s) { return choice_text(kOcclusionDetails, s.frame.occlusion_detail); },
        [](S& s, V v) { s.frame.occlusion_detail = parse_choice_or_auto("occlusion-detail", kOcclusionDetails, v); });
    add(
        "payload", "Payload",
        "What shaders that work on sublets read: the packed streams, or the decoded buffers.\n"
        "Encoded is fewer bytes to read, and took up to 13 % longer on an H200.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(kPayloads),
        [](const S& s) { return choice_text(kPayloads, s.frame.payload); },
        [](S& s, V v) { s.frame.payload = parse_choice_or_auto("payload", kPayloads, v); });
    add(
        "expansion", "Expansion",
        "How meshlets of instances are dealt out to lanes, where the backend culls in compute.\n"
        "By six of them frames differed by 4 % at most on an H200; auto takes the fastest.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(expansion_choices()),
        [](const S& s) { return choice_text(expansion_choices(), s.frame.expansion); },
        [](S& s, V v) { s.frame.expansion = parse_choice_or_auto("expansion", expansion_choices(), v); });
    add(
        "meshlet-workgroup", "Mesh workgroup",
        "Lanes of a mesh shader's workgroup: 32 a sublet where it culls, else one a vertex.\n"
        "32 was fastest on an H200; auto goes by what the device prefers.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(kWorkgroups),
        [](const S& s) { return choice_text(kWorkgroups, s.frame.meshlet_workgroup); },
        [](S& s, V v) { s.frame.meshlet_workgroup = parse_choice_or_auto("meshlet-workgroup", kWorkgroups, v); });
    add(
        "subgroup", "Subgroup path",
        "How lanes of a sublet exchange what they know: subgroups of 32 or 64, or shared memory.\n"
        "Shared memory (general) works anywhere, and took 2 to 16 % longer on an H200.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(kSubgroupPaths),
        [](const S& s) { return choice_text(kSubgroupPaths, s.frame.subgroup); },
        [](S& s, V v) { s.frame.subgroup = parse_choice_or_auto("subgroup", kSubgroupPaths, v); });
    add(
        "local-invocation-output", "Local outputs",
        "Mesh shaders write vertex i and triangle i by lane i, else by the lane that made them.\n"
        "It costs a way through shared memory; auto is on where the device prefers it.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.local_invocation_output); },
        [](S& s, V v) {
            s.frame.local_invocation_output = parse_choice_or_auto("local-invocation-output", kSwitch, v);
        });
    add(
        "compact-budget", "Compact budget",
        "MiB for what a compute pass leaves of triangles; by default 1/32 of the device's memory.\n"
        "Less saves memory and costs time: what does not fit is culled and drawn in rounds.",
        SettingKind::kNumber, SettingScope::kFrame, {},
        [](const S& s) { return mebibytes_text(s.frame.compact_budget); },
        [](S& s, V v) { s.frame.compact_budget = parse_mebibytes("compact-budget", v); });
    add(
        "raster-limit", "Raster limit",
        "raster: most pixels in the bounding box of a triangle that a lane draws; by default 32.\n"
        "Workgroups draw the larger ones. 0: they draw all.",
        SettingKind::kInteger, SettingScope::kFrame, {},
        [](const S& s) { return s.frame.raster_limit ? number_text(*s.frame.raster_limit) : std::string(); },
        [](S& s, V v) {
            s.frame.raster_limit.reset();
            if (v.empty()) return;
            const auto number = parse_number<std::uint32_t>(v);
            if (!number || *number > kMostRasterLimit) {
                reject("raster-limit", v, "a whole number from 0 to " + number_text(kMostRasterLimit));
            }
            s.frame.raster_limit = *number;
        });
    add(
        "survivor-budget", "Survivor budget",
        "MiB for the list of what survives culling; by default 1/64 of the device's memory.\n"
        "Less saves memory and costs time: what does not fit is culled and drawn in rounds.",
        SettingKind::kNumber, SettingScope::kScene, {},
        [](const S& s) { return mebibytes_text(s.scene.survivor_budget); },
        [](S& s, V v) { s.scene.survivor_budget = parse_mebibytes("survivor-budget", v); });
    add(
        "deform-budget", "Deform budget",
        "MiB for the vertices of instances that deform; by default 1/4 of the device's memory.\n"
        "Instances that have no room there are deformed wherever they are drawn: the same picture, slower.",
        SettingKind::kNumber, SettingScope::kScene, {},
        [](const S& s) { return mebibytes_text(s.scene.deform_budget); },
        [](S& s, V v) { s.scene.deform_budget = parse_mebibytes("deform-budget", v); });
    add(
        "texture-budget", "Texture budget",
        "MiB for all textures together, mips included; by default half of the GPU's own memory,\n"
        "a quarter of memory that it shares with the CPU. Beyond it the largest are halved, until all fit.",
        SettingKind::kNumber, SettingScope::kScene, {},
        [](const S& s) { return mebibytes_text(s.scene.texture_budget); },
        [](S& s, V v) { s.scene.texture_budget = parse_mebibytes("texture-budget", v); });
    add(
        "image-limit", "Image limit",
        "MiB for images that are being decoded; by default 1/4 of the machine's memory.\n"
        "Less decodes fewer at a time. One that alone takes more is left out.",
        SettingKind::kNumber, SettingScope::kScene, {}, [](const S& s) { return mebibytes_text(s.scene.image_limit); },
        [](S& s, V v) { s.scene.image_limit = parse_mebibytes("image-limit", v); });
    add(
        "group-tiling", "Group tiling",
        "Thread-group tiling of full-screen passes: strips of so many workgroups; 0 is off.\n"
        "It is meant to spare memory traffic; no device that was measured gained by it.",
        SettingKind::kInteger, SettingScope::kFrame, {}, [](const S& s) { return number_text(s.frame.group_tiling); },
        [](S& s, V v) {
            const auto number = parse_number<std::uint32_t>(v);
            if (!number || *number > kMaxGroupTiling) {
                reject("group-tiling", v, "a whole number from 0 to " + number_text(kMaxGroupTiling));
            }
            s.frame.group_tiling = *number;
        });
    add(
        "grid", "Grid",
        "XxYxZ: draw the scene's first mesh in a grid centred on the origin, instead of the scene.\n"
        "It makes a large scene of a small file, to time culling and drawing.",
        SettingKind::kText, SettingScope::kScene, {}, [](const S& s) { return grid_text(s.scene.grid.count); },
        [](S& s, V v) { s.scene.grid.count = parse_grid(v); });
    add(
        "grid-spacing", "Grid spacing",
        "From a neighbour in the grid to the next: in units of the scene, or, as in 1.2x, in sizes\n"
        "of the mesh, the largest extent of its bounding box. The smaller, the more hide each other.",
        SettingKind::kNumber, SettingScope::kScene, {},
        [](const S& s) { return number_text(s.scene.grid.spacing) + (s.scene.grid.in_sizes ? "x" : ""); },
        [](S& s, V v) {
            const bool in_sizes = v.ends_with('x');
            const auto number = parse_number<float>(in_sizes ? v.substr(0, v.size() - 1) : v);
            if (!number || *number < 0.0F) {
                reject("grid-spacing", v, "a distance of 0 or more, or one in sizes of the mesh like 1.2x");
            }
            s.scene.grid.spacing = *number;
            s.scene.grid.in_sizes = in_sizes;
        });
    add(
        "camera", "Camera",
        "Eye, target, vertical field of view (45) and roll: EX,EY,EZ,TX,TY,TZ[,FOV[,ROLL]], degrees.\n"
        "A roll above 0 turns the picture clockwise. In the viewer C copies its camera.\n"
        "By default the scene's first camera, else one that frames its bounds.",
        SettingKind::kText, SettingScope::kFrame, {},
        [](const S& s) { return s.frame.camera ? camera_text(*s.frame.camera) : std::string(); }, set_camera_text);
    add(
        "near", "Near plane",
        "Distance of the near plane: what is nearer is cut away.\n"
        "By default the camera's, else a thousandth of the scene's radius.",
        SettingKind::kNumber, SettingScope::kFrame, {},
        [](const S& s) { return s.frame.near_plane ? number_text(*s.frame.near_plane) : std::string(); },
        [](S& s, V v) {
            const auto number = parse_number<float>(v);
            if (!v.empty() && (!number || *number <= 0.0F)) reject("near", v, "a distance above 0");
            s.frame.near_plane = number;
        });
    add(
        "projection", "Projection",
        "How the scene is projected.\nThe cameras of a path are perspective unless this says otherwise.",
        SettingKind::kChoice, SettingScope::kFrame, names_or_auto(kProjections),
        [](const S& s) { return choice_text(kProjections, s.frame.projection); },
        [](S& s, V v) { s.frame.projection = parse_choice_or_auto("projection", kProjections, v); });
    add(
        "count-ties", "Count ties",
        "Count the pixels that may rightly differ between backends: depth ties, snapped faces.\n"
        "It draws the scene twice more.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.count_ties); },
        [](S& s, V v) { s.frame.count_ties = parse_choice("count-ties", kSwitch, v); });
    add(
        "difference", "Difference",
        "Show where the picture differs from direct draws without culling, and count the pixels.\n"
        "What is the same is dim; a difference is yellow, or red where it is large.",
        SettingKind::kSwitch, SettingScope::kFrame, names(kSwitch),
        [](const S& s) { return choice_text(kSwitch, s.frame.difference); },
        [](S& s, V v) { s.frame.difference = parse_choice("difference", kSwitch, v); });
    add(
        "freeze-culling", "Freeze culling",
        "Cull from the camera of this frame (0 is the first) for the rest; by default off.\n"
        "For looking from elsewhere at what culling left.",
        SettingKind::kFrameNumber, SettingScope::kFrame, {},
        [](const S& s) { return s.frame.freeze_culling < 0 ? std::string() : number_text(s.frame.freeze_culling); },
        [](S& s, V v) {
            const auto number = parse_number<std::int32_t>(v);
            if (!v.empty() && v != "off" && (!number || *number < 0))
                reject("freeze-culling", v, "a frame's number or off");
            s.frame.freeze_culling = number.value_or(-1);
        });
    add(
        "variant", "Variant",
        "Draw the scene with the materials of this variant (KHR_materials_variants).\n"
        "'sublet info' lists the names. By default meshes have their own materials.",
        SettingKind::kText, SettingScope::kScene, {}, [](const S& s) { return s.scene.variant; },
        [](S& s, V v) { s.scene.variant = v; });
    add(
        "hide", "Hide",
        "Leave out these nodes and what is below them: a name, or numbers of nodes (0,4-17).\n"
        "The viewer's outliner lists the nodes. By default all are drawn.",
        SettingKind::kText, SettingScope::kScene, {}, [](const S& s) { return s.scene.hide; },
        [](S& s, V v) { s.scene.hide = v; });
    add(
        "isolate", "Isolate",
        "Draw these nodes and what is below them alone, named as for --hide; the camera stays.\n"
        "What --hide names is left out of them too.",
        SettingKind::kText, SettingScope::kScene, {}, [](const S& s) { return s.scene.isolate; },
        [](S& s, V v) { s.scene.isolate = v; });
    add(
        "animation", "Animation",
        "The animation that plays: its name or number, some (0,2,5), all, or none. 'sublet info' lists them.\n"
        "Where several move one thing, the first of them counts.",
        SettingKind::kText, SettingScope::kScene, {}, [](const S& s) { return s.scene.animation; },
        [](S& s, V v) { s.scene.animation = v.empty() ? scene::kAllAnimations : v; });
    add(
        "time", "Time",
        "Seconds that the animations have played; each loops by its own length, and its end is its\n"
        "start. bench, --fps and camera paths count on from it: 60 frames are a second.",
        SettingKind::kNumber, SettingScope::kFrame, {}, [](const S& s) { return number_text(s.frame.time); },
        [](S& s, V v) {
            const auto number = parse_number<double>(v);
            if (!number) reject("time", v, "a number of seconds");
            s.frame.time = *number;
        });
    add(
        "speed", "Speed",
        "How fast animations play where frames follow one another: 2 is twice as fast,\n"
        "a number below 0 plays backwards.",
        SettingKind::kNumber, SettingScope::kFrame, {}, [](const S& s) { return number_text(s.frame.speed); },
        [](S& s, V v) {
            const auto number = parse_number<double>(v);
            if (!number || !(std::abs(*number) <= kMostSpeed)) {
                reject("speed", v, "a number from -" + number_text(kMostSpeed) + " to " + number_text(kMostSpeed));
            }
            s.frame.speed = *number;
        });
    add(
        "stagger", "Stagger",
        "Seconds by which each place of a grid is ahead of the one before, in the animations that\n"
        "deform its mesh. 0: all are alike.",
        SettingKind::kNumber, SettingScope::kScene, {}, [](const S& s) { return number_text(s.scene.stagger); },
        [](S& s, V v) {
            const auto number = parse_number<float>(v);
            if (!number || !(std::abs(*number) <= kMostStagger)) {
                reject("stagger", v,
                       "a number from -" + number_text(kMostStagger) + " to " + number_text(kMostStagger));
            }
            s.scene.stagger = *number;
        });
    add(
        "seed", "Seed", "Seed of the built-in scene: another number is another scene, the same number the same.",
        SettingKind::kInteger, SettingScope::kScene, {}, [](const S& s) { return number_text(s.scene.seed); },
        [](S& s, V v) {
            const auto number = parse_number<std::uint32_t>(v);
            if (!number) reject("seed", v, "a whole number from 0 to 4294967295");
            s.scene.seed = *number;
        });
    return table;
}

}  // namespace

std::span<const Setting> settings_table() {
    static const std::vector<Setting> table = make_table();
    return table;
}

const Setting* find_setting(std::string_view name) {
    for (const Setting& setting : settings_table()) {
        if (setting.name == name) return &setting;
    }
    return nullptr;
}

}  // namespace sublet::render
