// The backends of a view, each made when it is first used.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "gpu/device.h"
#include "render/backends/backend.h"

namespace sublet::render {

class Backends {
  public:
    explicit Backends(gpu::Device& device) : device_(device) {}

    [[nodiscard]] BackendBase& get(Backend which);
    // Retires all of them, with what they made for a scene.
    void clear() { device_.retire(std::exchange(made_, {})); }
    // VRAM bytes beside the scene's own.
    [[nodiscard]] TransientBytes transient_bytes() const;

  private:
    gpu::Device& device_;
    std::map<Backend, std::unique_ptr<BackendBase>> made_;
};

}  // namespace sublet::render
