// What a frame drew, and what became of the rest. docs/CULLING.md says which backend counts what.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "render/view/shadow_counters.h"
#include "shaders/shared/counters.h"

namespace sublet::render {

// From a scene's instances to pixels, step by step. Each item counts once a frame, however often it is tested: an item
// is drawn where one of the phases draws it; else what rejects it first in the last phase that tests it counts.
struct Funnel {
    // By reason. Nothing: the step has no such test, or this backend does not tell.
    struct Rejected {
        std::optional<std::uint64_t> level;      // meshlets of other levels of detail
        std::optional<std::uint64_t> frustum;    // outside of the view; bounds between pixel centres too
        std::optional<std::uint64_t> cone;       // bounds whose triangles all face away
        std::optional<std::uint64_t> backface;   // triangles that face away
        std::optional<std::uint64_t> no_pixel;   // triangles that reach no pixel's centre
        std::optional<std::uint64_t> occlusion;  // hidden, by itself or with what it is a part of
        std::optional<std::uint64_t> frozen;     // culling is frozen, and its frame did not see it
        std::optional<std::uint64_t> undivided;  // by one of them

        [[nodiscard]] std::uint64_t sum() const;
    };
    struct Step {
        std::uint64_t total = 0;  // what the step before left, or, of instances, the scene's
        Rejected rejected;
        // What goes on. Of instances and bounds: let through. Of triangles: handed to the rasteriser.
        std::uint64_t drawn_phase1 = 0, drawn_phase2 = 0;

        [[nodiscard]] std::uint64_t drawn() const { return drawn_phase1 + drawn_phase2; }
    };
    struct Pixels {
        std::uint64_t total = 0;    // of the window
        std::uint64_t covered = 0;  // that show a triangle
    };

    Step instances;
    std::optional<Step> levels;  // meshlets of all levels of detail; nothing where none is chosen
    // Those that the step before left, or all of them. Nothing: the backend does not look at them one by one, or part
    // of the frame was drawn without lists.
    std::optional<Step> meshlets;
    std::optional<Step> sublets;  // else triangles are those of drawn meshlets
    std::optional<Step> triangles;
    Pixels pixels;
};

// Of triangles of meshlets that are drawn, by level of detail; the last one counts all that are coarser, too.
using LevelCounts = std::array<std::uint64_t, shared::kCountedLevels>;

// What the cut leaves of the instances that are drawn.
struct CutCounters {
    std::uint64_t all_meshlets = 0;      // of every level
    std::uint64_t meshlets = 0;          // that the cut chose
    std::uint64_t finest_triangles = 0;  // of the finest level
    std::uint64_t triangles = 0;         // of the meshlets that the cut chose
    LevelCounts drawn_triangles{};

    bool operator==(const CutCounters&) const = default;
};

// Punctual lights, and the lists of a view that say which of them reach where.
struct LightCounters {
    std::uint64_t lights = 0;      // of the scene
    std::uint64_t everywhere = 0;  // those that have no range: they stand in no list
    std::uint64_t in_view = 0;     // these, and those that reach into the view
    std::uint64_t clusters = 0;    // of the view
    std::uint64_t listed = 0;      // entries of all lists, those that have no room too
    std::uint64_t too_long = 0;    // clusters whose list has no room: their pixels look at all lights

    bool operator==(const LightCounters&) const = default;
};

// Primitives are triangles.
struct Counters {
    std::uint64_t instances = 0;
    std::uint64_t instances_visible = 0;
    std::optional<CutCounters> cut;     // nothing where no level of detail was chosen, or not all of that is known
    std::uint64_t meshlets_tested = 0;  // each once, even if both phases test it
    std::uint64_t meshlets_drawn_phase1 = 0;
    std::uint64_t meshlets_drawn_phase2 = 0;  // and what blends, which is drawn behind both
    std::uint64_t primitives_tested = 0;
    std::uint64_t primitives_drawn = 0;
    std::uint64_t raster_large = 0;  // triangles that the compute rasteriser left to workgroups
    std::uint64_t raster_left = 0;   // sublets that it left to them as a whole: its list was full
    std::uint64_t overflow = 0;      // meshlets that an expansion had no room for: lost, but where a rest is drawn
    std::uint64_t rounds = 0;        // of culling and drawing that a phase took; 1 where the lists were long enough
    std::optional<Funnel> funnel;    // nothing in frames that don't count
    std::optional<LightCounters> lights;    // nothing where none shines
    std::optional<ShadowCounters> shadows;  // nothing where none are cast
    std::optional<float> ev;  // that the frame's light asks for, where exposure is by that: FrameSettings::ev
};

}  // namespace sublet::render
