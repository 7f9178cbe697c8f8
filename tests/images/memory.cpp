// What a scene takes of memory is known before it is taken, and a scene that can't fit is refused then.
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "harness.h"
#include "render/scene/gpu_scene.h"
#include "render/scene/scene_memory.h"
#include "render/settings/frame_plan.h"
#include "shapes.h"

namespace sublet::test::memory_test {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

// No more than it turns out to be, or scenes that fit would be refused; and not much less.
TEST(Memory, IsKnownFromTheSizesOfAScene) {
    Bench bench;
    for (const bool moving : {false, true}) {
        const scene::EncodedScene scene = encode(moving ? make_moving() : make_shapes());
        for (const scene::Grid& grid : {scene::Grid{}, scene::Grid{glm::uvec3(9, 5, 7)}}) {
            render::SceneSettings settings;
            settings.grid = grid;
            const bool corners = render::plan_device(bench.device().capabilities()).finds_corners;
            const render::SceneMemory need = render::scene_memory(scene, settings, corners);
            const auto is = render::upload_scene(bench.device(), scene, settings);
            EXPECT_EQ(need.geometry, is->geometry_bytes);
            EXPECT_EQ(is->vertices->bytes(), 0U) << "before a frame reads them";
            render::make_vertices(bench.device(), *is);
            EXPECT_EQ(need.decoded, is->decoded_bytes + is->vertices->bytes());
            EXPECT_LE(need.instances, is->instance_bytes);
            EXPECT_GE(static_cast<double>(need.instances), 0.8 * static_cast<double>(is->instance_bytes));
            EXPECT_GE(need.host, is->instance_data.size() * sizeof(shared::Instance) +
                                     is->meshlet_bound_data.size() * sizeof(shared::Bound));
        }
    }
}

std::string refusal(const render::SceneMemory& need, const render::MemoryRoom& room, VkPhysicalDeviceType type) {
    gpu::Capabilities device;
    device.name = "a device";
    device.type = type;
    try {
        render::require_room(need, room, device);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Memory, IsHeldToWhatThereIs) {
    const render::SceneMemory need{
        .geometry = 100 * kMiB, .decoded = 40 * kMiB, .instances = 60 * kMiB, .host = 50 * kMiB};
    constexpr VkPhysicalDeviceType kCpu = VK_PHYSICAL_DEVICE_TYPE_CPU, kGpu = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    EXPECT_EQ(refusal(need, {200 * kMiB, 250 * kMiB}, kCpu), "");
    EXPECT_EQ(refusal(need, {200 * kMiB, 50 * kMiB}, kGpu), "") << "its memory is its own";
    const std::string what = "scene: memory: it takes at least ";
    const std::string parts = " MiB (geometry 100 MiB, decoded 40 MiB, instances 60 MiB), but ";
    const std::string advice = " MiB left: close other programs, or draw fewer instances or a smaller scene";
    EXPECT_EQ(refusal(need, {199 * kMiB, 9999 * kMiB}, kGpu), what + "200" + parts + "a device has 199" + advice);
    EXPECT_EQ(refusal(need, {200 * kMiB, 49 * kMiB}, kGpu), what + "50" + parts + "the machine has 49" + advice);
    EXPECT_EQ(refusal(need, {200 * kMiB, 249 * kMiB}, kCpu), what + "250" + parts + "the machine has 249" + advice);
}

TEST(Memory, ASceneThatDoesNotFitIsRefusedBeforeItIsTaken) {
    gpu::DeviceOptions options;
    options.most_memory = 256 * kMiB;
    Bench bench(options);
    const scene::EncodedScene scene = encode(make_shapes());
    EXPECT_NE(render::upload_scene(bench.device(), scene, {}), nullptr);
    const std::uint64_t used = bench.device().memory_usage().used;
    render::SceneSettings many;
    many.grid.count = glm::uvec3(200, 200, 100);
    try {
        static_cast<void>(render::upload_scene(bench.device(), scene, many));
        FAIL() << "it was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("scene: memory: it takes at least "), std::string::npos)
            << error.what();
    }
    EXPECT_LE(bench.device().memory_usage().used, used);
}

}  // namespace
}  // namespace sublet::test::memory_test
