#include "scene/grid_notes.h"

#include "base/count_text.h"
#include "mesh/position_bits.h"
#include "scene/notes.h"

namespace sublet::scene {
namespace {

std::string count_or_none(std::uint64_t count) {
    return count == 0 ? "none" : grouped(count);
}

std::string finer_grid_note(const std::string& mesh, const mesh::EncodeStats& stats) {
    const std::uint64_t lost = stats.dropped_by_grid;
    return "positions of " + mesh + " have " + std::to_string(stats.position_bits) + " bits in place of " +
           std::to_string(mesh::kDefaultPositionBits) + ", which would leave out " +
           grouped(stats.lost_by_default_bits) + " of its " + counted(stats.source_triangles, "triangle") + ": " +
           count_or_none(lost) + (lost < 2 ? " is" : " are") + " left out now";
}

std::string coarse_grid_note(const std::string& mesh, const mesh::EncodeStats& stats, mesh::Coding coding) {
    const std::string most = std::to_string(mesh::most_position_bits(coding));
    return "the grid of " + std::to_string(stats.position_bits) + "-bit positions is too coarse for " +
           grouped(stats.dropped_by_grid) + " of " + counted(stats.source_triangles, "triangle") + " of " + mesh +
           (stats.dropped_by_grid == 1 ? ": it is" : ": they are") + " left out; --position-bits " +
           (stats.lost_by_most_bits ? most + " would leave out " + count_or_none(*stats.lost_by_most_bits)
                                    : "can be no more than " + most);
}

}  // namespace

std::vector<std::string> grid_notes(const std::vector<GridLoss>& groups, mesh::Coding coding) {
    Notes notes;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const mesh::EncodeStats& stats = groups[i].stats;
        const std::string mesh = numbered_name("mesh", i, groups[i].name);
        if (stats.lost_by_default_bits > 0) {
            notes.add_few("meshes have more position bits than by default", finer_grid_note(mesh, stats));
        } else if (mesh::is_too_coarse(stats.dropped_by_grid, stats.source_triangles)) {
            notes.add_few("meshes lose triangles to the grid of their positions",
                          coarse_grid_note(mesh, stats, coding));
        }
    }
    return notes.take();
}

}  // namespace sublet::scene
