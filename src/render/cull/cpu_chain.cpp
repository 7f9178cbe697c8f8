#include "render/cull/cpu_chain.h"

#include <algorithm>
#include <array>

#include "base/glsl.h"
#include "render/view/occlusion.h"
#include "render/view/view_context.h"
#include "shaders/shared/counters.h"

namespace sublet::render {
namespace {

shared::OcclusionView occlusion_view(const ViewContext& context) {
    const VkExtent2D extent = context.geometry.targets.extent;
    shared::HizLayout window{};  // without a pyramid
    window.width = extent.width;
    window.height = extent.height;
    return occlusion::make_occlusion_view(context.geometry.cull_view(), window,
                                          context.device.capabilities().limits.subPixelPrecisionBits);
}

}  // namespace

}  // namespace sublet::render

SUBLET_GLSL_BEGIN
namespace sublet::glsl {

using namespace shared;  // NOLINT(google-build-using-namespace): as a shader that includes its headers

// What shaders bind, by the names that they have for it. Their functions are members.
struct Chain {
    using uint = glsl::uint;
    using vec2 = glm::vec2;
    using vec3 = glm::vec3;
    using vec4 = glm::vec4;
    using uvec2 = glm::uvec2;

    const FrameData& frame;
    OcclusionView occlusion;
    const Instance* instances;
    const MeshHeader* meshes;
    const Bound* meshlet_bounds;

    const LodGroup* lod_groups;
    const CutPlace* cut_places;
    bool kLevels;

    static constexpr PhaseData phase{};
    static constexpr bool kPrimitiveBits = false, kSubletBits = false;

    static bool flags_hide(uint flags) { return (flags & kInstanceHidden) != 0; }
    [[nodiscard]] const Bound& meshlet_bound(uint mesh, uint meshlet) const {
        return meshlet_bounds[meshes[mesh].first_meshlet + meshlet];
    }
    static bool instance_hidden(const Instance& /*of*/) { return false; }
    static float hiz_load(uint /*index*/) { return 0.0F; }
    vec4 world_sphere(const shared::vec4* rows, float scale, vec4 sphere) {
        const std::array<vec4, 3> of{rows[0], rows[1], rows[2]};
        return world_sphere(of.data(), scale, sphere);
    }

#include "cull/chain.glsl"
#include "view/occlusion.glsl"
};

}  // namespace sublet::glsl
SUBLET_GLSL_END

namespace sublet::render {

CpuChain::CpuChain(const ViewContext& context)
    : chain_(std::make_unique<glsl::Chain>(glsl::Chain{.frame = context.geometry.data,
                                                       .occlusion = occlusion_view(context),
                                                       .instances = context.scene.instance_data.data(),
                                                       .meshes = context.scene.mesh_headers.data(),
                                                       .meshlet_bounds = context.scene.meshlet_bound_data.data(),
                                                       .lod_groups = context.scene.levels.groups.data(),
                                                       .cut_places = context.scene.levels.places.data(),
                                                       .kLevels = context.scene.levels.any()})) {}

CpuChain::~CpuChain() = default;

bool CpuChain::outside(const glm::vec4& sphere) const {
    return !chain_->sphere_in_frustum(chain_->frame.cull, sphere, chain_->kFrustumSlack);
}

std::uint32_t CpuChain::meshlet(std::uint32_t instance, std::uint32_t meshlet) const {
    return chain_->meshlet_verdict(instance, meshlet, 0, 0);
}

bool CpuChain::has_cut(std::uint32_t instance) const {
    return chain_->has_cut(chain_->instances[instance].mesh);
}

void CpuChain::find_cut(std::uint32_t instance, std::vector<std::uint32_t>& meshlets) const {
    meshlets.clear();
    const glm::uvec2 places = chain_->places_of(instance);
    for (std::uint32_t place = places.x; place < places.y; ++place) {
        if (!chain_->place_in_cut(instance, place)) continue;
        meshlets.push_back(chain_->meshlet_at(chain_->instances[instance].mesh, place));
    }
    std::ranges::sort(meshlets);
}

std::uint32_t CpuChain::level(std::uint32_t instance, std::uint32_t meshlet) const {
    return chain_->level_of(chain_->instances[instance].mesh, meshlet);
}

}  // namespace sublet::render
