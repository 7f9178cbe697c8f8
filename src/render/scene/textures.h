// Textures of a scene on the GPU: decoded beside the frames, and uploaded as they come. Where not all have room, they
// stream: those that frames sample are finer (TextureLevels). Each is an image from its finest level on, and another
// one takes its place once that is there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "render/scene/materials.h"
#include "render/scene/texture_levels.h"
#include "render/scene/texture_loader.h"
#include "render/scene/texture_plan.h"
#include "scene/scene.h"

namespace sublet::render {

// The table of textures that materials count by, and the images behind it. At first each texture is a stand-in of one
// texel: white, so that factors alone are seen; flat where it is a normal map; black where it is emission alone; along
// the tangent where it is anisotropy alone.
//
// An image that can't be decoded keeps its stand-in and is named once on stderr: a picture with a texture missing is
// worth more than none.
class SceneTextures {
  public:
    // Begins to decode. The images of `scene` must stay until left() is 0, or this ends; where they stream, until this
    // ends. Throws Error where the device can't bind so many. `gate`: TextureLoader::set_gate().
    SceneTextures(gpu::Device& device, const scene::Scene& scene, std::span<const BoundTexture> textures,
                  const TextureLimits& limits, std::function<void()> gate = {});
    SceneTextures(const SceneTextures&) = delete;
    SceneTextures& operator=(const SceneTextures&) = delete;

    // Waits until all have come. Throws Cancelled. Not while frames are in flight.
    void finish();

    // Where frames wait for what they show (TextureLimits::waits): after a frame that is seen by nobody, once it is
    // over, all that it sampled comes. Where that has no room it is coarser, with a note, if it `may_be_coarser`; else
    // this throws Error with what it takes.
    void settle(bool may_be_coarser);

    // What a frame does first: takes what has come, looks at what the frame before that had the slot sampled, and
    // brings the table of the slot up to date. That frame must be over.
    void advance(std::uint32_t slot);
    // Before anything of a frame is shaded: nothing is sampled yet. Only where they stream.
    void begin(const gpu::Frame& frame);
    // Behind all that is shaded: what was sampled is read back.
    void end(const gpu::Frame& frame);

    // Images that are still to come for the first time.
    [[nodiscard]] std::size_t left() const { return jobs_.size() - std::min(arrived_, jobs_.size()); }

    // Whether they change with what is seen.
    [[nodiscard]] bool streams() const { return levels_.has_value(); }
    [[nodiscard]] bool waits() const { return streams() && waits_; }
    [[nodiscard]] std::optional<TextureFigures> figures() const;
    // What shading writes at kBindTextureStamps, and which pixels of this frame do: ShadeConstants::stamped_pixel.
    [[nodiscard]] const gpu::Image& stamps() const { return stamps_; }
    [[nodiscard]] std::uint32_t stamped_pixel() const;

    // Of pipelines that read them.
    [[nodiscard]] VkDescriptorSetLayout layout() const { return tables_[0]->layout(); }
    // Binds the table of a frame's slot as set kTextureSet.
    void bind(gpu::Commands commands, const gpu::Pipeline& pipeline, std::uint32_t slot) const;

    // For tests: TextureLoader::set_gate().
    void set_gate(std::function<void()> gate);

    // What the images take; and will at most.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }

  private:
    struct Job : PlannedTexture {
        gpu::Image image;                                                   // once it is there,
        unsigned level = 0;                                                 // and its finest level
        std::array<std::optional<unsigned>, gpu::kFramesInFlight> shown{};  // in the table of each slot
    };
    // One that another one took the place of, in the tables of so many frames to come as well.
    struct Leaving {
        gpu::Image image;
        std::uint32_t frames = 0;
    };

    void make_stand_ins();
    void make_stamps();
    [[nodiscard]] VkImageUsageFlags image_usage() const;
    void load(std::size_t job, unsigned level);
    void take(LoadedTexture loaded);
    void set_image(std::size_t job, gpu::Image image, unsigned level);
    void show_changed(std::uint32_t slot);
    void show_all();
    void look_at_stamps(std::uint32_t slot);

    gpu::Device& device_;
    std::vector<gpu::Sampler> samplers_;
    std::vector<std::size_t> sampler_of_;  // each element
    std::array<gpu::Image, kStandIns> stand_ins_;
    std::vector<Job> jobs_;    // in the order in which they first come
    std::size_t arrived_ = 0;  // of all that came or failed
    std::uint64_t bytes_ = 0, most_bytes_ = 0;
    std::array<std::unique_ptr<gpu::BindlessTextures>, gpu::kFramesInFlight> tables_;
    std::array<std::vector<std::size_t>, gpu::kFramesInFlight> changed_;  // jobs, that each table does not show yet
    std::vector<Leaving> leaving_;
    std::uint32_t frames_since_ = 0;         // the last image arrived
    std::unique_ptr<TextureLoader> loader_;  // while there are images to come
    // Where they stream:
    std::optional<TextureLevels> levels_;
    std::shared_ptr<const gpu::ImageMemory> memory_;
    gpu::Image stamps_;                                        // else one texel, that nobody looks at
    std::array<gpu::Buffer, gpu::kFramesInFlight> stamps_of_;  // read back
    std::array<bool, gpu::kFramesInFlight> stamped_{};
    std::uint32_t stamped_last_ = 0;  // slot
    bool waits_ = false;
    std::uint64_t frame_ = 0;
    std::uint32_t most_finer_ = 1;  // images that become finer at a time
};

}  // namespace sublet::render
