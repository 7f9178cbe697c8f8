#include "scene/node_reach.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>

namespace sublet::scene {
namespace {

// Of the largest length that occurs: floats round each link of a chain by less.
constexpr double kRounding = 1e-5;

struct Ball {
    glm::dvec3 centre;
    double radius = 0.0;
};

// The most by which a matrix makes a vector longer: at most the root of the largest row sum of its square, which a
// rotation and a scale along axes reach.
double stretch(const glm::dmat3& matrix) {
    const glm::dmat3 square = glm::transpose(matrix) * matrix;
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        most = std::max(most, std::abs(square[i][0]) + std::abs(square[i][1]) + std::abs(square[i][2]));
    }
    return std::sqrt(most);
}

void place(Ball& ball, const glm::dmat4& matrix) {
    ball.centre = glm::dvec3(matrix * glm::dvec4(ball.centre, 1.0));
    ball.radius *= stretch(glm::dmat3(matrix));
}

}  // namespace

ValueSpan value_span(const AnimationChannel& channel, std::size_t component, std::size_t components) {
    const bool cubic = channel.interpolation == Interpolation::kCubicSpline;
    ValueSpan span{.low = std::numeric_limits<float>::max(), .high = std::numeric_limits<float>::lowest()};
    const auto add = [&](float value) {
        span.low = std::min(span.low, value);
        span.high = std::max(span.high, value);
    };
    for (std::size_t key = 0; key < channel.times.size(); ++key) {
        const auto element = [&](std::size_t index) { return channel.values[index * components + component]; };
        const float value = element(cubic ? 3 * key + 1 : key);
        add(value);
        if (!cubic) continue;
        if (key > 0) add(value - (channel.times[key] - channel.times[key - 1]) / 3.0F * element(3 * key));
        if (key + 1 < channel.times.size()) {
            add(value + (channel.times[key + 1] - channel.times[key]) / 3.0F * element(3 * key + 2));
        }
    }
    return span;
}

NodeReach::NodeReach(const Scene& scene, std::span<const std::size_t> animations)
    : scene_(scene), motion_of_(scene.nodes.size(), kStill) {
    for (const PlayedChannel& played : played_channels(scene, animations)) {
        const AnimationChannel& channel = *played.channel;
        const auto node = static_cast<std::size_t>(channel.node);
        if (motion_of_[node] == kStill) {
            motion_of_[node] = motions_.size();
            const glm::dvec3 translation(scene.nodes[node].translation);
            const glm::dvec3 scale(scene.nodes[node].scale);
            motions_.push_back({.low = translation, .high = translation, .least = scale, .most = scale});
        }
        Motion& motion = motions_[motion_of_[node]];
        if (channel.path == AnimationPath::kRotation) {
            motion.turns = true;
            continue;
        }
        const bool scales = channel.path == AnimationPath::kScale;
        for (int i = 0; i < 3; ++i) {
            const ValueSpan span = value_span(channel, static_cast<std::size_t>(i), 3);
            (scales ? motion.least : motion.low)[i] = span.low;
            (scales ? motion.most : motion.high)[i] = span.high;
        }
    }
}

glm::vec4 NodeReach::of(std::size_t node, const glm::vec4& sphere, const glm::mat4& inverse_bind) const {
    Ball ball{.centre = glm::dvec3(sphere), .radius = sphere.w};
    double largest = 0.0;
    const auto note = [&] { largest = std::max(largest, glm::length(ball.centre) + ball.radius); };
    note();
    place(ball, glm::dmat4(inverse_bind));
    note();
    for (int at = static_cast<int>(node); at >= 0; at = scene_.nodes[static_cast<std::size_t>(at)].parent) {
        const Node& link = scene_.nodes[static_cast<std::size_t>(at)];
        if (motion_of_[static_cast<std::size_t>(at)] == kStill) {
            place(ball, glm::dmat4(local_transform(link)));
            note();
            continue;
        }
        const Motion& motion = motions_[motion_of_[static_cast<std::size_t>(at)]];
        const glm::dvec3 most = glm::max(glm::abs(motion.least), glm::abs(motion.most));
        ball.radius = ball.radius * std::max({most.x, most.y, most.z}) +
                      glm::length(0.5 * (motion.most - motion.least) * ball.centre);
        ball.centre *= 0.5 * (motion.most + motion.least);
        note();
        if (motion.turns) {
            ball.radius += glm::length(ball.centre);
            ball.centre = glm::dvec3(0.0);
        } else {
            place(ball, glm::dmat4(glm::mat4_cast(link.rotation)));
        }
        note();
        ball.centre += 0.5 * (motion.low + motion.high);
        ball.radius += 0.5 * glm::length(motion.high - motion.low);
        note();
    }
    ball.radius += kRounding * largest;
    const glm::vec4 out(glm::vec3(ball.centre), static_cast<float>(ball.radius));
    const bool finite = std::isfinite(out.x) && std::isfinite(out.y) && std::isfinite(out.z) && std::isfinite(out.w);
    return finite ? out : glm::vec4(0.0F, 0.0F, 0.0F, std::numeric_limits<float>::infinity());
}

}  // namespace sublet::scene
