// Which images the textures of a scene take, how they are read, and how large they are at first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "render/scene/materials.h"
#include "render/settings/settings.h"
#include "scene/image_decoding.h"
#include "scene/scene.h"

namespace sublet::render {

// What SceneSettings::image_limit comes to, in bytes: 0 is a quarter of the machine's memory.
[[nodiscard]] std::uint64_t memory_limit_bytes(std::uint64_t setting);

// Bytes.
struct TextureLimits {
    std::uint64_t textures = 0;  // of all textures together
    std::uint64_t decoding = 0;  // of images that are being decoded, or wait for their upload
    bool waits = false;          // frames are drawn once the levels that they sample are there: SceneTextures::settle()
};

// `bytes`: VramBudget::textures.
[[nodiscard]] TextureLimits texture_limits(const SceneSettings& settings, std::uint64_t bytes);

// What is seen in place of an image that is not there: a texel.
enum class StandIn : std::uint8_t { kWhite, kFlat, kBlack, kAlongTangent };
inline constexpr std::size_t kStandIns = 4;
[[nodiscard]] StandIn stand_in_of(const BoundTexture& texture);
// Notes that an image is not drawn.
void note_missing(const std::string& image, StandIn stand_in, const std::string& why);

// An image, and the elements of the table that show it.
struct PlannedTexture {
    std::string text;  // "image 3 'bark' (image/png)"
    std::string name;
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkComponentMapping components = {};
    StandIn stand_in = StandIn::kWhite;
    bool stays = false;     // BoundTexture::cuts
    bool unscaled = false;  // a sampler reads level 0 alone
    std::vector<std::uint32_t> elements;
    scene::ImageJob decode;  // at its first size
};

// Images of equal bytes that are read the same way are one, each at the size that scene::plan_images gives it; those
// that stay as they are have their room before the others. What can't be decoded is left out, with a note. Returns
// whether some are smaller than the device could have them, to fit limits.textures.
[[nodiscard]] bool plan_textures(const scene::Scene& scene, std::span<const BoundTexture> textures,
                                 const TextureLimits& limits, const gpu::Capabilities& device,
                                 std::vector<PlannedTexture>& out);

// Whether a sampler reads other levels than 0.
[[nodiscard]] bool has_mips(const scene::Sampler& sampler);
// What an image takes from a level on.
[[nodiscard]] std::uint64_t bytes_from(const scene::ImageHeader& header, unsigned level);
// Rounded up, to a tenth below ten.
[[nodiscard]] std::string mebibytes(std::uint64_t bytes);

}  // namespace sublet::render
