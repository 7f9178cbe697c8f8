#include "gpu/generated_commands.h"

#include <array>
#include <utility>

namespace sublet::gpu {
namespace {

VkGeneratedCommandsPipelineInfoEXT pipeline_info(const Pipeline& pipeline) {
    auto info = make_struct<VkGeneratedCommandsPipelineInfoEXT>(VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT);
    info.pipeline = pipeline.handle();
    return info;
}

}  // namespace

GeneratedCommands::~GeneratedCommands() {
    for (const auto& [pipeline, layout] : layouts_) {
        vkDestroyIndirectCommandsLayoutEXT(device_.handle(), layout, nullptr);
    }
}

VkIndirectCommandsLayoutEXT GeneratedCommands::layout_of(const Pipeline& pipeline) {
    const auto [found, fresh] = layouts_.try_emplace(pipeline.handle(), VK_NULL_HANDLE);
    if (fresh) found->second = make_layout(pipeline);
    return found->second;
}

VkIndirectCommandsLayoutEXT GeneratedCommands::make_layout(const Pipeline& pipeline) const {
    const VkPushConstantRange all = pipeline.push_constants();
    const VkIndirectCommandsPushConstantTokenEXT pushed{
        {all.stageFlags, all.size - layout_.pushed_bytes, layout_.pushed_bytes}};
    std::array<VkIndirectCommandsLayoutTokenEXT, 2> tokens{};
    for (VkIndirectCommandsLayoutTokenEXT& token : tokens) {
        token.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT;
    }
    tokens[0].type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT;
    tokens[0].data.pPushConstant = &pushed;
    tokens[1].type = layout_.command;
    tokens[1].offset = layout_.pushed_bytes;
    auto info =
        make_struct<VkIndirectCommandsLayoutCreateInfoEXT>(VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT);
    info.flags = VK_INDIRECT_COMMANDS_LAYOUT_USAGE_UNORDERED_SEQUENCES_BIT_EXT;
    info.shaderStages = all.stageFlags;
    info.indirectStride = layout_.stride;
    info.pipelineLayout = pipeline.layout();
    info.tokenCount = static_cast<uint32_t>(tokens.size());
    info.pTokens = tokens.data();
    VkIndirectCommandsLayoutEXT layout = VK_NULL_HANDLE;
    check(vkCreateIndirectCommandsLayoutEXT(device_.handle(), &info, nullptr, &layout),
          "laying out the generated commands of '" + pipeline.name() + "'");
    return layout;
}

VkMemoryRequirements GeneratedCommands::requirements(const Pipeline& pipeline, VkIndirectCommandsLayoutEXT layout,
                                                     uint32_t most) const {
    VkGeneratedCommandsPipelineInfoEXT of_pipeline = pipeline_info(pipeline);
    auto info = make_struct<VkGeneratedCommandsMemoryRequirementsInfoEXT>(
        VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT);
    info.pNext = &of_pipeline;
    info.indirectCommandsLayout = layout;
    info.maxSequenceCount = most;
    auto needed = make_struct<VkMemoryRequirements2>(VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2);
    vkGetGeneratedCommandsMemoryRequirementsEXT(device_.handle(), &info, &needed);
    return needed.memoryRequirements;
}

std::vector<uint64_t> GeneratedCommands::bytes_by_power(const Pipeline& pipeline) const {
    const VkIndirectCommandsLayoutEXT layout = make_layout(pipeline);
    std::vector<uint64_t> bytes;
    for (uint64_t count = 1; count <= device_.capabilities().max_generated_sequences; count *= 2) {
        const auto most = static_cast<uint32_t>(count);
        bytes.push_back(count * layout_.stride + requirements(pipeline, layout, most).size);
    }
    vkDestroyIndirectCommandsLayoutEXT(device_.handle(), layout, nullptr);
    return bytes;
}

void GeneratedCommands::prepare(Place& place, const Pipeline& pipeline, uint32_t most) {
    if (place.pipeline == pipeline.handle() && place.most == most) return;
    place.pipeline = pipeline.handle();
    place.most = most;
    const VkMemoryRequirements needed = requirements(pipeline, layout_of(pipeline), most);
    place.size = needed.size;
    place.alignment = needed.alignment;
    // What the allocator gives may be aligned to less.
    const VkDeviceSize size = place.size + place.alignment;
    if (place.size == 0 || (place.memory && place.memory.size() >= size)) return;
    device_.retire(std::exchange(
        place.memory,
        Buffer(device_, {.size = size, .name = "generated commands", .preprocess_types = needed.memoryTypeBits})));
}

void GeneratedCommands::execute(Commands commands, const Pipeline& pipeline, std::size_t place,
                                const Sequences& sequences) {
    if (places_.size() <= place) places_.resize(place + 1);
    Place& memory = places_[place];
    prepare(memory, pipeline, sequences.most);
    auto info = make_struct<VkGeneratedCommandsInfoEXT>(VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT);
    info.shaderStages = pipeline.push_constants().stageFlags;
    info.indirectCommandsLayout = layout_of(pipeline);
    info.indirectAddress = sequences.list.address() + sequences.offset;
    info.indirectAddressSize = VkDeviceSize{sequences.most} * layout_.stride;
    if (memory.size != 0) {
        info.preprocessAddress = (memory.memory.address() + memory.alignment - 1) / memory.alignment * memory.alignment;
        info.preprocessSize = memory.size;
    }
    info.maxSequenceCount = sequences.most;
    info.sequenceCountAddress = sequences.counts.address() + sequences.count_offset;
    commands.record([info, of_pipeline = pipeline_info(pipeline)](VkCommandBuffer c) {
        VkGeneratedCommandsPipelineInfoEXT next = of_pipeline;
        VkGeneratedCommandsInfoEXT all = info;
        all.pNext = &next;
        vkCmdExecuteGeneratedCommandsEXT(c, VK_FALSE, &all);
    });
}

uint64_t GeneratedCommands::bytes() const {
    uint64_t bytes = 0;
    for (const Place& place : places_) bytes += place.memory ? place.memory.size() : 0;
    return bytes;
}

}  // namespace sublet::gpu
