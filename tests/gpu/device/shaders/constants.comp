#version 460
// values[i]: which of these ways invocation i goes, by constants, by what it is, and by both.
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool kOn = false;
layout(constant_id = 1) const uint kMode = 1;
layout(constant_id = 2) const uint kRounds = 3;
layout(set = 0, binding = 0) buffer Values { uint values[]; };

const bool kThird = kMode == 2u;
const bool kHigh = (kMode & 2u) != 0u;

uint far_away(uint i) {
    uint sum = 0u;
    while (sum < 1000u) {
        sum += i + 7u;
        if (kOn) {
            break;
        }
    }
    return sum;
}

uint early(uint i) {
    if (kHigh) {
        return far_away(i);
    } else {
        return i * 3u;
    }
}

uint chosen(uint i) {
    switch (kMode) {
        case 0u: return 5u;
        case 1u:
            if (kOn) {
                break;
            }
            return i;
        default: return kOn ? 11u : early(i);
    }
    return 13u;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint out_value = chosen(i);
    if (kOn && i % 2u == 0u) {
        out_value += 100u;
    }
    if (i % 3u == 0u || !kThird) {
        out_value += 1000u;
    } else if (kOn || kHigh) {
        out_value += early(i);
    }
    for (uint round = 0u; round < kRounds; ++round) {
        if (kThird) {
            continue;
        }
        if (!kOn) {
            out_value += round;
            if (round == 1u) {
                break;
            }
        } else {
            out_value ^= round << 4u;
        }
    }
    for (;;) {
        out_value += 1u;
        if (kHigh) {
            break;
        }
        if (out_value % 5u == 0u) {
            break;
        }
    }
    values[i] = out_value;
}
