// What an eye sees of a cut, beside all of the finest level: where surfaces are, what they cover, their colours, and
// how pictures change while a camera moves. Deliberate mistakes must be noticed.
//
// Pictures here have 64 samples a pixel: they are drawn eight times as wide and high, with eight times the error, and
// so with the same cut. Lengths below are of pixels.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "render/view/camera.h"
#include "tests/images/harness.h"
#include "tests/images/shapes.h"

namespace sublet::test::levels_seen_test {
namespace {

using render::CameraPose;
using render::FrameSettings;
using render::Projection;

constexpr float kNear = 0.05F;
constexpr int kSamples = 8;    // along each side of a pixel
constexpr int kInstances = 7;  // of the shapes

// A surface with bumps, which coarser levels lose bit by bit. Normals are those of the bumps.
void add_bumps(scene::SourceMesh& mesh, float height, float pace) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        auto& p = mesh.positions[v];
        const glm::vec3 normal(mesh.normals[v][0], mesh.normals[v][1], mesh.normals[v][2]);
        const glm::vec3 at = pace * glm::vec3(p[0], p[1], p[2]);
        const float bump = height * std::sin(at.x) * std::sin(at.y + 1.0F) * std::sin(at.z + 2.0F);
        const glm::vec3 slope = pace * height *
                                glm::vec3(std::cos(at.x) * std::sin(at.y + 1.0F) * std::sin(at.z + 2.0F),
                                          std::sin(at.x) * std::cos(at.y + 1.0F) * std::sin(at.z + 2.0F),
                                          std::sin(at.x) * std::sin(at.y + 1.0F) * std::cos(at.z + 2.0F));
        const glm::vec3 turned = glm::normalize(normal - (slope - glm::dot(slope, normal) * normal));
        for (int i = 0; i < 3; ++i) {
            p[static_cast<std::size_t>(i)] += bump * normal[i];
            mesh.normals[v][static_cast<std::size_t>(i)] = turned[i];
        }
    }
}

// Plain, mirrored, sheared and unevenly scaled instances of a torus and of three quarters of a ball, both with bumps,
// and one whose morph target moves it.
const scene::EncodedScene& shapes() {
    static const scene::EncodedScene encoded_shapes = [] {
        scene::ImportedScene out = make_shapes();
        out.scene.nodes.clear();
        out.groups.resize(3);  // torus, open ball, and that again, seen from both sides
        out.scene.materials.resize(3);
        for (std::size_t m = 0; m < 3; ++m) {
            scene::Material plain;
            plain.base_color = out.scene.materials[m].base_color;
            plain.base_color_texture = out.scene.materials[m].base_color_texture;
            plain.double_sided = m != 0;
            plain.metallic = m == 0 ? 0.0F : 0.5F;
            plain.roughness = m == 0 ? 0.8F : 0.5F;
            out.scene.materials[m] = plain;
            add_bumps(out.groups[m].meshes[0], 0.03F, 9.0F);
        }
        scene::SourceMesh& morphing = out.groups[2].meshes[0];
        mesh::MorphArrays target;
        for (const auto& p : morphing.positions) target.positions.push_back({0.4F * p[1], 0.0F, 0.3F * p[0]});
        morphing.morphs.push_back(std::move(target));
        out.groups[2].weights = {0.0F};
        const auto placed = [](float x, float y, float z) {
            const glm::mat4 moved = glm::translate(glm::mat4(1.0F), glm::vec3(x, y, z));
            return glm::rotate(moved, x + 0.7F * y, glm::normalize(glm::vec3(1.0F, 2.0F, 0.5F)));
        };
        glm::mat4 sheared(1.0F);
        sheared[1][0] = 0.8F;
        sheared[2][1] = -0.4F;
        place(out, 0, placed(-1.3F, -1.2F, 0.3F));
        place(out, 0, glm::scale(placed(1.3F, 1.1F, -0.4F), glm::vec3(-1.0F, 1.0F, 1.0F)));
        place(out, 0, placed(-1.4F, 1.3F, -1.0F) * sheared);
        place(out, 1, placed(1.2F, -1.3F, 0.6F));
        place(out, 1, glm::scale(placed(0.1F, 0.2F, -2.0F), glm::vec3(1.1F, -0.7F, 0.9F)));
        place(out, 1, placed(0.0F, 0.1F, 1.8F) * sheared);
        place(out, 2, placed(0.0F, 2.6F, 0.2F));
        out.scene.animations = {{"morph",
                                 {{static_cast<int>(out.scene.nodes.size()) - 1,
                                   scene::AnimationPath::kWeights,
                                   scene::Interpolation::kLinear,
                                   {0.0F, 1.0F},
                                   {0.0F, 1.0F}}}}};
        ThreadPool pool;
        return scene::encode_scene(std::move(out), {.levels = mesh::Levels::kOn}, pool);
    }();
    return encoded_shapes;
}

struct Size {
    int width, height;  // pixels
};

struct Camera {
    CameraPose pose;
    Projection projection = Projection::kPerspective;
    double time = 0;
};

// A picture by its samples.
struct Samples {
    int width = 0, height = 0;
    std::vector<std::optional<glm::vec3>> points;  // in the world
    std::vector<float> scales;                     // pixels that a length of 1 takes there
    std::vector<glm::vec3> colors;                 // of pixels: linear light
    std::vector<bool> touched;                     // pixels that something covers, in part at least
    double covered = 0;                            // pixels
    std::uint64_t triangles = 0;                   // drawn
};

float linear(std::uint8_t srgb) {
    const float c = static_cast<float>(srgb) / 255.0F;
    return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
}
float encoded(float linear) {
    return linear <= 0.0031308F ? linear * 12.92F : 1.055F * std::pow(linear, 1.0F / 2.4F) - 0.055F;
}

// CIE L*a*b*, of the white D65.
glm::vec3 lab(const glm::vec3& linear) {
    const glm::vec3 xyz(glm::dot(linear, glm::vec3(0.4124F, 0.3576F, 0.1805F)) / 0.9505F,
                        glm::dot(linear, glm::vec3(0.2126F, 0.7152F, 0.0722F)),
                        glm::dot(linear, glm::vec3(0.0193F, 0.1192F, 0.9505F)) / 1.089F);
    const auto f = [](float t) { return t > 0.008856F ? std::cbrt(t) : 7.787F * t + 16.0F / 116.0F; };
    const glm::vec3 v(f(xyz.x), f(xyz.y), f(xyz.z));
    return {116.0F * v.y - 16.0F, 500.0F * (v.x - v.y), 200.0F * (v.y - v.z)};
}

std::size_t index_of(int width, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
}

Samples samples(const render::Picture& picture, const render::View& view, const Size& size) {
    Samples out;
    out.width = size.width * kSamples;
    out.height = size.height * kSamples;
    const float scale = 0.5F * static_cast<float>(size.height) * std::abs(view.projection[1][1]);
    out.points.resize(picture.depth.size());
    out.scales.resize(out.points.size());
    out.colors.resize(index_of(size.width, 0, size.height), glm::vec3(0.0F));
    out.touched.resize(out.colors.size());
    for (int y = 0; y < out.height; ++y) {
        for (int x = 0; x < out.width; ++x) {
            const auto at = index_of(out.width, x, y);
            const auto pixel = index_of(size.width, x / kSamples, y / kSamples);
            const glm::vec2 place((static_cast<float>(x) + 0.5F) / static_cast<float>(out.width),
                                  (static_cast<float>(y) + 0.5F) / static_cast<float>(out.height));
            const float depth = picture.depth[at];
            out.points[at] = render::surface_point(view, place, depth);
            if (out.points[at]) {
                out.covered += 1.0 / (kSamples * kSamples);
                out.touched[pixel] = true;
                out.scales[at] = view.orthographic ? scale : scale / *render::surface_distance(view, depth);
            }
            const std::uint8_t* rgba = &picture.rgba[at * 4];
            out.colors[pixel] +=
                glm::vec3(linear(rgba[0]), linear(rgba[1]), linear(rgba[2])) / static_cast<float>(kSamples * kSamples);
        }
    }
    return out;
}

// How far samples of one picture are from the nearest of the other that show the same: in the picture, or from point to
// point in the world by the scale there, whichever is more. What shows the background is near a sample that shows it.
struct Distances {
    std::uint64_t samples = 0;
    std::uint64_t far = 0;  // by more than kFar errors
    float largest = 0;      // in errors, 6 at most; but for slivers
};

constexpr float kFar = 1.5F;
constexpr float kMostErrors = 4.0F;

struct Offset {
    int x, y;
    float length;
};
// Within a circle, the nearest first.
std::vector<Offset> offsets(float radius) {
    std::vector<Offset> out;
    const int r = static_cast<int>(std::ceil(radius));
    for (int y = -r; y <= r; ++y) {
        for (int x = -r; x <= r; ++x) {
            const float length = std::hypot(static_cast<float>(x), static_cast<float>(y));
            if (length <= radius) out.push_back({x, y, length});
        }
    }
    std::ranges::sort(out, {}, &Offset::length);
    return out;
}

// Whether something else is seen so near to a sample that edges which move by the error may hide what it shows: of how
// far that is from anything alike nothing follows.
bool is_sliver(const Samples& of, int x, int y, float error, const std::vector<Offset>& around) {
    const auto at = index_of(of.width, x, y);
    const std::optional<glm::vec3>& point = of.points[at];
    for (const Offset& offset : around) {
        if (offset.length > kFar * error * kSamples) break;
        const std::optional<glm::vec3>& other = of.points[index_of(of.width, x + offset.x, y + offset.y)];
        if (point.has_value() != other.has_value()) return true;
        if (point && glm::distance(*point, *other) * of.scales[at] > kMostErrors * error) return true;
    }
    return false;
}

// Of one sample of each pixel, but for those so near to the picture's border that what they look for may lie beyond.
void add_distances(const Samples& from, const Samples& to, float error, Distances& out) {
    const float most = 6.0F * error;
    const std::vector<Offset> around = offsets(most * kSamples);
    const int border = static_cast<int>(4.0F * error) * kSamples;
    for (int y = border + kSamples / 2; y < from.height - border; y += kSamples) {
        for (int x = border + kSamples / 2; x < from.width - border; x += kSamples) {
            const auto at = index_of(from.width, x, y);
            const std::optional<glm::vec3>& point = from.points[at];
            float nearest = most;
            for (const Offset& offset : around) {
                const float length = offset.length / kSamples;
                if (length >= nearest) break;
                const int u = x + offset.x, v = y + offset.y;
                if (u < 0 || v < 0 || u >= to.width || v >= to.height) continue;
                const std::optional<glm::vec3>& other = to.points[index_of(to.width, u, v)];
                if (point.has_value() != other.has_value()) continue;
                const float apart = point ? glm::distance(*point, *other) * from.scales[at] : 0.0F;
                nearest = std::min(nearest, std::max(length, apart));
            }
            ++out.samples;
            out.far += nearest > kFar * error ? 1 : 0;
            if (nearest > kMostErrors * error && is_sliver(from, x, y, error, around)) continue;
            out.largest = std::max(out.largest, nearest / error);
        }
    }
}

// How a cut differs from the finest level.
struct Judgement {
    Distances distances;
    double covers = 0;            // pixels more
    double covers_share = 0;      // of what the finest level covers
    double color = 0;             // mean difference by CIE 1976 of the pixels that either covers
    std::uint64_t triangles = 0;  // drawn

    // In a single view; of all together half as many may be far.
    [[nodiscard]] bool near() const {
        return static_cast<double>(distances.far) <= 2e-3 * static_cast<double>(distances.samples) &&
               distances.largest <= kMostErrors;
    }
    // Where the error allows it, each instance may cover less or more by the square of the error.
    [[nodiscard]] bool covers_the_same(float error) const {
        return std::abs(covers_share) <= 0.02 || std::abs(covers) <= kInstances * error * error;
    }
};

Judgement judge(const Samples& cut, const Samples& finest, float error) {
    Judgement out;
    add_distances(cut, finest, error, out.distances);
    add_distances(finest, cut, error, out.distances);
    out.covers = cut.covered - finest.covered;
    out.covers_share = out.covers / finest.covered;
    out.triangles = cut.triangles;
    double pixels = 0;
    for (std::size_t p = 0; p < cut.colors.size(); ++p) {
        if (!cut.touched[p] && !finest.touched[p]) continue;
        pixels += 1;
        out.color += glm::distance(lab(cut.colors[p]), lab(finest.colors[p]));
    }
    out.color /= pixels;
    return out;
}

class LevelsSeen : public testing::Test {
  protected:
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    void set_scene(const scene::EncodedScene& scene) { bench_.set_scene(scene, {.grid = {}, .animation = "all"}); }

    // `error` in pixels; nothing: the finest level.
    Samples draw(const Camera& camera, const Size& size, std::optional<float> error) {
        FrameSettings settings = reference_settings();
        settings.lod = error.has_value();
        settings.lod_error = error.value_or(1.0F) * kSamples;
        settings.projection = camera.projection;
        settings.time = camera.time;
        const int width = size.width * kSamples, height = size.height * kSamples;
        const Bench::Shot shot = bench_.shoot(settings, camera.pose, kNear, static_cast<std::uint32_t>(width),
                                              static_cast<std::uint32_t>(height));
        const float aspect = static_cast<float>(width) / static_cast<float>(height);
        const render::View view = render::make_view(camera.pose, kNear, camera.projection, aspect);
        Samples out = samples(shot.picture, view, size);
        out.triangles = shot.counters.primitives_drawn;
        return out;
    }

    Bench bench_;
};

constexpr Size kSize{80, 60};

// Around the shapes, from close by to far away.
std::vector<Camera> cameras() {
    constexpr std::array kDistances{3.5F, 5.0F, 8.0F, 14.0F, 25.0F};
    std::vector<Camera> out;
    for (std::size_t i = 0; i < 50; ++i) {
        const float t = (static_cast<float>(i) + 0.5F) / 50.0F;
        const float up = 1.0F - 2.0F * t;
        const float turn = 2.4F * static_cast<float>(i);
        const float around = std::sqrt(1.0F - up * up);
        const glm::vec3 way(around * std::cos(turn), up, around * std::sin(turn));
        out.push_back({.pose = {.eye = kDistances[i % 5] * way,
                                .target = {0.3F * std::cos(turn), 0.2F, 0.0F},
                                .fov_degrees = 50.0F},
                       .projection = i % 7 == 6 ? Projection::kOrthographic : Projection::kPerspective,
                       .time = t});
    }
    return out;
}

// Mean difference of colours in a view, at an error of one pixel.
constexpr double kMostColor = 4.0;

TEST_F(LevelsSeen, AreTheFinestWithinTheError) {
    set_scene(shapes());
    struct Asked {
        float error;        // pixels
        double most_color;  // of any view
        std::uint64_t triangles = 0, samples = 0, far = 0;
    };
    std::uint64_t finest_triangles = 0;
    std::array asked{Asked{1.0F, kMostColor}, Asked{2.0F, 6.0}, Asked{4.0F, 20.0}};
    const std::vector<Camera> views = cameras();
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Samples finest = draw(views[i], kSize, std::nullopt);
        finest_triangles += finest.triangles;
        for (Asked& ask : asked) {
            SCOPED_TRACE("view " + std::to_string(i) + ", error " + std::to_string(ask.error));
            const Judgement found = judge(draw(views[i], kSize, ask.error), finest, ask.error);
            EXPECT_TRUE(found.near()) << found.distances.far << " of " << found.distances.samples << " are far, one "
                                      << found.distances.largest << " errors";
            EXPECT_TRUE(found.covers_the_same(ask.error)) << found.covers << " pixels, " << found.covers_share;
            EXPECT_LE(found.color, ask.most_color);
            ask.triangles += found.triangles;
            ask.samples += found.distances.samples;
            ask.far += found.distances.far;
        }
    }
    for (const Asked& ask : asked) {
        EXPECT_LT(ask.triangles * 3, finest_triangles) << ask.error;
        EXPECT_LE(ask.far * 1000, ask.samples) << ask.error;
    }
}

// The shapes with a mistake. `make` makes it.
struct Mistaken {
    explicit Mistaken(const std::function<void(Mistaken&)>& make) : scene(shapes()) {
        groups.assign(scene.geometry.lod_groups.begin(), scene.geometry.lod_groups.end());
        meshlets.assign(scene.geometry.lod_meshlets.begin(), scene.geometry.lod_meshlets.end());
        make(*this);
        scene.geometry.lod_groups = groups;
        scene.geometry.lod_meshlets = meshlets;
    }
    scene::EncodedScene scene;
    std::vector<mesh::LodGroup> groups;
    std::vector<mesh::LodMeshlet> meshlets;
};

void understate_errors(Mistaken& of) {
    for (mesh::LodGroup& group : of.groups) group.error *= 0.25F;
}

// Calls back for the first meshlet of each level of the torus and of the ball.
void for_each_level(const Mistaken& of, const std::function<void(std::uint32_t meshlet)>& found) {
    for (const mesh::MeshHeader& mesh : of.scene.geometry.meshes.first(2)) {
        std::array<bool, shared::kMostLodLevel + 2> done{};
        for (std::uint32_t m = mesh.first_meshlet; m < mesh.first_meshlet + mesh.meshlet_count; ++m) {
            const std::uint32_t from = of.meshlets[m].simplified_from;
            const std::size_t level = from == shared::kNoLodGroup ? 0 : of.groups[from].level + 1;
            if (!std::exchange(done[level], true)) found(m);
        }
    }
}

// Of each level a meshlet is drawn with those that it was simplified from.
void draw_parents(Mistaken& of) {
    std::vector<std::uint32_t> parents;
    for_each_level(of, [&](std::uint32_t meshlet) { parents.push_back(meshlet); });
    for (const std::uint32_t meshlet : parents) of.meshlets[meshlet].simplified_from = shared::kNoLodGroup;
}

// Of each level a meshlet is never drawn.
void make_holes(Mistaken& of) {
    const auto never = static_cast<std::uint32_t>(of.groups.size());
    for_each_level(of, [&](std::uint32_t meshlet) { of.meshlets[meshlet].group = never; });
    of.groups.push_back({});
}

TEST_F(LevelsSeen, MistakesAreNoticed) {
    constexpr float kError = 1.0F;
    std::vector<Camera> views = cameras();
    views.resize(15);
    std::vector<Samples> finest;
    set_scene(shapes());
    for (const Camera& view : views) finest.push_back(draw(view, kSize, std::nullopt));
    struct Noticed {  // views
        std::size_t by_distance = 0, by_cover = 0, by_color = 0;
    };
    const auto notice = [&](const std::function<void(Mistaken&)>& mistake) {
        const Mistaken mistaken(mistake);
        set_scene(mistaken.scene);
        Noticed out;
        for (std::size_t i = 0; i < views.size(); ++i) {
            const Judgement found = judge(draw(views[i], kSize, kError), finest[i], kError);
            out.by_distance += found.near() ? 0 : 1;
            out.by_cover += found.covers_the_same(kError) ? 0 : 1;
            out.by_color += found.color <= kMostColor ? 0 : 1;
        }
        set_scene(shapes());
        return out;
    };
    const Noticed none = notice([](Mistaken&) {});
    EXPECT_EQ(none.by_distance + none.by_cover + none.by_color, 0U);
    EXPECT_GT(notice(understate_errors).by_color, 0U);
    EXPECT_GT(notice(draw_parents).by_distance, 0U);
    EXPECT_GT(notice(make_holes).by_distance, 2U);
}

// A frame of a slow flight away.
Camera flown(int frame, int frames) {
    const float distance = 4.0F * std::pow(6.0F, static_cast<float>(frame) / static_cast<float>(frames));
    return {.pose = {.eye = distance * glm::normalize(glm::vec3(0.6F, 0.4F, 0.7F)),
                     .target = {0.0F, 0.2F, 0.0F},
                     .fov_degrees = 50.0F}};
}

// sRGB-encoded, of 1, and of the channel that differs most.
float change(const glm::vec3& a, const glm::vec3& b) {
    float out = 0;
    for (int c = 0; c < 3; ++c) out = std::max(out, std::abs(encoded(a[c]) - encoded(b[c])));
    return out;
}

// By how much a pixel changes from frame to frame of the flight, at an error of one pixel, beyond what it does of the
// finest level; a mistake is known by the first that is too much.
TEST_F(LevelsSeen, ASlowFlightHardlyJumps) {
    constexpr Size kSmall{40, 30};
    constexpr float kMost = 0.15F;
    constexpr int kFrames = 300;
    using Colors = std::vector<glm::vec3>;
    const auto colors = [&](int frame, std::optional<float> error) {
        return draw(flown(frame, kFrames), kSmall, error).colors;
    };
    set_scene(shapes());
    std::vector<Colors> finest;
    for (int i = 0; i < kFrames; ++i) finest.push_back(colors(i, std::nullopt));
    const auto largest_jump = [&](float enough) {
        float largest = 0;
        Colors before;
        for (std::size_t i = 0; i < finest.size() && largest <= enough; ++i) {
            Colors cut = colors(static_cast<int>(i), 1.0F);
            for (std::size_t p = 0; i > 0 && p < cut.size(); ++p) {
                largest = std::max(largest, change(cut[p], before[p]) - change(finest[i][p], finest[i - 1][p]));
            }
            before = std::move(cut);
        }
        return largest;
    };
    EXPECT_LT(largest_jump(kMost), kMost);
    const Mistaken understated(understate_errors);
    set_scene(understated.scene);
    EXPECT_GT(largest_jump(kMost), kMost);
    set_scene(shapes());
}

}  // namespace
}  // namespace sublet::test::levels_seen_test
