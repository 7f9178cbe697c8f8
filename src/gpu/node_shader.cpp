#include "gpu/node_shader.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/error.h"
#include "gpu/spirv.h"

namespace sublet::gpu {
namespace {

// A module, instruction by instruction, and what nodes add to it.
class NodeMaker {
    using Instruction = std::vector<std::uint32_t>;  // its opcode, then its operands
    using enum spirv::Opcode;
    using enum spirv::Decoration;
    using enum spirv::Mode;

  public:
    NodeMaker(std::span<const std::uint32_t> words, const NodeDesc& desc) : desc_(desc) {
        spirv::for_each_instruction(words, [&](spirv::Instruction instruction) {
            code_.emplace_back(instruction.begin(), instruction.end()).front() &= 0xffffU;
            read(code_.back());
        });
        header_.assign(words.begin(), words.begin() + spirv::kHeaderWords);
        if (main_ == 0 || word_ == 0) throw Error("a node has no entry point, or no integers");
        for (const auto& [id, pointer] : payloads_) add_payload(id, types_.at(pointer)[3]);
        add_modes();
    }

    [[nodiscard]] std::vector<std::uint32_t> made() const {
        std::vector<std::uint32_t> out = header_;
        const auto append = [&](const Instruction& instruction) {
            out.push_back(static_cast<std::uint32_t>(instruction.size()) << 16U | instruction[0]);
            out.insert(out.end(), instruction.begin() + 1, instruction.end());
        };
        const auto append_all = [&](std::vector<Instruction> all) { std::ranges::for_each(all, append); };
        bool modes = false, decorations = false, words = false, last = false;
        for (const Instruction& instruction : code_) {
            const std::uint32_t op = instruction[0];
            // Sections of a module come in their order: modes behind the entry point, decorations before types.
            const bool before = op == kCapability || op == kExtension || op == kExtInstImport || op == kMemoryModel ||
                                op == kEntryPoint || op == kExecutionMode;
            if (!modes && !before) {
                append_all(modes_);
                modes = true;
            }
            if (!decorations && op >= kTypeVoid && op <= kLastType) {
                append_all(decorations_);
                append_all(strings_);
                decorations = true;
            }
            if (!last && op == kFunction) {
                append_all(last_);
                last = true;
            }
            if (op == kVariable && instruction[2] == out_) continue;  // an allocation is its value
            append(replaced(instruction));
            // Drivers look decorations of a type up where it is made.
            if (!words && op == kTypeInt && instruction[1] == word_) {
                append_all(constants_);
                words = true;
            }
        }
        return out;
    }

  private:
    void read(const Instruction& instruction) {
        const std::span<const std::uint32_t> words(instruction);
        switch (instruction[0]) {
            case kName:
                names_[words[1]] = spirv::text_at(words.subspan(2));
                break;
            case kMemberName:
                members_[{words[1], words[2]}] = spirv::text_at(words.subspan(3));
                break;
            case kEntryPoint:
                main_ = words[2];
                break;
            case kTypeBool:
                bool_ = words[1];
                break;
            case kTypeInt:
                if (words[2] == 32 && words[3] == 0) word_ = words[1];
                types_[words[1]] = instruction;
                break;
            case kTypeFloat:
            case kTypeVector:
            case kTypeArray:
            case kTypeStruct:
            case kTypePointer:
                types_[words[1]] = instruction;
                break;
            case kVariable:
                if (words[3] == spirv::kNodePayload) payloads_[words[2]] = words[1];
                break;
            default:
                break;
        }
    }

    std::uint32_t new_id() { return header_[spirv::kBoundWord]++; }

    std::uint32_t constant(std::uint32_t value) {
        const auto [found, fresh] = values_.try_emplace(value, 0);
        if (fresh) {
            found->second = new_id();
            constants_.push_back({kConstant, word_, found->second, value});
        }
        return found->second;
    }

    [[nodiscard]] std::uint32_t bytes(std::uint32_t type) const {
        const Instruction& of = types_.at(type);
        if (of[0] == kTypeVector) return of[3] * bytes(of[2]);
        if ((of[0] != kTypeInt && of[0] != kTypeFloat) || of[2] != 32) {
            throw Error("a payload has a member that is neither a scalar nor a vector of 32 bits");
        }
        return 4;
    }

    void lay_out(std::uint32_t type) {
        if (!laid_out_.insert(type).second) return;
        const Instruction& of = types_.at(type);
        std::uint32_t offset = 0;
        for (std::uint32_t member = 0; member + 2 < of.size(); ++member) {
            decorations_.push_back({kMemberDecorate, type, member, kOffset, offset});
            offset += bytes(of[member + 2]);
            const auto name = members_.find({type, member});
            if (name != members_.end() && name->second == "groups") {
                decorations_.push_back({kMemberDecorate, type, member, kDispatchIndirect});
            }
        }
    }

    void add_payload(std::uint32_t variable, std::uint32_t type) {
        const Instruction& of = types_.at(type);
        const bool array = of[0] == kTypeArray;
        const bool emitted = names_[variable].starts_with("node_out");
        lay_out(array ? of[2] : type);
        if (!array) return;
        arrays_.insert(type);
        decorations_.push_back({kDecorateId, type, kMostPayloads, constant(emitted ? desc_.most : desc_.takes)});
        if (!emitted) return;
        out_ = variable;
        Instruction string{kConstantString, new_id()};
        for (const std::uint32_t word : spirv::words_of(desc_.below)) string.push_back(word);
        decorations_.push_back({kDecorateId, type, kNodeName, string[1]});
        decorations_.push_back({kDecorateId, type, kNodeArraySize, constant(desc_.below_indexes)});
        strings_.push_back(std::move(string));
    }

    void add_modes() {
        const auto groups = [&](spirv::Mode mode, const std::array<std::uint32_t, 3>& of) {
            if (of[0] == 0) return;
            Instruction instruction{kExecutionModeId, main_, mode};
            for (const std::uint32_t value : of) instruction.push_back(constant(value));
            modes_.push_back(std::move(instruction));
        };
        if (desc_.takes != 0) modes_.push_back({kExecutionMode, main_, kCoalescing});
        groups(kStaticGroups, desc_.groups);
        groups(kMostGroups, desc_.most_groups);
        if (desc_.entry) return;
        if (bool_ == 0) {
            bool_ = new_id();
            last_.push_back({kTypeBool, bool_});
        }
        last_.push_back({kConstantFalse, bool_, new_id()});
        modes_.push_back({kExecutionModeId, main_, kIsApiEntry, last_.back()[2]});
    }

    // As a node has it.
    [[nodiscard]] Instruction replaced(const Instruction& instruction) const {
        switch (instruction[0]) {
            case kEntryPoint: {  // its name, and an interface without what is allocated
                Instruction out(instruction.begin(), instruction.begin() + 3);
                for (const std::uint32_t word : spirv::words_of(desc_.name)) out.push_back(word);
                const auto old = spirv::words_of(spirv::text_at(std::span(instruction).subspan(3)));
                std::copy_if(instruction.begin() + 3 + std::ssize(old), instruction.end(), std::back_inserter(out),
                             [&](std::uint32_t id) { return id != out_; });
                return out;
            }
            case kTypeArray:
                if (arrays_.contains(instruction[1])) return {kTypePayloadArray, instruction[1], instruction[2]};
                return instruction;
            case kAllocatePayloads: {  // of a variable by reference: that becomes the result
                const auto operands = std::span(instruction).last(4);
                return {kAllocatePayloads, payloads_.at(operands[0]), operands[0], operands[1], operands[2],
                        operands[3]};
            }
            case kEnqueuePayloads:
                return {kEnqueuePayloads, instruction.back()};
            default:
                return instruction;
        }
    }

    const NodeDesc& desc_;
    std::vector<std::uint32_t> header_;
    std::vector<Instruction> code_;
    // That are added, last_ before functions.
    std::vector<Instruction> modes_, decorations_, strings_, constants_, last_;
    std::map<std::uint32_t, std::string> names_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> members_;
    std::map<std::uint32_t, Instruction> types_;
    std::map<std::uint32_t, std::uint32_t> payloads_;  // variables, and their pointers' types
    std::map<std::uint32_t, std::uint32_t> values_;    // ids of constants that are added
    std::set<std::uint32_t> laid_out_, arrays_;
    std::uint32_t main_ = 0, word_ = 0, bool_ = 0, out_ = 0;
};

}  // namespace

std::vector<std::uint32_t> make_node(std::span<const std::uint32_t> words, const NodeDesc& desc) {
    return NodeMaker(words, desc).made();
}

}  // namespace sublet::gpu
