#include "app/camera_path.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

constexpr const char* kPath = R"({"frames": 40, "keys": [
    {"frame": 0, "eye": [0, 0, 10], "target": [0, 0, 0]},
    {"frame": 10, "eye": [10, 0, 10], "target": [0, 1, 0], "fov": 60},
    {"frame": 15, "eye": [15, 0, 10], "target": [0, 1, 0], "fov": 60},
    {"frame": 20, "eye": [-5, 3, 2], "target": [1, 0, 0], "fov": 30, "cut": true},
    {"frame": 30, "eye": [-5, 13, 2], "target": [1, 0, 0], "fov": 30}]})";

TEST(CameraPath, GoesThroughItsKeys) {
    const CameraPath path = parse_camera_path(kPath, "path.json");
    EXPECT_EQ(path.frames, 40U);
    ASSERT_EQ(path.keys.size(), 5U);
    EXPECT_EQ(path.keys[0].pose.fov_degrees, 45.0F);
    for (const CameraKey& key : path.keys) {
        const render::CameraPose pose = pose_at(path, key.frame);
        EXPECT_EQ(pose.eye, key.pose.eye);
        EXPECT_EQ(pose.target, key.pose.target);
        EXPECT_EQ(pose.fov_degrees, key.pose.fov_degrees);
    }
}

TEST(CameraPath, MovesEvenlyWhereItsKeysDo) {
    const CameraPath path = parse_camera_path(kPath, "path.json");
    for (int frame = 0; frame <= 15; ++frame) {  // one unit a frame, though the keys are 10 and 5 apart
        EXPECT_NEAR(pose_at(path, frame).eye.x, static_cast<float>(frame), 1e-4F) << frame;
    }
    EXPECT_NEAR(pose_at(path, 25).eye.y, 8.0F, 1e-4F);
}

TEST(CameraPath, HasNoCorners) {
    const CameraPath path = parse_camera_path(kPath, "path.json");
    constexpr double kStep = 1e-3;
    const auto fov = [&path](double frame) { return static_cast<double>(pose_at(path, frame).fov_degrees); };
    EXPECT_NEAR((fov(10.0) - fov(10.0 - kStep)) / kStep, (fov(10.0 + kStep) - fov(10.0)) / kStep, 0.05);
}

TEST(CameraPath, JumpsAtACutAndRestsAtTheEnds) {
    const CameraPath path = parse_camera_path(kPath, "path.json");
    EXPECT_EQ(pose_at(path, 19.999).eye, glm::vec3(15.0F, 0.0F, 10.0F));
    EXPECT_EQ(pose_at(path, 20).eye, glm::vec3(-5.0F, 3.0F, 2.0F));
    EXPECT_EQ(pose_at(path, -5).eye, glm::vec3(0.0F, 0.0F, 10.0F));
    EXPECT_EQ(pose_at(path, 1000).eye, glm::vec3(-5.0F, 13.0F, 2.0F));
}

TEST(CameraPath, RollRunsThroughItsKeysAsANumber) {
    const CameraPath path = parse_camera_path(
        R"({"frames": 40, "keys": [{"frame": 0, "eye": [0,0,9], "target": [0,0,0], "roll": 350},
            {"frame": 20, "eye": [0,0,9], "target": [0,0,0], "roll": 370},
            {"frame": 30, "eye": [0,0,9], "target": [0,0,0]}]})",
        "path.json");
    EXPECT_EQ(pose_at(path, 0).roll_degrees, 350.0F);
    EXPECT_EQ(pose_at(path, 20).roll_degrees, 370.0F);
    EXPECT_EQ(pose_at(path, 30).roll_degrees, 0.0F);
    EXPECT_GT(pose_at(path, 5).roll_degrees, 350.0F);
    EXPECT_LT(pose_at(path, 25).roll_degrees, 370.0F);
    EXPECT_GT(pose_at(path, 25).roll_degrees, 0.0F);
}

TEST(CameraPath, PassesThroughItsTargetAndStillLooksSomewhere) {
    const CameraPath path = parse_camera_path(R"({"frames": 11, "keys": [
        {"frame": 0, "eye": [0, 0, 1], "target": [0, 0, 0]}, {"frame": 10, "eye": [0, 0, -1], "target": [0, 0, 0]}]})",
                                              "through");
    const render::CameraPose pose = pose_at(path, 5);
    EXPECT_EQ(pose.eye, glm::vec3(0.0F));
    EXPECT_EQ(pose.target, glm::vec3(0.0F, 0.0F, -1.0F));
}

TEST(CameraPath, OneKeyIsAStandingCamera) {
    const CameraPath path =
        parse_camera_path(R"({"frames": 1, "keys": [{"frame": 3, "eye": [0,0,1], "target": [0,0,0]}]})", "one");
    for (const double frame : {0.0, 3.0, 9.0}) EXPECT_EQ(pose_at(path, frame).eye, glm::vec3(0.0F, 0.0F, 1.0F));
}

TEST(CameraPath, NamesTheFieldThatIsWrong) {
    const std::string key = R"({"frame": 0, "eye": [0,0,1], "target": [0,0,0]})";
    const std::pair<std::string, const char*> bad[] = {
        {"", "path.json"},
        {"[]", "is not a JSON object"},
        {R"({"frames": 3, "keys": 1e999})", "a number in it that is too large"},
        {"{\"frames\": 3, \"keys\": " + std::string(100'000, '['), "nested too deep"},
        {R"({"frames": "\u00e4\u00e4", "keys": [)" + key + "]}", "frames: is \"\\u00e4\\u00e4\", but must be a whole"},
        {R"({"frames": 3, "keys": [{"frame": "1", "eye": [0,0,1], "target": [0,0,0]}]})",
         "frame: is \"1\", which is no"},
        {R"({"frames": 3, "keys": [{"frame": 1e300, "eye": [0,0,1], "target": [0,0,0]}]})", "frame: is 1e+300, which"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,1], "target": [0,0,0], "fov": -3}]})", "fov: is -3, but"},
        {"{\"frames\": 3}", "keys"},
        {"{\"frames\": 3, \"keys\": []}", "keys"},
        {"{\"frames\": 0, \"keys\": [" + key + "]}", "frames"},
        {"{\"frames\": -1, \"keys\": [" + key + "]}", "frames"},
        {"{\"frames\": 2.5, \"keys\": [" + key + "]}", "frames"},
        {"{\"frames\": 99999999999, \"keys\": [" + key + "]}", "frames"},
        {"{\"frames\": 3, \"keys\": [" + key + "," + key + "]}", "keys[1].frame"},
        {"{\"frames\": 3, \"keys\": [7]}", "keys[0]"},
        {R"({"frames": 3, "keys": [{"eye": [0,0,1], "target": [0,0,0]}]})", "keys[0].frame"},
        {R"({"frames": 3, "keys": [{"frame": 0, "target": [0,0,0]}]})", "keys[0].eye"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,1], "target": [0,0,0]}]})", "keys[0].eye"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,"1"], "target": [0,0,0]}]})", "keys[0].eye"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,1e40], "target": [0,0,0]}]})", "keys[0].eye"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,0], "target": [0,0,0]}]})", "keys[0]"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,1e-30], "target": [0,0,0]}]})", "keys[0]"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,1e25], "target": [0,0,0]}]})", "keys[0]"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,1], "target": [0,0,0], "fov": 180}]})", "keys[0].fov"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,1], "target": [0,0,0], "cut": 1}]})", "keys[0].cut"},
        {R"({"frames": 3, "keys": [{"frame": 0, "eye": [0,0,1], "target": [0,0,0], "roll": "1"}]})", "keys[0].roll"},
    };
    for (const auto& [text, field] : bad) {
        SCOPED_TRACE(text);
        const std::string message =
            test::message_of<Error>([&text = text] { static_cast<void>(parse_camera_path(text, "path.json")); });
        EXPECT_EQ(message.find("path.json"), 0U) << message;
        EXPECT_NE(message.find(field), std::string::npos) << message;
    }
}

TEST(CameraPath, IsReadFromAFile) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "path.json", kPath);
    EXPECT_EQ(read_camera_path(folder / "path.json").keys.size(), 5U);
    EXPECT_THROW(static_cast<void>(read_camera_path(folder / "missing.json")), Error);
}

TEST(CameraPath, IsReadAsItWasWritten) {
    CameraPath path = parse_camera_path(kPath, "path.json");
    path.keys[1].pose = {{0.1F, 1.0F / 3.0F, -1e-7F}, {123456.78F, 2.5e17F, 7.0F}, 59.99F, -370.25F};
    path.keys[2].frame = 15.5;
    const test::TemporaryFolder folder;
    write_camera_path(folder / "path.json", path);
    const CameraPath read = read_camera_path(folder / "path.json");
    EXPECT_EQ(read.frames, path.frames);
    ASSERT_EQ(read.keys.size(), path.keys.size());
    for (std::size_t i = 0; i < path.keys.size(); ++i) EXPECT_EQ(read.keys[i].cut, path.keys[i].cut);
    for (double frame = -1.0; frame < 45.0; frame += 0.25) EXPECT_EQ(pose_at(read, frame), pose_at(path, frame));
    const std::string text = camera_path_text(path);
    EXPECT_NE(text.find("\"eye\":[0.1,"), std::string::npos) << "in the digits that a person would write: " << text;
}

}  // namespace
}  // namespace sublet::app
