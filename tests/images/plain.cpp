// Plain pictures, which stand in while pipelines are being compiled. No test waits for a time: a gate holds compiling
// back until it is opened.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "harness.h"
#include "render/settings/backend_info.h"
#include "render/shade/shade.h"
#include "shapes.h"

namespace sublet::test::plain_test {
namespace {

using render::Backend;
using render::FrameSettings;

constexpr render::CameraPose kPose{.eye = {2.0F, 3.0F, 14.0F}, .target = {0.0F, 0.0F, 0.0F}};
constexpr float kNear = 0.02F;
constexpr std::uint32_t kWidth = 129, kHeight = 87;

// Holds back what is compiled beside frames.
class Gate {
  public:
    ~Gate() { open(); }
    void open() {
        if (!std::exchange(is_open_, true)) promise_.set_value();
    }
    [[nodiscard]] std::function<void(const std::string&)> waiting() const {
        return [opened = opened_](const std::string&) { opened.wait(); };
    }

  private:
    bool is_open_ = false;
    std::promise<void> promise_;
    std::shared_future<void> opened_{promise_.get_future()};
};

render::FramePlan plan_of(Bench& bench, const FrameSettings& settings) {
    render::SceneFacts facts = bench.renderer().facts();
    facts.width = kWidth;
    facts.height = kHeight;
    return render::resolve(settings, bench.device().capabilities(), facts);
}

FrameSettings settings_of(Backend backend) {
    FrameSettings settings;
    settings.backend = backend;
    settings.ev = 0.0F;
    return settings;
}

std::size_t colors(const render::Picture& picture) {
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        seen.insert(std::uint32_t{picture.rgba[i]} | std::uint32_t{picture.rgba[i + 1]} << 8U |
                    std::uint32_t{picture.rgba[i + 2]} << 16U);
    }
    return seen.size();
}

// The passes of all frames that were finished since this was asked last.
std::set<std::string> passes(Bench& bench) {
    std::set<std::string> out;
    for (const render::FrameResult& frame : bench.renderer().take_results()) {
        for (const gpu::PassTime& pass : frame.times.passes) out.insert(pass.name);
    }
    return out;
}

class Plain : public testing::TestWithParam<Backend> {};

// The plain picture covers what direct draws cover; then the true one comes, equal to the bit to that of a renderer
// which waited for its pipelines.
TEST_P(Plain, StandsInForThePictureAndThenItComes) {
    const FrameSettings settings = settings_of(GetParam());
    Bench waited;
    if (render::backend_unavailable(GetParam(), waited.device().capabilities())) GTEST_SKIP();
    waited.set_scene(encode(make_shapes()));
    waited.renderer().prepare(plan_of(waited, settings));
    EXPECT_FALSE(waited.renderer().plain(plan_of(waited, settings)));
    const Bench::Shot reference = waited.shoot(settings, kPose, kNear, kWidth, kHeight, 2);
    const Bench::Shot direct = waited.shoot(settings_of(Backend::kDirect), kPose, kNear, kWidth, kHeight);

    Bench bench;
    bench.renew();  // whose pipelines are all to be compiled
    Gate gate;
    bench.renderer().set_test_hooks({.before_compiling = gate.waiting()});
    bench.set_scene(encode(make_shapes()));
    const render::FramePlan plan = plan_of(bench, settings);
    bench.renderer().prepare(plan, false, render::Preparing::kPlainFirst);
    ASSERT_TRUE(bench.renderer().plain(plan));
    EXPECT_GT(bench.renderer().compiling().left, 0U);
    EXPECT_EQ(bench.renderer().compiling().left, bench.renderer().compiling().total);
    const std::uint64_t made = bench.device().made_pipelines();
    const Bench::Shot plain = bench.shoot(settings, kPose, kNear, kWidth, kHeight, 2);
    EXPECT_EQ(bench.device().made_pipelines(), made) << "its frames wait for no compiler";
    EXPECT_EQ(plain.picture.depth, direct.picture.depth);
    EXPECT_EQ(plain.picture.ids, direct.picture.ids);
    EXPECT_GT(coverage(plain.picture), 0.1);
    EXPECT_GT(colors(plain.picture), 50U) << "it is lit";
    EXPECT_NE(plain.picture.rgba, reference.picture.rgba);
    std::size_t like_background = 0;
    for (std::size_t i = 0; i < plain.picture.depth.size(); ++i) {
        const bool background = std::equal(std::begin(render::kBackgroundColor), std::end(render::kBackgroundColor),
                                           &plain.picture.rgba[i * 4]);
        if (plain.picture.depth[i] == 0.0F) {
            ASSERT_TRUE(background) << "pixel " << i << ", which nothing covers";
        } else {
            like_background += background ? 1 : 0;
        }
    }
    EXPECT_LT(static_cast<double>(like_background), 0.01 * static_cast<double>(plain.picture.depth.size()));
    for (const render::FrameResult& frame : bench.renderer().take_results()) {
        EXPECT_TRUE(frame.plain);
        EXPECT_TRUE(frame.fresh_pipelines) << "it is not timed";
    }

    gate.open();
    bench.renderer().prepare(plan);  // waits
    EXPECT_EQ(bench.renderer().compiling().left, 0U);
    EXPECT_FALSE(bench.renderer().plain(plan));
    const Bench::Shot shot = bench.shoot(settings, kPose, kNear, kWidth, kHeight, 2);
    EXPECT_EQ(shot.picture.depth, reference.picture.depth);
    EXPECT_EQ(shot.picture.ids, reference.picture.ids);
    EXPECT_EQ(shot.picture.rgba, reference.picture.rgba);
    for (const render::FrameResult& frame : bench.renderer().take_results()) EXPECT_FALSE(frame.plain);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, Plain, testing::Values(Backend::kDirect, Backend::kCompact, Backend::kRaster),
                         [](const testing::TestParamInfo<Backend>& info) {
                             return std::string(render::backend_name(info.param));
                         });

// Where direct draws would take longer than compiling, a plain picture is drawn by the plan's own backend.
TEST(PlainPictures, OfLargeScenesAreDrawnByTheirBackend) {
    const FrameSettings settings = settings_of(Backend::kCompact);
    for (const bool large : {false, true}) {
        Bench bench;
        bench.renew();
        Gate gate;
        render::TestHooks hooks{.before_compiling = gate.waiting()};
        if (large) hooks.most_plain_triangles = 1;
        bench.renderer().set_test_hooks(hooks);
        bench.set_scene(encode(make_shapes()));
        const render::FramePlan plan = plan_of(bench, settings);
        bench.renderer().prepare(plan, false, render::Preparing::kPlainFirst);
        ASSERT_TRUE(bench.renderer().plain(plan));
        EXPECT_GT(coverage(bench.shoot(settings, kPose, kNear, kWidth, kHeight, 2).picture), 0.1);
        const std::set<std::string> drawn = passes(bench);
        EXPECT_TRUE(drawn.contains("shade plain"));
        EXPECT_EQ(drawn.contains("cull meshlets 1"), large);
    }
}

// Prefix sums, here of lights with a range, are compiled behind the plain picture, and before the true one.
TEST(PlainPictures, WaitForNoPrefixSum) {
    scene::ImportedScene lit = make_shapes();
    lit.scene.lights = {{.name = {}, .intensity = 60.0F, .range = 9.0F}};
    scene::Node node;
    node.light = 0;
    lit.scene.nodes.push_back(node);
    Bench bench;
    bench.renew();
    std::mutex mutex;
    std::set<std::string> behind;
    bench.renderer().set_test_hooks({.before_compiling = [&](const std::string& name) {
        const std::scoped_lock lock(mutex);
        behind.insert(name);
    }});
    bench.set_scene(encode(std::move(lit)));
    const FrameSettings settings = settings_of(Backend::kDirect);
    const render::FramePlan plan = plan_of(bench, settings);
    bench.renderer().prepare(plan, false, render::Preparing::kPlainFirst);
    bench.renderer().prepare(plan);  // waits
    EXPECT_TRUE(behind.contains("scan") || behind.contains("scan reduce"));
    const std::uint64_t made = bench.device().made_pipelines();
    EXPECT_GT(coverage(bench.shoot(settings, kPose, kNear, kWidth, kHeight).picture), 0.1);
    EXPECT_TRUE(passes(bench).contains("cluster lights"));
    EXPECT_EQ(bench.device().made_pipelines(), made) << "a frame waited for a compiler";
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// Shading does not ask what is hidden: its pipelines, which take longest, stay.
TEST(PlainPictures, HidingCompilesNoShading) {
    Bench bench;
    bench.renew();
    bench.set_scene(encode(make_shapes()));
    const FrameSettings settings = settings_of(Backend::kDirect);
    const render::FramePlan plan = plan_of(bench, settings);
    bench.renderer().prepare(plan, true);
    const Bench::Shot before = bench.shoot(settings, kPose, kNear, kWidth, kHeight, 1);
    std::vector<char> hidden(bench.scene().scene.nodes.size(), 0);
    hidden[0] = 1;
    std::mutex mutex;
    std::set<std::string> compiled;
    bench.renderer().set_test_hooks({.before_compiling = [&](const std::string& name) {
        const std::scoped_lock lock(mutex);
        compiled.insert(name);
    }});
    bench.renderer().set_hidden(hidden);
    bench.renderer().prepare(plan, true, render::Preparing::kPlainFirst);
    bench.renderer().prepare(plan, true);  // waits
    for (const std::string& name : compiled) EXPECT_FALSE(name.starts_with("shade")) << name;
    const Bench::Shot after = bench.shoot(settings, kPose, kNear, kWidth, kHeight, 1);
    EXPECT_LT(coverage(after.picture), coverage(before.picture));
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// A pipeline that fails beside the frames is an error of the plan that wants it, once it is known. A renderer that
// waits tries again.
TEST(PlainPictures, TellOfAPipelineThatFails) {
    std::promise<void> refused;
    Bench bench;
    bench.renew();
    bench.renderer().set_test_hooks({.before_compiling = [&](const std::string& name) {
        if (name != "shade") return;
        refused.set_value();
        throw Error("no " + name);
    }});
    bench.set_scene(encode(make_shapes()));
    const render::FramePlan plan = plan_of(bench, settings_of(Backend::kDirect));
    bench.renderer().prepare(plan, false, render::Preparing::kPlainFirst);
    refused.get_future().wait();
    const auto told = [&] {
        while (bench.renderer().plain(plan)) std::this_thread::yield();  // until it is written down
    };
    EXPECT_THROW(told(), Error);
    bench.renderer().prepare(plan);
    EXPECT_FALSE(bench.renderer().plain(plan));
}

}  // namespace
}  // namespace sublet::test::plain_test
