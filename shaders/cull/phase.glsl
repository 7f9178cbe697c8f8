// Which draw classes a phase of a frame culls and draws. After scene/bindings.glsl; the includer declares `state`.

// Whether an instance takes part.
bool phase_has(uint instance) {
    bool blended = (instances[instance].flags & kInstanceClassMask) == kClassBlended;
    return state.phase_classes == kPhaseClassesAll || blended == (state.phase_classes == kPhaseClassesBlended);
}
