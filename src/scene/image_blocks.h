// Texels into blocks, and back.
#pragma once

#include <cstdint>

#include "scene/texels.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::scene {

enum class PackEffort : std::uint8_t {
    kFast,  // while a scene is loaded
    kBest,  // once, for a file
};

// A level of RGBA8 as blocks: kBc4 takes the red channel, kBc5 red and green, kBc7 all; no other format is packed.
// Opaque texels stay opaque. Texels beyond the level's edge repeat its last ones. The same blocks however many threads
// `pool` has; null: this one. Throws std::bad_alloc, and Error in a program without Basis Universal.
[[nodiscard]] TexelLevel pack_blocks(const TexelLevel& rgba, TexelFormat format, PackEffort effort,
                                     ThreadPool* pool = nullptr);

// Blocks as RGBA8: channels that the format lacks are 0, alpha 255. A block that is none (mode 8 of BC7) is 0
// throughout. Throws as pack_blocks().
[[nodiscard]] TexelLevel unpack_blocks(const TexelLevel& blocks);

// Makes the tables that Basis Universal reads; they are made once, whichever thread asks first.
void prepare_basis_universal();

}  // namespace sublet::scene
