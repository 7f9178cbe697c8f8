// What can be seen in the SPIR-V of a node, and between those of a graph: VK_AMDX_shader_enqueue's rules.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "gpu/node_shader.h"
#include "gpu/spirv.h"

namespace sublet::gpu {
namespace {

class NodeReader {
    using Instruction = spirv::Instruction;
    using enum spirv::Opcode;
    using enum spirv::Decoration;
    using enum spirv::Mode;

  public:
    explicit NodeReader(std::span<const std::uint32_t> words) {
        spirv::for_each_instruction(words, [&](Instruction instruction) {
            read(instruction);
            read_code(instruction);
        });
        if (!enqueues_) fault("it lacks the capability of nodes");
        read_interface();
        check_built_ins();
        check_code();
    }

    [[nodiscard]] NodeInterface take() { return std::move(out_); }

  private:
    // A call, an allocation or an enqueuing, and whether all lanes of the workgroup are sure to come there.
    struct Step {
        std::uint32_t opcode, id;  // of the function, or of the payloads
        bool together;
    };
    struct Function {
        std::vector<Step> steps;
        std::vector<std::uint32_t> open;  // labels at which constructs end that have begun
        bool left = false;                // some lanes may have returned
    };

    void fault(std::string what) { out_.faults.push_back(std::move(what)); }

    void read(Instruction words) {
        switch (spirv::opcode(words)) {
            case kCapability:
                enqueues_ = enqueues_ || words[1] == spirv::kShaderEnqueue;
                break;
            case kEntryPoint: {
                mesh_ = words[1] == spirv::kMeshModel;
                out_.name = spirv::text_at(words.subspan(3));
                const auto interface = words.subspan(3 + spirv::words_of(out_.name).size());
                interface_.insert(interface.begin(), interface.end());
                break;
            }
            case kExecutionMode:
            case kExecutionModeId:
                modes_.insert(words[2]);
                break;
            case kTypeInt:
            case kTypeFloat:
            case kTypeVector:
            case kTypeArray:
            case kTypePayloadArray:
            case kTypeStruct:
            case kTypePointer:
                types_[words[1]] = words;
                break;
            case kConstant:
                constants_[words[2]] = words[3];
                break;
            case kConstantString:
                strings_[words[1]] = spirv::text_at(words.subspan(2));
                break;
            case kDecorate:
            case kDecorateId:
                decorations_[{words[1], words[2]}] = words.size() > 3 ? words[3] : 0;
                break;
            case kMemberDecorate:
                members_[{words[1], words[2], words[3]}] = words.size() > 4 ? words[4] : 0;
                break;
            case kVariable:
                if (words[3] == spirv::kNodePayload) inputs_.emplace_back(words[2], words[1]);
                break;
            default:
                break;
        }
    }

    void read_code(Instruction words) {
        if (spirv::opcode(words) == kFunction) {
            function_ = words[2];
            functions_[function_] = {};
        }
        Function& function = functions_[function_];
        const bool together = function.open.empty() && !function.left;
        switch (spirv::opcode(words)) {
            case kSelectionMerge:
            case kLoopMerge:
                function.open.push_back(words[1]);
                break;
            case kLabel:
                std::erase(function.open, words[1]);
                break;
            case kReturn:
            case kReturnValue:
                function.left = function.left || !function.open.empty();
                break;
            case kFunctionCall:
                function.steps.push_back({kFunctionCall, words[3], together});
                break;
            case kAllocatePayloads:
                emitted_.emplace_back(words[2], words[1]);
                function.steps.push_back({kAllocatePayloads, words[2], together});
                break;
            case kEnqueuePayloads:
                function.steps.push_back({kEnqueuePayloads, words[1], together});
                break;
            default:
                break;
        }
    }

    [[nodiscard]] const Instruction* type(std::uint32_t id) const {
        const auto found = types_.find(id);
        return found == types_.end() ? nullptr : &found->second;
    }

    [[nodiscard]] std::optional<std::uint32_t> decoration(std::uint32_t id, spirv::Decoration which) const {
        const auto found = decorations_.find({id, which});
        return found == decorations_.end() ? std::nullopt : std::optional(found->second);
    }

    [[nodiscard]] std::uint32_t value(std::optional<std::uint32_t> constant) const {
        const auto found = constant ? constants_.find(*constant) : constants_.end();
        return found == constants_.end() ? 0 : found->second;
    }

    // Of a scalar or vector.
    [[nodiscard]] std::uint32_t bytes(std::uint32_t id) const {
        const Instruction* of = type(id);
        if (of == nullptr) return 0;
        if (spirv::opcode(*of) == kTypeVector) return (*of)[3] * bytes((*of)[2]);
        return spirv::opcode(*of) == kTypeInt || spirv::opcode(*of) == kTypeFloat ? (*of)[2] / 8 : 0;
    }

    // Of a payload, by its explicit layout. `counts`: set to whether one of its members counts workgroups.
    std::uint32_t payload_bytes(std::uint32_t id, bool& counts) {
        const Instruction* of = type(id);
        if (of == nullptr || spirv::opcode(*of) != kTypeStruct) {
            fault("a payload is no struct");
            return 0;
        }
        std::uint32_t end = 0;
        for (std::uint32_t member = 0; member + 2 < of->size(); ++member) {
            const auto offset = members_.find({id, member, kOffset});
            if (offset == members_.end()) {
                fault("a member of a payload has no offset");
                return 0;
            }
            counts = counts || members_.contains({id, member, kDispatchIndirect});
            end = std::max(end, offset->second + bytes((*of)[member + 2]));
        }
        return end;
    }

    // What a payload variable or an allocation points to.
    [[nodiscard]] const Instruction* pointed_to(std::uint32_t pointer) const {
        const Instruction* of = type(pointer);
        return of == nullptr || spirv::opcode(*of) != kTypePointer ? nullptr : type((*of)[3]);
    }

    void read_interface() {
        const bool coalescing = modes_.contains(kCoalescing);
        if (inputs_.size() > 1) fault("it has several payloads to take");
        bool counts = false;
        for (const auto& [id, pointer] : inputs_) {
            if (!interface_.contains(id)) fault("the payload that it takes is not in its interface");
            const Instruction* of = pointed_to(pointer);
            if (of == nullptr) continue;
            const bool array = spirv::opcode(*of) == kTypePayloadArray;
            if (array != coalescing) fault("it takes an array of payloads, and coalesces none, or the other way round");
            out_.takes_bytes = payload_bytes(array ? (*of)[2] : (*of)[1], counts);
            out_.takes = array ? value(decoration((*of)[1], kMostPayloads)) : 0;
            if (array && out_.takes == 0) fault("nothing says how many payloads it takes");
        }
        if (!inputs_.empty() && !coalescing && !modes_.contains(kStaticGroups) && !counts) {
            fault("nothing says how many workgroups a payload is");
        }
        for (const auto& [id, pointer] : emitted_) read_emitted(pointer);
        if (mesh_ && !emitted_.empty()) fault("mesh nodes emit nothing");
        const std::uint64_t all =
            std::uint64_t{out_.takes_bytes} * std::max(out_.takes, 1U) + std::uint64_t{out_.emits_bytes} * out_.emits;
        if (all > guaranteed::kPayloadBytes) fault("payloads of a workgroup have " + std::to_string(all) + " bytes");
        if (out_.emits > guaranteed::kPayloads) fault("a workgroup emits " + std::to_string(out_.emits) + " payloads");
    }

    void read_emitted(std::uint32_t pointer) {
        const Instruction* of = pointed_to(pointer);
        if (of == nullptr || spirv::opcode(*of) != kTypePayloadArray) {
            fault("what it emits is no array of payloads");
            return;
        }
        const auto name = decoration((*of)[1], kNodeName);
        const auto found = name ? strings_.find(*name) : strings_.end();
        if (found == strings_.end()) fault("nothing says which node it emits for");
        if (found != strings_.end()) out_.below = found->second;
        bool counts = false;
        out_.emits_bytes = payload_bytes((*of)[2], counts);
        out_.emits = value(decoration((*of)[1], kMostPayloads));
        out_.below_indexes = value(decoration((*of)[1], kNodeArraySize));
        if (out_.emits == 0) fault("nothing says how many payloads it emits");
    }

    void check_built_ins() {
        for (const auto& [key, built_in] : decorations_) {
            if (key.second != kBuiltIn) continue;
            if (built_in == spirv::kNumWorkgroups) fault("it reads NumWorkgroups, which no node has");
            if (modes_.contains(kCoalescing) &&
                (built_in == spirv::kWorkgroupId || built_in == spirv::kGlobalInvocationId)) {
                fault(
                    "it reads WorkgroupId or GlobalInvocationId, which are those of one workgroup where it coalesces");
            }
        }
    }

    // Whether a function emits, or calls one that does.
    [[nodiscard]] bool emits(std::uint32_t function) const {
        const auto found = functions_.find(function);
        if (found == functions_.end()) return false;
        return std::ranges::any_of(found->second.steps,
                                   [&](const Step& step) { return step.opcode != kFunctionCall || emits(step.id); });
    }

    void check_code() {
        std::map<std::uint32_t, int> allocated, enqueued;
        for (const auto& [id, function] : functions_) {
            for (const Step& step : function.steps) {
                if (step.opcode == kAllocatePayloads) ++allocated[step.id];
                if (step.opcode == kEnqueuePayloads) ++enqueued[step.id];
                if (!step.together && (step.opcode != kFunctionCall || emits(step.id))) {
                    fault("it allocates or enqueues payloads where not all of its lanes may come");
                }
            }
        }
        if (allocated != enqueued) fault("it enqueues other payloads than it allocates");
    }

    NodeInterface out_;
    bool enqueues_ = false, mesh_ = false;
    std::set<std::uint32_t> interface_, modes_;
    std::map<std::uint32_t, Instruction> types_;
    std::map<std::uint32_t, std::uint32_t> constants_;
    std::map<std::uint32_t, std::string> strings_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> decorations_;
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> members_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> inputs_, emitted_;  // ids, and their pointers' types
    std::map<std::uint32_t, Function> functions_;                            // 0: what is outside of all
    std::uint32_t function_ = 0;
};

}  // namespace

NodeInterface node_interface(std::span<const std::uint32_t> words) {
    return NodeReader(words).take();
}

std::vector<std::string> graph_faults(std::span<const NodeInterface> nodes) {
    std::vector<std::string> out;
    std::map<std::string, std::vector<const NodeInterface*>> by_name;
    for (const NodeInterface& node : nodes) by_name[node.name].push_back(&node);
    for (const NodeInterface& node : nodes) {
        for (const std::string& fault : node.faults) out.push_back("node '" + node.name + "': " + fault);
        if (node.below.empty()) continue;
        const auto below = by_name.find(node.below);
        const std::string link = "node '" + node.name + "' emits for '" + node.below + "'";
        if (below == by_name.end() || below->second.size() != node.below_indexes) {
            out.push_back(link + ", of which the graph has another number than it says");
            continue;
        }
        for (const NodeInterface* one : below->second) {
            if (one->takes_bytes == node.emits_bytes) continue;
            out.push_back(link + " payloads of " + std::to_string(node.emits_bytes) + " bytes, and that takes " +
                          std::to_string(one->takes_bytes));
            break;
        }
        const NodeInterface* at = &node;
        std::size_t depth = 1;
        while (depth <= guaranteed::kDepth && !at->below.empty() && by_name.contains(at->below)) {
            at = by_name.at(at->below).front();
            ++depth;
        }
        if (depth > guaranteed::kDepth) out.push_back("node '" + node.name + "' begins a chain of too many nodes");
    }
    return out;
}

}  // namespace sublet::gpu
