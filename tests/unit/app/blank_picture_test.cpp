// Why nothing is seen of a triangle in the plane z = 0, whose front is towards +z.
#include "app/blank_picture.h"

#include <gtest/gtest.h>

#include <glm/gtc/matrix_transform.hpp>

#include "base/thread_pool.h"
#include "scene/import.h"

namespace sublet::app {
namespace {

using Reason = std::optional<BlankReason>;

scene::SourceMesh triangle() {
    scene::SourceMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.indices = {0, 1, 2};
    return mesh;
}

// One for each transform.
scene::ImportedScene triangles(const std::vector<glm::mat4>& transforms) {
    scene::ImportedScene in;
    in.scene.materials.emplace_back();
    in.groups.push_back({"triangle", {triangle()}, {}, {}});
    for (const glm::mat4& transform : transforms) {
        scene::Node& node = in.scene.nodes.emplace_back();
        node.mesh_group = 0;
        node.has_matrix = true;
        node.matrix = transform;
    }
    return in;
}

scene::EncodedScene encode(scene::ImportedScene&& in) {
    ThreadPool pool(1);
    return scene::encode_scene(std::move(in), {}, pool);
}

struct Look {
    glm::vec3 eye, target;
    float near_plane = 0.1F;
    render::Projection projection = render::Projection::kPerspective;
    render::SceneSettings settings = {};
    double time = 0.0;
};

Reason why(const scene::EncodedScene& scene, const Look& look) {
    const render::View view =
        render::make_view({.eye = look.eye, .target = look.target}, look.near_plane, look.projection, 1.5F);
    return why_blank(scene, look.settings, look.time, view, {300, 200});
}

constexpr glm::vec3 kFront{0.3F, 0.3F, 5.0F};
constexpr glm::vec3 kBack{0.3F, 0.3F, -5.0F};
constexpr glm::vec3 kMiddle{0.3F, 0.3F, 0.0F};

TEST(BlankPicture, ThereIsNoReasonWhereSomethingIsSeen) {
    EXPECT_EQ(why(encode(triangles({glm::mat4(1.0F)})), {kFront, kMiddle}), Reason());
}

TEST(BlankPicture, WhatFacesAway) {
    scene::ImportedScene in = triangles({glm::mat4(1.0F)});
    in.scene.materials[0].double_sided = true;
    EXPECT_EQ(why(encode(std::move(in)), {kBack, kMiddle}), Reason()) << "it has a back";
    // A transform that mirrors turns the winding over, and the front stays where it is.
    for (const float x : {1.0F, -1.0F}) {
        const scene::EncodedScene scene = encode(triangles({glm::scale(glm::mat4(1.0F), glm::vec3(x, 1.0F, 1.0F))}));
        const glm::vec3 side(x, 1.0F, 1.0F);
        for (const auto projection : {render::Projection::kPerspective, render::Projection::kOrthographic}) {
            EXPECT_EQ(why(scene, {kBack * side, kMiddle * side, 0.1F, projection}), BlankReason::kAway) << x;
            EXPECT_EQ(why(scene, {kFront * side, kMiddle * side, 0.1F, projection}), Reason()) << x;
        }
    }
}

TEST(BlankPicture, WhatLiesOutside) {
    const scene::EncodedScene scene = encode(triangles({glm::mat4(1.0F)}));
    EXPECT_EQ(why(scene, {kFront, kFront * 2.0F}), BlankReason::kOutside) << "behind";
    EXPECT_EQ(why(scene, {kFront, {0.3F, 20.0F, 0.0F}}), BlankReason::kOutside) << "below";
    EXPECT_EQ(why(scene, {kFront, kMiddle, 6.0F}), BlankReason::kOutside) << "nearer than the near plane";
    // The sphere around it reaches into the view; it does not.
    const scene::EncodedScene thin = encode(triangles({glm::scale(glm::mat4(1.0F), glm::vec3(1000.0F, 0.01F, 1.0F))}));
    EXPECT_EQ(why(thin, {{0.3F, 50.0F, 5.0F}, {0.3F, 50.0F, 0.0F}}), BlankReason::kOutside);
}

TEST(BlankPicture, WhatIsSmall) {
    const glm::mat4 small = glm::scale(glm::mat4(1.0F), glm::vec3(0.001F));
    EXPECT_EQ(why(encode(triangles({small})), {{0.01F, 0.01F, 5.0F}, {0.01F, 0.01F, 0.0F}}), BlankReason::kSmall);
    // Beside one that faces away.
    const glm::mat4 turned = glm::rotate(glm::mat4(1.0F), glm::radians(180.0F), glm::vec3(0.0F, 1.0F, 0.0F));
    EXPECT_EQ(why(encode(triangles({small, turned})), {{0.01F, 0.01F, 5.0F}, {0.01F, 0.01F, 0.0F}}),
              BlankReason::kAwayOrSmall);
}

TEST(BlankPicture, WhatIsHidden) {
    scene::EncodedScene scene = encode(triangles({glm::mat4(1.0F), glm::mat4(1.0F)}));
    Look look{kFront, kMiddle};
    look.settings.hide = "0";
    EXPECT_EQ(why(scene, look), Reason());
    look.settings.hide = "0-1";
    EXPECT_EQ(why(scene, look), BlankReason::kHidden);
    look.settings.hide = "";
    for (scene::Node& node : scene.scene.nodes) node.visible = false;
    EXPECT_EQ(why(scene, look), BlankReason::kInvisible);
    for (scene::Node& node : scene.scene.nodes) node.mesh_group = -1;
    EXPECT_EQ(why(scene, look), BlankReason::kNothing);
}

// A grid is looked at instance by instance.
TEST(BlankPicture, OfAGrid) {
    const scene::EncodedScene scene = encode(triangles({glm::mat4(1.0F)}));
    Look look{{0.0F, 0.0F, -50.0F}, {}};
    look.settings.grid.count = {3, 3, 1};
    EXPECT_EQ(why(scene, look), BlankReason::kAway);
    look.eye.z = 50.0F;
    EXPECT_EQ(why(scene, look), Reason());
}

// On a joint that rises by 2 a second.
TEST(BlankPicture, WhereItsPoseIs) {
    scene::ImportedScene in;
    in.scene.materials.emplace_back();
    scene::SourceMesh mesh = triangle();
    mesh.joints.assign(3, {0, 0, 0, 0});
    mesh.weights.assign(3, {1, 0, 0, 0});
    in.groups.push_back({"triangle", {mesh}, {}, {}});
    in.scene.nodes.resize(2);
    in.scene.nodes[0].mesh_group = 0;
    in.scene.nodes[0].skin = 0;
    in.scene.skins.push_back({"bone", -1, {1}, {glm::mat4(1.0F)}});
    in.scene.animations.push_back(
        {"rise", {{.node = 1, .times = {0.0F, 100.0F}, .values = {0.0F, 0.0F, 0.0F, 0.0F, 200.0F, 0.0F}}}});
    const scene::EncodedScene scene = encode(std::move(in));
    Look look{kBack, kMiddle};
    EXPECT_EQ(why(scene, look), BlankReason::kAway);
    look.time = 10.0;
    EXPECT_EQ(why(scene, look), BlankReason::kOutside);
}

// But for an exposure that follows the light, which is there for a while after sunset.
TEST(BlankPicture, WhereTheSunIsBelowTheHorizonOfTheSky) {
    render::FramePlan plan;
    plan.environment.kind = render::EnvironmentKind::kSky;
    plan.ev = 0.0F;
    const auto why = [&](float elevation) {
        plan.sun.elevation = elevation;
        return why_black(plan);
    };
    EXPECT_EQ(why(1.0F), Reason());
    EXPECT_EQ(why(-5.0F), BlankReason::kNight);
    plan.ev.reset();
    EXPECT_EQ(why(-5.0F), Reason());
    EXPECT_EQ(why(-30.0F), BlankReason::kNight);
    plan.show = render::Show::kNormals;
    EXPECT_EQ(why(-30.0F), Reason());
    plan.show = render::Show::kShaded;
    plan.environment.kind = render::EnvironmentKind::kNone;
    EXPECT_EQ(why(-30.0F), Reason()) << "it shines from below";
}

TEST(BlankPicture, EachReasonHasItsText) {
    for (auto reason = BlankReason::kNothing; reason <= BlankReason::kNight;
         reason = static_cast<BlankReason>(static_cast<int>(reason) + 1)) {
        EXPECT_FALSE(blank_text(reason).empty());
    }
}

}  // namespace
}  // namespace sublet::app
