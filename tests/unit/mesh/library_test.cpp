// What the library's own functions add to those that they call: failures in place of exceptions, and files.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>

#include "../base/temporary_folder.h"
#include "../base/this_system.h"
#include "base/error.h"
#include "mesh/container_format.h"
#include "mesh/mesh.h"

namespace sublet::mesh {
namespace {

struct Triangle {
    std::vector<std::array<float, 3>> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    std::vector<std::uint32_t> indices{0, 1, 2};
    [[nodiscard]] MeshInput input() const {
        MeshInput input;
        input.positions = positions;
        input.indices = indices;
        return input;
    }
};

// A file of these arrays, with nothing in its other sections.
std::vector<std::byte> file_of(const GeometryView& arrays) {
    using format::SectionType;
    struct Content {
        SectionType type;
        std::size_t element_size;
        std::span<const std::byte> bytes;
    };
    std::vector<Content> contents{{SectionType::kMeshes, sizeof(MeshHeader), std::as_bytes(arrays.meshes)},
                                  {SectionType::kSubletBounds, sizeof(Bound), std::as_bytes(arrays.sublet_bounds)},
                                  {SectionType::kMeshletBounds, sizeof(Bound), std::as_bytes(arrays.meshlet_bounds)},
                                  {SectionType::kStreams, sizeof(StreamHeader), std::as_bytes(arrays.streams)},
                                  {SectionType::kPayload, 4, std::as_bytes(arrays.payload)}};
    const std::pair<SectionType, std::size_t> empty[] = {{SectionType::kInfo, sizeof(format::Info)},
                                                         {SectionType::kNodes, sizeof(format::Node)},
                                                         {SectionType::kMeshGroups, sizeof(format::MeshGroup)},
                                                         {SectionType::kMeshMaterials, 4},
                                                         {SectionType::kMaterials, sizeof(format::Material)},
                                                         {SectionType::kTextures, sizeof(format::Texture)},
                                                         {SectionType::kSamplers, sizeof(format::Sampler)},
                                                         {SectionType::kImages, sizeof(format::Image)},
                                                         {SectionType::kImageBytes, 1},
                                                         {SectionType::kSkins, sizeof(format::Skin)},
                                                         {SectionType::kJoints, sizeof(format::Joint)},
                                                         {SectionType::kAnimations, sizeof(format::Animation)},
                                                         {SectionType::kChannels, sizeof(format::Channel)},
                                                         {SectionType::kAnimationFloats, 4},
                                                         {SectionType::kLights, sizeof(format::Light)},
                                                         {SectionType::kCameras, sizeof(format::Camera)},
                                                         {SectionType::kStrings, 1}};
    for (const auto& [type, size] : empty) contents.push_back({type, size, {}});
    const auto aligned = [](std::uint64_t n) {
        return (n + format::kAlignment - 1) / format::kAlignment * format::kAlignment;
    };
    std::vector<format::SectionEntry> table;
    std::uint64_t end = aligned(sizeof(format::FileHeader) + contents.size() * sizeof(format::SectionEntry));
    for (const Content& content : contents) {
        table.push_back({static_cast<std::uint32_t>(content.type), static_cast<std::uint32_t>(content.element_size),
                         end, content.bytes.size() / content.element_size, content.bytes.size()});
        end = aligned(end + content.bytes.size());
    }
    format::FileHeader header{};
    header.magic = format::kMagic;
    header.version = kFileVersion;
    header.section_count = static_cast<std::uint32_t>(table.size());
    header.file_size = end;
    header.table_offset = sizeof header;
    std::vector<std::byte> file(end);
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, table.data(), table.size() * sizeof table[0]);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (!contents[i].bytes.empty()) {
            std::memcpy(file.data() + table[i].offset, contents[i].bytes.data(), contents[i].bytes.size());
        }
    }
    return file;
}

TEST(Library, TellsItsVersion) {
    const Version now = version();
    EXPECT_EQ(now.major, SUBLET_VERSION_MAJOR);
    EXPECT_EQ(now.minor, SUBLET_VERSION_MINOR);
    EXPECT_EQ(now.patch, SUBLET_VERSION_PATCH);
}

TEST(Library, EncodesTheSameOnAnyNumberOfThreads) {
    const Triangle triangle;
    const MeshInput input = triangle.input();
    const Result<EncodedMeshes> one = try_encode({&input, 1}, {}, "triangle");
    const Result<EncodedMeshes> many = try_encode({&input, 1}, {}, "triangle", 3);
    ASSERT_TRUE(one);
    ASSERT_TRUE(many);
    EXPECT_EQ(one->geometry.payload, many->geometry.payload);
    EXPECT_EQ(one->geometry.meshes[0].triangle_count, 1U);
}

TEST(Library, FailuresNameTheirParts) {
    Triangle triangle;
    triangle.positions[1][2] = std::numeric_limits<float>::quiet_NaN();
    const MeshInput input = triangle.input();
    const Result<EncodedMeshes> encoded = try_encode({&input, 1}, {}, "triangle");
    ASSERT_FALSE(encoded);
    EXPECT_EQ(encoded.failure().file, "triangle");
    EXPECT_NE(encoded.failure().field.find("positions[1]"), std::string::npos) << encoded.failure().field;
    EXPECT_FALSE(encoded.failure().text.empty());
    const Failure& failure = encoded.failure();
    EXPECT_EQ(failure.line(), failure.file + ": " + failure.field + ": " + failure.text);

    const Result<File> missing = try_open("/nowhere/a.sublet");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.failure().file, "/nowhere/a.sublet");
    EXPECT_EQ(missing.failure().line(), "/nowhere/a.sublet: cannot open: " + system_message(test::kNoFolder));
}

TEST(Library, ReadsFilesFromDiskAndFromMemory) {
    const Triangle triangle;
    const MeshInput input = triangle.input();
    EncodeOptions options;
    options.coding = Coding::kPlain;
    const Result<EncodedMeshes> encoded = try_encode({&input, 1}, options, "triangle");
    ASSERT_TRUE(encoded);
    const std::vector<std::byte> bytes = file_of(encoded->geometry.view());
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.sublet", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});

    Result<File> opened = try_open(folder / "a.sublet");
    ASSERT_TRUE(opened) << opened.failure().line();
    const File copy = *opened;
    opened = Failure{};  // the copy holds the mapping
    ASSERT_EQ(copy.sections.size(), 22U);
    EXPECT_EQ(copy.sections[0].bytes.size(), sizeof(MeshHeader));
    const MeshView mesh = mesh_view(copy.geometry, 0);
    const DecodedSublet decoded = decode_sublet(mesh, 0);
    EXPECT_EQ(decoded.triangle_count, 1U);
    EXPECT_EQ(decode(mesh).positions.size(), 3U);
    ASSERT_NE(mesh.stream(0, shared::kStreamPosition), nullptr);
    EXPECT_EQ(mesh.stream(0, shared::kStreamUv), nullptr);

    alignas(16) std::array<std::byte, 8192> memory{};
    ASSERT_LE(bytes.size() + 4, memory.size());
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    EXPECT_TRUE(try_read({memory.data(), bytes.size()}, "memory"));
    const Result<File> odd = try_read({memory.data() + 4, bytes.size()}, "memory");
    ASSERT_FALSE(odd);
    EXPECT_EQ(odd.failure().field, "memory");
    const Result<File> cut = try_read({memory.data(), bytes.size() - 64}, "memory");
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.failure().field, "header.file_size");
}

TEST(Library, ChecksGeometryFromElsewhere) {
    const Triangle triangle;
    const MeshInput input = triangle.input();
    Result<EncodedMeshes> encoded = try_encode({&input, 1}, {}, "triangle");
    ASSERT_TRUE(encoded);
    EXPECT_FALSE(check(encoded->geometry.view(), "mine"));
    encoded->geometry.meshes[0].triangle_count = 7;
    const std::optional<Failure> failure = check(encoded->geometry.view(), "mine");
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->file, "mine");
    EXPECT_NE(failure->field.find("meshes[0]"), std::string::npos);
}

}  // namespace
}  // namespace sublet::mesh
