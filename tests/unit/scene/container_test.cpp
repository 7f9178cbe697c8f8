// The .sublet container: what is written is read back; what is corrupt is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "base/thread_pool.h"
#include "gltf_builder.h"
#include "mesh/container_format.h"
#include "mesh/mesh.h"
#include "mesh/view.h"
#include "scene/container.h"
#include "scene/deform.h"

namespace sublet::scene::testing {
namespace {

// A scene that has something of everything.
EncodedScene rich_scene() {
    ThreadPool pool(1);
    EncodedScene encoded = encode_scene(import_gltf(sphere_gltf(6, 9).write_glb("rich.glb")), {}, pool);
    encoded.info.generator = "tests";
    Scene& scene = encoded.scene;
    scene.name = "Sc\xC3\xA8ne";
    scene.mesh_groups[0].name = "sphere";
    scene.mesh_groups[0].dropped_degenerate = 5;
    scene.mesh_groups[0].dropped_by_grid = 3;
    scene.nodes[0].name = "root";
    scene.nodes[0].translation = {1, 2, 3};
    scene.nodes[0].rotation = {0.5F, 0.5F, -0.5F, 0.5F};
    scene.nodes[0].scale = {1, -2, 3};
    Node child;
    child.name = "child";
    child.parent = 0;
    child.has_matrix = true;
    child.matrix[3] = {4, 5, 6, 1};
    child.camera = 0;
    child.light = 0;
    child.visible = false;
    scene.nodes.push_back(child);
    scene.images.push_back({"one", "image/png", 0, 0, {1, 2, 3}});
    scene.images.push_back({"two", kRawImageType, 2, 1, {9, 8, 7, 6, 5, 4, 3, 2}});
    scene.samplers.push_back({9728, 9729, 33071, 33648});
    scene.textures.push_back({1, 0});
    scene.textures.push_back({0, -1});
    Material material;
    material.name = "paint";
    material.base_color = {0.1F, 0.2F, 0.3F, 0.4F};
    material.base_color_texture = {1, 1, {0.5F, 0.25F}, {2, 3}, 0.75F, 1.0F};
    material.normal_texture.texture = 0;
    material.normal_texture.strength = 0.5F;
    material.emissive = {5, 6, 7};
    material.alpha_mode = AlphaMode::kBlend;
    material.double_sided = true;
    material.unlit = true;
    material.ior = 1.25F;
    material.sheen.color = {0.5F, 0.25F, 0.125F};
    material.clearcoat.normal_texture = {0, 1, {0.5F, 0.25F}, {2, 3}, 0.75F, 0.5F};
    scene.materials.push_back(material);
    scene.variants.push_back({"own", {}});
    scene.variants.push_back({"other", {{0, 1}}});
    scene.skins.push_back({"skin", 0, {1, 0}, {glm::mat4(2.0F), glm::mat4(3.0F)}});
    Animation animation;
    animation.name = "spin";
    animation.channels.push_back(
        {1, AnimationPath::kRotation, Interpolation::kLinear, {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0}});
    animation.channels.push_back(
        {0, AnimationPath::kScale, Interpolation::kCubicSpline, {2}, std::vector<float>(9, 1.5F)});
    scene.animations.push_back(animation);
    scene.animations.push_back({"empty", {}});
    scene.lights.push_back({"lamp", LightType::kSpot, {1, 0.5F, 0.25F}, 10, 20, 0.1F, 0.2F});
    scene.cameras.push_back({"eye", true, 0.5F, 3.0F, 0.25F});
    encoded.notes = {"something is ignored", "\xC3\xA4nother thing"};
    return encoded;
}

std::string open_error(std::span<const std::byte> bytes) {
    const auto path = test_path("bad.sublet");
    write_bytes(path, bytes);
    try {
        (void)open_sublet(path);
    } catch (const Error& error) {
        std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos);
        EXPECT_NE(message.find("bad.sublet"), std::string::npos) << message;
        return message;
    }
    return {};
}

// Reads everything that a user of the scene would.
void use(const EncodedScene& scene) {
    const std::vector<glm::mat4> world = world_transforms(scene.scene);
    for (const Instance& instance : instances(scene, {})) {
        if (is_deformed(scene, instance)) (void)posed_bounds(scene, instance, world);
    }
    (void)total_stats(scene);
    for (std::uint32_t m = 0; m < scene.geometry.meshes.size(); ++m) {
        (void)mesh::decode(mesh::mesh_view(scene.geometry, m));
    }
}

std::string file_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A scene that has something of everything, of which one mesh is large enough for levels of detail.
EncodedScene rich_scene_with_levels() {
    ThreadPool pool(1);
    EncodedScene large = encode_scene(import_gltf(sphere_gltf(40, 60).write_glb("large.glb")), {}, pool);
    EncodedScene scene = rich_scene();
    scene.geometry = large.geometry;
    scene.storage = large.storage;
    return with_levels(std::move(scene), mesh::Levels::kOn);
}

TEST(Levels, ComeAndGoAndNothingElseChanges) {
    const EncodedScene with = rich_scene_with_levels();
    ASSERT_FALSE(with.geometry.lod_groups.empty());
    write_sublet(test_path("with.sublet"), with);
    write_sublet(test_path("without.sublet"), with_levels(with, mesh::Levels::kOff));
    EXPECT_NE(file_bytes(test_path("with.sublet")), file_bytes(test_path("without.sublet")));
    const auto convert = [](const char* from, mesh::Levels levels, const char* to) {
        write_sublet(test_path(to), with_levels(open_sublet(test_path(from)), levels));
        return file_bytes(test_path(to));
    };
    EXPECT_EQ(convert("with.sublet", mesh::Levels::kOff, "a.sublet"), file_bytes(test_path("without.sublet")));
    EXPECT_EQ(convert("with.sublet", mesh::Levels::kOn, "b.sublet"), file_bytes(test_path("with.sublet")));
    EXPECT_EQ(convert("a.sublet", mesh::Levels::kOn, "c.sublet"), file_bytes(test_path("with.sublet")));
    EXPECT_EQ(convert("a.sublet", mesh::Levels::kOff, "d.sublet"), file_bytes(test_path("without.sublet")));
}

TEST(Levels, AreNotInTheTotals) {
    const EncodedScene with = rich_scene_with_levels();
    const EncodedScene without = with_levels(with, mesh::Levels::kOff);
    const GeometryStats a = total_stats(with);
    const GeometryStats b = total_stats(without);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.encoded_vertices, b.encoded_vertices);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.meshlet_radius_mean, b.meshlet_radius_mean);
    EXPECT_TRUE(level_stats(without).empty());
    const std::vector<LevelStats> levels = level_stats(with);
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
    EXPECT_LT(bytes, size_without_images(with, with.geometry));
    export_glb(test_path("with.glb"), with);
    export_glb(test_path("without.glb"), without);
    EXPECT_EQ(file_bytes(test_path("with.glb")), file_bytes(test_path("without.glb")));
}

// Meshes of two mesh groups that share a group of levels have no place of their own.
TEST(Levels, AreOfOneMeshGroup) {
    EncodedScene scene = rich_scene_with_levels();
    mesh::Geometry twice;
    mesh::append(twice, scene.geometry);
    mesh::append(twice, scene.geometry);
    const std::size_t half = twice.lod_meshlets.size() / 2;
    const auto groups = static_cast<std::uint32_t>(twice.lod_groups.size() / 2);
    scene.geometry = twice.view();
    scene.scene.mesh_groups.push_back(scene.scene.mesh_groups[0]);
    scene.scene.mesh_groups[1].first_mesh = 1;
    scene.scene.mesh_materials.push_back(scene.scene.mesh_materials[0]);
    write_sublet(test_path("two.sublet"), scene);
    EXPECT_NO_THROW((void)open_sublet(test_path("two.sublet")));
    for (std::size_t m = half; m < twice.lod_meshlets.size(); ++m) {
        for (std::uint32_t* group : {&twice.lod_meshlets[m].group, &twice.lod_meshlets[m].simplified_from}) {
            if (*group != shared::kNoLodGroup) *group -= groups;
        }
    }
    twice.lod_groups.resize(groups);
    scene.geometry = twice.view();
    write_sublet(test_path("shared.sublet"), scene);
    const std::string bytes = file_bytes(test_path("shared.sublet"));
    const std::string error = open_error(std::as_bytes(std::span(bytes.data(), bytes.size())));
    EXPECT_NE(error.find("of more than one mesh group"), std::string::npos) << error;
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

    const auto equal = [](auto a, auto b) {
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
    };
    EXPECT_TRUE(equal(after.geometry.meshes, before.geometry.meshes));
    EXPECT_TRUE(equal(after.geometry.sublet_bounds, before.geometry.sublet_bounds));
    EXPECT_TRUE(equal(after.geometry.meshlet_bounds, before.geometry.meshlet_bounds));
    EXPECT_TRUE(equal(after.geometry.streams, before.geometry.streams));
    EXPECT_TRUE(equal(after.geometry.payload, before.geometry.payload));

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
    EXPECT_FALSE(total_stats(after).dropped_by_grid);
}

TEST(Container, KeepsTheCompactCoding) {
    const auto equal = [](auto a, auto b) {
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
    };
    const EncodedScene plain = rich_scene();
    const EncodedScene compact = with_coding(plain, mesh::Coding::kCompact);
    write_sublet(test_path("plain.sublet"), plain);
    write_sublet(test_path("compact.sublet"), compact);
    const EncodedScene after = open_sublet(test_path("compact.sublet"));
    EXPECT_TRUE(equal(after.geometry.payload, compact.geometry.payload));
    EXPECT_TRUE(equal(after.geometry.meshes, compact.geometry.meshes));
    EXPECT_TRUE(equal(after.geometry.sublet_bounds, plain.geometry.sublet_bounds)) << "they were short";
    EXPECT_TRUE(equal(after.geometry.meshlet_bounds, plain.geometry.meshlet_bounds));
    EXPECT_TRUE(after.geometry.streams.empty());
    // Sizes are those of the file.
    const GeometryStats stats = total_stats(after);
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
    EXPECT_TRUE(equal(load_scene(test_path("compact.sublet"), {}, pool).geometry.payload, compact.geometry.payload));
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
    EXPECT_TRUE(equal(load_scene(test_path("mixed.sublet"), {}, pool).geometry.payload, std::span(twice.payload)));
}

TEST(Container, AlignsSections) {
    write_sublet(test_path("a.sublet"), rich_scene());
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

TEST(Container, RefusesForeignFiles) {
    EXPECT_NE(
        open_error(std::as_bytes(std::span("PK\3\4 something else entirely, and long enough for a header of 64 bytes")))
            .find("not a .sublet file"),
        std::string::npos);
    EXPECT_NE(open_error(std::as_bytes(std::span("SUBLET"))).find("truncated"), std::string::npos);
    EXPECT_THROW((void)open_sublet(test_path("missing.sublet")), Error);
}

TEST(Container, RefusesOtherVersions) {
    write_sublet(test_path("a.sublet"), rich_scene());
    std::vector<std::byte> bytes = read_bytes(test_path("a.sublet"));
    const std::uint32_t version = 7;
    std::memcpy(&bytes[offsetof(format::FileHeader, version)], &version, 4);
    const std::string message = open_error(bytes);
    EXPECT_NE(message.find("is 7, but only version 1 is known"), std::string::npos) << message;
}

// The table's entry of a section, for changing it.
std::size_t entry_at(const std::vector<std::byte>& bytes, format::SectionType type) {
    format::FileHeader header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    for (std::uint32_t i = 0; i < header.section_count; ++i) {
        const std::size_t at = sizeof header + i * sizeof(format::SectionEntry);
        format::SectionEntry entry{};
        std::memcpy(&entry, &bytes[at], sizeof entry);
        if (entry.type == static_cast<std::uint32_t>(type)) return at;
    }
    ADD_FAILURE() << "no such section";
    return 0;
}

template <typename T>
void put(std::vector<std::byte>& bytes, std::size_t at, T value) {
    std::memcpy(&bytes[at], &value, sizeof value);
}

TEST(Container, ChecksItsTable) {
    write_sublet(test_path("a.sublet"), rich_scene());
    const std::vector<std::byte> good = read_bytes(test_path("a.sublet"));
    const std::size_t nodes = entry_at(good, format::SectionType::kNodes);
    const std::size_t payload = entry_at(good, format::SectionType::kPayload);
    const auto field = [](std::size_t entry, std::size_t member) { return entry + member; };
    const auto expect = [&](const char* message, auto&& spoil) {
        std::vector<std::byte> bytes = good;
        spoil(bytes);
        const std::string got = open_error(bytes);
        EXPECT_NE(got.find(message), std::string::npos) << "expected: " << message << "\ngot: " << got;
    };
    using Entry = format::SectionEntry;
    expect("does not know", [&](auto& b) { put(b, nodes, std::uint32_t{99}); });
    expect("twice", [&](auto& b) {
        put(b, nodes, static_cast<std::uint32_t>(format::SectionType::kPayload));
        put(b, field(nodes, offsetof(Entry, element_size)), std::uint32_t{4});
        put(b, field(nodes, offsetof(Entry, count)), std::uint64_t{2 * 96 / 4});
    });
    expect("must be 96", [&](auto& b) { put(b, field(nodes, offsetof(Entry, element_size)), std::uint32_t{48}); });
    const std::size_t losses = entry_at(good, format::SectionType::kGridLosses);
    expect("grid losses: are 0 for 1 mesh groups", [&](auto& b) {
        put(b, field(losses, offsetof(Entry, count)), std::uint64_t{0});
        put(b, field(losses, offsetof(Entry, size)), std::uint64_t{0});
    });
    std::uint64_t hidden = 0;
    std::memcpy(&hidden, &good[entry_at(good, format::SectionType::kHiddenNodes) + offsetof(Entry, offset)], 8);
    expect("hidden_nodes[0].node", [&](auto& b) { put(b, hidden, std::uint32_t{2}); });
    expect("multiple of 64", [&](auto& b) { put(b, field(nodes, offsetof(Entry, offset)), std::uint64_t{65}); });
    expect("leave the file", [&](auto& b) { put(b, field(nodes, offsetof(Entry, offset)), std::uint64_t{1} << 40); });
    expect("leave the file",
           [&](auto& b) { put(b, field(nodes, offsetof(Entry, size)), std::numeric_limits<std::uint64_t>::max()); });
    expect("elements of 96",
           [&](auto& b) { put(b, field(nodes, offsetof(Entry, count)), std::numeric_limits<std::uint64_t>::max()); });
    expect("overlaps", [&](auto& b) {
        std::memcpy(&b[field(payload, offsetof(Entry, offset))], &good[field(nodes, offsetof(Entry, offset))], 8);
    });
    expect("section_count",
           [&](auto& b) { put(b, offsetof(format::FileHeader, section_count), std::uint32_t{1000000}); });
    expect("has no section", [&](auto& b) { put(b, offsetof(format::FileHeader, section_count), std::uint32_t{3}); });
    expect("has no section", [&](auto& b) {
        b.resize(sizeof(format::FileHeader));
        put(b, offsetof(format::FileHeader, section_count), std::uint32_t{0});
        put(b, offsetof(format::FileHeader, file_size), std::uint64_t{sizeof(format::FileHeader)});
    });
    expect("file_size", [&](auto& b) { b.pop_back(); });
    expect("file_size", [&](auto& b) { b.push_back(std::byte{0}); });
    expect("table_offset", [&](auto& b) { put(b, offsetof(format::FileHeader, table_offset), std::uint64_t{128}); });
}

TEST(Container, SkipsUnknownOptionalSections) {
    write_sublet(test_path("a.sublet"), rich_scene());
    std::vector<std::byte> bytes = read_bytes(test_path("a.sublet"));
    // The table ends where the first section begins, at the next multiple of 64: makes room for one entry more.
    format::FileHeader header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t end = sizeof header + header.section_count * sizeof(format::SectionEntry);
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(end), 64, std::byte{0});
    for (std::uint32_t i = 0; i < header.section_count; ++i) {
        format::SectionEntry entry{};
        const std::size_t at = sizeof header + i * sizeof entry;
        std::memcpy(&entry, &bytes[at], sizeof entry);
        entry.offset += 64;
        put(bytes, at, entry);
    }
    bytes.resize((bytes.size() + 63) / 64 * 64);
    put(bytes, end, format::SectionEntry{format::kOptionalBit | 77U, 1, bytes.size(), 5, 5});
    bytes.resize(bytes.size() + 5, std::byte{42});
    ++header.section_count;
    header.file_size = bytes.size();
    put(bytes, 0, header);
    EXPECT_EQ(open_error(bytes), "");
    put(bytes, end, std::uint32_t{77});
    EXPECT_NE(open_error(bytes).find("may not skip"), std::string::npos);
}

TEST(Container, ChecksItsNotes) {
    write_sublet(test_path("a.sublet"), rich_scene());
    const std::vector<std::byte> good = read_bytes(test_path("a.sublet"));
    const std::size_t entry = entry_at(good, format::SectionType::kNotes);
    format::SectionEntry notes{};
    std::memcpy(&notes, &good[entry], sizeof notes);
    ASSERT_EQ(notes.offset + notes.size, good.size()) << "last in the file";
    const auto expect = [&](const char* message, std::size_t at, char value) {
        std::vector<std::byte> bytes = good;
        put(bytes, notes.offset + at, value);
        EXPECT_NE(open_error(bytes).find(std::string("notes: ") + message), std::string::npos) << open_error(bytes);
    };
    expect("are not UTF-8", 3, '\xFF');
    expect("have a control character", 3, '\x1B');
    expect("do not end with a line feed", notes.size - 1, '.');
    std::vector<std::byte> bytes = good;
    bytes.resize(notes.offset + 65537, static_cast<std::byte>('\n'));
    put(bytes, entry + offsetof(format::SectionEntry, count), std::uint64_t{65537});
    put(bytes, entry + offsetof(format::SectionEntry, size), std::uint64_t{65537});
    put(bytes, offsetof(format::FileHeader, file_size), std::uint64_t{bytes.size()});
    EXPECT_NE(open_error(bytes).find("notes: are longer than"), std::string::npos) << open_error(bytes);
}

// Changes the section's bytes at `at` to those of `value`; what opening the file says.
template <typename T>
std::string open_with(format::SectionType type, std::size_t at, T value) {
    write_sublet(test_path("a.sublet"), rich_scene());
    std::vector<std::byte> bytes = read_bytes(test_path("a.sublet"));
    format::SectionEntry entry{};
    std::memcpy(&entry, &bytes[entry_at(bytes, type)], sizeof entry);
    put(bytes, entry.offset + at, value);
    return open_error(bytes);
}

TEST(Container, ChecksWhereVariantsAndExtensionsLie) {
    using enum format::SectionType;
    const auto expect = [](const std::string& got, const char* message) {
        EXPECT_NE(got.find(message), std::string::npos) << got;
    };
    expect(open_with(kMaterialExtensions, 0, std::uint32_t{2}), "material_extensions[0].material: must be one of");
    expect(open_with(kVariants, 0, std::uint32_t{1}), "variants[0].name: does not lie where it must");
    expect(open_with(kVariants, 4, std::uint32_t{99}), "variants[0].name: does not lie where it must");
    expect(open_with(kVariants, 16 + 4, std::uint32_t{4}), "variant names: are more than the variants have");
    expect(open_with(kVariants, 8, std::uint32_t{1}), "variants[0].first_mesh: must follow");
    expect(open_with(kVariants, 16 + 12, std::uint32_t{2}), "variants[1].first_mesh: must follow");
    expect(open_with(kVariants, 16 + 12, std::uint32_t{0}), "variant meshes: are more than the variants have");
    EncodedScene scene = rich_scene();
    scene.scene.materials.push_back(scene.scene.materials[1]);
    write_sublet(test_path("a.sublet"), scene);
    std::vector<std::byte> bytes = read_bytes(test_path("a.sublet"));
    format::SectionEntry entry{};
    std::memcpy(&entry, &bytes[entry_at(bytes, kMaterialExtensions)], sizeof entry);
    ASSERT_EQ(entry.count, 2U);
    put(bytes, entry.offset + 488, std::uint32_t{1});
    expect(open_error(bytes), "material_extensions[1].material: must be one of");
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

TEST(Container, RefusesWhatIsCutOffAnywhere) {
    write_sublet(test_path("a.sublet"), rich_scene());
    const std::vector<std::byte> good = read_bytes(test_path("a.sublet"));
    for (std::size_t size = 1; size < good.size(); size += 61) {
        EXPECT_FALSE(open_error(std::span(good).first(size)).empty()) << size;
    }
    // A lying header does not help.
    for (std::size_t size = 64; size < good.size(); size += 997) {
        std::vector<std::byte> bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
        put(bytes, offsetof(format::FileHeader, file_size), std::uint64_t{size});
        EXPECT_FALSE(open_error(bytes).empty()) << size;
    }
}

TEST(Container, SurvivesEveryByteChanged) {
    const auto path = test_path("a.sublet");
    write_sublet(path, rich_scene());
    const std::vector<std::byte> good = read_bytes(path);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);  // changed in place: thousands of times
    const auto put_byte = [&](std::size_t at, std::byte value) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(static_cast<char>(value));
        file.flush();
        ASSERT_TRUE(file.good());
    };
    std::size_t refused = 0;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const int flip : {0x01, 0x80, 0xFF}) {
            put_byte(i, good[i] ^ static_cast<std::byte>(flip));
            ++tried;
            try {
                use(open_sublet(path));
            } catch (const Error&) {
                ++refused;
            }
        }
        put_byte(i, good[i]);
    }
    EXPECT_GT(refused, tried / 4);
    EXPECT_NO_THROW(use(open_sublet(path)));
}

struct BadScene {
    const char* name;
    const char* message;
    void (*spoil)(EncodedScene&);
};

// What the writer would not do, but a hostile one might.
class ContainerChecks : public ::testing::TestWithParam<BadScene> {};

TEST_P(ContainerChecks, NamesTheRecord) {
    EncodedScene scene = rich_scene();
    GetParam().spoil(scene);
    write_sublet(test_path("a.sublet"), scene);
    const std::string message = open_error(read_bytes(test_path("a.sublet")));
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const BadScene kBadScenes[] = {
    {"node_parent", "nodes[1].parent", [](auto& e) { e.scene.nodes[1].parent = 1; }},
    {"node_group", "nodes[0].mesh_group", [](auto& e) { e.scene.nodes[0].mesh_group = 1; }},
    {"node_skin", "nodes[0].skin", [](auto& e) { e.scene.nodes[0].skin = 7; }},
    {"node_camera", "nodes[0].camera", [](auto& e) { e.scene.nodes[0].camera = 1; }},
    {"node_light", "nodes[0].light", [](auto& e) { e.scene.nodes[0].light = -2; }},
    {"node_transform", "nodes[0].transform", [](auto& e) { e.scene.nodes[0].scale.x = kNan; }},
    {"node_matrix", "nodes[1].transform", [](auto& e) { e.scene.nodes[1].matrix[0][3] = 1; }},
    {"world_transform", "beyond single precision",
     [](auto& e) {
         e.scene.nodes[0].scale = glm::vec3(1e30F);
         e.scene.nodes[1].matrix[0][0] = 1e30F;
     }},
    {"group_first", "mesh_groups[0].first_mesh", [](auto& e) { e.scene.mesh_groups[0].first_mesh = 1; }},
    {"group_count", "mesh_groups[0].first_mesh", [](auto& e) { e.scene.mesh_groups[0].mesh_count = 2; }},
    {"group_missing", "leave meshes out", [](auto& e) { e.scene.mesh_groups[0].mesh_count = 0; }},
    {"group_losses", "grid_losses[0].triangles", [](auto& e) { e.scene.mesh_groups[0].dropped_by_grid = 6; }},
    {"group_error", "mesh_groups[0].error", [](auto& e) { e.scene.mesh_groups[0].error_position_rms = kNan; }},
    {"mesh_material", "mesh_materials[0]", [](auto& e) { e.scene.mesh_materials[0] = 2; }},
    {"mesh_materials", "mesh materials", [](auto& e) { e.scene.mesh_materials.push_back(0); }},
    {"material_texture", "materials[1].texture", [](auto& e) { e.scene.materials[1].normal_texture.texture = 2; }},
    {"material_uv", "materials[1].uv_set", [](auto& e) { e.scene.materials[1].normal_texture.uv_set = 2; }},
    {"material_factor", "materials[1].factors", [](auto& e) { e.scene.materials[1].roughness = kNan; }},
    {"material_transform", "materials[1].texture",
     [](auto& e) { e.scene.materials[1].normal_texture.offset.x = kNan; }},
    {"material_alpha", "materials[1].flags",
     [](auto& e) { e.scene.materials[1].alpha_mode = static_cast<AlphaMode>(3); }},
    {"extension_number", "material_extensions[0].clearcoatFactor",
     [](auto& e) { e.scene.materials[1].clearcoat.factor = 1.5F; }},
    {"extension_nan", "material_extensions[0].dispersion", [](auto& e) { e.scene.materials[1].dispersion = kNan; }},
    {"extension_infinite", "material_extensions[0].thicknessFactor",
     [](auto& e) { e.scene.materials[1].volume.thickness = std::numeric_limits<float>::infinity(); }},
    {"extension_distance", "material_extensions[0].attenuationDistance",
     [](auto& e) { e.scene.materials[1].volume.attenuation_distance = 0.0F; }},
    {"extension_color", "material_extensions[0].sheenColorFactor",
     [](auto& e) { e.scene.materials[1].sheen.color.z = -1.0F; }},
    {"extension_texture", "material_extensions[0].texture",
     [](auto& e) { e.scene.materials[1].iridescence.texture.texture = 2; }},
    {"extension_uv", "material_extensions[0].uv_set",
     [](auto& e) { e.scene.materials[1].sheen.color_texture.uv_set = 2; }},
    {"variant_mesh", "variant_meshes[0].mesh", [](auto& e) { e.scene.variants[1].meshes[0].mesh = 1; }},
    {"variant_order", "variant_meshes[1].mesh",
     [](auto& e) {
         e.scene.variants[1].meshes.push_back({0, 0});
     }},
    {"variant_material", "variant_meshes[0].material", [](auto& e) { e.scene.variants[1].meshes[0].material = 2; }},
    {"texture_image", "textures[0].image", [](auto& e) { e.scene.textures[0].image = -1; }},
    {"texture_sampler", "textures[0].sampler", [](auto& e) { e.scene.textures[0].sampler = 1; }},
    {"sampler", "samplers[0].filters", [](auto& e) { e.scene.samplers[0].wrap_s = 0; }},
    {"image_type", "images[0].mime_type", [](auto& e) { e.scene.images[0].mime_type = "image/gif"; }},
    {"image_size", "images[1].size", [](auto& e) { e.scene.images[1].width = 3; }},
    {"image_huge", "images[1].size",
     [](auto& e) {
         e.scene.images[1].width = 0x80000000U;
         e.scene.images[1].height = 0x80000000U;
     }},
    {"skin_joint", "skins[0].joints", [](auto& e) { e.scene.skins[0].joints[0] = 2; }},
    {"skin_matrix", "skins[0].joints", [](auto& e) { e.scene.skins[0].inverse_bind[0][1][1] = kNan; }},
    {"skin_skeleton", "skins[0].skeleton", [](auto& e) { e.scene.skins[0].skeleton = 5; }},
    {"channel_node", "channels[0].node", [](auto& e) { e.scene.animations[0].channels[0].node = 2; }},
    {"channel_times", "channels[0].times",
     [](auto& e) {
         e.scene.animations[0].channels[0].times = {1, 0};
     }},
    {"channel_values", "channels[0].value_count", [](auto& e) { e.scene.animations[0].channels[0].values.pop_back(); }},
    {"channel_nan", "channels[1].values", [](auto& e) { e.scene.animations[0].channels[1].values[3] = kNan; }},
    {"channel_path", "channels[0].path: is not known",
     [](auto& e) { e.scene.animations[0].channels[0].path = static_cast<AnimationPath>(200); }},
    {"channel_interpolation", "channels[0].path: is not known",
     [](auto& e) { e.scene.animations[0].channels[0].interpolation = static_cast<Interpolation>(3); }},
    {"light_type", "lights[0].type", [](auto& e) { e.scene.lights[0].type = static_cast<LightType>(3); }},
    {"light_value", "lights[0].values", [](auto& e) { e.scene.lights[0].range = kNan; }},
    {"camera_value", "cameras[0].values", [](auto& e) { e.scene.cameras[0].vertical_fov = kNan; }},
};

INSTANTIATE_TEST_SUITE_P(Records, ContainerChecks, ::testing::ValuesIn(kBadScenes),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Container, RefusesInstancesOutOfProportion) {
    // 60,000 nodes times 400 empty meshes: a file of 6 MB that would become 2 GB of instances.
    EncodedScene scene = rich_scene();
    mesh::Geometry geometry;
    mesh::append(geometry, scene.geometry);
    mesh::MeshHeader empty = geometry.meshes[0];
    for (int i = 0; i < 400; ++i) {
        mesh::Geometry more;
        mesh::append(more, scene.geometry);
        mesh::append(geometry, more.view());
    }
    (void)empty;
    scene.geometry = geometry.view();
    scene.scene.mesh_groups[0].mesh_count = 401;
    scene.scene.mesh_materials.assign(401, 0);
    Node node;
    node.mesh_group = 0;
    scene.scene.nodes.resize(2);
    scene.scene.nodes.resize(60'000, node);
    write_sublet(test_path("a.sublet"), scene);
    EXPECT_NE(open_error(read_bytes(test_path("a.sublet"))).find("out of all proportion"), std::string::npos);
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
    ThreadPool pool(1);
    EXPECT_THROW((void)encode_scene(import_gltf(builder.write_glb("a.glb")), {}, pool), Error);
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
