// The phase of a frame that a pass belongs to. After scene/bindings.glsl.

layout(set = kPassSet, binding = kBindPhase, std140) uniform PhaseBlock { PhaseData phase; };

// Whether an instance takes part.
bool phase_has(uint instance) { return (phase.classes >> (instances[instance].flags & kInstanceClassMask) & 1u) != 0u; }
