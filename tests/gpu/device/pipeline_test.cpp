#include "gpu/pipeline.h"

#include <array>
#include <cstring>
#include <numeric>
#include <tuple>

#include "gpu/barriers.h"
#include "gpu/descriptors.h"
#include "gpu/embedded.h"
#include "gpu/frame.h"
#include "gpu/upload.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

struct ScalePush {
    uint32_t count;
    uint32_t added;
};

ComputePipelineDesc scale_desc(uint32_t factor) {
    return {.name = "scale", .shader = {.spirv = test_shaders().scale_comp, .specialization = {{0, factor}}}};
}

using ComputeTest = DeviceTest;

TEST_F(ComputeTest, SpecializedAndPushed) {
    const Pipeline pipeline(device(), scale_desc(7));
    std::vector<uint32_t> values(1000);
    std::iota(values.begin(), values.end(), 0U);
    const Buffer buffer(device(),
                        {.size = values.size() * 4, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "values"});
    Uploader uploader(device());
    uploader.buffer(buffer, 0, values);
    uploader.flush();  // no wait, no barrier: the next submission sees it
    submit_and_wait(device(), "scaling", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
        descriptors.bind(commands, pipeline, {buffer_at(0, buffer)});
        pipeline.push(commands, ScalePush{999, 5});
        vkCmdDispatch(commands, (999 + 63) / 64, 1, 1);
        memory_barrier(commands, kComputeWrite, kEverything);
    });
    for (uint32_t i = 0; i < 999; ++i) values[i] = (values[i] * 7) + 5;
    EXPECT_EQ(read_buffer_as<uint32_t>(device(), buffer, 0, values.size()), values);
}

TEST_F(ComputeTest, PartOfABuffer) {
    const Pipeline pipeline(device(), scale_desc(1));
    const VkDeviceSize offset =
        std::max<VkDeviceSize>(device().capabilities().limits.minStorageBufferOffsetAlignment, 256);
    const Buffer buffer(device(), {.size = offset + 64, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "values"});
    Uploader uploader(device());
    uploader.buffer(buffer, 0, std::vector<uint32_t>((offset + 64) / 4, 0));
    uploader.finish();
    submit_and_wait(device(), "scaling", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
        descriptors.bind(commands, pipeline, {buffer_at(0, buffer, offset, 64)});
        pipeline.push(commands, ScalePush{16, 9});
        vkCmdDispatch(commands, 1, 1, 1);
    });
    EXPECT_EQ(read_buffer_as<uint32_t>(device(), buffer, 0, 1)[0], 0U);
    EXPECT_EQ(read_buffer_as<uint32_t>(device(), buffer, offset, 16), std::vector<uint32_t>(16, 9));
}

TEST_F(ComputeTest, RequiredSubgroupSize) {
    const Capabilities& c = device().capabilities();
    const auto desc = [](uint32_t size, bool full) {
        return ComputePipelineDesc{
            .name = "subgroup",
            .shader = {.spirv = test_shaders().subgroup_comp, .required_subgroup_size = size, .full_subgroups = full}};
    };
    for (uint32_t size = 1; size <= 256; size *= 2) {
        if (!c.can_require_subgroup_size(VK_SHADER_STAGE_COMPUTE_BIT, size)) {
            EXPECT_TRUE(mentions(error_of([&] { const Pipeline p(device(), desc(size, false)); }),
                                 "subgroups of " + std::to_string(size)));
            continue;
        }
        const Pipeline pipeline(device(), desc(size, true));
        const Buffer buffer(device(), {.size = 4, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "size"});
        submit_and_wait(device(), "asking", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
            descriptors.bind(commands, pipeline, {buffer_at(0, buffer)});
            vkCmdDispatch(commands, 1, 1, 1);
        });
        EXPECT_EQ(read_buffer_as<uint32_t>(device(), buffer, 0, 1)[0], size);
    }
    DeviceOptions options;
    options.without = {"subgroup-size-control"};
    open(options);
    EXPECT_TRUE(mentions(error_of([&] { const Pipeline p(device(), desc(0, true)); }), "full subgroups"));
    const Pipeline plain(device(), desc(0, false));
    EXPECT_TRUE(static_cast<bool>(plain));
}

TEST_F(ComputeTest, ADeviceCountsFreshPipelines) {
    const uint64_t before = device().fresh_pipelines();
    Pipeline made(device(), scale_desc(1));
    EXPECT_EQ(device().fresh_pipelines(), before + 1);
    const Pipeline pipeline = std::move(made);
    for (int i = 0; i < 3; ++i) {
        submit_and_wait(device(), "binding",
                        [&](VkCommandBuffer commands, DescriptorArena&) { pipeline.bind(commands); });
        EXPECT_EQ(device().fresh_pipelines(), before + 2) << "recorded for the first time once";
    }
}

TEST_F(ComputeTest, MisuseIsAnError) {
    EXPECT_TRUE(
        mentions(error_of([&] { const Pipeline p(device(), ComputePipelineDesc{.name = "hollow"}); }), "'hollow'"));
    const std::array<uint32_t, 3> nonsense{1, 2, 3};
    EXPECT_THROW(static_cast<void>(shader_interface(nonsense, VK_SHADER_STAGE_COMPUTE_BIT)), Error);
    const Pipeline pipeline(device(), scale_desc(1));
    submit_and_wait(device(), "misusing", [&](VkCommandBuffer commands, DescriptorArena&) {
        EXPECT_TRUE(mentions(error_of([&] { pipeline.push(commands, uint32_t{1}); }), "4 bytes were pushed"));
    });
}

// Every kind of descriptor, and push constants of every kind of member.
TEST(Embedded, WhatIsDamagedIsAnError) {
    const std::array<uint32_t, 8> damaged{0x4b434150, 6, 400, 8, 0, 100, 0xfd2fb528, 0xffffffff};
    EXPECT_THROW(static_cast<void>(unpack(damaged)), Error);
    const std::array<uint32_t, 8> as_they_are{0x4b434150, 6, 8, 0, 1, 1, 11, 12};
    ASSERT_EQ(unpack(as_they_are).size(), 1U);
    EXPECT_EQ(unpack(as_they_are)[0], 12U);
    EXPECT_EQ(unpack(test_shaders().scale_comp).data(), test_shaders().scale_comp.data());
}

TEST_F(ComputeTest, AShaderTellsItsInterface) {
    const ShaderInterface found = shader_interface(test_shaders().interface_comp, VK_SHADER_STAGE_COMPUTE_BIT);
    const std::vector<std::tuple<uint32_t, uint32_t, VkDescriptorType, uint32_t>> expected{
        {0, 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},         {0, 5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
        {1, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0}, {2, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3},
        {2, 2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},          {2, 3, VK_DESCRIPTOR_TYPE_SAMPLER, 1},
        {2, 7, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1},
    };
    ASSERT_EQ(found.bindings.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        const Binding& binding = found.bindings[i];
        EXPECT_EQ(std::tuple(binding.set, binding.binding, binding.type, binding.count), expected[i]) << i;
        EXPECT_EQ(binding.stages, static_cast<VkShaderStageFlags>(VK_SHADER_STAGE_COMPUTE_BIT));
    }
    EXPECT_EQ(found.push_constant_bytes, 100U);
    EXPECT_EQ(storage_buffers(found), 4U);
}

TEST_F(ComputeTest, StagesShareWhatTheyDeclareAlike) {
    const Binding buffer{.set = 0, .binding = 2, .stages = VK_SHADER_STAGE_VERTEX_BIT};
    ShaderInterface all{{buffer}, 8};
    Binding other = buffer;
    other.stages = VK_SHADER_STAGE_FRAGMENT_BIT;
    merge(all, {{{.set = 0, .binding = 1, .stages = VK_SHADER_STAGE_FRAGMENT_BIT}, other}, 16});
    ASSERT_EQ(all.bindings.size(), 2U);
    EXPECT_EQ(all.bindings[0].binding, 1U);
    EXPECT_EQ(all.bindings[1].stages,
              static_cast<VkShaderStageFlags>(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT));
    EXPECT_EQ(all.push_constant_bytes, 16U);
    other.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    EXPECT_TRUE(mentions(error_of([&] { merge(all, {{other}, 0}); }), "set 0, binding 2"));
}

using DescriptorTest = DeviceTest;

TEST_F(DescriptorTest, ThousandsOfSetsOverManyFrames) {
    const Pipeline pipeline(device(), scale_desc(1));
    constexpr uint32_t kBuffers = 300;  // more than a pool has sets
    constexpr uint32_t kFrames = 7;
    std::vector<Buffer> buffers;
    Uploader uploader(device());
    for (uint32_t i = 0; i < kBuffers; ++i) {
        buffers.emplace_back(device(),
                             BufferDesc{.size = 4, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "value"});
        uploader.buffer(buffers.back(), 0, std::vector<uint32_t>{i});
    }
    uploader.flush();
    FrameRing ring(device());
    for (uint32_t frame = 0; frame < kFrames; ++frame) {
        const Frame& f = ring.begin();
        memory_barrier(f.commands, kEverything, kCompute);
        for (const Buffer& buffer : buffers) {
            f.descriptors->bind(f.commands, pipeline, {buffer_at(0, buffer)});
            pipeline.push(f.commands, ScalePush{1, 10});
            vkCmdDispatch(f.commands, 1, 1, 1);
        }
        memory_barrier(f.commands, kComputeWrite, kEverything);
        ring.submit();
    }
    device().wait_idle();
    for (const uint32_t i : {0U, 1U, 127U, 128U, 129U, 299U}) {
        EXPECT_EQ(read_buffer_as<uint32_t>(device(), buffers[i], 0, 1)[0], i + (10 * kFrames));
    }
}

TEST_F(DescriptorTest, MisuseNamesPipelineAndBinding) {
    const Pipeline pipeline(device(), scale_desc(1));
    const Buffer buffer(device(), {.size = 1024, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "values"});
    submit_and_wait(device(), "misusing", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
        const auto bind = [&](std::initializer_list<Descriptor> list) {
            return error_of([&] { descriptors.bind(commands, pipeline, list); });
        };
        EXPECT_TRUE(mentions(bind({}), "pipeline 'scale', set 0, binding 0: nothing is given"));
        EXPECT_TRUE(mentions(bind({buffer_at(3, buffer)}), "pipeline 'scale', set 0, binding 0: nothing is given"));
        descriptors.bind(commands, pipeline,
                         {buffer_at(3, buffer), buffer_at(0, buffer)});  // passes over what is extra
        EXPECT_TRUE(mentions(bind({buffer_at(0, buffer), buffer_at(0, buffer)}), "twice"));
        EXPECT_TRUE(mentions(bind({buffer_at(0, buffer, 1024)}), "no bytes"));
        EXPECT_TRUE(mentions(bind({buffer_at(0, buffer, 512, 513)}), "no bytes"));
        EXPECT_TRUE(mentions(bind({buffer_at(0, buffer, 1)}), "not a multiple"));
        EXPECT_TRUE(mentions(bind({texture_at(0, VK_NULL_HANDLE, VK_NULL_HANDLE)}), "no buffer"));
    });
}

TEST_F(DescriptorTest, RangeBeyondTheLimitIsAnError) {
    const VkDeviceSize limit = device().capabilities().limits.maxStorageBufferRange;
    if (limit >= (VkDeviceSize{1} << 30))
        GTEST_SKIP() << "the device binds " << limit << " bytes: too many to allocate here";
    const Pipeline pipeline(device(), scale_desc(1));
    const Buffer buffer(device(), {.size = limit + 256, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "large"});
    submit_and_wait(device(), "binding", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
        EXPECT_TRUE(mentions(error_of([&] { descriptors.bind(commands, pipeline, {buffer_at(0, buffer)}); }),
                             "can bind at once"));
        descriptors.bind(commands, pipeline, {buffer_at(0, buffer, 256)});
    });
}

class TextureTest : public DeviceTest {
  protected:
    // A table of `capacity` textures, the first `count` of which are set to single texels; the colours that a shader
    // reads from each, with a pipeline made for another table.
    std::vector<float> sample(uint32_t capacity, uint32_t count) {
        std::vector<Image> images;
        const Sampler sampler(device(), {.name = "plain"});
        BindlessTextures table(device(), capacity);
        Uploader uploader(device());
        for (uint32_t i = 0; i < count; ++i) {
            images.emplace_back(device(),
                                ImageDesc{.extent = {1, 1},
                                          .format = VK_FORMAT_R8G8B8A8_UNORM,
                                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                          .name = "texel"});
            const std::vector<std::byte> texel{std::byte(i), std::byte(2 * i), std::byte(0), std::byte(255)};
            const ImageLevel level{0, 0, texel};
            uploader.image(images.back(), {&level, 1});
            table.set(i, images.back().view(), sampler.handle());
        }
        uploader.finish();
        const bool indexing = device().capabilities().descriptor_indexing;
        const BindlessTextures other(device(), 3);
        const Pipeline pipeline(device(),
                                ComputePipelineDesc{.name = "textures",
                                                    .shader = {.spirv = indexing ? test_shaders().textures_comp
                                                                                 : test_shaders().few_textures_comp},
                                                    .textures = other.layout()});
        const Buffer result(device(),
                            {.size = capacity * 16, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "colors"});
        const uint32_t read = indexing ? count : capacity;
        submit_and_wait(device(), "sampling", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
            descriptors.bind(commands, pipeline, {buffer_at(3, result)});
            table.bind(commands, pipeline);
            pipeline.push(commands, read);
            vkCmdDispatch(commands, (read + 7) / 8, 1, 1);
        });
        return read_buffer_as<float>(device(), result, 0, size_t{read} * 4);
    }

    static void expect_texels(const std::vector<float>& colors, uint32_t count) {
        for (uint32_t i = 0; i < count; ++i) {
            EXPECT_FLOAT_EQ(colors.at(4 * i), static_cast<float>(i) / 255.0F);
            EXPECT_FLOAT_EQ(colors.at((4 * i) + 1), static_cast<float>(2 * i) / 255.0F);
            EXPECT_FLOAT_EQ(colors.at((4 * i) + 3), 1.0F);
        }
    }
};

TEST_F(TextureTest, IndexedFreely) {
    if (!device().capabilities().descriptor_indexing) GTEST_SKIP() << "the device has no descriptor indexing";
    expect_texels(sample(25, 20), 20);
}

TEST_F(TextureTest, FewByConstantIndices) {
    DeviceOptions options;
    options.without = {"descriptor-indexing"};
    open(options);
    EXPECT_EQ(device().capabilities().max_bindless_textures, kFewTextures);
    const std::vector<float> colors = sample(kFewTextures, 9);
    expect_texels(colors, 9);
    for (size_t i = 9 * 4; i < colors.size(); ++i) EXPECT_EQ(colors[i], 1.0F) << "what is not set is white";
}

TEST_F(TextureTest, CapacityHasLimits) {
    const uint32_t most = device().capabilities().max_bindless_textures;
    EXPECT_TRUE(mentions(error_of([&] { const BindlessTextures t(device(), most + 1); }), "textures"));
    BindlessTextures none(device(), 0);
    EXPECT_EQ(none.capacity(), 0U);
    EXPECT_TRUE(mentions(error_of([&] { none.set(0, VK_NULL_HANDLE, VK_NULL_HANDLE); }), "texture 0"));
}

// One triangle over the lower left half of an 8x8 picture, depth 0.5.
class GraphicsTest : public DeviceTest {
  protected:
    struct Picture {
        std::vector<std::byte> color;
        std::vector<float> depth;
    };

    static GraphicsPipelineDesc triangle_desc() {
        GraphicsPipelineDesc desc;
        desc.name = "triangle";
        desc.vertex.spirv = test_shaders().triangle_vert;
        desc.fragment.spirv = test_shaders().color_frag;
        desc.colors = {{.format = VK_FORMAT_R8G8B8A8_UNORM}};
        desc.depth_format = VK_FORMAT_D32_SFLOAT;
        return desc;
    }

    // Draws it `times` times in one rendering scope over a background of 10, depth cleared to `clear_depth`.
    Picture draw(const GraphicsPipelineDesc& desc, int times, VkCullModeFlags cull, VkFrontFace front,
                 float clear_depth) {
        const Pipeline pipeline(device(), desc);
        const Image color(device(), {.extent = {8, 8},
                                     .format = VK_FORMAT_R8G8B8A8_UNORM,
                                     .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                     .name = "color"});
        const Image depth(device(),
                          {.extent = {8, 8},
                           .format = VK_FORMAT_D32_SFLOAT,
                           .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                           .name = "depth"});
        // Counter-clockwise in the window (y points down): up the left edge last.
        const std::vector<float> positions{-1.0F, -1.0F, -1.0F, 1.0F, 1.0F, 1.0F};
        const Buffer buffer(device(), {.size = 24, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "positions"});
        Uploader uploader(device());
        uploader.buffer(buffer, 0, positions);
        uploader.flush();
        submit_and_wait(device(), "drawing", [&](VkCommandBuffer commands, DescriptorArena& descriptors) {
            image_barrier(commands, color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, kNothing,
                          kColorAttachment);
            image_barrier(commands, depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, kNothing,
                          kDepthAttachment);
            auto attachment = make_struct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
            attachment.imageView = color.view();
            attachment.imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
            attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
            attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
            attachment.clearValue.color = {{10.0F / 255.0F, 0.0F, 0.0F, 0.0F}};
            VkRenderingAttachmentInfo depth_attachment = attachment;
            depth_attachment.imageView = depth.view();
            depth_attachment.clearValue.depthStencil = {clear_depth, 0};
            auto rendering = make_struct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
            rendering.renderArea = {{0, 0}, {8, 8}};
            rendering.layerCount = 1;
            rendering.colorAttachmentCount = 1;
            rendering.pColorAttachments = &attachment;
            rendering.pDepthAttachment = &depth_attachment;
            vkCmdBeginRendering(commands, &rendering);
            descriptors.bind(commands, pipeline, {buffer_at(0, buffer)});
            const std::array<float, 4> tint{0.2F, 0.4F, 0.0F, 1.0F};  // 51, 102, 0, 255
            pipeline.push(commands, tint);
            set_viewport(commands, {8, 8});
            vkCmdSetCullMode(commands, cull);
            vkCmdSetFrontFace(commands, front);
            for (int i = 0; i < times; ++i) {
                if (desc.mesh.spirv.empty())
                    vkCmdDraw(commands, 3, 1, 0, 0);
                else
                    vkCmdDrawMeshTasksEXT(commands, 1, 1, 1);
            }
            vkCmdEndRendering(commands);
            image_barrier(commands, color, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                          kColorAttachment, kTransferRead);
            image_barrier(commands, depth, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                          kDepthAttachment, kTransferRead);
        });
        Picture picture;
        picture.color = read_image(device(), color, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        const std::vector<std::byte> bytes = read_image(device(), depth, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        picture.depth.resize(bytes.size() / 4);
        std::memcpy(picture.depth.data(), bytes.data(), bytes.size());
        return picture;
    }

    static int red(const Picture& picture, size_t x, size_t y) {
        return std::to_integer<int>(picture.color[((y * 8) + x) * 4]);
    }
    static float depth(const Picture& picture, size_t x, size_t y) { return picture.depth[(y * 8) + x]; }
};

TEST_F(GraphicsTest, DrawsWithPulledVertices) {
    const Picture picture = draw(triangle_desc(), 1, VK_CULL_MODE_NONE, VK_FRONT_FACE_COUNTER_CLOCKWISE, 0.0F);
    EXPECT_EQ(red(picture, 1, 6), 51);
    EXPECT_EQ(depth(picture, 1, 6), 0.5F);
    EXPECT_EQ(red(picture, 6, 1), 10);
    EXPECT_EQ(depth(picture, 6, 1), 0.0F);
}

TEST_F(GraphicsTest, CullModeFrontFaceAndDepthTest) {
    const GraphicsPipelineDesc desc = triangle_desc();
    EXPECT_EQ(red(draw(desc, 1, VK_CULL_MODE_BACK_BIT, VK_FRONT_FACE_COUNTER_CLOCKWISE, 0.0F), 1, 6), 51);
    EXPECT_EQ(red(draw(desc, 1, VK_CULL_MODE_BACK_BIT, VK_FRONT_FACE_CLOCKWISE, 0.0F), 1, 6), 10);
    EXPECT_EQ(red(draw(desc, 1, VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE, 0.75F), 1, 6), 10)
        << "behind what is there";
    GraphicsPipelineDesc no_write = desc;
    no_write.depth_write = false;
    const Picture picture = draw(no_write, 1, VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE, 0.0F);
    EXPECT_EQ(red(picture, 1, 6), 51);
    EXPECT_EQ(depth(picture, 1, 6), 0.0F);
}

TEST_F(GraphicsTest, BlendingAndWriteMasks) {
    GraphicsPipelineDesc desc = triangle_desc();
    desc.colors[0].blend = Blend::kAdditive;
    EXPECT_EQ(red(draw(desc, 2, VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE, 0.0F), 1, 6), 10 + (2 * 51));
    desc.colors[0].write_mask = VK_COLOR_COMPONENT_G_BIT;
    EXPECT_EQ(red(draw(desc, 1, VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE, 0.0F), 1, 6), 10);
}

TEST_F(GraphicsTest, MeshShaderDrawsTheSame) {
    GraphicsPipelineDesc desc = triangle_desc();
    desc.vertex = {};
    desc.mesh.spirv = test_shaders().triangle_mesh;
    if (!device().capabilities().mesh_shader) {
        EXPECT_TRUE(mentions(error_of([&] { const Pipeline p(device(), desc); }), "has no mesh shaders"));
        GTEST_SKIP() << "the device has no mesh shaders";
    }
    const Picture meshed = draw(desc, 1, VK_CULL_MODE_BACK_BIT, VK_FRONT_FACE_COUNTER_CLOCKWISE, 0.0F);
    const Picture pulled = draw(triangle_desc(), 1, VK_CULL_MODE_BACK_BIT, VK_FRONT_FACE_COUNTER_CLOCKWISE, 0.0F);
    EXPECT_EQ(meshed.color, pulled.color);
    EXPECT_EQ(meshed.depth, pulled.depth);
    EXPECT_EQ(red(meshed, 1, 6), 51);
}

TEST_F(GraphicsTest, MisuseIsAnError) {
    GraphicsPipelineDesc both = triangle_desc();
    both.mesh.spirv = test_shaders().triangle_mesh;
    EXPECT_TRUE(
        mentions(error_of([&] { const Pipeline p(device(), both); }), "either a vertex shader or a mesh shader"));
    GraphicsPipelineDesc neither = triangle_desc();
    neither.vertex = {};
    EXPECT_TRUE(mentions(error_of([&] { const Pipeline p(device(), neither); }), "'triangle'"));

    DeviceOptions options;
    options.without = {"mesh-shader", "independent-blend"};
    open(options);
    GraphicsPipelineDesc mesh = triangle_desc();
    mesh.vertex = {};
    mesh.mesh.spirv = test_shaders().triangle_mesh;
    EXPECT_TRUE(mentions(error_of([&] { const Pipeline p(device(), mesh); }), "has no mesh shaders"));
    GraphicsPipelineDesc mixed = triangle_desc();
    mixed.colors.push_back({.format = VK_FORMAT_R8G8B8A8_UNORM, .blend = Blend::kAdditive});
    EXPECT_TRUE(mentions(error_of([&] { const Pipeline p(device(), mixed); }), "blend colour attachments differently"));
}

}  // namespace
}  // namespace sublet::gpu
