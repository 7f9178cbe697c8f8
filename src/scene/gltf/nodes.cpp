#include "scene/gltf/nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/gtc/type_ptr.hpp>

#include "base/number_text.h"
#include "scene/gltf/accessor.h"
#include "scene/gltf/geometry.h"

namespace sublet::scene::gltf {
namespace {

std::string node_field(std::size_t index) {
    return "nodes[" + std::to_string(index) + "]";
}

float as_float(double value) {
    return static_cast<float>(value);
}

glm::vec3 vec3_of(const std::vector<double>& v) {
    return {as_float(v[0]), as_float(v[1]), as_float(v[2])};
}

glm::quat unit_quaternion(glm::quat q) {
    const float length = glm::length(q);
    if (!(length > 0.0F) || !std::isfinite(length)) return {1.0F, 0.0F, 0.0F, 0.0F};
    // A unit quaternion keeps its bits.
    return std::abs(length - 1.0F) > 1e-5F ? q / length : q;
}

bool is_finite(const glm::mat4& matrix) {
    const float* const elements = glm::value_ptr(matrix);
    return std::all_of(elements, elements + 16, [](float e) { return std::isfinite(e); });
}

class GraphReader {
  public:
    GraphReader(Document& document, Scene& scene, std::string_view wanted)
        : document_(document),
          model_(document.model()),
          scene_(scene),
          wanted_(wanted),
          new_index_(model_.nodes.size(), -1) {}

    void read() {
        find_parents();
        order_parents_first();
        const std::vector<int> roots = scene_roots();
        add_reachable(roots, true);
        add_joints();
        add_instances();
        check_transforms();
        note_blind_cameras();
    }

    // The scene's index of a node of the document, -1 when it is not part of the scene.
    [[nodiscard]] int new_index(int node) const { return node < 0 ? -1 : new_index_[static_cast<std::size_t>(node)]; }

    // Of all nodes of the document.
    [[nodiscard]] const std::vector<int>& new_indices() const { return new_index_; }

    // Transforms of the scene's nodes.
    [[nodiscard]] const std::vector<glm::mat4>& world() const { return world_; }

  private:
    void find_parents() {
        parents_.assign(model_.nodes.size(), -1);
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            for (std::size_t c = 0; c < model_.nodes[i].children.size(); ++c) {
                const int child = model_.nodes[i].children[c];
                int& parent = parents_[static_cast<std::size_t>(child)];
                if (parent >= 0) {
                    document_.fail(node_field(i) + ".children[" + std::to_string(c) + "]",
                                   "is node " + std::to_string(child) + ", which is a child of node " +
                                       std::to_string(parent) + " already");
                }
                parent = static_cast<int>(i);
            }
        }
    }

    // With one parent at most for each node, what no root reaches goes round in a circle.
    void order_parents_first() {
        for (std::size_t i = 0; i < parents_.size(); ++i) {
            if (parents_[i] < 0) parents_first_.push_back(static_cast<int>(i));
        }
        for (std::size_t next = 0; next < parents_first_.size(); ++next) {
            const std::vector<int>& children = model_.nodes[static_cast<std::size_t>(parents_first_[next])].children;
            parents_first_.insert(parents_first_.end(), children.begin(), children.end());
        }
        if (parents_first_.size() == parents_.size()) return;
        std::vector<char> reached(parents_.size(), 0);
        for (const int node : parents_first_) reached[static_cast<std::size_t>(node)] = 1;
        const auto lost = static_cast<std::size_t>(std::ranges::find(reached, 0) - reached.begin());
        document_.fail(node_field(lost) + ".children", "the node is its own descendant (a cycle)");
    }

    std::vector<int> scene_roots() {
        const FileScenes all = scenes_of(document_);
        const std::optional<std::size_t> found = all.find(wanted_);
        if (!found && !wanted_.empty()) document_.fail("scenes", all.refusal(wanted_));
        if (!found) {
            std::vector<int> roots;
            for (std::size_t i = 0; i < parents_.size(); ++i) {
                if (parents_[i] < 0) roots.push_back(static_cast<int>(i));
            }
            return roots;
        }
        const tinygltf::Scene& scene = model_.scenes[*found];
        scene_.name = scene.name;
        if (model_.scenes.size() > 1) {
            document_.note("of " + std::to_string(model_.scenes.size()) + " scenes, " +
                           numbered_name("scene", *found, scene.name) + " is read (--scene)");
        }
        return graph_roots(scene.nodes, "scenes[" + std::to_string(*found) + "].nodes");
    }

    // What a scene lists, as roots of its graph. Exporters list nodes twice, and children of other nodes. A child whose
    // parent the scene has as well hangs there, as its `children` say. One whose parent the scene does not have is a
    // root: what a scene holds is found by walking down from its list, which never meets that parent.
    std::vector<int> graph_roots(const std::vector<int>& list, const std::string& field) {
        std::vector<char> listed(parents_.size(), 0);
        for (const int node : list) listed[static_cast<std::size_t>(node)] = 1;
        std::vector<char> below(parents_.size(), 0);  // some node that is listed
        for (const int node : parents_first_) {
            const int parent = parents_[static_cast<std::size_t>(node)];
            if (parent < 0) continue;
            const auto at = static_cast<std::size_t>(parent);
            below[static_cast<std::size_t>(node)] = static_cast<char>(listed[at] | below[at]);
        }
        std::vector<int> roots;
        int twice = -1;
        int inner = -1;
        int torn = -1;
        const auto first = [](int& of, int node) { of = of < 0 ? node : of; };
        for (const int node : list) {
            const auto at = static_cast<std::size_t>(node);
            if (listed[at] == 0) {  // taken below
                first(twice, node);
                continue;
            }
            listed[at] = 0;
            if (below[at] != 0) {
                first(inner, node);
            } else {
                if (parents_[at] >= 0) first(torn, node);
                roots.push_back(node);
            }
        }
        const auto note = [&](int node, const char* what) {
            if (node >= 0) document_.note(field + " names " + what + " (first node " + std::to_string(node) + ")");
        };
        note(twice, "nodes twice: each is drawn once");
        note(inner, "children of nodes that it has already: each is drawn once, with its parent");
        note(torn, "children of nodes that are not in the scene: each is drawn without its parent's transform");
        return roots;
    }

    void add_reachable(const std::vector<int>& roots, bool drawn) {
        // Depth first, children in order: the order in which a recursion would visit them.
        std::vector<int> stack(roots.rbegin(), roots.rend());
        while (!stack.empty()) {
            const int node = stack.back();
            stack.pop_back();
            add_node(node, drawn);
            const std::vector<int>& children = model_.nodes[static_cast<std::size_t>(node)].children;
            stack.insert(stack.end(), children.rbegin(), children.rend());
        }
    }

    void add_node(int index, bool drawn) {
        const tinygltf::Node& source = model_.nodes[static_cast<std::size_t>(index)];
        Node node;
        node.name = source.name;
        node.parent = new_index(parents_[static_cast<std::size_t>(index)]);
        if (!source.matrix.empty()) {
            node.has_matrix = true;
            for (int i = 0; i < 16; ++i)
                node.matrix[i / 4][i % 4] = as_float(source.matrix[static_cast<std::size_t>(i)]);
            if (node.matrix[0][3] != 0 || node.matrix[1][3] != 0 || node.matrix[2][3] != 0 || node.matrix[3][3] != 1) {
                document_.fail(node_field(static_cast<std::size_t>(index)) + ".matrix",
                               "is not affine: its last row must be 0, 0, 0, 1");
            }
        } else {
            if (!source.translation.empty()) node.translation = vec3_of(source.translation);
            if (!source.rotation.empty()) {
                node.rotation = unit_quaternion({as_float(source.rotation[3]), as_float(source.rotation[0]),
                                                 as_float(source.rotation[1]), as_float(source.rotation[2])});
            }
            if (!source.scale.empty()) node.scale = vec3_of(source.scale);
        }
        const auto visibility = source.extensions.find("KHR_node_visibility");
        if (visibility != source.extensions.end() && visibility->second.Has("visible")) {
            node.visible = visibility->second.Get("visible").Get<bool>();
        }
        if (drawn) {
            node.mesh_group = source.mesh;
            node.skin = source.mesh >= 0 ? source.skin : -1;
            read_weights(static_cast<std::size_t>(index), node);
            node.camera = source.camera;
            node.light = source.light;
        }
        new_index_[static_cast<std::size_t>(index)] = static_cast<int>(scene_.nodes.size());
        scene_.nodes.push_back(std::move(node));
    }

    void read_weights(std::size_t index, Node& node) {
        const std::vector<double>& weights = model_.nodes[index].weights;
        if (weights.empty()) return;
        const std::size_t targets =
            node.mesh_group < 0 ? 0 : morph_target_count(document_, static_cast<std::size_t>(node.mesh_group));
        if (targets == 0) return document_.note("weights of nodes without morph targets are ignored");
        if (weights.size() != targets) {
            return document_.notes().add_few("nodes have weights for other numbers of morph targets",
                                             node_field(index) + ".weights has " + std::to_string(weights.size()) +
                                                 " numbers, but the mesh has " + std::to_string(targets) +
                                                 " morph targets: the mesh's own weights are used");
        }
        for (const double weight : weights) node.weights.push_back(as_float(weight));
    }

    // Joints pose a skin even when they belong to no scene: brings them in with their ancestors, not drawn.
    void add_joints() {
        std::vector<char> used(model_.skins.size(), 0);
        for (const Node& node : scene_.nodes) {
            if (node.skin >= 0) used[static_cast<std::size_t>(node.skin)] = 1;
        }
        for (std::size_t s = 0; s < model_.skins.size(); ++s) {
            if (used[s] == 0) continue;
            for (const int joint : model_.skins[s].joints) {
                std::vector<int> chain;
                for (int node = joint; node >= 0 && new_index(node) < 0;
                     node = parents_[static_cast<std::size_t>(node)]) {
                    chain.push_back(node);
                }
                for (auto node = chain.rbegin(); node != chain.rend(); ++node) add_node(*node, false);
            }
        }
    }

    void add_instances() {
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            const tinygltf::Node& source = model_.nodes[i];
            const auto extension = source.extensions.find("EXT_mesh_gpu_instancing");
            if (extension == source.extensions.end() || new_index_[i] < 0) continue;
            const std::size_t parent = static_cast<std::size_t>(new_index_[i]);
            if (scene_.nodes[parent].mesh_group < 0) continue;
            if (scene_.nodes[parent].skin >= 0) {
                document_.note("EXT_mesh_gpu_instancing on a skinned mesh is ignored");
                continue;
            }
            expand(i, parent, extension->second.Get("attributes"));
        }
    }

    void expand(std::size_t index, std::size_t parent, const tinygltf::Value& attributes) {
        const std::string field = node_field(index) + ".extensions.EXT_mesh_gpu_instancing.attributes";
        std::optional<std::size_t> count;
        const auto open = [&](const char* name, int components) -> std::optional<AccessorView> {
            if (!attributes.Has(name)) return std::nullopt;
            AccessorView view = open_accessor(document_, attributes.Get(name).GetNumberAsInt());
            if (view.components != components) {
                document_.fail(field + "." + name, "must have " + std::to_string(components) + " components");
            }
            if (count && *count != view.count) {
                document_.fail(field + "." + name, "has " + std::to_string(view.count) + " elements, another has " +
                                                       std::to_string(*count));
            }
            count = view.count;
            return view;
        };
        const auto translations = open("TRANSLATION", 3);
        const auto rotations = open("ROTATION", 4);
        const auto scales = open("SCALE", 3);
        if (!count) {
            document_.note("EXT_mesh_gpu_instancing without TRANSLATION, ROTATION or SCALE is ignored");
            return;
        }
        instances_ += *count;
        // Nodes may share their accessors: the size of the file alone bounds nothing.
        if (instances_ > document_.bytes_read()) {
            document_.fail(field, "the file has more instances than bytes");
        }
        std::vector<std::array<float, 3>> t;
        std::vector<std::array<float, 4>> r;
        std::vector<std::array<float, 3>> s;
        if (translations) t = read_vectors<3>(*translations);
        if (rotations) r = read_vectors<4>(*rotations);
        if (scales) s = read_vectors<3>(*scales);
        const Node base = scene_.nodes[parent];
        scene_.nodes[parent].mesh_group = -1;
        scene_.nodes[parent].weights.clear();
        for (std::size_t i = 0; i < *count; ++i) {
            Node node;
            node.name = base.name;
            node.parent = static_cast<int>(parent);
            node.mesh_group = base.mesh_group;
            node.weights = base.weights;
            if (translations) node.translation = {t[i][0], t[i][1], t[i][2]};
            if (rotations) node.rotation = unit_quaternion({r[i][3], r[i][0], r[i][1], r[i][2]});
            if (scales) node.scale = {s[i][0], s[i][1], s[i][2]};
            scene_.nodes.push_back(std::move(node));
        }
    }

    // The scene's own order differs from the document's: names the node that became this one.
    [[nodiscard]] std::string field_of(std::size_t index) const {
        const auto found = std::ranges::find(new_index_, static_cast<int>(index));
        return node_field(found == new_index_.end() ? index : static_cast<std::size_t>(found - new_index_.begin()));
    }

    void check_transforms() {
        world_ = world_transforms(scene_);
        for (std::size_t i = 0; i < world_.size(); ++i) {
            if (is_finite(world_[i])) continue;
            document_.fail(field_of(i), "its transform in the world is beyond single precision");
        }
    }

    void note_blind_cameras() {
        for (std::size_t i = 0; i < world_.size(); ++i) {
            if (scene_.nodes[i].camera < 0 || glm::length(glm::dvec3(world_[i][2])) > 0.0) continue;
            document_.note(field_of(i) + ": its camera is not used: a scale of 0 leaves it no direction to look in");
        }
    }

    Document& document_;
    const tinygltf::Model& model_;
    Scene& scene_;
    std::string_view wanted_;
    std::vector<int> new_index_;
    std::vector<int> parents_;
    std::vector<int> parents_first_;  // all nodes, each after its parent
    std::vector<glm::mat4> world_;
    std::uint64_t instances_ = 0;
};

void read_skins(Document& document, const GraphReader& graph, Scene& scene) {
    const tinygltf::Model& model = document.model();
    std::vector<int> new_skin(model.skins.size(), -1);
    const std::vector<glm::mat4>& world = graph.world();
    for (Node& node : scene.nodes) {
        if (node.skin < 0) continue;
        const auto index = static_cast<std::size_t>(node.skin);
        int& known = new_skin[index];
        if (known < 0) {
            const tinygltf::Skin& source = model.skins[index];
            const std::string field = "skins[" + std::to_string(index) + "]";
            if (source.joints.empty()) document.fail(field + ".joints", "is empty");
            Skin skin;
            skin.name = source.name;
            skin.skeleton = graph.new_index(source.skeleton);
            for (const int joint : source.joints) skin.joints.push_back(graph.new_index(joint));
            skin.inverse_bind.resize(skin.joints.size(), glm::mat4{1.0F});
            if (source.inverseBindMatrices >= 0) {
                const AccessorView matrices = open_accessor(document, source.inverseBindMatrices);
                if (matrices.components != 16 || matrices.component_type != TINYGLTF_COMPONENT_TYPE_FLOAT) {
                    document.fail(field + ".inverseBindMatrices", "must be MAT4 of floats");
                }
                if (matrices.count < skin.joints.size()) {
                    document.fail(field + ".inverseBindMatrices", "has " + std::to_string(matrices.count) +
                                                                      " matrices for " +
                                                                      std::to_string(skin.joints.size()) + " joints");
                }
                AccessorView wanted = matrices;
                wanted.count = skin.joints.size();
                std::vector<float> floats(wanted.count * 16);
                read_floats(wanted, 16, {}, 0.0F, floats.data());
                if (!std::ranges::all_of(floats, [](float f) { return std::isfinite(f); })) {
                    document.fail(field + ".inverseBindMatrices", "holds a value that is not finite");
                }
                for (std::size_t j = 0; j < skin.joints.size(); ++j) {
                    skin.inverse_bind[j] = glm::make_mat4(floats.data() + j * 16);
                }
            }
            for (std::size_t j = 0; j < skin.joints.size(); ++j) {
                if (glm::determinant(glm::dmat3(skin.inverse_bind[j])) == 0.0) {
                    document.note("an inverse bind matrix of a skin has no inverse; it is used as it is");
                }
                if (!is_finite(world[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_bind[j])) {
                    document.fail(field + ".inverseBindMatrices", "element " + std::to_string(j) +
                                                                      " takes what its joint moves beyond single "
                                                                      "precision");
                }
            }
            known = static_cast<int>(scene.skins.size());
            scene.skins.push_back(std::move(skin));
        }
        node.skin = known;
    }
}

// A distance that a camera can have, in the units of any scene.
bool is_distance(double value) {
    return value > 1e-12 && value < 1e12;
}

float read_near_plane(Document& document, double value, bool orthographic, const std::string& field) {
    if (is_distance(value)) return as_float(value);
    if (!orthographic || value != 0.0) {
        document.note(field + ".znear is " + number_text(value) + "; a near plane that fits the scene is used");
    }
    return 0.0F;
}

// Half the height of what an orthographic camera shows. Its width follows from the picture's shape.
float read_half_height(Document& document, const tinygltf::OrthographicCamera& source, const std::string& field) {
    const std::array sizes{std::abs(source.ymag), std::abs(source.xmag), 1.0};
    const double size = *std::ranges::find_if(sizes, is_distance);
    if (size != source.ymag) {
        document.note(field + ".ymag is " + number_text(source.ymag) + "; " + number_text(size) + " is used");
    }
    if (!is_distance(source.xmag)) {
        document.note(field + ".xmag is " + number_text(source.xmag) + "; the width follows from the picture's shape");
    }
    return as_float(size);
}

float read_vertical_fov(Document& document, double value, const std::string& field) {
    constexpr double kMost = 3.14159;  // a little less than pi, and so in floats and in degrees
    const float fov = as_float(value);
    if (fov > 0.0F && value < kMost) return fov;
    document.note(field + ".yfov is " + number_text(value) + ", not between 0 and pi; 45 degrees are used");
    return Camera{}.vertical_fov;
}

void read_cameras(Document& document, Scene& scene) {
    for (const tinygltf::Camera& source : document.model().cameras) {
        std::string field = "cameras[" + std::to_string(scene.cameras.size()) + "]";
        Camera camera;
        camera.name = source.name;
        camera.orthographic = source.type == "orthographic";
        if (camera.orthographic) {
            field += ".orthographic";
            camera.half_height = read_half_height(document, source.orthographic, field);
            camera.near_plane = read_near_plane(document, source.orthographic.znear, true, field);
        } else {
            field += ".perspective";
            camera.vertical_fov = read_vertical_fov(document, source.perspective.yfov, field);
            camera.near_plane = read_near_plane(document, source.perspective.znear, false, field);
        }
        scene.cameras.push_back(std::move(camera));
    }
}

void read_lights(Document& document, Scene& scene) {
    for (const tinygltf::Light& source : document.model().lights) {
        const std::string field = "extensions.KHR_lights_punctual.lights[" + std::to_string(scene.lights.size()) + "]";
        Light light;
        light.name = source.name;
        if (source.type == "directional") {
            light.type = LightType::kDirectional;
        } else if (source.type == "spot") {
            light.type = LightType::kSpot;
        } else if (source.type != "point") {
            document.fail(field + ".type", "\"" + source.type.substr(0, 40) + "\" is not directional, point or spot");
        }
        if (source.color.size() == 3) light.color = vec3_of(source.color);
        light.intensity = as_float(source.intensity);
        light.range = as_float(source.range);
        light.inner_cone = as_float(source.spot.innerConeAngle);
        light.outer_cone = as_float(source.spot.outerConeAngle);
        scene.lights.push_back(std::move(light));
    }
}

}  // namespace

FileScenes scenes_of(const Document& document) {
    FileScenes out;
    for (const tinygltf::Scene& scene : document.model().scenes) out.names.push_back(scene.name);
    out.usual = static_cast<std::size_t>(std::max(document.model().defaultScene, 0));
    return out;
}

std::vector<int> read_nodes(Document& document, Scene& scene, std::string_view wanted) {
    GraphReader graph(document, scene, wanted);
    graph.read();
    read_skins(document, graph, scene);
    read_cameras(document, scene);
    read_lights(document, scene);
    return graph.new_indices();
}

}  // namespace sublet::scene::gltf
