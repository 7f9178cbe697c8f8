// Where the words of the layers of what blends lie (view/layers.glsl). Of each kLayerBlock pixels the first words lie
// side by side, behind those the second ones, and so on: most pixels have nothing, and of those the first word tells.
// After shared/scene.h.

layout(constant_id = kSpecBlendLayers) const uint kBlendLayers = 0u;  // of a pixel; two words more hold sums
const uint kLayerWords = kBlendLayers + 2u;

// Word `word` of a pixel, by its number in rows.
uint layer_place(uint pixel, uint word) {
    uint within = pixel % kLayerBlock;
    return (pixel - within) * kLayerWords + word * kLayerBlock + within;
}
