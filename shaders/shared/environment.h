// What C++ and the shaders that make light from all around share.
#ifndef SUBLET_SHARED_ENVIRONMENT_H
#define SUBLET_SHARED_ENVIRONMENT_H

#include "types.h"

SUBLET_SHARED_BEGIN

// Texels of a side of a cube's face.
SUBLET_CONST uint kSkySize = 128u;
// The cube whose levels are filtered by roughness, up to 1 in equal steps: level 0 is the first step, as of roughness 0
// there is the source.
SUBLET_CONST uint kEnvironmentSize = 64u;
SUBLET_CONST uint kEnvironmentLevels = 5u;
SUBLET_CONST uint kReflectancesSize = 64u;  // a side of the table

// Heights at which the light of a sky that was scattered more than once is known.
SUBLET_CONST uint kSkyHeights = 32u;

struct EnvironmentConstants {
    vec4 sun_direction;  // towards the sun, unit length; w: its irradiance above the air
    uint size;           // texels of a side of what is written
    uint level;          // that is written, of
    uint levels;
    uint source_size;  // texels of a side of what is read
};

SUBLET_CHECK_SIZE(EnvironmentConstants, 32);

SUBLET_SHARED_END
#endif
