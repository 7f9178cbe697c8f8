// Scenes that are encoded group by group: in memory or in files, at once or in several goes, to the same bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <thread>

#include "../mesh/same_geometry.h"
#include "base/error.h"
#include "base/files.h"
#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "scene/container.h"
#include "scene/encode_store.h"
#include "scene/import.h"

namespace sublet::scene::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGroups = 7;
constexpr mesh::EncodeOptions kOptions{.levels = mesh::Levels::kAuto};

// A sheet of n x n quads with waves of its own.
SourceMesh make_sheet(std::uint32_t n, float wave) {
    SourceMesh mesh;
    for (std::uint32_t y = 0; y <= n; ++y) {
        for (std::uint32_t x = 0; x <= n; ++x) {
            const auto u = static_cast<float>(x), v = static_cast<float>(y);
            mesh.positions.push_back({u, v, std::sin(u * wave) * std::cos(v)});
        }
    }
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t at = y * (n + 1) + x;
            for (const std::uint32_t i : {at, at + 1, at + n + 1, at + n + 1, at + 1, at + n + 2}) {
                mesh.indices.push_back(i);
            }
        }
    }
    return mesh;
}

// Every third group is large enough for levels of detail, and the first is not. Sizes differ, so that they are not done
// in their order.
ImportedScene make_scene() {
    ImportedScene out;
    out.source = "sheets";
    out.scene.materials.resize(2);
    out.scene.variants.push_back({"other", {}});
    for (std::size_t i = 0; i < kGroups; ++i) {
        SourceMeshGroup group;
        group.name = "sheet " + std::to_string(i);
        const auto n = static_cast<std::uint32_t>(i % 3 == 1 ? 22 - i : 3 + i);
        group.meshes.push_back(make_sheet(n, 0.1F * static_cast<float>(i + 1)));
        if (i == 2) group.meshes.push_back(make_sheet(5, 0.7F));
        for (SourceMesh& mesh : group.meshes) {
            mesh.material = static_cast<std::uint32_t>(i % 2);
            if (i == 4) mesh.variants.push_back({0, 1});
        }
        out.groups.push_back(std::move(group));
        Node node;
        node.mesh_group = static_cast<int>(i);
        out.scene.nodes.push_back(node);
    }
    return out;
}

// Groups of a scene: all, or as many as can be read.
class Sheets final : public GroupReader {
  public:
    explicit Sheets(std::size_t readable = SIZE_MAX, ImportedScene scene = make_scene())
        : scene_(std::move(scene)), readable_(readable) {}

    [[nodiscard]] std::uint64_t triangles() const override {
        std::uint64_t sum = 0;
        for (const SourceMeshGroup& group : make_scene().groups) sum += triangles_of(group);
        return sum;
    }
    [[nodiscard]] std::uint64_t next_triangles() const override {
        return next_ < kGroups ? triangles_of(scene_.groups[next_]) : 0;
    }
    [[nodiscard]] std::optional<SourceMeshGroup> next(Progress* /*progress*/) override {
        if (next_ == readable_) throw Error("sheets", "", "the power is gone");
        if (next_ == kGroups) return std::nullopt;
        return std::move(scene_.groups[next_++]);
    }
    [[nodiscard]] ImportedScene finish() override { return std::move(scene_); }

  private:
    static std::uint64_t triangles_of(const SourceMeshGroup& group) {
        std::uint64_t sum = 0;
        for (const SourceMesh& mesh : group.meshes) sum += mesh.indices.size() / 3;
        return sum;
    }

    ImportedScene scene_;
    std::size_t readable_;
    std::size_t next_ = 0;
};

// All of it, in memory, by one thread: what the others are held to.
const EncodedScene& expected() {
    static const EncodedScene scene = [] {
        ThreadPool pool(1);
        return encode_scene(make_scene(), kOptions, pool);
    }();
    return scene;
}

class Store : public ::testing::Test {
  protected:
    void SetUp() override { EncodeStore::remove(folder_); }

    [[nodiscard]] std::shared_ptr<EncodeStore> open(const std::string& key = "key") const {
        return std::make_shared<EncodeStore>(folder_, key);
    }

    // Encodes as far as groups can be read. Returns how many are done then.
    [[nodiscard]] std::size_t stop_at(std::size_t readable, unsigned threads = 3) const {
        ThreadPool pool(threads);
        Sheets sheets(readable);
        const EncodeSpace space{.memory = 1, .store = open()};
        EXPECT_THROW(static_cast<void>(encode_scene(sheets, kOptions, pool, nullptr, space)), Error);
        return space.store->groups();
    }

    // Encodes the rest, and holds the whole to what it is in memory.
    void go_on(const std::shared_ptr<EncodeStore>& store, unsigned threads = 3) const {
        ThreadPool pool(threads);
        Sheets sheets;
        const EncodedScene scene = encode_scene(sheets, kOptions, pool, nullptr, {.memory = 1, .store = store});
        EXPECT_TRUE(mesh::test::same_geometry(scene.geometry, expected().geometry));
        write_sublet(test_path("store.sublet"), scene);
        write_sublet(test_path("memory.sublet"), expected());
        EXPECT_EQ(read_bytes(test_path("store.sublet")), read_bytes(test_path("memory.sublet")));
    }

    // Changes the last byte of a file of the store.
    void spoil(const char* name) const {
        std::vector<std::byte> bytes = read_bytes(folder_ / name);
        ASSERT_FALSE(bytes.empty()) << name;
        bytes.back() ^= std::byte{1};
        write_bytes(folder_ / name, bytes);
    }

    fs::path folder_ = test_path("scene.sublet.partial");
};

TEST(Groups, GiveTheSameBytesWhateverTheMemoryAndThreads) {
    ASSERT_FALSE(expected().geometry.lod_groups.empty());
    for (const unsigned threads : {1U, 2U, 5U}) {
        for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{700'000}, std::uint64_t{1} << 40U}) {
            SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(memory) + " bytes");
            ThreadPool pool(threads);
            Sheets sheets;
            const EncodedScene scene = encode_scene(sheets, kOptions, pool, nullptr, {.memory = memory});
            EXPECT_TRUE(mesh::test::same_geometry(scene.geometry, expected().geometry));
            EXPECT_EQ(scene.scene.mesh_materials, expected().scene.mesh_materials);
            EXPECT_EQ(scene.scene.variants, expected().scene.variants);
            EXPECT_EQ(scene.scene.mesh_groups[3].first_mesh, 4U);
        }
    }
}

TEST(Groups, FailByTheFirstOfSeveralFaults) {
    for (const unsigned threads : {1U, 4U}) {
        ThreadPool pool(threads);
        ImportedScene scene = make_scene();
        for (const std::size_t i : {2U, 3U, 5U}) {
            scene.groups[i].meshes[0].positions[1][0] = std::numeric_limits<float>::quiet_NaN();
        }
        try {
            static_cast<void>(encode_scene(std::move(scene), kOptions, pool));
            ADD_FAILURE() << "a NaN has no place on a grid";
        } catch (const Error& error) {
            EXPECT_EQ(error.source(), "mesh group 2 (sheet 2)");
        }
    }
}

TEST_F(Store, HasTheSameBytes) {
    for (const unsigned threads : {1U, 4U}) {
        go_on(open(), threads);
        EncodeStore::remove(folder_);
        EXPECT_FALSE(path_exists(folder_));
    }
}

TEST_F(Store, GoesOnWhereItWasStopped) {
    for (const std::size_t readable : {std::size_t{1}, kGroups / 2, kGroups}) {
        SCOPED_TRACE(readable);
        // With one thread all groups before the fault are done; with more, those that were handed in by then.
        EXPECT_EQ(stop_at(readable, 1), readable);
        const auto store = open();
        EXPECT_EQ(store->groups(), readable);
        go_on(store);
        SetUp();
    }
    for (const std::size_t readable : {2U, 4U, 6U}) EXPECT_LE(stop_at(readable, 4), readable);
    go_on(open());
}

// What is kept counts, and is not encoded again: here it is something else than the source would give.
TEST_F(Store, DoesNothingTwice) {
    const mesh::GeometryView part = expected().geometry;
    ThreadPool pool(1);
    ImportedScene other = make_scene();
    other.groups.resize(1);
    other.groups[0].meshes[0] = make_sheet(9, 2.0F);
    other.scene.nodes.resize(1);
    const EncodedScene sheet = encode_scene(std::move(other), kOptions, pool);
    {
        const auto store = open();
        store->append(sheet.geometry, {}, EncodeStore::hash_of(make_scene().groups[0]));
    }
    Sheets sheets;
    const EncodedScene scene = encode_scene(sheets, kOptions, pool, nullptr, {.memory = 1, .store = open()});
    ASSERT_EQ(scene.geometry.meshes.size(), part.meshes.size());
    EXPECT_EQ(scene.geometry.meshes[0].triangle_count, sheet.geometry.meshes[0].triangle_count);
    EXPECT_NE(scene.geometry.meshes[0].triangle_count, part.meshes[0].triangle_count);
    EXPECT_EQ(scene.geometry.meshes[1].triangle_count, part.meshes[1].triangle_count);
}

TEST_F(Store, ForgetsWhatItsSourceHasChanged) {
    EXPECT_EQ(stop_at(5, 1), 5U);
    ImportedScene changed = make_scene();
    changed.groups[3].meshes[0].positions[4][2] += 1.0F;
    ThreadPool pool(2);
    {
        Sheets sheets(SIZE_MAX, std::move(changed));
        const auto store = open();
        const EncodedScene scene = encode_scene(sheets, kOptions, pool, nullptr, {.memory = 1, .store = store});
        EXPECT_EQ(store->groups(), kGroups);
        EXPECT_FALSE(mesh::test::same_geometry(scene.geometry, expected().geometry));
    }
    const auto store = open();
    EXPECT_EQ(store->groups(), kGroups);
    go_on(store);
}

TEST_F(Store, ForgetsWhatWasNotWrittenWhole) {
    for (const char* const file : {"payload", "meshes", "lod_groups", "lod_meshlets", "sublet_bounds"}) {
        SCOPED_TRACE(file);
        EXPECT_EQ(stop_at(5, 1), 5U);
        spoil(file);
        const std::size_t groups = open()->groups();
        EXPECT_LT(groups, 5U);
        EXPECT_GE(groups, 4U);  // the last group with such an array is the last but one at most
        SetUp();
        EXPECT_EQ(stop_at(5, 1), 5U);
        fs::resize_file(folder_ / file, 1);
        go_on(open());
        SetUp();
    }
    EXPECT_EQ(stop_at(5, 1), 5U);
    fs::resize_file(folder_ / "journal", size_of_file(folder_ / "journal") - 1);
    const auto store = open();
    EXPECT_EQ(store->groups(), 4U);
    go_on(store);
}

TEST_F(Store, IsOfOneKey) {
    EXPECT_EQ(stop_at(4, 1), 4U);
    EXPECT_EQ(open()->groups(), 4U);
    EXPECT_EQ(open("another")->groups(), 0U);
    EXPECT_FALSE(path_exists(folder_)) << "without a group it is gone";
}

TEST_F(Store, IsOfOneProcess) {
    const auto store = open();
    try {
        static_cast<void>(open());
        ADD_FAILURE() << "two write the same files";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("another process"), std::string::npos) << error.what();
    }
}

// Records that say more than the files have are no records.
TEST_F(Store, SurvivesForeignJournals) {
    EXPECT_EQ(stop_at(3, 1), 3U);
    const std::vector<std::byte> journal = read_bytes(folder_ / "journal");
    for (std::size_t at = 0; at < journal.size(); at += 31) {
        std::vector<std::byte> changed = journal;
        changed[at] = static_cast<std::byte>(~std::to_integer<unsigned>(changed[at]));
        write_bytes(folder_ / "journal", changed);
        EXPECT_LT(open()->groups(), 3U) << at;
        SetUp();
        EXPECT_EQ(stop_at(3, 1), 3U);
    }
}

}  // namespace
}  // namespace sublet::scene::testing
