// What the materials of the scene use: what it does not have costs nothing.
#ifndef SUBLET_FEATURES
#define SUBLET_FEATURES

#include "shared/shade.h"

layout(constant_id = kSpecFeatures) const uint kFeatures = 0xffffffffu;  // kFeature...

bool has_feature(uint features) { return (kFeatures & features) != 0u; }

#endif
