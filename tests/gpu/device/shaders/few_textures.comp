#version 460
// textures.comp for devices without descriptor indexing: constant indices alone.
layout(local_size_x = 8) in;
layout(set = 0, binding = 3) buffer Result { vec4 colors[]; };
layout(set = 1, binding = 0) uniform sampler2D textures[16];
layout(push_constant) uniform Push { uint count; };
vec4 sample_texture(uint i) {
    const vec2 middle = vec2(0.5);
    switch (i) {
#define CASE(n) case n: return textureLod(textures[n], middle, 0.0);
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)
    }
    return vec4(0.0);
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) colors[i] = sample_texture(i);
}
