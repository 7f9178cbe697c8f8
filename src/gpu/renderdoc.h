// Captures by RenderDoc, through the in-application API of a library that RenderDoc itself has put into this process.
#pragma once

#include <optional>
#include <string>

#include "gpu/vulkan.h"

namespace sublet::gpu {

class RenderDoc {
  public:
    // Nothing where the program was not started with RenderDoc, or with one that is older than its API 1.1.2.
    [[nodiscard]] static std::optional<RenderDoc> find();

    // From here on, all that devices of this instance are given is captured.
    void start(VkInstance instance) const;
    // Returns the capture's file; nothing where RenderDoc took none.
    [[nodiscard]] std::optional<std::string> end(VkInstance instance) const;

  private:
    struct Api;
    explicit RenderDoc(const Api& api) : api_(&api) {}
    const Api* api_;
};

}  // namespace sublet::gpu
