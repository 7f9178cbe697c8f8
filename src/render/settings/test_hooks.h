// What tests ask of the renderer that nobody else does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sublet::render {

// A mistake made on purpose, that a test must notice.
enum class Fault : std::uint8_t {
    kNone,
    kPyramidLevelTooFine,   // bounds are looked up in the finest level whatever their size
    kVisibilityNotCleared,  // bits of the last frames stay
    kScalesNotAnimated,     // bounds keep the size that they had when the scene was uploaded
    kBoundsOfLastPose,      // of what deforms: joints of the last frame place them
    kLayersNotCleared,      // before the rest of what blends is drawn: what was drawn is in them twice
    kLightsReachLess,       // clusters list lights as if their range were shorter
    kMotionIsZero,          // what has moved since the last frame is taken for still
    kGroupHalfThere,        // of what is streamed half is not copied
    kStaleStamps,           // what frames use is taken for unused
    kQueuesDrop,            // what finds no room in the queues of `graph` is lost; of `graph-amdx` all payloads but one
};

// How groups of levels of detail come and go (render/stream/scene_stream.h).
enum class Streaming : std::uint8_t {
    kFree,    // as threads read them
    kAtOnce,  // frames wait for what was begun
    kHeld,    // they don't
};

struct TestHooks {
    Fault fault = Fault::kNone;
    // Entries of an expansion's list at most, for tests of what happens when it is too short.
    std::uint64_t most_expansion_entries = ~std::uint64_t{0};
    // Rounds of culling that are recorded at most: what is then left is drawn without lists.
    std::uint32_t most_rounds = ~0U;
    // Workgroups that a round leaves to the next one at most: where more are undone, all is drawn without lists.
    std::uint64_t most_undone_groups = ~std::uint64_t{0};
    // Workgroups of a payload that begins a graph at most, where the driver plays it.
    std::uint32_t most_graph_groups = ~0U;
    // Words of a table of bits of visibility at most, a power of two: several tasks or sublets then share one.
    std::uint32_t most_bit_words = std::uint32_t{1} << 31U;
    // Of the next scene: ids of two words, whether it is large enough for them (kNarrowIdSublets) or not.
    bool wide_ids = false;
    // Bits of a sublet's number that the compute rasteriser keeps at most, where ids are wide: several sublets then
    // have the same.
    std::uint32_t most_number_bits = ~0U;
    // Scenes with more triangles, over all instances, than this or than the renderer's own limit have plain pictures by
    // their plan's backend.
    std::uint64_t most_plain_triangles = ~std::uint64_t{0};
    // Words of a view's lists of lights at most; with 0 every pixel looks at all lights.
    std::uint32_t most_light_words = ~0U;
    Streaming streaming = Streaming::kFree;
    // Called before each pipeline that is compiled beside frames, with its name, on the thread that does it.
    std::function<void(const std::string&)> before_compiling = {};
    // Called before each block of streamed geometry that is read for the scene at hand, and before each image that is
    // made for it, on the thread that does it.
    std::function<void()> before_reading = {};
};

}  // namespace sublet::render
