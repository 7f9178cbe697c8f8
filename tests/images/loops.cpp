// The end of an animation's loop, frame by frame: what moves jumps from its end to its start, and so do bounds, what
// was visible and motion. Every backend shows what direct draws without culling do.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/vec4.hpp>
#include <map>

#include "harness.h"
#include "motion.h"
#include "scene/animation.h"
#include "shaders/shared/view_colors.h"
#include "shapes.h"

namespace sublet::test::loops_test {
namespace {

using render::Backend;
using render::FrameSettings;
using render::Show;

struct Moment {
    double time = 0;
    render::CameraPose pose = kPose;
};

// Up to the end of a loop, past it with a cut to another camera, and back over it.
std::vector<Moment> around(double end) {
    render::CameraPose other = kPose;
    other.eye = {-6.0F, 1.0F, 7.0F};
    std::vector<Moment> out;
    for (const double offset : {-0.125, -0.03125, 0.0, 0.03125}) out.push_back({end + offset});
    for (const double offset : {-0.0625, 0.0625}) out.push_back({end + offset, other});
    return out;
}

// Each frame by these settings, one after the other. Of the first nobody knows what came before it.
std::vector<render::Picture> watch(Bench& bench, const FrameSettings& settings, const std::vector<Moment>& moments) {
    std::vector<render::Picture> out;
    for (const Moment& moment : moments) {
        bench.renderer().set_time(moment.time);
        out.push_back(bench.shoot(settings, moment.pose, kNear, kWidth, kHeight).picture);
    }
    out.erase(out.begin());
    return out;
}

void expect_same(Bench& bench, const std::vector<Moment>& moments, const std::vector<render::Picture>& reference,
                 const std::vector<render::Picture>& is, const std::string& what) {
    ASSERT_EQ(reference.size(), is.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
        const Moment& moment = moments[i + 1];
        render::AmbiguousPixels ambiguous;
        ambiguous.mask.resize(is[i].depth.size());
        Difference difference = compare(reference[i], is[i], ambiguous);
        if (difference.depth + difference.color != 0) {
            bench.renderer().set_time(moment.time);
            ambiguous = bench.ambiguous(moment.pose, kNear, kWidth, kHeight);
            difference = compare(reference[i], is[i], ambiguous);
        }
        expect_exact(difference, what + ", frame " + std::to_string(i + 1) + " at " + std::to_string(moment.time));
    }
}

// Depth, ids and, as colours, motion.
void expect_every_backend(Bench& bench, double end) {
    const std::vector<Moment> moments = around(end);
    std::map<bool, std::vector<render::Picture>> references;  // the compute rasteriser has its own
    for (const Way& way : ways(bench)) {
        FrameSettings settings = way.settings;
        std::vector<render::Picture>& reference = references[settings.backend == Backend::kRaster];
        if (reference.empty()) reference = watch(bench, reference_settings(Show::kMotion, settings.backend), moments);
        settings.show = Show::kMotion;
        expect_same(bench, moments, reference, watch(bench, settings, moments), way.name);
    }
    for (const auto& [raster, pictures] : references) {
        for (std::size_t i = 1; i < pictures.size(); ++i) {
            EXPECT_NE(pictures[i].depth, pictures[i - 1].depth) << "nothing moves at frame " << i + 1;
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Loops, EveryBackendShowsWhatMovesAroundTheEnd) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    expect_every_backend(bench, 6.0);  // of three loops of one animation, and of two of the other
}

TEST(Loops, EveryBackendShowsWhatDeformsAroundTheEnd) {
    Bench bench;
    scene::EncodedScene scene = encode(make_deforming_shapes());
    const double end = scene::animation_length(scene.scene.animations.at(0));
    ASSERT_GT(end, 1.0);
    bench.set_scene(std::move(scene));
    expect_every_backend(bench, end);
}

// A torus that slides one unit to the right in two seconds, and is back at once.
scene::ImportedScene make_sliding() {
    scene::ImportedScene out = make_coplanar();
    const int torus = add_mesh(out, make_torus(0.5F, 0.3F, 40, 20), 0);
    out.scene.nodes.assign(1, {});
    out.scene.nodes[0].mesh_group = torus;
    out.scene.animations.push_back({"slide",
                                    {{0,
                                      scene::AnimationPath::kTranslation,
                                      scene::Interpolation::kLinear,
                                      {0.0F, 2.0F},
                                      {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F}}}});
    return out;
}

// Motion is where a thing was in the last frame, which before a loop's start is its end: a jump, and no path is made up
// for it.
TEST(Loops, MotionAcrossTheEndIsTheJumpBack) {
    Bench bench;
    bench.set_scene(encode(make_sliding()));
    // Orthographic: a unit has the same number of pixels everywhere.
    render::CameraPose pose{.eye = {0.5F, 0.0F, 3.0F}, .target = {0.5F, 0.0F, 0.0F}, .fov_degrees = 60.0F};
    FrameSettings settings;
    settings.show = Show::kMotion;
    settings.projection = render::Projection::kOrthographic;
    const auto motion = [&](double before, double now) {
        for (const double time : {before, now}) {
            bench.renderer().set_time(time);
            bench.shoot(settings, pose, kNear, kWidth, kHeight);
        }
        return bench.renderer().read_picture(true, true);
    };
    // What colours tell of how far all that is covered moves to the right, in units of the scene.
    const double pixels_of_a_unit = kHeight / (2.0 * 3.0 * std::tan(std::acos(-1.0) / 6.0));
    const auto expect_moved = [&](const render::Picture& picture, double units) {
        std::size_t covered = 0;
        for (std::size_t i = 0; i < picture.depth.size(); ++i) {
            if (picture.depth[i] == 0.0F) continue;
            ++covered;
            const double red = picture.rgba[4 * i] / 127.5 - 1.0;
            const double most = std::log2(1.0 + shared::kMostMotion);
            const double pixels = std::copysign(std::exp2(std::abs(red) * most) - 1.0, red);
            EXPECT_NEAR(pixels, units * pixels_of_a_unit, 0.05 + 0.04 * std::abs(units) * pixels_of_a_unit);
        }
        EXPECT_GT(covered, 100U);
    };
    expect_moved(motion(1.5, 1.9375), 0.21875);
    const render::Picture over = motion(1.9375, 2.0625);
    expect_moved(over, -0.9375);
    const render::Picture cut = motion(1.9375, 0.0625);
    EXPECT_EQ(over.rgba, cut.rgba) << "the same moment by another number";
    EXPECT_EQ(over.depth, cut.depth);
    expect_moved(motion(2.0625, 1.9375), 0.9375);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

}  // namespace
}  // namespace sublet::test::loops_test
