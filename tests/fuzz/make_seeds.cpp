// Writes the seeds of the fuzz targets: small files that hold something of everything.
//   make_seeds FOLDER      fills FOLDER/environment, FOLDER/image, FOLDER/import, FOLDER/kept and FOLDER/sublet
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

#include "../unit/mesh/older_files.h"
#include "../unit/scene/environment_files.h"
#include "../unit/scene/image_files.h"
#include "../unit/scene/ktx2_files.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "scene/container.h"
#include "scene/import.h"
#include "scene/material_fields.h"
#include "scene/texture_compression.h"
#ifdef SUBLET_DRACO
#include "../unit/scene/draco_files.h"
#endif
#ifdef SUBLET_WEBP
#include "../unit/scene/webp_files.h"
#endif

namespace sublet {
namespace {

namespace fs = std::filesystem;

// A square patch of n x n quads, with every attribute where `rich`, and with more than four joints a vertex where n is
// even.
scene::SourceMesh patch(int n, bool rich, std::uint32_t material) {
    scene::SourceMesh p;
    p.material = material;
    for (int y = 0; y <= n; ++y) {
        for (int x = 0; x <= n; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(n);
            const float v = static_cast<float>(y) / static_cast<float>(n);
            p.positions.push_back({u, v, u * v});
            p.normals.push_back({0, 0, 1});
            if (!rich) continue;
            p.tangents.push_back({1, 0, 0, x % 2 == 0 ? 1.0F : -1.0F});
            p.uv0.push_back({u, v});
            p.uv1.push_back({v, u});
            p.colors.push_back({u, v, 1, 1});
            p.joints.push_back({0, 1, 0, 0});
            p.weights.push_back({0.25F, 0.75F, 0, 0});
            if (n % 2 != 0) continue;
            p.joints1.push_back({1, 0, 1, 0});
            p.weights.back() = {0.25F, 0.25F, 0.125F, 0.125F};
            p.weights1.push_back({0.125F * u, 0.125F * v, 0.0625F, 0});
        }
    }
    const auto stride = static_cast<std::uint32_t>(n + 1);
    for (std::uint32_t y = 0; y < static_cast<std::uint32_t>(n); ++y) {
        for (std::uint32_t x = 0; x < static_cast<std::uint32_t>(n); ++x) {
            const std::uint32_t a = y * stride + x;
            for (const std::uint32_t i : {a, a + 1, a + stride, a + 1, a + stride + 1, a + stride})
                p.indices.push_back(i);
        }
    }
    return p;
}

// To values within every range.
void set_every_extension_field(scene::Material& material) {
    scene::for_each_extension_field(
        [](const scene::MaterialField& field, auto& value) {
            if constexpr (scene::kIsTexture<decltype(value)>) {
                value.texture = 0;
            } else {
                for (float& component : scene::components(value)) component = field.range.least == 1.0F ? 1.75F : 0.25F;
            }
        },
        material);
}

// Morph targets of both meshes, of which one moves the first mesh alone; weights, names and an animation of them.
void add_targets(scene::ImportedScene& imported) {
    constexpr std::size_t kTargets = 34;
    scene::SourceMeshGroup& group = imported.groups[0];
    group.weights.assign(kTargets, 0.25F);
    group.target_names.assign(kTargets, "t");
    for (scene::SourceMesh& mesh : group.meshes) mesh.morphs.resize(kTargets);
    for (const std::size_t target : {std::size_t{0}, kTargets - 1}) {
        mesh::MorphArrays& morph = group.meshes[0].morphs[target];
        for (const auto& p : group.meshes[0].positions) {
            morph.positions.push_back({0, p[0], 0.5F});
            if (target == 0) morph.normals.push_back({p[1] * 0.5F, 0, 0});
        }
    }
    imported.scene.nodes[3].weights.assign(kTargets, 1.0F);
    scene::AnimationChannel channel{0, scene::AnimationPath::kWeights, scene::Interpolation::kLinear, {0, 1}, {}};
    channel.values.assign(2 * kTargets, 0.5F);
    imported.scene.animations.push_back({"morph", {std::move(channel)}});
}

// What animations play by pointers: one of each path.
void add_pointed(scene::Scene& s) {
    using scene::AnimationPath;
    scene::Animation all{"pointed", {}};
    for (auto path = AnimationPath::kVisibility; path <= scene::kLastPath;
         path = static_cast<AnimationPath>(static_cast<unsigned>(path) + 1)) {
        scene::AnimationChannel channel{.path = path, .times = {0, 1}, .values = {}};
        (scene::is_of_node(path) ? channel.node : scene::is_of_light(path) ? channel.light : channel.material) = 0;
        if (path == AnimationPath::kVisibility) channel.interpolation = scene::Interpolation::kStep;
        channel.values.assign(2 * scene::path_components(path), 1.0F);
        all.channels.push_back(std::move(channel));
    }
    s.animations.push_back(std::move(all));
}

scene::ImportedScene make_scene(int size, bool rich) {
    scene::ImportedScene imported;
    scene::Scene& s = imported.scene;
    s.name = "seed";
    s.nodes.resize(4);
    for (int i = 1; i < 4; ++i) s.nodes[static_cast<std::size_t>(i)].parent = i - 1;
    s.nodes[0].mesh_group = 0;
    s.nodes[1].scale = {1, -2, 1};
    s.nodes[2].has_matrix = true;
    s.nodes[3].mesh_group = 0;
    s.materials.resize(2);
    imported.groups.push_back({"mesh", {patch(size, rich, 0), patch(2, rich, 1)}, {}, {}});
    if (!rich) return imported;
    imported.notes = {"morph targets' colours are ignored", "Unver\xC3\xA4nderliches is kept"};
    s.nodes[0].skin = 0;
    s.nodes[1].camera = 0;
    s.nodes[3].visible = false;
    s.nodes[2].light = 0;
    s.images.push_back({"dots", scene::kRawImageType, 2, 2, std::vector<std::uint8_t>(16, 200)});
    s.samplers.push_back({});
    s.textures.push_back({0, 0});
    s.materials[0].base_color_texture.texture = 0;
    s.materials[0].base_color_texture.scale = {2, 2};
    s.materials[0].emissive = {2, 0, 0};
    s.materials[1].unlit = true;
    set_every_extension_field(s.materials[1]);
    s.variants.resize(2);
    s.variants[0].name = "night";
    s.variants[1].name = "day";
    imported.groups[0].meshes[0].variants = {{0, 1}, {1, 0}};
    imported.groups[0].meshes[1].variants = {{1, 0}};
    s.skins.push_back({"bones", 0, {1, 2}, {glm::mat4(1.0F), glm::mat4(1.0F)}});
    s.animations.push_back(
        {"move", {{1, scene::AnimationPath::kTranslation, scene::Interpolation::kLinear, {0, 1}, {0, 0, 0, 1, 1, 1}}}});
    add_pointed(s);
    if (size <= 4) add_targets(imported);  // a larger seed would be cut off
    s.cameras.push_back({"eye"});
    s.lights.push_back({"lamp", scene::LightType::kSpot});
    return imported;
}

// What the writer of GLB files does not use: data URIs, strips, sparse accessors, instancing, compression, a skin.
constexpr const char* kDocuments[] = {
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"extensions":
{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}}}}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},
"mode":5,"targets":[{"POSITION":0},{"POSITION":0,"NORMAL":0,"COLOR_0":0}]}],"weights":[0.5,1],"extras":{"targetNames":
["a"]}}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":0}}}],"bufferViews":[{"buffer":0,
"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4}],"buffers":[{"byteLength":40,"uri":
"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAQAAAA=="}]})",
    R"({"asset":{"version":"2.0"},"extensionsUsed":["KHR_mesh_quantization"],"nodes":[{"mesh":0,"rotation":[0,0,0,1],
"scale":[1,2,3]},{"children":[0],"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,4,5,6,1]}],"meshes":[{"primitives":[{"attributes":
{"POSITION":0,"TEXCOORD_0":1,"COLOR_0":2},"mode":6,"material":0},{"attributes":{"POSITION":0},"mode":1}]}],"materials":[{
"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":0,"extensions":{"KHR_texture_transform":{"offset":[1,2],
"scale":[3,4],"rotation":1}}}},"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[1,1,1,1]}}}],
"textures":[{"source":0}],"images":[{"uri":"data:image/png;base64,iVBORw0KGgo="}],"accessors":[{"bufferView":0,
"componentType":5122,"count":4,"type":"VEC3"},{"bufferView":0,"componentType":5121,"normalized":true,"count":4,
"type":"VEC2"},{"bufferView":0,"componentType":5121,"normalized":true,"count":4,"type":"VEC4"}],"bufferViews":[{"buffer":0,
"byteLength":32,"byteStride":8}],"buffers":[{"byteLength":32,"uri":
"data:;base64,AAAAAAAAAAABAAAAAAAAAAEAAQAAAAAAAAABAAAAAAA="}]})",
    // One string, in two parts.
    (R"({"asset":{"version":"2.0"},"extensionsRequired":["EXT_meshopt_compression"],"nodes":[{"mesh":0}],"meshes":[{
"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,
"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],"bufferViews":[{"buffer":1,"byteLength":48,
"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":64,"byteStride":12,"count":4,"mode":"ATTRIBUTES","filter":
"EXPONENTIAL"}}},{"buffer":1,"byteLength":12,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteOffset":64,"byteLength":19,
"byteStride":2,"count":6,"mode":"TRIANGLES"}}}],"buffers":[{"byteLength":83,"uri":"data:;base64,)"
     R"(oAABMwAAAEA/AAEhAAAAAAEMAAAAQAABCAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPIAAADyAAAA8uHwAAB2h1ZneKmGZYlomAFpAAA="},{
"byteLength":60}]})"),
};

// JSON that is kept between runs: presets, the viewer's state, paths of cameras.
constexpr const char* kKept[] = {
    R"({"preset":1,"settings":{"near":0.5,"grid":"2x2x2","grid-spacing":"1.2x","backend":"mdi","camera":"1,2,3,0,0,0,45",
"raster-limit":7,"wireframe":"on","pick":"3,4","without":"mesh-shader,draw-count","freeze-culling":3,"view":"uv"}})",
    R"({"version":1,"window":{"width":801,"height":602,"maximized":true,"position":[-5,17]},"panels":{"sides":[20.5,30],
"hidden":false,"hint":true,"open":{"123":true}},"settings":{"cull-cone":"off"},"scenes":{"/scenes/room.glb":{"used":7,
"camera":{"eye":[0.1,1e-9,-3],"target":[0,0,1e7],"fov":30,"roll":2},"projection":"orthographic","near":0.3,
"mode":"first person","bookmarks":[{"slot":3,"name":"the gate","projection":"perspective","eye":[1,2,3],
"target":[0,0,0],"fov":45}]}}})",
    R"({"frames":41,"keys":[{"frame":0,"eye":[0,0,5],"target":[0,0,0],"fov":60,"roll":-10.5},{"frame":20.5,
"eye":[1e3,0,5],"target":[0,0.25,0]},{"frame":40,"eye":[0,0,-5],"target":[0,0,0],"cut":true}]})",
};

// Every kind of PNG, JPEG, KTX2 and, where it is there, WebP, small.
void make_images(const fs::path& folder) {
    using namespace scene::testing;
    fs::create_directories(folder);
    int number = 0;
    const auto write = [&](const std::string& file) { write_file(folder / std::to_string(number++), file); };
    for (const bool interlaced : {false, true}) {
        for (const std::uint8_t color_type : {0, 2, 3, 4, 6}) {
            for (const std::uint8_t depth : {1, 8, 16}) {
                const PngKind kind{9, 7, depth, color_type, interlaced};
                write(png_file(kind, deflated_zeros(png_raw_bytes(kind))));
            }
        }
    }
    for (const int components : {1, 3}) {
        for (const bool progressive : {false, true}) write(jpeg_file(17, 9, components, progressive, 2));
    }
    for (const std::string_view digits : {kEtc1s, kEtc1sAlpha, kUastc, kUastcZstandard}) write(ktx2_file(digits));
    for (const std::uint32_t bytes : {1, 2, 3, 4}) {
        constexpr std::uint32_t kFormats[] = {9, 16, 23, 37};  // R8 to R8G8B8A8
        write(vulkan_ktx2({kFormats[bytes - 1], 2, 2, {std::string(std::size_t{4} * bytes, 'x')}, "rrr1"}, {}));
    }
    for (const std::uint32_t format : {131, 137, 139, 141, 145}) {  // BC1, BC3, BC4, BC5, BC7
        const std::string block(format == 131 || format == 139 ? 8 : 16, '\x12');
        write(vulkan_ktx2({format, 4, 3, {block, block, block}}, {}));
    }
#ifdef SUBLET_WEBP
    for (const bool lossless : {false, true}) {
        for (const bool alpha : {false, true}) write(webp_file(17, 9, gradient(17, 9), {lossless, alpha}));
    }
#endif
}

// Pictures of light of both formats, small.
void make_environments(const fs::path& folder) {
    using namespace scene::testing;
    fs::create_directories(folder);
    const auto light = [](std::uint32_t x, std::uint32_t y) {
        return Radiance{0.25F * static_cast<float>(x), 4.0F, static_cast<float>(y) * 1e4F};
    };
    int number = 0;
    const auto write = [&](const std::string& file) { write_file(folder / std::to_string(number++), file); };
    for (const bool runs : {false, true}) write(hdr_file(16, 8, light, runs));
    for (const bool half : {false, true}) {
        write(exr_file(8, 4, light, {.half = half}));
        write(exr_file(8, 4, light, {.channels = {"A", "B", "G", "R"}, .half = half}));
        write(exr_file(8, 4, light, {.channels = {"Y"}, .half = half}));
    }
}

#ifdef SUBLET_DRACO
// A file that has a mesh by Draco alone.
std::string draco_glb(const scene::testing::DracoKind& kind) {
    using namespace scene::testing;
    const scene::SourceMesh mesh = wavy_patch(2);
    std::string data = draco_data(mesh, kind);
    const std::string length = std::to_string(data.size());
    data.resize((data.size() + 3) / 4 * 4);
    const auto accessor = [](std::size_t count, const std::string& rest) {
        return "{\"count\":" + std::to_string(count) + "," + rest + "}";
    };
    const std::size_t vertices = mesh.positions.size();
    std::string json =
        R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"],"nodes":[{"mesh":0
}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"COLOR_0":1},"indices":2,"extensions":{
"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":7,"COLOR_0":0}}}}]}],"accessors":[)";
    json += accessor(vertices, R"("componentType":5126,"type":"VEC3")") + ",";
    json += accessor(vertices, R"("componentType":5121,"normalized":true,"type":"VEC4")") + ",";
    json += accessor(mesh.indices.size(), R"("componentType":5125,"type":"SCALAR")");
    json +=
        R"(],"bufferViews":[{"buffer":0,"byteLength":)" + length + R"(}],"buffers":[{"byteLength":)" + length + "}]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const auto word = [](std::size_t value) {
        std::string bytes;
        for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xFFU);
        return bytes;
    };
    return "glTF" + word(2) + word(28 + json.size() + data.size()) + word(json.size()) + "JSON" + json +
           word(data.size()) + std::string("BIN\0", 4) + data;
}
#endif

void make_seeds(const fs::path& folder) {
    make_environments(folder / "environment");
    make_images(folder / "image");
    fs::create_directories(folder / "import");
    fs::create_directories(folder / "kept");
    fs::create_directories(folder / "sublet");
    ThreadPool pool(1);
    int number = 0;
    for (const bool rich : {false, true}) {
        for (const int size : {1, 4, 8}) {
            mesh::EncodeOptions options;
            options.position_bits = 8 + size / 2;
            scene::ImportedScene source = make_scene(size, rich);
#ifdef SUBLET_BASISU
            if (size == 4) (void)scene::compress_textures(source.scene, pool, std::uint64_t{1} << 30U);
#endif
            const scene::EncodedScene encoded = scene::encode_scene(std::move(source), options, pool);
            const std::string name = std::to_string(number++);
            scene::write_sublet(folder / "sublet" / (name + ".sublet"), encoded);
            scene::write_sublet(folder / "sublet" / (name + "_plain.sublet"),
                                scene::with_coding(encoded, mesh::Coding::kPlain));
            if (rich) {
                scene::EncodedScene older = encoded;
                const mesh::Geometry posed = mesh::test::with_bone_weights(encoded.geometry);
                older.geometry = posed.view();
                scene::write_sublet(folder / "sublet" / (name + "_older.sublet"), older);
            }
            scene::export_glb(folder / "import" / (name + ".glb"), encoded);
        }
    }
    mesh::EncodeOptions options;
    options.position_bits = 8;
    options.levels = mesh::Levels::kOn;
    const scene::EncodedScene levels = scene::encode_scene(make_scene(18, false), options, pool);
    if (levels.geometry.lod_groups.empty()) throw Error("the seed with levels of detail has none");
    scene::write_sublet(folder / "sublet" / "levels.sublet", levels);
    options.position_bits = mesh::kMostPositionBits;
    scene::write_sublet(folder / "sublet" / "wide.sublet", scene::encode_scene(make_scene(4, false), options, pool));
    for (const char* document : kDocuments) {
        write_file(folder / "import" / (std::to_string(number++) + ".gltf"), std::string_view(document));
    }
#ifdef SUBLET_DRACO
    for (const bool edgebreaker : {false, true}) {
        for (const bool quantized : {false, true}) {
            write_file(folder / "import" / (std::to_string(number++) + ".glb"), draco_glb({edgebreaker, quantized}));
        }
    }
#endif
    for (const char* document : kKept) {
        write_file(folder / "kept" / (std::to_string(number++) + ".json"), std::string_view(document));
    }
}

}  // namespace
}  // namespace sublet

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: make_seeds FOLDER\n";
        return 2;
    }
    try {
        sublet::make_seeds(argv[1]);
    } catch (const sublet::Error& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
