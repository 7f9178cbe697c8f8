#include "render/shade/environment.h"

#include <span>
#include <utility>

#include "gpu/barriers.h"
#include "render/view/sun.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr VkFormat kFormat = VK_FORMAT_R16G16B16A16_SFLOAT;
constexpr std::uint32_t kFaces = 6;
constexpr std::uint32_t kGroup = 8;  // local size of the passes, in x and y

// Irradiance is summed from a level of so many texels a side: it has no detail that this lacks.
constexpr std::uint32_t kIrradianceSize = 16;

gpu::ComputePipelineDesc desc(const char* name, std::span<const std::uint32_t> spirv) {
    return {.name = name, .shader = {.spirv = spirv}};
}
gpu::ComputePipelineDesc scattering_desc() {
    return desc("environment: scattering", shaders::environment_sky_scattering_comp);
}
gpu::ComputePipelineDesc sky_desc() {
    return desc("environment: sky", shaders::environment_sky_comp);
}
gpu::ComputePipelineDesc halve_desc() {
    return desc("environment: halve", shaders::environment_halve_comp);
}
gpu::ComputePipelineDesc filter_desc() {
    return desc("environment: filter", shaders::environment_filter_comp);
}
gpu::ComputePipelineDesc irradiance_desc() {
    return desc("environment: irradiance", shaders::environment_irradiance_comp);
}
gpu::ComputePipelineDesc reflectances_desc() {
    return desc("environment: reflectances", shaders::environment_reflectances_comp);
}

gpu::Image make_cube(gpu::Device& device, std::uint32_t size, std::uint32_t levels, const char* name) {
    return {device,
            {.extent = {size, size},
             .format = kFormat,
             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .mips = levels,
             .layers = kFaces,
             .cube = true,
             .name = name}};
}

void dispatch_faces(VkCommandBuffer commands, std::uint32_t size) {
    const std::uint32_t groups = (size + kGroup - 1) / kGroup;
    vkCmdDispatch(commands, groups, groups, kFaces);
}

void wait(VkCommandBuffer commands) {
    gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
}

}  // namespace

Environment::Environment(gpu::Device& device)
    : source_(make_cube(device, shared::kSkySize, gpu::full_mip_count({shared::kSkySize, shared::kSkySize}),
                        "environment: source")),
      light_(make_cube(device, shared::kEnvironmentSize, shared::kEnvironmentLevels, "environment")),
      reflectances_(device, {.extent = {shared::kReflectancesSize, shared::kReflectancesSize},
                             .format = kFormat,
                             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                             .name = "reflectances"}),
      irradiance_(
          device,
          {.size = 9 * sizeof(shared::vec4), .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "irradiance"}),
      sky_scattering_(device, {.size = shared::kSkyHeights * sizeof(shared::vec4),
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                               .name = "sky scattering"}),
      sampler_(device, {.address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .name = "environment"}) {}

void Environment::add_pipelines(gpu::PipelineList& out) {
    for (gpu::ComputePipelineDesc made :
         {scattering_desc(), sky_desc(), halve_desc(), filter_desc(), irradiance_desc(), reflectances_desc()}) {
        out.add(std::move(made));
    }
}

void Environment::record_sky(const gpu::Frame& frame, gpu::Pipelines& pipelines,
                             const shared::EnvironmentConstants& constants) {
    const gpu::Descriptor scattering = gpu::buffer_at(shared::kBindSkyScattering, sky_scattering_);
    const gpu::Pipeline& more = pipelines.get(scattering_desc());
    frame.descriptors->bind(frame.commands, more, {scattering}, shared::kPassSet);
    more.push(frame.commands, constants);
    vkCmdDispatch(frame.commands, shared::kSkyHeights, 1, 1);
    wait(frame.commands);
    const gpu::Pipeline& sky = pipelines.get(sky_desc());
    frame.descriptors->bind(frame.commands, sky,
                            {scattering, gpu::storage_image_at(shared::kBindCubeTarget, source_.mip_view(0))},
                            shared::kPassSet);
    sky.push(frame.commands, constants);
    dispatch_faces(frame.commands, constants.size);
}

void Environment::record(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const FramePlan& plan) {
    const bool is_sky = plan.environment == EnvironmentKind::kSky;
    if (has_reflectances_ && (!is_sky || made_for_ == plan.sun)) return;
    VkCommandBuffer commands = frame.commands;
    const auto pass = profiler.pass(commands, "environment");
    constexpr VkImageLayout kRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const auto open = [&](const gpu::Image& image) {
        gpu::image_barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kComputeRead,
                           gpu::kCompute);
    };
    const auto close = [&](const gpu::Image& image) {
        gpu::image_barrier(commands, image, VK_IMAGE_LAYOUT_GENERAL, kRead, gpu::kCompute, gpu::kComputeRead);
    };
    if (!has_reflectances_) {
        open(reflectances_);
        const gpu::Pipeline& pipeline = pipelines.get(reflectances_desc());
        frame.descriptors->bind(commands, pipeline,
                                {gpu::storage_image_at(shared::kBindCubeTarget, reflectances_.view())},
                                shared::kPassSet);
        vkCmdDispatch(commands, shared::kReflectancesSize / kGroup, shared::kReflectancesSize / kGroup, 1);
        close(reflectances_);
        if (!is_sky) {  // nothing reads it, but it is bound
            open(light_);
            close(light_);
        }
        has_reflectances_ = true;
    }
    if (!is_sky) return;

    open(source_);
    const glm::vec3 sun = sun_direction(plan.sun);
    shared::EnvironmentConstants constants{};
    constants.sun_direction = {sun.x, sun.y, sun.z, plan.sun.on ? kSunIrradiance : 0.0F};
    constants.size = shared::kSkySize;
    record_sky(frame, pipelines, constants);
    const gpu::Pipeline& halve = pipelines.get(halve_desc());
    for (std::uint32_t level = 1; level < source_.mips(); ++level) {
        wait(commands);
        frame.descriptors->bind(commands, halve,
                                {gpu::storage_image_at(shared::kBindCubeSource, source_.mip_view(level - 1)),
                                 gpu::storage_image_at(shared::kBindCubeTarget, source_.mip_view(level))},
                                shared::kPassSet);
        constants.size = source_.mip_extent(level).width;
        halve.push(commands, constants);
        dispatch_faces(commands, constants.size);
    }
    wait(commands);
    std::uint32_t level = 0;
    while (source_.mip_extent(level).width > kIrradianceSize) ++level;
    const gpu::Pipeline& sums = pipelines.get(irradiance_desc());
    frame.descriptors->bind(commands, sums,
                            {gpu::storage_image_at(shared::kBindCubeSource, source_.mip_view(level)),
                             gpu::buffer_at(shared::kBindIrradiance, irradiance_)},
                            shared::kPassSet);
    constants.source_size = source_.mip_extent(level).width;
    sums.push(commands, constants);
    vkCmdDispatch(commands, 1, 1, 1);
    close(source_);

    open(light_);
    const gpu::Pipeline& filter = pipelines.get(filter_desc());
    constants.source_size = source_.extent().width;
    constants.levels = light_.mips();
    for (level = 0; level < light_.mips(); ++level) {
        frame.descriptors->bind(commands, filter,
                                {gpu::texture_at(shared::kBindEnvironment, source_.view(), sampler_.handle()),
                                 gpu::storage_image_at(shared::kBindCubeTarget, light_.mip_view(level))},
                                shared::kPassSet);
        constants.level = level;
        constants.size = light_.mip_extent(level).width;
        filter.push(commands, constants);
        dispatch_faces(commands, constants.size);
    }
    close(light_);
    made_for_ = plan.sun;
}

void Environment::add_descriptors(std::vector<gpu::Descriptor>& out) const {
    out.push_back(gpu::texture_at(shared::kBindEnvironment, light_.view(), sampler_.handle()));
    out.push_back(gpu::texture_at(shared::kBindReflectances, reflectances_.view(), sampler_.handle()));
    out.push_back(gpu::buffer_at(shared::kBindIrradiance, irradiance_));
}

}  // namespace sublet::render
