// The evaluator of animations, against the glTF 2.0 specification (appendix C) written out in double precision here.
#include "scene/animation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/error.h"
#include "gltf_builder.h"
#include "scene/container.h"

namespace sublet::scene::testing {
namespace {

using Vector = std::array<double, 4>;

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Vector unit(const Vector& v) {
    const double length = std::sqrt(dot(v, v));
    return {v[0] / length, v[1] / length, v[2] / length, v[3] / length};
}

// The specification's words: k the last key at or before t, clamped; spherical linear interpolation by sines and arc
// cosine; a cubic Hermite spline whose tangents are scaled by the distance of the keys.
Vector reference(const AnimationChannel& channel, double time) {
    const std::size_t n = channel.path == AnimationPath::kRotation ? 4 : 3;
    const bool rotation = n == 4;
    const bool cubic = channel.interpolation == Interpolation::kCubicSpline;
    const auto element = [&](std::size_t index) {
        Vector v{0, 0, 0, 0};
        for (std::size_t i = 0; i < n; ++i) v[i] = channel.values[index * n + i];
        return v;
    };
    const auto value = [&](std::size_t key) { return element(cubic ? 3 * key + 1 : key); };
    const auto finished = [&](const Vector& v) { return rotation ? unit(v) : v; };
    if (time < channel.times.front()) return finished(value(0));
    std::size_t k = 0;
    while (k + 1 < channel.times.size() && channel.times[k + 1] <= time) ++k;
    if (k + 1 == channel.times.size() || channel.interpolation == Interpolation::kStep) return finished(value(k));
    const double distance = double{channel.times[k + 1]} - channel.times[k];
    const double t = (time - channel.times[k]) / distance;
    Vector out{};
    if (cubic) {
        const Vector a = value(k), out_a = element(3 * k + 2), b = value(k + 1), in_b = element(3 * (k + 1));
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = (2 * t * t * t - 3 * t * t + 1) * a[i] + distance * (t * t * t - 2 * t * t + t) * out_a[i] +
                     (-2 * t * t * t + 3 * t * t) * b[i] + distance * (t * t * t - t * t) * in_b[i];
        }
        return finished(out);
    }
    Vector a = value(k), b = value(k + 1);
    if (!rotation) {
        for (std::size_t i = 0; i < n; ++i) out[i] = (1 - t) * a[i] + t * b[i];
        return out;
    }
    a = unit(a);
    b = unit(b);
    const double cosine = dot(a, b);
    const double side = cosine < 0 ? -1 : 1;
    const double angle = std::acos(std::min(std::abs(cosine), 1.0));
    const bool near = angle < 1e-7;
    const double of_a = near ? 1 - t : std::sin(angle * (1 - t)) / std::sin(angle);
    const double of_b = side * (near ? t : std::sin(angle * t) / std::sin(angle));
    for (std::size_t i = 0; i < n; ++i) out[i] = of_a * a[i] + of_b * b[i];
    return unit(out);
}

AnimationChannel random_channel(std::mt19937& random, AnimationPath path, Interpolation interpolation) {
    std::uniform_real_distribution<float> gap(0.01F, 2.0F);
    std::normal_distribution<float> number;
    AnimationChannel channel;
    channel.node = 0;
    channel.path = path;
    channel.interpolation = interpolation;
    const std::size_t keys = 1 + random() % 6;
    float time = random() % 2 == 0 ? 0.0F : gap(random);
    for (std::size_t i = 0; i < keys; ++i) {
        channel.times.push_back(time);
        time += gap(random);
    }
    const std::size_t elements = keys * (interpolation == Interpolation::kCubicSpline ? 3 : 1);
    const std::size_t n = path == AnimationPath::kRotation ? 4 : 3;
    for (std::size_t i = 0; i < elements; ++i) {
        // Now and then nearly the rotation before, or nearly its negative: angles at which sines vanish.
        const bool near = n == 4 && i > 0 && random() % 3 == 0;
        const float side = random() % 2 == 0 ? 1.0F : -1.0F;
        for (std::size_t c = 0; c < n; ++c) {
            channel.values.push_back(near ? side * channel.values[channel.values.size() - n] + 1e-4F * number(random)
                                          : number(random));
        }
    }
    return channel;
}

TEST(Animation, SamplesAsTheSpecificationSays) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> times(-1.0F, 12.0F);
    for (const AnimationPath path : {AnimationPath::kTranslation, AnimationPath::kRotation, AnimationPath::kScale}) {
        for (const Interpolation interpolation :
             {Interpolation::kStep, Interpolation::kLinear, Interpolation::kCubicSpline}) {
            for (int i = 0; i < 2000; ++i) {
                const AnimationChannel channel = random_channel(random, path, interpolation);
                const float time = i % 5 == 0 ? channel.times[random() % channel.times.size()] : times(random);
                const Vector expected = reference(channel, time);
                const glm::vec4 is = sample(channel, time);
                for (int c = 0; c < (path == AnimationPath::kRotation ? 4 : 3); ++c) {
                    const double at = expected[static_cast<std::size_t>(c)];
                    // A spline adds up terms of opposite signs, and a short one is scaled up to unit length.
                    const double slack = interpolation == Interpolation::kCubicSpline ? 2e-5 : 1e-6;
                    ASSERT_NEAR(is[c], at, slack * std::max(1.0, std::abs(at)))
                        << i << ", component " << c << ", at " << time;
                }
            }
        }
    }
}

AnimationChannel channel_of(AnimationPath path, Interpolation interpolation, std::vector<float> times,
                            std::vector<float> values) {
    return {0, path, interpolation, std::move(times), std::move(values)};
}

TEST(Animation, TurnsTheShortWay) {
    // To the quaternion of opposite sign of a quarter turn: the same rotation.
    const float h = std::sqrt(0.5F);
    const AnimationChannel turn =
        channel_of(AnimationPath::kRotation, Interpolation::kLinear, {0, 1}, {0, 0, 0, 1, 0, 0, -h, -h});
    const glm::vec4 middle = sample(turn, 0.5F);
    EXPECT_NEAR(middle.z, std::sin(3.14159265 / 8), 1e-6);
    EXPECT_NEAR(middle.w, std::cos(3.14159265 / 8), 1e-6);
}

TEST(Animation, HoldsBeforeTheFirstKeyAndAfterTheLast) {
    for (const Interpolation interpolation : {Interpolation::kStep, Interpolation::kLinear}) {
        const AnimationChannel move =
            channel_of(AnimationPath::kTranslation, interpolation, {1, 2}, {1, 2, 3, 4, 5, 6});
        EXPECT_EQ(sample(move, 0.0F), glm::vec4(1, 2, 3, 0));
        EXPECT_EQ(sample(move, 1.0F), glm::vec4(1, 2, 3, 0));
        EXPECT_EQ(sample(move, 2.0F), glm::vec4(4, 5, 6, 0));
        EXPECT_EQ(sample(move, 1e9F), glm::vec4(4, 5, 6, 0));
    }
    const AnimationChannel still =
        channel_of(AnimationPath::kScale, Interpolation::kCubicSpline, {3}, {9, 9, 9, 1, 2, 3, 9, 9, 9});
    for (const float time : {-1.0F, 3.0F, 8.0F}) EXPECT_EQ(sample(still, time), glm::vec4(1, 2, 3, 0));
}

TEST(Animation, JumpsWhereKeysShareATime) {
    const AnimationChannel jump = channel_of(AnimationPath::kTranslation, Interpolation::kLinear, {0, 1, 1, 2},
                                             {0, 0, 0, 1, 0, 0, 5, 0, 0, 6, 0, 0});
    EXPECT_NEAR(sample(jump, 0.999F).x, 0.999F, 1e-6F);
    EXPECT_EQ(sample(jump, 1.0F).x, 5.0F);
    EXPECT_NEAR(sample(jump, 1.5F).x, 5.5F, 1e-6F);
    const AnimationChannel all =
        channel_of(AnimationPath::kTranslation, Interpolation::kCubicSpline, {1, 1}, std::vector<float>(18, 2.0F));
    EXPECT_EQ(sample(all, 1.0F).x, 2.0F);
}

TEST(Animation, IsNeverNotANumber) {
    constexpr float kHuge = 3e38F;
    constexpr float kTiny = 1e-42F;
    const std::vector<std::vector<float>> rotations{
        {0, 0, 0, 0, 0, 0, 0, 0},         {0, 0, 0, 0, 0, 0, 0, 1},     {kHuge, kHuge, kHuge, kHuge, 0, 0, 0, 1},
        {kTiny, 0, 0, 0, 0, kTiny, 0, 0}, {1, 0, 0, 0, -1, 0, 0, 0},    {1, 0, 0, 0, 0, 1, 0, 0},
        {1e20F, 0, 0, 0, 0, 1e20F, 0, 0}, {1e-20F, 0, 0, 0, 0, 1, 0, 0}};
    for (const std::vector<float>& values : rotations) {
        for (const std::vector<float>& times : {std::vector<float>{0, 1}, {0, kTiny}, {-kHuge, kHuge}}) {
            const AnimationChannel turn = channel_of(AnimationPath::kRotation, Interpolation::kLinear, times, values);
            for (const float time : {0.0F, 0.25F, 0.5F, kTiny / 2, 1.0F}) {
                const glm::vec4 q = sample(turn, time);
                EXPECT_NEAR(glm::dot(q, q), 1.0F, 1e-6F) << values[0] << ' ' << time;
            }
        }
    }
    const AnimationChannel spline =
        channel_of(AnimationPath::kRotation, Interpolation::kCubicSpline, {0, 1}, std::vector<float>(24, 0.0F));
    EXPECT_EQ(sample(spline, 0.5F), glm::vec4(0, 0, 0, 1)) << "of no length: no rotation";
}

TEST(Animation, Loops) {
    EXPECT_EQ(looped_time(0.0, 2.0), 0.0F);
    EXPECT_EQ(looped_time(0.5, 2.0), 0.5F);
    EXPECT_EQ(looped_time(2.0, 2.0), 0.0F) << "the end is the start";
    EXPECT_EQ(looped_time(std::nextafter(2.0, 0.0), 2.0), 0.0F) << "so is what floats can't tell from it";
    EXPECT_EQ(looped_time(7.25, 2.0), 1.25F);
    EXPECT_EQ(looped_time(-0.5, 2.0), 1.5F);
    EXPECT_EQ(looped_time(2e9 + 0.5, 2.0), 0.5F) << "doubles count the loops";
    EXPECT_EQ(looped_time(5.0, 0.0), 0.0F);
    EXPECT_EQ(looped_time(std::numeric_limits<double>::infinity(), 2.0), 0.0F);
    for (const double time : {1e300, -1e300, -1e-300, 123456.789}) {
        const float at = looped_time(time, 0.7);
        EXPECT_GE(at, 0.0F);
        EXPECT_LT(at, 0.7F);
    }
}

// Three nodes below one another; the first animation moves the root, the second the root and the leaf.
Scene moving_scene() {
    Scene scene;
    scene.nodes.resize(3);
    scene.nodes[1].parent = 0;
    scene.nodes[1].translation = {0, 1, 0};
    scene.nodes[2].parent = 1;
    scene.animations.push_back(
        {"swing", {channel_of(AnimationPath::kTranslation, Interpolation::kLinear, {0, 2}, {0, 0, 0, 4, 0, 0})}});
    scene.animations.push_back(
        {"", {channel_of(AnimationPath::kTranslation, Interpolation::kLinear, {0, 1}, {0, 0, 0, 0, 0, 9})}});
    AnimationChannel leaf = channel_of(AnimationPath::kScale, Interpolation::kLinear, {0, 4}, {1, 1, 1, 3, 3, 3});
    leaf.node = 2;
    scene.animations[1].channels.push_back(leaf);
    return scene;
}

TEST(Animation, ChoosesByNameNumberAllOrNone) {
    Scene scene = moving_scene();
    EXPECT_EQ(chosen_animations(scene, "all"), (std::vector<std::size_t>{0, 1}));
    EXPECT_TRUE(chosen_animations(scene, "none").empty());
    EXPECT_EQ(chosen_animations(scene, "swing"), std::vector<std::size_t>{0});
    EXPECT_EQ(chosen_animations(scene, "1"), std::vector<std::size_t>{1});
    const auto message = [&](std::string_view choice) {
        try {
            static_cast<void>(chosen_animations(scene, choice));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(message("swung").find("0 swing, 1 animation 1"), std::string::npos) << message("swung");
    EXPECT_NE(message("swung").find("'swing'"), std::string::npos) << "what was meant: " << message("swung");
    EXPECT_NE(message("2").find("no animation '2'"), std::string::npos);
    EXPECT_NE(message("").find("no animation ''"), std::string::npos);
    scene.animations[1].name = "0";
    EXPECT_EQ(chosen_animations(scene, "0"), std::vector<std::size_t>{1}) << "a name goes before a number";
    EXPECT_EQ(chosen_animations(scene, "1,0,1"), (std::vector<std::size_t>{0, 1}));
    for (const char* list : {"0,2", "0,", ",0", "0,swing", ","}) EXPECT_NE(message(list), "") << list;
    scene.animations.clear();
    EXPECT_NE(message("walk").find("it has none"), std::string::npos);
    EXPECT_TRUE(chosen_animations(scene, "all").empty());
}

TEST(Animation, AChoiceMeansTheAnimationsItIsMadeOf) {
    Scene scene;
    scene.animations.resize(6);
    scene.animations[0].name = "walk";
    scene.animations[1].name = "walk";
    scene.animations[2].name = "3";
    scene.animations[5].name = "0,4";
    EXPECT_EQ(animation_choice(scene, {0}), "walk");
    EXPECT_EQ(animation_choice(scene, {1}), "1");
    EXPECT_EQ(animation_choice(scene, {2}), "3");
    EXPECT_EQ(animation_choice(scene, {3}), "03") << "not the one of that name";
    for (unsigned chosen = 0; chosen < 64; ++chosen) {
        std::vector<std::size_t> animations;
        for (std::size_t i = 0; i < 6; ++i) {
            if ((chosen >> i & 1U) != 0) animations.push_back(i);
        }
        EXPECT_EQ(chosen_animations(scene, animation_choice(scene, animations)), animations) << chosen;
    }
}

// To the bit, wherever the others of the scene are.
TEST(Animation, ANodePosedAloneIsWhereItIsAmongAll) {
    Scene scene = moving_scene();
    scene.nodes.resize(5);
    scene.nodes[3].parent = 1;
    scene.nodes[3].rotation = glm::quat(0.8F, 0.0F, 0.6F, 0.0F);
    scene.nodes[4].translation = {1, 2, 3};
    const auto playing = chosen_animations(scene, "all");
    for (const AnimationTimes& times : {AnimationTimes(0.3), AnimationTimes(-7.77), AnimationTimes{}}) {
        AnimationTimes apart = times;
        apart.each = {times.all + 0.4, -times.all};
        for (const AnimationTimes& at : {times, apart}) {
            Scene posed = scene;
            pose_nodes(posed.nodes, scene, playing, at);
            const std::vector<glm::mat4> world = world_transforms(posed);
            for (std::size_t node = 0; node < scene.nodes.size(); ++node) {
                const MovingNode alone(scene, playing, node);
                EXPECT_EQ(alone.world(at), world[node]) << node;
                EXPECT_EQ(alone.moves(), node < 4) << node;
            }
        }
    }
    EXPECT_FALSE(MovingNode(scene, {}, 2).moves());
}

TEST(Animation, EachAnimationMayHaveATimeOfItsOwn) {
    const Scene scene = moving_scene();
    AnimationTimes times(1.0);
    times.each = {0.5};
    Scene posed = scene;
    pose_nodes(posed.nodes, scene, chosen_animations(scene, "all"), times);
    EXPECT_EQ(posed.nodes[0].translation, glm::vec3(1, 0, 0));
    EXPECT_EQ(posed.nodes[2].scale, glm::vec3(1.5F)) << "one without is at that of all";
}

TEST(Animation, PosesNodesAndLetsTheFirstAnimationWin) {
    Scene scene = moving_scene();
    const auto pose = [&](std::string_view choice, double time) {
        Scene posed = scene;
        pose_nodes(posed.nodes, scene, chosen_animations(scene, choice), time);
        return world_transforms(posed);
    };
    EXPECT_EQ(pose("none", 1.0), world_transforms(scene));
    const std::vector<glm::mat4> all = pose("all", 1.0);
    EXPECT_EQ(glm::vec3(all[2][3]), glm::vec3(2, 1, 0)) << "the root goes by the first animation alone";
    EXPECT_EQ(all[2][0].x, 1.5F) << "the second moves what the first does not, and loops by its own length";
    EXPECT_EQ(pose("all", 5.0)[2][0].x, 1.5F);
    EXPECT_EQ(pose("all", -1.0)[0][3].x, 2.0F);
    EXPECT_EQ(glm::vec3(pose("1", 0.5)[0][3]), glm::vec3(0, 0, 4.5F));

    const auto moved = [&](std::string_view choice) {
        return moved_nodes(scene, played_channels(scene, chosen_animations(scene, choice)));
    };
    EXPECT_EQ(moved("all"), (std::vector<char>{1, 1, 1}));
    EXPECT_EQ(moved("none"), (std::vector<char>{0, 0, 0}));
    scene.nodes[0].has_matrix = true;
    EXPECT_EQ(moved("all"), (std::vector<char>{0, 0, 1})) << "a matrix does not move";
}

// Work for each pair of channels would outlast the test's time limit.
TEST(Animation, PosesManyNodes) {
    constexpr std::size_t kNodes = 300'000;
    Scene scene;
    scene.nodes.resize(kNodes);
    scene.animations.resize(1);
    for (std::size_t i = 0; i < kNodes; ++i) {
        scene.animations[0].channels.push_back(
            {.node = static_cast<int>(i), .times = {0.0F, 1.0F}, .values = {0.0F, 0.0F, 0.0F, 1.0F, 1.0F, 1.0F}});
    }
    pose_nodes(scene.nodes, Scene(scene), chosen_animations(scene, "all"), 0.5);
    EXPECT_EQ(scene.nodes.back().translation, glm::vec3(0.5F));
}

GltfBuilder with_animation(const std::vector<float>& times, const json& node) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["nodes"][0].update(node);
    const int input = builder.accessor<float>(times, 1, kF32);
    const int output = builder.accessor(std::vector<float>(times.size() * 3, 1.0F), 3, kF32);
    builder.root["animations"] = json::array(
        {{{"samplers", json::array({{{"input", input}, {"output", output}}})},
          {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}})}}});
    return builder;
}

TEST(ImportAnimations, LeavesOutThoseOfNodesWithAMatrix) {
    const json matrix{{"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1}}};
    const ImportedScene scene = import_gltf(with_animation({0, 1}, matrix).write_glb("a.glb"));
    EXPECT_TRUE(has_note(scene, "nodes[0] has a matrix, which glTF does not let animations move"));
    EXPECT_TRUE(scene.scene.animations.empty());
}

TEST(ImportAnimations, NotesKeysOfOneTime) {
    EXPECT_TRUE(has_note(import_gltf(with_animation({0, 1, 1}, json::object()).write_glb("a.glb")), "share a time"));
    EXPECT_FALSE(has_note(import_gltf(with_animation({0, 1, 2}, json::object()).write_glb("b.glb")), "share a time"));
}

}  // namespace
}  // namespace sublet::scene::testing
