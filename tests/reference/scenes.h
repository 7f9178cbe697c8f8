// Small scenes with all that a picture can get wrong.
#pragma once

#include "scene/import.h"

namespace sublet::reference {

// A room to stand in, lit, its walls of several materials with textures of every wrap mode and both filters, among them
// texture coordinates in the thousands and one for a whole wall; in it tori, plain, mirrored, unevenly scaled, sheared,
// of one palette's texel, and sheets with masks that show their backs.
scene::ImportedScene make_room();

// The room in the light of two points and two spots, with four panes that blend, its surfaces dull: they scatter what
// falls on them alike in all directions.
scene::ImportedScene make_lit_room();

// Triangles of all sizes around the origin, some of them larger than any picture, each with a bright colour of its own:
// unlit vertex colours, times a factor for each of several materials. A mesh for each of a plain, a mirrored, a sheared
// and a double-sided instance.
scene::ImportedScene make_soup();

}  // namespace sublet::reference
