// What the sources of the expansion are: with the task list up to 32 consecutive meshlets of an instance, else an
// instance with all of its meshlets. After scene/bindings.glsl.

#include "shared/passes.h"

struct Source {
    uint instance;
    uint first_meshlet;
    uint meshlets;
    uint first_task;  // with its first meshlet: task first_task + i holds meshlets 32 i to 32 i + 31
};

#ifdef EXPANSION_TASK_LIST

#ifdef EXPANSION_PUSH
layout(push_constant) uniform Push { CullInstancesConstants constants; };

uint source_count() {
    uint count = 0u;
    for (uint c = 0u; c < kDrawClasses; ++c) {
        count += constants.classes[c].count;
    }
    return count;
}

// The task that lane `index` (< source_count()) looks at.
uint source_number(uint index) {
    uint draw_class = 0u;
    while (index >= constants.classes[draw_class].count) {
        index -= constants.classes[draw_class++].count;
    }
    return constants.classes[draw_class].first + index;
}
#endif

Source source_at(uint index) {
    Task task = tasks[index];
    return Source(task.instance, (task.chunk_and_count >> 6u) * kTaskMeshlets, task.chunk_and_count & 63u, index);
}
#else

uint source_count() { return frame.instance_count; }
uint source_number(uint index) { return index; }

Source source_at(uint index) {
    return Source(index, 0u, meshes[instances[index].mesh].meshlet_count, first_tasks[index]);
}
#endif
