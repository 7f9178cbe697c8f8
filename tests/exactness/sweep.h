// One scene on one device: pictures of every combination of settings, compared with direct draws with all culling off.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "combinations.h"
#include "harness.h"
#include "render/settings/settings.h"
#include "report.h"

namespace sublet::test {

struct PictureSize {
    std::uint32_t width = 0, height = 0;
};

struct SweepOptions {
    std::string scene_name;                // for people
    std::string scene_argument;            // SCENE of `sublet render`; empty for the built-in scene
    render::SceneSettings scene_settings;  // grid, grid spacing
    PlanOptions plan;                      // small_budget is chosen by the scene's size
    std::vector<PictureSize> sizes;
    bool deal_sizes = false;      // a camera's pictures have one of the sizes, in turn, instead of all of them
    std::size_t cameras = 0;      // standing still
    std::size_t path_frames = 0;  // of a moving camera
    std::size_t path_every = 10;  // compare every so many frames, and those at and after a cut
    render::Fault fault = render::Fault::kNone;
};

// Every combination from every camera: each picture is the first after a jump.
[[nodiscard]] SceneResult sweep_stills(Bench& bench, const SweepOptions& options);

// Every combination along the whole path, once for each size; what was visible is kept from frame to frame.
[[nodiscard]] SceneResult sweep_path(Bench& bench, const SweepOptions& options);

}  // namespace sublet::test
