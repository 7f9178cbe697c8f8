// SPIR-V, as far as it is read and written here: https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html, and
// SPV_AMDX_shader_enqueue, version 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace sublet::gpu::spirv {

inline constexpr std::uint32_t kMagic = 0x07230203;
inline constexpr std::size_t kHeaderWords = 5;
inline constexpr std::size_t kBoundWord = 3;  // of the header: above all ids

enum Opcode : std::uint32_t {
    kName = 5,
    kMemberName = 6,
    kLine = 8,
    kExtension = 10,
    kExtInstImport = 11,
    kMemoryModel = 14,
    kEntryPoint = 15,
    kExecutionMode = 16,
    kCapability = 17,
    kTypeVoid = 19,
    kTypeBool = 20,
    kTypeInt = 21,
    kTypeFloat = 22,
    kTypeVector = 23,
    kTypeMatrix = 24,
    kTypeImage = 25,
    kTypeSampler = 26,
    kTypeSampledImage = 27,
    kTypeArray = 28,
    kTypeRuntimeArray = 29,
    kTypeStruct = 30,
    kTypePointer = 32,
    kLastType = 39,
    kConstantTrue = 41,
    kConstantFalse = 42,
    kConstant = 43,
    kSpecConstantTrue = 48,
    kSpecConstantFalse = 49,
    kSpecConstant = 50,
    kSpecConstantOp = 52,
    kFunction = 54,
    kFunctionEnd = 56,
    kFunctionCall = 57,
    kVariable = 59,
    kImageTexelPointer = 60,
    kLoad = 61,
    kStore = 62,
    kCopyMemory = 63,
    kAccessChain = 65,
    kInBoundsAccessChain = 66,
    kArrayLength = 68,
    kDecorate = 71,
    kMemberDecorate = 72,
    kImageWrite = 99,
    kIAdd = 128,
    kISub = 130,
    kIMul = 132,
    kLogicalEqual = 164,
    kLogicalNotEqual = 165,
    kLogicalOr = 166,
    kLogicalAnd = 167,
    kLogicalNot = 168,
    kSelect = 169,
    kIEqual = 170,
    kINotEqual = 171,
    kUGreaterThan = 172,
    kUGreaterThanEqual = 174,
    kULessThan = 176,
    kULessThanEqual = 178,
    kShiftRightLogical = 194,
    kShiftLeftLogical = 196,
    kBitwiseOr = 197,
    kBitwiseXor = 198,
    kBitwiseAnd = 199,
    kControlBarrier = 224,
    kMemoryBarrier = 225,
    kAtomicStore = 228,
    kPhi = 245,
    kLoopMerge = 246,
    kSelectionMerge = 247,
    kLabel = 248,
    kBranch = 249,
    kBranchConditional = 250,
    kSwitch = 251,
    kKill = 252,
    kReturn = 253,
    kReturnValue = 254,
    kUnreachable = 255,
    kNoLine = 317,
    kExecutionModeId = 331,
    kDecorateId = 332,
    kTerminateInvocation = 4416,
    kAllocatePayloads = 5074,
    kEnqueuePayloads = 5075,
    kTypePayloadArray = 5076,
    kPayloadArrayLength = 5090,
    kConstantString = 5103,
    kEmitMeshTasks = 5294,
    kSetMeshOutputs = 5295,
    kDemoteToHelper = 5380,
};

enum StorageClass : std::uint32_t {
    kUniformConstant = 0,
    kUniform = 2,
    kPushConstant = 9,
    kStorageBuffer = 12,
    kNodePayload = 5068,
};

enum Decoration : std::uint32_t {
    kSpecId = 1,
    kArrayStride = 6,
    kMatrixStride = 7,
    kBuiltIn = 11,
    kBinding = 33,
    kDescriptorSet = 34,
    kOffset = 35,
    kMostPayloads = 5020,      // NodeMaxPayloadsAMDX
    kNodeName = 5091,          // PayloadNodeNameAMDX
    kNodeArraySize = 5100,     // PayloadNodeArraySizeAMDX
    kDispatchIndirect = 5105,  // PayloadDispatchIndirectAMDX
};

enum BuiltIn : std::uint32_t { kNumWorkgroups = 24, kWorkgroupId = 26, kGlobalInvocationId = 28 };

// Execution modes of nodes.
enum Mode : std::uint32_t { kCoalescing = 5069, kIsApiEntry = 5070, kStaticGroups = 5072, kMostGroups = 5077 };

inline constexpr std::uint32_t kShaderEnqueue = 5067;  // the capability
inline constexpr std::uint32_t kMeshModel = 5365;      // the execution model of mesh shaders

// An instruction, with its first word, which tells its opcode and its length.
using Instruction = std::span<const std::uint32_t>;

[[nodiscard]] inline std::uint32_t opcode(Instruction instruction) {
    return instruction[0] & 0xffffU;
}

// Calls back with each instruction. Throws Error on what is no SPIR-V, or cut off.
template <class Each>
void for_each_instruction(std::span<const std::uint32_t> words, const Each& each) {
    if (words.size() < kHeaderWords || words[0] != kMagic) throw Error("a shader is not SPIR-V");
    for (std::size_t at = kHeaderWords; at < words.size();) {
        const std::uint32_t count = words[at] >> 16U;
        if (count == 0 || count > words.size() - at) throw Error("a shader's SPIR-V is cut off");
        each(words.subspan(at, count));
        at += count;
    }
}

// A literal string, which these words begin with. Throws Error where it has no end.
[[nodiscard]] inline std::string text_at(std::span<const std::uint32_t> words) {
    std::string out(words.size_bytes(), '\0');
    if (!out.empty()) std::memcpy(out.data(), words.data(), out.size());
    const std::size_t end = out.find('\0');
    if (end == std::string::npos) throw Error("a shader's SPIR-V has a name without an end");
    return out.substr(0, end);
}

[[nodiscard]] inline std::vector<std::uint32_t> words_of(std::string_view text) {
    std::vector<std::uint32_t> out(text.size() / 4 + 1, 0);
    if (!text.empty()) std::memcpy(out.data(), text.data(), text.size());
    return out;
}

}  // namespace sublet::gpu::spirv
