// What Linux' desktops and file systems have, and Windows has not.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "app/keep/scene_cache.h"
#include "base/desktop.h"
#include "base/thread_pool.h"
#include "environment_change.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

TEST(FileOpener, TakesAnyNameAsItIs) {
    const test::TemporaryFolder folder;
    const test::EnvironmentChange path("PATH", folder.path().string());  // this folder alone
    FileOpener opener;
    EXPECT_FALSE(opener.open("A.md")) << "there is none";
    // $0 lies in the folder, and what it writes too.
    test::write_text(folder / "xdg-open", "#!/bin/sh\necho said\nprintf '%s' \"$1\" >\"${0%/*}/got\"\nexit 3\n");
    std::filesystem::permissions(folder / "xdg-open", std::filesystem::perms::owner_all);
    const std::string name = "/no/a b'; touch \"$(echo x)\".md";
    ASSERT_TRUE(opener.open(name));
    std::optional<std::filesystem::path> failed;
    for (int i = 0; i < 500 && !failed; ++i) {
        failed = opener.take_failed();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(failed, name) << "it ended with a status that is not 0";
    EXPECT_EQ(test::read_text(folder / "got"), name);
    EXPECT_FALSE(opener.take_failed()) << "told once";
}

TEST(SceneCache, APipeHasNoKeyAndNobodyWaitsForAWriter) {
    const test::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe.gltf").c_str(), 0600), 0);
    ThreadPool pool(1);
    EXPECT_FALSE(SceneCache(folder / "cache").key(folder / "pipe.gltf", {}, {}, pool));
}

}  // namespace
}  // namespace sublet::app
