// Pictures of light in the viewer: dropped on it, kept for the next run, and wrong ones.
#include "../unit/scene/environment_files.h"
#include "kept_viewer.h"

namespace sublet::test {
namespace {

class EnvironmentTest : public KeptViewerTest {
  protected:
    void SetUp() override {
        KeptViewerTest::SetUp();
        const auto green = [](std::uint32_t, std::uint32_t) { return scene::testing::Radiance{0.0F, 0.8F, 0.0F}; };
        write_text(folder_ / "a green light.hdr", scene::testing::hdr_file(64, 32, green));
        write_text(folder_ / "square.hdr", scene::testing::hdr_file(32, 32, green));
    }
    bool drop(const std::string& window, const std::string& name) {
        return drop_file(display_->name(), window, (folder_ / name).string());
    }
    // The background in the middle of the window's upper part.
    [[nodiscard]] bool green() const {
        for (const std::uint32_t color : colors_in(display_->screenshot(), 560, 150, 8, 8)) {
            if ((color >> 8U & 255U) < 150 || (color >> 16U) > 80 || (color & 255U) > 80) return false;
        }
        return true;
    }
    [[nodiscard]] std::string file() const { return (folder_ / "a green light.hdr").string(); }
};

TEST_F(EnvironmentTest, ADroppedPictureLightsTheScene) {
    const std::string window = open_and_point();
    EXPECT_FALSE(green());
    EXPECT_TRUE(drop(window, "a green light.hdr"));
    EXPECT_TRUE(wait_until([&] { return green(); }));
    EXPECT_FALSE(shows_message());
    EXPECT_TRUE(drop(window, "square.hdr"));
    EXPECT_TRUE(wait_until([&] { return shows_message(); }));
    EXPECT_TRUE(green()) << "the light that was there stays";
    const Json json = quit(window);
    EXPECT_EQ(json["scene"], "sphere.gltf");
    EXPECT_EQ(json["settings"]["environment"], file());
    EXPECT_EQ(json["settings"]["sun"], "off");
}

TEST_F(EnvironmentTest, TheFirstFrameHasTheLightThatWasAskedFor) {
    start({"--frames", "2", "--environment", "a green light.hdr"});
    EXPECT_EQ(finish()["settings"]["environment"], file());
    start({"--frames", "2", "--environment", "square.hdr"});
    const ProcessResult wrong = viewer_->wait();
    EXPECT_EQ(wrong.status, 1);
    EXPECT_NE(wrong.err.find("square.hdr: size: is 32x32"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace sublet::test
