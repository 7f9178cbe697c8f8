// Bindings 0 to 5 of set 0, the same for every pipeline that draws decoded vertices.

#include "shared/mesh_format.h"
#include "shared/scene.h"

layout(set = 0, binding = 0, std140) uniform Frame { FrameData frame; };
layout(set = 0, binding = 1, std430) readonly buffer Meshes { MeshHeader meshes[]; };
layout(set = 0, binding = 2, std430) readonly buffer Instances { Instance instances[]; };
layout(set = 0, binding = 3, std430) readonly buffer Materials { Material materials[]; };
