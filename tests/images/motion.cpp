#include "motion.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "render/settings/backend_info.h"
#include "render/settings/expansion_strategy.h"

namespace sublet::test {

using render::Backend;
using render::CameraPose;
using render::FrameSettings;

Difference against_reference(Bench& bench, const render::Picture& picture, const CameraPose& pose,
                             std::optional<Backend> backend) {
    const Bench::Shot reference =
        bench.reference(pose, kNear, kWidth, kHeight, render::Projection::kPerspective, backend);
    render::AmbiguousPixels ambiguous;
    ambiguous.mask.resize(reference.picture.depth.size());
    const Difference difference = compare(reference.picture, picture, ambiguous);
    if (difference.depth + difference.color == 0) return difference;
    return compare(reference.picture, picture, bench.ambiguous(pose, kNear, kWidth, kHeight));
}

Difference against_reference(Bench& bench, const FrameSettings& settings, Bench::Shot* shot, int frames) {
    const Bench::Shot is = bench.shoot(settings, kPose, kNear, kWidth, kHeight, frames);
    if (shot != nullptr) *shot = is;
    return against_reference(bench, is.picture, kPose, settings.backend);
}

void expect_exact(const Difference& difference, const std::string& what) {
    EXPECT_EQ(difference.depth, 0U) << what;
    EXPECT_EQ(difference.color, 0U) << what;
}

std::vector<Way> payload_ways(const Bench& bench, bool all_encoded) {
    std::vector<Way> out;
    for (Way& way : ways(bench)) {
        const Backend backend = *way.settings.backend;
        if (render::backend_info(backend).primitives == render::PrimitiveCulling::kNone) {
            out.push_back(std::move(way));
            continue;
        }
        const bool encoded = all_encoded || backend == Backend::kRaster || backend == Backend::kMeshSublets;
        way.settings.payload = render::Payload::kDecoded;
        if (!encoded || every_way()) out.push_back(way);
        if (!encoded) continue;
        way.settings.payload = render::Payload::kEncoded;
        way.name += " encoded";
        out.push_back(std::move(way));
    }
    return out;
}

namespace {

// References at several times, each drawn once: many ways of drawing are held to the same ones.
class PlayedReferences {
  public:
    explicit PlayedReferences(Bench& bench) : bench_(bench) {}

    // The last of `frames` frames at that time, held to its reference.
    Difference against(const FrameSettings& settings, double time, int frames, Bench::Shot* shot = nullptr) {
        bench_.renderer().set_time(time);
        const Bench::Shot is = bench_.shoot(settings, kPose, kNear, kWidth, kHeight, frames);
        if (shot != nullptr) *shot = is;
        const std::pair key(time, settings.backend == Backend::kRaster);
        auto found = pictures_.find(key);
        if (found == pictures_.end()) {
            constexpr std::uint32_t kView = 1000;  // what other views remember stays theirs
            const Bench::Shot drawn = bench_.reference(kPose, kNear, kWidth, kHeight, render::Projection::kPerspective,
                                                       settings.backend, kView);
            found = pictures_.emplace(key, drawn.picture).first;
        }
        render::AmbiguousPixels none;
        none.mask.resize(is.picture.depth.size());
        const Difference difference = compare(found->second, is.picture, none);
        if (difference.depth + difference.color == 0) return difference;
        return against_reference(bench_, is.picture, kPose, settings.backend);  // its ambiguous pixels are counted
    }

  private:
    Bench& bench_;
    std::map<std::pair<double, bool>, render::Picture> pictures_;  // by time; the compute rasteriser has its own
};

}  // namespace

void expect_every_way(Bench& bench, const std::vector<Way>& ways, const std::vector<double>& times) {
    PlayedReferences references(bench);
    for (const Way& way : ways) {
        for (const double time : times) {
            expect_exact(references.against(way.settings, time, 2), way.name + " at " + std::to_string(time));
        }
    }
}

void expect_every_expansion(Bench& bench, FrameSettings settings) {
    const gpu::Capabilities& device = bench.device().capabilities();
    if (render::backend_unavailable(*settings.backend, device, bench.renderer().facts())) return;
    double time = 0.1;
    for (const render::ExpansionStrategy expansion : render::all_expansions()) {
        if (render::expansion_unavailable(expansion, bench.renderer().facts().meshlets, device)) continue;
        settings.expansion = expansion;
        bench.renderer().set_time(time += 0.37);
        expect_exact(against_reference(bench, settings), std::string(render::expansion_name(expansion)));
    }
}

void expect_occlusion_in_motion(Bench& bench, int frames) {
    PlayedReferences references(bench);
    for (const Backend backend : {Backend::kMdi, Backend::kCompact, Backend::kTaskMesh, Backend::kRaster}) {
        if (render::backend_unavailable(backend, bench.device().capabilities(), bench.renderer().facts())) continue;
        FrameSettings settings;
        settings.backend = backend;
        std::uint64_t tested = 0, first = 0, second = 0;
        for (int frame = 0; frame < frames; ++frame) {
            const double time = frame % 8 == 7 ? 100.0 * frame : frame / 12.0;
            Bench::Shot shot;
            expect_exact(references.against(settings, time, 1, &shot),
                         std::string(render::backend_name(backend)) + ", frame " + std::to_string(frame));
            tested += shot.counters.meshlets_tested;
            first += shot.counters.meshlets_drawn_phase1;
            second += shot.counters.meshlets_drawn_phase2;
        }
        EXPECT_GT(first, 0U);
        EXPECT_GT(second, 0U);
        EXPECT_GT(tested, first + second) << "culling ran";
    }
}

}  // namespace sublet::test
