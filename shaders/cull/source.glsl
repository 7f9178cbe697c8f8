// What the sources of the expansion are: with the task list up to 32 consecutive meshlets of an instance, else an
// instance with all of its meshlets. After scene/bindings.glsl.

struct Source {
    uint instance;
    uint first_meshlet;
    uint meshlets;
    uint first_task;  // with its first meshlet: task first_task + i holds meshlets 32 i to 32 i + 31
};

#ifdef EXPANSION_TASK_LIST

uint source_count() { return frame.task_count; }

Source source_at(uint index) {
    Task task = tasks[index];
    return Source(task.instance, (task.chunk_and_count >> 6u) * kTaskMeshlets, task.chunk_and_count & 63u, index);
}
#else

uint source_count() { return frame.instance_count; }

Source source_at(uint index) {
    return Source(index, 0u, meshes[instances[index].mesh].meshlet_count, first_tasks[index]);
}
#endif
