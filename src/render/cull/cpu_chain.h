// The chain of tests of shaders/cull/chain.glsl on the CPU, from the same source: for what the CPU selects itself.
#pragma once

#include <cstdint>
#include <glm/vec4.hpp>
#include <memory>
#include <vector>

namespace sublet::glsl {
struct Chain;
}

namespace sublet::render {

struct ViewContext;

// The tests of one view. There are no phases: nothing is hidden.
class CpuChain {
  public:
    // The context must live as long.
    explicit CpuChain(const ViewContext& context);
    ~CpuChain();
    CpuChain(const CpuChain&) = delete;
    CpuChain& operator=(const CpuChain&) = delete;

    // Whether a sphere in the world, a bound's radius included, lies outside of the frustum.
    [[nodiscard]] bool outside(const glm::vec4& sphere) const;
    // The verdict (shaders/shared/counters.h) on a meshlet, numbered within its mesh, of an instance that neither moves
    // nor deforms.
    [[nodiscard]] std::uint32_t meshlet(std::uint32_t instance, std::uint32_t meshlet) const;

    // Whether levels of detail are chosen among for an instance.
    [[nodiscard]] bool has_cut(std::uint32_t instance) const;
    // The meshlets of its cut (shaders/cull/cut.glsl), in ascending order; without one, those of the finest level. Of
    // an instance that does not move.
    void find_cut(std::uint32_t instance, std::vector<std::uint32_t>& meshlets) const;
    // How often a meshlet, numbered within its mesh, was simplified.
    [[nodiscard]] std::uint32_t level(std::uint32_t instance, std::uint32_t meshlet) const;

  private:
    std::unique_ptr<glsl::Chain> chain_;
};

}  // namespace sublet::render
