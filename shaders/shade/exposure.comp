// The exposure that the next frame goes by: the mean of the light's logarithm becomes middle grey, leaving out the
// darkest and the brightest tenth of all pixels. One workgroup.
//
// Reads: the histogram that shade.comp counted. Writes: the exposure; the histogram is empty again.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/exposure.h"

layout(local_size_x = kExposureBins) in;

layout(set = kPassSet, binding = kBindExposure, std430) buffer Exposure { ExposureState state; };

const float kMiddleGrey = 0.18;
const float kLeftOut = 0.1;

shared uint counts[kExposureBins];

void main() {
    uint lane = gl_LocalInvocationIndex;
    counts[lane] = state.bins[lane];
    state.bins[lane] = 0u;
    barrier();
    if (lane != 0u) {
        return;
    }
    float total = 0.0;
    for (uint i = 0u; i < kExposureBins; ++i) {
        total += float(counts[i]);
    }
    float low = kLeftOut * total;
    float high = total - low;
    float before = 0.0;
    float weight = 0.0;
    float sum = 0.0;
    for (uint i = 0u; i < kExposureBins; ++i) {
        float after = before + float(counts[i]);
        float within = max(min(after, high) - max(before, low), 0.0);
        weight += within;
        sum += within * ((float(i) + 0.5) / float(kExposureBinsPerStop) + kExposureLeast);
        before = after;
    }
    state.exposure = weight > 0.0 ? kMiddleGrey / exp2(sum / weight) : 1.0;
}
