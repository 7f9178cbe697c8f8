// Skeletons, as they are drawn over a picture: where joints were in the bind pose, and what each hangs on
// (shaders/shared/inspect.h). Where they are now follows on the GPU from the matrices of skins.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "gpu/resources.h"
#include "scene/scene.h"
#include "shaders/shared/inspect.h"

namespace sublet::render {

struct SkeletonData {
    std::vector<shared::JointPlace> places;  // in the order of AnimationData::joints
    std::vector<shared::Skeleton> skeletons;
    std::set<std::pair<std::uint32_t, std::uint64_t>> known;  // by first matrix and place of a grid
};

// Of the joints of each skin that `used` has, skin by skin. One whose inverse bind matrix has no inverse is nowhere
// (kJointLost). It hangs on the nearest node above its own that is a joint of the skin too.
[[nodiscard]] std::vector<shared::JointPlace> joint_places(const scene::Scene& scene, const std::vector<char>& used);

// Takes note of a skin that deforms an instance, once for each place of a grid that has it (0 where there is no grid);
// `skeleton` counts its matrix from the first.
void add_skeleton(SkeletonData& data, const shared::Skeleton& skeleton, std::uint64_t place);

// On the device. Where nothing deforms there are no buffers.
struct SceneSkeletons {
    gpu::Buffer skeletons, places;
    std::uint32_t count = 0;
    std::uint32_t most_joints = 0;  // of one
};

}  // namespace sublet::render
