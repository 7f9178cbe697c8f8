#include "app/view/scene_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "temporary_folder.h"

namespace sublet::app {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::write_text;

class SceneWatchTest : public ::testing::Test {
  protected:
    SceneWatchTest() {
        write_text(scene_, "scene");
        write_text(buffer_, "buffer");
        watch_.follow({{scene_, file_stamp(scene_)}, {buffer_, file_stamp(buffer_)}});
    }

    // A second later.
    bool look() { return watch_.changed(now_ += 1.0); }

    void replace(const fs::path& file, const std::string& text) const {
        write_text(folder_ / "new", text);
        fs::rename(folder_ / "new", file);
    }

    TemporaryFolder folder_;
    const fs::path scene_ = folder_ / "a.gltf";
    const fs::path buffer_ = folder_ / "a.bin";
    SceneWatch watch_;
    double now_ = 0;
};

TEST_F(SceneWatchTest, TellsOfAChangeOnceItHasSettled) {
    EXPECT_FALSE(look());
    write_text(scene_, "longer");
    EXPECT_FALSE(look()) << "somebody may still be writing";
    write_text(scene_, "longer still");
    EXPECT_FALSE(look());
    EXPECT_FALSE(watch_.changed(now_ + 0.5)) << "it looks once a second";
    EXPECT_TRUE(look());
    EXPECT_FALSE(look()) << "once";
}

TEST_F(SceneWatchTest, SeesAFileThatTookTheOthersPlace) {
    replace(scene_, "SCENE");  // of the same size
    EXPECT_FALSE(look());
    EXPECT_TRUE(look());
    EXPECT_FALSE(look());
}

TEST_F(SceneWatchTest, SeesEveryFileOfTheScene) {
    replace(buffer_, "BUFFER");
    EXPECT_FALSE(look());
    EXPECT_TRUE(look());
    fs::remove(buffer_);  // the scene may not need it any more
    EXPECT_FALSE(look());
    EXPECT_TRUE(look());
}

TEST_F(SceneWatchTest, WaitsForASceneThatIsGone) {
    fs::remove(scene_);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(look());
    write_text(scene_, "another");
    EXPECT_FALSE(look());
    EXPECT_TRUE(look());
}

TEST_F(SceneWatchTest, FollowsNothingButTheNewestScene) {
    watch_.follow({});
    write_text(scene_, "nobody follows it");
    EXPECT_FALSE(look());
    EXPECT_FALSE(look());
}

// A scene that was changed while it was read.
TEST_F(SceneWatchTest, GoesByTheStampsThatTheSceneWasReadWith) {
    const FileStamp before = file_stamp(scene_);
    replace(scene_, "later");
    watch_.follow({{scene_, before}});
    EXPECT_FALSE(look());
    EXPECT_TRUE(look());
}

TEST(ScenesIn, AreThoseOfAFolderElseOfItsFolders) {
    const TemporaryFolder folder;
    EXPECT_TRUE(scenes_in(folder.path()).empty());
    EXPECT_TRUE(scenes_in(folder / "nowhere").empty());
    write_text(folder / "text.txt", "");
    write_text(folder / "inner/b.GLB", "");
    write_text(folder / "inner/deeper/c.glb", "");
    write_text(folder / "other/a.sublet", "");
    EXPECT_EQ(scenes_in(folder.path()), (std::vector<fs::path>{folder / "inner/b.GLB", folder / "other/a.sublet"}));
    write_text(folder / "z.glb", "");
    write_text(folder / "y.gltf", "");
    fs::create_directories(folder / "x.glb");
    EXPECT_EQ(scenes_in(folder.path()), (std::vector<fs::path>{folder / "y.gltf", folder / "z.glb"}));
    EXPECT_TRUE(scenes_in(folder / "z.glb").empty()) << "no folder";
}

}  // namespace
}  // namespace sublet::app
