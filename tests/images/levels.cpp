// Levels of detail: every backend draws the same cut, to the bit, and a cut looks like the finest level.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "mesh/view.h"
#include "render/scene/residency.h"
#include "render/settings/backend_info.h"
#include "tests/images/harness.h"
#include "tests/images/ids.h"
#include "tests/images/shapes.h"

namespace sublet::test::levels_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;

constexpr float kNear = 0.05F;
constexpr std::uint32_t kWidth = 131, kHeight = 87;

// Encoded once: mirrored, sheared, masked, double-sided and transmissive instances.
const scene::EncodedScene& shapes() {
    static const scene::EncodedScene kScene = encode(make_shapes(), mesh::Levels::kOn);
    return kScene;
}

// Close, at a distance, far away, from within, and from above.
std::vector<CameraPose> poses() {
    return {{.eye = {4.0F, 1.0F, 5.0F}, .target = {0.3F, 0.1F, 0.0F}, .fov_degrees = 60.0F},
            {.eye = {-16.0F, 5.0F, 9.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 40.0F},
            {.eye = {40.0F, -20.0F, 90.0F}, .target = {0.0F, 0.0F, 0.0F}, .fov_degrees = 8.0F},
            {.eye = {0.4F, 0.3F, 0.1F}, .target = {5.0F, 1.0F, -1.0F}, .fov_degrees = 100.0F}};
}

class Levels : public testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        if (const auto reason =
                render::backend_unavailable(*GetParam().settings.backend, bench_.device().capabilities())) {
            GTEST_SKIP() << *reason;
        }
    }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    // Holds a frame to direct draws, or to the compute rasteriser's own pictures without culling, of the same cut.
    Bench::Shot expect_exact(FrameSettings settings, const CameraPose& pose, const std::string& what, int frames = 2) {
        settings.backend = GetParam().settings.backend;
        settings.cull_sublets = GetParam().settings.cull_sublets;
        const Bench::Shot shot = bench_.shoot(settings, pose, kNear, kWidth, kHeight, frames);
        FrameSettings plain = reference_settings(render::Show::kShaded, settings.backend);
        plain.lod = settings.lod;
        plain.lod_error = settings.lod_error;
        plain.projection = settings.projection;
        const Bench::Shot reference = bench_.shoot(plain, pose, kNear, kWidth, kHeight, 1, 7);
        render::AmbiguousPixels ambiguous;  // counted where pictures differ: as a rule they don't
        ambiguous.mask.resize(reference.picture.depth.size());
        Difference difference = compare(reference.picture, shot.picture, ambiguous);
        if (difference.depth + difference.color != 0) {
            ambiguous = bench_.ambiguous(pose, kNear, kWidth, kHeight,
                                         settings.projection.value_or(render::Projection::kPerspective));
            difference = compare(reference.picture, shot.picture, ambiguous);
        }
        EXPECT_EQ(difference.depth, 0U) << what;
        EXPECT_EQ(difference.color, 0U) << what;
        if (difference.depth + difference.color != 0) {
            save(reference.picture, GetParam().name + "_reference");
            save(shot.picture, GetParam().name);
        }
        EXPECT_GT(coverage(shot.picture), 0.02) << what;
        return shot;
    }

    Bench bench_;
};

TEST_P(Levels, DrawTheCut) {
    bench_.set_scene(shapes());
    for (const CameraPose& pose : poses()) {
        for (const float error : {0.0F, 1.0F, 5.0F}) {
            FrameSettings settings;
            settings.lod_error = error;
            expect_exact(settings, pose, "error " + std::to_string(error));
        }
    }
    // Tables of bits that are far shorter than the scene: instances share words.
    bench_.renderer().set_test_hooks({.most_bit_words = 2});
    for (const CameraPose& pose : poses()) expect_exact({}, pose, "shared bits");
    bench_.renderer().set_test_hooks({});
    FrameSettings settings;
    settings.cull_occlusion = false;
    settings.lod_error = 2.0F;
    const std::uint64_t coarse = expect_exact(settings, poses()[1], "without occlusion").counters.primitives_tested;
    settings.lod = false;
    const std::uint64_t finest = expect_exact(settings, poses()[1], "finest").counters.primitives_tested;
    EXPECT_LT(coarse * 2, finest) << "the cut is not what was drawn";
    settings = {};
    settings.projection = render::Projection::kOrthographic;
    expect_exact(settings, poses()[1], "orthographic");
}

// What a backend counts of the cut is what direct draws, on the CPU, count of it.
TEST_P(Levels, CountTheCut) {
    bench_.set_scene(shapes());
    const render::SceneTotals totals = bench_.renderer().totals();
    std::uint64_t all = 0;
    for (const scene::Instance& instance : scene::instances(shapes(), {})) {
        all += shapes().geometry.meshes[instance.mesh].meshlet_count;
    }
    CameraPose pose = poses()[1];
    const auto shoot = [&](FrameSettings settings, Backend backend, int frames) {
        settings.backend = backend;
        const render::Counters counters = bench_.shoot(settings, pose, kNear, kWidth, kHeight, frames).counters;
        EXPECT_TRUE(counters.cut && counters.funnel && counters.funnel->levels);
        if (!counters.cut || !counters.funnel || !counters.funnel->levels) return render::CutCounters{};
        const render::Funnel::Step& step = *counters.funnel->levels;
        EXPECT_EQ(step.total, counters.cut->all_meshlets);
        EXPECT_EQ(step.total, step.rejected.sum() + step.drawn());
        EXPECT_EQ(step.drawn(), counters.cut->meshlets);
        EXPECT_EQ(step.drawn(), counters.funnel->meshlets->total);
        return *counters.cut;
    };
    const auto sum = [](const render::LevelCounts& counts) {
        return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    };
    FrameSettings settings = reference_settings();
    for (const float error : {0.0F, 1.0F, 4.0F}) {
        settings.lod_error = error;
        const render::CutCounters cut = shoot(settings, *GetParam().settings.backend, 1);
        EXPECT_EQ(cut, shoot(settings, Backend::kDirect, 1)) << error;
        EXPECT_EQ(cut.all_meshlets, all);
        EXPECT_EQ(cut.finest_triangles, totals.instanced.triangles);
        EXPECT_EQ(sum(cut.drawn_triangles), cut.triangles) << "nothing was culled";
        if (error == 0.0F) {
            EXPECT_EQ(cut.drawn_triangles[0], cut.finest_triangles);
            EXPECT_EQ(cut.meshlets, totals.instanced.meshlets);
        } else {
            EXPECT_LT(cut.triangles, cut.finest_triangles);
            EXPECT_GT(sum(cut.drawn_triangles), cut.drawn_triangles[0]);
        }
    }
    pose = poses()[3];
    settings.lod_error = 1.0F;
    settings.cull_frustum = settings.cull_cone = settings.cull_instances = settings.direct_meshlets = true;
    const render::CutCounters culled = shoot(settings, *GetParam().settings.backend, 1);
    EXPECT_EQ(culled, shoot(settings, Backend::kDirect, 1));
    EXPECT_LT(sum(culled.drawn_triangles), culled.triangles);
    // Once a frame, though two phases look at it.
    if (GetParam().settings.backend == Backend::kDirect) return;
    settings.cull_occlusion = true;
    const render::CutCounters settled = shoot(settings, *GetParam().settings.backend, 4);
    EXPECT_EQ(settled, shoot(settings, *GetParam().settings.backend, 1));
    EXPECT_LE(settled.triangles, culled.triangles);
    EXPECT_LE(sum(settled.drawn_triangles), sum(culled.drawn_triangles));
    settings.lod = false;
    settings.backend = GetParam().settings.backend;
    const render::Counters finest = bench_.shoot(settings, pose, kNear, kWidth, kHeight).counters;
    EXPECT_FALSE(finest.cut || finest.funnel->levels);
}

// Lists too short for a frame, and what is left then drawn without lists: no meshlet but those of the cut.
TEST_P(Levels, DrawTheCutInRoundsAndWithoutLists) {
    if (render::backend_info(*GetParam().settings.backend).survivors == render::Survivors::kNone) {
        GTEST_SKIP() << "has no list";
    }
    FrameSettings settings = GetParam().settings;
    settings.cull_occlusion = false;
    bench_.set_scene(shapes());
    const std::optional<render::CutCounters> whole =
        bench_.shoot(settings, poses()[1], kNear, kWidth, kHeight).counters.cut;
    ASSERT_TRUE(whole.has_value());
    bench_.set_scene(shapes(), {.grid = {}, .survivor_budget = 1024});
    EXPECT_EQ(bench_.shoot(settings, poses()[1], kNear, kWidth, kHeight).counters.cut, whole);
    EXPECT_GT(bench_.renderer().counters().rounds, 1U);
    for (const std::uint32_t rounds : {64U, 1U}) {
        bench_.renderer().set_test_hooks({.most_rounds = rounds});
        const Bench::Shot shot = expect_exact({}, poses()[1], std::to_string(rounds) + " rounds");
        EXPECT_GT(shot.counters.rounds, 1U);
        EXPECT_TRUE(rounds != 1 || shot.counters.rounds == 2) << "what is left is drawn without lists";
        EXPECT_EQ(shot.counters.cut.has_value(), rounds != 1);
    }
    // A round lists what it leaves, as far as there is room.
    bench_.renderer().set_test_hooks({.most_undone_groups = 1});
    const Bench::Shot shot = expect_exact({}, poses()[1], "a list of one workgroup");
    EXPECT_GT(shot.counters.rounds, 2U);
    EXPECT_FALSE(shot.counters.cut.has_value()) << "what found no room is drawn without lists";
}

std::uint64_t bytes_of_all() {
    return render::plan_residency(shapes().geometry, {}).bytes;
}
std::uint64_t least_bytes() {
    return render::plan_residency(shapes().geometry, {.budget = 0}).bytes;
}

// Where frames wait for what they show, a scene that has no room at once looks as the whole one does.
TEST_P(Levels, ThatComeAsTheyAreSeenAreThoseOfTheWholeScene) {
    ASSERT_LT(least_bytes(), bytes_of_all() / 4 * 3);
    FrameSettings settings;
    settings.lod_error = 30.0F;
    settings.backend = GetParam().settings.backend;
    std::vector<render::Picture> whole;
    bench_.set_scene(shapes());
    for (const CameraPose& pose : poses()) {
        whole.push_back(bench_.shoot(settings, pose, kNear, kWidth, kHeight, 2).picture);
    }
    const std::uint64_t budget = least_bytes() + (bytes_of_all() - least_bytes()) / 3;
    bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget});
    ASSERT_TRUE(bench_.renderer().facts().in_part);
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < poses().size(); ++i) {
            const Bench::Shot shot = bench_.shoot(settings, poses()[i], kNear, kWidth, kHeight, 2);
            EXPECT_EQ(shot.picture.depth, whole[i].depth) << i;
            EXPECT_EQ(shot.picture.rgba, whole[i].rgba) << i;
        }
    }
    const render::StreamFigures figures = bench_.renderer().streaming().value();
    EXPECT_GT(figures.arrived, figures.groups / 10);
    EXPECT_LT(figures.resident, figures.groups);
    EXPECT_EQ(figures.wished, 0U);
}

// Where they don't wait, every backend draws the same of what is there.
TEST_P(Levels, DrawWhatIsThere) {
    FrameSettings settings;
    settings.backend = GetParam().settings.backend;
    for (const std::uint64_t budget : {least_bytes() + (bytes_of_all() - least_bytes()) / 5, std::uint64_t{1}}) {
        bench_.set_scene(shapes(), {.grid = {}, .vram_budget = budget, .stream_wait = false});
        for (const CameraPose& pose : poses()) {
            bench_.renderer().set_test_hooks({.streaming = render::Streaming::kAtOnce});
            bench_.shoot(settings, pose, kNear, kWidth, kHeight, 6);
            bench_.renderer().set_test_hooks({.streaming = render::Streaming::kHeld});
            expect_exact({}, pose, std::to_string(budget) + " bytes");
            FrameSettings finest;
            finest.lod = false;
            expect_exact(finest, pose, "the finest that is there");
        }
        const render::StreamFigures figures = bench_.renderer().streaming().value();
        EXPECT_GT(figures.arrived, 0U);
        EXPECT_LT(figures.resident, figures.groups);
    }
    bench_.renderer().set_test_hooks({});
}

INSTANTIATE_TEST_SUITE_P(All, Levels, testing::ValuesIn(tried_ways()),
                         [](const testing::TestParamInfo<Way>& info) { return test_name(info.param); });

class LevelsOfABench : public testing::Test {
  protected:
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Bench bench_;
};

bool same(const render::Picture& a, const render::Picture& b) {
    return a.depth == b.depth && a.rgba == b.rgba;
}

TEST_F(LevelsOfABench, EveryExpansionDealsOutTheCut) {
    bench_.set_scene(shapes());
    std::optional<render::CutCounters> cut;
    for (const render::ExpansionStrategy strategy : render::all_expansions()) {
        SCOPED_TRACE(std::string(render::expansion_name(strategy)));
        if (render::expansion_unavailable(strategy, bench_.device().capabilities())) continue;
        FrameSettings settings;
        settings.backend = Backend::kCompact;
        settings.expansion = strategy;
        const Bench::Shot shot = bench_.shoot(settings, poses()[1], kNear, kWidth, kHeight, 2);
        EXPECT_GT(shot.counters.meshlets_tested, 0U);
        ASSERT_TRUE(shot.counters.cut.has_value());
        if (!cut) cut = shot.counters.cut;
        EXPECT_EQ(shot.counters.cut, cut);
        const Bench::Shot reference = bench_.reference(poses()[1], kNear, kWidth, kHeight);
        const Difference difference =
            compare(reference.picture, shot.picture, bench_.ambiguous(poses()[1], kNear, kWidth, kHeight));
        EXPECT_EQ(difference.depth + difference.color, 0U);
    }
}

// Of a file that changes once it was checked, what is there is found and drawn all the same, whatever comes of it.
TEST_F(LevelsOfABench, FlippedBitsOfWhatIsThereAreDrawnToTheEnd) {
    std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same bits each time
    bench_.set_scene(shapes());
    const std::uint64_t budget =
        render::plan_residency(shapes().geometry, {}).bytes / 2 + bench_.renderer().memory().materials;
    for (int round = 0; round < 8; ++round) {
        auto geometry = std::make_shared<mesh::Geometry>();
        mesh::append(*geometry, shapes().geometry);
        for (int flip = 0; flip < 4000; ++flip) {
            geometry->payload[random() % geometry->payload.size()] ^= 1U << (random() % 32);
        }
        scene::EncodedScene flipped = shapes();
        flipped.geometry = geometry->view();
        flipped.storage = std::move(geometry);
        bench_.set_scene(std::move(flipped), {.grid = {}, .vram_budget = budget});
        EXPECT_TRUE(bench_.renderer().facts().in_part);
        FrameSettings settings;
        settings.backend = Backend::kCompact;
        const Bench::Shot shot = bench_.shoot(settings, poses()[0], kNear, kWidth, kHeight, 2);
        EXPECT_EQ(shot.picture.depth.size(), std::size_t{kWidth} * kHeight);
    }
}

// A file's finest level is the file without levels, to the bit.
TEST_F(LevelsOfABench, OffIsTheFinest) {
    const scene::EncodedScene without = encode(make_shapes());
    for (const Backend backend : {Backend::kDirect, Backend::kCompact}) {
        FrameSettings settings;
        settings.backend = backend;
        for (const CameraPose& pose : poses()) {
            bench_.set_scene(without);
            const render::Picture plain = bench_.shoot(settings, pose, kNear, kWidth, kHeight, 2).picture;
            bench_.set_scene(shapes());
            settings.lod = false;
            EXPECT_TRUE(same(plain, bench_.shoot(settings, pose, kNear, kWidth, kHeight, 2).picture));
            settings.lod = true;
        }
    }
}

// A cut that moves with the camera, through walls of bits that are of other meshlets: exact in every frame. And one
// that is frozen stays as it is.
TEST_F(LevelsOfABench, TheCutMovesAndFreezes) {
    bench_.set_scene(shapes());
    FrameSettings settings;
    settings.backend = Backend::kCompact;
    settings.lod_error = 2.0F;
    std::uint64_t second = 0;
    for (int frame = 0; frame < 16; ++frame) {
        const float t = 0.11F * static_cast<float>(frame);
        const float distance = 4.0F + 20.0F * static_cast<float>(frame) / 16.0F;
        const CameraPose pose{.eye = {distance * std::cos(t), 1.0F, distance * std::sin(t)}, .target = {}};
        const Bench::Shot shot = bench_.shoot(settings, pose, kNear, kWidth, kHeight);
        FrameSettings plain = reference_settings();
        plain.lod_error = settings.lod_error;
        const Bench::Shot reference = bench_.shoot(plain, pose, kNear, kWidth, kHeight, 1, 7);
        const Difference difference =
            compare(reference.picture, shot.picture, bench_.ambiguous(pose, kNear, kWidth, kHeight));
        EXPECT_EQ(difference.depth + difference.color, 0U) << frame;
        second += shot.counters.meshlets_drawn_phase2;
    }
    EXPECT_GT(second, 0U);
    settings.cull_occlusion = false;
    settings.cull_frustum = settings.cull_cone = false;
    settings.freeze_culling = 0;
    const render::Counters near = bench_.shoot(settings, poses()[0], kNear, kWidth, kHeight, 2, 3).counters;
    const render::Counters far = bench_.shoot(settings, poses()[2], kNear, kWidth, kHeight, 1, 3).counters;
    EXPECT_EQ(near.primitives_tested, far.primitives_tested);
    EXPECT_EQ(near.cut, far.cut);
    EXPECT_EQ(far.funnel->levels->total, far.funnel->levels->rejected.sum() + far.funnel->levels->drawn());
    settings.freeze_culling = -1;
    EXPECT_LT(bench_.shoot(settings, poses()[2], kNear, kWidth, kHeight, 1, 4).counters.primitives_tested,
              near.primitives_tested);
}

// A colour for each level, for each share of the error, and for each group.
TEST_F(LevelsOfABench, ViewsTellOfThem) {
    bench_.set_scene(shapes());
    const IdReader ids(shapes());
    const mesh::GeometryView& geometry = shapes().geometry;
    FrameSettings settings = reference_settings();
    settings.lod_error = 2.0F;
    const auto picture = [&](render::Show show) {
        settings.show = show;
        return bench_.shoot(settings, poses()[1], kNear, kWidth, kHeight).picture;
    };
    const render::Picture level = picture(render::Show::kLod);
    const render::Picture group = picture(render::Show::kLodGroup);
    const render::Picture error = picture(render::Show::kLodError);
    std::map<std::uint32_t, std::set<Color>> by_level;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<Color>> by_group;
    const Color exact{0x78, 0x50, 0xa0};  // the first of kLodErrorColors
    for (std::size_t i = 0; i < level.depth.size(); ++i) {
        if (level.depth[i] == 0.0F) continue;
        const SeenTriangle seen = ids.read(level.ids[i]);
        const mesh::MeshHeader& mesh = geometry.meshes[ids.instances()[seen.instance].mesh];
        const mesh::LodMeshlet& meshlet =
            geometry.lod_meshlets[mesh.first_meshlet + seen.sublet / shared::kSubletsPerMeshlet];
        const bool leaf = meshlet.simplified_from == shared::kNoLodGroup;
        by_level[leaf ? 0 : geometry.lod_groups[meshlet.simplified_from].level + 1].insert(color_at(level, i));
        by_group[{seen.instance, meshlet.group}].insert(color_at(group, i));
        EXPECT_EQ(color_at(error, i) == exact, leaf);
    }
    const auto expect_own = [](const auto& colors) {
        std::set<Color> all;
        for (const auto& [key, of_key] : colors) {
            EXPECT_EQ(of_key.size(), 1U);
            all.insert(of_key.begin(), of_key.end());
        }
        EXPECT_EQ(all.size(), colors.size());
        EXPECT_GE(colors.size(), 2U);
    };
    expect_own(by_level);
    expect_own(by_group);
    // And single pixels.
    std::vector<Bench::Request> views(1);
    views[0] = {.settings = settings, .pose = poses()[1], .near_plane = kNear, .width = kWidth, .height = kHeight};
    std::set<std::uint32_t> levels;
    for (std::uint32_t x = 30; x < kWidth - 30; x += 4) {
        views[0].inspection.probes = {{x, 30}, {x, 40}, {x, 50}, {x, 60}};
        bench_.render(views);
        bench_.renderer().finish();
        const std::optional<render::InspectionResult> result = bench_.renderer().inspected();
        ASSERT_TRUE(result.has_value());
        for (const render::Probe& probe : result->probes) {
            if (!probe.covered) continue;
            const std::size_t i = std::size_t{probe.pixel.y} * kWidth + probe.pixel.x;
            EXPECT_TRUE(by_level.at(probe.level).contains(color_at(level, i)));
            EXPECT_EQ(probe.level == 0, probe.level_error == 0.0F);
            EXPECT_LE(probe.level_error, 1.0F);
            levels.insert(probe.level);
        }
    }
    EXPECT_EQ(levels.size(), by_level.size());
}

// With a camera that moves and jumps every backend counts the same, and each triangle once.
TEST_F(LevelsOfABench, AreCountedOnceInTwoPhases) {
    std::map<std::string, std::vector<render::CutCounters>> flights;
    for (const Way& way : tried_ways()) {
        const render::BackendInfo& info = render::backend_info(*way.settings.backend);
        if (!render::culls_on_gpu(info) || info.primitives == render::PrimitiveCulling::kRaster) continue;
        if (render::backend_unavailable(*way.settings.backend, bench_.device().capabilities())) continue;
        SCOPED_TRACE(way.name);
        bench_.set_scene(shapes());  // of the flight before nothing is known
        FrameSettings settings = way.settings;
        settings.occlusion_detail = render::OcclusionDetail::kMeshlets;
        settings.lod_error = 0.5F;
        for (int frame = 0; frame < 9; ++frame) {
            const float t = 0.2F * static_cast<float>(frame) + (frame % 4 == 3 ? 2.0F : 0.0F);
            const float distance = 3.0F + static_cast<float>(frame % 5);
            const CameraPose pose{.eye = {distance * std::cos(t), 1.0F, distance * std::sin(t)}, .target = {}};
            const render::Counters counters = bench_.shoot(settings, pose, kNear, kWidth, kHeight).counters;
            ASSERT_TRUE(counters.cut && counters.funnel && counters.funnel->levels);
            const render::Funnel::Step& step = *counters.funnel->levels;
            EXPECT_EQ(step.total, step.rejected.sum() + step.drawn());
            EXPECT_EQ(step.drawn(), counters.funnel->meshlets->total);
            const render::LevelCounts& drawn = counters.cut->drawn_triangles;
            const std::uint64_t sum = std::accumulate(drawn.begin(), drawn.end(), std::uint64_t{0});
            EXPECT_LE(sum, counters.cut->triangles);
            EXPECT_GE(sum, counters.primitives_drawn);
            if (way.name == whole_meshlets().name) {
                EXPECT_EQ(sum, counters.primitives_drawn);
            }
            flights[way.name].push_back(*counters.cut);
        }
    }
    EXPECT_GE(flights.size(), 4U);
    for (const auto& [name, flight] : flights) EXPECT_EQ(flight, flights.begin()->second) << name;
}

// Instances that animations move: direct draws leave their cut to the GPU.
TEST_F(LevelsOfABench, OfWhatMoves) {
    bench_.set_scene(encode(make_moving(), mesh::Levels::kOn), {.grid = {}, .animation = "all"});
    for (const Backend backend : {Backend::kCompact, Backend::kMdi}) {
        FrameSettings settings;
        settings.backend = backend;
        settings.time = 0.7;
        settings.lod_error = 2.0F;
        const Bench::Shot shot = bench_.shoot(settings, poses()[1], kNear, kWidth, kHeight, 2);
        FrameSettings plain = reference_settings();
        plain.time = settings.time;
        plain.lod_error = settings.lod_error;
        const Bench::Shot reference = bench_.shoot(plain, poses()[1], kNear, kWidth, kHeight, 1, 7);
        const Difference difference =
            compare(reference.picture, shot.picture, bench_.ambiguous(poses()[1], kNear, kWidth, kHeight));
        EXPECT_EQ(difference.depth + difference.color, 0U);
        EXPECT_GT(coverage(shot.picture), 0.02);
    }
}

}  // namespace
}  // namespace sublet::test::levels_test
