// Direct draws, which all else is compared with, are themselves held to a renderer that shares nothing with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "compare.h"
#include "draw.h"
#include "scenes.h"
#include "tests/images/harness.h"

namespace sublet::reference {
namespace {

using test::Bench;

struct Shot {
    render::CameraPose pose;
    float near_plane;
    std::uint32_t width, height;
    render::Projection projection = render::Projection::kPerspective;
};

// Small pictures, of odd sizes too; near planes from far before the nearest surface to far behind it.
std::vector<Shot> room_shots() {
    using render::Projection;
    return {
        {{{0.2F, 0.1F, 0.3F}, {-2.0F, 0.0F, -1.5F}, 75.0F}, 0.05F, 161, 97},
        {{{-3.0F, 1.0F, 2.2F}, {1.0F, -0.6F, -0.5F}, 60.0F}, 0.01F, 128, 96},
        {{{3.4F, -1.5F, -2.4F}, {-1.0F, 0.5F, 1.0F}, 90.0F}, 0.2F, 97, 131},
        {{{0.0F, 0.0F, 0.0F}, {1.0F, 0.3F, 3.0F}, 50.0F}, 1.5F, 120, 77},
        {{{2.9F, 0.2F, 0.9F}, {4.0F, 0.1F, 0.5F}, 100.0F}, 0.002F, 75, 51},
        {{{-1.0F, 0.6F, 1.2F}, {1.0F, -1.0F, -0.5F}, 110.0F}, 0.3F, 133, 63},
        {{{0.0F, -1.9F, 0.0F}, {-3.0F, -1.7F, 0.4F}, 70.0F}, 0.03F, 101, 101},
        {{{1.0F, 0.3F, 2.4F}, {-1.5F, -0.2F, -2.0F}, 80.0F}, 0.1F, 117, 83, Projection::kOrthographic},
    };
}

std::vector<Shot> soup_shots() {
    using render::Projection;
    return {
        {{{0.0F, 0.5F, 12.0F}, {0.0F, 0.0F, 0.0F}, 60.0F}, 0.1F, 149, 101},
        {{{0.4F, 0.2F, -0.3F}, {3.0F, 1.0F, -2.0F}, 90.0F}, 0.05F, 128, 97},
        {{{-4.0F, 2.0F, 3.0F}, {0.5F, -0.3F, 0.0F}, 75.0F}, 2.0F, 87, 120},
        {{{5.0F, -3.0F, -1.0F}, {-1.0F, 1.0F, 0.5F}, 40.0F}, 0.004F, 111, 64},
        {{{-1.0F, 6.0F, -7.0F}, {0.0F, 0.0F, 0.5F}, 55.0F}, 0.5F, 64, 64, Projection::kOrthographic},
    };
}

Camera camera_of(const Shot& shot) {
    return {glm::dvec3(shot.pose.eye), glm::dvec3(shot.pose.target), shot.pose.fov_degrees, shot.near_plane,
            shot.projection == render::Projection::kOrthographic};
}

// What a run of pictures has shown, in pixels that were compared.
struct Seen {
    std::size_t pixels = 0, sure = 0, covered = 0;
    std::size_t magnified = 0, minified = 0, mirrored = 0, from_behind = 0, through_mask = 0;
    std::size_t narrow = 0;  // minified, and yet of a colour known to a tenth of all
    std::set<std::uint32_t> materials, instances;
    std::set<std::int32_t> triangles;
    std::size_t leaving = 0, crossing_near = 0;  // triangles
    std::set<std::array<long, 3>> colors;        // of triangles without a texture

    void add(const Scene& scene, const Drawing& drawing) {
        pixels += drawing.pixels.size();
        leaving += static_cast<std::size_t>(std::count(drawing.leaves.begin(), drawing.leaves.end(), true));
        crossing_near +=
            static_cast<std::size_t>(std::count(drawing.crosses_near.begin(), drawing.crosses_near.end(), true));
        for (const Pixel& pixel : drawing.pixels) {
            sure += pixel.sure ? 1 : 0;
            through_mask += pixel.sure && pixel.through_mask ? 1 : 0;
            if (!pixel.sure || pixel.triangle < 0) continue;
            const Triangle& triangle = scene.triangles[static_cast<std::size_t>(pixel.triangle)];
            ++covered;
            triangles.insert(pixel.triangle);
            materials.insert(triangle.material);
            instances.insert(triangle.instance);
            magnified += pixel.filter == Filter::kMagnified ? 1 : 0;
            minified += pixel.filter == Filter::kMinified ? 1 : 0;
            const glm::dvec3 range = pixel.high - pixel.low;
            narrow += pixel.filter == Filter::kMinified && std::max({range.x, range.y, range.z}) < 25.0 ? 1 : 0;
            mirrored += triangle.mirrored ? 1 : 0;
            from_behind += pixel.from_behind ? 1 : 0;
            if (pixel.filter == Filter::kNone) {
                colors.insert({std::lround(pixel.low.x), std::lround(pixel.low.y), std::lround(pixel.low.z)});
            }
        }
    }
};

void expect_right(const Drawing& drawing, const render::Picture& picture, const std::string& name) {
    const Report report = compare(drawing, picture);
    EXPECT_EQ(report.wrong_depth, 0U) << name << ": " << report.first;
    EXPECT_EQ(report.wrong_color, 0U) << name << ": " << report.first;
    EXPECT_EQ(report.wrong_id, 0U) << name << ": " << report.first;
    if (report.wrong_depth + report.wrong_color + report.wrong_id != 0) test::save(picture, name);
}

// Every shot by direct draws without culling, and the first two by each backend as it comes: colours, and normals.
Seen compare_all(Bench& bench, const std::vector<Shot>& shots) {
    const Scene scene = gather(bench.scene());
    Seen seen;
    for (std::size_t i = 0; i < shots.size(); ++i) {
        const Shot& shot = shots[i];
        for (const What what : {What::kBaseColor, What::kNormals}) {
            const bool normals = what == What::kNormals;
            const render::Show show = normals ? render::Show::kNormals : render::Show::kBaseColor;
            const Drawing drawing = draw(scene, camera_of(shot), shot.width, shot.height, what);
            if (!normals) seen.add(scene, drawing);
            const std::string name = (normals ? "normals_" : "picture_") + std::to_string(i);
            const auto expect_of = [&](render::FrameSettings settings, const std::string& text) {
                settings.projection = shot.projection;
                settings.show = show;
                expect_right(drawing,
                             bench.shoot(settings, shot.pose, shot.near_plane, shot.width, shot.height, 2).picture,
                             text);
            };
            expect_of(test::reference_settings(show), name);
            if (i >= 2) continue;
            for (const test::Way& way : test::ways(bench)) expect_of(way.settings, name + "_by_" + way.name);
        }
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
    // What the reference does not judge is little: edges, and where a mask's texels may be on either side of its
    // cutoff.
    EXPECT_GE(seen.sure * 100, seen.pixels * 97);
    EXPECT_GE(seen.covered * 4, seen.pixels * 3);
    return seen;
}

TEST(Reference, Room) {
    Bench bench;
    bench.set_scene(test::encode(make_room()));
    const Seen seen = compare_all(bench, room_shots());
    EXPECT_EQ(seen.materials.size(), 8U);
    EXPECT_EQ(seen.instances.size(), 14U);
    EXPECT_GE(seen.leaving, 50U);
    EXPECT_GE(seen.crossing_near, 20U);
    EXPECT_GE(seen.magnified, 10000U);
    EXPECT_GE(seen.minified, 10000U);
    EXPECT_GE(seen.narrow, 5000U);
    EXPECT_GE(seen.mirrored, 2000U);
    EXPECT_GE(seen.from_behind, 300U);
    EXPECT_GE(seen.through_mask, 500U);
}

// The same on a device without descriptor indexing, whose fragment shader looks textures up in another way.
TEST(Reference, RoomWithFewTextures) {
    Bench bench(std::vector<std::string>{"descriptor-indexing"});
    bench.set_scene(test::encode(make_room()));
    compare_all(bench, {room_shots()[0], room_shots()[2]});
}

// Lights, their shadows and what they leave dark, where no edge of a shadow is near; what blends, in its order.
TEST(Reference, LitRoom) {
    constexpr std::uint32_t kTexels = 1024;
    Bench bench;
    bench.set_scene(test::encode(make_lit_room()));
    const Scene scene = gather(bench.scene(), kTexels);
    ASSERT_EQ(scene.lights.size(), 4U);
    Scene shadowless = scene;
    for (Material& material : shadowless.materials) material.casts = false;
    std::size_t shadowed = 0;
    std::size_t noticed = 0;
    std::array<std::size_t, 5> layers{};
    for (const std::size_t i : {0U, 1U, 6U}) {
        Shot shot = room_shots()[i];
        shot.width = shot.width * 2 / 3;
        shot.height = shot.height * 2 / 3;
        const Drawing drawing = draw(scene, camera_of(shot), shot.width, shot.height, What::kLit);
        render::FrameSettings settings;
        settings.shadows = render::Shadows::kOn;
        settings.shadow_light_resolution = kTexels;
        settings.shadow_budget = std::uint64_t{kTexels} * kTexels * sizeof(float) * 20;
        settings.environment.kind = render::EnvironmentKind::kNone;
        settings.sun = render::Sun{.on = false};
        settings.tone = render::Tone::kNone;
        const auto picture = [&](render::Shadows shadows) {
            settings.shadows = shadows;
            return bench.shoot(settings, shot.pose, shot.near_plane, shot.width, shot.height, 2).picture;
        };
        expect_right(drawing, picture(render::Shadows::kOn), "lit_" + std::to_string(i));
        // Of most pixels there is no doubt.
        const auto known = std::ranges::count_if(
            drawing.pixels, [](const Pixel& pixel) { return pixel.sure && pixel.high.y - pixel.low.y < 25.0; });
        EXPECT_GE(known * 10, static_cast<std::ptrdiff_t>(drawing.pixels.size()) * 5) << i;
        // Pictures without shadows are right by a reference without, and wrong by the one with them.
        const Drawing open = draw(shadowless, camera_of(shot), shot.width, shot.height, What::kLit);
        expect_right(open, picture(render::Shadows::kOff), "open_" + std::to_string(i));
        noticed += compare(drawing, picture(render::Shadows::kOff)).wrong_color;
        for (const Pixel& pixel : drawing.pixels) layers.at(pixel.layers) += pixel.sure ? 1 : 0;
        for (std::size_t p = 0; p < open.pixels.size(); ++p) {
            const bool darker = drawing.pixels[p].high.y + 8.0 < open.pixels[p].low.y;
            shadowed += drawing.pixels[p].sure && darker ? 1 : 0;
        }
    }
    EXPECT_GE(shadowed, 1500U);
    EXPECT_GE(noticed, shadowed);
    for (const std::size_t pixels : layers) EXPECT_GE(pixels, 200U);
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// A colour for each triangle: a triangle, an instance or a material taken for another is seen.
TEST(Reference, Soup) {
    Bench bench;
    bench.set_scene(test::encode(make_soup()));
    const Seen seen = compare_all(bench, soup_shots());
    EXPECT_EQ(seen.materials.size(), 4U);
    EXPECT_EQ(seen.instances.size(), 4U);
    EXPECT_GE(seen.triangles.size(), 100U);
    EXPECT_GE(seen.colors.size() + 3, seen.triangles.size());
    EXPECT_GE(seen.leaving, 50U);
    EXPECT_GE(seen.crossing_near, 10U);
    EXPECT_GE(seen.mirrored, 10000U);
    EXPECT_GE(seen.from_behind, 1000U);
}

// Wrong pictures, of the kinds that devices were seen to draw, are noticed in every pixel that is wrong.
class ReferenceNotices : public testing::Test {
  protected:
    ReferenceNotices() {
        for (std::size_t i = 0; i < drawing_.pixels.size(); ++i) {
            const Pixel& pixel = drawing_.pixels[i];
            picture_.depth.push_back(static_cast<float>(pixel.depth));
            picture_.ids.push_back(pixel.id);
            set_color(picture_, i, pixel);
        }
        const Report report = compare(drawing_, picture_);
        EXPECT_GE(report.sure * 100, drawing_.pixels.size() * 98);
        EXPECT_EQ(report.wrong_depth + report.wrong_color + report.wrong_id, 0U) << report.first;
    }

    // Between the least and the greatest that it may be.
    static void set_color(render::Picture& picture, std::size_t i, const Pixel& pixel) {
        picture.rgba.resize(std::max(picture.rgba.size(), i * 4 + 4), 255);
        for (int c = 0; c < 3; ++c) {
            picture.rgba[i * 4 + static_cast<std::size_t>(c)] =
                static_cast<std::uint8_t>(std::lround(0.5 * (pixel.low[c] + pixel.high[c])));
        }
    }

    // Calls change(i) for pixels that are compared and show a triangle which `wanted` says yes to; how many they are.
    template <class Wanted, class Change>
    std::size_t tamper(const Wanted& wanted, const Change& change) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < drawing_.pixels.size(); ++i) {
            const Pixel& pixel = drawing_.pixels[i];
            if (!pixel.sure || pixel.triangle < 0 || !wanted(static_cast<std::size_t>(pixel.triangle))) continue;
            change(i);
            ++count;
        }
        EXPECT_GE(count, 200U);
        return count;
    }

    Scene scene_ = gather(test::encode(make_room()));
    Shot shot_ = room_shots()[5];
    Drawing drawing_ = draw(scene_, camera_of(shot_), shot_.width, shot_.height);
    render::Picture picture_{shot_.width, shot_.height, {}, {}, {}, {}, {}};
};

TEST_F(ReferenceNotices, AnotherMaterialOnClippedTriangles) {
    Scene swapped = scene_;
    for (Triangle& triangle : swapped.triangles) triangle.material = 4;
    const Drawing other = draw(swapped, camera_of(shot_), shot_.width, shot_.height);
    const std::size_t count = tamper(
        [&](std::size_t triangle) { return drawing_.leaves[triangle] && scene_.triangles[triangle].material != 4; },
        [&](std::size_t i) { set_color(picture_, i, other.pixels[i]); });
    const Report report = compare(drawing_, picture_);
    EXPECT_EQ(report.wrong_depth, 0U);
    EXPECT_EQ(report.wrong_color, count);
}

TEST_F(ReferenceNotices, BlackWhereTextureCoordinatesAreConstant) {
    const std::size_t count = tamper(
        [&](std::size_t triangle) {
            const std::array<Vertex, 3>& corners = scene_.triangles[triangle].corners;
            return corners[0].uv == corners[1].uv && corners[0].uv == corners[2].uv;
        },
        [&](std::size_t i) { std::fill_n(picture_.rgba.begin() + static_cast<std::ptrdiff_t>(i * 4), 3, 0); });
    EXPECT_EQ(compare(drawing_, picture_).wrong_color, count);
}

TEST_F(ReferenceNotices, DepthBeyondItsSlack) {
    const std::size_t count =
        tamper([](std::size_t) { return true; },
               [&](std::size_t i) {
                   const double shift = 1.5 * drawing_.pixels[i].depth_slack;
                   picture_.depth[i] = static_cast<float>(drawing_.pixels[i].depth + (i % 2 == 0 ? shift : -shift));
               });
    const Report report = compare(drawing_, picture_);
    EXPECT_EQ(report.wrong_depth, count);
    EXPECT_EQ(report.wrong_color, 0U);
    // Which is little: a vertex that lies a pixel off moves more.
    double slacks = 0.0;
    for (const Pixel& pixel : drawing_.pixels) {
        if (pixel.sure && pixel.depth > 0.0) slacks = std::max(slacks, pixel.depth_slack / pixel.depth);
    }
    EXPECT_LT(slacks, 0.01);
}

TEST_F(ReferenceNotices, IdsOfAnInstanceShifted) {
    const std::size_t count = tamper([&](std::size_t triangle) { return scene_.triangles[triangle].instance == 9; },
                                     [&](std::size_t i) { ++picture_.ids[i]; });
    const Report report = compare(drawing_, picture_);
    EXPECT_EQ(report.wrong_id, count);
    EXPECT_EQ(report.wrong_depth + report.wrong_color, 0U);
}

TEST_F(ReferenceNotices, AMissingInstance) {
    const std::size_t count = tamper([&](std::size_t triangle) { return scene_.triangles[triangle].instance == 9; },
                                     [&](std::size_t i) { picture_.depth[i] = 0.0F; });
    EXPECT_EQ(compare(drawing_, picture_).wrong_depth, count);
}

}  // namespace
}  // namespace sublet::reference
