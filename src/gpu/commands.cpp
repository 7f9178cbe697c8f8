#include "gpu/commands.h"

#include <algorithm>
#include <span>

#include "base/error.h"
#include "gpu/profiler.h"

namespace sublet::gpu {
namespace {

void record_barrier(VkCommandBuffer commands, std::span<const VkMemoryBarrier2> memory,
                    std::span<const VkImageMemoryBarrier2> images) {
    auto info = make_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.memoryBarrierCount = static_cast<uint32_t>(memory.size());
    info.pMemoryBarriers = memory.data();
    info.imageMemoryBarrierCount = static_cast<uint32_t>(images.size());
    info.pImageMemoryBarriers = images.data();
    vkCmdPipelineBarrier2(commands, &info);
}

void record_label(VkCommandBuffer commands, const char* name) {
    auto label = make_struct<VkDebugUtilsLabelEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT);
    label.pLabelName = name;
    vkCmdBeginDebugUtilsLabelEXT(commands, &label);
}

}  // namespace

Commands::operator VkCommandBuffer() const {
    if (is_strand()) throw Error("commands of a strand were recorded past it");
    return buffer_;
}

void Commands::keep(std::function<void(VkCommandBuffer)> record) const {
    SideBySide::Segment& segment = strands_->strands_[strand_].segments.back();
    segment.commands.push_back(std::move(record));
    segment.empty = false;
}

void Commands::barrier(const VkMemoryBarrier2* memory, const VkImageMemoryBarrier2* image) const {
    const std::span<const VkMemoryBarrier2> memories(memory, memory != nullptr ? 1 : 0);
    const std::span<const VkImageMemoryBarrier2> images(image, image != nullptr ? 1 : 0);
    if (!is_strand()) {
        record_barrier(buffer_, memories, images);
        return;
    }
    SideBySide::Strand& strand = strands_->strands_[strand_];
    for (std::size_t i = 0; i < strand.labels.size(); ++i) keep(vkCmdEndDebugUtilsLabelEXT);
    strand.segments.back().memory.assign(memories.begin(), memories.end());
    strand.segments.back().images.assign(images.begin(), images.end());
    strand.segments.push_back({.pass = strand.pass});
    for (const std::string& name : strand.labels) {
        keep([name](VkCommandBuffer commands) { record_label(commands, name.c_str()); });
    }
    strand.segments.back().empty = true;
}

void Commands::begin_label(const char* name) const {
    record([label = std::string(name)](VkCommandBuffer commands) { record_label(commands, label.c_str()); });
    if (is_strand()) strands_->strands_[strand_].labels.emplace_back(name);
}

void Commands::end_label() const {
    record(vkCmdEndDebugUtilsLabelEXT);
    if (is_strand()) strands_->strands_[strand_].labels.pop_back();
}

void Commands::set_pass(std::string name) const {
    SideBySide::Strand& strand = strands_->strands_[strand_];
    strand.pass = std::move(name);
    SideBySide::Segment& segment = strand.segments.back();
    if (segment.pass.empty() || segment.empty) segment.pass = strand.pass;
}

DebugLabel::DebugLabel(const Device& device, Commands commands, const char* name)
    : commands_(commands), open_(device.instance().debug_utils()) {
    if (open_) commands_.begin_label(name);
}

DebugLabel::~DebugLabel() {
    if (open_) commands_.end_label();
}

Commands SideBySide::add_strand() {
    strands_.emplace_back();
    Commands out;
    out.strands_ = this;
    out.strand_ = strands_.size() - 1;
    return out;
}

void SideBySide::play(Commands commands, Profiler& profiler) const {
    std::size_t most = 0;
    for (const Strand& strand : strands_) most = std::max(most, strand.segments.size());
    for (std::size_t i = 0; i < most; ++i) {
        const auto first =
            std::ranges::find_if(strands_, [i](const Strand& strand) { return i < strand.segments.size(); });
        const std::string& pass = first->segments[i].pass;
        if (pass.empty()) {
            play_segments(commands, i);
        } else {
            const Profiler::Pass timed = profiler.time(commands, pass.c_str());
            play_segments(commands, i);
        }
    }
}

void SideBySide::play_segments(Commands commands, std::size_t index) const {
    std::vector<VkMemoryBarrier2> memory;
    std::vector<VkImageMemoryBarrier2> images;
    for (const Strand& strand : strands_) {
        if (index >= strand.segments.size()) continue;
        const Segment& segment = strand.segments[index];
        for (const auto& record : segment.commands) record(commands);
        memory.insert(memory.end(), segment.memory.begin(), segment.memory.end());
        images.insert(images.end(), segment.images.begin(), segment.images.end());
    }
    if (!memory.empty() || !images.empty()) record_barrier(commands, memory, images);
}

}  // namespace sublet::gpu
