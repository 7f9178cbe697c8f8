// What a task workgroup tells the mesh workgroups it launches: a base and a bit mask, small, since the size of a
// payload is what some devices pay for.
//
// TASK_PACKED: 256 slots of the list of surviving sublets. A bit for each that a mesh workgroup begins with; it goes on
// to the next one that begins, or to the end of the 32 slots. 36 bytes.
// TASK_FLAT: one task. A bit for each sublet of its 32 meshlets. 40 bytes.
// TASK_HIERARCHICAL: 32 tasks. A bit for each of the 32 meshlets of each. 384 bytes.
#if defined(TASK_PACKED)
const uint kPayloadMasks = 8u;
struct TaskPayload {
    uint first_slot;  // of the workgroup, in its class
    uint masks[kPayloadMasks];
};
#elif defined(TASK_FLAT)
const uint kPayloadMasks = 8u;
struct TaskPayload {
    uint instance;
    uint first_place;  // of the task's meshlets (cull/cut.glsl)
    uint masks[kPayloadMasks];
};
#else
const uint kPayloadMasks = 32u;
struct TaskPayload {
    uvec2 tasks[kPayloadMasks];  // entries (expansion/entries.glsl), whose items are places
    uint masks[kPayloadMasks];
};
#endif
taskPayloadSharedEXT TaskPayload payload_masks;
