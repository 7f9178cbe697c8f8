// What shade/ambient.comp found around a pixel: the mean over a square of its pattern, of texels whose surface is about
// as far away. The includer declares `shown`, its image, and `constants`, whose size is that of the picture.

// A surface at that distance. 1: nothing takes light from it.
float ambient_share(ivec2 pixel, float distance) {
    float level = log2(distance);
    ivec2 last = ivec2(ambient_texels(constants.size)) - 1;
    int side = int(kAmbientPattern);
    ivec2 first = (pixel + 1) / int(kAmbientPixels) - side / 2;
    vec2 sum = vec2(0.0);
    for (int i = 0; i < side * side; ++i) {
        ivec2 texel = clamp(first + ivec2(i % side, i / side), ivec2(0), last);
        vec2 found = texelFetch(shown, texel, 0).xy;
        float apart = abs(found.y - level) + 0.01;
        sum += vec2(found.x, 1.0) / (apart * apart);
    }
    return sum.x / sum.y;
}
