#include "app/frame_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/text.h"

namespace sublet::app {

namespace {

constexpr double kSecond = 1000.0;

double median_of(std::vector<float>& samples) {
    const std::size_t half = samples.size() / 2;
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(half);
    std::nth_element(samples.begin(), middle, samples.end());
    if (samples.size() % 2 == 1) return *middle;
    return 0.5 * (double{*middle} + double{*std::max_element(samples.begin(), middle)});
}

std::optional<FrameHistory::Window> window_of(std::vector<float>& samples) {
    if (samples.empty()) return std::nullopt;
    FrameHistory::Window out;
    out.median = median_of(samples);
    std::ranges::sort(samples);
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(samples.size())));
    out.min = samples.front();
    out.p95 = samples[rank - 1];
    out.max = samples.back();
    return out;
}

struct CounterColumn {
    const char* name;
    std::uint64_t render::Counters::*count;
};

constexpr std::array kCounters{CounterColumn{"instances_visible", &render::Counters::instances_visible},
                               CounterColumn{"meshlets_tested", &render::Counters::meshlets_tested},
                               CounterColumn{"meshlets_drawn_phase1", &render::Counters::meshlets_drawn_phase1},
                               CounterColumn{"meshlets_drawn_phase2", &render::Counters::meshlets_drawn_phase2},
                               CounterColumn{"primitives_tested", &render::Counters::primitives_tested},
                               CounterColumn{"primitives_drawn", &render::Counters::primitives_drawn},
                               CounterColumn{"rounds", &render::Counters::rounds}};

}  // namespace

const FrameSummary::Pass* FrameSummary::slowest() const {
    const auto most = std::ranges::max_element(passes, {}, &Pass::ms);
    return most == passes.end() ? nullptr : &*most;
}

std::string longest_text(const FrameSummary& times) {
    const FrameSummary::Pass* const longest = times.slowest();
    if (longest == nullptr) return {};
    const bool pass = longest->name != gpu::kBetweenPasses;
    return "longest: " + (pass ? '"' + longest->name + '"' : longest->name) + " " + fixed(longest->ms, 2);
}

// Where a pass stands among the names, a new one behind `after` of them.
std::size_t FrameHistory::place_of(std::string_view name, std::size_t after) {
    // As a rule passes come in the same order as in the frame before.
    if (after < names_.size() && names_[after] == name) return after;
    const auto known = std::ranges::find(names_, name);
    if (known != names_.end()) return static_cast<std::size_t>(known - names_.begin());
    if (names_.size() == kMostPasses) return kMostPasses;
    std::array<bool, kMostPasses> taken{};
    for (const Pass& pass : passes_) taken[pass.slot] = true;
    const auto free = static_cast<std::size_t>(std::ranges::find(taken, false) - taken.begin());
    const auto place = static_cast<std::ptrdiff_t>(std::min(after, names_.size()));
    names_.emplace(names_.begin() + place, name);
    passes_.insert(passes_.begin() + place, Pass{free, added_});
    pass_columns_[free].fill(kNone);
    return static_cast<std::size_t>(place);
}

// Those that no frame here has.
void FrameHistory::forget_passes() {
    for (std::size_t i = names_.size(); i-- > 0;) {
        if (added_ - passes_[i].last_seen < kFrames) continue;
        names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(i));
        passes_.erase(passes_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void FrameHistory::submitted(std::uint64_t number, std::optional<double> interval_ms, double cpu_ms) {
    submitted_[number % submitted_.size()] = {number, interval_ms ? static_cast<float>(*interval_ms) : kNone,
                                              static_cast<float>(cpu_ms)};
}

void FrameHistory::add(const render::FrameResult& frame, bool timestamps) {
    forget_passes();
    const Submitted& known = submitted_[frame.number % submitted_.size()];
    const Submitted cpu = known.number == frame.number ? known : Submitted{};
    Entry& made = entries_[next_];
    made.number = frame.number;
    fresh_pipelines_[next_] = frame.fresh_pipelines;
    made.counters = frame.counters;
    time_columns_[0][next_] = cpu.interval;
    time_columns_[1][next_] = cpu.cpu;
    time_columns_[2][next_] = timestamps ? static_cast<float>(frame.times.ms) : kNone;
    time_columns_[3][next_] = timestamps ? static_cast<float>(frame.times.between_passes()) : kNone;
    for (const Pass& pass : passes_) pass_columns_[pass.slot][next_] = kNone;
    std::size_t after = 0;
    for (const gpu::PassTime& pass : frame.times.passes) {
        const std::size_t place = place_of(pass.name, after);
        if (place == kMostPasses) continue;
        pass_columns_[passes_[place].slot][next_] = static_cast<float>(pass.ms);
        passes_[place].last_seen = added_;
        after = place + 1;
    }
    ++added_;
    next_ = (next_ + 1) % kFrames;
    size_ = std::min(size_ + 1, kFrames);
    measure_last_second();
}

void FrameHistory::clear() {
    next_ = size_ = last_second_ = 0;
    names_.clear();
    passes_.clear();
}

void FrameHistory::measure_last_second() {
    double ms = 0;
    last_second_ = 0;
    while (last_second_ < size_ && ms < kSecond) ms += std::max(column(Time::kInterval)[at(last_second_++)], 0.0F);
}

std::vector<float>& FrameHistory::gather(std::size_t count, const Column& column) const {
    sorted_.clear();
    for (std::size_t age = 0; age < count; ++age) {
        const std::size_t place = at(age);
        if (column[place] != kNone && !fresh_pipelines_[place]) sorted_.push_back(column[place]);
    }
    return sorted_;
}

void FrameHistory::fill(std::vector<float>& out, const Column& column) const {
    out.clear();
    for (std::size_t age = size_; age-- > 0;) {
        const std::size_t place = at(age);
        const bool there = column[place] != kNone && !fresh_pipelines_[place];
        out.push_back(there ? column[place] : std::numeric_limits<float>::quiet_NaN());
    }
}

std::optional<double> FrameHistory::median(Time time) const {
    std::vector<float>& samples = gather(last_second_, column(time));
    return samples.empty() ? std::nullopt : std::optional(median_of(samples));
}

std::optional<double> FrameHistory::median_of_pass(std::size_t pass) const {
    std::vector<float>& samples = gather(last_second_, column(pass));
    return samples.empty() ? std::nullopt : std::optional(median_of(samples));
}

FrameSummary FrameHistory::summary() const {
    FrameSummary out{median(Time::kInterval), median(Time::kCpu), median(Time::kGpu), {}, 0.0};
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (const auto ms = median_of_pass(i)) out.passes.push_back({names_[i], *ms});
    }
    if (const auto ms = median(Time::kBetweenPasses)) out.passes.push_back({gpu::kBetweenPasses, *ms});
    for (const Time time : {Time::kInterval, Time::kGpu}) {
        if (const auto all = window(time)) out.most_ms = std::max(out.most_ms, all->p95);
    }
    return out;
}

void FrameHistory::series(Time time, std::vector<float>& out) const {
    fill(out, column(time));
}

void FrameHistory::series_of_pass(std::size_t pass, std::vector<float>& out) const {
    fill(out, column(pass));
}

std::optional<FrameHistory::Window> FrameHistory::window(Time time) const {
    return window_of(gather(size_, column(time)));
}

std::optional<FrameHistory::Window> FrameHistory::window_of_pass(std::size_t pass) const {
    return window_of(gather(size_, column(pass)));
}

Json FrameHistory::json() const {
    Json columns = {"frame", "fresh_pipelines", "interval_ms", "cpu_ms", "gpu_ms", "between_passes_ms"};
    for (const std::string& name : names_) columns.push_back("pass:" + name + "_ms");
    for (const CounterColumn& counter : kCounters) columns.push_back(counter.name);
    Json frames = Json::array();
    const auto ms = [](float value) { return value == kNone ? Json(nullptr) : Json(value); };
    for (std::size_t age = size_; age-- > 0;) {
        const std::size_t place = at(age);
        const Entry& of = entries_[place];
        Json row = {of.number, fresh_pipelines_[place] ? 1 : 0};
        for (const Column& times : time_columns_) row.push_back(ms(times[place]));
        for (const Pass& pass : passes_) row.push_back(ms(pass_columns_[pass.slot][place]));
        for (const CounterColumn& counter : kCounters) row.push_back(of.counters.*counter.count);
        frames.push_back(std::move(row));
    }
    return {{"columns", std::move(columns)}, {"frames", std::move(frames)}};
}

std::string FrameHistory::csv() const {
    const Json table = json();
    std::string out;
    const auto add_row = [&](const Json& row) {
        bool first = true;
        for (const Json& cell : row) {
            if (!std::exchange(first, false)) out += ",";
            if (cell.is_string()) {
                out += csv_field(cell.get<std::string>());
            } else if (cell.is_number_float()) {
                out += significant(cell.get<double>(), 7);
            } else if (!cell.is_null()) {
                out += cell.dump();
            }
        }
        out += "\n";
    };
    add_row(table["columns"]);
    for (const Json& row : table["frames"]) add_row(row);
    return out;
}

}  // namespace sublet::app
