#include "scene/gltf/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/number_text.h"
#include "base/progress.h"
#include "mesh/grid.h"
#include "mesh/morphs.h"
#include "scene/gltf/accessor.h"
#include "scene/gltf/draco.h"
#include "scene/gltf/normals.h"
#include "scene/optional_libraries.h"
#include "scene/weld.h"

namespace sublet::scene::gltf {
namespace {

constexpr float kLeastWeights = 1e-12F;  // a sum of weights that counts
constexpr double kWeightSlack = 1e-3;    // from 1: what writers that round leave of one

// As its elements lie packed; of types that are not known, any number.
std::uint64_t accessor_bytes(const tinygltf::Model& model, int index) {
    const tinygltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
    const int component = tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(accessor.componentType));
    const int components = tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type));
    return accessor.count * static_cast<std::uint64_t>(std::max(component, 1) * std::max(components, 1));
}

// Of all accessors that it names.
std::uint64_t primitive_bytes(const tinygltf::Model& model, const tinygltf::Primitive& source) {
    std::uint64_t bytes = source.indices >= 0 ? accessor_bytes(model, source.indices) : 0;
    for (const auto& [name, accessor] : source.attributes) bytes += accessor_bytes(model, accessor);
    for (const auto& target : source.targets) {
        for (const auto& [name, accessor] : target) bytes += accessor_bytes(model, accessor);
    }
    return bytes;
}

// Reads one glTF primitive; holds what its steps share.
class MeshReader {
  public:
    MeshReader(Document& document, std::size_t mesh, std::size_t primitive, GeometryBudget& budget, Progress* progress)
        : document_(document),
          source_(document.model().meshes[mesh].primitives[primitive]),
          budget_(budget),
          progress_(progress),
          triangles_(primitive_triangles(document.model(), mesh, primitive)),
          steps_(primitive_bytes(document.model(), source_) * kSteps),
          steps_left_(steps_),
          field_(primitive_field(mesh, primitive)) {}

    std::optional<SourceMesh> read(const UvSlots& uv_slots) {
        try {
            std::optional<SourceMesh> out = read_all(uv_slots);
            finish_progress();
            return out;
        } catch (const Error&) {
            finish_progress();
            throw;
        }
    }

  private:
    // What will be welded takes most of its time there.
    [[nodiscard]] bool welds() const { return source_.indices < 0 || source_.attributes.count("NORMAL") == 0; }

    // What reading and, each for so many bytes, welding take.
    static constexpr std::uint64_t kSteps = 4;

    // So many bytes have been read, or been taken a step further.
    void advance(std::uint64_t bytes) {
        steps_left_ -= std::min(steps_left_, bytes);
        const double left = steps_ == 0 ? 0.0 : static_cast<double>(steps_left_) / static_cast<double>(steps_);
        tell(triangles_ - static_cast<std::uint64_t>(left * static_cast<double>(triangles_)));
    }
    void advance(const AccessorView& accessor) {
        advance(accessor_bytes(document_.model(), accessor.index) * (welds() ? 1 : kSteps));
    }
    void finish_progress() { tell(triangles_); }
    // The progress is that of so many triangles.
    void tell(std::uint64_t triangles) {
        if (progress_ != nullptr) progress_->advance(triangles - std::exchange(told_, triangles));
    }

    std::optional<SourceMesh> read_all(const UvSlots& uv_slots) {
        if (source_.mode < 0 || source_.mode > TINYGLTF_MODE_TRIANGLE_FAN) {
            document_.fail(field_ + ".mode", "is " + std::to_string(source_.mode) + "; glTF has 0 to 6");
        }
        if (source_.mode < TINYGLTF_MODE_TRIANGLES) return std::nullopt;
        const auto position = source_.attributes.find("POSITION");
        if (position == source_.attributes.end()) {
            document_.note("glTF primitives without POSITION are left out");
            return std::nullopt;
        }
        read_draco();
        const AccessorView positions = open_attribute("POSITION", position->second);
        if (positions.components != 3) document_.fail(positions.field() + ".type", "must be VEC3 for POSITION");
        vertex_count_ = positions.count;
        read_indices();
        if (mesh_.indices.empty()) {
            document_.note("glTF primitives without a single triangle are left out");
            return std::nullopt;
        }
        select_vertices();

        mesh_.positions = read_vectors<3>(positions, selection_);
        check_numbers(mesh_.positions, "POSITION");
        advance(positions);
        read_attributes(uv_slots);
        for (std::size_t t = 0; t < source_.targets.size(); ++t) read_target(t);
        finish();
        return std::move(mesh_);
    }

    // Decodes what Draco's data hold of the glTF primitive.
    void read_draco() {
        const auto extension = source_.extensions.find(kDracoExtension);
        if (extension == source_.extensions.end()) return;
        if (!kDraco.present) return check_uncompressed();
        const tinygltf::Value& ids = extension->second.Get("attributes");
        std::vector<std::string> names;
        std::vector<DracoAttribute> attributes;
        for (const auto& [name, accessor] : source_.attributes) {
            if (!ids.Has(name)) continue;
            const AccessorView view = describe_accessor(document_, accessor);
            if (view.components > 4) document_.fail(view.field() + ".type", "must be a scalar or a vector here");
            attributes.push_back(
                {static_cast<std::uint32_t>(ids.Get(name).GetNumberAsInt()), view.components, view.component_type, {}});
            names.push_back(name);
        }
        DracoTriangles triangles;
        const std::uint64_t elements = 3 * (1 + source_.targets.size());  // of each
        triangles.most = budget_.left(document_) / elements;
        const std::span<const std::byte> data =
            document_.buffer_view(extension->second.Get("bufferView").GetNumberAsInt());
        try {
            decode_draco(data, triangles, attributes);
        } catch (const Error& error) {
            budget_.claim(std::min(triangles.named, triangles.most) * elements);  // it took its time
            document_.fail(draco_field(), error.what());
        }
        budget_.claim(triangles.named * elements);
        note_draco_size(triangles);
        draco_indices_ = std::move(triangles.indices);
        for (std::size_t i = 0; i < names.size(); ++i) draco_values_[names[i]] = std::move(attributes[i].values);
    }

    // What is compressed counts: writers change it and leave their accessors as they were.
    void note_draco_size(const DracoTriangles& triangles) {
        const auto differs = [&](std::uint64_t count, std::string_view of, std::uint64_t told) {
            if (count == told) return;
            document_.notes().add_few("glTF primitives have other counts in Draco's data than in their accessors",
                                      draco_field() + ": has " + std::to_string(count) + ' ' + std::string(of) +
                                          " where the accessors say " + std::to_string(told) + ": it is read as it is");
        };
        const auto count_of = [&](int accessor) {
            return std::uint64_t{document_.model().accessors[static_cast<std::size_t>(accessor)].count};
        };
        differs(triangles.vertices, "vertices", count_of(source_.attributes.at("POSITION")));
        if (source_.indices >= 0 && source_.mode == TINYGLTF_MODE_TRIANGLES) {
            differs(triangles.indices.size() / 3, "triangles", count_of(source_.indices) / 3);
        }
    }

    [[nodiscard]] std::string draco_field() const { return field_ + ".extensions." + kDracoExtension; }

    AccessorView open_attribute(const std::string& name, int accessor) {
        const auto decoded = draco_values_.find(name);
        if (decoded == draco_values_.end()) return open_accessor(document_, accessor);
        return open_accessor(document_, accessor, decoded->second);
    }

    // Where Draco is optional, accessors hold the same mesh uncompressed; some writers leave them empty all the same,
    // which would be a mesh of zeros.
    void check_uncompressed() const {
        const auto check = [&](int index) {
            const tinygltf::Accessor& accessor = document_.model().accessors[static_cast<std::size_t>(index)];
            if (accessor.bufferView >= 0 || accessor.sparse.isSparse) return;
            document_.fail(draco_field(), "has no uncompressed copy (accessors[" + std::to_string(index) +
                                              "] has no bufferView), and " + built_without(kDraco) +
                                              ", or export the file without Draco");
        };
        for (const auto& [name, accessor] : source_.attributes) check(accessor);
        if (source_.indices >= 0) check(source_.indices);
    }

    void read_indices() {
        std::vector<std::uint32_t> list;
        if (draco_indices_) {  // triangles, whatever the mode is
            check_indices(*draco_indices_, draco_field());
            mesh_.indices = *std::move(draco_indices_);
            return;
        }
        if (source_.indices >= 0) {
            const AccessorView indices = open_accessor(document_, source_.indices);
            if (indices.components != 1) document_.fail(indices.field() + ".type", "must be SCALAR for indices");
            list = read_integers(document_, indices);
            check_indices(list, field_ + ".indices");
            advance(indices);
        } else {
            list.resize(vertex_count_);
            std::iota(list.begin(), list.end(), 0U);
        }
        to_triangles(std::move(list));
    }

    void check_indices(const std::vector<std::uint32_t>& list, const std::string& field) const {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i] < vertex_count_) continue;
            document_.fail(field, "element " + std::to_string(i) + " is " + std::to_string(list[i]) +
                                      ", but POSITION has " + std::to_string(vertex_count_) + " vertices");
        }
    }

    void to_triangles(std::vector<std::uint32_t>&& list) {
        std::vector<std::uint32_t>& triangles = mesh_.indices;
        if (source_.mode == TINYGLTF_MODE_TRIANGLES) {
            if (list.size() % 3 != 0) {
                document_.note("one or two indices after the last whole triangle of a glTF primitive are left out");
                list.resize(list.size() / 3 * 3);
            }
            triangles = std::move(list);
            return;
        }
        if (list.size() < 3) return;
        triangles.reserve((list.size() - 2) * 3);
        for (std::size_t i = 0; i + 2 < list.size(); ++i) {
            std::array<std::uint32_t, 3> corners{};
            if (source_.mode == TINYGLTF_MODE_TRIANGLE_STRIP) {
                corners = {list[i], list[i + 1 + i % 2], list[i + 2 - i % 2]};
            } else {
                corners = {list[i + 1], list[i + 2], list[0]};
            }
            // Those that stitch strips together repeat a corner: the encoder drops them, and counts them.
            triangles.insert(triangles.end(), corners.begin(), corners.end());
        }
    }

    // glTF primitives may share one large vertex array of which each uses a part: then reads only that part.
    void select_vertices() {
        if (vertex_count_ <= mesh_.indices.size()) return;
        used_ = mesh_.indices;
        std::ranges::sort(used_);
        used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
        selection_ = Selection{false, used_};
        for (std::uint32_t& index : mesh_.indices) {
            index = static_cast<std::uint32_t>(std::ranges::lower_bound(used_, index) - used_.begin());
        }
    }

    std::optional<AccessorView> find(const std::string& name, int fewest, int most) {
        const auto found = source_.attributes.find(name);
        if (found == source_.attributes.end()) return std::nullopt;
        AccessorView view = open_attribute(name, found->second);
        if (view.components < fewest || view.components > most) {
            document_.fail(view.field() + ".type",
                           "has " + std::to_string(view.components) + " components, which " + name + " does not allow");
        }
        check_count(view, "attributes." + name);
        return view;
    }

    void check_count(const AccessorView& view, const std::string& name) const {
        if (view.count == vertex_count_) return;
        document_.fail(field_ + "." + name, "has " + std::to_string(view.count) + " elements, but POSITION has " +
                                                std::to_string(vertex_count_));
    }

    // The encoder takes no number beyond it.
    template <std::size_t N>
    void check_numbers(const std::vector<std::array<float, N>>& stream, const std::string& name,
                       const std::string& list = "attributes") const {
        for (std::size_t i = 0; i < stream.size(); ++i) {
            for (std::size_t c = 0; c < N; ++c) {
                const float number = stream[i][c];
                if (std::abs(number) <= mesh::kMaxCoordinate) continue;
                const std::size_t element = selection_.all ? i : used_[i];
                document_.fail(field_ + "." + list + "." + name,
                               "component " + std::to_string(c) + " of element " + std::to_string(element) + " is " +
                                   (std::isnan(number)   ? "not a number"
                                    : std::isinf(number) ? "infinite"
                                                         : number_text(number) + ", larger than 2^104"));
            }
        }
    }

    void read_attributes(const UvSlots& uv_slots) {
        if (const auto view = find("NORMAL", 3, 3)) {
            mesh_.normals = read_vectors<3>(*view, selection_);
            advance(*view);
        }
        if (const auto view = find("TANGENT", 4, 4); view && !mesh_.normals.empty()) {
            mesh_.tangents = read_vectors<4>(*view, selection_);
            advance(*view);
        }
        std::vector<std::array<float, 2>>* const uvs[] = {&mesh_.uv0, &mesh_.uv1};
        for (std::size_t slot = 0; slot < 2; ++slot) {
            const std::string name = "TEXCOORD_" + std::to_string(uv_slots.set[slot]);
            if (const auto view = find(name, 2, 2)) {
                *uvs[slot] = read_vectors<2>(*view, selection_);
                check_numbers(*uvs[slot], name);
                advance(*view);
            }
        }
        if (auto view = find("COLOR_0", 3, 4)) {
            view->normalized = true;  // the only way integers can be colours
            mesh_.colors = read_vectors<4>(*view, selection_, 1.0F);
            check_numbers(mesh_.colors, "COLOR_0");
            for (auto& color : mesh_.colors) {
                for (float& channel : color) channel = std::clamp(channel, 0.0F, 1.0F);
            }
        }
        read_influences();
        for (const auto& [name, accessor] : source_.attributes) {
            const bool extra_color = name.starts_with("COLOR_") && name != "COLOR_0";
            const bool extra_uv = name.starts_with("TEXCOORD_") &&
                                  name != "TEXCOORD_" + std::to_string(uv_slots.set[0]) &&
                                  name != "TEXCOORD_" + std::to_string(uv_slots.set[1]);
            if (extra_color || extra_uv) document_.note("vertex attribute " + name.substr(0, 40) + " is ignored");
            if (name.starts_with('_')) document_.note("application-specific vertex attributes are ignored");
        }
    }

    void read_target(std::size_t index) {
        constexpr const char* kNames[] = {"POSITION", "NORMAL", "TANGENT"};
        const bool carried[] = {true, !mesh_.normals.empty(), !mesh_.tangents.empty()};
        const std::string list = "targets[" + std::to_string(index) + "]";
        mesh::MorphArrays& morph = mesh_.morphs.emplace_back();
        for (const auto& [name, accessor] : source_.targets[index]) {
            const auto known = std::ranges::find(kNames, name);
            const auto attribute = static_cast<std::uint32_t>(known - std::begin(kNames));
            if (known == std::end(kNames) || !carried[attribute]) {
                document_.note(
                    known == std::end(kNames)
                        ? "morph targets move positions, normals and tangents: what else they have is ignored"
                        : "what morph targets add to normals or tangents is ignored where the mesh has none");
                continue;
            }
            const AccessorView view = open_accessor(document_, accessor);
            if (view.components != 3) document_.fail(view.field() + ".type", "must be VEC3 for a morph target");
            check_count(view, list + "." + name);
            std::vector<std::array<float, 3>>& values = mesh::morph_values(morph, attribute);
            values = read_vectors<3>(view, selection_);
            check_numbers(values, name, list);
            advance(view);
            if (std::ranges::all_of(values, [](const auto& v) { return v == std::array<float, 3>{}; })) values = {};
        }
    }

    // Joints and weights: of more than eight influences the eight strongest.
    void read_influences() {
        constexpr std::size_t kMost = 8;
        struct Influence {
            std::uint32_t joint = 0;
            float weight = 0;
        };
        std::vector<std::vector<std::uint32_t>> joints;
        std::vector<std::vector<std::array<float, 4>>> weights;
        for (int set = 0;; ++set) {
            const std::string number = std::to_string(set);
            const auto joint_view = find("JOINTS_" + number, 4, 4);
            auto weight_view = find("WEIGHTS_" + number, 4, 4);
            if (!joint_view || !weight_view) break;
            weight_view->normalized = true;
            joints.push_back(read_integers(document_, *joint_view, selection_));
            weights.push_back(read_vectors<4>(*weight_view, selection_));
            check_numbers(weights.back(), "WEIGHTS_" + number);
        }
        if (joints.empty()) return;
        const std::size_t count = mesh_.positions.size();
        mesh_.joints.resize(count);
        mesh_.weights.resize(count);
        if (joints.size() > 1) {
            mesh_.joints1.resize(count);
            mesh_.weights1.resize(count);
        }
        std::vector<Influence> all(joints.size() * 4);
        for (std::size_t v = 0; v < count; ++v) {
            double sum = 0.0;
            bool negative = false;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const float weight = weights[i / 4][v][i % 4];
                negative = negative || weight < 0.0F;
                all[i] = {joints[i / 4][v * 4 + i % 4], std::max(weight, 0.0F)};
                sum += all[i].weight;
            }
            if (!(sum > kLeastWeights)) {
                document_.note("vertices whose joint weights are all zero follow their first joint");
                for (Influence& influence : all) influence.weight = 0.0F;
                all[0].weight = 1.0F;
                sum = 1.0;
            } else if (negative || std::abs(sum - 1.0) > kWeightSlack) {
                document_.note(
                    "joint weights that are negative count as 0, and those of a vertex are scaled to sum to 1");
            }
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (all[i].weight > 0.0F) require_joint({all[i].joint, selection_.all ? v : used_[v], i / 4});
            }
            if (all.size() > kMost) {
                std::ranges::stable_sort(all, std::ranges::greater(), &Influence::weight);
                if (all[kMost].weight > 0.0F) {
                    document_.note("of more than eight joints for a vertex the eight strongest are kept");
                }
                sum = 0.0;
                for (std::size_t i = 0; i < kMost; ++i) sum += all[i].weight;
            }
            for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
                const auto weight = static_cast<float>(all[i].weight / sum);
                (i < 4 ? mesh_.weights : mesh_.weights1)[v][i % 4] = weight;
                (i < 4 ? mesh_.joints : mesh_.joints1)[v][i % 4] =
                    weight > 0.0F ? static_cast<std::uint16_t>(all[i].joint) : std::uint16_t{0};
            }
        }
    }

    void require_joint(const SourceMesh::LargestJoint& used) {
        if (used.joint > std::numeric_limits<std::uint16_t>::max()) {
            document_.fail(field_ + ".attributes.JOINTS_" + std::to_string(used.set),
                           "vertex " + std::to_string(used.vertex) + " names joint " + std::to_string(used.joint) +
                               ", which is beyond 16 bits");
        }
        if (!mesh_.largest_joint || used.joint > mesh_.largest_joint->joint) mesh_.largest_joint = used;
    }

    void finish() {
        if (mesh_.normals.empty()) {
            const std::uint64_t step = steps_left_ / kSteps;
            unweld(mesh_);
            advance(step);
            make_flat_normals(mesh_);
            advance(step);
            weld(mesh_);
            return;
        }
        if (mend_normals(mesh_)) {
            document_.note("normals without a direction are replaced by their triangle's");
        }
        if (mend_tangents(mesh_)) document_.note("tangents without a direction are replaced");
        if (source_.indices < 0) weld(mesh_);
    }

    Document& document_;
    const tinygltf::Primitive& source_;
    GeometryBudget& budget_;
    Progress* progress_;
    std::uint64_t triangles_, told_ = 0;
    std::uint64_t steps_, steps_left_;
    std::string field_;
    std::size_t vertex_count_ = 0;
    std::map<std::string, std::vector<std::byte>> draco_values_;  // by attribute
    std::optional<std::vector<std::uint32_t>> draco_indices_;
    std::vector<std::uint32_t> used_;
    Selection selection_;
    SourceMesh mesh_;
};

// Honest files name an element a few times at most, as materials that share their geometry do.
std::uint64_t most_elements(const Document& document) {
    constexpr std::uint64_t kAlways = 1U << 24U;
    constexpr std::uint64_t kPerByte = 16;
    return kAlways + kPerByte * document.bytes_read();
}

}  // namespace

std::uint64_t GeometryBudget::left(const Document& document) const {
    const std::uint64_t most = most_elements(document);
    return most - std::min(most, claimed_);
}

void GeometryBudget::claim(Document& document, std::size_t mesh, std::size_t primitive) {
    const tinygltf::Model& model = document.model();
    const tinygltf::Primitive& source = model.meshes[mesh].primitives[primitive];
    const auto position = source.attributes.find("POSITION");
    if (position == source.attributes.end() || source.mode < TINYGLTF_MODE_TRIANGLES) return;  // it is not read
    const int counted = source.indices >= 0 ? source.indices : position->second;
    std::uint64_t count = model.accessors[static_cast<std::size_t>(counted)].count;
    if (count > std::numeric_limits<std::uint32_t>::max()) return;  // refused when it is read
    if (kDraco.present && source.extensions.count(kDracoExtension) != 0) count = 0;
    claimed_ += count;
    const auto add_sparse = [&](const std::map<std::string, int>& attributes) {
        for (const auto& [name, accessor] : attributes) {
            const auto& sparse = model.accessors[static_cast<std::size_t>(accessor)].sparse;
            if (sparse.isSparse) claimed_ += static_cast<std::uint64_t>(std::max(sparse.count, 0));
        }
    };
    add_sparse(source.attributes);
    for (const auto& target : source.targets) {
        claimed_ += count * std::max<std::uint64_t>(target.size(), 1);
        add_sparse(target);
    }
    if (claimed_ > most_elements(document)) document.open_buffers();
    if (claimed_ > most_elements(document)) {
        document.fail(primitive_field(mesh, primitive),
                      "the glTF primitives up to here name " + std::to_string(claimed_) +
                          " vertices, out of all proportion to the " + std::to_string(document.bytes_read()) +
                          " bytes of the file");
    }
}

std::string primitive_field(std::size_t mesh, std::size_t primitive) {
    return "meshes[" + std::to_string(mesh) + "].primitives[" + std::to_string(primitive) + "]";
}

std::optional<SourceMesh> read_primitive(Document& document, std::size_t mesh, std::size_t primitive,
                                         const UvSlots& uv_slots, GeometryBudget& budget, Progress* progress) {
    return MeshReader(document, mesh, primitive, budget, progress).read(uv_slots);
}

std::uint64_t primitive_triangles(const tinygltf::Model& model, std::size_t mesh, std::size_t primitive) {
    const tinygltf::Primitive& source = model.meshes[mesh].primitives[primitive];
    const auto position = source.attributes.find("POSITION");
    if (position == source.attributes.end()) return 0;
    const int counted = source.indices >= 0 ? source.indices : position->second;
    const std::uint64_t count = model.accessors[static_cast<std::size_t>(counted)].count;
    if (source.mode == TINYGLTF_MODE_TRIANGLES) return count / 3;
    return source.mode > TINYGLTF_MODE_TRIANGLES && count > 2 ? count - 2 : 0;
}

const char* mode_name(int mode) {
    constexpr const char* kNames[] = {"points", "lines", "a line loop", "a line strip"};
    return kNames[mode];
}

std::size_t morph_target_count(const Document& document, std::size_t mesh) {
    const std::vector<tinygltf::Primitive>& primitives = document.model().meshes[mesh].primitives;
    return primitives.empty() ? 0 : primitives[0].targets.size();
}

void check_morph_targets(const Document& document, std::size_t mesh) {
    const tinygltf::Mesh& source = document.model().meshes[mesh];
    const std::size_t count = morph_target_count(document, mesh);
    for (std::size_t p = 1; p < source.primitives.size(); ++p) {
        if (source.primitives[p].targets.size() == count) continue;
        document.fail(primitive_field(mesh, p) + ".targets",
                      "are " + std::to_string(source.primitives[p].targets.size()) + ", but primitives[0] has " +
                          std::to_string(count) + ": all of a mesh must have as many");
    }
    if (count > 0 && !source.weights.empty() && source.weights.size() != count) {
        document.fail("meshes[" + std::to_string(mesh) + "].weights", "has " + std::to_string(source.weights.size()) +
                                                                          " numbers for " + std::to_string(count) +
                                                                          " morph targets");
    }
}

}  // namespace sublet::scene::gltf
