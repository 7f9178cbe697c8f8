#include "sweep.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/stopwatch.h"
#include "cameras.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/backend_info.h"

namespace sublet::test {
namespace {

using render::Backend;

constexpr std::uint32_t kReferenceView = 1;  // the reference keeps its hands off what view 0 remembers
constexpr std::uint32_t kDepthView = 2;
constexpr std::uint64_t kDepthEvery = 4;  // compared frames of a combination: of one of them depths are drawn alone too
constexpr std::size_t kMostErrors = 5;    // frames that could not be rendered, before a scene is given up

struct View {
    std::string name;  // "camera 3 (grazing)", "frame 20"
    render::CameraPose pose;
    float near_plane = 0.1F;
    PictureSize size;
    double time = 0.0;  // of animations
};

// A view's reference, and the pixels in which another picture may differ, counted only when one does: that is dear. The
// compute rasteriser's own pictures are held to one of them.
struct Reference {
    Bench::Shot shot;
    std::optional<Bench::Shot> raster;
    std::optional<render::AmbiguousPixels> ambiguous;
};

bool same(const render::Picture& a, const render::Picture& b) {
    return a.depth.size() == b.depth.size() && a.rgba.size() == b.rgba.size() && a.ids == b.ids &&
           std::memcmp(a.depth.data(), b.depth.data(), a.depth.size() * sizeof(float)) == 0 &&
           std::memcmp(a.rgba.data(), b.rgba.data(), a.rgba.size()) == 0;
}

std::string setting_text(std::string_view name, const render::Settings& settings) {
    const std::string value = render::find_setting(name)->get(settings);
    return value.empty() ? std::string() : " --" + std::string(name) + " " + value;
}

// How `sublet render` shows what this view shows.
std::string command_of(const View& view, const Combination& combination, const SweepOptions& options) {
    render::Settings settings = combination.running;  // the device and its lacks are said beside it
    settings.frame.camera = view.pose;
    settings.frame.near_plane = view.near_plane;
    settings.frame.time = view.time;
    settings.scene = options.scene_settings;
    std::string out = "sublet render" + (options.scene_argument.empty() ? "" : " " + options.scene_argument) +
                      setting_text("grid", settings);
    if (!options.scene_settings.grid.empty()) {
        out += setting_text("grid-spacing", settings);
    }
    out += " --size " + std::to_string(view.size.width) + "x" + std::to_string(view.size.height);
    for (const std::string_view name : {"camera", "near", "backend"}) {
        out += setting_text(name, settings);
    }
    if (view.time != 0.0) out += setting_text("time", settings);
    for (const SettingAxis& axis :
         axes_of(render::backend_info(*settings.frame.backend), settings.frame.compact_budget)) {
        out += setting_text(axis.setting, settings);
    }
    return out;
}

bool tests_triangles(const render::Settings& running, const gpu::Capabilities& capabilities) {
    return running.frame.cull_primitives &&
           render::backend_info(render::resolve(running.frame, capabilities)).primitives !=
               render::PrimitiveCulling::kNone;
}

bool rasterises(const render::Settings& running) {
    return running.frame.backend == Backend::kRaster;
}

bool has_small_budget(const render::Settings& running) {
    return running.frame.compact_budget != 0 &&
           render::backend_info(*running.frame.backend).primitives == render::PrimitiveCulling::kCompute;
}

class Sweep {
  public:
    Sweep(Bench& bench, const SweepOptions& options, std::string mode) : bench_(bench), options_(options) {
        result_.scene = options.scene_name;
        result_.mode = std::move(mode);
        render::ExpansionDemand demand;
        for (const scene::Instance& instance : scene::instances(bench.scene(), options.scene_settings.grid)) {
            const mesh::MeshHeader& mesh = bench.scene().geometry.meshes[instance.mesh];
            demand.add(mesh.meshlet_count);
            ++result_.instances;
            result_.triangles += mesh.triangle_count;
        }
        bench.renderer().set_test_hooks({.fault = options.fault});
        PlanOptions plan = options.plan;
        // Of mesh-indirect: some twenty rounds when nothing is culled.
        plan.small_budget = std::max<std::uint64_t>(result_.triangles / 2, 8192);
        plan_ = plan_combinations(plan, bench.device().capabilities(), demand);
        result_.skipped = plan_.skipped;
        result_.pairs = plan_.pairs;
        result_.repeated = plan_.repeated;
        for (Combination& combination : plan_.combinations) {
            CombinationResult made;
            made.name = combination.name;
            made.group = combination.group;
            made.ran = combination.values;
            result_.combinations.push_back(std::move(made));
            claim_paths(combination);
        }
    }

    [[nodiscard]] std::size_t combinations() const { return plan_.combinations.size(); }

    [[nodiscard]] Reference reference(const View& view) {
        bench_.renderer().set_time(view.time);
        render::FrameSettings settings;
        settings.backend = Backend::kDirect;
        settings.cull_instances = settings.cull_frustum = settings.cull_cone = settings.cull_occlusion = false;
        Reference out{
            bench_.shoot(settings, view.pose, view.near_plane, view.size.width, view.size.height, 1, kReferenceView),
            std::nullopt, std::nullopt};
        if (sweeps(Backend::kRaster)) {
            out.raster = bench_.shoot(reference_settings(render::Show::kShaded, Backend::kRaster), view.pose,
                                      view.near_plane, view.size.width, view.size.height, 1, kReferenceView);
            judge_raster(view, out);
        }
        if (view.size.width * view.size.height > 1) {
            coverage_ += coverage(out.shot.picture);
            ++covered_;
        }
        ++result_.references;
        return out;
    }

    // One more frame of a combination; with a reference, held to it. False when there is no going on.
    bool frame(std::size_t number, const View& view, Reference* reference) {
        const Combination& combination = plan_.combinations[number];
        CombinationResult& result = result_.combinations[number];
        try {
            ++result.frames;
            bench_.renderer().set_time(view.time);
            if (reference == nullptr) {
                bench_.render(combination.asked.frame, view.pose, view.near_plane, view.size.width, view.size.height);
                return true;
            }
            const Bench::Shot shot =
                bench_.shoot(combination.asked.frame, view.pose, view.near_plane, view.size.width, view.size.height);
            result.primitives_drawn += shot.counters.primitives_drawn;
            judge(combination, view, shot, *reference, result);
            note_paths(combination, shot.counters);
            if (result.tally.pictures % kDepthEvery == 1) judge_depth(combination, view, shot);
            // A mistake that was made on purpose is noticed by one picture: more would prove no more.
            if (options_.fault != render::Fault::kNone && result.tally.different != 0) return false;
        } catch (const Error& error) {
            result_.failures.push_back(combination.name + ", " + view.name + ": " + error.what());
            return ++errors_ < kMostErrors;
        }
        return true;
    }

    SceneResult finish(double seconds) {
        result_.seconds = seconds;
        result_.coverage = covered_ == 0 ? 0.0 : coverage_ / static_cast<double>(covered_);
        if (covered_ != 0 && result_.coverage < 0.02) {
            result_.failures.push_back("the pictures are blank: they prove nothing");
        }
        for (const CombinationResult& combination : result_.combinations) {
            if (combination.primitives_drawn == 0) {
                result_.failures.push_back(combination.name + ": drew nothing in any picture");
            }
        }
        return std::move(result_);
    }

  private:
    // Of a combination, by name: what a picture must prove that it ran.
    void claim_paths(const Combination& combination) {
        for (const std::string& value : combination.values) {
            result_.paths.try_emplace(value, 0);
        }
        const std::string backend(render::backend_name(*combination.running.frame.backend));
        result_.paths.try_emplace(backend + " depth alone", 0);
        if (combination.running.frame.cull_occlusion) {
            result_.paths.try_emplace(backend + " first phase", 0);
            result_.paths.try_emplace(backend + " second phase", 0);
        }
        if (tests_triangles(combination.running, bench_.device().capabilities())) {
            result_.paths.try_emplace(backend + " rejects triangles", 0);
        }
        if (rasterises(combination.running)) {
            result_.paths.try_emplace(backend + " large triangles", 0);
            if (combination.running.frame.compact_budget != 0) {
                result_.paths.try_emplace(backend + " full list", 0);
            }
        }
        if (has_small_budget(combination.running)) {
            result_.paths.try_emplace(backend + " further rounds", 0);
        }
    }

    void note_paths(const Combination& combination, const render::Counters& counters) {
        if (counters.primitives_drawn == 0) {
            return;
        }
        for (const std::string& value : combination.values) {
            ++result_.paths[value];
        }
        const render::Settings& running = combination.running;
        const std::string backend(render::backend_name(*running.frame.backend));
        const auto note = [&](bool entered, const char* what) {
            if (entered) {
                ++result_.paths[backend + what];
            }
        };
        if (running.frame.cull_occlusion) {
            note(counters.meshlets_drawn_phase1 > 0, " first phase");
            note(counters.meshlets_drawn_phase2 > 0, " second phase");
        }
        if (tests_triangles(running, bench_.device().capabilities())) {
            note(counters.primitives_drawn < counters.primitives_tested, " rejects triangles");
        }
        if (rasterises(running)) {
            note(counters.raster_large > 0, " large triangles");
            if (running.frame.compact_budget != 0) note(counters.raster_left > 0, " full list");
        }
        if (has_small_budget(running)) {
            note(counters.rounds > 1, " further rounds");
        }
    }

    // Whether some combination is of this backend.
    [[nodiscard]] bool sweeps(Backend backend) const {
        return std::any_of(plan_.combinations.begin(), plan_.combinations.end(), [&](const Combination& combination) {
            return combination.running.frame.backend == backend;
        });
    }

    // The compute rasteriser against the graphics pipeline, on the view that was drawn last.
    void judge_raster(const View& view, Reference& reference) {
        reference.ambiguous = bench_.ambiguous(view.pose, view.near_plane, view.size.width, view.size.height);
        const render::RasterDifferences& raster = reference.ambiguous->raster.value();
        result_.depth_ties += reference.ambiguous->depth_ties;
        result_.snapped_faces += reference.ambiguous->snapped_faces;
        result_.raster_edge_pixels += raster.edge_pixels;
        result_.raster_depth_pixels += raster.depth_pixels;
        if (raster.wrong_pixels != 0) {
            Combination plain;
            plain.running.frame = reference_settings(render::Show::kShaded, Backend::kRaster);
            plain.running.frame.count_ties = true;
            result_.failures.push_back("raster: " + std::to_string(raster.wrong_pixels) +
                                       " pixels differ from direct draws without a reason: " + view.name + ": " +
                                       command_of(view, plain, options_) + " --count-ties on");
        }
    }

    void judge(const Combination& combination, const View& view, const Bench::Shot& shot, Reference& reference,
               CombinationResult& result) {
        const bool raster = combination.running.frame.backend == Backend::kRaster;
        const Bench::Shot& expected = raster ? *reference.raster : reference.shot;
        Tally& tally = result.tally;
        ++tally.pictures;
        if (shot.counters.overflow != 0) {
            result_.failures.push_back(combination.name + ", " + view.name + ": the expansion dropped " +
                                       std::to_string(shot.counters.overflow) + " meshlets");
        }
        if (same(expected.picture, shot.picture)) {
            ++tally.identical;
            return;
        }
        if (!reference.ambiguous) {
            reference.ambiguous = bench_.ambiguous(view.pose, view.near_plane, view.size.width, view.size.height);
            result_.depth_ties += reference.ambiguous->depth_ties;
            result_.snapped_faces += reference.ambiguous->snapped_faces;
        }
        render::AmbiguousPixels none;  // the rasteriser's pictures are equal to the bit among themselves
        none.mask.resize(expected.picture.depth.size());
        const Difference difference = compare(expected.picture, shot.picture, raster ? none : *reference.ambiguous);
        tally.excused_pixels += difference.excused;
        tally.different_depths += difference.depth;
        tally.different_colors += difference.color;
        if (difference.depth + difference.color != 0) {
            ++tally.different;
            result_.failures.push_back(std::to_string(difference.depth) + " depths and " +
                                       std::to_string(difference.color) + " colours or ids differ: " + view.name +
                                       ": " + command_of(view, combination, options_));
        }
    }

    // Depth alone, held to that of a picture of the same combination.
    void judge_depth(const Combination& combination, const View& view, const Bench::Shot& shot) {
        const std::vector<float> depth = bench_.shoot_depth(combination.asked.frame, view.pose, view.near_plane,
                                                            view.size.width, view.size.height, kDepthView);
        const std::vector<float>& expected = shot.picture.depth;
        if (depth.size() != expected.size() ||
            std::memcmp(depth.data(), expected.data(), depth.size() * sizeof(float)) != 0) {
            result_.failures.push_back("depth alone differs: " + view.name + ": " +
                                       command_of(view, combination, options_));
        }
        if (bench_.renderer().counters().primitives_drawn != 0) {
            ++result_.paths[std::string(render::backend_name(*combination.running.frame.backend)) + " depth alone"];
        }
    }

    Bench& bench_;
    const SweepOptions& options_;
    CombinationPlan plan_;
    SceneResult result_;
    double coverage_ = 0.0;
    std::uint64_t covered_ = 0;
    std::size_t errors_ = 0;
};

// Frames of a path in a second of animations.
constexpr double kPathRate = 8.0;

// With a size of its own for each camera in turn, or all cameras at one size.
std::vector<View> still_views(const std::vector<StillCamera>& cameras, const SweepOptions& options, std::size_t size) {
    std::vector<View> out;
    for (std::size_t i = 0; i < cameras.size(); ++i) {
        if (options.deal_sizes && i % options.sizes.size() != size) {
            continue;
        }
        out.push_back({"camera " + std::to_string(i) + " (" + std::string(cameras[i].kind) + ")", cameras[i].pose,
                       cameras[i].near_plane, options.sizes[size]});
    }
    return out;
}

}  // namespace

SceneResult sweep_stills(Bench& bench, const SweepOptions& options) {
    const Stopwatch watch;
    Sweep sweep(bench, options, "stills");
    const std::vector<StillCamera> cameras = still_cameras(bench.scene(), options.scene_settings.grid, options.cameras);
    for (std::size_t size = 0; size < options.sizes.size(); ++size) {
        const std::vector<View> views = still_views(cameras, options, size);
        std::vector<Reference> references;
        for (const View& view : views) {
            references.push_back(sweep.reference(view));
        }
        for (std::size_t number = 0; number < sweep.combinations(); ++number) {
            for (std::size_t i = 0; i < views.size(); ++i) {
                if (!sweep.frame(number, views[i], &references[i])) {
                    return sweep.finish(watch.seconds());
                }
            }
        }
    }
    return sweep.finish(watch.seconds());
}

SceneResult sweep_path(Bench& bench, const SweepOptions& options) {
    const Stopwatch watch;
    SweepOptions moving = options;
    if (moving.plan.backends.empty()) {
        for (const Backend backend : render::all_backends()) {
            if (render::culls_on_gpu(render::backend_info(backend))) {  // else it keeps nothing from frame to frame
                moving.plan.backends.push_back(backend);
            }
        }
    }
    Sweep sweep(bench, moving, "path");
    const std::vector<PathFrame> path = moving_camera(bench.scene(), options.scene_settings.grid, options.path_frames);
    for (const PictureSize& size : options.sizes) {
        std::vector<View> views;
        std::vector<std::optional<Reference>> references(path.size());
        for (std::size_t i = 0; i < path.size(); ++i) {
            views.push_back({"frame " + std::to_string(i) + (path[i].cut ? " (cut)" : ""), path[i].pose,
                             path[i].near_plane, size, static_cast<double>(i) / kPathRate});
            if (i % options.path_every == 0 || path[i].cut || path[i - 1].cut) {
                references[i] = sweep.reference(views.back());
            }
        }
        for (std::size_t number = 0; number < sweep.combinations(); ++number) {
            for (std::size_t i = 0; i < views.size(); ++i) {
                if (!sweep.frame(number, views[i], references[i] ? &*references[i] : nullptr)) {
                    return sweep.finish(watch.seconds());
                }
            }
        }
    }
    return sweep.finish(watch.seconds());
}

}  // namespace sublet::test
