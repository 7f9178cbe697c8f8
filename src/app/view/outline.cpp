#include "app/view/outline.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "mesh/mesh.h"
#include "mesh/short_bounds.h"
#include "scene/material_fields.h"

namespace sublet::app {

namespace {

std::size_t place(OutlineKind kind) {
    return static_cast<std::size_t>(kind);
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

void add_instance(OutlineCounts& counts, InstanceRange& range, std::uint32_t number, const mesh::MeshHeader& mesh) {
    if (counts.instances++ == 0) range.first = number;
    range.count = number - range.first + 1;
    counts.triangles += mesh.triangle_count;
    counts.meshlets += mesh.meshlet_count;
}

std::uint64_t mesh_bytes(const scene::EncodedScene& scene, const mesh::BoundSizes& bounds,
                         const scene::MeshGroup& group) {
    std::uint64_t bytes = 0;
    for (std::uint32_t m = group.first_mesh; m < group.first_mesh + group.mesh_count; ++m) {
        const mesh::MeshView mesh = mesh::mesh_view(scene.geometry, m);
        bytes += sizeof(mesh::MeshHeader) + mesh.payload.size_bytes() + mesh.streams.size_bytes() +
                 mesh.sublet_bounds.size() * bounds.sublet + mesh.meshlet_bounds.size() * bounds.meshlet;
        if (mesh.morph == nullptr) continue;
        bytes += sizeof(mesh::MorphMesh) + mesh.morph_payload.size_bytes() + mesh.morph_streams.size_bytes() +
                 mesh.morph_masks.size_bytes();
    }
    return bytes;
}

// Of the images that it reads, each once.
std::uint64_t image_bytes(const scene::Scene& scene, const scene::Material& material) {
    std::vector<int> images;
    scene::for_each_texture(
        [&](const scene::TextureRef& ref, auto... /*how it is used*/) {
            if (ref.texture >= 0) images.push_back(scene.textures[static_cast<std::size_t>(ref.texture)].image);
        },
        material);
    std::sort(images.begin(), images.end());
    images.erase(std::unique(images.begin(), images.end()), images.end());
    std::uint64_t bytes = 0;
    for (const int image : images) {
        if (image >= 0) bytes += scene.images[static_cast<std::size_t>(image)].bytes.size();
    }
    return bytes;
}

}  // namespace

Outline::Outline(const scene::EncodedScene& scene) : scene_(&scene) {
    const scene::Scene& s = scene.scene;
    nodes_.resize(s.nodes.size());
    entries_[place(OutlineKind::kNode)].resize(s.nodes.size());
    entries_[place(OutlineKind::kMesh)].resize(s.mesh_groups.size());
    entries_[place(OutlineKind::kMaterial)].resize(s.materials.size());
    const mesh::BoundSizes bounds = scene::bound_sizes(scene);
    for (std::size_t i = 0; i < s.mesh_groups.size(); ++i) {
        entries_[place(OutlineKind::kMesh)][i].counts.bytes = mesh_bytes(scene, bounds, s.mesh_groups[i]);
    }
    for (std::size_t i = 0; i < s.materials.size(); ++i) {
        entries_[place(OutlineKind::kMaterial)][i].counts.bytes = image_bytes(s, s.materials[i]);
    }
    link_nodes();
    count_instances();
    add_up();
    // A scene that hangs on one node, as many files do, begins with what is below it.
    if (root_count_ == 1) nodes_[children_.back()].open = true;
}

// Numbered as ids are: those that have triangles.
void Outline::count_instances() {
    const scene::Scene& scene = scene_->scene;
    std::vector<Entry>& nodes = entries_[place(OutlineKind::kNode)];
    std::vector<Entry>& meshes = entries_[place(OutlineKind::kMesh)];
    std::vector<Entry>& materials = entries_[place(OutlineKind::kMaterial)];
    std::uint32_t number = 0;
    for (const scene::Instance& instance : scene::instances(scene)) {
        const mesh::MeshHeader& mesh = scene_->geometry.meshes[instance.mesh];
        if (mesh.meshlet_count == 0) continue;
        Entry& node = nodes[instance.node];
        add_instance(node.counts, node.range, number, mesh);
        Entry& group = meshes[static_cast<std::size_t>(scene.nodes[instance.node].mesh_group)];
        const bool same_node = group.counts.instances == 0 || group.range.first == node.range.first;
        const InstanceRange before = group.range;
        add_instance(group.counts, group.range, number, mesh);
        if (!same_node) group.range = before;
        Entry& material = materials[instance.material];
        const InstanceRange first = material.range;
        add_instance(material.counts, material.range, number, mesh);
        if (first.count != 0) material.range = first;
        ++number;
    }
}

void Outline::link_nodes() {
    const std::vector<scene::Node>& nodes = scene_->scene.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes_[i].parent = nodes[i].parent;
        ++(nodes[i].parent < 0 ? root_count_ : nodes_[static_cast<std::size_t>(nodes[i].parent)].child_count);
    }
    std::uint32_t next = 0;
    for (Node& node : nodes_) {
        node.first_child = next;
        next += node.child_count;
        node.child_count = 0;
    }
    children_.resize(nodes.size());
    std::uint32_t next_root = next;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].parent < 0) {
            children_[next_root++] = i;
        } else {
            Node& parent = nodes_[static_cast<std::size_t>(nodes_[i].parent)];
            children_[parent.first_child + parent.child_count++] = i;
        }
    }
}

// Nodes have what is below them. Parents come before their children.
void Outline::add_up() {
    std::vector<Entry>& entries = entries_[place(OutlineKind::kNode)];
    const std::vector<scene::Node>& nodes = scene_->scene.nodes;
    std::vector<InstanceRange> below;  // from the first instance to behind the last
    for (const Entry& entry : entries) below.push_back(entry.range);
    for (std::size_t i = entries.size(); i-- > 0;) {
        Entry& entry = entries[i];
        if (below[i].count == entry.counts.instances) entry.range = below[i];  // nothing of others lies between
        if (nodes[i].mesh_group >= 0) {
            entry.counts.bytes =
                entries_[place(OutlineKind::kMesh)][static_cast<std::size_t>(nodes[i].mesh_group)].counts.bytes;
        }
        if (nodes[i].parent < 0 || entry.counts.instances == 0) continue;
        const auto parent = static_cast<std::size_t>(nodes[i].parent);
        OutlineCounts& sum = entries[parent].counts;
        sum.instances += entry.counts.instances;
        sum.triangles += entry.counts.triangles;
        sum.meshlets += entry.counts.meshlets;
        InstanceRange& all = below[parent];
        if (all.count == 0) all.first = below[i].first;
        const std::uint32_t first = std::min(all.first, below[i].first);
        const std::uint32_t end = std::max(all.first + all.count, below[i].first + below[i].count);
        all = {first, end - first};
    }
}

const std::vector<OutlineRow>& Outline::rows(OutlineKind kind) {
    std::vector<OutlineRow>& rows = rows_[place(kind)];
    if (std::exchange(made_[place(kind)], true)) return rows;
    rows.clear();
    if (kind == OutlineKind::kNode) {
        make_node_rows(rows);
        return rows;
    }
    for (std::uint32_t i = 0; i < entries_[place(kind)].size(); ++i) {
        if (matches({kind, i})) rows.push_back({.number = i});
    }
    return rows;
}

// A search opens all that leads to what is found.
void Outline::make_node_rows(std::vector<OutlineRow>& out) const {
    std::vector<char> found(nodes_.size(), 1);
    std::vector<char> listed(nodes_.size(), 1);
    const bool searches = !searched_.empty();
    for (std::uint32_t i = static_cast<std::uint32_t>(nodes_.size()); searches && i-- > 0;) {
        if (i + 1 == nodes_.size()) std::fill(listed.begin(), listed.end(), 0);
        found[i] = matches({OutlineKind::kNode, i}) ? 1 : 0;
        if (found[i] != 0) listed[i] = 1;
        if (listed[i] != 0 && nodes_[i].parent >= 0) listed[static_cast<std::size_t>(nodes_[i].parent)] = 1;
    }
    struct Place {
        std::uint32_t next, end, depth;
    };
    const auto all = static_cast<std::uint32_t>(children_.size());
    std::vector<Place> stack{{all - root_count_, all, 0}};
    while (!stack.empty()) {
        Place& place = stack.back();
        if (place.next == place.end) {
            stack.pop_back();
            continue;
        }
        const std::uint32_t number = children_[place.next++];
        if (listed[number] == 0) continue;
        const Node& node = nodes_[number];
        const bool open = node.child_count != 0 && (searches || node.open);
        const std::uint32_t depth = place.depth;
        out.push_back({number, depth, node.child_count != 0, open, found[number] != 0});
        if (open) stack.push_back({node.first_child, node.first_child + node.child_count, depth + 1});
    }
}

void Outline::search(std::string_view text) {
    std::string lowered(text);
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
    if (lowered == searched_) return;
    searched_ = std::move(lowered);
    std::fill(std::begin(made_), std::end(made_), false);
}

void Outline::set_open(std::uint32_t node, bool open) {
    nodes_.at(node).open = open;
    made_[place(OutlineKind::kNode)] = false;
}

std::size_t Outline::reveal(std::uint32_t node) {
    const auto find = [&] {
        const std::vector<OutlineRow>& listed = rows(OutlineKind::kNode);
        return std::find_if(listed.begin(), listed.end(), [&](const OutlineRow& row) { return row.number == node; }) -
               listed.begin();
    };
    for (int above = nodes_.at(node).parent; above >= 0; above = nodes_[static_cast<std::size_t>(above)].parent) {
        Node& of = nodes_[static_cast<std::size_t>(above)];
        if (!std::exchange(of.open, true) && searched_.empty()) made_[place(OutlineKind::kNode)] = false;
    }
    auto row = static_cast<std::size_t>(find());
    if (row == rows(OutlineKind::kNode).size()) {
        search({});
        row = static_cast<std::size_t>(find());
    }
    return row;
}

std::string_view Outline::own_name(const OutlineItem& item) const {
    const scene::Scene& scene = scene_->scene;
    switch (item.kind) {
        case OutlineKind::kNode: {
            const scene::Node& node = scene.nodes.at(item.number);
            if (!node.name.empty() || node.mesh_group < 0) return node.name;
            return scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)].name;
        }
        case OutlineKind::kMesh:
            return scene.mesh_groups.at(item.number).name;
        case OutlineKind::kMaterial:
            return scene.materials.at(item.number).name;
    }
    return {};
}

std::string Outline::name(const OutlineItem& item) const {
    constexpr std::array<const char*, 3> kKinds{"node ", "mesh ", "material "};
    const std::string_view own = own_name(item);
    return own.empty() ? kKinds[place(item.kind)] + std::to_string(item.number) : std::string(own);
}

bool Outline::matches(const OutlineItem& item) const {
    if (searched_.empty()) return true;
    const auto holds = [&](std::string_view text) {
        return std::search(text.begin(), text.end(), searched_.begin(), searched_.end(),
                           [](char a, char b) { return lower(a) == b; }) != text.end();
    };
    const std::string_view own = own_name(item);
    return own.empty() ? holds(name(item)) : holds(own);
}

const Outline::Entry& Outline::entry(const OutlineItem& item) const {
    return entries_[place(item.kind)].at(item.number);
}

const OutlineCounts& Outline::counts(const OutlineItem& item) const {
    return entry(item).counts;
}

InstanceRange Outline::instances(const OutlineItem& item) const {
    return entry(item).range;
}

bool Outline::has(const OutlineItem& item) const {
    return item.number < entries_[place(item.kind)].size();
}

std::string short_count(std::uint64_t count) {
    if (count < 1000) return std::to_string(count);
    auto value = static_cast<double>(count);
    const char* unit = "";
    for (const char* next : {"k", "M", "G", "T"}) {
        value /= 1000.0;
        unit = next;
        if (value < 999.5) break;
    }
    std::array<char, 32> text{};
    const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::snprintf(text.data(), text.size(), "%.*f%s", digits, value, unit);
    return text.data();
}

}  // namespace sublet::app
