// Malformed, hostile and foreign .sublet files: every one is refused, with a message that names what is wrong.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "gltf_builder.h"
#include "mesh/container_format.h"
#include "mesh/mesh.h"
#include "mesh/view.h"
#include "rich_scene.h"
#include "scene/container.h"
#include "scene/deform.h"

namespace sublet::scene::testing {
namespace {

// The bytes of a file of it.
std::vector<std::byte> written(const EncodedScene& scene) {
    write_sublet(test_path("a.sublet"), scene);
    return read_bytes(test_path("a.sublet"));
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
    (void)scene_stats(scene);
    for (std::uint32_t m = 0; m < scene.geometry.meshes.size(); ++m) {
        (void)mesh::decode(mesh::mesh_view(scene.geometry, m));
    }
}

template <typename T>
T get(const std::vector<std::byte>& bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, &bytes[at], sizeof value);
    return value;
}

template <typename T>
void put(std::vector<std::byte>& bytes, std::size_t at, T value) {
    std::memcpy(&bytes[at], &value, sizeof value);
}

// Where the table's entry of a section is.
std::size_t entry_at(const std::vector<std::byte>& bytes, format::SectionType type) {
    const auto header = get<format::FileHeader>(bytes, 0);
    for (std::uint32_t i = 0; i < header.section_count; ++i) {
        const std::size_t at = sizeof header + i * sizeof(format::SectionEntry);
        if (get<format::SectionEntry>(bytes, at).type == static_cast<std::uint32_t>(type)) return at;
    }
    ADD_FAILURE() << "no such section";
    return 0;
}

format::SectionEntry entry_of(const std::vector<std::byte>& bytes, format::SectionType type) {
    return get<format::SectionEntry>(bytes, entry_at(bytes, type));
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
    std::vector<std::byte> bytes = written(rich_scene());
    put(bytes, offsetof(format::FileHeader, version), std::uint32_t{7});
    const std::string message = open_error(bytes);
    EXPECT_NE(message.find("is 7, but only version 1 is known"), std::string::npos) << message;
}

TEST(Container, ChecksItsTable) {
    const std::vector<std::byte> good = written(rich_scene());
    const std::size_t nodes = entry_at(good, format::SectionType::kNodes);
    const std::size_t payload = entry_at(good, format::SectionType::kPayload);
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
        put(b, nodes + offsetof(Entry, element_size), std::uint32_t{4});
        put(b, nodes + offsetof(Entry, count), std::uint64_t{2 * 96 / 4});
    });
    expect("must be 96", [&](auto& b) { put(b, nodes + offsetof(Entry, element_size), std::uint32_t{48}); });
    const std::size_t losses = entry_at(good, format::SectionType::kGridLosses);
    expect("grid losses: are 0 for 1 mesh groups", [&](auto& b) {
        put(b, losses + offsetof(Entry, count), std::uint64_t{0});
        put(b, losses + offsetof(Entry, size), std::uint64_t{0});
    });
    const std::uint64_t hidden = entry_of(good, format::SectionType::kHiddenNodes).offset;
    expect("hidden_nodes[0].node", [&](auto& b) { put(b, hidden, std::uint32_t{2}); });
    expect("multiple of 64", [&](auto& b) { put(b, nodes + offsetof(Entry, offset), std::uint64_t{65}); });
    expect("leave the file", [&](auto& b) { put(b, nodes + offsetof(Entry, offset), std::uint64_t{1} << 40); });
    expect("leave the file",
           [&](auto& b) { put(b, nodes + offsetof(Entry, size), std::numeric_limits<std::uint64_t>::max()); });
    expect("elements of 96",
           [&](auto& b) { put(b, nodes + offsetof(Entry, count), std::numeric_limits<std::uint64_t>::max()); });
    expect("overlaps", [&](auto& b) { put(b, payload + offsetof(Entry, offset), get<Entry>(good, nodes).offset); });
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
    std::vector<std::byte> bytes = written(rich_scene());
    // The table ends where the first section begins, at the next multiple of 64: makes room for one entry more.
    auto header = get<format::FileHeader>(bytes, 0);
    const std::size_t end = sizeof header + header.section_count * sizeof(format::SectionEntry);
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(end), 64, std::byte{0});
    for (std::uint32_t i = 0; i < header.section_count; ++i) {
        const std::size_t at = sizeof header + i * sizeof(format::SectionEntry);
        auto entry = get<format::SectionEntry>(bytes, at);
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
    const std::vector<std::byte> good = written(rich_scene());
    const std::size_t entry = entry_at(good, format::SectionType::kNotes);
    const auto notes = get<format::SectionEntry>(good, entry);
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
    std::vector<std::byte> bytes = written(rich_scene());
    put(bytes, entry_of(bytes, type).offset + at, value);
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
    std::vector<std::byte> bytes = written(scene);
    const format::SectionEntry entry = entry_of(bytes, kMaterialExtensions);
    ASSERT_EQ(entry.count, 2U);
    put(bytes, entry.offset + 488, std::uint32_t{1});
    expect(open_error(bytes), "material_extensions[1].material: must be one of");
}

TEST(Container, RefusesWhatIsCutOffAnywhere) {
    const std::vector<std::byte> good = written(rich_scene());
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
    const std::string message = open_error(written(scene));
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
    // 60,000 nodes times 401 meshes: a file of 6 MB that would become 2 GB of instances.
    EncodedScene scene = rich_scene();
    mesh::Geometry geometry;
    for (int i = 0; i < 401; ++i) mesh::append(geometry, scene.geometry);
    scene.geometry = geometry.view();
    scene.scene.mesh_groups[0].mesh_count = 401;
    scene.scene.mesh_materials.assign(401, 0);
    Node node;
    node.mesh_group = 0;
    scene.scene.nodes.resize(2);
    scene.scene.nodes.resize(60'000, node);
    EXPECT_NE(open_error(written(scene)).find("out of all proportion"), std::string::npos);
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
    EXPECT_EQ(open_error(written(scene)), "");
    for (std::size_t m = half; m < twice.lod_meshlets.size(); ++m) {
        for (std::uint32_t* group : {&twice.lod_meshlets[m].group, &twice.lod_meshlets[m].simplified_from}) {
            if (*group != shared::kNoLodGroup) *group -= groups;
        }
    }
    twice.lod_groups.resize(groups);
    scene.geometry = twice.view();
    const std::string error = open_error(written(scene));
    EXPECT_NE(error.find("of more than one mesh group"), std::string::npos) << error;
}

}  // namespace
}  // namespace sublet::scene::testing
