// Scenes made for the image tests.
#pragma once

#include "scene/import.h"

namespace sublet::test {

// A parallelogram, counter-clockwise as seen from where u x v points to; UVs from 0 to 4.
scene::SourceMesh make_quad(const glm::vec3& corner, const glm::vec3& u, const glm::vec3& v);

// A mesh of its own for these triangles; its number.
int add_mesh(scene::ImportedScene& out, scene::SourceMesh mesh, std::uint32_t material);

// A node that shows the mesh.
void place(scene::ImportedScene& out, int mesh, const glm::mat4& transform);

// A torus about the y axis: `rings` x `sides` quads, normals and UVs.
scene::SourceMesh make_torus(float major, float minor, int rings, int sides);

// Tori and spheres as plain, mirrored, sheared, unevenly scaled and double-sided instances around the origin, within
// about 6 units, with vertex colours, two UV sets and textures. Three of five surfaces are open, so that their backs
// are seen; two are masked, of which one is double-sided. Two of the materials are anisotropic, one has a thin film.
scene::ImportedScene make_shapes();

// The shapes, each with a skin of its own: nine joints in a row, the first where the shape's node was, mirrored or
// sheared as it is; four or eight of them to a vertex. Joints turn, move and grow, each at its own pace. Two of three
// mesh groups have morph targets, 3 or 70; their weights are driven for every other node, else they stay. Of the last
// two shapes, which have no skin, one stands still and one has morph targets alone.
scene::ImportedScene make_deforming_shapes();

// The shapes, each at the end of a chain: a still root, a turning node, an arm of its own that moves, a still node
// between, and the shape. Arms move and turn; scales grow unevenly, mirror all the while, jump, or turn from one side
// to the other. The last shape stands still.
scene::ImportedScene make_moving();

// Two coplanar, overlapping quads of different colours in front of a backdrop: depth ties all over the overlap.
scene::ImportedScene make_coplanar();

}  // namespace sublet::test
