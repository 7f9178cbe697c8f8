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

TEST(VramBudget, IsHalfOfWhatIsLeft) {
    const VramBudget small = vram_budget({}, 1000, 100);
    EXPECT_EQ(small.all, 500U);
    EXPECT_EQ(small.textures, 400U) << "what geometry leaves";
    EXPECT_EQ(small.geometry(50), 450U) << "what textures leave";
    const VramBudget large = vram_budget({}, 1000, 5000);
    EXPECT_EQ(large.all, 500U);
    EXPECT_EQ(large.textures, 250U);
    EXPECT_EQ(large.geometry(large.textures), 250U);
}

TEST(VramBudget, IsWhatIsGiven) {
    const VramBudget both = vram_budget(given(300, 200), 1000, 5000);
    EXPECT_EQ(both.all, 300U);
    EXPECT_EQ(both.textures, 200U);
    EXPECT_EQ(both.geometry(200), 100U);
    EXPECT_EQ(vram_budget(given(300, 400), 1000, 5000).textures, 300U);
    EXPECT_EQ(vram_budget(given(300, 0), 1000, 100).textures, 200U);
    // More than all would be by itself: geometry has half of what is left behind that.
    const VramBudget textures = vram_budget(given(0, 800), 1000, 5000);
    EXPECT_EQ(textures.textures, 800U);
    EXPECT_EQ(textures.geometry(800), 100U);
    EXPECT_EQ(textures.geometry(900), 0U) << "and never less than nothing";
    EXPECT_EQ(vram_budget(given(0, 2000), 1000, 5000).geometry(1500), 500U);
}

}  // namespace
}  // namespace sublet::render
