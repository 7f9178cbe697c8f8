// One triangle over all of the picture: floor_grid.frag finds the grid in each pixel.
#version 460

void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1.0); }
