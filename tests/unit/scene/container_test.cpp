// The .sublet container: what is written is read back.
#include <gtest/gtest.h>

#include <cstring>

#include "../mesh/same_geometry.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "mesh/container_format.h"
#include "mesh/mesh.h"
#include "rich_scene.h"
#include "scene/animation.h"
#include "scene/container.h"
#include "tests/unit/sanitizer.h"

namespace sublet::scene::testing {
namespace {

TEST(Levels, ComeAndGoAndNothingElseChanges) {
    const EncodedScene with = rich_scene_with_levels();
    ASSERT_FALSE(with.geometry.lod_groups.empty());
    write_sublet(test_path("with.sublet"), with);
    write_sublet(test_path("without.sublet"), with_levels(with, mesh::Levels::kOff));
    EXPECT_NE(read_bytes(test_path("with.sublet")), read_bytes(test_path("without.sublet")));
    const auto convert = [](const char* from, mesh::Levels levels, const char* to) {
        write_sublet(test_path(to), with_levels(open_sublet(test_path(from)), levels));
        return read_bytes(test_path(to));
    };
    EXPECT_EQ(convert("with.sublet", mesh::Levels::kOff, "a.sublet"), read_bytes(test_path("without.sublet")));
    EXPECT_EQ(convert("with.sublet", mesh::Levels::kOn, "b.sublet"), read_bytes(test_path("with.sublet")));
    EXPECT_EQ(convert("a.sublet", mesh::Levels::kOn, "c.sublet"), read_bytes(test_path("with.sublet")));
    EXPECT_EQ(convert("a.sublet", mesh::Levels::kOff, "d.sublet"), read_bytes(test_path("without.sublet")));
}

TEST(Levels, AreNotInTheTotals) {
    const EncodedScene with = rich_scene_with_levels();
    const EncodedScene without = with_levels(with, mesh::Levels::kOff);
    const GeometryStats a = scene_stats(with).total;
    const GeometryStats b = scene_stats(without).total;
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.encoded_vertices, b.encoded_vertices);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.meshlet_radius_mean, b.meshlet_radius_mean);
    EXPECT_TRUE(scene_stats(without).levels.empty());
    const std::vector<LevelStats> levels = scene_stats(with).levels;
    ASSERT_GT(levels.size(), 2U);
    EXPECT_EQ(levels[0].triangles, b.triangles);
    EXPECT_EQ(levels[0].error_max, 0.0);
    std::uint64_t bytes = 0;
    std::uint64_t roots = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        bytes += levels[i].bytes;
        roots += levels[i].roots;
        if (i == 0) continue;
        EXPECT_LT(levels[i].triangles, levels[i - 1].triangles);
        EXPECT_GT(levels[i].error_min, 0.0);
    }
    EXPECT_EQ(roots, 1U);
    EXPECT_LT(bytes, scene_stats(with).bytes);
    export_glb(test_path("with.glb"), with);
    export_glb(test_path("without.glb"), without);
    EXPECT_EQ(read_bytes(test_path("with.glb")), read_bytes(test_path("without.glb")));
}

TEST(Container, KeepsEverything) {
    const EncodedScene before = rich_scene();
    write_sublet(test_path("a.sublet"), before);
    const EncodedScene after = open_sublet(test_path("a.sublet"));
    EXPECT_EQ(after.file_bytes, std::filesystem::file_size(test_path("a.sublet")));
    EXPECT_EQ(after.info.generator, "tests");
    EXPECT_EQ(after.info.source, "rich.glb");
    EXPECT_EQ(after.info.style, "auto");
    EXPECT_EQ(after.info.position_bits, 14);
    EXPECT_EQ(after.info.uv_bits, 15);
    EXPECT_EQ(after.info.source_bytes, before.info.source_bytes);

    EXPECT_TRUE(mesh::test::same_geometry(after.geometry, before.geometry));

    const Scene& a = before.scene;
    const Scene& b = after.scene;
    EXPECT_EQ(b.name, a.name);
    ASSERT_EQ(b.nodes.size(), a.nodes.size());
    EXPECT_EQ(b.nodes[0].name, "root");
    EXPECT_EQ(b.nodes[0].rotation, a.nodes[0].rotation);
    EXPECT_EQ(b.nodes[0].scale, a.nodes[0].scale);
    EXPECT_EQ(b.nodes[1].parent, 0);
    EXPECT_EQ(b.nodes[1].camera, 0);
    EXPECT_EQ(b.nodes[1].light, 0);
    EXPECT_EQ(world_transforms(b), world_transforms(a));
    EXPECT_EQ(b.mesh_groups[0].name, "sphere");
    EXPECT_EQ(b.mesh_groups[0].source_triangles, a.mesh_groups[0].source_triangles);
    EXPECT_EQ(b.mesh_groups[0].uncompressed_bytes, a.mesh_groups[0].uncompressed_bytes);
    EXPECT_EQ(b.mesh_groups[0].dropped_degenerate, 5U);
    EXPECT_EQ(b.mesh_groups[0].dropped_by_grid, 3U);
    EXPECT_EQ(b.mesh_groups[0].error_position_max, a.mesh_groups[0].error_position_max);
    EXPECT_EQ(b.mesh_materials, a.mesh_materials);
    const Material& material = b.materials.back();
    EXPECT_EQ(material.name, "paint");
    EXPECT_EQ(material.base_color, a.materials.back().base_color);
    EXPECT_EQ(material.base_color_texture.texture, 1);
    EXPECT_EQ(material.base_color_texture.uv_set, 1);
    EXPECT_EQ(material.base_color_texture.scale, glm::vec2(2, 3));
    EXPECT_EQ(material.base_color_texture.rotation, 0.75F);
    EXPECT_EQ(material.normal_texture.strength, 0.5F);
    EXPECT_EQ(material.emissive, glm::vec3(5, 6, 7));
    EXPECT_EQ(material.alpha_mode, AlphaMode::kBlend);
    EXPECT_TRUE(material.double_sided && material.unlit);
    EXPECT_EQ(b.materials, a.materials);
    EXPECT_EQ(b.variants, a.variants);
    ASSERT_EQ(b.images.size(), 2U);
    EXPECT_EQ(b.images[0].bytes, (std::vector<std::uint8_t>{1, 2, 3}));
    EXPECT_EQ(b.images[1].mime_type, kRawImageType);
    EXPECT_EQ(b.images[1].bytes, a.images[1].bytes);
    EXPECT_EQ(b.images[1].width, 2U);
    EXPECT_EQ(b.textures[0].image, 1);
    EXPECT_EQ(b.textures[1].sampler, -1);
    EXPECT_EQ(b.samplers[0].wrap_t, 33648);
    ASSERT_EQ(b.skins.size(), 1U);
    EXPECT_EQ(b.skins[0].joints, (std::vector<int>{1, 0}));
    EXPECT_EQ(b.skins[0].inverse_bind[1], glm::mat4(3.0F));
    EXPECT_EQ(b.skins[0].skeleton, 0);
    ASSERT_EQ(b.animations.size(), 2U);
    EXPECT_EQ(b.animations[0].channels[0].values, a.animations[0].channels[0].values);
    EXPECT_EQ(b.animations[0].channels[1].times, (std::vector<float>{2}));
    EXPECT_EQ(b.animations[0].channels[1].interpolation, Interpolation::kCubicSpline);
    EXPECT_EQ(b.lights[0].name, "lamp");
    EXPECT_EQ(b.lights[0].type, LightType::kSpot);
    EXPECT_EQ(b.lights[0].outer_cone, 0.2F);
    EXPECT_TRUE(b.cameras[0].orthographic);
    EXPECT_EQ(b.cameras[0].half_height, 3.0F);
    EXPECT_EQ(after.notes, before.notes);

    write_sublet(test_path("b.sublet"), after);
    EXPECT_EQ(read_bytes(test_path("a.sublet")), read_bytes(test_path("b.sublet")));
}

TEST(Container, OpensFilesOfBeforeGridLossesWereCounted) {
    EncodedScene scene = rich_scene();
    scene.scene.mesh_groups[0].dropped_by_grid.reset();
    write_sublet(test_path("a.sublet"), scene);
    const EncodedScene after = open_sublet(test_path("a.sublet"));
    EXPECT_EQ(after.scene.mesh_groups[0].dropped_degenerate, 5U);
    EXPECT_FALSE(after.scene.mesh_groups[0].dropped_by_grid);
    EXPECT_FALSE(scene_stats(after).total.dropped_by_grid);
}

TEST(Container, KeepsTheCompactCoding) {
    using mesh::test::same_bytes;
    const EncodedScene plain = with_coding(rich_scene(), mesh::Coding::kPlain);
    const EncodedScene compact = with_coding(plain, mesh::Coding::kCompact);
    write_sublet(test_path("plain.sublet"), plain);
    write_sublet(test_path("compact.sublet"), compact);
    const EncodedScene after = open_sublet(test_path("compact.sublet"));
    EXPECT_TRUE(same_bytes(after.geometry.payload, compact.geometry.payload));
    EXPECT_TRUE(same_bytes(after.geometry.meshes, compact.geometry.meshes));
    EXPECT_TRUE(same_bytes(after.geometry.sublet_bounds, plain.geometry.sublet_bounds)) << "they were short";
    EXPECT_TRUE(same_bytes(after.geometry.meshlet_bounds, plain.geometry.meshlet_bounds));
    EXPECT_TRUE(after.geometry.streams.empty());
    // Sizes are those of the file.
    const GeometryStats stats = scene_stats(after).total;
    std::uint64_t bytes = stats.bytes;
    for (const Image& image : after.scene.images) bytes += image.bytes.size();
    EXPECT_NEAR(static_cast<double>(bytes), static_cast<double>(after.file_bytes), 64.0) << "but for padding";
    EXPECT_EQ(stats.bounds_bytes, stats.sublets * 8 + stats.meshlets * 16);
    EXPECT_EQ(stats.payload_bytes + stats.stream_header_bytes,
              after.geometry.payload.size() * 4 + after.geometry.morph_payload.size() * 4 +
                  after.geometry.morph_streams.size() * 16 + after.geometry.morph_masks.size() * 8);
    // And back: nothing was lost.
    write_sublet(test_path("back.sublet"), with_coding(after, mesh::Coding::kPlain));
    EXPECT_EQ(read_bytes(test_path("back.sublet")), read_bytes(test_path("plain.sublet")));
    ThreadPool pool(2);
    EXPECT_TRUE(
        same_bytes(load_scene(test_path("compact.sublet"), {}, pool).geometry.payload, compact.geometry.payload));
    // What is drawn is all of one coding, whatever the file has.
    EncodedScene of_both = plain;
    of_both.scene.mesh_groups.push_back(of_both.scene.mesh_groups[0]);
    of_both.scene.mesh_groups[1].first_mesh = 1;
    of_both.scene.mesh_materials.push_back(of_both.scene.mesh_materials[0]);
    mesh::Geometry mixed;
    mesh::Geometry twice;
    for (const mesh::GeometryView& one : {compact.geometry, plain.geometry}) {
        mesh::append(mixed, one);
        mesh::append(twice, plain.geometry);
    }
    of_both.geometry = mixed.view();
    write_sublet(test_path("mixed.sublet"), of_both);
    EXPECT_TRUE(mesh::is_compact(open_sublet(test_path("mixed.sublet")).geometry.meshes[0]));
    EXPECT_TRUE(same_bytes(load_scene(test_path("mixed.sublet"), {}, pool).geometry.payload, twice.payload));
}

// A file that is opened by its tables: nothing else of it is read.
TEST(Container, LevelsOfDetailMayBeLeftUnchecked) {
    const auto path = test_path("a.sublet");
    write_sublet(path, with_coding(rich_scene_with_levels(), mesh::Coding::kCompact));
    const EncodedScene whole = open_sublet(path);
    EXPECT_EQ(whole.unchecked, nullptr);
    const EncodedScene tables = open_sublet(path, nullptr, mesh::Validate::kTables);
    ASSERT_NE(tables.unchecked, nullptr);
    const EncodedScene posed = posed_placement(tables, {}, {});
    EXPECT_EQ(posed.unchecked, tables.unchecked) << "whoever reads its blocks checks them";
    EXPECT_EQ(posed.payload_file, tables.payload_file);
    tables.check_all();
    EXPECT_TRUE(mesh::test::same_geometry(tables.geometry, whole.geometry)) << "bounds were made";
    // Whatever byte is wrong: what is found wrong at once is found then, or later.
    const std::vector<std::byte> good = read_bytes(path);
    const auto bad_path = test_path("bad.sublet");
    const auto verdict = [&](mesh::Validate what) {
        std::string out;
        try {
            open_sublet(bad_path, nullptr, what).check_all();
        } catch (const Error& error) {
            out = error.what();
        }
        return out;
    };
    constexpr std::size_t kStep = 60 * sublet::test::kSanitizerDivisor + 1;  // odd: all bytes of a word have their turn
    std::size_t late = 0;
    for (std::size_t i = 64; i < good.size(); i += kStep) {
        std::vector<std::byte> bad = good;
        bad[i] ^= std::byte{0x21};
        write_bytes(bad_path, bad);
        const std::string all = verdict(mesh::Validate::kAll);
        EXPECT_EQ(all.empty(), verdict(mesh::Validate::kTables).empty()) << i << ": " << all;
        if (all.empty()) continue;
        try {
            (void)open_sublet(bad_path, nullptr, mesh::Validate::kTables);
            ++late;
        } catch (const Error&) {
        }
    }
    EXPECT_GT(late, 0U) << "nothing was left for later";
}

TEST(Container, AlignsSections) {
    write_sublet(test_path("a.sublet"), with_coding(rich_scene(), mesh::Coding::kPlain));
    const EncodedScene scene = open_sublet(test_path("a.sublet"));
    const auto aligned = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 64 == 0; };
    EXPECT_TRUE(aligned(scene.geometry.meshes.data()));
    EXPECT_TRUE(aligned(scene.geometry.sublet_bounds.data()));
    EXPECT_TRUE(aligned(scene.geometry.meshlet_bounds.data()));
    EXPECT_TRUE(aligned(scene.geometry.streams.data()));
    EXPECT_TRUE(aligned(scene.geometry.payload.data()));
}

TEST(Container, LeavesTheOldFileWhenWritingFails) {
    write_sublet(test_path("a.sublet"), rich_scene());
    const std::vector<std::byte> before = read_bytes(test_path("a.sublet"));
    EXPECT_THROW(write_sublet(test_path("a.sublet") / "b.sublet", rich_scene()), Error);
    EXPECT_THROW(write_sublet(test_path("missing").parent_path() / "no folder" / "b.sublet", rich_scene()), Error);
    EXPECT_EQ(read_bytes(test_path("a.sublet")), before);
}

TEST(Container, HasNoSectionForNoNotes) {
    EncodedScene scene = rich_scene();
    write_sublet(test_path("a.sublet"), scene);
    scene.notes.clear();
    write_sublet(test_path("b.sublet"), scene);
    const auto sections = [](const char* name) {
        format::FileHeader header{};
        std::memcpy(&header, read_bytes(test_path(name)).data(), sizeof header);
        return header.section_count;
    };
    EXPECT_EQ(sections("b.sublet") + 1, sections("a.sublet"));
    EXPECT_TRUE(open_sublet(test_path("b.sublet")).notes.empty());
}

TEST(LoadScene, TellsFilesApart) {
    ThreadPool pool(1);
    const auto glb = sphere_gltf(6, 9).write_glb("a.glb");
    EncodedScene scene = load_scene(glb, {}, pool);
    EXPECT_EQ(scene.file_bytes, 0U);
    EXPECT_EQ(scene.info.source, "a.glb");
    write_sublet(test_path("a.sublet"), scene);
    EXPECT_GT(load_scene(test_path("a.sublet"), {}, pool).file_bytes, 0U);
    std::filesystem::copy_file(test_path("a.sublet"), test_path("b.data"),
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_GT(load_scene(test_path("b.data"), {}, pool).file_bytes, 0U) << "by content where the name says nothing";
    GltfBuilder noted = GltfBuilder::triangle();
    noted.root["extensionsUsed"] = {"EXT_unheard_of"};
    const std::vector<std::string> notes = load_scene(noted.write_glb("c.glb"), {}, pool).notes;
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("EXT_unheard_of"), std::string::npos);
    EXPECT_EQ(load_scene({}, {}, pool).info.source, "built-in scene");
    EXPECT_THROW((void)load_scene(test_path("nowhere.glb"), {}, pool), Error);
}

TEST(EncodeScene, RefusesASceneOfDegenerateTriangles) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.root["meshes"][0]["primitives"][0]["indices"] = builder.accessor<std::uint16_t>({0, 1, 1}, 1, kU16);
    EXPECT_THROW((void)encode_file(builder.write_glb("a.glb")), Error);
}

TEST(EncodeScene, MeasuresItsTime) {
    ThreadPool pool(2);
    EncodeTimes times;
    (void)encode_scene(import_gltf(sphere_gltf(60, 90).write_glb("a.glb")), {}, pool, &times);
    EXPECT_GT(times.encode_wall, 0.0);
    EXPECT_NEAR(times.cluster + times.pack + times.bounds + times.levels, times.encode_wall, 1e-9);
}

}  // namespace
}  // namespace sublet::scene::testing
