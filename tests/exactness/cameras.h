// Where pictures are taken from: deterministic, made from the scene's own triangles, so that views from inside of
// geometry and along surfaces are there whatever the scene.
#pragma once

#include <string_view>
#include <vector>

#include "render/settings/settings.h"
#include "scene/container.h"

namespace sublet::test {

struct StillCamera {
    std::string_view kind;  // "outside", "inside", "grazing", "within", "far", "scene"
    render::CameraPose pose;
    float near_plane = 0.1F;
};

// `count` cameras. In turn: around the scene; inside of a mesh, a hair behind one of its triangles; grazing, in the
// plane of a triangle or a hair above it; within the scene's bounds; far away. The scene's own cameras (up to four)
// come first. Throws Error for a scene without triangles.
[[nodiscard]] std::vector<StillCamera> still_cameras(const scene::EncodedScene& scene, const scene::Grid& grid,
                                                     std::size_t count);

struct PathFrame {
    render::CameraPose pose;
    float near_plane = 0.1F;
    bool cut = false;  // nothing leads here from the frame before
};

// A camera that moves for `frames` frames: in turn around the scene, along it from one surface to another, and turning
// on the spot inside of geometry, a cut between each of them; and before some of these cuts teleports, four frames that
// have nothing to do with each other.
[[nodiscard]] std::vector<PathFrame> moving_camera(const scene::EncodedScene& scene, const scene::Grid& grid,
                                                   std::size_t frames);

}  // namespace sublet::test
