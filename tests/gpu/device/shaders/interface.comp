#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Every kind of descriptor; and one that is declared but not used, which no interface tells.
layout(local_size_x = 8) in;
struct Pair {
    uint a;
    vec2 b;  // at 8
};
layout(set = 0, binding = 1) uniform Block { vec4 scale; };
layout(set = 0, binding = 5) buffer Result { vec4 colors[]; };
layout(set = 0, binding = 6) buffer Unused { uint unused[]; };
layout(set = 1, binding = 0) uniform sampler2D textures[];
layout(set = 2, binding = 0) readonly buffer Values { uint values[]; } inputs[3];
layout(set = 2, binding = 2) uniform texture2D picture;
layout(set = 2, binding = 3) uniform sampler plain;
layout(set = 2, binding = 7, rgba8) uniform image2D target;
layout(push_constant) uniform Push {
    mat3 rows;      // 0 to 48
    Pair pairs[2];  // 48 to 80
    vec3 tint;      // 80 to 92
    uint count;     // 92
    float last;     // 96 to 100
};
void main() {
    uint i = gl_GlobalInvocationID.x;
    colors[i] = scale * texture(sampler2D(picture, plain), vec2(0.5)) + textureLod(textures[nonuniformEXT(i)], vec2(0.5), 0.0);
    colors[i].xyz += rows * tint + vec3(pairs[1].b, last) * float(inputs[1].values[i] + count);
    imageStore(target, ivec2(i), colors[i]);
}
