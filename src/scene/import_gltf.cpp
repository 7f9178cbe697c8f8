// import_gltf: a document's default scene, its meshes as triangles.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/count_text.h"
#include "base/path_text.h"
#include "base/progress.h"
#include "mesh/tangents.h"
#include "scene/gltf/animations.h"
#include "scene/gltf/document.h"
#include "scene/gltf/geometry.h"
#include "scene/gltf/materials.h"
#include "scene/gltf/nodes.h"
#include "scene/gltf/variants.h"
#include "scene/import.h"
#include "scene/notes.h"
#include "scene/uv_baking.h"
#include "scene/weld.h"

namespace sublet::scene {

namespace {

using gltf::Document;

// Gives a mesh without tangents those that its material takes, made from the UV stream 0 or 1 that its normal map is
// laid out by, or its anisotropy (mesh/tangents.h). Vertices are split where tangents differ. Returns false, and does
// nothing, where the material takes none (`uv_stream` -1), there is no such stream, or no need.
bool add_tangents(SourceMesh& mesh, int uv_stream, ThreadPool* pool) {
    if (uv_stream < 0 || !mesh.tangents.empty()) return false;
    const auto& uv = uv_stream == 0 ? mesh.uv0 : mesh.uv1;
    if (uv.empty()) return false;
    Progress progress("tangents", mesh.indices.size() / 3, "triangles", mesh::kTangentSteps);
    mesh::TangentMesh made = mesh::make_tangents({mesh.positions, mesh.normals, uv, mesh.indices}, pool, &progress);
    take_vertices(mesh, made.sources);
    mesh.tangents = std::move(made.tangents);
    mesh.indices = std::move(made.indices);
    return true;
}

class GltfReader final : public GroupReader {
  public:
    GltfReader(const std::filesystem::path& path, const ImportOptions& options, ThreadPool* pool)
        : path_(path), document_(path, options.allow_outside), pool_(pool) {
        const std::vector<int> nodes = gltf::read_nodes(document_, result_.scene, options.scene);
        uv_slots_ = gltf::uv_slots_of_materials(document_);
        gltf::read_materials(document_, result_.scene);
        gltf::read_animations(document_, nodes, result_.scene);
        gltf::read_variants(document_, result_.scene);
        claim_groups();
        find_fewest_joints();
        bakes_ = has_enlarging_transforms(result_.scene);
    }

    [[nodiscard]] std::uint64_t triangles() const override { return triangles_; }

    [[nodiscard]] std::uint64_t next_triangles() const override {
        return read_ < meshes_.size() ? meshes_[read_].triangles : 0;
    }

    [[nodiscard]] std::optional<SourceMeshGroup> next(Progress* progress) override {
        if (!bakes_) return read_next(progress);
        if (held_.empty()) {
            while (std::optional<SourceMeshGroup> group = read_next(progress)) {
                result_.groups.push_back(std::move(*group));
            }
            bake_enlarging_transforms(result_);
            held_ = std::exchange(result_.groups, {});
        }
        if (given_ == held_.size()) return std::nullopt;
        return std::move(held_[given_++]);
    }

    [[nodiscard]] ImportedScene finish() override {
        if (has_joints_.empty()) fail_without_groups();
        for (const auto& [mode, meshes] : without_triangles_) {
            document_.note(std::string("glTF primitives that are ") + gltf::mode_name(mode) + " (mode " +
                           std::to_string(mode) + ") are left out, as only triangles are drawn: " + meshes.text());
        }
        number_groups();
        if (tangents_made_ > 0) {
            document_.note("tangents of " + counted(tangents_made_, "mesh", "meshes") +
                           " are made from texture coordinates (MikkTSpace): materials there need them, but the file "
                           "has no TANGENT");
        }
        result_.source = path_text(path_.filename());
        result_.source_bytes = document_.bytes_read();
        result_.notes = clean_notes(document_.notes().take());
        return std::move(result_);
    }

  private:
    // Two glTF primitives of equal geometry are read as the same triangles, but for their material.
    using Geometry = std::tuple<int, int, std::map<std::string, int>, std::vector<std::map<std::string, int>>,
                                std::array<int, 2>, int>;

    [[nodiscard]] gltf::UvSlots slots_of(int material) const {
        if (material < 0) return {};
        gltf::UvSlots slots = uv_slots_[static_cast<std::size_t>(material)];
        const Material& read = result_.scene.materials[static_cast<std::size_t>(material)];
        if (read.normal_texture.texture >= 0) {
            slots.tangents = read.normal_texture.uv_set;
        } else if (read.anisotropy.strength > 0.0F) {
            slots.tangents = read.anisotropy.texture.texture >= 0 ? read.anisotropy.texture.uv_set : 0;
        }
        return slots;
    }

    [[nodiscard]] Geometry geometry_of(const tinygltf::Primitive& source) const {
        const gltf::UvSlots slots = slots_of(source.material);
        return {source.mode, source.indices, source.attributes, source.targets, slots.set, slots.tangents};
    }

    // Which primitives of a glTF mesh are drawn: each but those that repeat one before, geometry, material and all.
    std::vector<std::size_t> distinct_primitives(const tinygltf::Mesh& source) {
        std::set<std::pair<Geometry, int>> known;
        std::vector<std::size_t> distinct;
        for (std::size_t p = 0; p < source.primitives.size(); ++p) {
            const tinygltf::Primitive& primitive = source.primitives[p];
            if (!primitive.extensions.empty() || known.emplace(geometry_of(primitive), primitive.material).second) {
                distinct.push_back(p);
            } else {
                document_.note("glTF primitives that repeat another of their mesh are left out");
            }
        }
        return distinct;
    }

    // A mesh of the document that nodes place: read once, whatever their skins.
    struct PlacedMesh {
        int mesh = 0;
        std::uint64_t triangles = 0;
        int group = -1;  // of the result; -1: none, as nothing of it can be drawn
    };

    // Before any is read: a file that would take too much is refused at once.
    void claim_groups() {
        std::set<int> known;
        for (const Node& node : result_.scene.nodes) {
            if (node.mesh_group < 0 || !known.insert(node.mesh_group).second) continue;
            const auto mesh = static_cast<std::size_t>(node.mesh_group);
            PlacedMesh placed{.mesh = node.mesh_group};
            for (const std::size_t p : distinct_primitives(document_.model().meshes[mesh])) {
                budget_.claim(document_, mesh, p);
                placed.triangles += gltf::primitive_triangles(document_.model(), mesh, p);
            }
            triangles_ += placed.triangles;
            meshes_.push_back(placed);
        }
    }

    std::optional<SourceMeshGroup> read_next(Progress* progress) {
        while (read_ < meshes_.size()) {
            PlacedMesh& placed = meshes_[read_++];
            std::optional<SourceMeshGroup> group = read_group(placed.mesh, progress);
            if (!group) continue;
            placed.group = static_cast<int>(has_joints_.size());
            has_joints_.push_back(std::ranges::any_of(
                group->meshes, [](const SourceMesh& mesh) { return mesh.largest_joint.has_value(); }));
            return group;
        }
        return std::nullopt;
    }

    // Nodes name the document's meshes until here.
    void number_groups() {
        std::map<int, int> groups;
        for (const PlacedMesh& placed : meshes_) groups.emplace(placed.mesh, placed.group);
        for (Node& node : result_.scene.nodes) {
            if (node.mesh_group < 0) {
                node.skin = -1;
                continue;
            }
            node.mesh_group = groups.at(node.mesh_group);
            if (node.mesh_group < 0) node.weights.clear();
            if (node.skin >= 0) check_skin(node);
        }
        drop_idle_weights();
    }

    [[noreturn]] void fail_without_groups() {
        if (failure_) {
            document_.fail(std::string(failure_->field()),
                           std::string(failure_->message()) + "; nothing else in the scene can be drawn");
        }
        if (!unfit_.empty()) {
            document_.fail(unfit_, "is " + std::to_string(unfit_mode_) + " (" + gltf::mode_name(unfit_mode_) +
                                       "): the scene has points and lines alone, and only triangles (modes 4, 5 "
                                       "and 6) are drawn");
        }
        document_.fail("scene", "has no triangles");
    }

    // Of nodes whose mesh can't be drawn.
    void drop_idle_weights() {
        std::vector<Animation>& animations = result_.scene.animations;
        for (Animation& animation : animations) {
            std::erase_if(animation.channels, [&](const AnimationChannel& channel) {
                return channel.path == AnimationPath::kWeights &&
                       result_.scene.nodes[static_cast<std::size_t>(channel.node)].mesh_group < 0;
            });
        }
        std::erase_if(animations, [](const Animation& animation) { return animation.channels.empty(); });
    }

    // What a group says of its morph targets.
    void read_targets(std::size_t mesh, SourceMeshGroup& group) {
        gltf::check_morph_targets(document_, mesh);
        const std::size_t count = gltf::morph_target_count(document_, mesh);
        const std::vector<double>& weights = document_.model().meshes[mesh].weights;
        if (count == 0) {
            if (!weights.empty()) document_.note("weights of meshes without morph targets are ignored");
            return;
        }
        group.weights.assign(weights.begin(), weights.end());
        group.weights.resize(count);
        group.target_names = document_.target_names(mesh);
        group.target_names.resize(count);
        const auto is_empty = [](const std::string& name) { return name.empty(); };
        if (std::ranges::all_of(group.target_names, is_empty)) group.target_names.clear();
    }

    // Of the skins that each mesh is drawn with.
    void find_fewest_joints() {
        for (const Node& node : result_.scene.nodes) {
            if (node.mesh_group < 0 || node.skin < 0) continue;
            const std::size_t joints = result_.scene.skins[static_cast<std::size_t>(node.skin)].joints.size();
            const auto known = fewest_joints_.emplace(node.mesh_group, joints).first;
            known->second = std::min(known->second, joints);
        }
    }

    // Takes the skin of a node away whose mesh has no joints.
    void check_skin(Node& node) {
        const bool has_mesh = node.mesh_group >= 0;
        if (has_mesh && has_joints_[static_cast<std::size_t>(node.mesh_group)]) return;
        if (has_mesh) document_.note("the skin of a mesh without joints is ignored");
        node.skin = -1;
    }

    // Throws Error where a skin does not have all the joints that the mesh names.
    void check_joints(std::size_t index, std::size_t primitive, const SourceMesh& mesh) const {
        const auto skin = fewest_joints_.find(static_cast<int>(index));
        if (!mesh.largest_joint || skin == fewest_joints_.end() || mesh.largest_joint->joint < skin->second) return;
        document_.fail(
            gltf::primitive_field(index, primitive) + ".attributes.JOINTS_" + std::to_string(mesh.largest_joint->set),
            "vertex " + std::to_string(mesh.largest_joint->vertex) + " names joint " +
                std::to_string(mesh.largest_joint->joint) + ", but its skin has " + std::to_string(skin->second));
    }

    // Leaves what can't be read out of the scene, with a note. `what`: "mesh 3 (Wheel)", or a part of it.
    void leave_out(const std::string& what, const Error& why) {
        std::string reason(why.field());
        if (!reason.empty()) reason += ": ";
        document_.notes().add_few("glTF primitives can't be read and are left out",
                                  what + " is left out: " + reason + std::string(why.message()));
        if (!failure_) failure_ = why;
    }

    // Nothing for what is not drawn or can't be read: there is a note of it.
    std::optional<SourceMesh> read_mesh(std::size_t index, std::size_t primitive, Progress* progress) {
        const tinygltf::Mesh& source = document_.model().meshes[index];
        const gltf::UvSlots slots = slots_of(source.primitives[primitive].material);
        try {
            std::optional<SourceMesh> mesh =
                gltf::read_primitive(document_, index, primitive, slots, budget_, progress);
            if (!mesh) return std::nullopt;
            check_joints(index, primitive, *mesh);
            if (add_tangents(*mesh, slots.tangents, pool_)) ++tangents_made_;
            return mesh;
        } catch (const OutsideFolder&) {
            throw;  // a file that reaches for others is refused as a whole
        } catch (const Error& error) {
            std::string what = numbered_name("mesh", index, source.name);
            if (source.primitives.size() > 1) what = "glTF primitive " + std::to_string(primitive) + " of " + what;
            leave_out(what, error);
            return std::nullopt;
        }
    }

    // Nothing where nothing of it can be drawn.
    std::optional<SourceMeshGroup> read_group(int index, Progress* progress) {
        const auto number = static_cast<std::size_t>(index);
        const tinygltf::Mesh& source = document_.model().meshes[number];
        const auto skip = [&](std::size_t p) {
            if (progress != nullptr) progress->advance(gltf::primitive_triangles(document_.model(), number, p));
        };
        SourceMeshGroup group;
        group.name = source.name;
        try {
            read_targets(number, group);
        } catch (const Error& error) {
            leave_out(numbered_name("mesh", number, source.name), error);
            for (const std::size_t p : distinct_primitives(source)) skip(p);
            return std::nullopt;
        }
        std::set<int> modes;                   // that are no triangles'
        std::map<Geometry, std::size_t> read;  // the group's mesh that has it
        for (const std::size_t p : distinct_primitives(source)) {
            const int material = source.primitives[p].material;
            const Geometry geometry = geometry_of(source.primitives[p]);
            std::optional<SourceMesh> mesh;
            if (const auto same = read.find(geometry); same != read.end() && source.primitives[p].extensions.empty()) {
                mesh = group.meshes[same->second];
                skip(p);
            } else {
                mesh = read_mesh(number, p, progress);
            }
            if (!mesh) {
                const int mode = source.primitives[p].mode;
                if (mode < 0 || mode >= TINYGLTF_MODE_TRIANGLES) continue;
                if (modes.insert(mode).second) {
                    without_triangles_[mode].add(numbered_name("mesh", number, source.name));
                }
                if (unfit_.empty()) {
                    unfit_mode_ = mode;
                    unfit_ = gltf::primitive_field(number, p) + ".mode";
                }
                continue;
            }
            mesh->material = material < 0 ? default_material() : static_cast<std::uint32_t>(material);
            mesh->variants = variant_reader_.read(document_, number, p);
            note_other_uv_sets(material, mesh->variants);
            read.emplace(geometry, group.meshes.size());
            group.meshes.push_back(std::move(*mesh));
        }
        if (group.meshes.empty()) return std::nullopt;
        return group;
    }

    // The vertices of a mesh carry the UV sets that its own material names.
    void note_other_uv_sets(int material, const std::vector<VariantMaterial>& variants) {
        for (const VariantMaterial& other : variants) {
            if (uv_slots_[other.material].set == slots_of(material).set) continue;
            document_.note(
                "KHR_materials_variants: materials that name other UV sets than their mesh's own are kept, "
                "but read that one's sets");
        }
    }

    std::uint32_t default_material() {
        if (default_material_ < 0) {
            default_material_ = static_cast<int>(result_.scene.materials.size());
            Material material;
            material.name = "default";
            result_.scene.materials.push_back(std::move(material));
        }
        return static_cast<std::uint32_t>(default_material_);
    }

    std::filesystem::path path_;
    Document document_;
    ThreadPool* pool_;
    ImportedScene result_;
    std::vector<gltf::UvSlots> uv_slots_;
    gltf::VariantReader variant_reader_;
    gltf::GeometryBudget budget_;
    std::map<int, std::size_t> fewest_joints_;  // of the skins of each of the document's meshes
    std::vector<bool> has_joints_;              // for each group of the result
    std::vector<PlacedMesh> meshes_;            // in the order of the groups
    std::uint64_t triangles_ = 0;               // of all of them
    std::size_t read_ = 0;                      // meshes
    bool bakes_ = false;                        // all groups at a time, which are held then
    std::vector<SourceMeshGroup> held_;
    std::size_t given_ = 0;  // of these
    int default_material_ = -1;
    std::uint64_t tangents_made_ = 0;            // meshes
    std::optional<Error> failure_;               // why the first that can't be read can't
    std::map<int, NameList> without_triangles_;  // meshes with points and lines, by mode
    std::string unfit_;                          // the first glTF primitive that is not made of triangles
    int unfit_mode_ = -1;
};

}  // namespace

std::unique_ptr<GroupReader> read_gltf(const std::filesystem::path& path, const ImportOptions& options,
                                       ThreadPool* pool) {
    return std::make_unique<GltfReader>(path, options, pool);
}

ImportedScene import_gltf(const std::filesystem::path& path, const ImportOptions& options, ThreadPool* pool) {
    GltfReader reader(path, options, pool);
    std::vector<SourceMeshGroup> groups;
    while (std::optional<SourceMeshGroup> group = reader.next(nullptr)) groups.push_back(std::move(*group));
    ImportedScene imported = reader.finish();
    imported.groups = std::move(groups);
    return imported;
}

}  // namespace sublet::scene
