#include "render/settings/settings.h"

#include <array>
#include <unordered_map>

#include "base/files.h"
#include "base/log.h"
#include "base/path_text.h"
#include "render/settings/backend_info.h"
#include "render/settings/camera_text.h"
#include "render/settings/setting_reasons.h"
#include "render/settings/setting_rows.h"
#include "render/settings/shows.h"
#include "scene/animation.h"

namespace sublet::render {
namespace {

constexpr std::string_view kCulling = "docs/CULLING.md";
constexpr std::string_view kLevels = "docs/CULLING.md, \"Levels of detail\"";
constexpr std::string_view kStreaming = "docs/STREAMING.md";
constexpr std::string_view kRounds = "docs/CULLING.md, \"Rounds\"";
constexpr std::string_view kDrawing = "docs/DRAWING.md";
constexpr std::string_view kLookingInside = "docs/DRAWING.md, \"Looking inside\"";
constexpr std::string_view kBlending = "docs/DRAWING.md, \"Blending\"";
constexpr std::string_view kShadows = "docs/DRAWING.md, \"Shadows\"";
constexpr std::string_view kLight = "docs/DRAWING.md, \"Light\"";
constexpr std::string_view kTextures = "docs/DRAWING.md, \"Textures\"";
constexpr std::string_view kAnimation = "docs/DRAWING.md, \"Animation\"";
constexpr std::string_view kDeformation = "docs/DRAWING.md, \"Deformation\"";
constexpr std::string_view kExactness = "docs/EXACTNESS.md";

// Levels of the pyramid of the largest window.
constexpr std::uint32_t kMostHizLevel = 15;

// Of animations: more than this and a frame is anywhere in them.
constexpr double kMostSpeed = 1000.0;
constexpr float kMostStagger = 1e6F;  // seconds

constexpr float kMostSunStrength = 1000.0F;
constexpr float kMostTurn = 360.0F;  // degrees
constexpr float kMostShadowDistance = 1e18F;
constexpr float kMostShadowLodBias = 10.0F;

// Every device dispatches so many workgroups side by side.
constexpr std::uint32_t kMaxGroupTiling = 65535;

Choices<Backend> backends() {
    Choices<Backend> out;
    for (const BackendInfo& info : backend_table()) out.push_back({info.backend, info.name, info.help});
    return out;
}

Choices<Show> shows() {
    Choices<Show> out;
    for (const ShowChoice& show : all_shows()) out.push_back({show.value, show.name, show.help});
    return out;
}

Choices<ExpansionStrategy> expansions() {
    return {{ExpansionStrategy::kMaxN, expansion_name(ExpansionStrategy::kMaxN),
             "Every instance gets as many lanes as the largest one needs. Simple; wasteful if they differ."},
            {ExpansionStrategy::kPerItem, expansion_name(ExpansionStrategy::kPerItem),
             "A list with an entry for each meshlet. Nothing to search, much to write."},
            {ExpansionStrategy::kLinear, expansion_name(ExpansionStrategy::kLinear),
             "An entry for each instance; each lane looks through the list for its own."},
            {ExpansionStrategy::kPrefixSum, expansion_name(ExpansionStrategy::kPrefixSum),
             "The same list with running sums, searched by halves."},
            {ExpansionStrategy::kScan, expansion_name(ExpansionStrategy::kScan),
             "As prefix-sum, but the sums are a pass of their own, so that the order is always the same."},
            {ExpansionStrategy::kBuckets, expansion_name(ExpansionStrategy::kBuckets),
             "Counts are split into powers of two, so that a lane finds its meshlet without a search."},
            {ExpansionStrategy::kTaskList, expansion_name(ExpansionStrategy::kTaskList),
             "Chunks of 32 meshlets, prepared with the scene. Best on a CPU with large meshes."},
            {ExpansionStrategy::kGenerated, expansion_name(ExpansionStrategy::kGenerated),
             "A dispatch for each instance that is left, by commands that the GPU generates."}};
}

// Those that a device may be treated as lacking.
std::vector<ChoiceGuide> features() {
    std::vector<ChoiceGuide> out;
    for (const gpu::Feature& feature : gpu::features()) out.push_back({feature.name, feature.help});
    return out;
}

EnvironmentSource parse_environment(const EnvironmentSource& now, std::string_view value) {
    if (value == "sky") return {.kind = EnvironmentKind::kSky};
    if (value == "none") return {.kind = EnvironmentKind::kNone};
    if (!scene::named_as_environment(text_path(value))) {
        constexpr std::array<std::string_view, 2> kKnown{"sky", "none"};
        reject("environment", value,
               "sky, none or a file whose name ends in .hdr or .exr" + did_you_mean(value, kKnown));
    }
    EnvironmentSource named{.kind = EnvironmentKind::kPicture, .file = path_text(absolute_path(text_path(value)))};
    if (named.file == now.file) named.picture = now.picture;
    return named;
}

std::string environment_text(const EnvironmentSource& source) {
    if (source.kind == EnvironmentKind::kPicture) return source.file;
    return source.kind == EnvironmentKind::kSky ? "sky" : "none";
}
std::vector<Setting> make_table() {
    using D = DeviceSettings;
    using C = SceneSettings;
    using F = FrameSettings;
    using S = Settings;
    using V = std::string_view;
    SettingRows rows;
    rows.group(SettingGroup::kEveryday);
    rows.choice({"view", "View", "What the picture shows, by every backend alike but for phase and path."},
                {.docs = kLookingInside}, &F::show, shows())
        .unavailable = [](V v, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
        Settings chosen;
        find_setting("view")->set(chosen, v);
        return view_unavailable(chosen.frame.show, capabilities, scene);
    };
    rows.toggle({"wireframe", "Wireframe",
                 "Draw the edges of triangles over the picture.\n"
                 "They fade where triangles are a few pixels."},
                {.docs = kLookingInside}, &F::wireframe);
    rows.choice({"bounds", "Bounds",
                 "Draw what culling tests as lines over the picture; what is hidden is faint.\n"
                 "Boxes are of instances alone, cones of meshlets or sublets where culling tests them."},
                {.docs = kLookingInside}, &F::bounds,
                Choices<Bounds>{{Bounds::kOff, "off", "None."},
                                {Bounds::kSpheres, "spheres",
                                 "The bounding spheres that the frustum and the pyramid are tested with."},
                                {Bounds::kBoxes, "boxes", "The bounding boxes of instances."},
                                {Bounds::kCones, "cones", "The normal cones, which tell what faces away."}});
    rows.choice({"bounds-of", "Bounds of",
                 "Whose bounds are drawn: those of all there are, or of what is picked.\n"
                 "Many of them are slow."},
                {.docs = kLookingInside, .no_effect = needs_bounds}, &F::bounds_of,
                Choices<BoundsOf>{{BoundsOf::kInstances, "instances", "Of every instance."},
                                  {BoundsOf::kMeshlets, "meshlets", "Of every meshlet."},
                                  {BoundsOf::kSublets, "sublets", "Of every sublet."},
                                  {BoundsOf::kPicked, "picked", "Of what is picked, and of what it is part of."}});
    rows.toggle({"joints", "Joints",
                 "Draw the joints of what deforms over the picture, and lines to those that they hang on.\n"
                 "They are seen through what they move."},
                {.docs = kLookingInside}, &F::joints);
    Setting& backend = rows.choice_or_auto(
        {"backend", "Backend", "How things are drawn: the picture is the same by each, the speed is not."},
        {.docs = kDrawing}, &F::backend, backends(), "The fastest that this device supports.");
    backend.set = [set = backend.set](S& s, V v) {
        if (v != "mdi-meshlets") return set(s, v);  // an older name, which scripts and kept files may give
        note_once("the backend mdi-meshlets is now mdi with --cull-sublets off");
        s.frame.backend = Backend::kMdi;
        s.frame.cull_sublets = false;
    };
    backend.unavailable = [](V v, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
        Settings chosen;
        find_setting("backend")->set(chosen, v);
        return chosen.frame.backend ? backend_unavailable(*chosen.frame.backend, capabilities, scene) : std::nullopt;
    };
    rows.toggle({"lod", "Levels of detail",
                 "Draw the coarsest levels of detail that are right to --lod-error.\n"
                 "Off, and where the scene has none (encode --lod): the finest."},
                {.docs = kLevels}, &F::lod);
    rows.add(
        {"lod-error", "Error of levels",
         "Pixels by which what is drawn may differ from the finest level of detail; at 0 whatever is\n"
         "not exactly the same is refined. auto is 1, or an error by which what is seen has room,\n"
         "where frames wait for it: textures without room are coarser then, and else an error."},
        {.docs = kLevels, .value = "PIXELS|auto", .no_effect = needs_lod}, SettingKind::kNumber, SettingScope::kFrame,
        [](const S& s) { return s.frame.lod_fits ? std::string(kAuto) : number_text(s.frame.lod_error); },
        [](S& s, V v) {
            const std::optional<float> error = parse_lod_error(v);
            s.frame.lod_error = error.value_or(FrameSettings{}.lod_error);
            s.frame.lod_fits = !error;
        });
    rows.toggle({"cull-frustum", "Frustum culling",
                 "Reject what lies outside of the view, or between pixel centres, at every level.\n"
                 "Off is for comparing: what nobody sees is drawn."},
                {.docs = kCulling}, &F::cull_frustum);
    rows.toggle({"cull-cone", "Cone culling",
                 "Reject what faces away as a whole, by its normal cone.\n"
                 "Off is for comparing: later tests and the rasteriser reject it a triangle at a time."},
                {.docs = kCulling, .no_effect = needs_bounds_tests}, &F::cull_cone);
    rows.toggle({"cull-occlusion", "Occlusion culling",
                 "Reject what lies behind what is drawn, in two phases; direct draws take no part.\n"
                 "It pays where much is hidden, and costs a depth pyramid and a second round of tests."},
                {.docs = "docs/CULLING.md, \"Two phases\"", .no_effect = needs_gpu_culling}, &F::cull_occlusion);
    rows.add(
        {"freeze-culling", "Freeze culling",
         "Cull from the camera of this frame (0 is the first) for the rest; by default off.\n"
         "For looking from elsewhere at what culling left."},
        {.docs = kCulling, .value = "FRAME"}, SettingKind::kFrameNumber, SettingScope::kFrame,
        [](const S& s) { return s.frame.freeze_culling < 0 ? std::string() : number_text(s.frame.freeze_culling); },
        [](S& s, V v) {
            const auto number = parse_number<std::int32_t>(v);
            if (!v.empty() && v != "off" && (!number || *number < 0))
                reject("freeze-culling", v, "a frame's number or off");
            s.frame.freeze_culling = number.value_or(-1);
        });
    rows.toggle({"frustum", "Frozen frustum",
                 "Draw what the frozen camera sees as lines (--freeze-culling).\n"
                 "Without a frozen camera there are none."},
                {.docs = kLookingInside, .no_effect = needs_frozen_camera}, &F::frustum);

    rows.group(SettingGroup::kLight);
    Setting& environment = rows.add(
        {"environment", "Environment",
         "Light from all around: a clear sky with the sun in it, none, or a picture: an\n"
         "equirectangular .hdr or .exr. It lights the scene and is what is seen behind it."},
        {.docs = kLight, .no_effect = needs_light}, SettingKind::kChoice, SettingScope::kFrame,
        [](const S& s) { return environment_text(s.frame.environment); },
        [](S& s, V v) { s.frame.environment = parse_environment(s.frame.environment, v); });
    environment.choices = {"sky", "none"};
    environment.values = {{"sky", "A clear sky over grey ground, by the sun's place."},
                          {"none", "Nothing but the sun, before a plain background."},
                          {"FILE", "The picture in it; the sun shines too where --sun is given."}};
    environment.extensions = {".hdr", ".exr"};
    rows.number({"environment-turn", "Environment's turn",
                 "Degrees by which a picture of light is turned about the upward axis, from +z towards +x:\n"
                 "its light, what mirrors it and what is seen of it turn together."},
                {.docs = kLight, .value = "DEGREES", .no_effect = needs_picture_of_light}, &F::environment_turn,
                -kMostTurn, kMostTurn);
    rows.number({"environment-blur", "Background blur",
                 "How blurred the environment is where it is seen behind the scene: 0 is sharp, 1 as a\n"
                 "surface of roughness 1 mirrors it. What it lights stays the same."},
                {.docs = kLight, .no_effect = needs_environment}, &F::environment_blur, 0.0F, 1.0F);
    rows.add(
        {"sun", "Sun",
         "ELEVATION,AZIMUTH: where the sun stands, in degrees: above the horizon, and from +z\n"
         "towards +x. Or off. By default 53,48; with a picture for an environment, off."},
        {.docs = kLight, .value = "ELEVATION,AZIMUTH", .no_effect = needs_light}, SettingKind::kText,
        SettingScope::kFrame, [](const S& s) { return sun_text(s.frame.sun); },
        [](S& s, V v) { s.frame.sun = parse_sun(v); });
    rows.number({"sun-strength", "Sun's strength",
                 "A factor of the sun's light: 2 is twice as bright, 0 none.\n"
                 "The light from all around, the sky's too, stays what it is."},
                {.docs = kLight, .value = "FACTOR", .no_effect = needs_sun}, &F::sun_strength, 0.0F, kMostSunStrength);
    rows.toggle({"lights", "Lights",
                 "Let the scene's own lights shine: directional, point and spot lights of the file, and\n"
                 "those that --lights-scatter places. --ev exposes them."},
                {.docs = kLight, .no_effect = needs_light}, &F::lights);
    rows.toggle({"ambient-occlusion", "Ambient occlusion",
                 "Let surfaces take light from all around away from those near them, by the picture's depths\n"
                 "(half as many texels each way): creases and what stands on a floor are darker."},
                {.docs = "docs/DRAWING.md, \"Ambient occlusion\"", .no_effect = needs_environment},
                &F::ambient_occlusion);
    rows.whole({"blend-layers", "Blended layers",
                "Surfaces that blend (alphaMode BLEND) which a pixel keeps one by one, the nearest first; what\n"
                "lies behind those is added up. 0 draws all of them opaque."},
               {.docs = kBlending, .no_effect = needs_layers}, &F::blend_layers, kMostBlendLayers);
    rows.choice({"shadows", "Shadows",
                 "Which lights cast shadows. What casts is culled from the light as a picture is from its\n"
                 "camera; a map is drawn anew only where something in it changed."},
                {.docs = kShadows, .no_effect = needs_caster}, &F::shadows,
                Choices<Shadows>{{Shadows::kOn, "on", "The sun, and the scene's point and spot lights."},
                                 {Shadows::kSun, "sun", "The sun alone."},
                                 {Shadows::kOff, "off", "None."}});
    rows.choice({"shadow-resolution", "Shadow resolution",
                 "Texels along each side of a shadow map of the sun, which has up to four, each three times\n"
                 "as wide as the one within."},
                {.docs = kShadows, .no_effect = needs_sun_shadows}, &F::shadow_resolution,
                Choices<std::uint32_t>{{512U, "512", "1 MiB a map."},
                                       {1024U, "1024", "4 MiB a map."},
                                       {2048U, "2048", "16 MiB a map."},
                                       {4096U, "4096", "64 MiB a map."}});
    rows.choice({"shadow-light-resolution", "Lamp shadow resolution",
                 "Texels along each side of a shadow map of a point or spot light: a spot has one, a point six,\n"
                 "and a spot of more than 60 degrees to each side of its axis too."},
                {.docs = kShadows, .no_effect = needs_light_shadows}, &F::shadow_light_resolution,
                Choices<std::uint32_t>{{128U, "128", "1/16 MiB a map."},
                                       {256U, "256", "1/4 MiB a map."},
                                       {512U, "512", "1 MiB a map."},
                                       {1024U, "1024", "4 MiB a map."}});
    rows.number({"shadow-distance", "Shadow distance",
                 "Units of the scene that shadows of the sun reach from the camera: the nearer, the finer.\n"
                 "0: as far as the scene does."},
                {.docs = kShadows, .value = "UNITS", .no_effect = needs_sun_shadows}, &F::shadow_distance, 0.0F,
                kMostShadowDistance);
    rows.number({"shadow-lod-bias", "Shadow level bias",
                 "Steps by which the error of levels of detail is doubled in shadows (--lod-error): 1 casts\n"
                 "from coarser shapes than are seen, -1 from finer ones."},
                {.docs = kShadows, .value = "STEPS", .no_effect = needs_shadows}, &F::shadow_lod_bias,
                -kMostShadowLodBias, kMostShadowLodBias);
    rows.toggle({"shadow-cache", "Shadow cache",
                 "Keep shadow maps while light, casters and their place stay. The picture is the same.\n"
                 "Off is for comparing: all are drawn in each frame."},
                {.docs = kShadows, .no_effect = needs_shadows}, &F::shadow_cache);
    rows.add(
        {"ev", "Exposure",
         "Stops of exposure: one more doubles the light. Or auto: each frame is exposed by the light\n"
         "of the one before, whose mean becomes middle grey."},
        {.docs = kLight, .value = "STOPS|auto", .no_effect = needs_light}, SettingKind::kText, SettingScope::kFrame,
        [](const S& s) { return s.frame.ev ? number_text(*s.frame.ev) : std::string("auto"); },
        [](S& s, V v) { s.frame.ev = parse_ev(v); });
    rows.choice({"tone", "Tone mapping",
                 "How light brighter than white becomes a colour: neutral keeps the colours of materials,\n"
                 "aces is that of films, none cuts it off."},
                {.docs = kLight, .no_effect = needs_light}, &F::tone,
                Choices<Tone>{{Tone::kNeutral, "neutral",
                               "Khronos PBR Neutral: colours of materials stay, highlights go to white."},
                              {Tone::kAces, "aces", "A fit of ACES: more contrast, and brighter colours pale."},
                              {Tone::kNone, "none", "What is brighter than white is white."}});
    rows.choice_or_auto({"taa", "Smooth in motion",
                         "Temporal antialiasing: blend each frame with those before it, where what it shows was.\n"
                         "A viewer's picture at rest, and one of --samples, are the same without."},
                        {.docs = "docs/DRAWING.md, \"Temporal antialiasing\"", .no_effect = needs_frames_that_blend},
                        &F::taa,
                        Choices<bool>{{true, "on", "Edges are smooth while things move."},
                                      {false, "off", "Each frame is of itself alone."}},
                        "On in the viewer; off where pictures are written or timed.");

    rows.group(SettingGroup::kLooking);
    rows.whole({"hiz-level", "Pyramid level",
                "Level of the depth pyramid that --view hiz shows: a texel of level N covers 2^N pixels\n"
                "each way. Levels start at 1 and end where one texel is left: the nearest one is taken."},
               {.docs = "docs/CULLING.md, \"The HiZ pyramid\"", .no_effect = needs_pyramid_view}, &F::hiz_level,
               kMostHizLevel);
    rows.add(
        {"pick", "Pick",
         "X,Y: tell what this pixel of the last frame shows, and outline it.\n"
         "0,0 is the upper left. In the viewer a click picks."},
        {.docs = kLookingInside, .value = "X,Y"}, SettingKind::kText, SettingScope::kFrame,
        [](const S& s) { return pixel_text(s.frame.pick); }, [](S& s, V v) { s.frame.pick = parse_pixel(v); });
    rows.choice({"pick-level", "Pick level", "How much of what was picked is outlined.\nWhat is told is the same."},
                {.docs = kLookingInside}, &F::pick_level,
                Choices<SelectionLevel>{{SelectionLevel::kInstance, "instance", "The whole instance."},
                                        {SelectionLevel::kMeshlet, "meshlet", "Up to 256 triangles around it."},
                                        {SelectionLevel::kSublet, "sublet", "Up to 32 triangles around it."},
                                        {SelectionLevel::kTriangle, "triangle", "The triangle alone."}});

    rows.group(SettingGroup::kCulling);
    rows.toggle({"cull-instances", "Instance culling",
                 "Test whole instances first, so that nothing else is tested of those that fail.\n"
                 "Off is for comparing: all their meshlets are tested."},
                {.docs = kCulling}, &F::cull_instances);
    rows.toggle({"cull-sublets", "Sublet culling",
                 "Test single sublets too, where the backend works on sublets or runs of them.\n"
                 "Off spares the tests, which took out a fifth of the sublets in a grid of kittens."},
                {.docs = "docs/CULLING.md, \"Sublets as the unit of work\"", .no_effect = needs_sublets},
                &F::cull_sublets);
    rows.toggle({"cull-primitives", "Primitive culling",
                 "Reject single triangles in the shader; off leaves them to the rasteriser.\n"
                 "Off, compact took twice as long on an H200: a dense scene, no occlusion culling."},
                {.docs = "docs/CULLING.md, \"Primitive culling\"", .no_effect = needs_primitive_culling},
                &F::cull_primitives);
    rows.toggle({"direct-meshlets", "Direct meshlets",
                 "Direct draws select meshlets on the CPU, by the tests that the GPU makes for other backends.\n"
                 "Off: whole instances. On, the CPU records a draw for each run of meshlets that pass."},
                {.docs = "docs/CULLING.md, \"On the CPU\"", .no_effect = needs_direct_draws}, &F::direct_meshlets);
    rows.choice_or_auto(
        {"occlusion-detail", "Occlusion detail",
         "What is remembered of the last frame: visible meshlets, sublets or single triangles.\n"
         "Measured: the finest that a backend has is the fastest on an H200, sublets are on a CPU."},
        {.docs = "docs/CULLING.md, \"Bits of sublets and of triangles\"", .no_effect = needs_occlusion_bits},
        &F::occlusion_detail,
        Choices<OcclusionDetail>{
            {OcclusionDetail::kMeshlets, "meshlets", "A bit for each meshlet: up to 256 triangles are drawn or not."},
            {OcclusionDetail::kSublets, "sublets", "A bit for each sublet: up to 32 triangles."},
            {OcclusionDetail::kPrimitives, "primitives",
             "A bit for each triangle. Draws the least, and remembers the most."}},
        "The finest that the backend has on a GPU; sublets on a CPU.");
    rows.choice_or_auto({"expansion", "Expansion",
                         "How meshlets of instances are dealt out to lanes, where the backend culls in compute.\n"
                         "By six of them frames differed by 4 % at most on an H200; auto takes the fastest."},
                        {.docs = "docs/CULLING.md, \"Expansion\"", .no_effect = needs_expansion}, &F::expansion,
                        expansions(), "The fastest that was measured for such a device and scene.");

    rows.group(SettingGroup::kDrawing);
    rows.choice_or_auto(
        {"payload", "Payload",
         "Where shaders that work on sublets have vertices from: the packed streams, or decoded buffers.\n"
         "Encoded takes less memory. On an H200 it took up to 19 % longer, of compact files up to 62 %."},
        {.docs = "docs/CULLING.md, \"Where triangles are culled\"", .no_effect = needs_packed_work}, &F::payload,
        Choices<Payload>{{Payload::kEncoded, "encoded", "Shaders unpack the file's streams wherever they need them."},
                         {Payload::kDecoded, "decoded", "A pass unpacks the streams once, in the first frame."}},
        "Decoded, which is the faster one where there is memory for it.");
    rows.choice_or_auto({"subgroup", "Subgroup path",
                         "How lanes of a sublet exchange what they know: subgroups of 32 or 64, or shared memory.\n"
                         "Shared memory (general) works anywhere, and took 2 to 16 % longer on an H200."},
                        {.docs = "docs/CULLING.md, \"Subgroups\"", .no_effect = needs_lanes}, &F::subgroup,
                        Choices<SubgroupPath>{{SubgroupPath::k32, "32", "A sublet is one subgroup of 32 lanes."},
                                              {SubgroupPath::k64, "64", "Two sublets share a subgroup of 64 lanes."},
                                              {SubgroupPath::kGeneral, "general",
                                               "Through shared memory: right for subgroups of any size."}},
                        "Subgroups of 32, else of 64, else shared memory.");
    rows.choice_or_auto({"meshlet-workgroup", "Mesh workgroup",
                         "Lanes of a mesh shader's workgroup: 32 a sublet where it culls, else one a vertex.\n"
                         "32 was fastest on an H200; auto goes by what the device prefers."},
                        {.docs = kDrawing, .no_effect = needs_mesh_lanes}, &F::meshlet_workgroup,
                        Choices<std::uint32_t>{{32U, "32", "A lane for each triangle of a sublet."},
                                               {64U, "64", "64 lanes."},
                                               {128U, "128", "128 lanes."},
                                               {256U, "256", "256 lanes; not every device has so many."}},
                        "What the device prefers.");
    rows.choice_or_auto({"local-invocation-output", "Local outputs",
                         "Mesh shaders write vertex i and triangle i by lane i, else by the lane that made them.\n"
                         "It costs a way through shared memory; auto is on where the device prefers it."},
                        {.docs = "docs/DRAWING.md, \"Outputs by local invocation\"", .no_effect = needs_mesh_shader},
                        &F::local_invocation_output,
                        Choices<bool>{{true, "on", "Lane i writes vertex i and triangle i."},
                                      {false, "off", "The lane that made a vertex or a triangle writes it."}},
                        "On where the device prefers it.");
    rows.add(
        {"raster-limit", "Raster limit",
         "raster: most pixels in the bounding box of a triangle that a lane draws; by default 16.\n"
         "Workgroups draw the larger ones, which share those of a medium size. 0: they draw all."},
        {.docs = "docs/DRAWING.md, \"Rasterising in compute\"", .value = "PIXELS", .no_effect = needs_raster},
        SettingKind::kInteger, SettingScope::kFrame,
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
    rows.whole({"group-tiling", "Group tiling",
                "Thread-group tiling of full-screen passes: strips of so many workgroups; 0 is off.\n"
                "It is meant to spare memory traffic; no device that was measured gained by it."},
               {.docs = "docs/CULLING.md, \"Thread-group tiling\""}, &F::group_tiling, kMaxGroupTiling);

    rows.group(SettingGroup::kMemory);
    rows.mebibytes({"vram-budget", "VRAM budget",
                    "MiB for geometry (decoded vertices included) and textures; by default half of what the\n"
                    "driver grants. What has no room at once comes as it is seen."},
                   {.docs = kStreaming, .value = "MiB"}, &C::vram_budget);
    rows.mebibytes({"texture-budget", "Texture budget",
                    "MiB of the VRAM budget for textures, mips included; by default half, or what geometry\n"
                    "leaves where that is more. What has no room at full size is as fine as it is seen."},
                   {.docs = kTextures, .value = "MiB"}, &C::texture_budget);
    rows.choice_or_auto(
        {"stream-wait", "Wait for what is seen",
         "Where not all geometry or textures have room in VRAM: draw a frame once all that it shows is there.\n"
         "Else what is coarser stands in for what is still on its way."},
        {.docs = kStreaming, .no_effect = needs_streaming}, &C::stream_wait,
        Choices<bool>{{true, "on", "Pictures are those of a scene that has room."}, {false, "off", "No frame waits."}},
        "Off in the viewer and along a camera path; on where else pictures are written or timed.");
    rows.mebibytes({"compact-budget", "Compact budget",
                    "MiB for what a compute pass leaves of triangles; by default 1/32 of the device's memory.\n"
                    "Less saves memory and costs time: what does not fit is culled and drawn in rounds."},
                   {.docs = kRounds, .value = "MiB", .no_effect = needs_triangle_lists}, &F::compact_budget);
    rows.mebibytes({"survivor-budget", "Survivor budget",
                    "MiB for the list of what survives culling; by default 1/64 of the device's memory, 64 with levels "
                    "of detail.\n"
                    "Less saves memory and costs time: what does not fit is culled and drawn in rounds."},
                   {.docs = kRounds, .value = "MiB", .no_effect = needs_expansion}, &C::survivor_budget);
    rows.mebibytes({"light-budget", "Light budget",
                    "MiB for the lists that say which lights reach which part of a view; by default 16.\n"
                    "Where they have no room, pixels look at all lights: the same picture, slower."},
                   {.docs = kLight, .value = "MiB", .no_effect = needs_light}, &F::light_budget);
    rows.mebibytes({"shadow-budget", "Shadow budget",
                    "MiB for the shadow maps of point and spot lights; by default 36. Those that are largest on\n"
                    "the screen have them; the light of others passes through everything."},
                   {.docs = kShadows, .value = "MiB", .no_effect = needs_light_shadows}, &F::shadow_budget);
    rows.mebibytes(
        {"deform-budget", "Deform budget",
         "MiB for the vertices of instances that deform; by default 1/4 of the device's memory.\n"
         "Instances that have no room there are deformed wherever they are drawn: the same picture, slower."},
        {.docs = kDeformation, .value = "MiB"}, &C::deform_budget);
    rows.mebibytes({"image-limit", "Image limit",
                    "MiB for images that are being decoded; by default 1/4 of the machine's memory.\n"
                    "Less decodes fewer at a time. One that alone takes more is left out."},
                   {.docs = kTextures, .value = "MiB"}, &C::image_limit);

    rows.group(SettingGroup::kCamera);
    rows.add(
        {"camera", "Camera",
         "Eye, target, vertical field of view (45) and roll: EX,EY,EZ,TX,TY,TZ[,FOV[,ROLL]], degrees.\n"
         "A roll above 0 turns the picture clockwise. In the viewer C copies its camera.\n"
         "By default the scene's first camera, else one that frames its bounds."},
        {.value = "EX,EY,EZ,TX,TY,TZ[,FOV[,ROLL]]"}, SettingKind::kText, SettingScope::kFrame,
        [](const S& s) { return s.frame.camera ? camera_text(*s.frame.camera) : std::string(); }, set_camera_text);
    rows.add(
        {"near", "Near plane",
         "Distance of the near plane: what is nearer is cut away.\n"
         "By default the camera's, else a thousandth of the scene's radius."},
        {.value = "DISTANCE"}, SettingKind::kNumber, SettingScope::kFrame,
        [](const S& s) { return s.frame.near_plane ? number_text(*s.frame.near_plane) : std::string(); },
        [](S& s, V v) {
            const auto number = parse_number<float>(v);
            if (!v.empty() && (!number || *number <= 0.0F)) reject("near", v, "a distance above 0");
            s.frame.near_plane = number;
        });
    rows.choice_or_auto(
        {"projection", "Projection",
         "How the scene is projected.\nThe cameras of a path are perspective unless this says otherwise."},
        {}, &F::projection,
        Choices<Projection>{{Projection::kPerspective, "perspective", "What is farther is smaller."},
                            {Projection::kOrthographic, "orthographic", "Sizes don't shrink with distance."}},
        "That of the scene's camera where it is used, else perspective.");

    rows.group(SettingGroup::kMeasuring);
    rows.toggle({"difference", "Difference",
                 "Show where the picture differs from direct draws without culling, and count the pixels.\n"
                 "What is the same is dim; a difference is yellow, or red where it is large."},
                {.docs = kExactness}, &F::difference);
    rows.toggle({"count-ties", "Count ties",
                 "Count the pixels that may rightly differ between backends: depth ties, snapped faces.\n"
                 "It draws the scene twice more."},
                {.docs = kExactness}, &F::count_ties);

    rows.group(SettingGroup::kScene);
    rows.add(
        {"grid", "Grid",
         "XxYxZ: draw the scene's first mesh in a grid centred on the origin, instead of the scene.\n"
         "It makes a large scene of a small file, to time culling and drawing."},
        {.value = "XxYxZ"}, SettingKind::kText, SettingScope::kScene,
        [](const S& s) { return grid_text(s.scene.grid.count); },
        [](S& s, V v) { s.scene.grid.count = parse_grid(v); });
    rows.add(
        {"grid-spacing", "Grid spacing",
         "From a neighbour in the grid to the next: in units of the scene, or, as in 1.2x, in sizes\n"
         "of the mesh, the largest extent of its bounding box. The smaller, the more hide each other."},
        {.value = "DISTANCE[x]", .no_effect = needs_grid}, SettingKind::kNumber, SettingScope::kScene,
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
    rows.text({"variant", "Variant",
               "Draw the scene with the materials of this variant (KHR_materials_variants).\n"
               "'sublet info' lists the names. By default meshes have their own materials."},
              {.value = "NAME"}, &C::variant);
    rows.text({"hide", "Hide",
               "Leave out these nodes, lights too, and what is below them: a name, or numbers of nodes (0,4-17).\n"
               "The viewer's outliner lists the nodes. By default all are drawn."},
              {.value = "NAME|INDEX,..|FIRST-LAST,..", .no_effect = needs_nodes}, &C::hide);
    rows.text({"isolate", "Isolate",
               "Draw these nodes and what is below them alone, named as for --hide; the camera stays.\n"
               "What --hide names is left out of them too."},
              {.value = "NAME|INDEX,..|FIRST-LAST,..", .no_effect = needs_nodes}, &C::isolate);
    rows.add(
        {"animation", "Animation",
         "The animation that plays: its name or number, some (0,2,5), all, or none. 'sublet info' lists them.\n"
         "Where several move one thing, the first of them counts."},
        {.docs = kAnimation, .value = "NAME|INDEX,..|all|none"}, SettingKind::kText, SettingScope::kScene,
        [](const S& s) { return s.scene.animation; },
        [](S& s, V v) { s.scene.animation = v.empty() ? scene::kAllAnimations : v; });
    rows.add(
        {"time", "Time",
         "Seconds that the animations have played; each loops by its own length, and its end is its\n"
         "start. bench, --fps and camera paths count on from it: 60 frames are a second."},
        {.docs = kAnimation, .value = "SECONDS", .no_effect = needs_animation}, SettingKind::kNumber,
        SettingScope::kFrame, [](const S& s) { return number_text(s.frame.time); },
        [](S& s, V v) {
            const auto number = parse_number<double>(v);
            if (!number) reject("time", v, "a number of seconds");
            s.frame.time = *number;
        });
    rows.number({"speed", "Speed",
                 "How fast animations play where frames follow one another: 2 is twice as fast,\n"
                 "a number below 0 plays backwards."},
                {.docs = kAnimation, .value = "FACTOR", .no_effect = needs_animation}, &F::speed, -kMostSpeed,
                kMostSpeed);
    rows.number({"stagger", "Stagger",
                 "Seconds by which each place of a grid is ahead of the one before, in the animations that\n"
                 "deform its mesh. 0: all are alike."},
                {.docs = kDeformation, .value = "SECONDS", .no_effect = needs_grid}, &C::stagger, -kMostStagger,
                kMostStagger);
    rows.whole({"lights-scatter", "Scattered lights",
                "Place so many more lights at random, by --seed: every other one is a spot. To time lights.\n"
                "The more there are, the less far each reaches."},
               {.docs = kLight}, &C::lights_scatter, 1U << 20U);
    rows.whole({"seed", "Seed",
                "Seed of the built-in scene, and of --lights-scatter: another number is another scene,\n"
                "the same number the same."},
               {}, &C::seed, 0xffffffffU);

    rows.group(SettingGroup::kDevice);
    rows.text({"device", "Device",
               "The Vulkan device that draws: part of its name, or its number in 'sublet devices'.\n"
               "By default the best there is."},
              {.value = "DEVICE"}, &D::name);
    rows.toggle({"validation", "Validation",
                 "Validation layer with synchronization checks: finds misuse of Vulkan, and slows frames.\n"
                 "Any message makes the exit status 1."},
                {}, &D::validation);
    rows.toggle({"shader-statistics", "Shader statistics",
                 "Note what the driver says of each shader: registers, spills, occupancy and more.\n"
                 "For finding out what bounds a pass. Not every driver tells."},
                {}, &D::shader_statistics);
    rows.add(
            {"without", "Without",
             "Pretend that the device lacks these features (a list with commas).\n"
             "For trying on this device what replaces them on another."},
            {}, SettingKind::kText, SettingScope::kDevice, [](const S& s) { return without_text(s.device.without); },
            [](S& s, V v) { s.device.without = parse_without(v); })
        .values = features();
    return rows.take();
}

}  // namespace

std::span<const Setting> settings_table() {
    static const std::vector<Setting> table = make_table();
    return table;
}

const Setting* find_setting(std::string_view name) {
    // A window asks for each in every frame.
    static const auto by_name = [] {
        std::unordered_map<std::string_view, const Setting*> out;
        for (const Setting& setting : settings_table()) out.emplace(setting.name, &setting);
        return out;
    }();
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
}

}  // namespace sublet::render
