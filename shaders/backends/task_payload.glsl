// What a task workgroup tells the mesh workgroups it launches: a base and a bit mask, small, since the size of a payload is what some
// devices pay for.
//
// TASK_FLAT: one task. A bit for each sublet of its 32 meshlets. 40 bytes.
// TASK_HIERARCHICAL: 32 tasks. A bit for each of the 32 meshlets of each. 132 bytes.
#ifdef TASK_FLAT
const uint kPayloadMasks = 8u;
struct TaskPayload {
    uint instance;
    uint first_sublet;  // of the task, within the instance's mesh
    uint masks[kPayloadMasks];
};
#else
const uint kPayloadMasks = 32u;
struct TaskPayload {
    uint first_task;
    uint masks[kPayloadMasks];
};
#endif
taskPayloadSharedEXT TaskPayload payload_masks;
