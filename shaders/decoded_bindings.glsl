// Bindings 4 and 5 of set 0: what the decode pass wrote.
layout(set = 0, binding = 4, std430) readonly buffer Positions { uvec2 positions[]; };
layout(set = 0, binding = 5, std430) readonly buffer Attributes { uint attributes[]; };
