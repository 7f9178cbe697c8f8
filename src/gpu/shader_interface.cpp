#include "gpu/shader_interface.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/error.h"
#include "gpu/spirv.h"

namespace sublet::gpu {
namespace {

constexpr uint32_t kStorageImage = 2;  // the operand Sampled of an image that is read and written without a sampler

class Module {
    using Instruction = spirv::Instruction;
    using enum spirv::Opcode;
    using enum spirv::StorageClass;
    using enum spirv::Decoration;

  public:
    explicit Module(std::span<const uint32_t> words) {
        spirv::for_each_instruction(words, [&](const Instruction& instruction) { read(instruction); });
    }

    [[nodiscard]] ShaderInterface interface(VkShaderStageFlags stage) const {
        ShaderInterface out;
        for (const Instruction& variable : variables_) {
            const uint32_t id = variable[2];
            if (!used_.contains(id)) continue;
            const uint32_t type = type_of(variable[1])[3];  // what the pointer points to
            if (variable[3] == kPushConstant) out.push_constant_bytes = bytes(type);
            const auto set = decorations_.find({id, kDescriptorSet});
            if (set == decorations_.end()) continue;
            Binding binding{.set = set->second, .binding = decorations_.at({id, kBinding}), .stages = stage};
            binding.type = descriptor_type(variable[3], type, binding.count);
            out.bindings.push_back(binding);
        }
        std::sort(out.bindings.begin(), out.bindings.end(), [](const Binding& a, const Binding& b) {
            return std::tie(a.set, a.binding) < std::tie(b.set, b.binding);
        });
        // Several variables may be one binding, read as one thing or another.
        const auto same = [](const Binding& a, const Binding& b) {
            return std::tie(a.set, a.binding, a.type, a.count) == std::tie(b.set, b.binding, b.type, b.count);
        };
        out.bindings.erase(std::unique(out.bindings.begin(), out.bindings.end(), same), out.bindings.end());
        return out;
    }

  private:
    void read(const Instruction& instruction) {
        switch (spirv::opcode(instruction)) {
            case kTypeInt:
            case kTypeFloat:
            case kTypeVector:
            case kTypeMatrix:
            case kTypeImage:
            case kTypeSampler:
            case kTypeSampledImage:
            case kTypeArray:
            case kTypeRuntimeArray:
            case kTypeStruct:
            case kTypePointer:
                types_[instruction[1]] = instruction;
                break;
            case kConstant:
                constants_[instruction[2]] = instruction[3];
                break;
            case kVariable:
                variables_.push_back(instruction);
                break;
            case kStore:
                used_.insert(instruction[1]);
                break;
            case kImageTexelPointer:
            case kLoad:
            case kAccessChain:
            case kInBoundsAccessChain:
            case kArrayLength:
                used_.insert(instruction[3]);
                break;
            case kFunctionCall:
                used_.insert(instruction.begin() + 4, instruction.end());
                break;
            case kDecorate:
                if (instruction.size() > 3) decorations_[{instruction[1], instruction[2]}] = instruction[3];
                break;
            case kMemberDecorate:
                if (instruction[3] == kOffset) offsets_[{instruction[1], instruction[2]}] = instruction[4];
                if (instruction[3] == kMatrixStride) matrices_[{instruction[1], instruction[2]}] = instruction[4];
                break;
            default:
                break;
        }
    }

    [[nodiscard]] const Instruction& type_of(uint32_t id) const {
        const auto found = types_.find(id);
        if (found == types_.end()) throw Error("a shader's interface has a type that is not read here");
        return found->second;
    }

    // Of a type within a block, explicitly laid out.
    [[nodiscard]] uint32_t bytes(uint32_t id) const {
        const Instruction& type = type_of(id);
        switch (spirv::opcode(type)) {
            case kTypeInt:
            case kTypeFloat:
                return type[2] / 8;
            case kTypeVector:
                return type[3] * bytes(type[2]);
            case kTypeArray:
                return constants_.at(type[3]) * decorations_.at({id, kArrayStride});
            case kTypeStruct: {
                uint32_t end = 0;
                for (uint32_t member = 0; member + 2 < type.size(); ++member) {
                    const auto matrix = matrices_.find({id, member});
                    const uint32_t size = matrix != matrices_.end() ? type_of(type[member + 2])[3] * matrix->second
                                                                    : bytes(type[member + 2]);
                    end = std::max(end, offsets_.at({id, member}) + size);
                }
                return end;
            }
            default:
                throw Error("a shader's push constants have a member that is not read here");
        }
    }

    // `count`: of an array's elements.
    [[nodiscard]] VkDescriptorType descriptor_type(uint32_t storage, uint32_t id, uint32_t& count) const {
        count = 1;
        const Instruction* type = &type_of(id);
        if (spirv::opcode(*type) == kTypeArray || spirv::opcode(*type) == kTypeRuntimeArray) {
            count = spirv::opcode(*type) == kTypeArray ? constants_.at((*type)[3]) : 0;
            type = &type_of((*type)[2]);
        }
        if (storage == kStorageBuffer) return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        if (storage == kUniform) return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
        switch (spirv::opcode(*type)) {
            case kTypeSampledImage:
                return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
            case kTypeSampler:
                return VK_DESCRIPTOR_TYPE_SAMPLER;
            case kTypeImage:
                return (*type)[7] == kStorageImage ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                                   : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
            default:
                throw Error("a shader has a descriptor that is neither a buffer, an image nor a sampler");
        }
    }

    using Pair = std::pair<uint32_t, uint32_t>;
    std::map<uint32_t, Instruction> types_;
    std::map<uint32_t, uint32_t> constants_;       // their first words
    std::map<Pair, uint32_t> decorations_;         // id, decoration
    std::map<Pair, uint32_t> offsets_, matrices_;  // struct, member
    std::vector<Instruction> variables_;
    std::set<uint32_t> used_;  // what pointers of variables are made from; not all of it is a variable
};

}  // namespace

ShaderInterface shader_interface(std::span<const uint32_t> spirv, VkShaderStageFlags stage) {
    return Module(spirv).interface(stage);
}

void merge(ShaderInterface& all, const ShaderInterface& other) {
    all.push_constant_bytes = std::max(all.push_constant_bytes, other.push_constant_bytes);
    for (const Binding& binding : other.bindings) {
        const auto place = std::lower_bound(
            all.bindings.begin(), all.bindings.end(), binding,
            [](const Binding& a, const Binding& b) { return std::tie(a.set, a.binding) < std::tie(b.set, b.binding); });
        if (place == all.bindings.end() || place->set != binding.set || place->binding != binding.binding) {
            all.bindings.insert(place, binding);
        } else if (place->type != binding.type || place->count != binding.count) {
            throw Error("set " + std::to_string(binding.set) + ", binding " + std::to_string(binding.binding) +
                        ": two shaders of the pipeline declare it differently");
        } else {
            place->stages |= binding.stages;
        }
    }
}

uint32_t storage_buffers(const ShaderInterface& interface) {
    uint32_t count = 0;
    for (const Binding& binding : interface.bindings) {
        if (binding.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) count += binding.count;
    }
    return count;
}

}  // namespace sublet::gpu
