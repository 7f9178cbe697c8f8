#include "app/keep/scene_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/keep/file_hash.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet::app {
namespace {

namespace fs = std::filesystem;
using test::read_text;
using test::TemporaryFolder;
using test::write_text;

// A triangle whose buffer is a file, with an image that is not there.
constexpr const char* kTriangle = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
    "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
    "textures": [{"source": 0}], "images": [{"uri": "missing.png"}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": "points.bin"}]})";

class SceneCacheTest : public ::testing::Test {
  protected:
    SceneCacheTest() {
        write_text(scene_, kTriangle);
        write_points(1.0F);
    }

    void write_points(float size) const {
        const float points[9] = {0, 0, 0, size, 0, 0, 0, size, 0};
        AtomicFile file(folder_ / "scene/points.bin");
        file.write_objects(std::span<const float>(points));
        file.commit();
    }

    std::optional<SceneKey> key(const fs::path& path, bool allow_outside = false, int bits = 14) {
        mesh::EncodeOptions encoding;
        encoding.position_bits = bits;
        return cache_.key(path, encoding, {.allow_outside = allow_outside}, pool_);
    }
    scene::EncodedScene encode() { return scene::load_scene(scene_, {}, pool_); }

    // Encodes and stores it. Returns its key.
    SceneKey keep() {
        SceneKey made = key(scene_).value();
        cache_.store(made, encode(), pool_);
        return made;
    }
    [[nodiscard]] fs::path only_entry() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(cache_.folder())) found.push_back(entry.path());
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? fs::path() : found.front();
    }

    TemporaryFolder folder_;
    fs::path scene_ = folder_ / "scene/triangle.gltf";
    SceneCache cache_{folder_ / "cache/scenes"};
    ThreadPool pool_{2};
};

TEST_F(SceneCacheTest, WhatIsFoundIsWhatWasEncoded) {
    const scene::EncodedScene fresh = encode();
    ASSERT_FALSE(fresh.notes.empty()) << "of the image that is missing";
    const SceneKey made = key(scene_).value();
    EXPECT_FALSE(cache_.find(made, pool_));
    cache_.store(made, fresh, pool_);
    const std::optional<scene::EncodedScene> kept = cache_.find(made, pool_);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->notes, fresh.notes);
    EXPECT_EQ(kept->file_bytes, fresh.file_bytes);
    EXPECT_EQ(kept->info.source, "triangle.gltf");
    EXPECT_EQ(kept->info.source_bytes, fresh.info.source_bytes);
    scene::write_sublet(folder_ / "fresh.sublet", fresh);
    scene::write_sublet(folder_ / "kept.sublet", *kept);
    EXPECT_EQ(read_text(folder_ / "kept.sublet"), read_text(folder_ / "fresh.sublet"));
    EXPECT_EQ(cache_.use().scenes, 1U);
    EXPECT_EQ(cache_.use().bytes, fs::file_size(folder_ / "fresh.sublet"));
}

TEST_F(SceneCacheTest, EverythingThatMattersIsInTheKey) {
    const std::string name = key(scene_)->name;
    EXPECT_EQ(key(scene_)->name, name);
    EXPECT_EQ(key(folder_ / "scene/../scene/triangle.gltf")->name, name) << "another way to the same file";
    EXPECT_NE(key(scene_, true)->name, name);
    EXPECT_NE(key(scene_, false, 12)->name, name);
    EXPECT_NE(cache_.key(scene_, {}, {.scene = "0"}, pool_)->name, name);
    write_points(2.0F);
    const std::string other_buffer = key(scene_)->name;
    EXPECT_NE(other_buffer, name);
    write_text(folder_ / "scene/missing.png", "is there now");
    const std::string with_image = key(scene_)->name;
    EXPECT_NE(with_image, other_buffer);
    write_text(scene_, std::string(kTriangle) + "\n");
    EXPECT_NE(key(scene_)->name, with_image);
    fs::rename(folder_ / "scene", folder_ / "moved");
    EXPECT_NE(key(folder_ / "moved/triangle.gltf")->name, with_image) << "notes name its folder";
}

TEST_F(SceneCacheTest, TheBuiltinSceneHasAKeyForEachSeed) {
    const std::string name = cache_.builtin_key(1, {}, pool_)->name;
    EXPECT_EQ(cache_.builtin_key(1, {}, pool_)->name, name);
    EXPECT_NE(cache_.builtin_key(2, {}, pool_)->name, name);
    mesh::EncodeOptions finer;
    finer.position_bits = 16;
    EXPECT_NE(cache_.builtin_key(1, finer, pool_)->name, name);
    EXPECT_FALSE(SceneCache({}).builtin_key(1, {}, pool_)) << "no place to keep it";
}

TEST_F(SceneCacheTest, SomeScenesHaveNoKey) {
    EXPECT_FALSE(key({})) << "no file";
    EXPECT_FALSE(key(folder_ / "nowhere.glb"));
    EXPECT_FALSE(key(folder_ / "scene"));
    write_text(folder_ / "bad.gltf", "{\"asset\"");
    EXPECT_FALSE(key(folder_ / "bad.gltf"));
    scene::write_sublet(folder_ / "a.sublet", encode());
    EXPECT_FALSE(key(folder_ / "a.sublet"));
    EXPECT_FALSE(SceneCache({}).key(scene_, {}, {}, pool_)) << "no place to keep it";
}

TEST_F(SceneCacheTest, ASceneThatChangedWhileItWasLoadedIsNotKept) {
    const SceneKey made = key(scene_).value();
    const scene::EncodedScene scene = encode();
    write_points(3.0F);
    cache_.store(made, scene, pool_);
    EXPECT_EQ(cache_.use().scenes, 0U);
}

TEST_F(SceneCacheTest, ADamagedEntryIsRemovedAndToldOf) {
    const SceneKey made = keep();
    const fs::path entry = only_entry();
    const std::string good = read_text(entry);
    std::string flipped = good;
    flipped[flipped.size() / 2] ^= 1;
    std::string older = good;
    older[8] ^= 2;  // the container's version
    for (const std::string& bad : {flipped, older, good.substr(0, good.size() - 1), std::string()}) {
        write_text(entry, bad);
        NoteCollector notes;
        EXPECT_FALSE(cache_.find(made, pool_));
        EXPECT_EQ(notes.take().size(), 1U);
        EXPECT_FALSE(fs::exists(entry));
    }
    keep();
    EXPECT_TRUE(cache_.find(made, pool_));
}

TEST_F(SceneCacheTest, AnEntryOfRightHashButNoSceneIsRemovedToo) {
    const SceneKey made = keep();
    fs::remove(only_entry());
    write_text(folder_ / "junk", "junk");
    fs::rename(folder_ / "junk", cache_.folder() / (made.name + "-" + hash_file(folder_ / "junk", pool_) + ".sublet"));
    EXPECT_FALSE(cache_.find(made, pool_));
    EXPECT_EQ(cache_.use().scenes, 0U);
}

TEST_F(SceneCacheTest, AnEntryThatIsRemovedStaysUsable) {
    const SceneKey made = keep();
    std::optional<scene::EncodedScene> kept = cache_.find(made, pool_);
    ASSERT_TRUE(kept);
    try {
        cache_.clear();
        EXPECT_TRUE(test::kWindows || cache_.use().scenes == 0);
    } catch (const Error&) {
        EXPECT_TRUE(test::kWindows) << "which may keep what is mapped until it is so no more";
    }
    scene::write_sublet(folder_ / "kept.sublet", *kept);
    scene::write_sublet(folder_ / "fresh.sublet", encode());
    EXPECT_EQ(read_text(folder_ / "kept.sublet"), read_text(folder_ / "fresh.sublet"));
    kept.reset();
    cache_.clear();
    EXPECT_EQ(cache_.use().scenes, 0U);
}

TEST_F(SceneCacheTest, WhatWasNotUsedForLongestLeavesFirst) {
    const SceneKey first = keep();
    const std::uint64_t one = cache_.use().bytes;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    write_points(2.0F);
    const SceneKey second = keep();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(cache_.find(first, pool_)) << "used after the second";
    cache_.set_limit(2 * one + one / 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    write_points(3.0F);
    const SceneKey third = keep();
    EXPECT_TRUE(cache_.find(first, pool_));
    EXPECT_FALSE(cache_.find(second, pool_));
    EXPECT_TRUE(cache_.find(third, pool_));
    cache_.set_limit(one / 2);
    EXPECT_EQ(cache_.use().scenes, 0U);
    write_points(4.0F);
    keep();
    EXPECT_EQ(cache_.use().scenes, 0U) << "it alone is larger than the limit";
    EXPECT_EQ(cache_.limit(), one / 2);
}

TEST_F(SceneCacheTest, OtherFilesInTheFolderAreLeftAlone) {
    keep();
    write_text(cache_.folder() / "mine.sublet", "x");
    fs::create_directories(cache_.folder() / "folder");
    EXPECT_EQ(cache_.use().scenes, 1U);
    cache_.clear();
    EXPECT_TRUE(fs::exists(cache_.folder() / "mine.sublet"));
    EXPECT_TRUE(fs::exists(cache_.folder() / "folder"));
}

TEST_F(SceneCacheTest, WithoutAPlaceItCostsANoteAlone) {
    write_text(folder_ / "file", "");
    for (const fs::path& place : {folder_ / "file/scenes", fs::path(test::kNowhere)}) {
        const SceneCache nowhere(place);
        const auto made = nowhere.key(scene_, {}, {}, pool_);
        ASSERT_TRUE(made);
        EXPECT_FALSE(nowhere.find(*made, pool_));
        NoteCollector notes;
        nowhere.store(*made, encode(), pool_);
        EXPECT_EQ(notes.take().size(), 1U) << place;
    }
}

TEST_F(SceneCacheTest, ManyAtOnceAreNoTrouble) {
    const SceneKey made = key(scene_).value();
    const scene::EncodedScene fresh = encode();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            ThreadPool pool(1);
            for (int i = 0; i < 25; ++i) {
                cache_.store(made, fresh, pool);
                const auto kept = cache_.find(made, pool);
                EXPECT_TRUE(!kept || kept->geometry.payload.size() == fresh.geometry.payload.size());
                if (t == 0 && i % 5 == 0) {
                    for (const auto& entry : fs::directory_iterator(cache_.folder())) {
                        std::error_code gone;
                        if (entry.path().extension() == ".sublet") fs::remove(entry.path(), gone);
                    }
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    // Windows may have kept replaced ones for their readers; they are as good as any, and leave with them.
    EXPECT_TRUE(test::kWindows || cache_.use().scenes <= 1);
    cache_.clear();
    EXPECT_EQ(cache_.use().scenes, 0U);
}

TEST(FileHash, GoesByTheBytesAlone) {
    const TemporaryFolder folder;
    ThreadPool one(1);
    ThreadPool four(4);
    std::string text(3'500'000, 'a');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * i >> 7U);
    write_text(folder / "a", text);
    const std::string hash = hash_file(folder / "a", one);
    EXPECT_EQ(hash.size(), 32U);
    EXPECT_EQ(hash_file(folder / "a", four), hash);
    text[2'500'000] ^= 1;
    write_text(folder / "a", text);
    EXPECT_NE(hash_file(folder / "a", four), hash);
    write_text(folder / "empty", "");
    EXPECT_EQ(hash_file(folder / "empty", one), hash_text(""));
    EXPECT_THROW((void)hash_file(folder / "none", one), Error);
    EXPECT_THROW((void)hash_file(folder.path(), one), Error);
}

}  // namespace
}  // namespace sublet::app
