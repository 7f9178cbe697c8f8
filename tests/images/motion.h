// How tests hold what moves or deforms to direct draws without culling: one camera, at whatever time the renderer is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness.h"

namespace sublet::test {

inline constexpr float kNear = 0.05F;
inline constexpr std::uint32_t kWidth = 130, kHeight = 90;
inline const render::CameraPose kPose{.eye = {7.0F, 3.0F, 8.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 60.0F};

// A picture of that size, as it is, against the reference.
Difference against_reference(Bench& bench, const render::Picture& picture, const render::CameraPose& pose,
                             std::optional<render::Backend> backend);

// The last of `frames` frames against the reference: with occlusion culling the second frame knows what the first saw.
Difference against_reference(Bench& bench, const render::FrameSettings& settings, Bench::Shot* shot = nullptr,
                             int frames = 2);

void expect_exact(const Difference& difference, const std::string& what);

// Each backend, with decoded payload; but with encoded payload raster, which decodes in compute shaders, and
// mesh-sublets, which decodes in mesh shaders; or, `all_encoded`, all that can. With every_way() these by both.
std::vector<Way> payload_ways(const Bench& bench, bool all_encoded = false);

// Each of these ways, at each of these times.
void expect_every_way(Bench& bench, const std::vector<Way>& ways, const std::vector<double>& times);

// Every expansion that the device has, each at a time of its own.
void expect_every_expansion(Bench& bench, render::FrameSettings settings);

// So many frames of each of four backends with occlusion culling, with cuts in time and ends of loops: what was visible
// in the last frame is drawn where it is now. Culling must have had something to do.
void expect_occlusion_in_motion(Bench& bench, int frames);

}  // namespace sublet::test
