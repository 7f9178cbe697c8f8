// One triangle over all of the picture, for fragments that find out the rest: floor_grid.frag, window.frag.
#version 460

void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1.0); }
