// What the sources of the expansion are: with the task list up to 32 consecutive meshlets of an instance, else an
// instance with all of its meshlets. After scene/bindings.glsl and
// expansion/expansion.glsl.

struct Source {
    uint instance;
    uint first_meshlet;
    uint meshlets;
    uint first_task;  // with its first meshlet: task first_task + i holds meshlets 32 i to 32 i + 31
};

uint source_count() { return kExpansion == kExpansionTaskList ? frame.task_count : frame.instance_count; }

Source source_at(uint index) {
    if (kExpansion == kExpansionTaskList) {
        Task task = tasks[index];
        return Source(task.instance, (task.chunk_and_count >> 6u) * kTaskMeshlets, task.chunk_and_count & 63u, index);
    }
    return Source(index, 0u, meshes[instances[index].mesh].meshlet_count, first_tasks[index]);
}
