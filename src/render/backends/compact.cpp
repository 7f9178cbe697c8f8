// For any GPU with compute: what survives culling down to single triangles goes to one transient index buffer, a region
// for each draw class, drawn by one indexed indirect draw each. What does not fit in the budget goes to further rounds
// of culling and drawing. Reads: encoded or decoded sublets, survivor lists. Writes: the index buffer, colour, depth.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/error.h"
#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/sublet_work.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kSubletIndexBytes = std::uint64_t{shared::kSubletSize} * 3 * 4;
constexpr std::uint32_t kTimedRounds = 16;  // more are timed as one

struct CullConstants {  // cull/primitives.comp
    shared::uvec4 first_slot, slots, first_index;
};

// How the budget is shared out: for each class, slots a round takes, and where its region begins in sublets' worth of
// indices.
struct Rounds {
    std::array<std::uint32_t, shared::kDrawClasses> slots{}, region{};
    std::uint32_t count = 0;
    std::uint64_t bytes = 0;
};

Rounds plan_rounds(const GpuScene& scene, const gpu::Capabilities& capabilities, std::uint64_t budget) {
    if (budget == 0) {
        constexpr std::uint64_t kMiB = 1U << 20U;
        budget = std::clamp<std::uint64_t>(capabilities.device_local_bytes / 32, 64 * kMiB, 2048 * kMiB);
    }
    budget = std::min<std::uint64_t>(budget, capabilities.limits.maxStorageBufferRange);
    // Indices of a round count from its first slot: the largest must not exceed the device's.
    const std::uint64_t addressable =
        (std::uint64_t{capabilities.limits.maxDrawIndexedIndexValue} + 1) / shared::kSubletSize;
    const std::uint64_t most = std::max<std::uint64_t>(budget / kSubletIndexBytes, shared::kDrawClasses);
    Rounds out;
    std::uint64_t region = 0;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        const std::uint64_t capacity = scene.sublets.capacity[c];
        if (capacity == 0) {
            continue;
        }
        const std::uint64_t share = std::max<std::uint64_t>(most * capacity / scene.sublets.items, 1);
        const std::uint64_t slots = std::min({capacity, share, addressable});
        out.slots[c] = static_cast<std::uint32_t>(slots);
        out.region[c] = static_cast<std::uint32_t>(region);
        out.count = std::max(out.count, static_cast<std::uint32_t>((capacity + slots - 1) / slots));
        region += slots;
    }
    out.bytes = region * kSubletIndexBytes;
    return out;
}

struct Variant {
    bool encoded, count;
    std::uint32_t subgroup_size;  // 0: by shared memory
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads the comparison
    auto operator<=>(const Variant&) const = default;
};

class CompactBackend final : public BackendBase {
  public:
    CompactBackend(gpu::Device& device, VkDescriptorSetLayout textures)
        : device_(device), textures_(textures), work_(device) {}

    CpuCounters record(RecordContext& context) override {
        prepare(context);
        const Variant variant{.encoded = context.settings.payload == Payload::kEncoded,
                              .count = context.settings.collect_counters,
                              .subgroup_size = context.settings.subgroup == SubgroupPath::k32   ? 32U
                                               : context.settings.subgroup == SubgroupPath::k64 ? 64U
                                                                                                : 0U};
        for (std::size_t list = 0; list < context.scene.sublets.rounds.size(); ++list) {
            work_.cull(context, 1, list);
            draw_list(context, variant, list == 0);
        }
        return {};
    }

    void scene_changed() override {
        for (auto& [key, pipeline] : draw_pipelines_) {
            device_.retire(std::move(pipeline));
        }
        draw_pipelines_.clear();
        device_.retire(std::move(compact_indices_));
        work_.scene_changed();
    }

    [[nodiscard]] std::uint64_t decoded_bytes() const override { return work_.decoded_bytes(); }
    [[nodiscard]] std::uint64_t transient_bytes() const override {
        return work_.transient_bytes() + (compact_indices_ ? compact_indices_.size() : 0);
    }

  private:
    void prepare(RecordContext& context) {
        const GpuScene& scene = context.scene;
        if (!compact_indices_ || budget_ != context.settings.compact_budget) {
            budget_ = context.settings.compact_budget;
            rounds_ = plan_rounds(scene, device_.capabilities(), budget_);
            device_.retire(std::exchange(
                compact_indices_,
                make_storage_buffer(device_, "compact indices", rounds_.bytes, VK_BUFFER_USAGE_INDEX_BUFFER_BIT)));
        }
    }

    // Culls and draws what the list of sublets holds, in as many rounds as the index buffer takes. `first`: the first
    // list of the phase.
    void draw_list(const RecordContext& context, const Variant& variant, bool first) {
        if (rounds_.count > kTimedRounds) {
            const auto pass = context.pass("cull primitives and draw");
            for (std::uint32_t round = 0; round < rounds_.count; ++round) {
                cull_round(context, variant, round);
                draw_round(context, variant, round, first);
            }
            return;
        }
        for (std::uint32_t round = 0; round < rounds_.count; ++round) {
            {
                const auto pass = context.pass("cull primitives");
                cull_round(context, variant, round);
            }
            const auto pass = context.pass("draw");
            draw_round(context, variant, round, first);
        }
    }

    void cull_round(const RecordContext& context, const Variant& variant, std::uint32_t round) {
        VkCommandBuffer commands = context.frame.commands;
        if (round != 0) {
            // The round before has drawn from the indices and the draws.
            gpu::memory_barrier(commands, gpu::kDraw, gpu::kCompute | gpu::kTransferWrite);
        }
        std::array<VkDrawIndexedIndirectCommand, shared::kDrawClasses> draws{};
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            draws[c] = {0, 1, rounds_.region[c] * shared::kSubletSize * 3, 0, 0};
        }
        vkCmdUpdateBuffer(commands, context.cull_state.handle(), offsetof(shared::CullState, compact_draws),
                          sizeof(draws), draws.data());
        gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);

        CullConstants constants{};
        std::array<shared::uint*, 3> first_slot{&constants.first_slot.x, &constants.first_slot.y,
                                                &constants.first_slot.z};
        std::array<shared::uint*, 3> slots{&constants.slots.x, &constants.slots.y, &constants.slots.z};
        std::array<shared::uint*, 3> first_index{&constants.first_index.x, &constants.first_index.y,
                                                 &constants.first_index.z};
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            *first_slot[c] = round * rounds_.slots[c];
            *slots[c] = rounds_.slots[c];
            *first_index[c] = rounds_.region[c] * shared::kSubletSize * 3;
        }
        const gpu::Pipeline& pipeline = cull_pipeline(variant);
        std::vector<gpu::Descriptor> descriptors = work_.descriptors(context);
        descriptors.push_back(gpu::buffer_at(10, context.cull_state));
        descriptors.push_back(gpu::buffer_at(11, compact_indices_));
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        pipeline.push(commands, constants);
        vkCmdDispatchIndirect(commands, context.cull_state.handle(), offsetof(shared::CullState, dispatch));
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);
    }

    void draw_round(const RecordContext& context, const Variant& variant, std::uint32_t round, bool first) {
        VkCommandBuffer commands = context.frame.commands;
        if (round != 0) {
            gpu::memory_barrier(commands, gpu::kColorAttachment | gpu::kDepthAttachment,
                                gpu::kColorAttachment | gpu::kDepthAttachment);
        }
        begin_rendering(commands, context.targets, first && round == 0 && context.first_draw());
        const gpu::Pipeline& pipeline = draw_pipeline(context.scene, {variant.encoded, context.settings.attributes});
        context.frame.descriptors->bind(commands, pipeline, work_.descriptors(context));
        context.scene.textures->bind(commands, pipeline);
        vkCmdBindIndexBuffer(commands, compact_indices_.handle(), 0, VK_INDEX_TYPE_UINT32);
        for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
            if (rounds_.slots[c] == 0 || round * std::uint64_t{rounds_.slots[c]} >= context.scene.sublets.capacity[c]) {
                continue;
            }
            set_draw_class(commands, c);
            pipeline.push(commands, context.scene.sublets.base[c] + round * rounds_.slots[c]);
            vkCmdDrawIndexedIndirect(
                commands, context.cull_state.handle(),
                offsetof(shared::CullState, compact_draws) + VkDeviceSize{c} * sizeof(VkDrawIndexedIndirectCommand), 1,
                sizeof(VkDrawIndexedIndirectCommand));
        }
        vkCmdEndRendering(commands);
    }

    const gpu::Pipeline& cull_pipeline(const Variant& variant) {
        gpu::Pipeline& pipeline = cull_pipelines_[variant];
        if (!pipeline) {
            gpu::ComputePipelineDesc desc;
            desc.name = "cull primitives";
            desc.shader.spirv =
                variant.subgroup_size != 0 ? shaders::cull_primitives_subgroup_comp : shaders::cull_primitives_comp;
            desc.shader.specialization = {{0, variant.count ? 1U : 0U}, {1, variant.encoded ? 1U : 0U}};
            const gpu::Capabilities& capabilities = device_.capabilities();
            if (variant.subgroup_size != 0 && capabilities.subgroup_size_control) {
                // A sublet's 32 lanes must share a subgroup.
                desc.shader.full_subgroups = true;
                if (capabilities.min_subgroup_size != capabilities.max_subgroup_size) {
                    desc.shader.required_subgroup_size = variant.subgroup_size;
                }
            }
            desc.layout.bindings = {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}};
            for (std::uint32_t i = 1; i < 12; ++i) {
                desc.layout.bindings.push_back({i});
            }
            desc.layout.push_constant_bytes = sizeof(CullConstants);
            pipeline = gpu::Pipeline(device_, desc);
        }
        return pipeline;
    }

    using DrawKey = std::pair<bool, Attributes>;  // whether the payload is encoded

    const gpu::Pipeline& draw_pipeline(const GpuScene& scene, const DrawKey& key) {
        gpu::Pipeline& pipeline = draw_pipelines_[key];
        if (!pipeline) {
            SurfaceStages stages;
            stages.name = "compact";
            stages.attributes = key.second;
            stages.vertex.spirv = stages.attributes == Attributes::kFetched ? shaders::compact_fetched_vert
                                                                            : shaders::compact_interpolated_vert;
            stages.vertex.specialization = {{1, key.first ? 1U : 0U}};
            stages.storage_buffers = 4;
            stages.push_constant_bytes = sizeof(std::uint32_t);
            pipeline = make_surface_pipeline(device_, scene, textures_, std::move(stages));
        }
        return pipeline;
    }

    gpu::Device& device_;
    VkDescriptorSetLayout textures_;
    SubletWork work_;
    std::map<Variant, gpu::Pipeline> cull_pipelines_;
    std::map<DrawKey, gpu::Pipeline> draw_pipelines_;
    std::uint64_t budget_ = 0;
    Rounds rounds_;
    gpu::Buffer compact_indices_;
};

}  // namespace

std::unique_ptr<BackendBase> make_compact(gpu::Device& device, VkDescriptorSetLayout textures) {
    return std::make_unique<CompactBackend>(device, textures);
}

}  // namespace sublet::render
