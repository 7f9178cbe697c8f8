#include "render/shade/environment.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/view/sun.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr VkFormat kEnvironmentFormat = VK_FORMAT_R16G16B16A16_SFLOAT;
constexpr std::uint32_t kFaces = 6;
constexpr std::uint32_t kEnvironmentGroup = 8;  // local size of the passes, in x and y

// A side of a face for a picture: a quarter of its width, so that a texel of the cube is as wide, in the mean, as one
// of the picture; a power of two, so that levels halve evenly.
std::uint32_t source_size(const scene::EnvironmentMap& picture) {
    return std::max(std::bit_ceil((picture.width + 3) / 4), shared::kSkySize);
}

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
gpu::ComputePipelineDesc picture_desc() {
    return desc("environment: picture", shaders::environment_picture_comp);
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
             .format = kEnvironmentFormat,
             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .mips = levels,
             .layers = kFaces,
             .cube = true,
             .name = name}};
}

gpu::Image make_source(gpu::Device& device, std::uint32_t size) {
    return make_cube(device, size, gpu::full_mip_count({size, size}), "environment: source");
}

constexpr VkImageLayout kEnvironmentRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

void open(VkCommandBuffer commands, const gpu::Image& image) {
    gpu::image_barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kComputeRead,
                       gpu::kCompute);
}
void close(VkCommandBuffer commands, const gpu::Image& image) {
    gpu::image_barrier(commands, image, VK_IMAGE_LAYOUT_GENERAL, kEnvironmentRead, gpu::kCompute, gpu::kComputeRead);
}

void dispatch_faces(VkCommandBuffer commands, std::uint32_t size) {
    const std::uint32_t groups = (size + kEnvironmentGroup - 1) / kEnvironmentGroup;
    vkCmdDispatch(commands, groups, groups, kFaces);
}

void wait(VkCommandBuffer commands) {
    gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
}

}  // namespace

Environment::Environment(gpu::Device& device)
    : device_(device),
      source_(make_source(device, shared::kSkySize)),
      light_(make_cube(device, shared::kEnvironmentSize, shared::kEnvironmentLevels, "environment")),
      reflectances_(device, {.extent = {shared::kReflectancesSize, shared::kReflectancesSize},
                             .format = kEnvironmentFormat,
                             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                             .name = "reflectances"}),
      irradiance_(device, {.size = 9 * sizeof(shared::vec4),
                           .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                           .name = "irradiance"}),
      sky_scattering_(device, {.size = shared::kSkyHeights * sizeof(shared::vec4),
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                               .name = "sky scattering"}),
      sampler_(device, {.address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .name = "environment"}),
      picture_sampler_(device, {.address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, .name = "environment: picture"}) {}

void Environment::add_pipelines(const FramePlan& plan, gpu::PipelineList& out) {
    out.add(reflectances_desc());
    if (plan.environment.kind == EnvironmentKind::kNone) return;
    if (plan.environment.kind == EnvironmentKind::kSky) {
        out.add(scattering_desc());
        out.add(sky_desc());
    } else {
        out.add(picture_desc());
    }
    for (gpu::ComputePipelineDesc made : {halve_desc(), filter_desc(), irradiance_desc()}) out.add(std::move(made));
}

bool Environment::has_light_for(const FramePlan& plan) const {
    switch (plan.environment.kind) {
        case EnvironmentKind::kSky:
            return made_for_ == Light{nullptr, plan.sun};
        case EnvironmentKind::kPicture:
            return made_for_ == Light{plan.environment.picture, {}};
        case EnvironmentKind::kNone:
            break;
    }
    return readable_;  // nothing reads it, but it is bound
}

void Environment::prepare(const FramePlan& plan) {
    if (plan.environment.kind != EnvironmentKind::kPicture || has_light_for(plan)) return;
    const std::shared_ptr<const scene::EnvironmentMap>& map = plan.environment.picture;
    if (uploaded_ == map) return;
    gpu::Image picture(device_, {.extent = {map->width, map->height},
                                 .format = kEnvironmentFormat,
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                 .name = "environment: picture"});
    gpu::Uploader uploader(device_);
    const std::array<gpu::ImageLevel, 1> levels{gpu::ImageLevel{.texels = map->texels()}};
    uploader.image(picture, levels);
    uploader.finish();
    if (picture_) device_.retire(std::move(picture_));
    picture_ = std::move(picture);
    uploaded_ = map;
}

// Its contents are gone where it is not of that size already.
void Environment::resize_source(std::uint32_t size) {
    if (source_.extent().width == size) return;
    gpu::Image source = make_source(device_, size);
    device_.retire(std::move(source_));
    source_ = std::move(source);
    made_for_.reset();
    readable_ = false;
}

void Environment::record_reflectances(const FrameContext& context) {
    open(context.frame.commands, reflectances_);
    context.bind(reflectances_desc(), {gpu::storage_image_at(shared::kBindCubeTarget, reflectances_.view())});
    vkCmdDispatch(context.frame.commands, shared::kReflectancesSize / kEnvironmentGroup,
                  shared::kReflectancesSize / kEnvironmentGroup, 1);
    close(context.frame.commands, reflectances_);
    has_reflectances_ = true;
}

void Environment::record_sky(const FrameContext& context, const Sun& sun) {
    shared::EnvironmentConstants constants{};
    const glm::vec3 direction = sun_direction(sun);
    constants.sun_direction = {direction.x, direction.y, direction.z, sun.on ? kSunIrradiance : 0.0F};
    constants.size = source_.extent().width;
    const gpu::Descriptor scattering = gpu::buffer_at(shared::kBindSkyScattering, sky_scattering_);
    const gpu::Pipeline& more = context.bind(scattering_desc(), {scattering});
    more.push(context.frame.commands, constants);
    vkCmdDispatch(context.frame.commands, shared::kSkyHeights, 1, 1);
    wait(context.frame.commands);
    const gpu::Pipeline& sky =
        context.bind(sky_desc(), {scattering, gpu::storage_image_at(shared::kBindCubeTarget, source_.mip_view(0))});
    sky.push(context.frame.commands, constants);
    dispatch_faces(context.frame.commands, constants.size);
}

void Environment::record_picture(const FrameContext& context) {
    const gpu::Pipeline& pipeline = context.bind(
        picture_desc(), {gpu::texture_at(shared::kBindEnvironmentSource, picture_.view(), picture_sampler_.handle()),
                         gpu::storage_image_at(shared::kBindCubeTarget, source_.mip_view(0))});
    shared::EnvironmentConstants constants{};
    constants.size = source_.extent().width;
    pipeline.push(context.frame.commands, constants);
    dispatch_faces(context.frame.commands, constants.size);
}

// The source's levels.
void Environment::record_halves(const FrameContext& context) {
    shared::EnvironmentConstants constants{};
    for (std::uint32_t level = 1; level < source_.mips(); ++level) {
        wait(context.frame.commands);
        const gpu::Pipeline& halve =
            context.bind(halve_desc(), {gpu::storage_image_at(shared::kBindCubeSource, source_.mip_view(level - 1)),
                                        gpu::storage_image_at(shared::kBindCubeTarget, source_.mip_view(level))});
        constants.size = source_.mip_extent(level).width;
        halve.push(context.frame.commands, constants);
        dispatch_faces(context.frame.commands, constants.size);
    }
    wait(context.frame.commands);
}

void Environment::record_irradiance(const FrameContext& context) {
    std::uint32_t level = 0;
    while (source_.mip_extent(level).width > kIrradianceSize) ++level;
    const gpu::Pipeline& sums =
        context.bind(irradiance_desc(), {gpu::storage_image_at(shared::kBindCubeSource, source_.mip_view(level)),
                                         gpu::buffer_at(shared::kBindIrradiance, irradiance_)});
    shared::EnvironmentConstants constants{};
    constants.source_size = source_.mip_extent(level).width;
    sums.push(context.frame.commands, constants);
    vkCmdDispatch(context.frame.commands, 1, 1, 1);
}

void Environment::record_filter(const FrameContext& context) {
    shared::EnvironmentConstants constants{};
    constants.source_size = source_.extent().width;
    constants.levels = light_.mips();
    for (std::uint32_t level = 0; level < light_.mips(); ++level) {
        const gpu::Pipeline& filter = context.bind(
            filter_desc(), {gpu::texture_at(shared::kBindEnvironmentSource, source_.view(), sampler_.handle()),
                            gpu::storage_image_at(shared::kBindCubeTarget, light_.mip_view(level))});
        constants.level = level;
        constants.size = light_.mip_extent(level).width;
        filter.push(context.frame.commands, constants);
        dispatch_faces(context.frame.commands, constants.size);
    }
}

void Environment::record(const FrameContext& context, const FramePlan& plan) {
    if (has_reflectances_ && has_light_for(plan)) return;
    prepare(plan);
    const bool pictured = plan.environment.kind == EnvironmentKind::kPicture;
    if (pictured) resize_source(source_size(*plan.environment.picture));
    if (plan.environment.kind == EnvironmentKind::kSky) resize_source(shared::kSkySize);
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("environment");
    if (!has_reflectances_) record_reflectances(context);
    if (has_light_for(plan)) return;

    // The light of another plan may still be read.
    open(commands, source_);
    open(commands, light_);
    if (plan.environment.kind == EnvironmentKind::kNone) {
        close(commands, source_);
        close(commands, light_);
        readable_ = true;
        return;
    }
    if (pictured) {
        record_picture(context);
    } else {
        record_sky(context, plan.sun);
    }
    record_halves(context);
    record_irradiance(context);
    close(commands, source_);
    record_filter(context);
    close(commands, light_);
    gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);  // for the irradiance, a uniform buffer
    readable_ = true;
    made_for_ = pictured ? Light{plan.environment.picture, {}} : Light{nullptr, plan.sun};
    if (picture_) device_.retire(std::move(picture_));
    uploaded_.reset();
}

void Environment::add_descriptors(std::vector<gpu::Descriptor>& out) const {
    out.push_back(gpu::texture_at(shared::kBindEnvironment, light_.view(), sampler_.handle()));
    out.push_back(gpu::texture_at(shared::kBindEnvironmentSource, source_.view(), sampler_.handle()));
    out.push_back(gpu::texture_at(shared::kBindReflectances, reflectances_.view(), sampler_.handle()));
    out.push_back(gpu::buffer_at(shared::kBindIrradiance, irradiance_));
}

std::uint64_t Environment::bytes() const {
    std::uint64_t bytes = irradiance_.size() + sky_scattering_.size();
    for (const gpu::Image* image : {&source_, &light_, &reflectances_, &picture_}) bytes += gpu::image_bytes(*image);
    return bytes;
}

}  // namespace sublet::render
