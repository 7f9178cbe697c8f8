#include "app/keep/picture_command.h"

#include <gtest/gtest.h>

#include "base/console.h"
#include "base/files.h"
#include "base/path_text.h"
#include "this_system.h"

namespace sublet::app {
namespace {

// A file, as a command line names it: from the root on.
std::string named(const char* path) {
    return shell_word(path_text(absolute_path(path)));
}

TEST(PictureCommand, SaysNothingOfDefaults) {
    EXPECT_EQ(picture_command({}), "sublet render -o picture.png");
}

TEST(PictureCommand, SaysWhatDiffersToTheLastDigit) {
    PictureSource source;
    source.scene = "/scenes/a room/it's.glb";
    source.size = {640, 480};
    source.frames = kSettledFrames;
    source.samples = 16;
    source.file_scene = "the attic";
    source.allow_outside = true;
    source.settings.frame.camera = render::CameraPose{{0.1F, -2.0F, 1e-9F}, {0.0F, 3.5F, 1e8F}, 45.0F, -7.25F};
    source.settings.frame.near_plane = 0.3F;
    source.settings.frame.wireframe = true;
    source.settings.device.name = "-llvm";
    source.settings.device.validation = true;
    source.settings.frame.count_ties = true;
    EXPECT_EQ(picture_command(source),
              "sublet render " + named("/scenes/a room/it's.glb") + " -o picture.png --size 640x480 --scene " +
                  shell_word("the attic") + " --allow-outside --frames 4 --samples 16 --wireframe on --camera " +
                  shell_word("0.1,-2,1e-09,0,3.5,1e+08,45,-7.25") + " --near 0.3 --device=-llvm");
}

TEST(PictureCommand, ANegativeEyeIsNoOption) {
    PictureSource source;
    source.settings.frame.camera = render::CameraPose{{-1, 0, 0}, {0, 0, 0}};
    EXPECT_EQ(picture_command(source), "sublet render -o picture.png --camera=" + shell_word("-1,0,0,0,0,0,45"));
}

TEST(PictureCommand, APathOfCamerasHasItsOwnNumberOfFrames) {
    PictureSource source;
    source.camera_path = "/p.json";
    EXPECT_EQ(picture_command(source), "sublet render -o picture.png --camera-path " + named("/p.json"));
    source.frames = kRenderFrames;
    EXPECT_EQ(picture_command(source),
              "sublet render -o picture.png --camera-path " + named("/p.json") + " --frames 2");
}

TEST(PictureCommand, SaysThatItCantNameTwoCameras) {
    PictureSource source;
    source.settings.frame.freeze_culling = 7;
    EXPECT_EQ(picture_command(source), "sublet render -o picture.png --freeze-culling 7");
    source.frozen_elsewhere = true;
    const std::string text = picture_command(source);
    EXPECT_EQ(text.substr(0, 2), "# ");
    EXPECT_EQ(text.substr(text.find('\n') + 1), "sublet render -o picture.png");
}

TEST(PictureCommand, SaysThatItCantNameAClick) {
    PictureSource source;
    source.clicked = true;
    const std::string text = picture_command(source);
    EXPECT_EQ(text.substr(0, 2), "# ");
    EXPECT_EQ(text.substr(text.find('\n') + 1), "sublet render -o picture.png");
}

TEST(PictureCommand, SaysThatItCantNameTimesOfTheirOwn) {
    PictureSource source;
    source.settings.frame.time = 0.75;
    EXPECT_EQ(picture_command(source), "sublet render -o picture.png --time 0.75");
    source.times_apart = true;
    const std::string text = picture_command(source);
    EXPECT_TRUE(text.starts_with("# Animations ")) << text;
    EXPECT_EQ(text.substr(text.find('\n') + 1), "sublet render -o picture.png --time 0.75");
}

}  // namespace
}  // namespace sublet::app
