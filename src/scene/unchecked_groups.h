// Levels of detail of a file that were not looked at when it was opened: what a file of any size takes to open is what
// its tables take.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/short_bounds.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::scene {

// The blocks of payload, and the bounds of sublets, of the meshes that can come in groups (mesh::comes_in_groups()).
// Until they were checked nobody may read blocks, and the bounds are not there. Any thread may call.
class UncheckedGroups {
  public:
    // All that is given outlives it; `bounds` is what geometry.sublet_bounds points to, and `source` the name to blame.
    // `bounds_offset`: bytes before `short_bounds` in the file.
    UncheckedGroups(const mesh::GeometryView& geometry, std::string source,
                    std::span<const format::ShortSubletBound> short_bounds, std::uint64_t bounds_offset,
                    std::span<mesh::Bound> bounds);

    // Checks a mesh, or all, on all cores. What was found right is not looked at again. Throws Error as
    // mesh::validate() does.
    void check(std::uint32_t mesh) const;
    void check_all() const;

    [[nodiscard]] const std::string& source() const { return source_; }
    // Where the file has the short bounds of a sublet of all meshes', in bytes.
    [[nodiscard]] std::uint64_t bounds_offset(std::uint64_t sublet) const {
        return bounds_offset_ + sublet * sizeof(format::ShortSubletBound);
    }

  private:
    void check(std::uint32_t mesh, ThreadPool& pool) const;

    mesh::GeometryView geometry_;
    std::string source_;
    std::span<const format::ShortSubletBound> short_bounds_;
    std::uint64_t bounds_offset_ = 0;
    std::span<mesh::Bound> bounds_;
    mutable std::mutex mutex_;
    mutable std::vector<char> left_;  // of each mesh, whether it is unchecked
};

}  // namespace sublet::scene
