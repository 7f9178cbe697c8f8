#include "scene/gltf_summary.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "scene/gltf/animations.h"
#include "scene/gltf/document.h"
#include "scene/gltf/extensions.h"
#include "scene/gltf/materials.h"
#include "scene/gltf/nodes.h"
#include "scene/gltf/variants.h"
#include "scene/notes.h"

namespace sublet::scene {
namespace {

using gltf::Document;

// Counts of a hostile file are as large as it likes.
void add(std::uint64_t& sum, std::uint64_t count) {
    sum += std::min(count, std::numeric_limits<std::uint64_t>::max() - sum);
}

bool is_drawn(const tinygltf::Primitive& primitive) {
    return primitive.mode >= TINYGLTF_MODE_TRIANGLES;
}

std::uint64_t triangle_count(int mode, std::uint64_t indices) {
    return mode == TINYGLTF_MODE_TRIANGLES ? indices / 3 : indices < 3 ? 0 : indices - 2;
}

GltfSummary::Mesh summarize_mesh(const Document& document, std::size_t index) {
    const tinygltf::Model& model = document.model();
    const tinygltf::Mesh& source = model.meshes[index];
    const auto count_of = [&](int accessor) {
        return std::uint64_t{model.accessors[static_cast<std::size_t>(accessor)].count};
    };
    GltfSummary::Mesh mesh;
    mesh.name = source.name;
    mesh.primitives = source.primitives.size();
    std::set<int> positions;
    for (const tinygltf::Primitive& primitive : source.primitives) {
        mesh.undrawn_primitives += is_drawn(primitive) ? 0 : 1;
        const auto position = primitive.attributes.find("POSITION");
        if (position == primitive.attributes.end()) continue;
        if (positions.insert(position->second).second) add(mesh.vertices, count_of(position->second));
        if (!is_drawn(primitive)) continue;
        const int counted = primitive.indices >= 0 ? primitive.indices : position->second;
        add(mesh.triangles, triangle_count(primitive.mode, count_of(counted)));
        mesh.target_names.resize(std::max(mesh.target_names.size(), primitive.targets.size()));
    }
    const std::vector<std::string>& names = document.target_names(index);
    std::copy_n(names.begin(), std::min(names.size(), mesh.target_names.size()), mesh.target_names.begin());
    return mesh;
}

std::vector<GltfSummary::ExtensionOfFile> summarize_extensions(const tinygltf::Model& model) {
    std::map<std::string, bool> required;  // by name
    for (const std::string& name : model.extensionsUsed) required[name] = false;
    for (const std::string& name : model.extensionsRequired) required[name] = true;
    std::vector<GltfSummary::ExtensionOfFile> extensions;
    for (const auto& [name, is_required] : required) {
        const bool refused = is_required && gltf::find_extension(name) == nullptr;
        extensions.push_back({name, is_required,
                              refused ? "the file requires it, and it is not supported: the file can't be drawn"
                                      : gltf::extension_note(name)});
    }
    return extensions;
}

}  // namespace

std::uint64_t GltfSummary::triangles() const {
    std::uint64_t sum = 0;
    for (const Mesh& mesh : meshes) add(sum, mesh.triangles);
    return sum;
}

std::uint64_t GltfSummary::vertices() const {
    std::uint64_t sum = 0;
    for (const Mesh& mesh : meshes) add(sum, mesh.vertices);
    return sum;
}

std::uint64_t GltfSummary::primitives() const {
    std::uint64_t sum = 0;
    for (const Mesh& mesh : meshes) sum += mesh.primitives;
    return sum;
}

std::uint64_t GltfSummary::instances() const {
    const std::vector<char> drawable = drawable_nodes(scene);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].mesh_group < 0 || drawable[i] == 0) continue;
        const Mesh& mesh = meshes[static_cast<std::size_t>(scene.nodes[i].mesh_group)];
        sum += mesh.primitives - mesh.undrawn_primitives;
    }
    return sum;
}

GltfSummary summarize_gltf(const std::filesystem::path& path, const ImportOptions& options) {
    Document document(path, options.allow_outside, Document::Required::kMayBeUnknown);
    const tinygltf::Model& model = document.model();
    GltfSummary summary;
    summary.binary = document.is_binary();
    summary.version = model.asset.version;
    summary.generator = model.asset.generator;
    for (const tinygltf::Scene& scene : model.scenes) summary.scenes.push_back({scene.name, scene.nodes.size()});
    if (!model.scenes.empty()) summary.drawn_scene = std::max(model.defaultScene, 0);
    for (std::size_t i = 0; i < model.meshes.size(); ++i) summary.meshes.push_back(summarize_mesh(document, i));
    for (const tinygltf::Skin& skin : model.skins) summary.skins.push_back({skin.name, skin.joints.size()});
    summary.extensions = summarize_extensions(model);

    const std::vector<int> nodes = gltf::read_nodes(document, summary.scene, {});
    gltf::read_materials(document, summary.scene);
    gltf::read_animations(document, nodes, summary.scene);
    gltf::read_variants(document, summary.scene);
    for (const Node& node : summary.scene.nodes) {
        if (node.mesh_group >= 0) ++summary.meshes[static_cast<std::size_t>(node.mesh_group)].nodes;
    }
    summary.bytes = document.bytes_read();
    summary.notes = clean_notes(document.notes().take());
    return summary;
}

}  // namespace sublet::scene
