// Temporal antialiasing: held to the average of many samples of the same moment, which it comes near at rest and in
// motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness.h"
#include "motion.h"
#include "render/settings/test_hooks.h"
#include "shapes.h"

namespace sublet::test::temporal_test {
namespace {

constexpr std::uint32_t kWide = 128, kHigh = 96;
constexpr std::uint32_t kReference = 1, kPlain = 2;  // views

render::CameraPose near_pose() {
    render::CameraPose pose = kPose;
    pose.fov_degrees = 42.0F;
    return pose;
}

Bench::Request request(bool taa, std::uint32_t view, const render::CameraPose& pose) {
    Bench::Request out{view, {}, pose, kNear, kWide, kHigh};
    out.settings.backend = render::Backend::kDirect;
    out.settings.taa = taa;
    return out;
}

render::Picture shoot(Bench& bench, bool taa, std::uint32_t view, const render::CameraPose& pose) {
    bench.render({request(taa, view, pose)});
    return bench.renderer().read_picture(true, false, view);
}

// What `render --samples` makes of the moment.
render::Picture averaged(Bench& bench, bool taa, std::uint32_t view, const render::CameraPose& pose,
                         std::uint32_t samples = 32) {
    for (std::uint32_t left = samples; left-- > 0;) {
        Bench::Request sample = request(taa, view, pose);
        sample.averaged = samples - left;
        sample.sample = left;
        bench.render({sample});
    }
    return bench.renderer().read_picture(true, false, view);
}

double psnr(const render::Picture& a, const render::Picture& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::pow(double(a.rgba[i]) - double(b.rgba[i]), 2.0);
    return 10.0 * std::log10(255.0 * 255.0 * static_cast<double>(a.rgba.size()) / std::max(sum, 1.0));
}

struct Motion {
    double plain = 0.0, blended = 0.0;  // PSNR
    std::size_t left = 0;               // pixels of background that something covered three frames ago
    int ghost = 0;                      // the greatest difference there
};

// The last of some frames of things that move, past a camera that does where it walks.
Motion last_of_motion(Bench& bench, bool walks, const std::string& name) {
    constexpr int kFrames = 10;
    const auto pose_at = [&](int frame) {
        render::CameraPose pose = near_pose();
        const glm::vec3 way = (walks ? 0.05F : 0.0F) * static_cast<float>(frame) * glm::vec3(1.0F, 0.2F, -0.8F);
        pose.eye += way;
        pose.target += way;
        return pose;
    };
    render::Picture blended, plain, earlier;
    for (int frame = 0; frame < kFrames; ++frame) {
        bench.renderer().set_time(0.3 + frame / 60.0);
        blended = shoot(bench, true, 0, pose_at(frame));
        if (frame == kFrames - 4) earlier = blended;
    }
    plain = shoot(bench, false, kPlain, pose_at(kFrames - 1));
    const render::Picture reference = averaged(bench, false, kReference, pose_at(kFrames - 1));
    save(plain, "temporal " + name + " plain");
    save(blended, "temporal " + name);
    save(reference, "temporal " + name + " reference");
    Motion out{.plain = psnr(plain, reference), .blended = psnr(blended, reference)};
    for (std::uint32_t y = 2; y + 2 < kHigh; ++y) {
        for (std::uint32_t x = 2; x + 2 < kWide; ++x) {
            const std::size_t pixel = std::size_t{y} * kWide + x;
            if (earlier.depth[pixel] == 0.0F) continue;
            bool background = true;  // and that around it: edges are not what is looked for
            for (std::uint32_t i = 0; i < 25; ++i) {
                background = background && plain.depth[std::size_t{y - 2 + i / 5} * kWide + x - 2 + i % 5] == 0.0F;
            }
            if (!background) continue;
            ++out.left;
            for (std::size_t c = 0; c < 3; ++c) {
                out.ghost = std::max(out.ghost, std::abs(blended.rgba[4 * pixel + c] - reference.rgba[4 * pixel + c]));
            }
        }
    }
    ::testing::Test::RecordProperty(name, std::to_string(out.plain) + " plain, " + std::to_string(out.blended) +
                                              ", ghosts of " + std::to_string(out.ghost) + " at " +
                                              std::to_string(out.left));
    return out;
}

TEST(Temporal, StillPicturesComeNearTheAverage) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    bench.renderer().set_time(0.4);
    const render::CameraPose pose = near_pose();
    const render::Picture plain = shoot(bench, false, kPlain, pose);
    const render::Picture reference = averaged(bench, false, kReference, pose);
    std::vector<double> reached;
    for (int frame = 1; frame <= 16; ++frame) {
        const render::Picture picture = shoot(bench, true, 0, pose);
        if (frame == 1 || frame == 4 || frame == 16) reached.push_back(psnr(picture, reference));
    }
    RecordProperty("psnr", std::to_string(psnr(plain, reference)) + " plain, " + std::to_string(reached[0]) + " " +
                               std::to_string(reached[1]) + " " + std::to_string(reached[2]));
    EXPECT_GT(reached[1], reached[0] + 1.0);
    EXPECT_GT(reached[2], reached[1] + 1.0);
    EXPECT_GT(reached[2], psnr(plain, reference) + 3.0);
    // What is averaged knows no history.
    EXPECT_EQ(averaged(bench, true, 0, pose, 3).rgba, averaged(bench, false, kReference, pose, 3).rgba);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Temporal, MovingPicturesAreBetterAndLeaveNoGhosts) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    for (const bool walks : {false, true}) {
        const Motion motion = last_of_motion(bench, walks, walks ? "walk" : "move");
        EXPECT_GT(motion.blended, motion.plain + 0.5);
        EXPECT_GT(motion.left, 10U);
        EXPECT_LE(motion.ghost, 6);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

TEST(Temporal, NoticesMotionThatIsTakenForStill) {
    Bench bench;
    bench.set_scene(encode(make_moving()));
    bench.renderer().set_test_hooks({.fault = render::Fault::kMotionIsZero});
    const Motion motion = last_of_motion(bench, true, "fault");
    bench.renderer().set_test_hooks({});
    EXPECT_LT(motion.blended, motion.plain);
}

TEST(Temporal, OffItLeavesPicturesPassesAndMemory) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    const auto passes = [&] {
        std::vector<std::string> out;
        bench.renderer().finish();
        const std::vector<render::FrameResult> results = bench.renderer().take_results();
        for (const gpu::PassTime& pass : results.back().times.passes) out.push_back(pass.name);
        return out;
    };
    shoot(bench, false, 0, near_pose());  // the first one decodes
    const render::Picture before = shoot(bench, false, 0, near_pose());
    const std::vector<std::string> passes_before = passes();
    const std::uint64_t bytes = bench.renderer().memory().targets;
    shoot(bench, true, 0, near_pose());
    std::vector<std::string> more = passes();
    // Two histories, the picture and motion.
    EXPECT_EQ(bench.renderer().memory().targets, bytes + std::uint64_t{kWide} * kHigh * (2 * 8 + 4 + 8));
    for (const char* pass : {"motion", "temporal"}) EXPECT_EQ(std::erase(more, pass), 1U) << pass;
    EXPECT_EQ(more, passes_before);
    const render::Picture after = shoot(bench, false, 0, near_pose());
    EXPECT_EQ(after.rgba, before.rgba);
    EXPECT_EQ(after.depth, before.depth);
    EXPECT_EQ(passes(), passes_before);
    EXPECT_EQ(bench.renderer().memory().targets, bytes);
}

}  // namespace
}  // namespace sublet::test::temporal_test
