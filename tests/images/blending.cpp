// What blends: stacks of it are those that sorting gives, by every backend alike, however short lists are.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"
#include "render/settings/backend_info.h"
#include "shaders/shared/shade.h"
#include "shaders/shared/view_colors.h"
#include "shapes.h"

namespace sublet::test::blending_test {
namespace {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;

// Colours of the picture as they are in its materials.
FrameSettings plain_light(FrameSettings settings = {}) {
    settings.environment.kind = render::EnvironmentKind::kNone;
    settings.tone = render::Tone::kNone;
    return settings;
}

std::uint32_t add_blended(scene::Scene& scene, const glm::vec4& color, bool unlit) {
    scene::Material material;
    material.base_color = color;
    material.unlit = unlit;
    material.double_sided = true;
    if (color.w < 1.0F) material.alpha_mode = scene::AlphaMode::kBlend;
    scene.materials.push_back(material);
    return static_cast<std::uint32_t>(scene.materials.size()) - 1;
}

int add_pane(scene::ImportedScene& out, std::uint32_t material) {
    scene::SourceMesh mesh = make_quad({-1.0F, -1.0F, 0.0F}, {2.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F});
    mesh.colors.clear();
    return add_mesh(out, std::move(mesh), material);
}

int stored(double linear) {
    const double encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255.0 * std::clamp(encoded, 0.0, 1.0)));
}

struct Pane {
    double distance = 0.0;
    glm::dvec4 color{};
};

// Cells of 8 x 8 pixels, each with a stack of panes that fill it but for its border.
constexpr int kCells = 32;
constexpr int kCell = 8;
constexpr std::uint32_t kSize = kCells * kCell;
constexpr float kHalfHeight = 0.5F;  // of the view, at a distance of 1
const CameraPose kAlongZ{.eye = glm::vec3(0.0F),
                         .target = {0.0F, 0.0F, -1.0F},
                         .fov_degrees = 2.0F * std::atan(kHalfHeight) * 180.0F / std::numbers::pi_v<float>};

struct Stacks {
    scene::ImportedScene scene;
    std::vector<std::vector<Pane>> panes;  // of each cell, in the order in which they were placed
};

Stacks random_stacks(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> share(0.0F, 1.0F);
    Stacks out;
    std::vector<int> meshes;
    std::vector<glm::vec4> colors;
    for (int i = 0; i < 64; ++i) {
        const float alpha = i < 4 ? 1.0F : 0.02F + 0.96F * share(random);
        colors.emplace_back(share(random), share(random), share(random), alpha);
        meshes.push_back(add_pane(out.scene, add_blended(out.scene.scene, colors.back(), true)));
    }
    for (int cell = 0; cell < kCells * kCells; ++cell) {
        const glm::vec2 at = 2.0F * (glm::vec2(cell % kCells, cell / kCells) + 0.5F) / float{kCells} - 1.0F;
        std::vector<Pane>& panes = out.panes.emplace_back();
        for (auto left = static_cast<int>(9.0F * share(random)); left > 0; --left) {
            const std::size_t which = random() % meshes.size();
            const float distance = 1.0F + 9.0F * share(random);
            panes.push_back({distance, colors[which]});
            const glm::vec3 center(kHalfHeight * at.x, -kHalfHeight * at.y, -1.0F);
            const float size = kHalfHeight * 0.6F / kCells;
            place(out.scene, meshes[which],
                  glm::scale(glm::translate(glm::mat4(1.0F), distance * center), glm::vec3(distance * size)));
        }
    }
    return out;
}

// The panes in front of the nearest opaque one, nearest first, and the light of that.
std::vector<Pane> sorted(std::vector<Pane> panes, glm::dvec3& light) {
    std::ranges::sort(panes, {}, &Pane::distance);
    const auto opaque = std::ranges::find_if(panes, [](const Pane& pane) { return pane.color.w == 1.0; });
    if (opaque != panes.end()) light = opaque->color;
    panes.erase(opaque, panes.end());
    return panes;
}

glm::dvec3 over(const glm::dvec3& light, const glm::dvec4& color) {
    return glm::mix(light, glm::dvec3(color), color.w);
}

// As shaders/view/layers.glsl and shaders/shade/shade.comp say: the nearest one by one, the others by their mean.
glm::dvec3 layered(const std::vector<Pane>& panes, std::size_t layers, glm::dvec3 light) {
    glm::dvec4 sums(0.0);
    for (std::size_t i = layers; i < panes.size(); ++i) {
        const glm::dvec4& color = panes[i].color;
        const double depth = -std::log2(1.0 - std::min(color.w, double{shared::kMostRestAlpha}));
        sums += glm::dvec4(depth * glm::dvec3(color), depth);
    }
    if (sums.w > 0.0) light = over(light, {glm::dvec3(sums) / sums.w, 1.0 - std::exp2(-sums.w)});
    for (std::size_t i = std::min(layers, panes.size()); i-- > 0;) light = over(light, panes[i].color);
    return light;
}

class Blending : public testing::Test {
  protected:
    ~Blending() override { bench_.renderer().set_test_hooks({}); }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    Bench bench_;
};

// 1,024 stacks of up to eight panes, in no order.
TEST_F(Blending, StacksAreSorted) {
    const Stacks stacks = random_stacks(7);
    bench_.set_scene(encode(scene::ImportedScene(stacks.scene)));
    for (const std::uint32_t layers : {4U, 2U}) {
        FrameSettings settings = plain_light();
        settings.blend_layers = layers;
        const render::Picture picture = bench_.shoot(settings, kAlongZ, 0.1F, kSize, kSize).picture;
        const glm::dvec3 background(picture.rgba[0], picture.rgba[1], picture.rgba[2]);  // between cells
        const auto linear = [](double v) {
            return v / 255.0 <= 0.04045 ? v / 255.0 / 12.92 : std::pow((v / 255.0 + 0.055) / 1.055, 2.4);
        };
        const glm::dvec3 behind(linear(background.x), linear(background.y), linear(background.z));
        std::size_t deep = 0;
        double most_lost = 0.0;
        double lost = 0.0;
        for (std::size_t cell = 0; cell < stacks.panes.size(); ++cell) {
            glm::dvec3 light = behind;
            const std::vector<Pane> panes = sorted(stacks.panes[cell], light);
            const glm::dvec3 expected = layered(panes, layers, light);
            const glm::dvec3 exact = layered(panes, panes.size(), light);
            const std::size_t x = cell % kCells * kCell + kCell / 2;
            const std::size_t y = cell / kCells * kCell + kCell / 2;
            const std::uint8_t* pixel = &picture.rgba[(y * kSize + x) * 4];
            for (int c = 0; c < 3; ++c) {
                EXPECT_NEAR(pixel[c], stored(expected[c]), 1) << "cell " << cell << ", " << panes.size() << " panes";
                const double off = std::abs(pixel[c] - stored(exact[c]));
                most_lost = std::max(most_lost, off);
                lost += off;
            }
            deep += panes.size() > layers ? 1 : 0;
        }
        EXPECT_GT(deep, 100U);
        // What the sums lose beside sorting: docs/BENCHMARKS.md has these figures.
        lost /= static_cast<double>(deep) * 3.0;
        RecordProperty("lost_of_255_by_" + std::to_string(layers), std::to_string(lost));
        RecordProperty("most_lost_of_255_by_" + std::to_string(layers), std::to_string(most_lost));
        EXPECT_LT(lost, layers == 4 ? 2.0 : 8.0);
    }
}

// The view of layers counts them.
TEST_F(Blending, LayersAreShown) {
    const Stacks stacks = random_stacks(11);
    bench_.set_scene(encode(scene::ImportedScene(stacks.scene)));
    FrameSettings settings = plain_light();
    settings.show = render::Show::kBlendLayers;
    settings.blend_layers = 3;
    const render::Picture picture = bench_.shoot(settings, kAlongZ, 0.1F, kSize, kSize).picture;
    std::array<std::size_t, 5> counted{};  // by layers; the last: more
    for (std::size_t cell = 0; cell < stacks.panes.size(); ++cell) {
        if (stacks.panes[cell].empty()) continue;
        glm::dvec3 light;
        const std::size_t layers = std::min<std::size_t>(sorted(stacks.panes[cell], light).size(), 4);
        const std::uint32_t color = shared::kBlendLayerColors[layers == 4 ? shared::kBlendLayerSteps - 1 : layers];
        const std::size_t x = cell % kCells * kCell + kCell / 2;
        const std::size_t y = cell / kCells * kCell + kCell / 2;
        const std::uint8_t* pixel = &picture.rgba[(y * kSize + x) * 4];
        EXPECT_EQ(pixel[0] | pixel[1] << 8 | pixel[2] << 16, static_cast<int>(color)) << "cell " << cell;
        ++counted.at(layers);
    }
    for (const std::size_t count : counted) EXPECT_GT(count, 20U);
}

// Tori of which every third is opaque, and panes through them: mirrored, unevenly scaled, of one side and of two. No
// textures: what reads those takes long to compile, and blends like the rest.
scene::ImportedScene make_blended_shapes() {
    scene::ImportedScene out;
    const std::array<glm::vec4, 6> colors{{{0.9F, 0.3F, 0.2F, 0.4F},
                                           {0.2F, 0.7F, 0.9F, 0.6F},
                                           {0.5F, 0.9F, 0.3F, 1.0F},
                                           {0.9F, 0.8F, 0.2F, 0.25F},
                                           {0.4F, 0.4F, 0.9F, 0.9F},
                                           {0.8F, 0.8F, 0.8F, 1.0F}}};
    std::vector<int> meshes;
    for (std::size_t i = 0; i < colors.size(); ++i) {
        const std::uint32_t material = add_blended(out.scene, colors[i], false);
        out.scene.materials[material].double_sided = i % 2 == 0;
        scene::SourceMesh torus = make_torus(0.8F, 0.3F, 24, 16);
        torus.colors.clear();
        meshes.push_back(add_mesh(out, std::move(torus), material));
        meshes.push_back(add_pane(out, material));
    }
    for (std::size_t i = 0; i < 48; ++i) {
        const auto angle = 0.7F * static_cast<float>(i);
        const glm::mat4 turned = glm::rotate(glm::mat4(1.0F), angle, glm::normalize(glm::vec3(1.0F, 0.3F, 2.0F)));
        const glm::vec3 at(2.0F * std::sin(angle), 0.1F * angle - 2.0F, std::cos(2.0F * angle));
        place(out, meshes[i % meshes.size()],
              glm::scale(glm::translate(turned, at), glm::vec3(i % 5 == 1 ? -1.4F : 1.4F, 1.2F, 1.0F)));
    }
    return out;
}

const std::vector<CameraPose> kPoses{{.eye = {7.0F, 3.0F, 6.0F}, .target = {0.0F, 0.0F, 0.0F}},
                                     {.eye = {0.1F, 0.2F, 0.3F}, .target = {1.0F, 0.0F, 0.4F}, .fov_degrees = 90.0F}};
constexpr std::uint32_t kWidth = 121, kHeight = 89;

struct Blended {
    std::size_t layers = 0, rests = 0;  // pixels with a layer, and with more than there are layers
    std::size_t differing = 0;          // in layers or in colour, where pictures are not ambiguous
};

Blended blended(const render::Picture& reference, const render::Picture& picture,
                const render::AmbiguousPixels& ambiguous) {
    Blended out;
    const std::size_t pixels = picture.depth.size();
    EXPECT_EQ(picture.layers.size(), reference.layers.size());
    const std::size_t stride = picture.layers.size() / pixels;
    EXPECT_GT(stride, 2U);
    if (stride <= 2 || picture.layers.size() != reference.layers.size()) return out;
    for (std::size_t i = 0; i < pixels; ++i) {
        out.layers += picture.layers[i * stride] != 0 ? 1 : 0;
        out.rests += picture.layers[i * stride + stride - 2] != 0 ? 1 : 0;
        if (ambiguous.mask[i] != 0) continue;
        const bool same = std::equal(&picture.layers[i * stride], &picture.layers[i * stride] + stride,
                                     &reference.layers[i * stride]) &&
                          std::equal(&picture.rgba[i * 4], &picture.rgba[i * 4] + 4, &reference.rgba[i * 4]);
        out.differing += same ? 0 : 1;
    }
    return out;
}

class BlendedBackends : public testing::TestWithParam<Way> {
  protected:
    ~BlendedBackends() override { bench_.renderer().set_test_hooks({}); }
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    // How pictures with culling differ from those of the reference, of all poses together.
    Blended differences(const render::TestHooks& hooks = {}) {
        FrameSettings settings = GetParam().settings;
        settings.blend_layers = 2;
        settings.compact_budget = budget_;
        if (budget_ != 0) settings.raster_limit = 1;  // nearly all triangles are large
        Blended out;
        for (const CameraPose& pose : kPoses) {
            FrameSettings direct = reference_settings(render::Show::kShaded, settings.backend);
            direct.blend_layers = settings.blend_layers;
            const render::Picture reference = bench_.shoot(direct, pose, 0.02F, kWidth, kHeight, 1, 1).picture;
            const render::AmbiguousPixels ambiguous = bench_.ambiguous(pose, 0.02F, kWidth, kHeight);
            bench_.renderer().set_test_hooks(hooks);
            const Bench::Shot shot = bench_.shoot(settings, pose, 0.02F, kWidth, kHeight, 2);
            bench_.renderer().set_test_hooks({});
            rounds_ = shot.counters.rounds;
            const Blended of_pose = blended(reference, shot.picture, ambiguous);
            out.layers += of_pose.layers;
            out.rests += of_pose.rests;
            out.differing += of_pose.differing;
            if (of_pose.differing != 0 && hooks.fault == render::Fault::kNone) {
                save(reference, test_name(GetParam()) + "_blended_reference");
                save(shot.picture, test_name(GetParam()) + "_blended");
            }
        }
        return out;
    }

    Bench bench_;
    std::uint64_t rounds_ = 0;
    std::uint64_t budget_ = 0;
};

TEST_P(BlendedBackends, SameLayers) {
    if (const auto reason = render::backend_unavailable(*GetParam().settings.backend, bench_.device().capabilities())) {
        GTEST_SKIP() << *reason;
    }
    static const scene::EncodedScene shapes = encode(make_blended_shapes());
    bench_.set_scene(shapes);
    const Blended whole = differences();
    EXPECT_GT(whole.layers, std::size_t{kWidth} * kHeight / 2);
    EXPECT_GT(whole.rests, std::size_t{kWidth} * kHeight / 16);
    EXPECT_EQ(whole.differing, 0U);
    if (GetParam().settings.backend == Backend::kDirect) return;
    if (GetParam().settings.backend == Backend::kRaster) {
        // Room for two blocks of large triangles and two more triangles: what is beyond is drawn without lists.
        budget_ = 64;
        EXPECT_EQ(differences().differing, 0U);
        EXPECT_GT(differences({.fault = render::Fault::kLayersNotCleared}).differing, 0U);
        budget_ = 0;
    }
    // Lists for a fraction of it: in rounds, and with a rest that is drawn without lists.
    render::SceneSettings few;
    few.survivor_budget = 512;
    bench_.set_scene(shapes, few);
    EXPECT_EQ(differences().differing, 0U);
    if (rounds_ <= 1) return;  // it has no such lists
    EXPECT_EQ(differences({.most_rounds = 1}).differing, 0U);
    EXPECT_GT(differences({.fault = render::Fault::kLayersNotCleared, .most_rounds = 1}).differing, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, BlendedBackends, testing::ValuesIn(tried_ways()),
                         [](const testing::TestParamInfo<Way>& info) { return test_name(info.param); });

// Without 64-bit atomics, or stores of fragments, layers are peeled: the same ones, but without sums of what lies
// behind.
class PeeledLayers : public testing::TestWithParam<const char*> {
  protected:
    void TearDown() override {
        peels_.renderer().set_test_hooks({});
        EXPECT_EQ(peels_.validation_messages(), 0U);
    }

    // Pixels that have other places, or another colour where nothing lies behind those.
    std::size_t differing(const FrameSettings& settings, const CameraPose& pose, const render::TestHooks& hooks = {}) {
        FrameSettings direct = settings;
        direct.backend = Backend::kDirect;
        const render::Picture expected = sums_.shoot(direct, pose, 0.02F, kWidth, kHeight, 1, 1).picture;
        const render::AmbiguousPixels ambiguous = sums_.ambiguous(pose, 0.02F, kWidth, kHeight);
        peels_.renderer().set_test_hooks(hooks);
        const Bench::Shot shot = peels_.shoot(settings, pose, 0.02F, kWidth, kHeight, 2);
        peels_.renderer().set_test_hooks({});
        rounds_ = shot.counters.rounds;
        const std::size_t stride = settings.blend_layers + 2;
        EXPECT_EQ(shot.picture.layers.size(), std::size_t{kWidth} * kHeight * stride);
        EXPECT_EQ(shot.picture.layers.size(), expected.layers.size());
        if (shot.picture.layers.size() != expected.layers.size()) return kWidth * kHeight;
        std::size_t out = 0;
        for (std::size_t i = 0; i < expected.depth.size(); ++i) {
            const std::uint64_t* own = &shot.picture.layers[i * stride];
            const std::uint64_t* other = &expected.layers[i * stride];
            const bool rest = other[stride - 2] != 0;
            full_ += other[stride - 3] != 0 ? 1 : 0;
            rests_ += rest ? 1 : 0;
            if (ambiguous.mask[i] != 0) continue;
            const bool same = std::equal(own, own + stride - 2, other) && own[stride - 2] == 0 && own[stride - 1] == 0;
            const std::uint8_t* color = &shot.picture.rgba[i * 4];
            out += same && (rest || std::equal(color, color + 4, &expected.rgba[i * 4])) ? 0 : 1;
        }
        return out;
    }

    Bench sums_;
    Bench peels_{std::vector<std::string>{GetParam()}};
    std::uint64_t rounds_ = 0;
    std::size_t full_ = 0, rests_ = 0;  // pixels whose places all have something, and with more behind them
};

TEST_P(PeeledLayers, AreThoseOfAtomics) {
    static const scene::EncodedScene shapes = encode(make_blended_shapes());
    sums_.set_scene(shapes);
    FrameSettings settings;
    settings.blend_layers = 2;
    settings.cull_occlusion = true;
    for (const Backend backend : {Backend::kDirect, Backend::kCompact, Backend::kMeshSublets}) {
        if (render::backend_unavailable(backend, peels_.device().capabilities())) continue;
        SCOPED_TRACE(render::backend_name(backend));
        settings.backend = backend;
        peels_.set_scene(shapes);
        for (const CameraPose& pose : kPoses) EXPECT_EQ(differing(settings, pose), 0U);
        if (backend != Backend::kCompact) continue;
        // In rounds, and with a rest that is drawn without lists.
        render::SceneSettings few;
        few.survivor_budget = 512;
        peels_.set_scene(shapes, few);
        for (const CameraPose& pose : kPoses) {
            EXPECT_EQ(differing(settings, pose), 0U);
            EXPECT_GT(rounds_, 1U);
            EXPECT_EQ(differing(settings, pose, {.most_rounds = 1}), 0U);
            EXPECT_GT(differing(settings, pose, {.fault = render::Fault::kLayersNotCleared, .most_rounds = 1}), 0U);
        }
    }
    EXPECT_GT(full_, std::size_t{kWidth} * kHeight / 16);
    EXPECT_GT(rests_, std::size_t{kWidth} * kHeight / 16);
}

// Panes in one place, which no depth tells apart.
TEST_P(PeeledLayers, HoldAllOfOneDepth) {
    scene::ImportedScene panes;
    for (const float red : {0.1F, 0.4F, 0.7F, 1.0F}) {
        place(panes, add_pane(panes, add_blended(panes.scene, {red, 0.5F, 0.2F, 0.4F}, true)),
              glm::translate(glm::mat4(1.0F), {0.0F, 0.0F, -3.0F}));
    }
    const scene::EncodedScene encoded = encode(std::move(panes));
    sums_.set_scene(encoded);
    peels_.set_scene(encoded);
    FrameSettings settings;
    settings.backend = Backend::kDirect;
    EXPECT_EQ(differing(settings, kAlongZ), 0U);
    EXPECT_GT(full_, 1000U);
    EXPECT_EQ(rests_, 0U);
}

INSTANTIATE_TEST_SUITE_P(Without, PeeledLayers, testing::Values("int64-atomics", "fragment-stores"),
                         [](const testing::TestParamInfo<const char*>& info) {
                             std::string name = info.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

// A pane in front of glass, and one behind it.
TEST_F(Blending, MeetsTransmission) {
    const auto shoot = [&](float first, float second) {
        scene::ImportedScene out;
        const auto place_pane = [&](const glm::vec4& color, float distance, float size) {
            place(out, add_pane(out, add_blended(out.scene, color, true)),
                  glm::scale(glm::translate(glm::mat4(1.0F), {0.0F, 0.0F, -distance}), glm::vec3(size)));
        };
        place_pane({0.8F, 0.8F, 0.8F, 1.0F}, 8.0F, 9.0F);
        if (first != 0.0F) place_pane({0.9F, 0.0F, 0.0F, 0.5F}, first, 9.0F);
        if (second != 0.0F) place_pane({0.0F, 0.9F, 0.0F, 0.5F}, second, 9.0F);
        scene::Material glass;
        glass.metallic = 0.0F;
        glass.roughness = 0.0F;
        glass.specular.factor = 0.0F;
        glass.transmission.factor = 1.0F;
        glass.base_color = {0.5F, 1.0F, 1.0F, 1.0F};
        glass.double_sided = true;
        out.scene.materials.push_back(glass);
        place(out, add_pane(out, static_cast<std::uint32_t>(out.scene.materials.size()) - 1),
              glm::translate(glm::mat4(1.0F), {0.0F, 0.0F, -5.0F}));
        bench_.set_scene(encode(std::move(out)));
        FrameSettings settings = plain_light();
        settings.sun = render::Sun{.on = false};
        const render::Picture picture = bench_.shoot(settings, kAlongZ, 0.1F, 64, 64).picture;
        const std::uint8_t* middle = &picture.rgba[(32 * 64 + 32) * 4];
        return std::array<int, 3>{middle[0], middle[1], middle[2]};
    };
    const auto color = [](const glm::dvec3& light) {
        return std::array<int, 3>{stored(light.x), stored(light.y), stored(light.z)};
    };
    const auto expect_near = [](const std::array<int, 3>& a, const std::array<int, 3>& b) {
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(a[c], b[c], 2);
    };
    const glm::dvec3 wall(0.8);
    const glm::dvec3 tint(0.5, 1.0, 1.0);
    const glm::dvec4 red(0.9, 0.0, 0.0, 0.5);
    const glm::dvec4 green(0.0, 0.9, 0.0, 0.5);
    expect_near(shoot(0.0F, 0.0F), color(tint * wall));
    expect_near(shoot(6.0F, 0.0F), color(tint * over(wall, red)));
    expect_near(shoot(3.0F, 0.0F), color(over(tint * wall, red)));
    expect_near(shoot(6.0F, 3.0F), color(over(tint * over(wall, red), green)));
    expect_near(shoot(3.0F, 6.0F), color(over(tint * over(wall, green), red)));
}

// Nothing, where nothing blends, or none of it is to.
TEST_F(Blending, CostsNothingWhereNothingBlends) {
    FrameSettings settings;
    settings.backend = Backend::kMdi;
    bench_.set_scene(encode(make_shapes()));
    EXPECT_TRUE(bench_.shoot(settings, kPoses[0], 0.02F, 64, 48).picture.layers.empty());
    EXPECT_EQ(bench_.renderer().memory().layers, 0U);
    bench_.set_scene(encode(make_blended_shapes()));
    const render::Picture layered = bench_.shoot(settings, kPoses[0], 0.02F, 64, 48).picture;
    EXPECT_EQ(layered.layers.size(), std::size_t{64} * 48 * 6);
    EXPECT_EQ(bench_.renderer().memory().layers, layered.layers.size() * sizeof(std::uint64_t));
    settings.blend_layers = 0;
    const render::Picture opaque = bench_.shoot(settings, kPoses[0], 0.02F, 64, 48).picture;
    EXPECT_TRUE(opaque.layers.empty());
    EXPECT_NE(opaque.rgba, layered.rgba);
    // What is nearest is the same.
    EXPECT_EQ(opaque.depth, layered.depth);
    EXPECT_EQ(opaque.ids, layered.ids);
    // Ids of two words leave no room for a depth.
    bench_.renderer().set_test_hooks({.wide_ids = true});
    bench_.set_scene(encode(make_blended_shapes()));
    settings.blend_layers = 4;
    EXPECT_TRUE(bench_.shoot(settings, kPoses[0], 0.02F, 64, 48).picture.layers.empty());
    ASSERT_EQ(bench_.renderer().notes().size(), 1U);
    EXPECT_NE(bench_.renderer().notes()[0].find("what blends is drawn opaque"), std::string::npos);
}

}  // namespace
}  // namespace sublet::test::blending_test
