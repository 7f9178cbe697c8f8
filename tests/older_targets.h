// Compact meshes as older encoders left them: with morph targets in the plain coding.
#pragma once

#include "mesh/recode.h"

namespace sublet::test {

// `plain`: in the plain coding.
inline mesh::Geometry with_older_targets(const mesh::Geometry& plain) {
    mesh::Geometry still = plain;
    for (mesh::MeshHeader& header : still.meshes) header.streams_present &= ~shared::kHasMorphsBit;
    still.morphs.clear();
    still.morph_masks.clear();
    still.morph_streams.clear();
    still.morph_payload.clear();
    mesh::Geometry out = mesh::recode(still.view(), mesh::Coding::kCompact);
    for (const mesh::MorphMesh& morph : plain.morphs) out.meshes[morph.mesh].streams_present |= shared::kHasMorphsBit;
    out.morphs = plain.morphs;
    out.morph_masks = plain.morph_masks;
    out.morph_streams = plain.morph_streams;
    out.morph_payload = plain.morph_payload;
    return out;
}

}  // namespace sublet::test
