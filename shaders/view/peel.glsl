// Layers of what blends (view/layers.glsl) without 64-bit atomics. All of it is drawn once for each layer, by a depth
// test, and each time what was found before is left out: the nearest fragment behind the last one is next. What is
// found goes to an attachment, and from there, by view/peel.comp, to its place.
//
// The two words behind a pixel's places hold no sums meanwhile: the first is the fragment that was found last, 0 before
// there is one, and kNoneLeft once there is none.
//
// The includer has declared `layers`: uvec2 layers[] at kBindWideIds.

// kBlendLayers is 0 where these are not fragments of what blends.

#include "view/layer_places.glsl"
#include "view/pixel_word.glsl"

const uvec2 kNoneLeft = uvec2(1u, 0u);

// Whether a fragment was not found yet, and has a place: draws of an earlier round may have filled all with nearer
// ones. `pixel`: its number, in rows.
bool is_next(uint pixel, uvec2 word) {
    if (words_less(word, layers[layer_place(pixel, kBlendLayers - 1u)])) {
        return false;
    }
    uvec2 last = layers[layer_place(pixel, kBlendLayers)];
    if (last == uvec2(0u) || word.y >> 2u != last.y >> 2u) {
        return last == uvec2(0u) || word.y < last.y;
    }
    // A depth test finds any of those of equal depth first.
    bool found = false;
    for (uint i = 0u; i < kBlendLayers; ++i) {
        found = found || layers[layer_place(pixel, i)] == word;
    }
    return !found;
}
