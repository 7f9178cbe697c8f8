#version 460
// values[i] = values[i] * kFactor + added
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kFactor = 1;
layout(set = 0, binding = 0) buffer Values { uint values[]; };
layout(push_constant) uniform Push { uint count; uint added; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) values[i] = values[i] * kFactor + added;
}
