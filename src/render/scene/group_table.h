// The groups of levels of detail of a scene as streaming has them: which meshlets each brings, where those lie in the
// file, how much they take, and which groups have to be there before.
//
// A group is there as a whole or not at all, and only where all groups are that contain what it was simplified to: so
// whatever is there makes one surface (shaders/cull/cut.glsl).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mesh/mesh.h"
#include "shaders/shared/mesh_format.h"

namespace sublet::render {

// Of a streamed mesh: words of its payload before the first block, which are the table of components and a record of
// each meshlet; and where a record lies among them.
[[nodiscard]] std::uint32_t record_word(const shared::MeshHeader& mesh, std::uint32_t meshlet);
[[nodiscard]] inline std::uint32_t head_words(const shared::MeshHeader& mesh) {
    return record_word(mesh, mesh.meshlet_count);
}

// What meshlets take in VRAM.
struct GroupSize {
    std::uint32_t sublets = 0, vertices = 0, payload = 0;  // the latter in words

    GroupSize& operator+=(const GroupSize& other) {
        sublets += other.sublets;
        vertices += other.vertices;
        payload += other.payload;
        return *this;
    }
};

class GroupTable {
  public:
    // A meshlet of a streamed mesh.
    struct Meshlet {
        std::uint32_t payload = 0;  // of all meshes' in the file: word where its block begins
        std::uint32_t first_triangle = 0, triangles = 0;
        GroupSize size;
    };
    // Meshlets of a group that follow one another in a mesh.
    struct Run {
        std::uint32_t mesh = 0;
        std::uint32_t first = 0;  // within the mesh
        std::uint32_t count = 0;
    };
    struct Group {
        std::uint32_t first_run = 0, run_count = 0;  // none: nothing of it is streamed
        std::uint32_t meshlets = 0;
        std::uint32_t level = 0;
        GroupSize size;
        float error = 0.0F;  // of what it was simplified to, in object space; infinite: it is always there
    };

    // Of geometry that was validated. Linear in its meshlets, but for a sort within each mesh.
    explicit GroupTable(const mesh::GeometryView& geometry);

    [[nodiscard]] std::uint32_t group_count() const { return static_cast<std::uint32_t>(groups_.size()); }
    [[nodiscard]] const Group& group(std::uint32_t number) const { return groups_[number]; }
    [[nodiscard]] std::span<const Run> runs(std::uint32_t group) const {
        return std::span(runs_).subspan(groups_[group].first_run, groups_[group].run_count);
    }
    // By its number in the file.
    [[nodiscard]] const Meshlet& meshlet(std::uint32_t number) const { return meshlets_[number]; }
    // That contain what a group was simplified to: they have to be there where it is. And those that have to be there
    // where none of them is.
    [[nodiscard]] std::span<const std::uint32_t> parents(std::uint32_t group) const { return parents_.of(group); }
    [[nodiscard]] std::span<const std::uint32_t> children(std::uint32_t group) const { return children_.of(group); }
    // Whose meshlets lie in a group, or were simplified from it.
    [[nodiscard]] std::span<const std::uint32_t> meshes(std::uint32_t group) const { return meshes_.of(group); }
    // That a mesh's meshlets lie in, or were simplified from: those of the largest errors first.
    [[nodiscard]] std::span<const std::uint32_t> groups_of_mesh(std::uint32_t mesh) const { return of_mesh_.of(mesh); }

    // Words that a group takes in a block (render/stream/group_loader.h), and copies there of each of its runs.
    static constexpr std::uint32_t kRunCopies = 3;
    [[nodiscard]] std::uint64_t block_words(std::uint32_t group) const;

    // Of all that may be left out, of what of it never is, and of the largest group.
    [[nodiscard]] const GroupSize& all() const { return all_; }
    [[nodiscard]] const GroupSize& roots() const { return roots_; }
    [[nodiscard]] const GroupSize& largest() const { return largest_; }

  private:
    // Lists one after the other.
    struct Lists {
        std::vector<std::uint32_t> first, items;

        [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t list) const {
            return std::span(items).subspan(first[list], first[list + 1] - first[list]);
        }
    };
    static Lists lists_of(std::size_t count, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries);

    void read_mesh(const mesh::GeometryView& geometry, const shared::MeshHeader& mesh);

    std::vector<Group> groups_;
    std::vector<Run> runs_;
    std::vector<Meshlet> meshlets_;
    Lists parents_, children_, meshes_, of_mesh_;
    GroupSize all_, roots_, largest_;
};

}  // namespace sublet::render
