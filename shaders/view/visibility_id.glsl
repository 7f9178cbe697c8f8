// What geometry writes to a pixel beside its depth: the triangle that is seen there. The includer declares `instances`.

#include "shared/mesh_format.h"
#include "shared/scene.h"

// Scenes beyond kNarrowIdSublets write two words (render/scene/gpu_scene.h).
layout(constant_id = kSpecWideIds) const bool kWideIds = false;

// `triangle`: sublet * kSubletSize + triangle, within the instance's mesh. Narrow ids have one word: they count the
// triangles of all instances, kSubletSize for each sublet. Wide ones are the triangle, then the instance.
uvec2 visibility_id(uint instance, uint triangle) {
    return kWideIds ? uvec2(triangle, instance) : uvec2(instances[instance].first_sublet * kSubletSize + triangle, 0u);
}
