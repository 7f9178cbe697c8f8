#include "gpu/shader_statistics.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"

namespace sublet::gpu {

namespace {

// One word for each stage that the driver put into this executable.
std::string stage_names(VkShaderStageFlags stages) {
    std::string names;
    for (const auto& [stage, name] :
         {std::pair{VK_SHADER_STAGE_VERTEX_BIT, "vertex"}, std::pair{VK_SHADER_STAGE_TASK_BIT_EXT, "task"},
          std::pair{VK_SHADER_STAGE_MESH_BIT_EXT, "mesh"}, std::pair{VK_SHADER_STAGE_FRAGMENT_BIT, "fragment"},
          std::pair{VK_SHADER_STAGE_COMPUTE_BIT, "compute"}}) {
        if ((stages & stage) != 0) names += (names.empty() ? "" : "+") + std::string(name);
    }
    return names.empty() ? "other" : names;
}

void append_value(std::ostream& text, const VkPipelineExecutableStatisticKHR& statistic) {
    switch (statistic.format) {
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
            text << (statistic.value.b32 == VK_TRUE ? "yes" : "no");
            break;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
            text << statistic.value.i64;
            break;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
            text << statistic.value.u64;
            break;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
            text << statistic.value.f64;
            break;
        default:
            text << "unknown";
            break;
    }
}

}  // namespace

void note_shader_statistics(const Device& device, VkPipeline pipeline, std::string_view name) {
    auto of_pipeline = make_struct<VkPipelineInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR);
    of_pipeline.pipeline = pipeline;
    uint32_t executables = 0;
    check(vkGetPipelineExecutablePropertiesKHR(device.handle(), &of_pipeline, &executables, nullptr),
          "counting a pipeline's shaders");
    std::vector<VkPipelineExecutablePropertiesKHR> properties(
        executables,
        make_struct<VkPipelineExecutablePropertiesKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR));
    check(vkGetPipelineExecutablePropertiesKHR(device.handle(), &of_pipeline, &executables, properties.data()),
          "listing a pipeline's shaders");
    for (uint32_t i = 0; i < executables; ++i) {
        auto of_shader = make_struct<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
        of_shader.pipeline = pipeline;
        of_shader.executableIndex = i;
        uint32_t count = 0;
        check(vkGetPipelineExecutableStatisticsKHR(device.handle(), &of_shader, &count, nullptr),
              "counting a shader's statistics");
        std::vector<VkPipelineExecutableStatisticKHR> statistics(
            count, make_struct<VkPipelineExecutableStatisticKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR));
        check(vkGetPipelineExecutableStatisticsKHR(device.handle(), &of_shader, &count, statistics.data()),
              "reading a shader's statistics");
        std::ostringstream text;
        text << "shader '" << name << "' " << stage_names(properties[i].stages) << ", " << properties[i].subgroupSize
             << " lanes:";
        const char* separator = " ";
        for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
            text << separator << statistic.name << ' ';
            append_value(text, statistic);
            separator = ", ";
        }
        note(text.str());
    }
}

}  // namespace sublet::gpu
