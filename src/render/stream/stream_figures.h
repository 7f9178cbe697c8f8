// What streaming did, for people.
#pragma once

#include <cstdint>

namespace sublet::render {

struct StreamFigures {
    std::uint32_t groups = 0;    // of levels of detail, of the file
    std::uint32_t resident = 0;  // that are there
    std::uint32_t loading = 0;   // that are being read
    bool deciding = false;       // on what comes and goes next
    // Of the newest frame whose results are back:
    std::uint32_t wished = 0;  // groups that it wanted, and that were not there
    double demand = 0.0;       // of the pool, what it wanted: more than 1 has no room
    double drawn_error = 0.0;  // pixels: what levels of detail were chosen by; more than was asked for where that has
                               // no room
    double seen_error = 0.0;   // pixels: the largest of what was drawn in place of what was not there
    std::uint64_t pool_bytes = 0;
    // Since the scene was set.
    std::uint64_t arrived = 0, evicted = 0, failed = 0;  // groups
    std::uint64_t read_bytes = 0;

    // Whether frames to come may show more than those before them.
    [[nodiscard]] bool goes_on() const { return wished != 0 || loading != 0 || deciding; }
    // Groups that came or went.
    [[nodiscard]] std::uint64_t changes() const { return arrived + evicted; }
};

}  // namespace sublet::render
