#include "gpu/pipelines.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "base/progress.h"
#include "base/thread_pool.h"
#include "gpu/embedded.h"
#include "gpu/spirv.h"

namespace sublet::gpu {
namespace {

// Appends what descriptions are made of, each with its length where that varies: no two different ones have equal keys.
// (Layouts follow from shaders, and those of textures are all interchangeable.)
class KeyWriter {
  public:
    void add(std::uint64_t word) { words_.push_back(word); }

    // A shader is known by where it lies: it is embedded in the program.
    void add(const Shader& shader) {
        add(reinterpret_cast<std::uintptr_t>(
            shader.spirv.data()));  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
        add(shader.specialization.size());
        for (const Specialization& constant : shader.specialization) {
            add(std::uint64_t{constant.id} << 32U | constant.value);
        }
        add(std::uint64_t{shader.required_subgroup_size} << 1U | (shader.full_subgroups ? 1U : 0U));
    }

    void add(const GraphicsPipelineDesc& desc) {
        for (const Shader* shader : {&desc.vertex, &desc.task, &desc.mesh, &desc.fragment}) add(*shader);
        add(desc.colors.size());
        for (const ColorAttachment& color : desc.colors) {
            add(std::uint64_t{static_cast<std::uint32_t>(color.format)} << 32U |
                std::uint64_t{static_cast<std::uint32_t>(color.blend)} << 16U | color.write_mask);
        }
        add(desc.depth_format);
        const std::uint64_t faces =
            desc.faces ? 1U + desc.faces->cull * 2U + static_cast<std::uint32_t>(desc.faces->front) * 8U : 0U;
        add(std::uint64_t{static_cast<std::uint32_t>(desc.depth_compare)} << 3U | (desc.generated ? 4U : 0U) |
            (desc.depth_write ? 2U : 0U) | (desc.lines ? 1U : 0U) | faces << 32U);
    }

    [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(words_); }

  private:
    std::vector<std::uint64_t> words_;
};

std::vector<std::uint64_t> key_of(const ComputePipelineDesc& desc) {
    KeyWriter key;
    key.add(VK_PIPELINE_BIND_POINT_COMPUTE);
    key.add(desc.shader);
    key.add(desc.generated ? 1U : 0U);
    return key.take();
}

std::vector<std::uint64_t> key_of(const GraphicsPipelineDesc& desc) {
    KeyWriter key;
    key.add(VK_PIPELINE_BIND_POINT_GRAPHICS);
    key.add(desc);
    return key.take();
}

// (What is a node of its shader goes with that.)
std::vector<std::uint64_t> key_of(const ExecutionGraphDesc& desc) {
    KeyWriter key;
    key.add(VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX);
    key.add(desc.nodes.size());
    for (const ExecutionGraphDesc::Node& node : desc.nodes) key.add(node.shader);
    for (const GraphicsPipelineDesc& draw : desc.draws) key.add(draw);
    return key.take();
}

unsigned cores() {
    return std::max(std::thread::hardware_concurrency(), 1U);
}

// Whether a shader's code reads this specialization constant. One that is merely declared, as what is included
// declares it, is not read. A literal that happens to be its id counts as reading, which costs a pipeline alone.
bool reads(std::span<const std::uint32_t> words, std::uint32_t constant) {
    if (words.empty()) return false;
    std::uint32_t id = 0;
    bool found = false;
    spirv::for_each_instruction(words, [&](spirv::Instruction instruction) {
        const std::uint32_t opcode = spirv::opcode(instruction);
        const auto operands = instruction.subspan(1);
        if (opcode == spirv::kDecorate && operands.size() >= 3 && operands[1] == spirv::kSpecId &&
            operands[2] == constant) {
            id = operands[0];
        }
        const bool declares = opcode >= spirv::kSpecConstantTrue && opcode <= spirv::kSpecConstant;
        if (opcode == spirv::kName || opcode == spirv::kDecorate || declares || id == 0) return;
        found = found || std::ranges::find(operands, id) != operands.end();
    });
    return found;
}

}  // namespace

void Pipelines::add_everywhere(Shader& shader) const {
    for (const Specialization& constant : everywhere_) {
        const auto key = std::pair(shader.spirv.data(), constant.id);
        const auto [known, fresh] = reads_.try_emplace(key, false);
        if (fresh) known->second = reads(unpack(shader.spirv), constant.id);
        const bool has_own = std::ranges::any_of(shader.specialization,
                                                 [&](const Specialization& own) { return own.id == constant.id; });
        if (known->second && !has_own) shader.specialization.push_back(constant);
    }
}

ComputePipelineDesc Pipelines::complete(ComputePipelineDesc desc) const {
    add_everywhere(desc.shader);
    return desc;
}

GraphicsPipelineDesc Pipelines::complete(GraphicsPipelineDesc desc) const {
    for (Shader* shader : {&desc.vertex, &desc.task, &desc.mesh, &desc.fragment}) add_everywhere(*shader);
    return desc;
}

ExecutionGraphDesc Pipelines::complete(ExecutionGraphDesc desc) const {
    for (ExecutionGraphDesc::Node& node : desc.nodes) add_everywhere(node.shader);
    for (GraphicsPipelineDesc& draw : desc.draws) draw = complete(std::move(draw));
    return desc;
}

template <class Desc>
const Pipeline& Pipelines::find_or_make(const Desc& desc) {
    Key key = key_of(desc);
    {
        const std::scoped_lock lock(mutex_);
        const auto found = pipelines_.find(key);
        if (found != pipelines_.end()) return found->second;
    }
    Pipeline made(device_, desc);
    const std::scoped_lock lock(mutex_);
    return pipelines_.emplace(std::move(key), std::move(made)).first->second;
}

const Pipeline& Pipelines::get(const ComputePipelineDesc& desc) {
    return find_or_make(complete(desc));
}

const Pipeline& Pipelines::get(const GraphicsPipelineDesc& desc) {
    return find_or_make(complete(desc));
}

const Pipeline& Pipelines::get(const ExecutionGraphDesc& desc) {
    return find_or_make(complete(desc));
}

std::vector<Pipelines::Job> Pipelines::missing(const PipelineList& list) {
    std::vector<Job> jobs;
    std::set<Key> listed;
    const std::scoped_lock lock(mutex_);
    const auto add = [&](const auto& descs) {
        for (const auto& given : descs) {
            auto desc = complete(given);
            Key key = key_of(desc);
            if (pipelines_.contains(key) || under_way_.contains(key) || !listed.insert(key).second) continue;
            std::string name = desc.name;
            jobs.push_back(
                {std::move(key), std::move(name), [this, desc = std::move(desc)] { return Pipeline(device_, desc); }});
        }
    };
    add(list.compute);
    add(list.graphics);
    add(list.graphs);
    return jobs;
}

std::vector<Pipelines::Key> Pipelines::keys(const PipelineList& list) const {
    std::vector<Key> out;
    for (const ComputePipelineDesc& desc : list.compute) out.push_back(key_of(complete(desc)));
    for (const GraphicsPipelineDesc& desc : list.graphics) out.push_back(key_of(complete(desc)));
    for (const ExecutionGraphDesc& desc : list.graphs) out.push_back(key_of(complete(desc)));
    return out;
}

void Pipelines::prepare(const PipelineList& list) {
    const auto make = [&](const std::vector<Job>& work) {
        if (work.empty()) return;
        Progress progress("compile", work.size(), "pipelines");
        ThreadPool pool(std::min(static_cast<unsigned>(work.size()), cores()));
        pool.parallel_for(work.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t task = begin; task < end; ++task) {
                const Job& job = work[task];
                Pipeline made = job.make();
                const std::scoped_lock lock(mutex_);
                pipelines_.emplace(job.key, std::move(made));
                failed_.erase(job.key);
                progress.advance();
            }
        });
    };
    make(missing(list));
    {
        const std::vector<Key> wanted = keys(list);
        std::unique_lock lock(mutex_);
        done_.wait(lock, [&] {
            return std::none_of(wanted.begin(), wanted.end(), [&](const Key& key) { return under_way_.contains(key); });
        });
    }
    make(missing(list));  // those that failed, for their errors
}

void Pipelines::start(const PipelineList& list) {
    std::vector<Job> jobs = missing(list);
    std::unique_lock lock(mutex_);
    std::erase_if(jobs, [&](const Job& job) { return failed_.contains(job.key); });
    if (jobs.empty()) return;
    if (working_ == 0) {  // those that there were have ended, or will at once
        std::vector<std::thread> ended = std::exchange(threads_, {});
        lock.unlock();
        for (std::thread& thread : ended) thread.join();
        lock.lock();
    }
    if (under_way_.empty()) started_ = 0;
    started_ += jobs.size();
    for (Job& job : jobs) {
        under_way_.insert(job.key);
        queue_.push_back(std::move(job));
    }
    for (std::size_t i = 0; i < queue_.size() && working_ < cores(); ++i) {
        threads_.emplace_back([this] { work(); });
        ++working_;
    }
}

void Pipelines::work() {
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) {
        const Job job = std::move(queue_.front());
        queue_.pop_front();
        compiling_ = job.name;
        const auto gate = gate_;  // a copy: set_gate() may replace it meanwhile
        lock.unlock();
        std::optional<Pipeline> made;
        std::exception_ptr failure;
        try {
            if (gate) gate(job.name);
            made = job.make();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (made) {
            pipelines_.emplace(job.key, std::move(*made));
        } else {
            failed_[job.key] = failure;
        }
        under_way_.erase(job.key);
        done_.notify_all();
    }
    --working_;
}

void Pipelines::set_gate(std::function<void(const std::string&)> gate) {
    const std::scoped_lock lock(mutex_);
    gate_ = std::move(gate);
}

bool Pipelines::ready(const PipelineList& list) {
    const std::scoped_lock lock(mutex_);
    bool all = true;
    for (const Key& key : keys(list)) {
        const auto failed = failed_.find(key);
        if (failed != failed_.end()) std::rethrow_exception(failed->second);
        all = all && pipelines_.contains(key);
    }
    return all;
}

Compiling Pipelines::compiling() const {
    const std::scoped_lock lock(mutex_);
    if (under_way_.empty()) return {};
    return {under_way_.size(), started_, compiling_};
}

Pipelines::~Pipelines() {
    {
        const std::scoped_lock lock(mutex_);
        queue_.clear();
    }
    for (std::thread& thread : threads_) thread.join();
}

}  // namespace sublet::gpu
