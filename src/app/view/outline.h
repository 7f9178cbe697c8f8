// What a scene consists of, as a list of rows: nodes as they hang on one another, meshes, materials. Knows nothing of
// windows. Rows are made anew when a branch is opened, something is searched for, or the scene is another.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/container.h"

namespace sublet::app {

enum class OutlineKind : std::uint8_t { kNode, kMesh, kMaterial };

// A node, a mesh (all that was one glTF mesh: a mesh group) or a material, by its number in the scene.
struct OutlineItem {
    OutlineKind kind = OutlineKind::kNode;
    std::uint32_t number = 0;

    bool operator==(const OutlineItem&) const = default;
};

// Of a node, with all that is below it; of a mesh or a material, wherever it is placed.
struct OutlineCounts {
    std::uint64_t instances = 0;  // that are drawn; those without triangles are none
    std::uint64_t triangles = 0;  // of all of them
    std::uint64_t meshlets = 0;
    std::uint64_t bytes =
        0;  // of a mesh in the file, without images; of a node its own mesh's. Of a material: its images'
};

// Instances, as ids number them: so many, side by side.
struct InstanceRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct OutlineRow {
    std::uint32_t number = 0;
    std::uint32_t depth = 0;  // of nodes: those above it
    bool branch = false;      // nodes hang on it
    bool open = false;        // and are listed
    bool found = true;        // false: it is listed since one below it was searched for
};

class Outline {
  public:
    Outline() = default;
    // Linear in the scene, which must live as long.
    explicit Outline(const scene::EncodedScene& scene);

    // Those of a kind, with what is open and what is searched for taken into account.
    [[nodiscard]] const std::vector<OutlineRow>& rows(OutlineKind kind);
    // What its name, or its number for want of one, holds; small and capital letters of ASCII are the same. Empty: all.
    void search(std::string_view text);
    [[nodiscard]] const std::string& searched() const { return searched_; }
    void set_open(std::uint32_t node, bool open);
    // Opens what is above a node, and drops a search that leaves it out. Returns its row.
    std::size_t reveal(std::uint32_t node);

    // "wheel"; of a node without a name that of its mesh; else "node 12".
    [[nodiscard]] std::string name(const OutlineItem& item) const;
    [[nodiscard]] const OutlineCounts& counts(const OutlineItem& item) const;
    // Of a node with those below it, or of its own where others lie between those. Of a mesh or a material, the first
    // node's that has it. None where nothing of it is drawn.
    [[nodiscard]] InstanceRange instances(const OutlineItem& item) const;
    [[nodiscard]] bool has(const OutlineItem& item) const;
    [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }

  private:
    struct Entry {
        OutlineCounts counts;
        InstanceRange range;
    };
    struct Node {
        int parent = -1;
        std::uint32_t first_child = 0, child_count = 0;  // of children_
        bool open = false;
    };

    void count_instances();
    void link_nodes();
    void add_up();
    [[nodiscard]] const Entry& entry(const OutlineItem& item) const;
    [[nodiscard]] std::string_view own_name(const OutlineItem& item) const;
    [[nodiscard]] bool matches(const OutlineItem& item) const;
    void make_node_rows(std::vector<OutlineRow>& out) const;

    const scene::EncodedScene* scene_ = nullptr;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> children_;  // of all nodes, those of one together; at the end those that hang on none
    std::uint32_t root_count_ = 0;
    std::array<std::vector<Entry>, 3> entries_;    // by the kind
    std::array<std::vector<OutlineRow>, 3> rows_;  // likewise
    std::array<bool, 3> made_{};                   // they are
    std::string searched_;
};

// "999", "12.3k", "4.54M": at most five characters below 10^15.
[[nodiscard]] std::string short_count(std::uint64_t count);

}  // namespace sublet::app
