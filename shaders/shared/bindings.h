// Where shaders find what they read and write: sets, and the number of each binding in its set. Within its set a
// number has one name; C++ binds by these names.
#ifndef SUBLET_SHARED_BINDINGS_H
#define SUBLET_SHARED_BINDINGS_H

#include "types.h"

SUBLET_SHARED_BEGIN

SUBLET_CONST uint kSceneSet = 0u;    // the scene, and the view that is drawn: scene/bindings.glsl declares all of it
SUBLET_CONST uint kTextureSet = 1u;  // the scene's textures: binding 0, an array
SUBLET_CONST uint kPassSet = 2u;     // what passes leave to one another

// Set kSceneSet.
SUBLET_CONST uint kBindFrame = 0u;  // FrameData
SUBLET_CONST uint kBindMeshes = 1u;
SUBLET_CONST uint kBindInstances = 2u;
SUBLET_CONST uint kBindMaterials = 3u;
SUBLET_CONST uint kBindStreams = 4u;
SUBLET_CONST uint kBindPayload = 5u;
SUBLET_CONST uint kBindMeshletBounds = 6u;
SUBLET_CONST uint kBindSubletBounds = 7u;
SUBLET_CONST uint kBindFirstOf = 8u;
SUBLET_CONST uint kBindPositions = 12u;  // from here on: written by the decode pass
SUBLET_CONST uint kBindAttributes = 13u;
SUBLET_CONST uint kBindLeads = 14u;
SUBLET_CONST uint kBindMeshletRanges = 15u;
SUBLET_CONST uint kBindSubletRecords = 9u;
SUBLET_CONST uint kBindCompactRecords = 10u;
SUBLET_CONST uint kBindUvTransforms = 16u;
SUBLET_CONST uint kBindMaterialLobes = 17u;
SUBLET_CONST uint kBindDeformation = 18u;  // shared/deform.h
// Levels of detail (cull/cut.glsl):
SUBLET_CONST uint kBindLodGroups = 19u;
SUBLET_CONST uint kBindCutPlaces = 20u;

// Set kPassSet. Culling, expansion and drawing:
SUBLET_CONST uint kBindState = 0u;  // CullState
SUBLET_CONST uint kBindVisibleBefore = 1u;
SUBLET_CONST uint kBindVisibleAfter = 2u;
SUBLET_CONST uint kBindDetailsBefore = 3u;
SUBLET_CONST uint kBindDetailsAfter = 4u;
SUBLET_CONST uint kBindOcclusionView = 5u;
SUBLET_CONST uint kBindPyramid = 6u;
SUBLET_CONST uint kBindDepth = 7u;
SUBLET_CONST uint kBindExpansionState = 8u;
SUBLET_CONST uint kBindExpansionList = 9u;
SUBLET_CONST uint kBindSurvivors = 10u;
SUBLET_CONST uint kBindDraws = 11u;
SUBLET_CONST uint kBindWorkList = 12u;
SUBLET_CONST uint kBindTaskSources = 85u;
SUBLET_CONST uint kBindTriangles = 13u;  // that survive: indices, batches or masks (cull/primitives.comp)
SUBLET_CONST uint kBindIndices = 14u;
// Shading:
SUBLET_CONST uint kBindIds = 15u;
SUBLET_CONST uint kBindIdsOfPhase1 = 16u;
SUBLET_CONST uint kBindColor = 17u;
// The pyramid's own, the prefix sum's, and those of measurements:
SUBLET_CONST uint kBindHizState = 18u;
SUBLET_CONST uint kBindScanVectors = 19u;
SUBLET_CONST uint kBindScanElements = 20u;
SUBLET_CONST uint kBindScanState = 21u;
SUBLET_CONST uint kBindScanWords = 22u;
SUBLET_CONST uint kBindScanCount = 23u;
SUBLET_CONST uint kBindProbeSources = 24u;
SUBLET_CONST uint kBindProbeResult = 25u;
SUBLET_CONST uint kBindProbeSeen = 26u;
SUBLET_CONST uint kBindMicroInput = 27u;
SUBLET_CONST uint kBindMicroOutput = 28u;
SUBLET_CONST uint kBindMicroOffsets = 29u;
// The compute rasteriser's:
SUBLET_CONST uint kBindPixels = 30u;  // backends/raster_pixels.glsl
SUBLET_CONST uint kBindPixelsOfPhase1 = 31u;
SUBLET_CONST uint kBindLargeTriangles = 32u;
SUBLET_CONST uint kBindMediumTriangles = 84u;
SUBLET_CONST uint kBindLeftSublets = 33u;  // whose large triangles had no room there
SUBLET_CONST uint kBindVerdicts = 34u;     // raster_difference.comp
SUBLET_CONST uint kBindWideIds = 35u;      // of pixels: backends/raster_wide_ids.comp; or view/layers.glsl, never both
SUBLET_CONST uint kBindPhase = 99u;        // PhaseData
SUBLET_CONST uint kBindCutNumbers = 86u;   // backends/raster_numbers.glsl
// Rounds of culling (cull/rounds.glsl):
SUBLET_CONST uint kBindStateBefore = 36u;
SUBLET_CONST uint kBindUndone = 37u;
SUBLET_CONST uint kBindQueue = 108u;  // SubletsPayload (shared/graph.h)
SUBLET_CONST uint kBindTextureStamps = 109u;  // an image: shade/textures.glsl
// Looking inside (inspect/):
SUBLET_CONST uint kBindRejected = 38u;   // a byte for each sublet: the test that rejected it, kVerdict...
SUBLET_CONST uint kBindShown = 39u;      // an image: what a pass before found out of each pixel, to be shown; or,
                                         // with kSpecAmbient, what shade/ambient.comp did
SUBLET_CONST uint kBindInspected = 40u;  // Inspected
// difference.comp:
SUBLET_CONST uint kBindReferenceColor = 41u;
SUBLET_CONST uint kBindDifferences = 42u;
// Light from all around (environment/):
SUBLET_CONST uint kBindEnvironment = 43u;        // a cube; level by level what surfaces of a roughness reflect
SUBLET_CONST uint kBindIrradiance = 44u;         // its spherical harmonics
SUBLET_CONST uint kBindReflectances = 45u;       // environment/reflectances.comp
SUBLET_CONST uint kBindSkyScattering = 46u;      // environment/sky_scattering.comp
SUBLET_CONST uint kBindCubeSource = 47u;         // faces that are read,
SUBLET_CONST uint kBindCubeTarget = 48u;         // and written
SUBLET_CONST uint kBindEnvironmentSource = 49u;  // the cube that kBindEnvironment's is made of
SUBLET_CONST uint kBindSum = 50u;                // shade/average.comp
// Transmission (shade/transmission.glsl):
SUBLET_CONST uint kBindTransmissiveIds = 51u;  // as kBindIds,
SUBLET_CONST uint kBindTransmissiveIdsOfPhase1 = 52u;
SUBLET_CONST uint kBindTransmissiveDepth = 53u;   // and kBindDepth
SUBLET_CONST uint kBindBehind = 54u;              // light of what is not transmissive, with levels
SUBLET_CONST uint kBindBehindTarget = 55u;        // one of its levels, that is written
SUBLET_CONST uint kBindExposure = 56u;            // ExposureState
SUBLET_CONST uint kBindTransmissiveTiles = 57u;   // TransmissiveTiles, and words
SUBLET_CONST uint kBindShadows = 94u;             // ShadowMaps (shade/shadow.glsl),
SUBLET_CONST uint kBindShadowDepths = 95u;        // and their depths, a layer each
SUBLET_CONST uint kBindLightShadowDepths = 100u;  // likewise of punctual lights
// Animation (scene/animate_channels.comp, scene/animate_instances.comp):
SUBLET_CONST uint kBindTimes = 58u;            // of each animation, in seconds
SUBLET_CONST uint kBindChannels = 59u;         // AnimationChannel
SUBLET_CONST uint kBindKeys = 60u;             // their times and values
SUBLET_CONST uint kBindLocalTransforms = 61u;  // vectors: kLinkVectors for each
SUBLET_CONST uint kBindLinks = 62u;
SUBLET_CONST uint kBindMovedInstances = 63u;
SUBLET_CONST uint kBindPlacedInstances = 64u;  // those of kBindInstances, written
// Deformation (scene/animate_joints.comp, scene/deform....comp):
SUBLET_CONST uint kBindJoints = 65u;              // MovedInstance
SUBLET_CONST uint kBindWrittenDeformation = 66u;  // that of the scene's set, written, as all of these:
SUBLET_CONST uint kBindWrittenSubletBounds = 67u;
SUBLET_CONST uint kBindWrittenMeshletBounds = 68u;
SUBLET_CONST uint kBindWrittenMeshes = 69u;
SUBLET_CONST uint kBindDeformTasks = 70u;
SUBLET_CONST uint kBindPoseRounds = 82u;         // for each mesh in a pose: DeformConstants,
SUBLET_CONST uint kBindDeformedInstances = 83u;  // numbers of instances
SUBLET_CONST uint kBindSkeletons = 72u;          // inspect/joints.vert: Skeleton,
SUBLET_CONST uint kBindJointPlaces = 73u;        // JointPlace
SUBLET_CONST uint kBindMorphWeights = 76u;       // MorphWeights
SUBLET_CONST uint kBindTimeShifts = 71u;         // of copies of the scene: scene/animate_channels.comp
// Streaming (stream/):
SUBLET_CONST uint kBindStamps = 102u;        // WishesConstants
SUBLET_CONST uint kBindBlock = 103u;         // what has arrived, as words: BlockCopy, and what is copied;
SUBLET_CONST uint kBindPatchPayload = 104u;  // buffers of the scene's set, written, as words
SUBLET_CONST uint kBindPatchBounds = 105u;
SUBLET_CONST uint kBindPatchRanges = 106u;
SUBLET_CONST uint kBindPatchGroups = 107u;
// inspect/motion.comp:
SUBLET_CONST uint kBindMotion = 74u;           // an image
SUBLET_CONST uint kBindHistory = 96u;          // shade/temporal.comp: of frames before, read,
SUBLET_CONST uint kBindHistoryTarget = 97u;    // with this one, written,
SUBLET_CONST uint kBindResolved = 98u;         // and the picture of that
SUBLET_CONST uint kBindAmbient = 101u;         // shade/ambient.comp: an image
SUBLET_CONST uint kBindInstancesBefore = 75u;  // those of kBindInstances, as they were in the last frame
// Animation of visibility and of materials (scene/animate_visibility.comp, scene/animate_materials.comp):
SUBLET_CONST uint kBindShownInstances = 77u;       // MovedInstance
SUBLET_CONST uint kBindMaterialDrivers = 78u;      // MaterialDriver
SUBLET_CONST uint kBindWrittenMaterials = 79u;     // those of kBindMaterials, written, as words,
SUBLET_CONST uint kBindWrittenUvTransforms = 80u;  // and those of kBindUvTransforms
SUBLET_CONST uint kBindHidden = 81u;               // scene/hide.comp: a bit for each instance
// Punctual lights (shared/lights.h):
SUBLET_CONST uint kBindLights = 87u;         // PunctualLight
SUBLET_CONST uint kBindClusters = 88u;       // ClusterState, lights and words; of shading, or the pyramid
SUBLET_CONST uint kBindLightOrder = 89u;     // a word for each light with a range: 1 in view, then sums of these
SUBLET_CONST uint kBindLightsInView = 90u;   // ClusterLight
SUBLET_CONST uint kBindLightBlocks = 93u;    // lists of blocks of clusters
SUBLET_CONST uint kBindLightDrivers = 91u;   // scene/animate_lights.comp: LightDriver,
SUBLET_CONST uint kBindWrittenLights = 92u;  // and lights, written

// Specialisation constants of shaders that cull, draw and shade. (The pyramid and the prefix sum number theirs alone.)
SUBLET_CONST uint kSpecCount = 0u;             // counters are kept
SUBLET_CONST uint kSpecEncoded = 1u;           // kEncoded...: vertices are decoded where they are used
SUBLET_CONST uint kSpecMeshLanes = 2u;         // of a mesh shader's workgroup
SUBLET_CONST uint kSpecLocalOutput = 3u;       // outputs by the lane of the same number
SUBLET_CONST uint kSpecTriangleForm = 4u;      // of what the pass over triangles leaves: shared/primitives.h
SUBLET_CONST uint kSpecPhase = 5u;             // cull/chain.glsl
SUBLET_CONST uint kSpecPrimitiveBits = 6u;     // occlusion culling goes on to single triangles
SUBLET_CONST uint kSpecWriteDraws = 7u;        // the meshlet pass writes an indirect draw for each
SUBLET_CONST uint kSpecFeatures = 8u;          // of the scene's materials: shared/shade.h, kFeature...
SUBLET_CONST uint kSpecEnvironment = 9u;       // light comes from all around
SUBLET_CONST uint kSpecTaps = 10u;             // anisotropy is made up for (shade/textures.glsl)
SUBLET_CONST uint kSpecWideIds = 11u;          // view/visibility_id.glsl
SUBLET_CONST uint kSpecFirstInstance = 12u;    // indirect draws have their slot as their first instance
SUBLET_CONST uint kSpecSubletsPerGroup = 13u;  // of the mesh shader's workgroups, for the pass that lists sublets
SUBLET_CONST uint kSpecIndexBits = 14u;        // of an index that a shader reads: 8 or 16
SUBLET_CONST uint kSpecRasterWords = 15u;      // shared/passes.h, kWords...
SUBLET_CONST uint kSpecFurtherRound = 16u;     // the meshlet pass goes on where the round before stopped
SUBLET_CONST uint kSpecMayStop = 17u;          // its list may be too short
SUBLET_CONST uint kSpecSubletBits = 18u;       // occlusion culling goes on to sublets
SUBLET_CONST uint kSpecInspect = 19u;          // another view than shaded, edges, outlines or probes are asked for
SUBLET_CONST uint kSpecBehind = 20u;           // only what is not transmissive is shaded, for what lies in front
SUBLET_CONST uint kSpecExposure = 21u;         // light is measured, and exposed by what the frame before measured
SUBLET_CONST uint kSpecDeforms = 22u;          // kDeforms...: in every pipeline
SUBLET_CONST uint kSpecExpansion = 24u;        // kExpansion...
SUBLET_CONST uint kSpecPulled = 26u;           // the vertex shader reads the indices
SUBLET_CONST uint kSpecMasked = 27u;           // classes that are tested for alpha are drawn
SUBLET_CONST uint kSpecCorners = 28u;          // vertices say which triangles they lead: backends/id.frag
SUBLET_CONST uint kSpecLevels = 30u;           // the scene has levels of detail: in every pipeline
SUBLET_CONST uint kSpecCountsCut = 31u;        // cull/count_cut.glsl
SUBLET_CONST uint kSpecLights = 32u;           // punctual lights shine
SUBLET_CONST uint kSpecShadows = 33u;          // what casts shadows: shared/shadow.h
SUBLET_CONST uint kSpecBlendLayers = 34u;      // of what blends, that a pixel has (view/layers.glsl); 0: none
SUBLET_CONST uint kSpecAmbient = 35u;          // nearby surfaces take light (shade/ambient.glsl)
SUBLET_CONST uint kSpecWidePositions = 36u;    // some have more than 16 bits: in every pipeline
SUBLET_CONST uint kSpecGenerated = 37u;        // shared/passes.h, kGenerated...
SUBLET_CONST uint kSpecDrawClass = 38u;        // of a mesh shader that draws one alone
SUBLET_CONST uint kSpecTextureStamps = 39u;    // what is sampled of textures is noted
SUBLET_CONST uint kSpecOverdraw = 29u;         // what no test rejects is drawn: inspect/rejected.vert

// kSpecEncoded: vertices come from what the decode pass wrote, or from the payload in one of its codings.
SUBLET_CONST uint kEncodedNot = 0u;
SUBLET_CONST uint kEncodedPlain = 1u;
SUBLET_CONST uint kEncodedCompact = 2u;

SUBLET_SHARED_END
#endif
