#include "gpu/specialization.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "gpu/spirv.h"

namespace sublet::gpu {

namespace {

using Words = std::span<const std::uint32_t>;

// What an instruction of a function's body defines; 0 for those that define nothing.
std::uint32_t result_of(spirv::Instruction instruction) {
    switch (spirv::opcode(instruction)) {
        case spirv::kLabel:
            return instruction[1];
        case spirv::kLine:
        case spirv::kNoLine:
        case spirv::kStore:
        case spirv::kCopyMemory:
        case spirv::kImageWrite:
        case spirv::kControlBarrier:
        case spirv::kMemoryBarrier:
        case spirv::kAtomicStore:
        case spirv::kLoopMerge:
        case spirv::kSelectionMerge:
        case spirv::kBranch:
        case spirv::kBranchConditional:
        case spirv::kSwitch:
        case spirv::kKill:
        case spirv::kReturn:
        case spirv::kReturnValue:
        case spirv::kUnreachable:
        case spirv::kTerminateInvocation:
        case spirv::kEmitMeshTasks:
        case spirv::kSetMeshOutputs:
        case spirv::kDemoteToHelper:
            return 0;
        default:
            return instruction.size() > 2 ? instruction[2] : 0;
    }
}

// Values of booleans and of integers of 32 bits, by their ids, as far as they are known.
class Values {
  public:
    explicit Values(std::span<const Specialization> constants) : constants_(constants) {}

    // Learns from an instruction, which may be any.
    void learn(spirv::Instruction instruction) {
        const std::uint32_t opcode = spirv::opcode(instruction);
        const std::size_t words = instruction.size();
        if (opcode == spirv::kDecorate && words == 4 && instruction[2] == spirv::kSpecId) {
            spec_ids_[instruction[1]] = instruction[3];
        } else if (opcode == spirv::kTypeInt && words == 4 && instruction[2] == 32) {
            types_.insert(instruction[1]);
        } else if (opcode == spirv::kTypeBool && words == 2) {
            types_.insert(instruction[1]);
        } else if (words >= 3 && types_.contains(instruction[1])) {
            learn_scalar(instruction, opcode);
        }
    }

    void set(std::uint32_t id, std::uint32_t value) { known_.emplace(id, value); }

    [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t id) const {
        const auto found = known_.find(id);
        if (found == known_.end()) return std::nullopt;
        return found->second;
    }

  private:
    void learn_scalar(spirv::Instruction instruction, std::uint32_t opcode) {
        const std::uint32_t id = instruction[2];
        switch (opcode) {
            case spirv::kConstantTrue:
                set(id, 1);
                return;
            case spirv::kConstantFalse:
                set(id, 0);
                return;
            case spirv::kSpecConstantTrue:
                set(id, chosen(id, 1) != 0 ? 1 : 0);
                return;
            case spirv::kSpecConstantFalse:
                set(id, chosen(id, 0) != 0 ? 1 : 0);
                return;
            case spirv::kConstant:
                set(id, instruction[3]);
                return;
            case spirv::kSpecConstant:
                set(id, chosen(id, instruction[3]));
                return;
            case spirv::kSpecConstantOp:
                calculate(id, instruction[3], instruction.subspan(4));
                return;
            default:
                calculate(id, opcode, instruction.subspan(3));
        }
    }

    [[nodiscard]] std::uint32_t chosen(std::uint32_t id, std::uint32_t otherwise) const {
        const auto spec_id = spec_ids_.find(id);
        if (spec_id == spec_ids_.end()) return otherwise;
        for (const Specialization& constant : constants_) {
            if (constant.id == spec_id->second) return constant.value;
        }
        return otherwise;
    }

    void calculate(std::uint32_t id, std::uint32_t opcode, Words operands) {
        if (operands.empty() || operands.size() > 3) return;
        std::uint32_t v[3] = {};
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const std::optional<std::uint32_t> value = find(operands[i]);
            if (!value) return;
            v[i] = *value;
        }
        const std::uint32_t a = v[0];
        const std::uint32_t b = v[1];
        switch (opcode) {
            case spirv::kIAdd:
                set(id, a + b);
                break;
            case spirv::kISub:
                set(id, a - b);
                break;
            case spirv::kIMul:
                set(id, a * b);
                break;
            case spirv::kShiftRightLogical:
                set(id, b < 32 ? a >> b : 0);
                break;
            case spirv::kShiftLeftLogical:
                set(id, b < 32 ? a << b : 0);
                break;
            case spirv::kBitwiseOr:
                set(id, a | b);
                break;
            case spirv::kBitwiseXor:
                set(id, a ^ b);
                break;
            case spirv::kBitwiseAnd:
                set(id, a & b);
                break;
            case spirv::kLogicalOr:
                set(id, a | b);
                break;
            case spirv::kLogicalAnd:
                set(id, a & b);
                break;
            case spirv::kLogicalNot:
                set(id, a ^ 1U);
                break;
            case spirv::kLogicalEqual:
            case spirv::kIEqual:
                set(id, a == b ? 1 : 0);
                break;
            case spirv::kLogicalNotEqual:
            case spirv::kINotEqual:
                set(id, a != b ? 1 : 0);
                break;
            case spirv::kUGreaterThan:
                set(id, a > b ? 1 : 0);
                break;
            case spirv::kUGreaterThanEqual:
                set(id, a >= b ? 1 : 0);
                break;
            case spirv::kULessThan:
                set(id, a < b ? 1 : 0);
                break;
            case spirv::kULessThanEqual:
                set(id, a <= b ? 1 : 0);
                break;
            case spirv::kSelect:
                set(id, a != 0 ? b : v[2]);
                break;
            default:
                break;
        }
    }

    std::span<const Specialization> constants_;
    std::unordered_set<std::uint32_t> types_;  // bool, and integers of 32 bits
    std::unordered_map<std::uint32_t, std::uint32_t> spec_ids_;
    std::unordered_map<std::uint32_t, std::uint32_t> known_;
};

struct Block {
    std::uint32_t label = 0;
    std::size_t first = 0;  // of its instructions: the label
    std::size_t last = 0;   // the one that ends it
    bool reached = false;
    std::uint32_t taken = 0;  // where its condition is known: the label that it goes on to
};

// A function: its instructions, and which of its blocks are reached.
class Function {
  public:
    explicit Function(std::vector<spirv::Instruction> instructions) : instructions_(std::move(instructions)) {
        for (std::size_t i = 0; i < instructions_.size(); ++i) {
            if (spirv::opcode(instructions_[i]) == spirv::kLabel) {
                numbers_[instructions_[i][1]] = blocks_.size();
                blocks_.push_back({.label = instructions_[i][1], .first = i});
            } else if (ends_block(instructions_[i]) && !blocks_.empty()) {
                blocks_.back().last = i;
            }
        }
        const bool ends = std::ranges::all_of(blocks_, [](const Block& block) { return block.last > block.first; });
        if (blocks_.empty() || !ends) throw Error("a shader's function has code without an end");
    }

    [[nodiscard]] std::uint32_t id() const { return instructions_[0][2]; }

    // Finds out what is reached.
    void reach(Values& values) {
        bool news = true;
        while (news) {
            mark();
            news = false;
            for (Block& block : blocks_) {
                if (block.reached) news = look_at(block, values) || news;
            }
        }
        if (phi_of_a_lost_loop()) {  // rare, and of optimised code alone
            for (Block& block : blocks_) block.taken = 0;
            mark();
        }
    }

    // Calls back with each instruction that stays, as it is then, and with the ids of what goes.
    template <class Kept, class Gone>
    void write(const Kept& kept, const Gone& gone) const {
        std::unordered_map<std::uint32_t, std::uint32_t> needed;  // labels that merges name: 0, or a loop's header
        for (const Block& block : blocks_) {
            if (!block.reached || block.taken != 0 || block.last == block.first + 1) continue;
            const spirv::Instruction merge = instructions_[block.last - 1];
            if (spirv::opcode(merge) == spirv::kSelectionMerge) needed.emplace(merge[1], 0);
            if (spirv::opcode(merge) != spirv::kLoopMerge) continue;
            needed.emplace(merge[1], 0);
            needed[merge[2]] = block.label;
        }
        for (std::size_t i = 0; i < blocks_[0].first; ++i) kept(instructions_[i]);
        for (const Block& block : blocks_) {
            const auto stub = needed.find(block.label);
            if (block.reached) {
                write_block(block, kept);
                continue;
            }
            const bool stays = stub != needed.end();
            for (std::size_t i = block.first + (stays ? 1 : 0); i <= block.last; ++i) gone(result_of(instructions_[i]));
            if (!stays) continue;
            kept(instructions_[block.first]);
            if (stub->second == 0) {
                kept(std::vector<std::uint32_t>{1U << 16U | spirv::kUnreachable});
            } else {
                kept(std::vector<std::uint32_t>{2U << 16U | spirv::kBranch, stub->second});
            }
        }
        kept(instructions_.back());
    }

    template <class Each>
    void for_each_call(const Each& each) const {
        for (const Block& block : blocks_) {
            for (std::size_t i = block.first; block.reached && i <= block.last; ++i) {
                if (spirv::opcode(instructions_[i]) == spirv::kFunctionCall) each(instructions_[i][3]);
            }
        }
    }

    template <class Each>
    void for_each_result(const Each& each) const {
        for (const spirv::Instruction instruction : instructions_) each(result_of(instruction));
    }

  private:
    static bool ends_block(spirv::Instruction instruction) {
        const std::uint32_t opcode = spirv::opcode(instruction);
        return (opcode >= spirv::kBranch && opcode <= spirv::kUnreachable) || opcode == spirv::kTerminateInvocation ||
               opcode == spirv::kEmitMeshTasks;
    }

    // Whether a block may be followed by that label. (A literal of a switch that happens to be its id says so too: then
    // more stays than has to.)
    [[nodiscard]] bool leads_to(const Block& block, std::uint32_t label) const {
        if (block.taken != 0) return block.taken == label;
        const auto operands = instructions_[block.last].subspan(1);
        return std::ranges::find(operands, label) != operands.end();
    }

    void mark() {
        for (Block& block : blocks_) block.reached = false;
        std::vector<std::size_t> work{0};
        while (!work.empty()) {
            Block& block = blocks_[work.back()];
            work.pop_back();
            if (block.reached) continue;
            block.reached = true;
            if (!goes_on(block)) continue;
            for (const std::uint32_t word : instructions_[block.last].subspan(1)) {
                const auto next = numbers_.find(word);
                if (next != numbers_.end() && leads_to(block, word)) work.push_back(next->second);
            }
        }
    }

    [[nodiscard]] bool goes_on(const Block& block) const {
        const std::uint32_t opcode = spirv::opcode(instructions_[block.last]);
        return opcode == spirv::kBranch || opcode == spirv::kBranchConditional || opcode == spirv::kSwitch;
    }

    // Whether it comes to a block by way of that label.
    [[nodiscard]] bool comes_from(const Block& block, std::uint32_t label) const {
        const auto from = numbers_.find(label);
        return from != numbers_.end() && blocks_[from->second].reached && leads_to(blocks_[from->second], block.label);
    }

    // Learns what it can of a block. Returns whether its condition is newly known.
    bool look_at(Block& block, Values& values) const {
        for (std::size_t i = block.first + 1; i < block.last; ++i) {
            const spirv::Instruction instruction = instructions_[i];
            if (spirv::opcode(instruction) == spirv::kPhi) {
                look_at_phi(block, instruction, values);
            } else {
                values.learn(instruction);
            }
        }
        const spirv::Instruction end = instructions_[block.last];
        const bool selects = spirv::opcode(end) == spirv::kBranchConditional && block.last > block.first + 1 &&
                             spirv::opcode(instructions_[block.last - 1]) == spirv::kSelectionMerge;
        if (!selects || block.taken != 0) return false;
        const std::optional<std::uint32_t> condition = values.find(end[1]);
        if (!condition) return false;
        block.taken = *condition != 0 ? end[2] : end[3];
        return true;
    }

    void look_at_phi(const Block& block, spirv::Instruction phi, Values& values) const {
        std::optional<std::uint32_t> same;
        for (std::size_t i = 3; i + 1 < phi.size(); i += 2) {
            if (!comes_from(block, phi[i + 1])) continue;
            const std::optional<std::uint32_t> value = values.find(phi[i]);
            if (!value || (same && *same != *value)) return;
            same = value;
        }
        if (same) values.set(phi[2], *same);
    }

    // Whether a loop that is reached has values from a round before, and no further round is.
    [[nodiscard]] bool phi_of_a_lost_loop() const {
        return std::ranges::any_of(blocks_, [&](const Block& block) {
            if (!block.reached || block.last == block.first + 1) return false;
            const spirv::Instruction merge = instructions_[block.last - 1];
            if (spirv::opcode(merge) != spirv::kLoopMerge) return false;
            const auto next = numbers_.find(merge[2]);
            return next != numbers_.end() && !blocks_[next->second].reached &&
                   spirv::opcode(instructions_[block.first + 1]) == spirv::kPhi;
        });
    }

    template <class Kept>
    void write_block(const Block& block, const Kept& kept) const {
        const std::size_t end = block.taken != 0 ? block.last - 1 : block.last + 1;  // without merge and condition
        for (std::size_t i = block.first; i < end; ++i) {
            const spirv::Instruction instruction = instructions_[i];
            if (spirv::opcode(instruction) != spirv::kPhi) {
                kept(instruction);
                continue;
            }
            std::vector<std::uint32_t> phi(instruction.begin(), instruction.begin() + 3);
            for (std::size_t k = 3; k + 1 < instruction.size(); k += 2) {
                if (!comes_from(block, instruction[k + 1])) continue;
                phi.push_back(instruction[k]);
                phi.push_back(instruction[k + 1]);
            }
            phi[0] = static_cast<std::uint32_t>(phi.size()) << 16U | spirv::kPhi;
            kept(phi);
        }
        if (block.taken != 0) kept(std::vector<std::uint32_t>{2U << 16U | spirv::kBranch, block.taken});
    }

    std::vector<spirv::Instruction> instructions_;
    std::vector<Block> blocks_;
    std::unordered_map<std::uint32_t, std::size_t> numbers_;  // of blocks, by their labels
};

}  // namespace

std::vector<std::uint32_t> specialized(Words spirv, std::span<const Specialization> constants) {
    Values values(constants);
    std::vector<spirv::Instruction> declarations;
    std::vector<Function> functions;
    std::vector<spirv::Instruction> function;
    std::vector<std::uint32_t> work;  // functions that are called
    spirv::for_each_instruction(spirv, [&](spirv::Instruction instruction) {
        const std::uint32_t opcode = spirv::opcode(instruction);
        if (opcode == spirv::kEntryPoint) work.push_back(instruction[2]);
        if (opcode == spirv::kFunction || !function.empty()) {
            function.push_back(instruction);
        } else {
            declarations.push_back(instruction);
            values.learn(instruction);
        }
        if (opcode == spirv::kFunctionEnd) functions.emplace_back(std::exchange(function, {}));
    });

    std::unordered_map<std::uint32_t, Function*> by_id;
    for (Function& f : functions) by_id[f.id()] = &f;
    std::unordered_set<const Function*> called;
    while (!work.empty()) {
        const auto found = by_id.find(work.back());
        work.pop_back();
        if (found == by_id.end() || !called.insert(found->second).second) continue;
        found->second->reach(values);
        found->second->for_each_call([&](std::uint32_t id) { work.push_back(id); });
    }

    std::unordered_set<std::uint32_t> gone;
    std::vector<std::uint32_t> code;
    const auto keep = [&code](Words words) { code.insert(code.end(), words.begin(), words.end()); };
    const auto drop = [&gone](std::uint32_t id) { gone.insert(id); };
    for (const Function& f : functions) {
        if (called.contains(&f)) {
            f.write(keep, drop);
        } else {
            f.for_each_result(drop);
        }
    }

    std::vector<std::uint32_t> out(spirv.begin(), spirv.begin() + spirv::kHeaderWords);
    for (const spirv::Instruction instruction : declarations) {
        const std::uint32_t opcode = spirv::opcode(instruction);
        const bool annotates = opcode == spirv::kName || opcode == spirv::kDecorate || opcode == spirv::kDecorateId;
        if (annotates && gone.contains(instruction[1])) continue;
        out.insert(out.end(), instruction.begin(), instruction.end());
    }
    out.insert(out.end(), code.begin(), code.end());
    return out;
}

}  // namespace sublet::gpu
