// Which part of a frame is culled and drawn, and of which draw classes (render/cull/phase.h).

layout(constant_id = kSpecPhase) const uint kPhaseAndClasses = 0u;
const uint kPhase = kPhaseAndClasses & 3u;            // cull/chain.glsl
const uint kPhaseClasses = kPhaseAndClasses >> 2u;    // kPhaseClasses...
const bool kHasBits = kPhase == 1u || kPhase == 2u;  // of what was visible

// Whether an instance of a draw class takes part.
bool phase_has_class(uint draw_class) {
    return kPhaseClasses == kPhaseClassesAll ||
           (draw_class == kClassBlended) == (kPhaseClasses == kPhaseClassesBlended);
}
bool phase_has(uint instance) { return phase_has_class(instances[instance].flags & kInstanceClassMask); }
