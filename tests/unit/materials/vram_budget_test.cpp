// How geometry and textures of a scene share what VRAM they may take.
#include <gtest/gtest.h>

#include <cstdint>

#include "render/scene/scene_memory.h"

namespace sublet::render {
namespace {

SceneSettings given(std::uint64_t vram, std::uint64_t textures) {
    SceneSettings out;
    out.vram_budget = vram;
    out.texture_budget = textures;
    return out;
}

TEST(VramBudget, IsHalfOfWhatIsGranted) {
    const VramBudget small = vram_budget({}, 1000, 900, 100);
    EXPECT_EQ(small.all, 500U);
    EXPECT_EQ(small.textures, 400U) << "what geometry leaves";
    EXPECT_EQ(small.geometry(50), 450U) << "what textures leave";
    const VramBudget large = vram_budget({}, 1000, 900, 5000);
    EXPECT_EQ(large.all, 500U);
    EXPECT_EQ(large.textures, 250U);
    EXPECT_EQ(large.geometry(large.textures), 250U);
    EXPECT_EQ(vram_budget({}, 1000, 400, 5000).all, 300U) << "others have the rest";
}

TEST(VramBudget, IsWhatIsGiven) {
    const VramBudget both = vram_budget(given(300, 200), 1000, 900, 5000);
    EXPECT_EQ(both.all, 300U);
    EXPECT_EQ(both.textures, 200U);
    EXPECT_EQ(both.geometry(200), 100U);
    EXPECT_EQ(vram_budget(given(300, 400), 1000, 900, 5000).textures, 300U);
    EXPECT_EQ(vram_budget(given(300, 0), 1000, 900, 100).textures, 200U);
    // Geometry has half of what textures leave.
    const VramBudget textures = vram_budget(given(0, 300), 1000, 900, 5000);
    EXPECT_EQ(textures.textures, 300U);
    EXPECT_EQ(textures.geometry(300), 300U);
    EXPECT_EQ(textures.geometry(700), 0U) << "and never less than nothing";
    const VramBudget more = vram_budget(given(0, 2000), 1000, 900, 5000);
    EXPECT_EQ(more.all, 675U) << "than is left";
    EXPECT_EQ(more.textures, 675U);
}

}  // namespace
}  // namespace sublet::render
