// The backends of a device, each made when it is first used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "gpu/device.h"
#include "render/backends/backend.h"

namespace sublet::render {

class Backends {
  public:
    explicit Backends(gpu::Device& device) : device_(device) {}

    [[nodiscard]] BackendBase& get(Backend which);
    // Forgets what all of them made for a scene.
    void scene_changed();
    // VRAM bytes beside the scene's own: of index buffers, and of lists.
    [[nodiscard]] std::uint64_t decoded_bytes() const;
    [[nodiscard]] TransientBytes transient_bytes() const;

  private:
    gpu::Device& device_;
    std::map<Backend, std::unique_ptr<BackendBase>> made_;
};

}  // namespace sublet::render
