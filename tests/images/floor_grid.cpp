// The grid on the floor: its lines are where the plane's points project to, geometry hides them, and the picture that
// it is drawn over stays as it is.
#include "render/view/floor_grid.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <optional>
#include <vector>

#include "base/error.h"
#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "harness.h"
#include "render/view/picture_state.h"
#include "shapes.h"

namespace sublet::test::floor_grid_test {
namespace {

using render::CameraPose;
using render::FloorGrid;
using render::Projection;

constexpr std::uint32_t kWidth = 160;
constexpr std::uint32_t kHeight = 120;
constexpr float kNear = 0.1F;
constexpr CameraPose kAbove{.eye = {1.3F, 2.1F, 5.2F}, .target = {0.1F, 0.3F, 0.0F}, .fov_degrees = 60.0F};

TEST(FloorGridOf, LiesAtTheOriginOrTheLowestPointAndGrowsByPowersOfTen) {
    for (const float size : {1e-20F, 0.003F, 0.031F, 0.033F, 1.0F, 7.0F, 31.0F, 33.0F, 5e4F, 1e15F}) {
        const FloorGrid grid = render::floor_grid({{size, -2.0F * size, -size}, {2.0F * size, size, size}});
        EXPECT_EQ(grid.height, 0.0F);
        EXPECT_NEAR(grid.radius, 0.5F * std::sqrt(14.0F) * size, 1e-5F * grid.radius);
        const double power = std::log10(static_cast<double>(grid.spacing));
        EXPECT_NEAR(power, std::round(power), 1e-5) << size;
        const float lines = 2.0F * grid.radius / grid.spacing;
        EXPECT_TRUE(lines > 6.0F && lines < 64.0F) << size << ": " << lines;
    }
    EXPECT_EQ(render::floor_grid({}).spacing, 0.1F);
    EXPECT_EQ(render::floor_grid({{-1.0F, 0.5F, -1.0F}, {1.0F, 2.0F, 1.0F}}).height, 0.5F);
    EXPECT_EQ(render::floor_grid({{-1.0F, -3.0F, -1.0F}, {1.0F, -2.0F, 1.0F}}).height, -3.0F);
    EXPECT_EQ(render::floor_grid({{-1.0F, 0.0F, -1.0F}, {1.0F, 2.0F, 1.0F}}).height, 0.0F);
}

// A wall that stands on the floor, and a step that lies on it.
scene::EncodedScene wall_and_step() {
    scene::ImportedScene out;
    out.scene.materials.emplace_back();
    out.scene.materials[0].double_sided = true;
    place(out, add_mesh(out, make_quad({-1.0F, 0.0F, 0.0F}, {2.0F, 0.0F, 0.0F}, {0.0F, 1.5F, 0.0F}), 0),
          glm::mat4(1.0F));
    place(out, add_mesh(out, make_quad({-2.5F, 0.4F, 1.0F}, {1.4F, 0.0F, 0.0F}, {0.0F, 0.0F, 1.4F}), 0),
          glm::mat4(1.0F));
    return encode(std::move(out));
}

// Where lines of sight meet the plane, from the matrix alone, in double precision.
class Sight {
  public:
    Sight(const render::View& view, const FloorGrid& grid)
        : to_clip_(view.view_projection), to_world_(glm::inverse(to_clip_)), grid_(grid) {}

    // The point of the plane that is seen at this place of the window, in pixels; nothing above the horizon.
    [[nodiscard]] std::optional<glm::dvec3> at(double x, double y) const {
        const glm::dvec3 near = world(x, y, 1.0);
        const glm::dvec3 far = world(x, y, 0.75);
        const double along = (grid_.height - near.y) / (far.y - near.y);
        if (!(along > 0.0)) return std::nullopt;
        return near + along * (far - near);
    }
    // Whether one of the lines that lie so far apart passes within this many pixels.
    [[nodiscard]] bool line_within(double x, double y, double pixels, double apart) const {
        std::array<std::optional<glm::dvec3>, 4> around{at(x - pixels, y), at(x + pixels, y), at(x, y - pixels),
                                                        at(x, y + pixels)};
        for (const auto& point : around) {
            if (!point) return true;
        }
        for (int i = 1; i < 4; ++i) {
            for (const int axis : {0, 2}) {
                if (std::floor((*around[0])[axis] / apart) != std::floor((*around[i])[axis] / apart)) return true;
            }
        }
        return false;
    }
    // How far apart points of the plane are that are seen at opposite sides of a pixel; huge at the horizon.
    [[nodiscard]] double footprint(double x, double y) const {
        const auto left = at(x - 0.5, y), right = at(x + 0.5, y), above = at(x, y - 0.5), below = at(x, y + 0.5);
        if (!left || !right || !above || !below) return 1e30;
        return glm::distance(*left, *right) + glm::distance(*above, *below);
    }
    // The depth of what is seen there a hundredth nearer than `point`.
    [[nodiscard]] double depth_before(double x, double y, const glm::dvec3& point) const {
        const glm::dvec4 clip = to_clip_ * glm::dvec4(glm::mix(point, world(x, y, 1.0), 0.01), 1.0);
        return clip.z / clip.w;
    }

  private:
    [[nodiscard]] glm::dvec3 world(double x, double y, double depth) const {
        const glm::dvec4 point = to_world_ * glm::dvec4(x / kWidth * 2.0 - 1.0, y / kHeight * 2.0 - 1.0, depth, 1.0);
        return glm::dvec3(point) / point.w;
    }

    glm::dmat4 to_clip_;
    glm::dmat4 to_world_;
    FloorGrid grid_;
};

class FloorGridOver : public testing::Test {
  protected:
    void TearDown() override { EXPECT_EQ(bench_.validation_messages(), 0U); }

    // The picture of a view with the grid over it, drawn over a copy.
    std::vector<std::uint8_t> with_grid(const render::FrameSettings& settings, const FloorGrid& grid) {
        const gpu::Image copy(bench_.device(),
                              {.extent = {kWidth, kHeight},
                               .format = render::kColorFormat,
                               .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                               .name = "a window"});
        const Bench::Request request{0, settings, kAbove, kNear, kWidth, kHeight, {}};
        bench_.render({request}, [&](gpu::Frame& frame) {
            gpu::image_barrier(frame.commands, copy, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                               gpu::kNothing, gpu::kTransferWrite);
            VkImageCopy region{};
            region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
            region.extent = {kWidth, kHeight, 1};
            vkCmdCopyImage(frame.commands, bench_.renderer().color().handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           copy.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
            gpu::image_barrier(frame.commands, copy, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                               VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, gpu::kTransferWrite, gpu::kColorAttachment);
            bench_.renderer().draw_floor_grid(grid, view(settings), {copy.view(), render::kColorFormat});
            gpu::image_barrier(frame.commands, copy, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                               VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, gpu::kColorAttachment, gpu::kTransferRead);
        });
        bench_.renderer().finish();
        const std::vector<std::byte> texels =
            gpu::read_image(bench_.device(), copy, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        std::vector<std::uint8_t> out(texels.size());
        std::memcpy(out.data(), texels.data(), out.size());
        return out;
    }

    static render::View view(const render::FrameSettings& settings) {
        return render::make_view(kAbove, kNear, settings.projection.value_or(Projection::kPerspective),
                                 static_cast<float>(kWidth) / static_cast<float>(kHeight));
    }

    Bench bench_;
};

TEST_F(FloorGridOver, LinesAreWhereTheFloorIsSeenAndNothingHidesIt) {
    bench_.set_scene(wall_and_step());
    FloorGrid grid = render::floor_grid(render::scene_box(bench_.scene(), {}));
    EXPECT_EQ(grid.height, 0.0F);
    EXPECT_EQ(grid.spacing, 0.1F);
    grid.spacing = 1.0F;  // lines that are some pixels apart in a picture this small
    for (const Projection projection : {Projection::kPerspective, Projection::kOrthographic}) {
        for (const Way& way : ways(bench_)) {
            SCOPED_TRACE(way.name + (projection == Projection::kPerspective ? " perspective" : " orthographic"));
            render::FrameSettings settings = way.settings;
            settings.projection = projection;
            const render::Picture plain = bench_.shoot(settings, kAbove, kNear, kWidth, kHeight).picture;
            const std::vector<std::uint8_t> gridded = with_grid(settings, grid);
            const render::Picture after = bench_.renderer().read_picture(true, true);
            EXPECT_EQ(after.rgba, plain.rgba) << "the picture itself";
            EXPECT_EQ(after.depth, plain.depth);
            const Sight sight(view(settings), grid);
            int lines = 0, gaps = 0, hidden_lines = 0;
            int above = 0, shining_through = 0, missing = 0, between = 0;
            for (std::uint32_t y = 0; y < kHeight; ++y) {
                for (std::uint32_t x = 0; x < kWidth; ++x) {
                    const std::size_t i = std::size_t{y} * kWidth + x;
                    const bool changed = std::memcmp(&gridded[4 * i], &plain.rgba[4 * i], 4) != 0;
                    const auto point = sight.at(x + 0.5, y + 0.5);
                    if (!point) {
                        above += changed ? 1 : 0;
                        continue;
                    }
                    // Before lines fade because they are close together.
                    const bool strong = sight.line_within(x + 0.5, y + 0.5, 0.5, grid.spacing) &&
                                        sight.footprint(x + 0.5, y + 0.5) < 0.25 * grid.spacing;
                    if (plain.depth[i] > sight.depth_before(x + 0.5, y + 0.5, *point)) {
                        hidden_lines += strong ? 1 : 0;
                        shining_through += changed ? 1 : 0;
                    } else if (plain.depth[i] == 0.0F && strong) {
                        ++lines;
                        missing += changed ? 0 : 1;
                    } else if (!sight.line_within(x + 0.5, y + 0.5, 2.0, grid.spacing)) {
                        ++gaps;
                        between += changed ? 1 : 0;
                    }
                }
            }
            EXPECT_EQ(above, 0) << "the horizon";
            EXPECT_EQ(shining_through, 0);
            EXPECT_EQ(missing, 0);
            EXPECT_EQ(between, 0);
            EXPECT_GT(lines, 100);
            EXPECT_GT(gaps, 1000);
            EXPECT_GT(hidden_lines, 20) << "there is something to hide";
        }
    }
}

// A floor in the very plane of the grid shows it, whatever its depth has been rounded to.
TEST_F(FloorGridOver, AFloorInItsPlaneDoesNotHideIt) {
    scene::ImportedScene out;
    out.scene.materials.emplace_back();
    place(out, add_mesh(out, make_quad({-3.0F, 0.0F, 3.0F}, {6.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -6.0F}), 0),
          glm::mat4(1.0F));
    bench_.set_scene(encode(std::move(out)));
    const FloorGrid grid = render::floor_grid(render::scene_box(bench_.scene(), {}));
    for (const Way& way : ways(bench_)) {
        SCOPED_TRACE(way.name);
        const render::Picture plain = bench_.shoot(way.settings, kAbove, kNear, kWidth, kHeight).picture;
        const std::vector<std::uint8_t> gridded = with_grid(way.settings, grid);
        const Sight sight(view(way.settings), grid);
        int lines = 0, missing = 0;
        for (std::size_t i = 0; i < plain.depth.size(); ++i) {
            const double x = static_cast<double>(i % kWidth) + 0.5;
            const double y = static_cast<double>(i / kWidth) + 0.5;
            if (plain.depth[i] == 0.0F || !sight.line_within(x, y, 0.5, 10.0 * grid.spacing)) continue;
            ++lines;
            missing += std::memcmp(&gridded[4 * i], &plain.rgba[4 * i], 4) == 0 ? 1 : 0;
        }
        EXPECT_GT(lines, 100);
        EXPECT_EQ(missing, 0);
    }
}

TEST_F(FloorGridOver, IsDrawnInAFrameThatHasTheView) {
    bench_.set_scene(wall_and_step());
    const render::View seen_from = view({});
    EXPECT_THROW(bench_.renderer().draw_floor_grid({}, seen_from, {}), Error) << "no frame was begun";
}

}  // namespace
}  // namespace sublet::test::floor_grid_test
