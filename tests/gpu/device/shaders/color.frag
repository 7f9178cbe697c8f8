#version 460
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 tint; };
void main() { color = tint; }
