// Geometry that comes as it is seen (render/stream/scene_stream.h): what frames show of it, and what becomes of files
// that can't be read.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "mesh/compact.h"
#include "render/scene/residency.h"
#include "render/view/legend.h"
#include "tests/images/gate.h"
#include "tests/images/harness.h"
#include "tests/images/shapes.h"

namespace sublet::test::streaming_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;
using render::Show;
using render::Streaming;

constexpr float kNear = 0.05F;
constexpr std::uint32_t kWidth = 121, kHeight = 83;

const scene::EncodedScene& shapes() {
    static const scene::EncodedScene made = encode(make_shapes(), mesh::Levels::kOn);
    return made;
}

// Between what is always there, and all.
std::uint64_t budget(double part, const scene::EncodedScene& scene = shapes()) {
    const std::uint64_t all = render::plan_residency(scene.geometry, {}).bytes;
    const std::uint64_t least = render::plan_residency(scene.geometry, {.budget = 0}).bytes;
    return least + static_cast<std::uint64_t>(part * static_cast<double>(all - least));
}

std::vector<CameraPose> poses() {
    return {{.eye = {4.0F, 1.0F, 5.0F}, .target = {0.3F, 0.1F, 0.0F}, .fov_degrees = 60.0F},
            {.eye = {-9.0F, 5.0F, 4.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 40.0F},
            {.eye = {0.4F, 0.3F, 0.1F}, .target = {5.0F, 1.0F, -1.0F}, .fov_degrees = 100.0F}};
}

bool same(const render::Picture& a, const render::Picture& b) {
    return a.depth == b.depth && a.rgba == b.rgba;
}

class StreamingTest : public testing::Test {
  protected:
    StreamingTest() {
        settings_.backend = Backend::kCompact;
        settings_.lod_error = 30.0F;
    }
    void TearDown() override {
        bench_.renderer().set_test_hooks({});
        EXPECT_EQ(bench_.validation_messages(), 0U);
    }

    render::Picture shoot(const CameraPose& pose, int frames = 1) {
        return bench_.shoot(settings_, pose, kNear, kWidth, kHeight, frames).picture;
    }
    [[nodiscard]] render::StreamFigures figures() const { return bench_.renderer().streaming().value(); }

    struct Shown {
        CameraPose pose;
        render::Picture picture;
        float error = 0.0F;  // that it was drawn by
    };
    void expect_of_the_whole_scene(const std::vector<Shown>& shown) {
        bench_.set_scene(shapes());
        for (std::size_t i = 0; i < shown.size(); ++i) {
            settings_.lod_error = shown[i].error;
            EXPECT_TRUE(same(shoot(shown[i].pose), shown[i].picture)) << i << " by an error of " << shown[i].error;
        }
    }

    Bench bench_;
    FrameSettings settings_;
};

// Whether frames wait or not, they come to show the same: once nothing is wished for, that of the whole scene.
TEST_F(StreamingTest, FramesThatGoOnComeToTheSamePicture) {
    for (const CameraPose& pose : poses()) {
        bench_.set_scene(shapes());
        const render::Picture whole = shoot(pose);
        bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.4), .stream_wait = false});
        bench_.renderer().set_test_hooks({.streaming = Streaming::kAtOnce});
        const render::Picture first = shoot(pose);
        EXPECT_GT(coverage(first), 0.02) << "what is always there is drawn at once";
        const render::Picture last = shoot(pose, 24);
        EXPECT_EQ(figures().wished, 0U);
        EXPECT_GT(figures().arrived, 0U);
        EXPECT_EQ(figures().seen_error, settings_.lod_error);
        EXPECT_TRUE(same(whole, last));
        // What half came is not what was asked for.
        bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.4), .stream_wait = false});
        bench_.renderer().set_test_hooks({.fault = render::Fault::kGroupHalfThere, .streaming = Streaming::kAtOnce});
        EXPECT_FALSE(same(whole, shoot(pose, 24))) << "nobody noticed that half was missing";
    }
}

// What comes and goes is decided beside the frames, which go on meanwhile.
TEST_F(StreamingTest, BesideFramesTheSamePictureIsCome) {
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.4), .stream_wait = false});
    const std::uint64_t first = figures().arrived;
    std::vector<render::Picture> shown;
    for (const CameraPose& pose : poses()) {
        shown.push_back(shoot(pose, 6));
        for (int i = 0; i < 10000 && figures().goes_on(); ++i) shown.back() = shoot(pose, 3);
        EXPECT_FALSE(figures().goes_on());
    }
    EXPECT_GT(figures().arrived, first);
    bench_.set_scene(shapes());
    for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_TRUE(same(shoot(poses()[i]), shown[i])) << i;
}

// What goes and comes back does so beside the frames as well.
TEST_F(StreamingTest, BesideFramesWhatGoesComesBack) {
    settings_.lod_error = 1.0F;
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.3), .stream_wait = false});
    std::vector<Shown> shown;
    for (int round = 0; round < 3; ++round) {
        for (const CameraPose& pose : poses()) {
            render::Picture picture = shoot(pose, 6);
            double before = 0.0;
            for (int i = 0; i < 10000 && (figures().goes_on() || figures().drawn_error != before); ++i) {
                before = figures().drawn_error;  // of frames that are over
                picture = shoot(pose, 4);
            }
            EXPECT_FALSE(figures().goes_on());
            shown.push_back({pose, std::move(picture), static_cast<float>(figures().drawn_error)});
        }
    }
    EXPECT_GT(figures().evicted, 0U);
    expect_of_the_whole_scene(shown);
}

// Pixels of each colour of a view's legend.
std::vector<std::size_t> count_colors(Show show, const render::Picture& picture) {
    std::vector<std::size_t> out;
    for (const render::LegendEntry& entry : render::legend_of(show).entries) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
            count += std::equal(entry.color.begin(), entry.color.end(), picture.rgba.begin() + i) ? 1 : 0;
        }
        out.push_back(count);
    }
    return out;
}

TEST_F(StreamingTest, AgeTellsWhenWhatIsDrawnCame) {
    const CameraPose pose = poses()[0];
    settings_.show = Show::kAge;
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.4), .stream_wait = false});
    bench_.renderer().set_test_hooks({.streaming = Streaming::kAtOnce});
    const auto ages = [&](int frames) { return count_colors(Show::kAge, shoot(pose, frames)); };
    const std::vector<std::size_t> first = ages(1);
    EXPECT_GT(first[0], 0U);
    EXPECT_EQ(first[1] + first[2] + first[3] + first[4], 0U) << "nothing has come yet";
    // What a frame wishes for is known two frames later.
    std::size_t fresh = 0;
    for (int i = 0; i < 6; ++i) fresh = std::max(fresh, ages(1)[1]);
    EXPECT_GT(fresh, 0U);
    for (int i = 0; i < 40 && figures().wished != 0; ++i) static_cast<void>(ages(1));
    ASSERT_EQ(figures().wished, 0U);
    const std::vector<std::size_t> later = ages(20);
    EXPECT_EQ(later[1], 0U);
    EXPECT_GT(later[2], 0U);
    const std::vector<std::size_t> last = ages(300);
    EXPECT_EQ(last[1] + last[2] + last[3], 0U);
    EXPECT_EQ(last[4], later[2]);
    // A scene that has room was there from the beginning.
    bench_.set_scene(shapes());
    const std::vector<std::size_t> whole = ages(1);
    EXPECT_GT(whole[0], 0U);
    EXPECT_EQ(whole[1] + whole[2] + whole[3] + whole[4], 0U);
}

// However slow a disk is, frames go on, by what is there; what then comes is drawn as if it had been fast.
TEST_F(StreamingTest, FramesNeverWaitForADisk) {
    const CameraPose pose = poses()[0];
    bench_.set_scene(shapes());
    const render::Picture whole = shoot(pose);
    const auto gate = std::make_shared<Gate>();  // threads that wait at it have it, whatever becomes of the test
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.4), .stream_wait = false});
    bench_.renderer().set_test_hooks({.before_reading = [gate] { gate->wait(); }});
    const render::Picture first = shoot(pose);
    const std::uint64_t roots = figures().arrived;
    EXPECT_GT(coverage(first), 0.02);
    EXPECT_TRUE(same(first, shoot(pose, 40)));
    EXPECT_GT(figures().wished, 0U);
    EXPECT_EQ(figures().arrived, roots);
    EXPECT_FALSE(gate->gave_up()) << "a frame waited for what nobody read";
    gate->open();
    bench_.renderer().set_test_hooks({.streaming = Streaming::kAtOnce});
    EXPECT_TRUE(same(whole, shoot(pose, 24)));
    EXPECT_GT(figures().arrived, roots);
    EXPECT_EQ(figures().wished, 0U);
    bench_.set_scene(shapes());  // no thread waits at the gate
}

// Where what is seen has no room, the error that there is room for is found: the picture is the whole scene's by it.
TEST_F(StreamingTest, AnErrorThatFitsIsFound) {
    settings_.lod_error = 0.25F;
    for (const CameraPose& pose : {poses()[0], poses()[1]}) {
        bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.3)});
        settings_.lod_fits = false;
        EXPECT_THROW(shoot(pose), Error);
        settings_.lod_fits = true;
        const render::Picture shown = shoot(pose);
        const float error = figures().drawn_error;
        EXPECT_GT(error, settings_.lod_error);
        EXPECT_EQ(figures().wished, 0U);
        EXPECT_GT(figures().demand, 0.3) << "far coarser than there is room for";
        bench_.set_scene(shapes());
        FrameSettings whole = settings_;
        whole.lod_error = error;
        EXPECT_TRUE(same(bench_.shoot(whole, pose, kNear, kWidth, kHeight, 1).picture, shown));
    }
}

// What a view finds does not hang on what others left, nor on one that found no room.
TEST_F(StreamingTest, AnErrorIsFoundAgainAfterOtherViews) {
    settings_.lod_error = 0.25F;
    settings_.lod_fits = true;
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.06)});
    std::vector<Shown> shown;
    for (int round = 0; round < 3; ++round) {
        for (const CameraPose& pose : {poses()[0], poses()[1]}) {
            EXPECT_THROW(shoot(poses()[2]), Error) << "what lies around the eye is wanted by any error";
            render::Picture picture = shoot(pose);
            EXPECT_EQ(figures().wished, 0U);
            shown.push_back({pose, std::move(picture), static_cast<float>(figures().drawn_error)});
        }
    }
    EXPECT_GT(figures().evicted, 0U);
    expect_of_the_whole_scene(shown);
}

// Where what is used goes all the same, what is left is drawn as it is there.
TEST_F(StreamingTest, WhatGoesTooEarlyIsDrawnByWhatIsThere) {
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.15), .stream_wait = false});
    settings_.lod_error = 1.0F;
    for (int round = 0; round < 8; ++round) {
        const CameraPose pose = poses()[static_cast<std::size_t>(round) % 3];
        bench_.renderer().set_test_hooks({.fault = render::Fault::kStaleStamps, .streaming = Streaming::kAtOnce});
        shoot(pose, 3);
        bench_.renderer().set_test_hooks({.streaming = Streaming::kHeld});
        const render::Picture shown = shoot(pose, 2);
        FrameSettings plain = reference_settings();
        plain.lod_error = settings_.lod_error;
        const render::Picture reference = bench_.shoot(plain, pose, kNear, kWidth, kHeight, 1, 7).picture;
        const Difference difference = compare(reference, shown, bench_.ambiguous(pose, kNear, kWidth, kHeight));
        EXPECT_EQ(difference.depth + difference.color, 0U) << round;
    }
    EXPECT_GT(figures().evicted, 0U);
}

// Where frames don't wait, the error that is asked for grows until what is seen has room, and comes back.
TEST_F(StreamingTest, TheErrorGrowsWhereThereIsNoRoom) {
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.2), .stream_wait = false});
    bench_.renderer().set_test_hooks({.streaming = Streaming::kAtOnce});
    settings_.lod_error = 0.0F;
    shoot(poses()[0], 160);
    EXPECT_LT(figures().demand, 1.0);
    EXPECT_GT(figures().drawn_error, 0.0);
    EXPECT_EQ(figures().wished, 0U);
    const double error = figures().drawn_error;
    shoot({.eye = {4.0F, 1.0F, 5.0F}, .target = {30.0F, 1.0F, 40.0F}}, 160);  // away
    EXPECT_LT(figures().drawn_error, error);
}

TEST_F(StreamingTest, WhatHasNoRoomIsAnError) {
    bench_.set_scene(shapes());
    const render::Picture whole = shoot(poses()[1]);
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.3)});
    settings_.lod_error = 0.0F;
    try {
        shoot(poses()[0]);
        ADD_FAILURE() << "all of it has no room";
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), "--vram-budget");
        EXPECT_NE(error.message().find("geometry that is seen takes about "), std::string::npos) << error.what();
    }
    // Another frame may follow.
    settings_.lod_error = 30.0F;
    EXPECT_TRUE(same(whole, shoot(poses()[1])));
}

// Views without culling show no more than others do.
TEST_F(StreamingTest, WithoutCullingNoMoreIsWanted) {
    bench_.set_scene(shapes());
    FrameSettings plain = reference_settings();
    plain.lod_error = settings_.lod_error;
    const CameraPose pose = poses()[2];  // from within
    const render::Picture whole = bench_.shoot(plain, pose, kNear, kWidth, kHeight).picture;
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.4)});
    shoot(pose);
    const double demand = figures().demand;
    EXPECT_TRUE(same(whole, bench_.shoot(plain, pose, kNear, kWidth, kHeight).picture));
    EXPECT_EQ(figures().demand, demand);
}

TEST_F(StreamingTest, ShadowsAreThoseOfTheWholeScene) {
    settings_.shadows = render::Shadows::kOn;
    settings_.lod_error = 15.0F;
    bench_.set_scene(shapes());
    const render::Picture whole = shoot(poses()[0], 2);
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget(0.8)});
    EXPECT_TRUE(same(whole, shoot(poses()[0], 2)));
    EXPECT_LT(figures().resident, figures().groups);
}

TEST_F(StreamingTest, WhatMovesIsThatOfTheWholeScene) {
    const scene::EncodedScene moving = encode(make_moving(), mesh::Levels::kOn);
    settings_.lod_error = 8.0F;
    const CameraPose pose{.eye = {4.0F, 3.0F, 8.0F}, .target = {0.0F, 0.0F, 0.0F}};
    for (const Backend backend : {Backend::kDirect, Backend::kCompact}) {
        settings_.backend = backend;
        std::vector<render::Picture> whole;
        bench_.set_scene(moving, {.grid = {}, .animation = "all"});
        for (int i = 0; i < 4; ++i) {
            bench_.renderer().set_time(0.37 * i);
            whole.push_back(shoot(pose));
        }
        bench_.set_scene(moving, {.grid = {}, .animation = "all", .vram_budget = budget(0.6, moving)});
        for (std::size_t i = 0; i < whole.size(); ++i) {
            bench_.renderer().set_time(0.37 * static_cast<double>(i));
            EXPECT_TRUE(same(whole[i], shoot(pose))) << i;
        }
        EXPECT_TRUE(bench_.renderer().streaming().has_value());
        bench_.renderer().set_time({});
    }
}

#ifndef _WIN32  // where nobody may cut a file short that others have open
TEST_F(StreamingTest, OfAFileThatIsCutShortTheCoarsePictureIsLeft) {
    const std::filesystem::path path = "cut_short.sublet";
    scene::write_sublet(path, shapes());
    bench_.set_scene(scene::open_sublet(path, nullptr, mesh::Validate::kTables),
                     {.grid = {}, .vram_budget = budget(0.4), .stream_wait = false});
    bench_.renderer().set_test_hooks({.streaming = Streaming::kAtOnce});
    const render::Picture before = shoot(poses()[0]);
    const std::uint64_t roots = figures().arrived;
    std::filesystem::resize_file(path, 64);
    const render::Picture after = shoot(poses()[0], 12);
    EXPECT_GT(figures().failed, 0U);
    EXPECT_EQ(figures().arrived, roots);
    EXPECT_TRUE(same(before, after)) << "what is always there";
    EXPECT_GT(coverage(after), 0.02);
    bench_.set_scene(shapes());  // nothing reads the file any more
    std::filesystem::remove(path);
}

TEST_F(StreamingTest, OfAFileThatIsWrittenToTheCoarsePictureIsLeft) {
    const std::filesystem::path path = "written.sublet";
    scene::write_sublet(path, shapes());
    bench_.set_scene(scene::open_sublet(path, nullptr, mesh::Validate::kTables),
                     {.grid = {}, .vram_budget = budget(0.4), .stream_wait = false});
    bench_.renderer().set_test_hooks({.streaming = Streaming::kAtOnce});
    const render::Picture before = shoot(poses()[0]);
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(-8, std::ios::end) << "changed";
    EXPECT_TRUE(same(before, shoot(poses()[0], 12)));
    EXPECT_GT(figures().failed, 0U);
    bench_.set_scene(shapes());
    std::filesystem::remove(path);
}

// A file that is opened by its tables is checked as it comes: what is wrong in it is not drawn.
TEST_F(StreamingTest, OfAHostileFileTheCoarsePictureIsLeft) {
    const std::filesystem::path path = "hostile.sublet";
    settings_.lod_error = 0.05F;
    scene::write_sublet(path, shapes());
    const auto open = [&] { return scene::open_sublet(path, nullptr, mesh::Validate::kTables); };
    std::vector<std::uint64_t> spoilt;  // a word in each of the finest blocks, in the file
    {
        const scene::EncodedScene good = open();
        ASSERT_NE(good.unchecked, nullptr);
        for (const shared::MeshHeader& mesh : good.geometry.meshes) {
            const auto words = good.geometry.payload.subspan(mesh.payload_offset, mesh.payload_size);
            for (std::uint32_t m = mesh.coarse_meshlets; m < mesh.meshlet_count; ++m) {
                const mesh::CompactBlock block = mesh::compact_block(mesh, words, m);
                spoilt.push_back(good.payload_offset + (mesh.payload_offset + block.block) * sizeof(std::uint32_t));
            }
        }
        bench_.set_scene(good, {.grid = {}, .vram_budget = budget(0.9)});
        const render::Picture streamed = shoot(poses()[2]);
        bench_.set_scene(shapes());
        EXPECT_TRUE(same(shoot(poses()[2]), streamed)) << "what was checked as it came";
    }
    const std::uint32_t bad_word = 0x5a5a5a5a;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (const std::uint64_t at : spoilt) {
        file.seekp(static_cast<std::streamoff>(at));
        file.write(reinterpret_cast<const char*>(&bad_word), sizeof bad_word);
    }
    file.close();
    EXPECT_THROW((void)scene::open_sublet(path), Error);
    const scene::EncodedScene bad = open();
    bench_.set_scene(bad, {.grid = {}, .vram_budget = budget(0.9)});
    try {
        shoot(poses()[2]);
        ADD_FAILURE() << "it was drawn";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("hostile.sublet: meshes["), std::string::npos) << error.what();
    }
    bench_.set_scene(bad, {.grid = {}, .vram_budget = budget(0.9), .stream_wait = false});
    bench_.renderer().set_test_hooks({.streaming = Streaming::kAtOnce});
    const render::Picture shown = shoot(poses()[2], 12);
    EXPECT_GT(figures().failed, 0U);
    EXPECT_GT(coverage(shown), 0.02);
    EXPECT_THROW(bench_.set_scene(bad), Error) << "where all of it is uploaded";
    bench_.set_scene(shapes());
    std::filesystem::remove(path);
}

TEST_F(StreamingTest, AFileThatCanNotBeReadIsAnErrorWhereFramesWait) {
    const std::filesystem::path path = "unreadable.sublet";
    scene::write_sublet(path, shapes());
    bench_.set_scene(scene::open_sublet(path), {.grid = {}, .vram_budget = budget(0.4)});
    std::filesystem::resize_file(path, 64);
    try {
        shoot(poses()[0]);
        ADD_FAILURE() << "it was read";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    }
    // It is tried again with the next frame.
    EXPECT_THROW(shoot(poses()[0]), Error);
    EXPECT_EQ(figures().loading, 0U);
    bench_.set_scene(shapes());
    std::filesystem::remove(path);
}
#endif

}  // namespace
}  // namespace sublet::test::streaming_test
