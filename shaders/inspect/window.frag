// A picture, texel by texel, at the same place of a window.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"

layout(set = kPassSet, binding = kBindShown) uniform sampler2D picture;
layout(location = 0) out vec4 out_color;

void main() { out_color = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }
