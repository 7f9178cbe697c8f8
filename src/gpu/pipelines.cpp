#include "gpu/pipelines.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/progress.h"
#include "base/thread_pool.h"

namespace sublet::gpu {
namespace {

// Appends what descriptions are made of, each with its length where that varies: no two different ones have equal keys.
// (Layouts follow from shaders, and those of textures are all interchangeable.)
class KeyWriter {
  public:
    void add(std::uint64_t word) { words_.push_back(word); }

    // SPIR-V is known by where it lies: it is embedded in the program.
    void add(const Shader& shader) {
        add(reinterpret_cast<std::uintptr_t>(
            shader.spirv.data()));  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
        add(shader.specialization.size());
        for (const Specialization& constant : shader.specialization) {
            add(std::uint64_t{constant.id} << 32U | constant.value);
        }
        add(std::uint64_t{shader.required_subgroup_size} << 1U | (shader.full_subgroups ? 1U : 0U));
    }

    [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(words_); }

  private:
    std::vector<std::uint64_t> words_;
};

std::vector<std::uint64_t> key_of(const ComputePipelineDesc& desc) {
    KeyWriter key;
    key.add(VK_PIPELINE_BIND_POINT_COMPUTE);
    key.add(desc.shader);
    return key.take();
}

std::vector<std::uint64_t> key_of(const GraphicsPipelineDesc& desc) {
    KeyWriter key;
    key.add(VK_PIPELINE_BIND_POINT_GRAPHICS);
    for (const Shader* shader : {&desc.vertex, &desc.task, &desc.mesh, &desc.fragment}) key.add(*shader);
    key.add(desc.colors.size());
    for (const ColorAttachment& color : desc.colors) {
        key.add(std::uint64_t{static_cast<std::uint32_t>(color.format)} << 32U |
                std::uint64_t{static_cast<std::uint32_t>(color.blend)} << 16U | color.write_mask);
    }
    key.add(desc.depth_format);
    key.add(std::uint64_t{static_cast<std::uint32_t>(desc.depth_compare)} << 2U | (desc.depth_write ? 2U : 0U) |
            (desc.lines ? 1U : 0U));
    return key.take();
}

template <class Desc, class Map>
const Pipeline& find_or_make(Device& device, Map& pipelines, const Desc& desc) {
    auto key = key_of(desc);
    const auto found = pipelines.find(key);
    if (found != pipelines.end()) return found->second;
    return pipelines.emplace(std::move(key), Pipeline(device, desc)).first->second;
}

void add_all(Shader& shader, const std::vector<Specialization>& constants) {
    shader.specialization.insert(shader.specialization.end(), constants.begin(), constants.end());
}

}  // namespace

ComputePipelineDesc Pipelines::complete(ComputePipelineDesc desc) const {
    add_all(desc.shader, everywhere_);
    return desc;
}

GraphicsPipelineDesc Pipelines::complete(GraphicsPipelineDesc desc) const {
    for (Shader* shader : {&desc.vertex, &desc.task, &desc.mesh, &desc.fragment}) add_all(*shader, everywhere_);
    return desc;
}

const Pipeline& Pipelines::get(const ComputePipelineDesc& desc) {
    return find_or_make(device_, pipelines_, complete(desc));
}

const Pipeline& Pipelines::get(const GraphicsPipelineDesc& desc) {
    return find_or_make(device_, pipelines_, complete(desc));
}

void Pipelines::prepare(const PipelineList& list) {
    std::map<Key, std::function<Pipeline()>> missing;
    const auto find_missing = [&](const auto& descs) {
        for (const auto& listed : descs) {
            auto desc = complete(listed);
            Key key = key_of(desc);
            if (pipelines_.contains(key)) continue;
            missing.try_emplace(std::move(key), [this, desc = std::move(desc)] { return Pipeline(device_, desc); });
        }
    };
    find_missing(list.compute);
    find_missing(list.graphics);
    if (missing.empty()) return;
    Progress progress("compile", missing.size(), "pipelines");
    std::mutex mutex;
    std::vector<std::pair<Key, std::function<Pipeline()>>> work(missing.begin(), missing.end());
    ThreadPool pool(std::min(static_cast<unsigned>(work.size()), std::max(std::thread::hardware_concurrency(), 1U)));
    pool.parallel_for(work.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Pipeline made = work[i].second();
            const std::scoped_lock lock(mutex);
            pipelines_.emplace(work[i].first, std::move(made));
            progress.advance();
        }
    });
}

}  // namespace sublet::gpu
