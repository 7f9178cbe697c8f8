#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/pipeline.h"

namespace sublet::gpu {

// Descriptions of pipelines that will be wanted.
struct PipelineList {
    std::vector<ComputePipelineDesc> compute;
    std::vector<GraphicsPipelineDesc> graphics;
    std::vector<ExecutionGraphDesc> graphs;

    void add(ComputePipelineDesc desc) { compute.push_back(std::move(desc)); }
    void add(GraphicsPipelineDesc desc) { graphics.push_back(std::move(desc)); }
    void add(ExecutionGraphDesc desc) { graphs.push_back(std::move(desc)); }
    void append(const PipelineList& more) {
        compute.insert(compute.end(), more.compute.begin(), more.compute.end());
        graphics.insert(graphics.end(), more.graphics.begin(), more.graphics.end());
        graphs.insert(graphs.end(), more.graphs.begin(), more.graphs.end());
    }
};

// How far Pipelines::start() is.
struct Compiling {
    std::size_t left = 0, total = 0;  // of those that were started since none was left
    std::string name;                 // of one that is being compiled now; empty: of none
};

// Pipelines by their descriptions: each is made when it is first asked for, and kept.
class Pipelines {
  public:
    explicit Pipelines(Device& device) : device_(device) {}
    // Waits for those that are being compiled; those that wait for their turn are dropped.
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

    // Values that all pipelines get from now on, in every shader that reads them and has none of its own.
    void specialize(std::vector<Specialization> everywhere) { everywhere_ = std::move(everywhere); }

    // The reference stays good as long as this lives. Throws what Pipeline's constructor does.
    const Pipeline& get(const ComputePipelineDesc& desc);
    const Pipeline& get(const GraphicsPipelineDesc& desc);
    const Pipeline& get(const ExecutionGraphDesc& desc);

    // Makes those that there are not yet, several at once where the machine has cores for it, and waits for those that
    // start() left. Shows its progress on a terminal. Throws what Pipeline's constructor does; those made until then
    // are kept.
    void prepare(const PipelineList& list);

    // Makes those that there are not yet beside the caller, on threads of their own, in the order of the list (compute
    // first), behind what was started before.
    void start(const PipelineList& list);
    // Whether all of these are made. Throws what made one of those that were started fail.
    [[nodiscard]] bool ready(const PipelineList& list);
    [[nodiscard]] Compiling compiling() const;

    // For tests: it is called before each pipeline that start() makes, with its name, on the thread that makes it.
    void set_gate(std::function<void(const std::string&)> gate);

  private:
    using Key = std::vector<std::uint64_t>;  // all of a description but its name
    // One that start() makes.
    struct Job {
        Key key;
        std::string name;
        std::function<Pipeline()> make;
    };

    template <class Desc>
    const Pipeline& find_or_make(const Desc& desc);
    // Of the list, what there is not and is not under way.
    [[nodiscard]] std::vector<Job> missing(const PipelineList& list);
    [[nodiscard]] std::vector<Key> keys(const PipelineList& list) const;
    void work();

    void add_everywhere(Shader& shader) const;
    // A description with the values that all have.
    [[nodiscard]] ComputePipelineDesc complete(ComputePipelineDesc desc) const;
    [[nodiscard]] GraphicsPipelineDesc complete(GraphicsPipelineDesc desc) const;
    [[nodiscard]] ExecutionGraphDesc complete(ExecutionGraphDesc desc) const;

    Device& device_;
    std::vector<Specialization> everywhere_;
    // Whether a shader, by where its words are, reads one of these, by its number: found out once.
    mutable std::map<std::pair<const std::uint32_t*, std::uint32_t>, bool> reads_;
    mutable std::mutex mutex_;  // of all below
    std::function<void(const std::string&)> gate_;
    std::map<Key, Pipeline> pipelines_;
    std::deque<Job> queue_;
    std::set<Key> under_way_;                   // of start(), those of the queue included
    std::string compiling_;                     // the name of the one that was begun last
    std::size_t started_ = 0;                   // since none was left
    std::map<Key, std::exception_ptr> failed_;  // of start(), which does not try them again, and why
    std::condition_variable done_;              // one of those that were under way is not any more
    std::vector<std::thread> threads_;
    unsigned working_ = 0;  // of these: those that will look at the queue again
};

}  // namespace sublet::gpu
