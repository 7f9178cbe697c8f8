// Bindings 6 to 8 of set 0, for shaders that work on sublets: encoded streams, their payload, and of each instance the
// number of its first sublet over all instances.
layout(set = 0, binding = 6, std430) readonly buffer Streams { StreamHeader streams[]; };
layout(set = 0, binding = 7, std430) readonly buffer Payload { uint payload[]; };
layout(set = 0, binding = 8, std430) readonly buffer FirstSublets { uint first_sublets[]; };
