// What the sources of the expansion are: with the task list up to 32 consecutive meshlets of an instance, else an
// instance with all of its meshlets. After scene_bindings.glsl; binding 4 tells where their tasks are.

struct Source {
    uint instance;
    uint first_meshlet;
    uint meshlets;
    uint first_task;  // with its first meshlet: task first_task + i holds meshlets 32 i to 32 i + 31
};

#ifdef EXPANSION_TASK_LIST
layout(set = 0, binding = 4, std430) readonly buffer Tasks { Task tasks[]; };

#ifdef EXPANSION_PUSH
// A scene whose survivors may be more than their list holds is culled in rounds, each over a range of the tasks of each
// draw class.
layout(push_constant) uniform RoundTasks {
    uvec4 round_first;  // xyz: for each class
    uvec4 round_count;
};

uint source_count() { return round_count.x + round_count.y + round_count.z; }

// The task that lane `index` (< source_count()) looks at.
uint source_number(uint index) {
    if (index < round_count.x) {
        return round_first.x + index;
    }
    index -= round_count.x;
    return index < round_count.y ? round_first.y + index : round_first.z + index - round_count.y;
}
#endif

Source source_at(uint index) {
    Task task = tasks[index];
    return Source(task.instance, (task.chunk_and_count >> 6u) * kTaskMeshlets, task.chunk_and_count & 63u, index);
}
#else
layout(set = 0, binding = 4, std430) readonly buffer FirstTasks { uint first_tasks[]; };  // of each instance

uint source_count() { return frame.instance_count; }
uint source_number(uint index) { return index; }

Source source_at(uint index) {
    return Source(index, 0u, meshes[instances[index].mesh].meshlet_count, first_tasks[index]);
}
#endif
