#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Each invocation reads the middle of its own texture.
layout(local_size_x = 8) in;
layout(set = 0, binding = 3) buffer Result { vec4 colors[]; };
layout(set = 1, binding = 0) uniform sampler2D textures[];
layout(push_constant) uniform Push { uint count; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) colors[i] = textureLod(textures[nonuniformEXT(i)], vec2(0.5), 0.0);
}
