#include "render/scene/bit_tables.h"

#include <algorithm>
#include <bit>

#include "shaders/shared/scene.h"

namespace sublet::render {

BitTables bit_tables(const SceneFacts& scene, const gpu::Capabilities& capabilities, bool cut) {
    // Frames show far less than scenes hold, and of a cut still less: more words would be cleared for nothing.
    const std::uint64_t most_tasks = std::uint64_t{1} << (cut ? 20U : 25U);
    const std::uint64_t most_sublets = std::uint64_t{1} << (cut ? 23U : 27U);
    const std::uint64_t bound =
        std::min<std::uint64_t>(capabilities.limits.maxStorageBufferRange, capabilities.device_local_bytes / 128);
    const auto words = [](std::uint64_t wanted, std::uint64_t most) {
        return static_cast<std::uint32_t>(
            std::min(std::bit_ceil(std::max<std::uint64_t>(wanted, 1)), std::bit_floor(most)));
    };
    // With bits of sublets a task has a byte for each meshlet.
    return {words(scene.meshlets.chunks, std::min(most_tasks, bound / shared::kTaskMeshlets)),
            words(scene.sublets, std::min(most_sublets, bound / sizeof(std::uint32_t)))};
}

}  // namespace sublet::render
