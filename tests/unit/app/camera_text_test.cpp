#include "render/settings/camera_text.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "temporary_folder.h"

namespace sublet::render {
namespace {

const CameraPose kTextPose{{1.0F, 2.5F, -3.0F}, {0.1F, 0.0F, 1e-7F}, 30.0F, -12.5F};

TEST(CameraText, WhatIsCopiedCanBePasted) {
    Settings copied;
    copied.frame.camera = kTextPose;
    for (const bool more : {false, true}) {
        if (more) {
            copied.frame.near_plane = 0.125F;
            copied.frame.projection = Projection::kOrthographic;
        }
        const std::string text = camera_arguments(copied);
        EXPECT_EQ(text.find("--near") != std::string::npos, more) << text;
        Settings pasted;
        set_camera_text(pasted, text);
        EXPECT_EQ(pasted.frame.camera, kTextPose);
        EXPECT_EQ(pasted.frame.near_plane, copied.frame.near_plane);
        EXPECT_EQ(pasted.frame.projection, copied.frame.projection);
    }
}

TEST(CameraText, TakesWhateverComesAlong) {
    const std::string numbers = camera_text(kTextPose);
    const std::string spaced = "1, 2.5, -3,\n 0.1 ,0,1e-7,30, -12.5";
    for (const std::string& text :
         {numbers, " " + numbers + "\n", "\"" + numbers + "\"", "--camera " + numbers, "--camera=" + numbers,
          "'--camera' '" + numbers + "'", "--camera \"" + numbers + "\"", "\t--camera   " + numbers + "\r\n", spaced,
          "--camera '" + spaced + "'"}) {
        SCOPED_TRACE(text);
        Settings settings;
        settings.frame.near_plane = 7.0F;
        set_camera_text(settings, text);
        EXPECT_EQ(settings.frame.camera, kTextPose);
        EXPECT_EQ(settings.frame.near_plane, 7.0F) << "what it does not name stays";
        EXPECT_FALSE(settings.frame.projection);
    }
    Settings settings;
    set_camera_text(settings, "--near=0.5 --projection orthographic --camera " + numbers);
    EXPECT_EQ(settings.frame.near_plane, 0.5F);
    EXPECT_EQ(settings.frame.projection, Projection::kOrthographic);
    set_camera_text(settings, "  ");
    EXPECT_FALSE(settings.frame.camera) << "no text is the default camera";
}

TEST(CameraText, SaysWhatIsWrongInOneSentenceAndChangesNothing) {
    const std::string numbers = camera_text(kTextPose);
    const std::pair<std::string, const char*> bad[] = {
        {"hello", "'hello'"},
        {"--camera", "''"},
        {"1,2,3", "'1,2,3'"},
        {"0,0,1 0,0,0,0", "is not ex,ey"},
        {"--near 1", "is not ex,ey"},
        {numbers + " --near -1", "--near: '-1'"},
        {numbers + " --near", "no value"},
        {numbers + " --projection wide", "--projection: 'wide'"},
        {numbers + " --backend mdi", "--backend"},
        {numbers + " 4", "is not ex,ey"},
        {"1,2,3,1,2,3", "'1,2,3,1,2,3': the eye and the target are the same point"},
        {"0,0,1e-30,0,0,0", "too near each other"},
        {"1e25,0,0,0,0,0", "within 1e18"},
        {"0,0,1,0,0,0,180", "between 0 and 180 degrees"},
        {std::string(100'000, 'x'), "100000 characters"},
    };
    for (const auto& [text, words] : bad) {
        SCOPED_TRACE(text.substr(0, 80));
        Settings settings;
        settings.frame.near_plane = 7.0F;
        const std::string message = test::message_of<Error>([&, &value = text] { set_camera_text(settings, value); });
        EXPECT_NE(message.find(words), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_LT(message.size(), 600U);
        EXPECT_FALSE(settings.frame.camera);
        EXPECT_EQ(settings.frame.near_plane, 7.0F);
        EXPECT_FALSE(settings.frame.projection);
    }
}

}  // namespace
}  // namespace sublet::render
