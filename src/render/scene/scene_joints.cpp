#include "render/scene/scene_joints.h"

#include <cmath>
#include <cstddef>
#include <glm/matrix.hpp>
#include <map>

namespace sublet::render {
namespace {

void add_places(const scene::Scene& scene, const scene::Skin& skin, std::vector<shared::JointPlace>& out) {
    // Nodes of joints and all above them: the joint that a node is, or hangs on.
    std::map<int, std::uint32_t> nearest;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        nearest.emplace(skin.joints[j], static_cast<std::uint32_t>(j));  // a node that is there twice: by the first
    }
    const auto joint_above = [&](int node) {
        std::vector<int> path;
        std::uint32_t found = shared::kNoJoint;
        for (int at = scene.nodes[static_cast<std::size_t>(node)].parent; at >= 0;
             at = scene.nodes[static_cast<std::size_t>(at)].parent) {
            if (const auto known = nearest.find(at); known != nearest.end()) {
                found = known->second;
                break;
            }
            path.push_back(at);
        }
        for (const int at : path) nearest.emplace(at, found);
        return found;
    };
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        const glm::dmat4 inverse = glm::inverse(glm::dmat4(skin.inverse_bind[j]));
        const glm::vec3 at(inverse[3]);
        shared::JointPlace place{at.x, at.y, at.z, joint_above(skin.joints[j])};
        if (!std::isfinite(at.x + at.y + at.z)) place = {0.0F, 0.0F, 0.0F, place.parent | shared::kJointLost};
        out.push_back(place);
    }
}

}  // namespace

std::vector<shared::JointPlace> joint_places(const scene::Scene& scene, const std::vector<char>& used) {
    std::vector<shared::JointPlace> out;
    for (std::size_t s = 0; s < scene.skins.size(); ++s) {
        if (used[s] != 0) add_places(scene, scene.skins[s], out);
    }
    return out;
}

void add_skeleton(SkeletonData& data, const shared::Skeleton& skeleton, std::uint64_t place) {
    if (data.known.emplace(skeleton.first_matrix, place).second) data.skeletons.push_back(skeleton);
}

}  // namespace sublet::render
