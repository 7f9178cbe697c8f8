// Scenes made for the image tests.
#pragma once

#include "scene/import.h"

namespace sublet::test {

// A torus about the y axis: `rings` x `sides` quads, normals and UVs.
scene::SourcePrimitive make_torus(float major, float minor, int rings, int sides);

// Tori and spheres as plain, mirrored, sheared, unevenly scaled and double-sided instances around the origin, within
// about 6 units, with vertex colours, two UV sets and textures; half of the surfaces are open, so that their backs are
// seen.
scene::ImportedScene make_shapes();

// Two coplanar, overlapping quads of different colours in front of a backdrop: depth ties all over the overlap.
scene::ImportedScene make_coplanar();

}  // namespace sublet::test
