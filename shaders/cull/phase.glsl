// The phase of a frame that a pass belongs to. After scene/bindings.glsl.

layout(set = kPassSet, binding = kBindPhase, std140) uniform PhaseBlock { PhaseData phase; };

// Whether an instance takes part.
bool phase_has(uint instance) {
    bool blended = (instances[instance].flags & kInstanceClassMask) == kClassBlended;
    return phase.classes == kPhaseClassesAll || blended == (phase.classes == kPhaseClassesBlended);
}
