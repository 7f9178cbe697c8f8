#include "combinations.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "pairwise.h"
#include "render/settings/backend_info.h"

namespace sublet::test {
namespace {

using render::Backend;
using render::Settings;

const std::vector<std::string> kOnOff{"on", "off"};

// Bytes of the compute rasteriser's list: two triangles. The sublets of others are drawn once more.
constexpr std::uint64_t kFewLargeTriangles = 16;

std::string budget_text(std::uint64_t bytes) {
    return render::find_setting("compact-budget")->get([&] {
        Settings settings;
        settings.frame.compact_budget = bytes;
        return settings;
    }());
}

void apply(Settings& settings, std::string_view name, std::string_view value) {
    render::find_setting(name)->set(settings, value);
}

// Null when this device and these sources can do it.
std::optional<std::string> why_not(const Settings& asked, const gpu::Capabilities& capabilities,
                                   const render::ExpansionDemand& demand) {
    try {
        const render::FramePlan plan = render::resolve(asked.frame, capabilities);
        if (render::backend_info(plan.backend).survivors == render::Survivors::kNone) {
            return std::nullopt;  // nothing is expanded in compute
        }
        return render::expansion_unavailable(plan.expansion, demand, capabilities);
    } catch (const Error& error) {
        return error.what();
    }
}

class Planner {
  public:
    Planner(const PlanOptions& options, const gpu::Capabilities& capabilities, const render::ExpansionDemand& demand)
        : options_(options), capabilities_(capabilities), demand_(demand) {}

    void add_backend(Backend backend, CombinationPlan& out) {
        const std::string name(render::backend_name(backend));
        if (const auto reason = render::backend_unavailable(backend, capabilities_)) {
            out.skipped.push_back({name, *reason});
            return;
        }
        base_ = Settings{};
        base_.frame.backend = backend;
        axes_ = axes_of(render::backend_info(render::resolve(base_.frame, capabilities_)), options_.small_budget);
        seen_.clear();
        add_alone_or_together(name, out);
        if (options_.pairwise) {
            add_pairwise(name, out);
        }
        if (backend == Backend::kMdi) {  // which then draws in another way
            base_.frame.cull_sublets = false;
            add_alone_or_together(name + " cull-sublets=off", out);
        }
    }

  private:
    // Nothing when this device and these sources can't do it.
    std::optional<Combination> make(const Settings& asked) const {
        if (why_not(asked, capabilities_, demand_)) return std::nullopt;
        Combination made;
        made.asked = made.running = asked;
        made.running.frame = render::as_planned(asked.frame, render::resolve(asked.frame, capabilities_));
        for (const SettingAxis& axis : axes_) {
            const std::string value = render::find_setting(axis.setting)->get(made.running);
            made.values.push_back(std::string(render::backend_name(*asked.frame.backend)) + " " +
                                  std::string(axis.setting) + "=" + (value.empty() ? "auto" : value));
        }
        return made;
    }

    // Adds what runs like nothing before it.
    void add(std::string name, std::string group, const Settings& asked, CombinationPlan& out) {
        std::optional<Combination> made = make(asked);
        if (!made) {
            out.skipped.push_back({std::move(name), *why_not(asked, capabilities_, demand_)});
            return;
        }
        if (!seen_.insert(made->values).second) {
            ++out.repeated;
            return;
        }
        made->name = std::move(name);
        made->group = std::move(group);
        out.combinations.push_back(std::move(*made));
    }

    void add_alone_or_together(const std::string& name, CombinationPlan& out) {
        if (options_.singles) add_singles(name, out);
        if (options_.together) add_together(name, out);
    }

    // A value on top of the defaults.
    struct Single {
        std::string_view setting;
        std::string value, name;
    };

    // What a combination with one more value runs with, where that changes all that the value alone changes and leaves
    // what the others changed.
    [[nodiscard]] std::optional<Combination> with(const Combination& row, const Single& single,
                                                  std::set<std::string>& changed) const {
        Settings alone = base_;
        apply(alone, single.setting, single.value);
        Settings both = row.asked;
        apply(both, single.setting, single.value);
        const std::optional<Combination> base = make(base_), by_itself = make(alone);
        std::optional<Combination> out = make(both);
        if (!base || !by_itself || !out) return std::nullopt;
        std::set<std::string> wanted = changed;
        for (const std::string& value : by_itself->values) {
            if (std::find(base->values.begin(), base->values.end(), value) == base->values.end()) wanted.insert(value);
        }
        const std::set<std::string> has(out->values.begin(), out->values.end());
        if (!std::includes(has.begin(), has.end(), wanted.begin(), wanted.end())) return std::nullopt;
        changed = std::move(wanted);
        return out;
    }

    // Of values of one kind a combination has one at most. Settings of a kind go into the same pipelines, or bound the
    // same work: with values of two kinds no pipeline is made that neither value alone makes, and neither leaves the
    // other nothing to do.
    static std::string_view kind_of(std::string_view setting) {
        for (const char* of_lists : {"expansion", "occlusion-detail", "cull-occlusion", "cull-sublets"}) {
            if (setting == of_lists) return "lists";
        }
        if (setting == "raster-limit" || setting == "compact-budget") return "bounds";
        return setting.starts_with("cull-") && setting != "cull-primitives" ? "tests" : "drawing";
    }

    // The values that add_singles() tries, several at once.
    void add_together(const std::string& name, CombinationPlan& out) {
        const std::string group = name + " together";
        add(name, group, base_, out);
        std::vector<Single> left;
        for (const SettingAxis& axis : axes_) {
            for (const std::string& value : axis.values) {
                Settings alone = base_;
                apply(alone, axis.setting, value);
                Single single{axis.setting, value,
                              " " + std::string(axis.setting) + "=" + (value.empty() ? "auto" : value)};
                const std::optional<Combination> made = make(alone);
                if (made && !seen_.contains(made->values)) {
                    left.push_back(std::move(single));
                } else {
                    add(name + single.name, group, alone, out);  // skipped, or repeated
                }
            }
        }
        while (!left.empty()) {
            std::string title = name;
            std::optional<Combination> row = make(base_);
            std::set<std::string> changed;
            std::set<std::string_view> kinds;
            std::erase_if(left, [&](const Single& single) {
                if (kinds.contains(kind_of(single.setting))) return false;
                std::optional<Combination> more = with(*row, single, changed);
                if (!more) return false;
                row = std::move(more);
                title += single.name;
                kinds.insert(kind_of(single.setting));
                return true;
            });
            add(std::move(title), group, row->asked, out);
        }
        add_all_culling_off(name, group, out);
    }

    void add_all_culling_off(const std::string& name, const std::string& group, CombinationPlan& out) {
        Settings off = base_;
        for (const SettingAxis& axis : axes_) {
            if (axis.setting.starts_with("cull-")) apply(off, axis.setting, "off");
        }
        add(name + " all culling off", group, off, out);
    }

    void add_singles(const std::string& name, CombinationPlan& out) {
        const std::string group = name + " singles";
        add(name, group, base_, out);
        for (const SettingAxis& axis : axes_) {
            for (const std::string& value : axis.values) {
                Settings asked = base_;
                apply(asked, axis.setting, value);
                add(name + " " + std::string(axis.setting) + "=" + (value.empty() ? "auto" : value), group, asked, out);
            }
        }
        add_all_culling_off(name, group, out);
    }

    [[nodiscard]] Settings settings_of(const Row& row) const {
        Settings asked = base_;
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            apply(asked, axes_[axis].setting, axes_[axis].values[row[axis]]);
        }
        return asked;
    }

    [[nodiscard]] std::string value_name(std::size_t axis, std::size_t value) const {
        const std::string& text = axes_[axis].values[value];
        return std::string(axes_[axis].setting) + "=" + (text.empty() ? "auto" : text);
    }

    void add_pairwise(const std::string& name, CombinationPlan& out) {
        std::vector<std::size_t> sizes;
        for (const SettingAxis& axis : axes_) {
            sizes.push_back(axis.values.size());
        }
        const PairwiseCover cover =
            cover_pairs(sizes, [&](const Row& row) { return why_not(settings_of(row), capabilities_, demand_); });
        out.pairs += cover.pairs;
        for (const Row& row : cover.rows) {
            std::string title = name;
            for (std::size_t axis = 0; axis < row.size(); ++axis) {
                title += " " + value_name(axis, row[axis]);
            }
            add(std::move(title), name + " pairwise", settings_of(row), out);
        }
        for (const ImpossiblePair& pair : cover.impossible) {
            out.skipped.push_back(
                {name + " pair " + value_name(pair.axis_a, pair.value_a) + " " + value_name(pair.axis_b, pair.value_b),
                 pair.reason});
        }
    }

    const PlanOptions& options_;
    const gpu::Capabilities& capabilities_;
    const render::ExpansionDemand& demand_;
    Settings base_;
    std::vector<SettingAxis> axes_;
    std::set<std::vector<std::string>> seen_;  // values of those that were added
};

}  // namespace

std::uint64_t sublet_output_bytes(Backend backend) {
    constexpr std::uint64_t kIndices = std::uint64_t{32} * 4 * 4;
    constexpr std::uint64_t kBatch = std::uint64_t{2} * 32 * 4;
    constexpr std::uint64_t kMasks = 8;
    return backend == Backend::kCompact ? kIndices : backend == Backend::kMeshIndirect ? kBatch : kMasks;
}

std::vector<SettingAxis> axes_of(const render::BackendInfo& info, std::uint64_t small_budget) {
    std::vector<SettingAxis> out{{"cull-instances", kOnOff}, {"cull-frustum", kOnOff}};
    if (info.backend == Backend::kDirect) out.push_back({"direct-meshlets", {"off", "on"}});
    out.push_back({"cull-cone", kOnOff});
    if (!render::culls_on_gpu(info)) {
        return out;
    }
    out.push_back({"cull-occlusion", kOnOff});
    out.push_back({"cull-sublets", kOnOff});
    // It has queues of its own, and one form of its mesh node.
    const bool by_driver = info.backend == Backend::kGraphAmdx;
    if (info.survivors != render::Survivors::kNone && !by_driver) {
        SettingAxis expansion{"expansion", {}};
        for (const render::ExpansionStrategy strategy : render::all_expansions()) {
            expansion.values.emplace_back(render::expansion_name(strategy));
        }
        // task-list first: it is never unavailable
        std::reverse(expansion.values.begin(), expansion.values.end());
        out.push_back(std::move(expansion));
    }
    if (info.primitives == render::PrimitiveCulling::kNone) {
        return out;
    }
    if (info.primitives != render::PrimitiveCulling::kRaster) {
        out.push_back({"cull-primitives", kOnOff});
    }
    out.push_back({"payload", {"decoded", "encoded"}});
    if (!by_driver) out.push_back({"subgroup", {"general", "32", "64"}});
    if (info.survivors == render::Survivors::kSublets) {
        out.push_back({"occlusion-detail", {"meshlets", "sublets"}});
    }
    if (info.primitives == render::PrimitiveCulling::kCompute) {
        out.back().values.emplace_back("primitives");
        if (small_budget != 0) {
            // As many rounds for each, or masks would all fit in one.
            const std::uint64_t bytes =
                small_budget * sublet_output_bytes(info.backend) / sublet_output_bytes(Backend::kMeshIndirect);
            out.push_back({"compact-budget", {"", budget_text(std::max<std::uint64_t>(bytes, 1))}});
        }
    }
    if (info.primitives == render::PrimitiveCulling::kRaster) {
        out.push_back({"raster-limit", {"32", "16384"}});
        if (small_budget != 0) {
            out.push_back({"compact-budget", {"", budget_text(kFewLargeTriangles)}});
        }
    }
    if (info.mesh_shader) {
        if (!by_driver) out.push_back({"meshlet-workgroup", {"32", "64", "128", "256"}});
        out.push_back({"local-invocation-output", {"off", "on"}});
    }
    return out;
}

CombinationPlan plan_combinations(const PlanOptions& options, const gpu::Capabilities& capabilities,
                                  const render::ExpansionDemand& demand) {
    CombinationPlan out;
    Planner planner(options, capabilities, demand);
    for (const Backend backend : render::all_backends()) {
        if (options.backends.empty() ||
            std::find(options.backends.begin(), options.backends.end(), backend) != options.backends.end()) {
            planner.add_backend(backend, out);
        }
    }
    return out;
}

}  // namespace sublet::test
