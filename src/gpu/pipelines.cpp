#include "gpu/pipelines.h"

#include <utility>

namespace sublet::gpu {
namespace {

// Appends what descriptions are made of, each with its length where that varies: no two different ones have equal keys.
class KeyWriter {
  public:
    void add(std::uint64_t word) { words_.push_back(word); }

    // SPIR-V is known by where it lies: it is embedded in the program.
    void add(const Shader& shader) {
        add(reinterpret_cast<std::uintptr_t>(
            shader.spirv.data()));  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
        add(shader.specialization.size());
        for (const Specialization& constant : shader.specialization) {
            add(std::uint64_t{constant.id} << 32U | constant.value);
        }
        add(std::uint64_t{shader.required_subgroup_size} << 1U | (shader.full_subgroups ? 1U : 0U));
    }

    void add(const LayoutDesc& layout) {
        add(layout.bindings.size());
        for (const Binding& binding : layout.bindings) {
            add(std::uint64_t{binding.binding} << 32U | static_cast<std::uint32_t>(binding.type));
            add(std::uint64_t{binding.stages} << 32U | binding.count);
        }
        add(layout.textures == VK_NULL_HANDLE ? 0U : 1U);  // all such layouts are interchangeable
        add(layout.push_constant_bytes);
    }

    [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(words_); }

  private:
    std::vector<std::uint64_t> words_;
};

std::vector<std::uint64_t> key_of(const ComputePipelineDesc& desc) {
    KeyWriter key;
    key.add(VK_PIPELINE_BIND_POINT_COMPUTE);
    key.add(desc.shader);
    key.add(desc.layout);
    return key.take();
}

std::vector<std::uint64_t> key_of(const GraphicsPipelineDesc& desc) {
    KeyWriter key;
    key.add(VK_PIPELINE_BIND_POINT_GRAPHICS);
    for (const Shader* shader : {&desc.vertex, &desc.task, &desc.mesh, &desc.fragment}) key.add(*shader);
    key.add(desc.layout);
    key.add(desc.colors.size());
    for (const ColorAttachment& color : desc.colors) {
        key.add(std::uint64_t{static_cast<std::uint32_t>(color.format)} << 32U |
                std::uint64_t{static_cast<std::uint32_t>(color.blend)} << 16U | color.write_mask);
    }
    key.add(desc.depth_format);
    key.add(std::uint64_t{static_cast<std::uint32_t>(desc.depth_compare)} << 1U | (desc.depth_write ? 1U : 0U));
    return key.take();
}

template <class Desc, class Map>
const Pipeline& find_or_make(Device& device, Map& pipelines, const Desc& desc) {
    auto key = key_of(desc);
    const auto found = pipelines.find(key);
    if (found != pipelines.end()) return found->second;
    return pipelines.emplace(std::move(key), Pipeline(device, desc)).first->second;
}

}  // namespace

const Pipeline& Pipelines::get(const ComputePipelineDesc& desc) {
    return find_or_make(device_, pipelines_, desc);
}

const Pipeline& Pipelines::get(const GraphicsPipelineDesc& desc) {
    return find_or_make(device_, pipelines_, desc);
}

}  // namespace sublet::gpu
