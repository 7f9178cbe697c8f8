// What is asked of single pixels of a frame, and what it answers.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <vector>

#include "render/settings/settings.h"
#include "render/view/camera.h"
#include "shaders/shared/inspect.h"

namespace sublet::render {

// What is outlined, and whose bounds BoundsOf::kPicked draws. Instances are numbered as ids do it: those that have
// triangles, in the scene's order.
struct Selection {
    SelectionLevel level = SelectionLevel::kNone;
    std::uint32_t instance = 0;
    std::uint32_t sublet = 0;    // within the instance's mesh; its meshlet is sublet / kSubletsPerMeshlet
    std::uint32_t triangle = 0;  // of the sublet
    // So many instances from that one on are outlined together; of kInstance alone.
    std::uint32_t instances = 1;

    bool operator==(const Selection&) const = default;
};

// The default asks for nothing, and costs nothing.
struct Inspection {
    std::vector<glm::uvec2> probes = {};  // pixels that are looked at: the first shared::kMostProbes of them
    bool nearest_depth = false;
    Selection selection = {};
    // A sphere around the scene as it was posed when culling was frozen: lines of the frozen frustum end behind it.
    // Nothing: around the scene as the file has it.
    std::optional<glm::vec4> frozen_bounds = {};

    [[nodiscard]] bool asks() const { return !probes.empty() || nearest_depth; }
};

// What a pixel showed.
struct Probe {
    glm::uvec2 pixel{0};
    bool covered = false;                                  // else nothing of what follows means anything
    float depth = 0.0F;                                    // reversed Z
    std::uint32_t instance = 0, sublet = 0, triangle = 0;  // as in Selection
    std::uint32_t level = 0;                               // of detail, 0: the finest
    float level_error = 0.0F;  // of that level there, as a share of FrameSettings::lod_error
};

// Of a frame that is over.
struct InspectionResult {
    std::uint64_t frame = 0;             // gpu::Frame::number
    View view;                           // that it was drawn with
    glm::uvec2 size{0};                  // of its picture, in pixels
    std::vector<Probe> probes;           // as Inspection has them
    std::optional<float> nearest_depth;  // the greatest of the picture; 0 where nothing was drawn
};

}  // namespace sublet::render
