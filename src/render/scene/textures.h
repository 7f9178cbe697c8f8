// Textures of a scene on the GPU: decoded beside the frames, and uploaded as they come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/upload.h"
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
};

// A texture budget of 0 is half of what the driver lets the process have of the device's own memory; a quarter where
// that is the machine's too.
[[nodiscard]] TextureLimits texture_limits(const SceneSettings& settings, const gpu::Device& device);

// The table of textures that materials count by, and the images behind it. At first each texture is a stand-in of one
// texel: white, so that factors alone are seen; flat where it is a normal map; black where it is emission alone; along
// the tangent where it is anisotropy alone.
//
// Images of equal bytes that are read the same way are one image, each at the size that scene::plan_images gives it.
// One that can't be decoded keeps its stand-in and is named once on stderr: a picture with a texture missing is worth
// more than none.
class SceneTextures {
  public:
    // Begins to decode. The images of `scene` must stay until left() is 0, or this ends. Throws Error
    // where the device can't bind so many.
    SceneTextures(gpu::Device& device, const scene::Scene& scene, std::span<const BoundTexture> textures,
                  const TextureLimits& limits);
    SceneTextures(const SceneTextures&) = delete;
    SceneTextures& operator=(const SceneTextures&) = delete;

    // Uploads all of them, as fast as they come. Throws Cancelled. Not while frames are in flight.
    void finish();

    // What a frame does first: uploads some of what has been decoded, and brings the table of the frame's slot up to
    // date. The frames before that had the slot must be over.
    void advance(std::uint32_t slot);

    // Images that are still to come.
    [[nodiscard]] std::size_t left() const { return jobs_.size() - arrived_; }

    // Of pipelines that read them.
    [[nodiscard]] VkDescriptorSetLayout layout() const { return tables_[0]->layout(); }
    // Binds the table of a frame's slot as set kTextureSet.
    void bind(gpu::Commands commands, const gpu::Pipeline& pipeline, std::uint32_t slot) const;

    // What the images take.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    enum class StandIn : std::uint8_t { kWhite, kFlat, kBlack, kAlongTangent };
    static constexpr std::size_t kStandIns = 4;

    // An image that is decoded, and the elements of the table that show it.
    struct Job {
        std::string text;  // "image 3 'bark' (image/png)"
        std::string name;
        VkFormat format = VK_FORMAT_UNDEFINED;
        VkComponentMapping components = {};
        StandIn stand_in = StandIn::kWhite;
        std::vector<std::uint32_t> elements;
        gpu::Image image;  // once it is there
    };
    class Plan;

    static StandIn stand_in_of(const BoundTexture& texture);
    static void note_missing(const std::string& image, StandIn stand_in, const std::string& why);
    void make_stand_ins();
    // The next image, as far as `most` bytes go. False where nothing is ready.
    bool upload_some(VkDeviceSize most);
    void begin_upload(scene::DecodedImage decoded);
    void end_upload();
    void show_arrived(std::uint32_t slot);

    gpu::Device& device_;
    std::vector<gpu::Sampler> samplers_;
    std::vector<std::size_t> sampler_of_;  // each element
    std::array<gpu::Image, kStandIns> stand_ins_;
    std::vector<Job> jobs_;    // in the order in which they come
    std::size_t arrived_ = 0;  // of them
    std::uint64_t bytes_ = 0;
    std::array<std::unique_ptr<gpu::BindlessTextures>, gpu::kFramesInFlight> tables_;
    std::array<std::size_t, gpu::kFramesInFlight> shown_{};  // of what has arrived, in each table
    // The image that is being uploaded.
    std::vector<scene::TexelLevel> texels_;
    gpu::ImagePlace place_;
    std::uint32_t frames_since_ = 0;           // the last image arrived
    std::unique_ptr<gpu::Uploader> uploader_;  // while there are images to come; ends before they do
    std::unique_ptr<scene::ImageDecoding> decoding_;
};

}  // namespace sublet::render
