#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Result { uint size; };
void main() {
    if (gl_GlobalInvocationID.x == 0) size = gl_SubgroupSize;
}
