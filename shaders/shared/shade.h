// What C++ and the shading pass share.
#ifndef SUBLET_SHARED_SHADE_H
#define SUBLET_SHARED_SHADE_H

#include "inspect.h"
#include "scene.h"

SUBLET_SHARED_BEGIN

// What a picture shows.
SUBLET_CONST uint kShowShaded = 0u;
SUBLET_CONST uint kShowDepth = 1u;
SUBLET_CONST uint kShowInstances = 2u;
SUBLET_CONST uint kShowMeshlets = 3u;
SUBLET_CONST uint kShowSublets = 4u;
SUBLET_CONST uint kShowTriangles = 5u;
SUBLET_CONST uint kShowNormals = 6u;
SUBLET_CONST uint kShowUv = 7u;
SUBLET_CONST uint kShowBarycentrics = 8u;
SUBLET_CONST uint kShowMaterials = 9u;
SUBLET_CONST uint kShowPhase = 10u;
SUBLET_CONST uint kShowPath = 11u;
SUBLET_CONST uint kShowDensity = 12u;
SUBLET_CONST uint kShowOverdraw = 13u;
SUBLET_CONST uint kShowHiz = 14u;
SUBLET_CONST uint kShowCulled = 15u;
SUBLET_CONST uint kShowBaseColor = 16u;
SUBLET_CONST uint kShowMetallicRoughness = 17u;
SUBLET_CONST uint kShowOcclusion = 18u;
SUBLET_CONST uint kShowEmission = 19u;
SUBLET_CONST uint kShowMotion = 20u;
SUBLET_CONST uint kShowLod = 21u;
SUBLET_CONST uint kShowLodError = 22u;
SUBLET_CONST uint kShowLodGroup = 23u;
SUBLET_CONST uint kShowShadowMaps = 24u;
SUBLET_CONST uint kShowShadowTexels = 25u;
SUBLET_CONST uint kShowShadowDepths = 26u;
SUBLET_CONST uint kShowBlendLayers = 27u;
SUBLET_CONST uint kShowResidency = 28u;
SUBLET_CONST uint kShowAge = 29u;

// What the materials of a scene use, as bits: what no scene has, shading does not look up.
SUBLET_CONST uint kFeatureUv = 1u;        // textures read the first set of coordinates
SUBLET_CONST uint kFeatureSecondUv = 2u;  // or the second
SUBLET_CONST uint kFeatureColor = 4u;     // meshes have colours
SUBLET_CONST uint kFeatureBaseColorMap = 8u;
SUBLET_CONST uint kFeatureMetallicRoughnessMap = 16u;
SUBLET_CONST uint kFeatureNormalMap = 32u;
SUBLET_CONST uint kFeatureOcclusionMap = 64u;
SUBLET_CONST uint kFeatureEmission = 128u;
SUBLET_CONST uint kFeatureEmissiveMap = 256u;
SUBLET_CONST uint kFeatureLit = 512u;        // not all are unlit
SUBLET_CONST uint kFeatureSpecular = 1024u;  // dielectrics do not all reflect the same
SUBLET_CONST uint kFeatureSpecularMap = 2048u;
SUBLET_CONST uint kFeatureSpecularColorMap = 4096u;
SUBLET_CONST uint kFeatureClearcoat = 8192u;
SUBLET_CONST uint kFeatureClearcoatMap = 16384u;
SUBLET_CONST uint kFeatureClearcoatRoughnessMap = 32768u;
SUBLET_CONST uint kFeatureClearcoatNormalMap = 65536u;
SUBLET_CONST uint kFeatureSheen = 131072u;
SUBLET_CONST uint kFeatureSheenColorMap = 262144u;
SUBLET_CONST uint kFeatureSheenRoughnessMap = 524288u;
SUBLET_CONST uint kFeatureTransmission = 1048576u;  // there are instances of kClassTransmissive
SUBLET_CONST uint kFeatureTransmissionMap = 2097152u;
SUBLET_CONST uint kFeatureThicknessMap = 4194304u;
SUBLET_CONST uint kFeatureAnisotropy = 8388608u;
SUBLET_CONST uint kFeatureAnisotropyMap = 16777216u;
SUBLET_CONST uint kFeatureIridescence = 33554432u;
SUBLET_CONST uint kFeatureIridescenceMap = 67108864u;
SUBLET_CONST uint kFeatureIridescenceThicknessMap = 134217728u;

// Tone mapping.
SUBLET_CONST uint kToneNone = 0u;
SUBLET_CONST uint kToneNeutral = 1u;
SUBLET_CONST uint kToneAces = 2u;
SUBLET_CONST uint kToneKeep = 3u;  // as kToneNone, and light is kept as it is, in an image at kBindSum

// What blends is there where its alpha is no less.
SUBLET_CONST float kLeastBlendedAlpha = 0.0009765625f;  // 2^-10

// Sums of what blends behind a pixel's layers (view/layers.glsl).
SUBLET_CONST float kRestSteps = 4096.0f;         // of optical depth, a unit
SUBLET_CONST float kMostRestAlpha = 0.9990234f;  // 1 - 2^-10

// The tiles of a picture in which a transmissive surface is seen, of kShadeTile pixels each way. After this come words:
// of each row of tiles, how many there are; then, with room for all of the picture, which columns they stand in.
SUBLET_CONST uint kShadeTile = 8u;
struct TransmissiveTiles {
    DispatchCommand groups;  // a workgroup for each, y the row; x, of the longest row, in steps of kTileStep
    uint reserved;
};
SUBLET_CONST uint kTileStep = 16u;
SUBLET_CHECK_SIZE(TransmissiveTiles, 16);

// Push constants of shade/shade.comp.
struct ShadeConstants {
    uvec2 size;  // of the window, in pixels
    uint show;   // kShow...: with kSpecInspect, else shaded
    uint group_tiling;
    uint background;    // RGBA, 8 bits each, sRGB-encoded
    uint raster_limit;  // pixels of the bounding box of a triangle that a lane draws (backends/raster.comp)
    uint inspect;       // kInspect...: with kSpecInspect
    // Ids that are outlined: so many from the first on, and of wide ones those of the instance.
    uint selected_first;
    uint selected_count;
    uint selected_instance;
    uint probes[kMostProbes];  // x + (y << 16), or kNoProbe
    uvec2 hiz_size;            // pixels that the pyramid was made of
    uint hiz_level;            // that kShowHiz shows: where it begins, and floats from a row to the next
    uint hiz_offset;
    uint hiz_pitch;
    float exposure;           // light is multiplied by it
    uint tone;                // kTone...
    uint measure;             // with kSpecExposure: light is counted
    uint selected_instances;  // so many from selected_instance on
    uint in_compute;          // the compute rasteriser drew: shade/seen.glsl
    uint stamped_pixel;       // of each kStampSide * kStampSide: what it samples is noted; that many: all do
    uint reserved;
};

SUBLET_CHECK_SIZE(ShadeConstants, 104);

// What pixels sample of textures, with kSpecTextureStamps: an image of one texel for each of the table, in rows of
// kStampRow, row by row. The smallest of all pixels; kNotStamped where none sampled it. It is the exponent, as a float
// has it, of how many texels of the image that is there a sample is long, in both directions at least: 127 where that
// is 1 to 2 of them, so that level 0 is the finest that is read.
SUBLET_CONST uint kStampRow = 256u;
SUBLET_CONST uint kNotStamped = 255u;
SUBLET_CONST uint kStampOfLevel0 = 127u;
SUBLET_CONST uint kStampSide = 4u;

SUBLET_SHARED_END
#endif
