#include <array>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/renderer.h"
#include "shaders/embedded.h"

namespace sublet::render {

void begin_rendering(VkCommandBuffer commands, const Targets& targets, bool clear) {
    const VkAttachmentLoadOp load = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
    VkRenderingAttachmentInfo color{};
    color.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    color.imageView = targets.color.view();
    color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    color.loadOp = load;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    for (int i = 0; i < 4; ++i) {
        color.clearValue.color.float32[i] = static_cast<float>(kBackgroundColor[i]) / 255.0F;
    }
    VkRenderingAttachmentInfo depth{};
    depth.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    depth.imageView = targets.depth.view();
    depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    depth.loadOp = load;
    depth.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    depth.clearValue.depthStencil.depth = 0.0F;  // infinity
    VkRenderingInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    info.renderArea.extent = targets.color.extent();
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    info.pDepthAttachment = &depth;
    vkCmdBeginRendering(commands, &info);
    gpu::set_viewport(commands, targets.color.extent());
}

void set_draw_class(VkCommandBuffer commands, std::uint32_t draw_class) {
    vkCmdSetFrontFace(
        commands, draw_class == shared::kClassClockwise ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vkCmdSetCullMode(commands, draw_class == shared::kClassDoubleSided ? VK_CULL_MODE_NONE : VK_CULL_MODE_BACK_BIT);
}

namespace {

// The variants of surface.frag for one surface: by where attributes come from, then by how the device binds textures.
#define SUBLET_SURFACE(surface)                                                                                        \
    {                                                                                                                  \
        shaders::surface_##surface##_interpolated_few_textures_frag, shaders::surface_##surface##_interpolated_frag,   \
            shaders::surface_##surface##_uniform_surface_few_textures_frag,                                            \
            shaders::surface_##surface##_uniform_surface_frag, shaders::surface_##surface##_fetched_few_textures_frag, \
            shaders::surface_##surface##_fetched_frag,                                                                 \
    }

// surface.frag for what `scene` has and how the device binds textures.
gpu::Shader fragment_shader(const gpu::Device& device, const GpuScene& scene, Attributes attributes) {
    using Variants = std::array<std::span<const std::uint32_t>, 6>;
    const std::array<Variants, 4> variants{{SUBLET_SURFACE(uv0_color0), SUBLET_SURFACE(uv0_color1),
                                            SUBLET_SURFACE(uv1_color0), SUBLET_SURFACE(uv1_color1)}};
    const std::size_t surface = (scene.has_uv ? 2U : 0U) + (scene.has_color ? 1U : 0U);
    const std::size_t source = attributes == Attributes::kFetched ? 2 : scene.uniform_surface ? 1 : 0;
    gpu::Shader shader;
    shader.spirv = variants[surface][2 * source + (device.capabilities().descriptor_indexing ? 1 : 0)];
    if (source == 1) shader.specialization = {{10, *scene.uniform_surface}};
    return shader;
}

}  // namespace

gpu::Pipeline make_surface_pipeline(gpu::Device& device, const GpuScene& scene, VkDescriptorSetLayout textures,
                                    SurfaceStages stages) {
    const bool mesh = !stages.mesh.spirv.empty();
    VkShaderStageFlags geometry = VK_SHADER_STAGE_VERTEX_BIT;
    if (mesh) {
        geometry = VK_SHADER_STAGE_MESH_BIT_EXT;
        if (!stages.task.spirv.empty()) geometry |= VK_SHADER_STAGE_TASK_BIT_EXT;
    }
    const VkShaderStageFlags all = geometry | VK_SHADER_STAGE_FRAGMENT_BIT;
    gpu::GraphicsPipelineDesc desc;
    desc.name = std::move(stages.name);
    desc.vertex = std::move(stages.vertex);
    desc.task = std::move(stages.task);
    desc.mesh = std::move(stages.mesh);
    desc.fragment = fragment_shader(device, scene, stages.attributes);
    if (!mesh) {
        desc.vertex.specialization.push_back({8, scene.has_uv ? 1U : 0U});
        desc.vertex.specialization.push_back({9, scene.has_color ? 1U : 0U});
    }
    const VkShaderStageFlags fetching = stages.attributes == Attributes::kFetched ? all : geometry;
    desc.layout.bindings = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, all},      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, fetching},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, all},      {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, all},
        {4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, fetching}, {5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, fetching}};
    for (std::uint32_t i = 0; i < stages.storage_buffers; ++i) {
        desc.layout.bindings.push_back({6 + i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, geometry});
    }
    desc.layout.textures = textures;
    desc.layout.push_constant_bytes = stages.push_constant_bytes;
    desc.colors = {{.format = kColorFormat}};
    desc.depth_format = kDepthFormat;
    desc.depth_compare = VK_COMPARE_OP_GREATER;
    return {device, desc};
}

std::vector<gpu::Descriptor> decoded_scene_descriptors(const GpuScene& scene, const gpu::Buffer& frame_data) {
    return {gpu::buffer_at(0, frame_data),      gpu::buffer_at(1, scene.meshes),
            gpu::buffer_at(2, scene.instances), gpu::buffer_at(3, scene.materials),
            gpu::buffer_at(4, scene.positions), gpu::buffer_at(5, scene.attributes)};
}

}  // namespace sublet::render
