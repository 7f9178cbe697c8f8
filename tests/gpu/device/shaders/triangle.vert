#version 460
// One triangle over the lower left half of the picture, pulled from a storage buffer.
layout(set = 0, binding = 0) readonly buffer Positions { vec2 positions[]; };
void main() { gl_Position = vec4(positions[gl_VertexIndex], 0.5, 1.0); }
