#include "app/view/outline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "builtin_rooms.h"
#include "scene/import.h"

namespace sublet::app {
namespace {

// car (wheel, wheel (nut), door), tree; "car" has no mesh of its own. Meshes are those of the built-in scene.
scene::EncodedScene small() {
    scene::EncodedScene out = builtin_rooms();
    std::vector<scene::Node>& nodes = out.scene.nodes;
    nodes.clear();
    out.scene.animations.clear();
    out.scene.skins.clear();
    const auto add = [&](const char* name, int parent, int group) {
        scene::Node& node = nodes.emplace_back();
        node.name = name;
        node.parent = parent;
        node.mesh_group = group;
    };
    add("car", -1, -1);
    add("Wheel", 0, 0);
    add("wheel", 0, 0);
    add("nut", 2, 1);
    add("door", 0, 1);
    add("tree", -1, 2);
    return out;
}

std::string names(Outline& outline, OutlineKind kind) {
    std::string out;
    for (const OutlineRow& row : outline.rows(kind)) {
        out += std::string(row.depth, '>') + outline.name({kind, row.number}) + (row.found ? " " : "? ");
    }
    return out;
}

std::string nodes(Outline& outline) {
    return names(outline, OutlineKind::kNode);
}

TEST(Outline, ListsWhatIsOpen) {
    const scene::EncodedScene scene = small();
    Outline outline(scene);
    EXPECT_EQ(nodes(outline), "car tree ");
    outline.set_open(0, true);
    EXPECT_EQ(nodes(outline), "car >Wheel >wheel >door tree ");
    outline.set_open(2, true);
    EXPECT_EQ(nodes(outline), "car >Wheel >wheel >>nut >door tree ");
    outline.set_open(0, false);
    EXPECT_EQ(nodes(outline), "car tree ");
    outline.set_open(0, true);
    EXPECT_EQ(nodes(outline), "car >Wheel >wheel >>nut >door tree ") << "what was open below is open again";
    EXPECT_TRUE(outline.rows(OutlineKind::kNode)[2].open);
    EXPECT_FALSE(outline.rows(OutlineKind::kNode)[3].branch);
}

TEST(Outline, ASearchListsWhatLeadsToWhatItFinds) {
    const scene::EncodedScene scene = small();
    Outline outline(scene);
    outline.search("WHEEL");
    EXPECT_EQ(nodes(outline), "car? >Wheel >wheel ");
    outline.search("nut");
    EXPECT_EQ(nodes(outline), "car? >wheel? >>nut ");
    outline.search("no such");
    EXPECT_EQ(nodes(outline), "");
    outline.search("");
    EXPECT_EQ(nodes(outline), "car tree ") << "as it was before";
}

TEST(Outline, RevealsANodeWhereverItIs) {
    const scene::EncodedScene scene = small();
    Outline outline(scene);
    EXPECT_EQ(outline.reveal(3), 3U);
    EXPECT_EQ(nodes(outline), "car >Wheel >wheel >>nut >door tree ");
    outline.search("tree");
    EXPECT_EQ(outline.reveal(5), 0U) << "the search finds it too";
    EXPECT_EQ(outline.searched(), "tree");
    EXPECT_EQ(outline.reveal(4), 4U);
    EXPECT_EQ(outline.searched(), "") << "the search left it out";
}

TEST(Outline, NodesHaveWhatIsBelowThem) {
    const scene::EncodedScene scene = small();
    const Outline outline(scene);
    const auto of = [&](std::uint32_t node) { return outline.counts({OutlineKind::kNode, node}); };
    EXPECT_EQ(of(0).instances, of(1).instances + of(2).instances + of(4).instances);
    EXPECT_EQ(of(0).triangles, of(1).triangles + of(2).triangles + of(4).triangles);
    EXPECT_EQ(of(0).meshlets, of(1).meshlets + of(2).meshlets + of(4).meshlets);
    EXPECT_EQ(of(0).bytes, 0U) << "it has no mesh of its own";
    EXPECT_GT(of(2).instances, of(3).instances);
    const std::vector<scene::GeometryStats> stats = scene::scene_stats(scene).meshes;
    EXPECT_EQ(of(1).triangles, stats[0].triangles);
    for (const std::uint32_t mesh : {0U, 1U, 2U}) {
        EXPECT_EQ(outline.counts({OutlineKind::kMesh, mesh}).bytes, stats[mesh].bytes);
    }
    EXPECT_EQ(outline.counts({OutlineKind::kMesh, 0}).triangles, 2 * stats[0].triangles) << "it is placed twice";
    const InstanceRange car = outline.instances({OutlineKind::kNode, 0});
    EXPECT_EQ(car.first, 0U);
    EXPECT_EQ(car.count, of(0).instances);
    EXPECT_EQ(outline.instances({OutlineKind::kNode, 5}).first, car.count);
}

// Those of another node lie between those of a node and what is below it.
TEST(Outline, ANodeWhoseInstancesLieApartHasItsOwn) {
    scene::EncodedScene scene = small();
    scene.scene.nodes[5].parent = 1;  // below the first wheel, behind all others
    const Outline outline(scene);
    const InstanceRange wheel = outline.instances({OutlineKind::kNode, 1});
    EXPECT_EQ(wheel.first, 0U);
    EXPECT_LT(wheel.count, outline.counts({OutlineKind::kNode, 1}).instances);
    EXPECT_EQ(outline.instances({OutlineKind::kNode, 0}).count, outline.counts({OutlineKind::kNode, 0}).instances);
}

TEST(Outline, AddsUpToTheScene) {
    const scene::EncodedScene& scene = builtin_rooms();
    Outline outline(scene);
    std::uint64_t meshes = 0, materials = 0, roots = 0;
    for (const OutlineRow& row : outline.rows(OutlineKind::kMesh)) {
        meshes += outline.counts({OutlineKind::kMesh, row.number}).instances;
    }
    for (const OutlineRow& row : outline.rows(OutlineKind::kMaterial)) {
        materials += outline.counts({OutlineKind::kMaterial, row.number}).instances;
    }
    for (std::uint32_t i = 0; i < scene.scene.nodes.size(); ++i) {
        if (scene.scene.nodes[i].parent < 0) roots += outline.counts({OutlineKind::kNode, i}).instances;
    }
    EXPECT_GT(meshes, 100U);
    EXPECT_EQ(materials, meshes);
    EXPECT_EQ(roots, meshes);
}

// A chain as deep as a stack, and nodes without names, which have their mesh's.
TEST(Outline, DeepScenesAndNamelessOnes) {
    scene::EncodedScene scene = small();
    scene.scene.nodes.clear();
    constexpr std::uint32_t kDeep = 100000;
    for (std::uint32_t i = 0; i < kDeep; ++i) scene.scene.nodes.emplace_back().parent = static_cast<int>(i) - 1;
    scene.scene.nodes.back().mesh_group = 0;
    Outline outline(scene);
    EXPECT_EQ(outline.rows(OutlineKind::kNode).size(), 2U) << "the only root is open";
    EXPECT_EQ(outline.reveal(kDeep - 1), kDeep - 1);
    EXPECT_EQ(outline.counts({OutlineKind::kNode, 0}).instances, outline.counts({OutlineKind::kMesh, 0}).instances);
    EXPECT_EQ(outline.name({OutlineKind::kNode, 7}), "node 7");
    EXPECT_EQ(outline.name({OutlineKind::kNode, kDeep - 1}), scene.scene.mesh_groups[0].name);
    Outline none;
    EXPECT_FALSE(none.has({OutlineKind::kNode, 0}));
    EXPECT_TRUE(none.rows(OutlineKind::kNode).empty());
}

TEST(Outline, ShortCounts) {
    EXPECT_EQ(short_count(0), "0");
    EXPECT_EQ(short_count(999), "999");
    EXPECT_EQ(short_count(1000), "1.00k");
    EXPECT_EQ(short_count(12345), "12.3k");
    EXPECT_EQ(short_count(999499), "999k");
    EXPECT_EQ(short_count(999999), "1.00M");
    EXPECT_EQ(short_count(4542112), "4.54M");
    EXPECT_EQ(short_count(12'000'000'000), "12.0G");
}

}  // namespace
}  // namespace sublet::app
