// What ids tell (shaders/view/visibility_id.glsl), from the scene alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/renderer.h"
#include "scene/container.h"

namespace sublet::test {

struct SeenTriangle {
    std::uint32_t instance = 0;  // of IdReader::instances()
    std::uint32_t sublet = 0;    // of the instance's mesh
    std::uint32_t triangle = 0;  // of the sublet
    bool operator==(const SeenTriangle&) const = default;
};

class IdReader {
  public:
    explicit IdReader(const scene::EncodedScene& scene, const scene::Grid& grid = {});

    // Those that have triangles, in the scene's order: ids count no others.
    [[nodiscard]] const std::vector<scene::Instance>& instances() const { return instances_; }

    // A narrow id. Throws std::out_of_range where it names no triangle of the scene.
    [[nodiscard]] SeenTriangle read(std::uint32_t id) const;
    // A wide one, likewise.
    [[nodiscard]] SeenTriangle read(std::uint32_t triangle, std::uint32_t instance) const;

    [[nodiscard]] std::uint32_t narrow(const SeenTriangle& seen) const;
    // A picture with the narrow ids of its wide ones.
    [[nodiscard]] render::Picture narrowed(render::Picture picture) const;

  private:
    void check(const SeenTriangle& seen) const;

    const scene::EncodedScene& scene_;
    std::vector<scene::Instance> instances_;
    std::vector<std::uint32_t> first_sublets_;  // over all instances; one more at the end
};

}  // namespace sublet::test
