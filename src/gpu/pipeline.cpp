#include "gpu/pipeline.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "base/error.h"
#include "gpu/embedded.h"
#include "gpu/shader_statistics.h"

namespace sublet::gpu {

namespace {

const char* stage_name(VkShaderStageFlagBits stage) {
    switch (stage) {
        case VK_SHADER_STAGE_VERTEX_BIT:
            return "vertex";
        case VK_SHADER_STAGE_FRAGMENT_BIT:
            return "fragment";
        case VK_SHADER_STAGE_COMPUTE_BIT:
            return "compute";
        case VK_SHADER_STAGE_TASK_BIT_EXT:
            return "task";
        case VK_SHADER_STAGE_MESH_BIT_EXT:
            return "mesh";
        default:
            return "unknown";
    }
}

VkPipelineCreateFlags create_flags(const Device& device) {
    return device.shader_statistics() ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0;
}

std::string called(const std::string& name) {
    return "pipeline '" + name + "'";
}

// What a shader is in an execution graph.
struct StageNode {
    const NodeDesc& desc;
    uint32_t index = 0;  // among those of its name
};

// One VkPipelineShaderStageCreateInfo with all that it points to. Not moved once made.
class Stage {
  public:
    Stage(const Device& device, const std::string& pipeline, VkShaderStageFlagBits stage, const Shader& shader,
          std::optional<StageNode> node = std::nullopt);
    ~Stage() { vkDestroyShaderModule(device_.handle(), info.module, nullptr); }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    VkPipelineShaderStageCreateInfo info =
        make_struct<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);

    NodeInterface node;  // of one in an execution graph

  private:
    const Device& device_;
    std::string name_ = "main";
    VkPipelineShaderStageNodeCreateInfoAMDX node_info_ = make_struct<VkPipelineShaderStageNodeCreateInfoAMDX>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX);
    std::vector<VkSpecializationMapEntry> entries_;
    std::vector<uint32_t> values_;
    VkSpecializationInfo specialization_{};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup_ =
        make_struct<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
};

Stage::Stage(const Device& device, const std::string& pipeline, VkShaderStageFlagBits stage, const Shader& shader,
             std::optional<StageNode> as_node)
    : device_(device) {
    const Capabilities& c = device.capabilities();
    const std::string what = called(pipeline) + ", " + stage_name(stage) + " shader";
    if (shader.spirv.empty()) throw Error(what + ": it has no code");
    if ((stage == VK_SHADER_STAGE_MESH_BIT_EXT && !c.mesh_shader) ||
        (stage == VK_SHADER_STAGE_TASK_BIT_EXT && !c.task_shader)) {
        throw Error(what + ": " + c.name + " has no " + stage_name(stage) + " shaders");
    }
    if (shader.required_subgroup_size != 0) {
        if (!c.can_require_subgroup_size(stage, shader.required_subgroup_size)) {
            throw Error(what + ": " + c.name + " cannot be asked for subgroups of " +
                        std::to_string(shader.required_subgroup_size) + " there");
        }
        subgroup_.requiredSubgroupSize = shader.required_subgroup_size;
        info.pNext = &subgroup_;
    }
    if (shader.full_subgroups) {
        if (!c.subgroup_size_control) throw Error(what + ": " + c.name + " cannot promise full subgroups");
        info.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    }
    for (const Specialization& constant : shader.specialization) {
        entries_.push_back({constant.id, static_cast<uint32_t>(values_.size() * sizeof(uint32_t)), sizeof(uint32_t)});
        values_.push_back(constant.value);
    }
    specialization_.mapEntryCount = static_cast<uint32_t>(entries_.size());
    specialization_.pMapEntries = entries_.data();
    specialization_.dataSize = values_.size() * sizeof(uint32_t);
    specialization_.pData = values_.data();

    auto module = make_struct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    std::vector<uint32_t> spirv = specialized(unpack(shader.spirv), shader.specialization);
    if (as_node) {
        spirv = make_node(spirv, as_node->desc);
        node = node_interface(spirv);
        if (!node.faults.empty()) throw Error(what + ": " + node.faults.front());
        name_ = as_node->desc.name;
        node_info_.pName = name_.c_str();
        node_info_.index = as_node->index;
        node_info_.pNext = std::exchange(info.pNext, &node_info_);
    }
    module.codeSize = spirv.size() * sizeof(uint32_t);
    module.pCode = spirv.data();
    check(vkCreateShaderModule(device.handle(), &module, nullptr, &info.module), "loading " + what);
    device.set_name(VK_OBJECT_TYPE_SHADER_MODULE, info.module, pipeline + ", " + stage_name(stage));
    info.stage = stage;
    info.pName = name_.c_str();
    if (!entries_.empty()) info.pSpecializationInfo = &specialization_;
}

VkPipelineColorBlendAttachmentState blend_state(const ColorAttachment& color) {
    VkPipelineColorBlendAttachmentState state{};
    state.colorWriteMask = color.write_mask;
    state.blendEnable = color.blend == Blend::kOff ? VK_FALSE : VK_TRUE;
    state.colorBlendOp = VK_BLEND_OP_ADD;
    state.alphaBlendOp = VK_BLEND_OP_ADD;
    state.srcColorBlendFactor = color.blend == Blend::kAlpha ? VK_BLEND_FACTOR_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
    state.dstColorBlendFactor =
        color.blend == Blend::kAlpha ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
    state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    state.dstAlphaBlendFactor =
        color.blend == Blend::kAlpha ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
    return state;
}

bool uses_textures(const ShaderInterface& interface) {
    return std::any_of(interface.bindings.begin(), interface.bindings.end(),
                       [](const Binding& binding) { return binding.set == kTextureSet; });
}

void check_graphics(const Device& device, const GraphicsPipelineDesc& desc) {
    const bool vertex = !desc.vertex.spirv.empty();
    const bool mesh = !desc.mesh.spirv.empty();
    if (vertex == mesh || (vertex && !desc.task.spirv.empty())) {
        throw Error(called(desc.name) +
                    ": it needs either a vertex shader or a mesh shader, and a task shader only with a mesh shader");
    }
    if (desc.colors.size() > device.capabilities().limits.maxColorAttachments) {
        throw Error(called(desc.name) + ": " + device.capabilities().name + " has at most " +
                    std::to_string(device.capabilities().limits.maxColorAttachments) + " colour attachments");
    }
    for (const ColorAttachment& color : desc.colors) {
        const bool differs = color.blend != desc.colors[0].blend || color.write_mask != desc.colors[0].write_mask;
        if (differs && !device.capabilities().independent_blend) {
            throw Error(called(desc.name) + ": " + device.capabilities().name +
                        " cannot blend colour attachments differently");
        }
    }
}

template <class Each>
void for_each_stage(const GraphicsPipelineDesc& desc, const Each& each) {
    if (!desc.vertex.spirv.empty()) each(VK_SHADER_STAGE_VERTEX_BIT, desc.vertex);
    if (!desc.task.spirv.empty()) each(VK_SHADER_STAGE_TASK_BIT_EXT, desc.task);
    if (!desc.mesh.spirv.empty()) each(VK_SHADER_STAGE_MESH_BIT_EXT, desc.mesh);
    if (!desc.fragment.spirv.empty()) each(VK_SHADER_STAGE_FRAGMENT_BIT, desc.fragment);
}

struct CompiledGraphics {
    VkPipeline pipeline = VK_NULL_HANDLE;
    NodeInterface node = {};
};

// `node`: what its mesh shader is in a graph, which it is a library of.
CompiledGraphics compile_graphics(Device& device, const GraphicsPipelineDesc& desc, VkPipelineLayout layout,
                                  const std::optional<StageNode>& node) {
    CompiledGraphics out;
    std::deque<Stage> stages;
    std::vector<VkPipelineShaderStageCreateInfo> stage_infos;
    for_each_stage(desc, [&](VkShaderStageFlagBits stage, const Shader& shader) {
        const bool is_node = stage == VK_SHADER_STAGE_MESH_BIT_EXT && node;
        const Stage& made = stages.emplace_back(device, desc.name, stage, shader, is_node ? node : std::nullopt);
        stage_infos.push_back(made.info);
        if (is_node) out.node = made.node;
    });

    const auto vertex_input =
        make_struct<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
    auto assembly = make_struct<VkPipelineInputAssemblyStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    assembly.topology = desc.lines ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    auto viewport =
        make_struct<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
    viewport.viewportCount = 1;
    viewport.scissorCount = 1;
    auto raster =
        make_struct<VkPipelineRasterizationStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
    raster.polygonMode = VK_POLYGON_MODE_FILL;
    raster.lineWidth = 1.0F;
    auto samples =
        make_struct<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    auto depth =
        make_struct<VkPipelineDepthStencilStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    depth.depthTestEnable = desc.depth_format == VK_FORMAT_UNDEFINED ? VK_FALSE : VK_TRUE;
    depth.depthWriteEnable = depth.depthTestEnable == VK_TRUE && desc.depth_write ? VK_TRUE : VK_FALSE;
    depth.depthCompareOp = desc.depth_compare;
    std::vector<VkPipelineColorBlendAttachmentState> blends;
    std::vector<VkFormat> color_formats;
    for (const ColorAttachment& color : desc.colors) {
        blends.push_back(blend_state(color));
        color_formats.push_back(color.format);
    }
    auto blend =
        make_struct<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
    blend.attachmentCount = static_cast<uint32_t>(blends.size());
    blend.pAttachments = blends.data();
    if (desc.faces) {
        raster.cullMode = desc.faces->cull;
        raster.frontFace = desc.faces->front;
    }
    constexpr std::array kDynamic{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_CULL_MODE,
                                  VK_DYNAMIC_STATE_FRONT_FACE};
    auto dynamic = make_struct<VkPipelineDynamicStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
    dynamic.dynamicStateCount = static_cast<uint32_t>(kDynamic.size()) - (desc.faces ? 2U : 0U);
    dynamic.pDynamicStates = kDynamic.data();
    auto rendering = make_struct<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    rendering.colorAttachmentCount = static_cast<uint32_t>(color_formats.size());
    rendering.pColorAttachmentFormats = color_formats.data();
    rendering.depthAttachmentFormat = desc.depth_format;

    auto info = make_struct<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    auto flags =
        make_struct<VkPipelineCreateFlags2CreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    flags.pNext = &rendering;
    flags.flags = create_flags(device) |
                  (node ? VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX
                        : VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT);
    info.pNext = node || desc.generated ? static_cast<const void*>(&flags) : &rendering;
    info.stageCount = static_cast<uint32_t>(stage_infos.size());
    info.pStages = stage_infos.data();
    if (!desc.vertex.spirv.empty()) {
        info.pVertexInputState = &vertex_input;
        info.pInputAssemblyState = &assembly;
    }
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.flags = create_flags(device);
    info.layout = layout;
    check(vkCreateGraphicsPipelines(device.handle(), device.pipeline_cache(), 1, &info, nullptr, &out.pipeline),
          "compiling " + called(desc.name));
    return out;
}

}  // namespace

void Pipeline::add_interface(const Shader& shader, VkShaderStageFlagBits stage) {
    try {
        const ShaderInterface own = shader_interface(unpack(shader.spirv), stage);
        const uint32_t most = device_->capabilities().limits.maxPerStageDescriptorStorageBuffers;
        if (storage_buffers(own) > most) {
            throw Error(std::string(stage_name(stage)) + " shader: it has " + std::to_string(storage_buffers(own)) +
                        " storage buffers, and " + device_->capabilities().name + " binds " + std::to_string(most));
        }
        merge(interface_, own);
    } catch (const Error& error) {
        throw Error(called(name_) + ", " + error.what());
    }
}

VkDescriptorSetLayout Pipeline::create_set_layout(uint32_t set) const {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const Binding& binding : interface_.bindings) {
        if (binding.set == set)
            bindings.push_back({binding.binding, binding.type, binding.count, binding.stages, nullptr});
    }
    auto info = make_struct<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = static_cast<uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    check(vkCreateDescriptorSetLayout(device_->handle(), &info, nullptr, &layout),
          "creating a descriptor layout of " + called(name_));
    device_->set_name(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, layout, name_ + ", set " + std::to_string(set));
    return layout;
}

void Pipeline::create_layout(VkDescriptorSetLayout textures, VkShaderStageFlags stages) {
    const VkPhysicalDeviceLimits& limits = device_->capabilities().limits;
    if (interface_.push_constant_bytes > limits.maxPushConstantsSize) {
        throw Error(called(name_) + ": " + std::to_string(interface_.push_constant_bytes) +
                    " bytes of push constants; " + device_->capabilities().name + " has " +
                    std::to_string(limits.maxPushConstantsSize));
    }
    uint32_t sets = 0;
    for (const Binding& binding : interface_.bindings) sets = std::max(sets, binding.set + 1);
    if (sets > kDescriptorSets) throw Error(called(name_) + ": it has set " + std::to_string(sets - 1));
    for (uint32_t set = 0; set < sets; ++set) {
        const bool of_textures = set == kTextureSet && uses_textures(interface_);
        if (of_textures && textures == VK_NULL_HANDLE) throw Error(called(name_) + ": it is given no textures");
        set_layouts_[set] = of_textures ? textures : create_set_layout(set);
    }

    push_stages_ = stages;
    const VkPushConstantRange range{stages, 0, interface_.push_constant_bytes};
    auto info = make_struct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = sets;
    info.pSetLayouts = set_layouts_.data();
    info.pushConstantRangeCount = interface_.push_constant_bytes == 0 ? 0 : 1;
    info.pPushConstantRanges = &range;
    check(vkCreatePipelineLayout(device_->handle(), &info, nullptr, &layout_),
          "creating the layout of " + called(name_));
    device_->set_name(VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout_, name_);
}

Pipeline::Pipeline(Device& device, const ComputePipelineDesc& desc)
    : device_(&device), bind_point_(VK_PIPELINE_BIND_POINT_COMPUTE), name_(desc.name) {
    const Stage stage(device, name_, VK_SHADER_STAGE_COMPUTE_BIT, desc.shader);
    try {
        add_interface(desc.shader, VK_SHADER_STAGE_COMPUTE_BIT);
        create_layout(desc.textures, VK_SHADER_STAGE_COMPUTE_BIT);
        auto info = make_struct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
        info.flags = create_flags(device);
        auto flags =
            make_struct<VkPipelineCreateFlags2CreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
        flags.flags = create_flags(device) | VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
        if (desc.generated) info.pNext = &flags;
        info.stage = stage.info;
        info.layout = layout_;
        check(vkCreateComputePipelines(device.handle(), device.pipeline_cache(), 1, &info, nullptr, &pipeline_),
              "compiling " + called(name_));
        made();
    } catch (...) {
        destroy();
        throw;
    }
}

Pipeline::Pipeline(Device& device, const GraphicsPipelineDesc& desc)
    : device_(&device), bind_point_(VK_PIPELINE_BIND_POINT_GRAPHICS), name_(desc.name) {
    check_graphics(device, desc);
    try {
        create_layout(desc.textures, add_interfaces(desc));
        pipeline_ = compile_graphics(device, desc, layout_, {}).pipeline;
        made();
    } catch (...) {
        destroy();
        throw;
    }
}

Pipeline::Pipeline(Device& device, const ExecutionGraphDesc& desc)
    : device_(&device), bind_point_(VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX), name_(desc.name) {
    if (!device.capabilities().execution_graphs) {
        throw Error(called(name_) + ": " + device.capabilities().name + " has no execution graphs");
    }
    try {
        create_graph(desc);
        made();
    } catch (...) {
        destroy();
        throw;
    }
}

VkShaderStageFlags Pipeline::add_interfaces(const GraphicsPipelineDesc& desc) {
    VkShaderStageFlags stages = 0;
    for_each_stage(desc, [&](VkShaderStageFlagBits stage, const Shader& shader) {
        add_interface(shader, stage);
        stages |= stage;
    });
    return stages;
}

void Pipeline::create_graph(const ExecutionGraphDesc& desc) {
    // All of them have the same layout.
    VkShaderStageFlags stage_bits = VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSetLayout textures = VK_NULL_HANDLE;
    for (const ExecutionGraphDesc::Node& node : desc.nodes) add_interface(node.shader, VK_SHADER_STAGE_COMPUTE_BIT);
    for (const GraphicsPipelineDesc& draw : desc.draws) {
        stage_bits |= add_interfaces(draw);
        if (draw.textures != VK_NULL_HANDLE) textures = draw.textures;
    }
    create_layout(textures, stage_bits);

    std::vector<NodeInterface> nodes;
    std::deque<Stage> stages;
    std::vector<VkPipelineShaderStageCreateInfo> stage_infos;
    for (const ExecutionGraphDesc::Node& node : desc.nodes) {
        const Stage& stage = stages.emplace_back(*device_, name_, VK_SHADER_STAGE_COMPUTE_BIT, node.shader,
                                                 StageNode{.desc = node.node});
        stage_infos.push_back(stage.info);
        nodes.push_back(stage.node);
    }
    for (uint32_t index = 0; index < desc.draws.size(); ++index) {
        CompiledGraphics draw =
            compile_graphics(*device_, desc.draws[index], layout_, StageNode{.desc = desc.draw, .index = index});
        libraries_.push_back(draw.pipeline);
        nodes.push_back(std::move(draw.node));
    }
    if (const std::vector<std::string> faults = graph_faults(nodes); !faults.empty()) {
        throw Error(called(name_) + ": " + faults.front());
    }
    auto library = make_struct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    library.libraryCount = static_cast<uint32_t>(libraries_.size());
    library.pLibraries = libraries_.data();
    auto info = make_struct<VkExecutionGraphPipelineCreateInfoAMDX>(
        VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX);
    info.flags = create_flags(*device_);
    info.stageCount = static_cast<uint32_t>(stage_infos.size());
    info.pStages = stage_infos.data();
    info.pLibraryInfo = &library;
    info.layout = layout_;
    check(vkCreateExecutionGraphPipelinesAMDX(device_->handle(), device_->pipeline_cache(), 1, &info, nullptr,
                                              &pipeline_),
          "compiling " + called(name_));
}

void Pipeline::made() {
    device_->set_name(VK_OBJECT_TYPE_PIPELINE, pipeline_, name_);
    device_->count_made_pipeline();
    if (device_->shader_statistics()) note_shader_statistics(*device_, pipeline_, name_);
}

void Pipeline::destroy() noexcept {
    if (device_ == nullptr) return;
    vkDestroyPipeline(device_->handle(), pipeline_, nullptr);
    for (const VkPipeline library : libraries_) vkDestroyPipeline(device_->handle(), library, nullptr);
    vkDestroyPipelineLayout(device_->handle(), layout_, nullptr);
    for (uint32_t set = 0; set < kDescriptorSets; ++set) {
        const bool of_textures = set == kTextureSet && uses_textures(interface_);
        if (!of_textures) vkDestroyDescriptorSetLayout(device_->handle(), set_layouts_[set], nullptr);
    }
    set_layouts_ = {};
    libraries_ = {};
    pipeline_ = VK_NULL_HANDLE;
    device_ = nullptr;
}

Pipeline::~Pipeline() {
    destroy();
}

Pipeline::Pipeline(Pipeline&& other) noexcept {
    *this = std::move(other);
}

Pipeline& Pipeline::operator=(Pipeline&& other) noexcept {
    if (this == &other) return *this;
    destroy();
    device_ = std::exchange(other.device_, nullptr);
    pipeline_ = std::exchange(other.pipeline_, VK_NULL_HANDLE);
    libraries_ = std::exchange(other.libraries_, {});
    layout_ = std::exchange(other.layout_, VK_NULL_HANDLE);
    set_layouts_ = std::exchange(other.set_layouts_, {});
    bind_point_ = other.bind_point_;
    push_stages_ = other.push_stages_;
    recorded_ = other.recorded_;
    interface_ = std::move(other.interface_);
    name_ = std::move(other.name_);
    return *this;
}

void Pipeline::bind(Commands commands) const {
    if (!recorded_) device_->count_recorded_pipeline();
    recorded_ = true;
    commands(vkCmdBindPipeline, bind_point_, pipeline_);
}

void Pipeline::push(Commands commands, std::span<const std::byte> constants, std::size_t padding) const {
    const uint32_t declared = interface_.push_constant_bytes;
    if (declared == 0) return;
    if (constants.size() < declared || constants.size() - declared > padding) {
        throw Error(called(name_) + ": " + std::to_string(constants.size()) + " bytes were pushed to its " +
                    std::to_string(declared) + " bytes of push constants");
    }
    if (!commands.is_strand()) {
        vkCmdPushConstants(commands, layout_, push_stages_, 0, declared, constants.data());
        return;
    }
    const std::vector<std::byte> kept(constants.begin(), constants.begin() + declared);
    commands.record([layout = layout_, stages = push_stages_, kept](VkCommandBuffer c) {
        vkCmdPushConstants(c, layout, stages, 0, static_cast<uint32_t>(kept.size()), kept.data());
    });
}

void set_viewport(Commands commands, VkExtent2D extent) {
    const VkViewport viewport{0.0F, 0.0F, static_cast<float>(extent.width), static_cast<float>(extent.height),
                              0.0F, 1.0F};
    const VkRect2D scissor{{0, 0}, extent};
    commands.record([viewport, scissor](VkCommandBuffer c) {
        vkCmdSetViewport(c, 0, 1, &viewport);
        vkCmdSetScissor(c, 0, 1, &scissor);
    });
}

namespace {

VkRenderingAttachmentInfo attachment_info(const Attachment& attachment, VkImageLayout layout) {
    VkRenderingAttachmentInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    info.imageView = attachment.view;
    info.imageLayout = layout;
    info.loadOp = attachment.load;
    info.storeOp = attachment.store;
    for (std::uint32_t& component : info.clearValue.color.uint32) component = attachment.clear;
    return info;
}

}  // namespace

void begin_rendering(Commands commands, VkExtent2D extent, std::span<const Attachment> colors,
                     const Attachment& depth) {
    std::vector<VkRenderingAttachmentInfo> color_infos;
    color_infos.reserve(colors.size());
    for (const Attachment& color : colors) {
        color_infos.push_back(attachment_info(color, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL));
    }
    commands.record([extent, color_infos = std::move(color_infos),
                     depth_info = attachment_info(depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL)](VkCommandBuffer c) {
        VkRenderingInfo info{};
        info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
        info.renderArea.extent = extent;
        info.layerCount = 1;
        info.colorAttachmentCount = static_cast<std::uint32_t>(color_infos.size());
        info.pColorAttachments = color_infos.data();
        info.pDepthAttachment = depth_info.imageView != VK_NULL_HANDLE ? &depth_info : nullptr;
        vkCmdBeginRendering(c, &info);
    });
    set_viewport(commands, extent);
}

}  // namespace sublet::gpu
